// RUN: zc-opt --split-input-file %s -p flow-to-stream | filecheck %s

// Elements on the host: a load copies the element alone, a store fills its bytes.
module attributes {stream.affinity.default = #hal.device.affinity<@a>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  // CHECK-LABEL: util.func private @elements
  // CHECK-SAME: (%[[X:.+]]: !stream.resource<*>, %{{.+}}: index, %[[S:.+]]: !stream.resource<*>, %{{.+}}: index, %[[T:.+]]: !stream.resource<*>, %[[TS:.+]]: index, %{{.+}}: index, %[[I:.+]]: index)
  util.func private @elements(%x: tensor<2x3xi32>, %s: tensor<f32>, %t: tensor<?x3xi1>, %n: index, %i: index) -> (i32, f32, i1, tensor<2x3xi32>, tensor<f32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %nine = arith.constant 9 : i32
    // CHECK: %[[E:.+]] = stream.async.slice on(#hal.device.affinity<@a>) %[[X]][%c12 to %c16] : !stream.resource<*>{%c24} -> !stream.resource<*>{%c4}
    // CHECK-NEXT: %[[H:.+]] = stream.async.transfer %[[E]] : !stream.resource<*>{%c4} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@a>) !stream.resource<staging>{%c4}
    // CHECK-NEXT: stream.async.load %[[H]][%c0] : !stream.resource<staging>{%c4} -> i32
    %0 = flow.tensor.load %x[%c1, %c0] : tensor<2x3xi32>
    // CHECK-NEXT: %[[HS:.+]] = stream.async.transfer %[[S]] : !stream.resource<*>{%c4} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@a>) !stream.resource<staging>{%c4}
    // CHECK-NEXT: %[[V:.+]] = stream.async.load %[[HS]][%c0] : !stream.resource<staging>{%c4} -> f32
    %1 = flow.tensor.load %s : tensor<f32>
    // CHECK-NEXT: %[[ROW:.+]] = arith.muli %[[I]], %c3 : index
    // CHECK-NEXT: %[[AT:.+]] = arith.addi %c1, %[[ROW]] : index
    // CHECK-NEXT: %[[END:.+]] = arith.addi %[[AT]], %c1 : index
    // CHECK-NEXT: stream.async.slice on(#hal.device.affinity<@a>) %[[T]][%[[AT]] to %[[END]]] : !stream.resource<*>{%[[TS]]} -> !stream.resource<*>{%c1}
    %2 = flow.tensor.load %t[%i, %c1] : tensor<?x3xi1>{%n}
    // CHECK: stream.async.fill on(#hal.device.affinity<@a>) %{{.+}}, %[[X]][%c4 to %c8 for %c4] : i32 -> %[[X]] as !stream.resource<*>{%c24}
    %3 = flow.tensor.store %nine, %x[%c0, %c1] : tensor<2x3xi32>
    // CHECK-NEXT: %[[BITS:.+]] = arith.bitcast %[[V]] : f32 to i32
    // CHECK-NEXT: stream.async.fill on(#hal.device.affinity<@a>) %[[BITS]], %[[S]][%c0 to %c4 for %c4] : i32 -> %[[S]] as !stream.resource<*>{%c4}
    %4 = flow.tensor.store %1, %s : tensor<f32>
    util.return %0, %1, %2, %3, %4 : i32, f32, i1, tensor<2x3xi32>, tensor<f32>
  }
}

// -----

// Traces print copies that the host can read.
module attributes {stream.affinity.default = #hal.device.affinity<@a>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  // CHECK-LABEL: util.func private @trace
  util.func private @trace(%x: tensor<5xf32>, %y: tensor<?x3x?xi32>, %m: index, %n: index) {
    // CHECK: %[[X:.+]] = stream.async.transfer %{{.+}} : !stream.resource<*>{%c20} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@a>) !stream.resource<staging>{%c20}
    // CHECK-NEXT: %[[Y:.+]] = stream.async.transfer %{{.+}} : !stream.resource<*>{%[[YS:.+]]} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@a>) !stream.resource<staging>
    // CHECK-NEXT: stream.tensor.trace "KEY" = [
    // CHECK-NEXT: %[[X]] : tensor<5xf32> in !stream.resource<staging>{%c20},
    // CHECK-NEXT: %[[Y]] : tensor<?x3x?xi32>{%{{.+}}, %{{.+}}} in !stream.resource<staging>{%[[YS]]}
    flow.tensor.trace "KEY" = [%x : tensor<5xf32>, %y : tensor<?x3x?xi32>{%m, %n}]
    util.return
  }
}

