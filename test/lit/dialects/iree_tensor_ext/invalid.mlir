// RUN: INVALID

// A dispatch tensor of indices.
util.func public @f(%t: !iree_tensor_ext.dispatch.tensor<readonly:index>) {
// CHECK: error: expected a ranked tensor, an integer or a float as bound type, got index
  util.return
}

// -----

// An access that there is not.
util.func public @f(%t: !iree_tensor_ext.dispatch.tensor<executeonly:tensor<4xf32>>) {
// CHECK: error: expected `readonly`, `readwrite`, or `writeonly`
  util.return
}

// -----

// A dynamic dimension without its value.
util.func public @f(%t: !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>) {
  %0 = iree_tensor_ext.dispatch.tensor.load %t, offsets = [0], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>> -> tensor<4xf32>
  // CHECK: error: 'iree_tensor_ext.dispatch.tensor.load' op expected a value for each of 1 dynamic dimensions of the source, got 0
  util.return
}

// -----

// A size for only one of two dimensions.
util.func public @f(%t: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x4xf32>>) {
  %0 = iree_tensor_ext.dispatch.tensor.load %t, offsets = [0, 0], sizes = [4], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x4xf32>> -> tensor<4xf32>
  // CHECK: error: 'iree_tensor_ext.dispatch.tensor.load' op expected 2 sizes, one for each dimension of !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x4xf32>>, got 1
  util.return
}

// -----

// A dynamic size without a value.
util.func public @f(%t: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>) {
  %0 = "iree_tensor_ext.dispatch.tensor.load"(%t) <{static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>}> : (!iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>) -> tensor<?xf32>
  // CHECK: error: 'iree_tensor_ext.dispatch.tensor.load' op expected 1 values for dynamic sizes, got 0
  util.return
}

// -----

// A slice that starts before the tensor.
util.func public @f(%t: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>) {
  %0 = iree_tensor_ext.dispatch.tensor.load %t, offsets = [-1], sizes = [2], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>> -> tensor<2xf32>
  // CHECK: error: 'iree_tensor_ext.dispatch.tensor.load' op expected offset and size of dimension 0 from 0, got -1 and 2
  util.return
}

// -----

// A slice that ends behind the tensor.
util.func public @f(%t: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>) {
  %0 = iree_tensor_ext.dispatch.tensor.load %t, offsets = [1], sizes = [2], strides = [3] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>> -> tensor<2xf32>
  // CHECK: error: 'iree_tensor_ext.dispatch.tensor.load' op expected a slice within dimension 0 of size 4, got one that ends at 4
  util.return
}

// -----

// A result of another size than the slice.
util.func public @f(%t: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>) {
  %0 = iree_tensor_ext.dispatch.tensor.load %t, offsets = [0], sizes = [3], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>> -> tensor<4xf32>
  // CHECK: error: 'iree_tensor_ext.dispatch.tensor.load' op expected a tensor of the sizes [3], less dimensions of size 1, got [4]
  util.return
}

// -----

// A store to a tensor that is only read.
util.func public @f(%v: tensor<4xf32>, %t: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>) {
  iree_tensor_ext.dispatch.tensor.store %v, %t, offsets = [0], sizes = [4], strides = [1] : tensor<4xf32> -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>
  // CHECK: error: 'iree_tensor_ext.dispatch.tensor.store' op expected a target that may be written, got !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>
  util.return
}

// -----

// A ragged dimension that the source does not have.
util.func public @f(%t: tensor<4xf32>, %l: tensor<5xi32>) {
  %0 = iree_tensor_ext.cast_to_ragged_shape %t ragged_dim(1) column_lengths(%l) : (tensor<4xf32>, tensor<5xi32>) -> tensor<4x?xf32, #iree_tensor_ext.ragged_shape<1>>
  // CHECK: error: 'iree_tensor_ext.cast_to_ragged_shape' op expected a ragged dimension within rank 1, got 1
  util.return
}

// -----

// Column lengths in a table.
util.func public @f(%t: tensor<4xf32>, %l: tensor<5x5xi32>) {
  %0 = iree_tensor_ext.cast_to_ragged_shape %t ragged_dim(0) column_lengths(%l) : (tensor<4xf32>, tensor<5x5xi32>) -> tensor<4x?xf32, #iree_tensor_ext.ragged_shape<0>>
  // CHECK: error: 'iree_tensor_ext.cast_to_ragged_shape' op expected 1 dimensions of the column lengths, got 2
  util.return
}

// -----

// A result without rows and columns.
util.func public @f(%t: tensor<4xf32>, %l: tensor<5xi32>) {
  %0 = iree_tensor_ext.cast_to_ragged_shape %t ragged_dim(0) column_lengths(%l) : (tensor<4xf32>, tensor<5xi32>) -> tensor<4xf32, #iree_tensor_ext.ragged_shape<0>>
  // CHECK: error: 'iree_tensor_ext.cast_to_ragged_shape' op expected 2 dimensions of the result, one more than the source, got 1
  util.return
}

