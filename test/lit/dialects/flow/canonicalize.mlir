// RUN: zc-opt --split-input-file %s -p canonicalize | filecheck %s

// A transfer to where the tensor is already, behind a view and behind a barrier (IR-09).
// CHECK-LABEL: @redundant
util.func public @redundant(%t: tensor<4xf32>) -> (tensor<2x2xf32>, tensor<4xf32>) {
  // CHECK-NEXT: %[[A:.*]] = flow.tensor.transfer %t : tensor<4xf32> to #hal.device.affinity<@a>
  %0 = flow.tensor.transfer %t : tensor<4xf32> to #hal.device.affinity<@a>
  // CHECK-NEXT: %[[V:.*]] = flow.tensor.reshape %[[A]] : tensor<4xf32> -> tensor<2x2xf32>
  %1 = flow.tensor.reshape %0 : tensor<4xf32> -> tensor<2x2xf32>
  // CHECK-NOT: flow.tensor.transfer
  %2 = flow.tensor.transfer %1 : tensor<2x2xf32> to #hal.device.affinity<@a>
  // CHECK: %[[B:.*]] = flow.tensor.barrier %t : tensor<4xf32> on #hal.device.affinity<@b>
  %3 = flow.tensor.barrier %t : tensor<4xf32> on #hal.device.affinity<@b>
  // CHECK-NOT: flow.tensor.transfer
  %4 = flow.tensor.transfer %3 : tensor<4xf32> to #hal.device.affinity<@b>
  // CHECK: util.return %[[V]], %[[B]]
  util.return %2, %4 : tensor<2x2xf32>, tensor<4xf32>
}

// -----

// A transfer that says it copies stays; so does the way over a third device, whose links decide
// what it comes to, and the way there and back (IR-07, IR-09).
// CHECK-LABEL: @kept
util.func public @kept(%t: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK-NEXT: %[[A:.*]] = flow.tensor.transfer %t : tensor<4xf32> to #hal.device.affinity<@a>
  %0 = flow.tensor.transfer %t : tensor<4xf32> to #hal.device.affinity<@a>
  // CHECK-NEXT: %[[COPY:.*]] = flow.tensor.transfer %[[A]] : tensor<4xf32> to #hal.device.affinity<@a> attributes {stream.transfer_kind = "copy"}
  %1 = flow.tensor.transfer %0 : tensor<4xf32> to #hal.device.affinity<@a> attributes {stream.transfer_kind = "copy"}
  // CHECK-NEXT: %[[B:.*]] = flow.tensor.transfer %[[A]] : tensor<4xf32> to #hal.device.affinity<@b>
  %2 = flow.tensor.transfer %0 : tensor<4xf32> to #hal.device.affinity<@b>
  // CHECK-NEXT: %[[BACK:.*]] = flow.tensor.transfer %[[B]] : tensor<4xf32> to #hal.device.affinity<@a>
  %3 = flow.tensor.transfer %2 : tensor<4xf32> to #hal.device.affinity<@a>
  // CHECK-NEXT: util.return %[[COPY]], %[[BACK]]
  util.return %1, %3 : tensor<4xf32>, tensor<4xf32>
}

// -----

// Views move behind transfers and barriers, which keep their kind and other attributes (IR-09).
// CHECK-LABEL: @sink_views
util.func public @sink_views(%t: tensor<?x4xf32>, %d: index) -> (tensor<4x?xf32>, tensor<?x4xi32>) {
  // CHECK-NEXT: %[[T:.*]] = flow.tensor.transfer %t : tensor<?x4xf32>{%d} to #hal.device.affinity<@a> attributes {stream.transfer_kind = "alias", tag}
  // CHECK-NEXT: %[[R:.*]] = flow.tensor.reshape %[[T]] : tensor<?x4xf32>{%d} -> tensor<4x?xf32>{%d}
  %0 = flow.tensor.reshape %t : tensor<?x4xf32>{%d} -> tensor<4x?xf32>{%d}
  %1 = flow.tensor.transfer %0 : tensor<4x?xf32>{%d} to #hal.device.affinity<@a> attributes {stream.transfer_kind = "alias", tag}
  // CHECK-NEXT: %[[B:.*]] = flow.tensor.barrier %t : tensor<?x4xf32>{%d} on #hal.device.affinity<@b>
  // CHECK-NEXT: %[[C:.*]] = flow.tensor.bitcast %[[B]] : tensor<?x4xf32>{%d} -> tensor<?x4xi32>{%d}
  %2 = flow.tensor.bitcast %t : tensor<?x4xf32>{%d} -> tensor<?x4xi32>{%d}
  %3 = flow.tensor.barrier %2 : tensor<?x4xi32>{%d} on #hal.device.affinity<@b>
  // CHECK-NEXT: util.return %[[R]], %[[C]]
  util.return %1, %3 : tensor<4x?xf32>, tensor<?x4xi32>
}

// -----

// Views of views are one, and a view as the tensor was is none; dynamic dimensions must agree.
// CHECK-LABEL: @views
util.func public @views(%t: tensor<?x4xf32>, %d: index, %e: index) -> (tensor<2x?xf32>, tensor<?x4xf32>, tensor<?x4xf32>) {
  // CHECK-NEXT: %[[V:.*]] = flow.tensor.reshape %t : tensor<?x4xf32>{%d} -> tensor<2x?xf32>{%e}
  %0 = flow.tensor.reshape %t : tensor<?x4xf32>{%d} -> tensor<4x?xf32>{%d}
  %1 = flow.tensor.reshape %0 : tensor<4x?xf32>{%d} -> tensor<2x?xf32>{%e}
  %2 = flow.tensor.reshape %t : tensor<?x4xf32>{%d} -> tensor<?x4xf32>{%d}
  // CHECK-NEXT: %[[W:.*]] = flow.tensor.reshape %t : tensor<?x4xf32>{%d} -> tensor<?x4xf32>{%e}
  %3 = flow.tensor.reshape %t : tensor<?x4xf32>{%d} -> tensor<?x4xf32>{%e}
  // CHECK-NEXT: util.return %[[V]], %t, %[[W]]
  util.return %1, %2, %3 : tensor<2x?xf32>, tensor<?x4xf32>, tensor<?x4xf32>
}