// -----

// Constants, also those with a hidden shape or kept in an archive; parameters by key.
module attributes {stream.affinity.default = #hal.device.affinity<@a>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  // CHECK-LABEL: util.func private @constants
  // CHECK-SAME: (%[[KEY:.+]]: !util.buffer, %[[AT:.+]]: i64, %[[N:.+]]: index)
  util.func private @constants(%key: !util.buffer, %at: i64, %n: index) -> (tensor<2xi32>, tensor<?xi32>, tensor<4xf32>, tensor<?x8xf32>, tensor<3xi8>) {
    // CHECK: %[[C:.+]] = stream.async.constant on(#hal.device.affinity<@a>) : !stream.resource<constant>{%c8} = dense<2> : tensor<2xi32>
    // CHECK-NEXT: stream.async.cast on(#hal.device.affinity<@a>) %[[C]] : !stream.resource<constant>{%c8} -> !stream.resource<*>{%c8}
    %0 = flow.tensor.constant dense<2> : tensor<2xi32>
    // CHECK-NEXT: stream.async.constant on(#hal.device.affinity<@a>) : !stream.resource<constant>{%c12} = dense<[1, 2, 3]> : tensor<3xi32>
    %1 = flow.tensor.dynamic_constant dense<[1, 2, 3]> : tensor<3xi32> -> tensor<?xi32>
    // CHECK: stream.async.constant on(#hal.device.affinity<@a>) : !stream.resource<constant>{%c16} = #stream.parameter.named<"scope"::"key"> : tensor<4xf32>
    %2 = flow.tensor.constant #flow.parameter.named<"scope"::"key"> : tensor<4xf32>
    // CHECK: %[[SIZE:.+]] = arith.muli %[[N]], %c32
    // CHECK-NEXT: %[[P:.+]], %[[TP:.+]] = stream.async.parameter.load on(#hal.device.affinity<@a>) %[[KEY]][%[[AT]]] : !stream.resource<*>{%[[SIZE]]} => !stream.timepoint
    // CHECK-NEXT: %[[L:.+]] = stream.timepoint.await %[[TP]] => %[[P]] : !stream.resource<*>{%[[SIZE]]}
    %3 = flow.parameter.load %key[%at] : tensor<?x8xf32>{%n}
    // CHECK-NEXT: %[[W:.+]], %[[TW:.+]] = stream.async.parameter.write on(#hal.device.affinity<@a>) %[[L]][%c0 to %[[SIZE]] for %[[SIZE]]] -> %[[KEY]][%[[AT]]] : !stream.resource<*>{%[[SIZE]]} => !stream.timepoint
    // CHECK-NEXT: stream.timepoint.await %[[TW]] => %[[W]]
    %4 = flow.parameter.write %3 -> %key[%at] : tensor<?x8xf32>{%n}
    // CHECK-NEXT: stream.async.constant on(#hal.device.affinity<@a>) : !stream.resource<constant>{%c3} = dense<7> : tensor<3xi8>
    %5 = arith.constant dense<7> : tensor<3xi8>
    util.return %0, %1, %2, %4, %5 : tensor<2xi32>, tensor<?xi32>, tensor<4xf32>, tensor<?x8xf32>, tensor<3xi8>
  }
}

// -----

