// RUN: ROUNDTRIP
// RUN: GENERIC_ROUNDTRIP

// Every attribute and type of the dialect, as attributes of ops.
// CHECK-LABEL: builtin.module @attributes {
builtin.module @attributes {
  // CHECK: "test.op"() {a = #iree_tensor_ext.ragged_shape<1>, b = #iree_tensor_ext.sparse_iteration_dims<[0, 1]>} : () -> ()
  "test.op"() {a = #iree_tensor_ext.ragged_shape<1>, b = #iree_tensor_ext.sparse_iteration_dims<[0, 1]>} : () -> ()
  // CHECK: "test.op"() {a = !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>, b = !iree_tensor_ext.dispatch.tensor<writeonly:i32>} : () -> ()
  "test.op"() {a = !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>, b = !iree_tensor_ext.dispatch.tensor<writeonly:i32>} : () -> ()
}
