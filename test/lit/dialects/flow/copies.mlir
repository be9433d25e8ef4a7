// RUN: ROUNDTRIP
// RUN: GENERIC_ROUNDTRIP

// Copies that keep the shape, and one that changes the encoding.
// CHECK-LABEL: util.func public @copies(%t: tensor<?x4xf32>, %d: index) {
util.func public @copies(%t: tensor<?x4xf32>, %d: index) {
  // CHECK: flow.tensor.clone %t : tensor<?x4xf32>{%d}
  %0 = flow.tensor.clone %t : tensor<?x4xf32>{%d}
  // CHECK: flow.tensor.encode %t : tensor<?x4xf32>{%d} -> tensor<?x4xf32, #iree_encoding.testing<>>{%d}
  %1 = flow.tensor.encode %t : tensor<?x4xf32>{%d} -> tensor<?x4xf32, #iree_encoding.testing<>>{%d}
  util.return
}

// Transfers with no kind, with each kind, and a barrier that moves nothing.
// CHECK-LABEL: util.func public @transfers(%t: tensor<?x4xf32>, %s: tensor<4xf32>, %d: index) {
util.func public @transfers(%t: tensor<?x4xf32>, %s: tensor<4xf32>, %d: index) {
  // CHECK: flow.tensor.transfer %s : tensor<4xf32> to #hal.device.affinity<@a>
  %0 = flow.tensor.transfer %s : tensor<4xf32> to #hal.device.affinity<@a>
  // CHECK: flow.tensor.transfer %s : tensor<4xf32> to #hal.device.affinity<@a, [0, 1]> attributes {stream.transfer_kind = "copy"}
  %1 = flow.tensor.transfer %s : tensor<4xf32> to #hal.device.affinity<@a, [0, 1]> attributes {stream.transfer_kind = "copy"}
  // CHECK: flow.tensor.transfer %t : tensor<?x4xf32>{%d} to #hal.device.promise<@b> attributes {stream.transfer_kind = "alias"}
  %2 = flow.tensor.transfer %t : tensor<?x4xf32>{%d} to #hal.device.promise<@b> attributes {stream.transfer_kind = "alias"}
  // CHECK: flow.tensor.barrier %t : tensor<?x4xf32>{%d} on #hal.device.affinity<@a>
  %3 = flow.tensor.barrier %t : tensor<?x4xf32>{%d} on #hal.device.affinity<@a>
  // CHECK: flow.tensor.transfer %s : tensor<4xf32> to "anywhere"
  %4 = flow.tensor.transfer %s : tensor<4xf32> to "anywhere"
  util.return
}

// Parts of a tensor read and replaced; the result of an update is tied to the target.
// CHECK-LABEL: util.func public @parts(%t: tensor<?x4xf32>, %u: tensor<2x4xf32>, %d: index) {
util.func public @parts(%t: tensor<?x4xf32>, %u: tensor<2x4xf32>, %d: index) {
  // CHECK: flow.tensor.slice %t[%d, %d for %d, %d] : tensor<?x4xf32>{%d} -> tensor<?x?xf32>{%d, %d}
  %0 = flow.tensor.slice %t[%d, %d for %d, %d] : tensor<?x4xf32>{%d} -> tensor<?x?xf32>{%d, %d}
  // CHECK: flow.tensor.update %u, %t[%d, %d] : tensor<2x4xf32> -> %t as tensor<?x4xf32>{%d}
  %1 = flow.tensor.update %u, %t[%d, %d] : tensor<2x4xf32> -> %t as tensor<?x4xf32>{%d}
  util.return
}

// Values with their dimensions, printed at run time.
// CHECK-LABEL: util.func public @trace(%t: tensor<?x4xf32>, %s: tensor<4xf32>, %d: index) {
util.func public @trace(%t: tensor<?x4xf32>, %s: tensor<4xf32>, %d: index) {
  // CHECK: flow.tensor.trace "values" = [%t : tensor<?x4xf32>{%d}, %s : tensor<4xf32>] attributes {tag}
  flow.tensor.trace "values" = [%t : tensor<?x4xf32>{%d}, %s : tensor<4xf32>] attributes {tag}
  util.return
}