// Views share the resource; barriers pin it; encodings are left to the targets. i4 is packed two
// to a byte, rounded up.
module attributes {stream.affinity.default = #hal.device.affinity<@a>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  // CHECK-LABEL: util.func private @views
  // CHECK-SAME: (%[[X:.+]]: !stream.resource<*>, %[[XS:.+]]: index, %[[N:.+]]: index)
  util.func private @views(%x: tensor<?x4xf32>, %n: index) -> (tensor<4x?xi32>, tensor<?x4xf32>, tensor<4x4xf32, #iree_encoding.testing<>>, tensor<?x3xi4>) {
    %c7 = arith.constant 7 : i32
    %0 = flow.tensor.tie_shape %x : tensor<?x4xf32>{%n}
    %1 = flow.tensor.reshape %0 : tensor<?x4xf32>{%n} -> tensor<4x?xf32>{%n}
    %2 = flow.tensor.bitcast %1 : tensor<4x?xf32>{%n} -> tensor<4x?xi32>{%n}
    // CHECK: %[[B:.+]] = stream.async.barrier on(#hal.device.affinity<@a>) %[[X]] : !stream.resource<*>{%[[XS]]}
    %3 = flow.tensor.barrier %x : tensor<?x4xf32>{%n} on #hal.device.affinity<@a>
    // CHECK-NEXT: %[[C:.+]] = stream.async.clone on(#hal.device.affinity<@a>) %[[B]] : !stream.resource<*>{%[[XS]]} -> !stream.resource<*>{%[[XS]]}
    %4 = flow.tensor.clone %3 : tensor<?x4xf32>{%n}
    // CHECK-NEXT: %[[S:.+]] = stream.async.splat on(#hal.device.affinity<@a>) %{{.+}} : i32 -> !stream.resource<*>{%c64}
    %5 = flow.tensor.splat %c7 : tensor<4x4xi32>
    %6 = flow.tensor.bitcast %5 : tensor<4x4xi32> -> tensor<4x4xf32>
    // CHECK-NEXT: %[[ES:.+]] = stream.tensor.sizeof on(#hal.device.affinity<@a>) tensor<4x4xf32, #iree_encoding.testing<>> : index
    // CHECK-NEXT: %[[E:.+]] = stream.tensor.encode on(#hal.device.affinity<@a>) %[[S]] : tensor<4x4xf32> in !stream.resource<*>{%c64} -> tensor<4x4xf32, #iree_encoding.testing<>> in !stream.resource<*>{%[[ES]]}
    %7 = flow.tensor.encode %6 : tensor<4x4xf32> -> tensor<4x4xf32, #iree_encoding.testing<>>
    // CHECK-NEXT: %[[COUNT:.+]] = arith.muli %[[N]], %c3
    // CHECK-NEXT: %[[BYTES:.+]] = arith.ceildivui %[[COUNT]], %c2
    // CHECK-NEXT: %[[I4:.+]] = stream.async.alloca on(#hal.device.affinity<@a>) : !stream.resource<*>{%[[BYTES]]}
    %8 = flow.tensor.empty : tensor<?x3xi4>{%n}
    // CHECK-NEXT: util.return %[[X]], %[[XS]], %[[C]], %[[XS]], %[[E]], %[[ES]], %[[I4]], %[[BYTES]]
    util.return %2, %4, %7, %8 : tensor<4x?xi32>, tensor<?x4xf32>, tensor<4x4xf32, #iree_encoding.testing<>>, tensor<?x3xi4>
  }
}

// -----

// The bits of a constant are a constant, so that what fills with it can be recorded once.
module attributes {stream.affinity.default = #hal.device.affinity<@a>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  // CHECK-LABEL: util.func private @constant_splats
  util.func private @constant_splats() -> (tensor<2xf32>, tensor<2xbf16>, tensor<2xi1>) {
    %f = arith.constant -2.0 : f32
    %h = arith.constant 2.0 : bf16
    %b = arith.constant true
    // CHECK: %[[F:.+]] = arith.constant -1073741824 : i32
    // CHECK-NEXT: stream.async.splat on(#hal.device.affinity<@a>) %[[F]] : i32
    %0 = flow.tensor.splat %f : tensor<2xf32>
    // CHECK-NEXT: %[[H:.+]] = arith.constant 16384 : i16
    // CHECK-NEXT: stream.async.splat on(#hal.device.affinity<@a>) %[[H]] : i16
    %1 = flow.tensor.splat %h : tensor<2xbf16>
    // CHECK-NEXT: %[[B:.+]] = arith.constant 1 : i8
    // CHECK-NEXT: stream.async.splat on(#hal.device.affinity<@a>) %[[B]] : i8
    %2 = flow.tensor.splat %b : tensor<2xi1>
    util.return %0, %1, %2 : tensor<2xf32>, tensor<2xbf16>, tensor<2xi1>
  }
}

