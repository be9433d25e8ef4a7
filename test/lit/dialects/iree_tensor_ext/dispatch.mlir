// RUN: ROUNDTRIP
// RUN: GENERIC_ROUNDTRIP

// Whole tensors, slices with dynamic parts, and slices that lose dimensions of size 1.
// CHECK-LABEL: util.func public @slices(%a: !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x4xf32>>, %b: !iree_tensor_ext.dispatch.tensor<readwrite:tensor<?x4xf32>>, %d: index) {
util.func public @slices(%a: !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x4xf32>>, %b: !iree_tensor_ext.dispatch.tensor<readwrite:tensor<?x4xf32>>, %d: index) {
  // CHECK: iree_tensor_ext.dispatch.tensor.load %a, offsets = [0, 0], sizes = [%d, 4], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x4xf32>>{%d} -> tensor<?x4xf32>
  %0 = iree_tensor_ext.dispatch.tensor.load %a, offsets = [0, 0], sizes = [%d, 4], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x4xf32>>{%d} -> tensor<?x4xf32>
  // CHECK: iree_tensor_ext.dispatch.tensor.load %a, offsets = [%d, 1], sizes = [1, 2], strides = [1, 2] {tag} : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x4xf32>>{%d} -> tensor<2xf32>
  %1 = iree_tensor_ext.dispatch.tensor.load %a, offsets = [%d, 1], sizes = [1, 2], strides = [1, 2] {tag} : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x4xf32>>{%d} -> tensor<2xf32>
  // CHECK: iree_tensor_ext.dispatch.tensor.store %1, %b, offsets = [%d, 0], sizes = [1, 2], strides = [1, 1] {tag} : tensor<2xf32> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<?x4xf32>>{%d}
  iree_tensor_ext.dispatch.tensor.store %1, %b, offsets = [%d, 0], sizes = [1, 2], strides = [1, 1] {tag} : tensor<2xf32> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<?x4xf32>>{%d}
  util.return
}

// Counts of workgroups and values of the workload.
// CHECK-LABEL: util.func public @workloads(%a: index, %b: index) {
util.func public @workloads(%a: index, %b: index) {
  // CHECK: iree_tensor_ext.dispatch.workgroup_count_from_slice(%a, %b)
  %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%a, %b)
  // CHECK: iree_tensor_ext.dispatch.workgroup_count_from_slice()
  %u, %v, %w = iree_tensor_ext.dispatch.workgroup_count_from_slice()
  // CHECK: iree_tensor_ext.dispatch.workgroup_count_split_reduction_modifier workgroups(%x, %y, %z) workload(%a, %b)
  %q, %r, %s = iree_tensor_ext.dispatch.workgroup_count_split_reduction_modifier workgroups(%x, %y, %z) workload(%a, %b)
  // CHECK: iree_tensor_ext.dispatch.workload.ordinal %a, 0 : index
  %0 = iree_tensor_ext.dispatch.workload.ordinal %a, 0 : index
  util.return
}
