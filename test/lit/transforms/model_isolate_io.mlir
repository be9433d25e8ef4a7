// RUN: zc-opt --split-input-file %s -p model-isolate-io | filecheck %s

// An output that is an input is copied (GE-35); what is computed is not.
// CHECK-LABEL: util.func public @wired
util.func public @wired(%x: !hal.buffer_view) -> (!hal.buffer_view, !hal.buffer_view) {
  // CHECK: %[[IN:.+]] = hal.tensor.import
  %0 = hal.tensor.import %x : !hal.buffer_view -> tensor<16xf32>
  // CHECK-NEXT: %[[MADE:.+]] = flow.dispatch
  %1 = flow.dispatch @k(%0) : (tensor<16xf32>) -> tensor<16xf32>
  // CHECK-NEXT: %[[COPY:.+]] = flow.tensor.clone %[[IN]] : tensor<16xf32> attributes {zc.isolation = 0 : i64}
  // CHECK-NEXT: hal.tensor.export %[[COPY]]
  %2 = hal.tensor.export %0 : tensor<16xf32> -> !hal.buffer_view
  // CHECK-NEXT: hal.tensor.export %[[MADE]]
  %3 = hal.tensor.export %1 : tensor<16xf32> -> !hal.buffer_view
  util.return %2, %3 : !hal.buffer_view, !hal.buffer_view
}

// -----

// What a branch hands on is copied there (GE-34); what it computes is not.
// CHECK-LABEL: util.func public @merge
util.func public @merge(%x: !hal.buffer_view, %c: i1) -> !hal.buffer_view {
  // CHECK: %[[IN:.+]] = hal.tensor.import
  %0 = hal.tensor.import %x : !hal.buffer_view -> tensor<16xf32>
  // CHECK-NEXT: scf.if
  %1 = scf.if %c -> (tensor<16xf32>) {
    // CHECK-NEXT: %[[COPY:.+]] = flow.tensor.clone %[[IN]] : tensor<16xf32> attributes {zc.isolation = 0 : i64}
    // CHECK-NEXT: scf.yield %[[COPY]]
    scf.yield %0 : tensor<16xf32>
  } else {
    // CHECK: %[[MADE:.+]] = flow.dispatch
    %2 = flow.dispatch @k(%0) : (tensor<16xf32>) -> tensor<16xf32>
    // CHECK-NEXT: scf.yield %[[MADE]]
    scf.yield %2 : tensor<16xf32>
  }
  // CHECK-NOT: flow.tensor.clone
  %3 = hal.tensor.export %1 : tensor<16xf32> -> !hal.buffer_view
  util.return %3 : !hal.buffer_view
}
