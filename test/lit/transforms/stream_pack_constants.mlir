// RUN: zc-opt --split-input-file %s -p stream-pack-constants | filecheck %s

// A constant is mapped where the device can; else it reads, and flushes what it has read.
// CHECK-LABEL: @constant
util.func public @constant() -> (!stream.resource<constant>, !stream.timepoint) {
  %c16 = arith.constant 16 : index
  // CHECK: %[[BYTES:.+]] = util.buffer.constant <alignment = 64> : !util.buffer = dense<[1, 2, 3, 4]> : tensor<4xi32>
  // CHECK-NEXT: %[[OK:.+]], %[[MAPPED:.+]] = stream.resource.try_map on(#hal.device.affinity<@a>) %[[BYTES]][%c0] : !util.buffer -> i1, !stream.resource<constant>{%c16}
  // CHECK-NEXT: %[[R:.+]], %[[T:.+]] = scf.if %[[OK]] -> (!stream.resource<constant>, !stream.timepoint) {
  // CHECK-NEXT: %[[NOW:.+]] = stream.timepoint.immediate
  // CHECK-NEXT: scf.yield %[[MAPPED]], %[[NOW]]
  // CHECK: %[[NEW:.+]] = stream.resource.alloc uninitialized on(#hal.device.affinity<@a>) : !stream.resource<constant>{%c16}
  // CHECK: stream.file.constant on(#hal.device.affinity<@a>) %[[BYTES]][%c0 for %c16]
  // CHECK: %[[READ:.+]] = stream.file.read on(#hal.device.affinity<@a>) {{.+}}, %[[NEW]][%c0], %c16
  // CHECK: %[[DONE:.+]] = stream.cmd.execute once on(#hal.device.affinity<@a>) await(%[[READ]]) => with(%[[NEW]] as %[[ARG:.+]]: {{.+}}) {
  // CHECK-NEXT: stream.cmd.flush %[[ARG]][%c0 for %c16]
  // CHECK: scf.yield %[[NEW]], %[[DONE]]
  // CHECK-NOT: stream.resource.constants
  %0, %t = stream.resource.constants on(#hal.device.affinity<@a>) :
    !stream.resource<constant>{%c16} = dense<[1, 2, 3, 4]> : tensor<4xi32>
    => !stream.timepoint
  // CHECK: util.return %[[R]], %[[T]]
  util.return %0, %t : !stream.resource<constant>, !stream.timepoint
}

// -----

// What a global may hold is always read; two constants are ready when both are.
// CHECK-LABEL: @variables
util.func public @variables() -> !stream.timepoint {
  %c4 = arith.constant 4 : index
  // CHECK-NOT: stream.resource.try_map
  // CHECK: %[[A:.+]] = stream.cmd.execute once
  // CHECK: %[[B:.+]] = stream.cmd.execute once
  // CHECK: %[[T:.+]] = stream.timepoint.join max(%[[A]], %[[B]])
  %0:2, %t = stream.resource.constants on(#hal.device.affinity<@a>) :
    !stream.resource<variable>{%c4} = dense<1> : tensor<1xi32>,
    !stream.resource<variable>{%c4} = "text"
    => !stream.timepoint
  // CHECK: util.return %[[T]]
  util.return %t : !stream.timepoint
}

// -----

// A parameter is loaded from its archive; what a global may hold is read into storage of its own,
// which the device flushes as what it reads of the program.
// CHECK-LABEL: @parameter
util.func public @parameter() -> !stream.timepoint {
  %c4 = arith.constant 4 : index
  // CHECK: %[[SCOPE:.+]] = util.buffer.constant : !util.buffer = "scope"
  // CHECK-NEXT: %[[KEY:.+]] = util.buffer.constant : !util.buffer = "key"
  // CHECK-NEXT: %[[START:.+]] = arith.constant 0 : i64
  // CHECK-NEXT: %{{.+}}, %[[A:.+]] = stream.cmd.parameter.load on(#hal.device.affinity<@a>) {
  // CHECK-NEXT: %[[SCOPE]]::%[[KEY]][%[[START]]] : !stream.resource<constant>{%c4}
  // CHECK-NEXT: } => !stream.timepoint
  // CHECK: %[[OTHER:.+]] = util.buffer.constant : !util.buffer = "other"
  // CHECK: %[[NEW:.+]] = stream.resource.alloc uninitialized on(#hal.device.affinity<@a>) : !stream.resource<variable>{%c4}
  // CHECK-NEXT: %[[READ:.+]] = stream.cmd.parameter.read on(#hal.device.affinity<@a>) %[[OTHER]][{{.+}}] -> %[[NEW]][
  // CHECK-NEXT: %[[B:.+]] = stream.cmd.execute once on(#hal.device.affinity<@a>) await(%[[READ]]) => with(%[[NEW]] as
  // CHECK-NEXT: stream.cmd.flush
  // CHECK: stream.timepoint.join max(%[[A]], %[[B]])
  %0, %t = stream.resource.constants on(#hal.device.affinity<@a>) :
    !stream.resource<constant>{%c4} = #stream.parameter.named<"scope"::"key"> : vector<4xi8>
    => !stream.timepoint
  %1, %u = stream.resource.constants on(#hal.device.affinity<@a>) :
    !stream.resource<variable>{%c4} = #stream.parameter.named<"other"> : vector<4xi8>
    => !stream.timepoint
  %j = stream.timepoint.join max(%t, %u) => !stream.timepoint
  util.return %j : !stream.timepoint
}

// -----

// What is neither of the program nor a parameter stays.
// CHECK-LABEL: @others
util.func public @others() -> !stream.timepoint {
  %c4 = arith.constant 4 : index
  // CHECK: stream.resource.constants
  %0, %t = stream.resource.constants on(#hal.device.affinity<@a>) :
    !stream.resource<constant>{%c4} = #util.byte_pattern<1> : vector<4xi8>
    => !stream.timepoint
  util.return %t : !stream.timepoint
}
