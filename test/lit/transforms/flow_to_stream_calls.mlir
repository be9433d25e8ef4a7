// RUN: zc-opt --split-input-file %s -p flow-to-stream | filecheck %s

// Functions take and give a size after each resource, as IREE's do; ties and attributes keep to
// their values. Inside, a size that the type states is a constant.
module attributes {stream.affinity.default = #hal.device.affinity<@a>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  // CHECK-LABEL: util.func private @callee
  // CHECK-SAME: (%[[N:.+]]: i32, %[[S:.+]]: !stream.resource<*> {some.attr}, %[[S_SIZE:.+]]: index, %[[T:.+]]: !stream.resource<*>, %[[TS:.+]]: index, %{{.+}}: index) -> (%[[T]], index, i32, !stream.resource<*>, index)
  util.func private @callee(%n: i32, %s: tensor<4xf32> {some.attr}, %t: tensor<?xf32>, %d: index) -> (%t as tensor<?xf32>, i32, tensor<4xf32>) {
    %0 = flow.dispatch @ex::@f(%s, %t) : (tensor<4xf32>, tensor<?xf32>{%d}) -> %t{%d}
    // CHECK: util.return %{{.+}}, %[[TS]], %[[N]], %[[S]], %c16
    util.return %0, %n, %s : tensor<?xf32>, i32, tensor<4xf32>
  }
  // CHECK-LABEL: util.func private @caller
  // CHECK-SAME: (%[[S:.+]]: !stream.resource<*>, %{{.+}}: index, %[[T:.+]]: !stream.resource<*>, %[[TS:.+]]: index, %[[D:.+]]: index)
  util.func private @caller(%s: tensor<4xf32>, %t: tensor<?xf32>, %d: index) -> (tensor<?xf32>, tensor<4xf32>) {
    %c1 = arith.constant 1 : i32
    // CHECK: %[[R0:.+]], %[[R0S:.+]], %{{.+}}, %[[R2:.+]], %{{.+}} = util.call @callee(%{{.+}}, %[[S]], %c16, %[[T]], %[[TS]], %[[D]]) : (i32, !stream.resource<*>, index, !stream.resource<*>, index, index) -> (%[[T]], index, i32, !stream.resource<*>, index)
    %0:3 = util.call @callee(%c1, %s, %t, %d) : (i32, tensor<4xf32>, tensor<?xf32>, index) -> (%t as tensor<?xf32>, i32, tensor<4xf32>)
    // CHECK-NEXT: util.return %[[R0]], %[[R0S]], %[[R2]], %c16
    util.return %0#0, %0#2 : tensor<?xf32>, tensor<4xf32>
  }
  // CHECK: util.func private @elsewhere(%{{.+}}: !stream.resource<*>, %{{.+}}: index) -> (!stream.resource<*>, index)
  util.func private @elsewhere(%t: tensor<?x4xf32>) -> tensor<8xi8>
}

// -----

