// RUN: ROUNDTRIP
// RUN: GENERIC_ROUNDTRIP

// Views and barriers.
// CHECK-LABEL: util.func public @views(%t: tensor<?xf32>, %d: index) {
util.func public @views(%t: tensor<?xf32>, %d: index) {
  // CHECK: iree_tensor_ext.bitcast %t : tensor<?xf32>{%d} -> tensor<?xi32>{%d}
  %0 = iree_tensor_ext.bitcast %t : tensor<?xf32>{%d} -> tensor<?xi32>{%d}
  // CHECK: iree_tensor_ext.compute_barrier.start %t : tensor<?xf32>{%d} -> tensor<?xf32>
  %1 = iree_tensor_ext.compute_barrier.start %t : tensor<?xf32>{%d} -> tensor<?xf32>
  // CHECK: iree_tensor_ext.compute_barrier.end %1 : tensor<?xf32>{%d} -> tensor<?xf32> attributes {tag}
  %2 = iree_tensor_ext.compute_barrier.end %1 : tensor<?xf32>{%d} -> tensor<?xf32> attributes {tag}
  util.return
}

// Rows of differing length, how many of them known and not, and back.
// CHECK-LABEL: util.func public @ragged(%t: tensor<?x8xf32>, %l: tensor<5xi32>, %m: tensor<?xi32>, %d: index) {
util.func public @ragged(%t: tensor<?x8xf32>, %l: tensor<5xi32>, %m: tensor<?xi32>, %d: index) {
  // CHECK: iree_tensor_ext.cast_to_ragged_shape %t ragged_dim(0) column_lengths(%l) : (tensor<?x8xf32>{%d}, tensor<5xi32>) -> tensor<4x?x8xf32, #iree_tensor_ext.ragged_shape<0>>
  %0 = iree_tensor_ext.cast_to_ragged_shape %t ragged_dim(0) column_lengths(%l) : (tensor<?x8xf32>{%d}, tensor<5xi32>) -> tensor<4x?x8xf32, #iree_tensor_ext.ragged_shape<0>>
  // CHECK: iree_tensor_ext.cast_to_ragged_shape %t ragged_dim(0) column_lengths(%m) num_ragged_rows(%d) {tag} : (tensor<?x8xf32>{%d}, tensor<?xi32>) -> tensor<?x?x8xf32, #iree_tensor_ext.ragged_shape<0>>
  %1 = iree_tensor_ext.cast_to_ragged_shape %t ragged_dim(0) column_lengths(%m) num_ragged_rows(%d) {tag} : (tensor<?x8xf32>{%d}, tensor<?xi32>) -> tensor<?x?x8xf32, #iree_tensor_ext.ragged_shape<0>>
  // CHECK: iree_tensor_ext.linearize_ragged_dims %0 : tensor<4x?x8xf32, #iree_tensor_ext.ragged_shape<0>> -> tensor<?x8xf32>{%d}
  %2 = iree_tensor_ext.linearize_ragged_dims %0 : tensor<4x?x8xf32, #iree_tensor_ext.ragged_shape<0>> -> tensor<?x8xf32>{%d}
  util.return
}

// Buffers take the same as their layout.
// CHECK-LABEL: util.func public @ragged_buffer(%b: memref<16x8xf32>, %l: memref<5xi32>) {
util.func public @ragged_buffer(%b: memref<16x8xf32>, %l: memref<5xi32>) {
  // CHECK: iree_tensor_ext.cast_to_ragged_shape %b ragged_dim(0) column_lengths(%l) : (memref<16x8xf32>, memref<5xi32>) -> memref<4x?x8xf32, #iree_tensor_ext.ragged_shape<0>>
  %0 = iree_tensor_ext.cast_to_ragged_shape %b ragged_dim(0) column_lengths(%l) : (memref<16x8xf32>, memref<5xi32>) -> memref<4x?x8xf32, #iree_tensor_ext.ragged_shape<0>>
  util.return
}