// -----

// Splats of any type are fills with the bits of an element.
module attributes {stream.affinity.default = #hal.device.affinity<@a>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  // CHECK-LABEL: util.func private @splats
  // CHECK-SAME: (%[[N:.+]]: index, %[[B:.+]]: i1, %[[H:.+]]: bf16, %[[D:.+]]: f64, %[[Z:.+]]: complex<f32>)
  util.func private @splats(%n: index, %b: i1, %h: bf16, %d: f64, %z: complex<f32>) -> (tensor<?xi1>, tensor<2xbf16>, tensor<3xf64>, tensor<4xcomplex<f32>>, tensor<5xindex>) {
    // CHECK: %[[B8:.+]] = arith.extui %[[B]] : i1 to i8
    // CHECK-NEXT: stream.async.splat on(#hal.device.affinity<@a>) %[[B8]] : i8 -> !stream.resource<*>{%[[N]]}
    %0 = flow.tensor.splat %b : tensor<?xi1>{%n}
    // CHECK-NEXT: %[[H16:.+]] = arith.bitcast %[[H]] : bf16 to i16
    // CHECK-NEXT: stream.async.splat on(#hal.device.affinity<@a>) %[[H16]] : i16 -> !stream.resource<*>{%c4}
    %1 = flow.tensor.splat %h : tensor<2xbf16>
    // CHECK-NEXT: %[[D64:.+]] = arith.bitcast %[[D]] : f64 to i64
    // CHECK-NEXT: stream.async.splat on(#hal.device.affinity<@a>) %[[D64]] : i64 -> !stream.resource<*>{%c24}
    %2 = flow.tensor.splat %d : tensor<3xf64>
    // CHECK-NEXT: %[[Z64:.+]] = complex.bitcast %[[Z]] : complex<f32> to i64
    // CHECK-NEXT: stream.async.splat on(#hal.device.affinity<@a>) %[[Z64]] : i64 -> !stream.resource<*>{%c32}
    %3 = flow.tensor.splat %z : tensor<4xcomplex<f32>>
    // CHECK-NEXT: %[[N64:.+]] = arith.index_castui %[[N]] : index to i64
    // CHECK-NEXT: stream.async.splat on(#hal.device.affinity<@a>) %[[N64]] : i64 -> !stream.resource<*>{%c40}
    %4 = flow.tensor.splat %n : tensor<5xindex>
    util.return %0, %1, %2, %3, %4 : tensor<?xi1>, tensor<2xbf16>, tensor<3xf64>, tensor<4xcomplex<f32>>, tensor<5xindex>
  }
}

// -----