// An argument lives where its callers have it, a result where it was returned: @g works on b
// though nothing in it says so, and what it gives is used on a only after a transfer.
module attributes {stream.affinity.default = #hal.device.affinity<@a>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  // CHECK-LABEL: util.func private @g
  util.func private @g(%x: tensor<16xf32>) -> tensor<16xf32> {
    // CHECK: stream.async.dispatch on(#hal.device.affinity<@b>) @ex::@f(%{{.+}}[%c0 to %c64 for %c64])
    %0 = flow.dispatch @ex::@f(%x) : (tensor<16xf32>) -> tensor<16xf32>
    util.return %0 : tensor<16xf32>
  }
  // CHECK-LABEL: util.func public @f
  util.func public @f(%arg0: !hal.buffer_view) -> !hal.buffer_view {
    %0 = hal.tensor.import %arg0 : !hal.buffer_view -> tensor<16xf32>
    %1 = flow.dispatch @ex::@f(%0) {stream.affinity = #hal.device.affinity<@a>} : (tensor<16xf32>) -> tensor<16xf32>
    // CHECK: %[[B:.+]] = stream.async.transfer %{{.+}} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>)
    %2 = flow.tensor.transfer %1 : tensor<16xf32> to #hal.device.affinity<@b>
    // CHECK-NEXT: %[[G:.+]], %{{.+}} = util.call @g(%[[B]], %c64) : (!stream.resource<*>, index) -> (!stream.resource<*>, index)
    %3 = util.call @g(%2) : (tensor<16xf32>) -> tensor<16xf32>
    // CHECK-NEXT: %[[GA:.+]] = stream.async.transfer %[[G]] : !stream.resource<*>{%c64} from(#hal.device.affinity<@b>) -> to(#hal.device.affinity<@a>)
    // CHECK-NEXT: stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f(%[[GA]][%c0 to %c64 for %c64])
    %4 = flow.dispatch @ex::@f(%3) {stream.affinity = #hal.device.affinity<@a>} : (tensor<16xf32>) -> tensor<16xf32>
    %5 = hal.tensor.export %4 : tensor<16xf32> -> !hal.buffer_view
    util.return %5 : !hal.buffer_view
  }
}

// -----

// Functions of the func dialect likewise, and become util functions; so do calls of them.
module attributes {stream.affinity.default = #hal.device.affinity<@a>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  // CHECK-LABEL: util.func private @twice
  // CHECK-SAME: (%{{.+}}: !stream.resource<*>, %{{.+}}: index, %{{.+}}: index) -> (!stream.resource<*>, index)
  func.func private @twice(%x: tensor<?xf32>, %d: index) -> tensor<?xf32> {
    %0 = flow.dispatch @ex::@f(%x) : (tensor<?xf32>{%d}) -> tensor<?xf32>{%d}
    // CHECK: %[[V:.+]], %[[VS:.+]] = util.call @once(%{{.+}}, %{{.+}}) : (!stream.resource<*>, index) -> (!stream.resource<*>, index)
    %1 = func.call @once(%0) : (tensor<?xf32>) -> tensor<?xf32>
    // CHECK-NEXT: util.return %[[V]], %[[VS]]
    func.return %1 : tensor<?xf32>
  }
  // CHECK: util.func private @once
  func.func private @once(%x: tensor<?xf32>) -> tensor<?xf32> {
    func.return %x : tensor<?xf32>
  }
  // CHECK: util.func public @main(%{{.+}}: !stream.resource<*> {stream.affinity = #hal.device.affinity<@a>},
  // CHECK-SAME: -> (!stream.resource<*>, index) attributes {kept}
  // CHECK: util.call @twice
  func.func @main(%x: tensor<?xf32> {stream.affinity = #hal.device.affinity<@a>}, %d: index) -> tensor<?xf32> attributes {kept} {
    %0 = func.call @twice(%x, %d) : (tensor<?xf32>, index) -> tensor<?xf32>
    func.return %0 : tensor<?xf32>
  }
}

// -----

// Functions outside of the program take whole resources as ranges.
module attributes {stream.affinity.default = #hal.device.affinity<@a>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  // CHECK: stream.async.func private @ext(%{{.+}}: !stream.resource<*> {some.attr}, %{{.+}}: index) -> !stream.resource<*>
  flow.func private @ext(%arg0: tensor<?xf32> {some.attr}, %arg1: index) -> tensor<?xf32>
  // CHECK: stream.async.func private @in_place(%[[A:.+]]: !stream.resource<*>, %{{.+}}: index) -> %[[A]]
  flow.func private @in_place(%arg0: tensor<?x4xf32>, %arg1: index) -> %arg0 as tensor<4x?xi32>
  // CHECK-LABEL: util.func private @calls
  // CHECK-SAME: (%[[X:.+]]: !stream.resource<*>, %[[XS:.+]]: index, %[[Y:.+]]: !stream.resource<*>, %[[YS:.+]]: index, %[[D:.+]]: index)
  util.func private @calls(%x: tensor<?xf32>, %y: tensor<?x4xf32>, %d: index) -> (tensor<?xf32>, tensor<4x?xi32>) {
    // CHECK: %[[RS:.+]] = arith.muli %[[D]], %c4
    // CHECK-NEXT: stream.async.call on(#hal.device.affinity<@a>) @ext(%[[X]][%c0 to %[[XS]] for %[[XS]]], %[[D]]) : (!stream.resource<*>{%[[XS]]}, index) -> !stream.resource<*>{%[[RS]]}
    %0 = flow.call @ext(%x, %d) : (tensor<?xf32>{%d}, index) -> tensor<?xf32>{%d}
    // CHECK-NEXT: stream.async.call on(#hal.device.affinity<@a>) @in_place(%[[Y]][%c0 to %[[YS]] for %[[YS]]], %[[D]]) : (!stream.resource<*>{%[[YS]]}, index) -> %[[Y]]{%[[YS]]}
    %1 = flow.call @in_place(%y, %d) : (tensor<?x4xf32>{%d}, index) -> %y as tensor<4x?xi32>{%d}
    util.return %0, %1 : tensor<?xf32>, tensor<4x?xi32>
  }
}

// -----

// Channels become the stream dialect's, collectives work on whole resources in place of the
// target.
module attributes {stream.affinity.default = #hal.device.affinity<@a>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  // CHECK-LABEL: util.func private @collectives
  // CHECK-SAME: (%[[BASE:.+]]: !stream.channel, %[[X:.+]]: !stream.resource<*>, %{{.+}}: index, %[[D:.+]]: !stream.resource<*>, %[[DS:.+]]: index, %[[N:.+]]: index, %[[SEND:.+]]: index, %[[RECV:.+]]: index) -> (!stream.resource<*>, index, !stream.resource<*>, index, !stream.channel)
  util.func private @collectives(%base: !flow.channel, %x: tensor<4x2xf32>, %d: tensor<?xf32>, %n: index, %send: index, %recv: index) -> (tensor<2x2xf32>, tensor<?xf32>, !flow.channel) {
    // CHECK: %[[CH:.+]] = stream.channel.create on(#hal.device.affinity<@a>) group("group") : !stream.channel
    %default = flow.channel.default "group" : !flow.channel
    // CHECK-NEXT: %[[RANK:.+]] = stream.channel.rank %[[CH]] : index
    %rank = flow.channel.rank %default : index
    // CHECK-NEXT: %[[COUNT:.+]] = stream.channel.count %[[BASE]] : index
    %count = flow.channel.count %base : index
    // CHECK-NEXT: %[[SPLIT:.+]] = stream.channel.split %[[BASE]], %[[RANK]], %[[COUNT]] : !stream.channel -> !stream.channel
    %split = flow.channel.split %base, %rank, %count : !flow.channel -> !flow.channel
    // CHECK-NEXT: %[[T:.+]] = stream.async.alloca on(#hal.device.affinity<@a>) : !stream.resource<*>{%c16}
    %0 = flow.tensor.empty : tensor<2x2xf32>
    // CHECK-NEXT: stream.async.collective<reduce_scatter with sum : f32>[%c4] on(#hal.device.affinity<@a>) channel(%[[SPLIT]]) %[[X]][%c0 to %c32 for %c32], %[[T]][%c0 to %c16 for %c16] : !stream.resource<*>{%c32} -> %[[T]] as !stream.resource<*>{%c16}
    %1 = flow.collective.reduce_scatter sum, f32, %0, %x, %split : (tensor<2x2xf32>, tensor<4x2xf32>, !flow.channel) -> %0 as tensor<2x2xf32>
    %2 = flow.tensor.empty : tensor<?xf32>{%n}
    // CHECK: %[[S32:.+]] = arith.index_cast %[[SEND]] : index to i32
    // CHECK: %[[R32:.+]] = arith.index_cast %[[RECV]] : index to i32
    // CHECK: %[[LOW:.+]] = arith.andi %[[S32]], %{{.+}} : i32
    // CHECK: %[[HIGH:.+]] = arith.shli %[[R32]], %{{.+}} : i32
    // CHECK: %[[BOTH:.+]] = arith.ori %[[HIGH]], %[[LOW]] : i32
    // CHECK: stream.async.collective<send_recv : f32>[%[[N]]] on(#hal.device.affinity<@a>) channel(%[[SPLIT]]) source_target_pair(%[[BOTH]]) %[[D]][%c0 to %[[DS]] for %[[DS]]]
    %3 = flow.collective.send_recv f32, %2, %d, %split, %send, %recv : (tensor<?xf32>, tensor<?xf32>, !flow.channel, index, index) -> %2 as tensor<?xf32>{%n}
    util.return %1, %3, %split : tensor<2x2xf32>, tensor<?xf32>, !flow.channel
  }
}