// -----

// A result that is not ragged.
util.func public @f(%t: tensor<4xf32>, %l: tensor<5xi32>) {
  %0 = iree_tensor_ext.cast_to_ragged_shape %t ragged_dim(0) column_lengths(%l) : (tensor<4xf32>, tensor<5xi32>) -> tensor<4x?xf32>
  // CHECK: error: 'iree_tensor_ext.cast_to_ragged_shape' op expected a result that is #iree_tensor_ext.ragged_shape<0>, got tensor<4x?xf32>
  util.return
}

// -----

// A dynamic number of rows with a static number of lengths.
util.func public @f(%t: tensor<4xf32>, %l: tensor<5xi32>, %n: index) {
  %0 = iree_tensor_ext.cast_to_ragged_shape %t ragged_dim(0) column_lengths(%l) num_ragged_rows(%n) : (tensor<4xf32>, tensor<5xi32>) -> tensor<?x?xf32, #iree_tensor_ext.ragged_shape<0>>
  // CHECK: error: 'iree_tensor_ext.cast_to_ragged_shape' op expected dynamic column lengths and rows with num_ragged_rows, got tensor<5xi32> and tensor<?x?xf32, #iree_tensor_ext.ragged_shape<0>>
  util.return
}

// -----

// A static number of rows that the lengths do not agree with.
util.func public @f(%t: tensor<4xf32>, %l: tensor<5xi32>) {
  %0 = iree_tensor_ext.cast_to_ragged_shape %t ragged_dim(0) column_lengths(%l) : (tensor<4xf32>, tensor<5xi32>) -> tensor<5x?xf32, #iree_tensor_ext.ragged_shape<0>>
  // CHECK: error: 'iree_tensor_ext.cast_to_ragged_shape' op expected static column lengths, one more than rows, without num_ragged_rows, got tensor<5xi32> and tensor<5x?xf32, #iree_tensor_ext.ragged_shape<0>>
  util.return
}

// -----

// Columns of one length.
util.func public @f(%t: tensor<4xf32>, %l: tensor<5xi32>) {
  %0 = iree_tensor_ext.cast_to_ragged_shape %t ragged_dim(0) column_lengths(%l) : (tensor<4xf32>, tensor<5xi32>) -> tensor<4x2xf32, #iree_tensor_ext.ragged_shape<0>>
  // CHECK: error: 'iree_tensor_ext.cast_to_ragged_shape' op expected dimension 1 of the result to be dynamic
  util.return
}

// -----

// Another dimension that changes.
util.func public @f(%t: tensor<4x8xf32>, %l: tensor<5xi32>) {
  %0 = iree_tensor_ext.cast_to_ragged_shape %t ragged_dim(0) column_lengths(%l) : (tensor<4x8xf32>, tensor<5xi32>) -> tensor<4x?x9xf32, #iree_tensor_ext.ragged_shape<0>>
  // CHECK: error: 'iree_tensor_ext.cast_to_ragged_shape' op expected all dimensions but the ragged one to stay, got tensor<4x8xf32> and tensor<4x?x9xf32, #iree_tensor_ext.ragged_shape<0>>
  util.return
}

// -----

// Rows made one where there are none.
util.func public @f(%t: tensor<4x8xf32>) {
  %0 = iree_tensor_ext.linearize_ragged_dims %t : tensor<4x8xf32> -> tensor<32xf32>
  // CHECK: error: 'iree_tensor_ext.linearize_ragged_dims' op expected a ragged source, got tensor<4x8xf32>
  util.return
}

// -----

// A result that is still ragged.
util.func public @f(%t: tensor<4x?xf32, #iree_tensor_ext.ragged_shape<0>>, %d: index) {
  %0 = iree_tensor_ext.linearize_ragged_dims %t : tensor<4x?xf32, #iree_tensor_ext.ragged_shape<0>> -> tensor<?xf32, #iree_tensor_ext.ragged_shape<0>>{%d}
  // CHECK: error: 'iree_tensor_ext.linearize_ragged_dims' op expected a result without an encoding, got tensor<?xf32, #iree_tensor_ext.ragged_shape<0>>
  util.return
}

// -----

// Another dimension that changes, on the way back.
util.func public @f(%t: tensor<4x?x8xf32, #iree_tensor_ext.ragged_shape<0>>, %d: index) {
  %0 = iree_tensor_ext.linearize_ragged_dims %t : tensor<4x?x8xf32, #iree_tensor_ext.ragged_shape<0>> -> tensor<?x9xf32>{%d}
  // CHECK: error: 'iree_tensor_ext.linearize_ragged_dims' op expected all dimensions but the ragged ones to stay, got tensor<4x?x8xf32, #iree_tensor_ext.ragged_shape<0>> and tensor<?x9xf32>
  util.return
}