// Storage of the caller: a result is an update of all of it, on its device and once its fence is
// reached; what is written there stays, and the import says so.
module attributes {stream.affinity.default = #hal.device.affinity<@a>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  // CHECK-LABEL: util.func public @alias
  // CHECK-SAME: (%[[V:.+]]: !hal.buffer_view, %[[ST:.+]]: !hal.buffer, %[[F:.+]]: !hal.fence, %[[N:.+]]: index, %[[DONE:.+]]: !hal.fence)
  util.func public @alias(%v: !hal.buffer_view, %storage: !hal.buffer, %fence: !hal.fence, %n: index, %done: !hal.fence) -> !hal.buffer_view {
    // CHECK: %[[SIZE:.+]] = arith.muli %[[N]], %c16
    // CHECK-NEXT: %[[TOTAL:.+]] = arith.addi %[[N]], %[[SIZE]]
    // CHECK-NEXT: %[[IN:.+]] = stream.tensor.import on(#hal.device.affinity<@a>) %[[V]] : !hal.buffer_view -> tensor<?x4xf32>{%[[N]]} in !stream.resource<external>{%[[TOTAL]]}
    // CHECK-NEXT: %[[TP:.+]] = stream.timepoint.import on(#hal.device.affinity<@a>) %[[F]] : (!hal.fence) => !stream.timepoint
    // CHECK-NEXT: %[[READY:.+]] = stream.timepoint.await %[[TP]] => %[[IN]]
    // CHECK-NEXT: %[[VIEW:.+]] = stream.resource.subview %[[READY]][%[[N]]] : !stream.resource<external>{%[[TOTAL]]} -> !stream.resource<external>{%[[SIZE]]}
    // CHECK-NEXT: %[[X:.+]] = stream.async.cast on(#hal.device.affinity<@a>) %[[VIEW]]
    %0 = hal.tensor.import on(#hal.device.affinity<@a>) wait(%fence) => %v offset(%n) : !hal.buffer_view -> tensor<?x4xf32>{%n}
    // CHECK-NEXT: %[[XB:.+]] = stream.async.transfer %[[X]] : !stream.resource<*>{%[[SIZE]]} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>)
    // CHECK-NEXT: %[[OUT:.+]] = stream.tensor.import on(#hal.device.affinity<@b>) consume %[[ST]] : !hal.buffer -> tensor<?x4xf32>{%[[N]]} in !stream.resource<external>{%[[SIZE]]} attributes {stream.result_storage}
    // CHECK-NEXT: %[[TO:.+]] = stream.timepoint.import on(#hal.device.affinity<@b>) %[[F]]
    // CHECK-NEXT: %[[FREE:.+]] = stream.timepoint.await %[[TO]] => %[[OUT]]
    // CHECK-NEXT: %[[OWN:.+]] = stream.async.cast on(#hal.device.affinity<@b>) %[[FREE]] : !stream.resource<external>{%[[SIZE]]} -> !stream.resource<*>{%[[SIZE]]}
    // CHECK-NEXT: %[[Y:.+]] = stream.async.update on(#hal.device.affinity<@b>) %[[XB]], %[[OWN]][%c0 to %[[SIZE]]] : !stream.resource<*>{%[[SIZE]]} -> %[[OWN]] as !stream.resource<*>{%[[SIZE]]}
    %1 = hal.tensor.alias on(#hal.device.affinity<@b>) wait(%fence) => %0 : tensor<?x4xf32>{%n} to %storage : !hal.buffer
    // CHECK-NEXT: %[[Z:.+]], %[[TZ:.+]] = stream.timepoint.barrier on(#hal.device.affinity<@b>) %[[Y]] : !stream.resource<*>{%[[SIZE]]} => !stream.timepoint
    // CHECK-NEXT: %[[ALL:.+]] = stream.timepoint.join max(%[[TZ]])
    // CHECK-NEXT: stream.timepoint.chain_external on(#hal.device.affinity<@b>) %[[ALL]] => (%[[DONE]] : !hal.fence)
    %2 = hal.tensor.barrier join(%1 : tensor<?x4xf32>) => %done : !hal.fence
    %3 = hal.tensor.export on(#hal.device.affinity<@b>) %2 : tensor<?x4xf32>{%n} -> !hal.buffer_view
    util.return %3 : !hal.buffer_view
  }
}

// -----

// Transients of the caller.
module attributes {stream.affinity.default = #hal.device.affinity<@a>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  // CHECK-LABEL: util.func private @transients
  util.func private @transients(%x: tensor<4xf32>, %view: !hal.buffer_view) -> tensor<4xf32> {
    // CHECK: %[[B:.+]], %[[TB:.+]] = stream.timepoint.barrier on(#hal.device.affinity<@a>) %{{.+}} : !stream.resource<*>{%c16}
    // CHECK-NEXT: %[[BUFFER:.+]] = hal.buffer_view.buffer<
    // CHECK-NEXT: %[[L:.+]] = hal.buffer.length<%[[BUFFER]] : !hal.buffer> : index
    // CHECK-NEXT: %[[S:.+]] = stream.tensor.import on(#hal.device.affinity<@a>) %[[BUFFER]] : !hal.buffer -> tensor<?xi8>{%[[L]]} in !stream.resource<transient>{%[[L]]}
    // CHECK-NEXT: %[[P:.+]], %[[TP:.+]] = stream.resource.transients on(#hal.device.affinity<@a>) await(%[[TB]]) => %[[B]] : !stream.resource<*>{%c16} from %[[S]] : !stream.resource<transient>{%[[L]]}
    // CHECK-NEXT: stream.timepoint.await %[[TP]] => %[[P]]
    %0 = hal.tensor.transients %x : tensor<4xf32> from %view : !hal.buffer_view
    util.return %0 : tensor<4xf32>
  }
}
