// RUN: ROUNDTRIP
// RUN: GENERIC_ROUNDTRIP

// Ops on tensors, with the dictionary of discardable attributes where it may stand.
// CHECK-LABEL: func.func @a(%arg0: tensor<4x8xf32>, %arg1: tensor<?x8xf32>, %arg2: index, %arg3: f32, %arg4: tensor<2x1xindex>, %arg5: tensor<*xf32>, %arg6: tensor<2xindex>) {
func.func @a(%arg0: tensor<4x8xf32>, %arg1: tensor<?x8xf32>, %arg2: index, %arg3: f32, %arg4: tensor<2x1xindex>, %arg5: tensor<*xf32>, %arg6: tensor<2xindex>) {
  // CHECK: tensor.empty() : tensor<4xf32>
  %0 = tensor.empty() : tensor<4xf32>
  // CHECK: tensor.empty(%arg2) : tensor<?x4xf32>
  %1 = tensor.empty(%arg2) : tensor<?x4xf32>
  // CHECK: tensor.dim %arg1, %arg2 : tensor<?x8xf32>
  %dim = tensor.dim %arg1, %arg2 : tensor<?x8xf32>
  // CHECK: tensor.extract %arg0[%arg2, %arg2] {foo} : tensor<4x8xf32>
  %extracted = tensor.extract %arg0[%arg2, %arg2] {foo} : tensor<4x8xf32>
  // CHECK: tensor.insert %arg3 into %arg0[%arg2, %arg2] : tensor<4x8xf32>
  %inserted = tensor.insert %arg3 into %arg0[%arg2, %arg2] : tensor<4x8xf32>
  // CHECK: tensor.extract_slice %arg0[0, %arg2] [2, 4] [1, 1] {foo} : tensor<4x8xf32> to tensor<2x4xf32>
  %extracted_slice = tensor.extract_slice %arg0[0, %arg2] [2, 4] [1, 1] {foo} : tensor<4x8xf32> to tensor<2x4xf32>
  // CHECK: tensor.extract_slice %arg0[0, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<8xf32>
  %extracted_slice_0 = tensor.extract_slice %arg0[0, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<8xf32>
  // CHECK: tensor.insert_slice %extracted_slice into %arg0[0, %arg2] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<4x8xf32>
  %inserted_slice = tensor.insert_slice %extracted_slice into %arg0[0, %arg2] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<4x8xf32>
  // CHECK: tensor.cast %arg0 : tensor<4x8xf32> to tensor<?x8xf32>
  %cast = tensor.cast %arg0 : tensor<4x8xf32> to tensor<?x8xf32>
  // CHECK: tensor.collapse_shape %arg0 {{\[\[}}0 : i64, 1 : i64]] {foo} : tensor<4x8xf32> into tensor<32xf32>
  %collapsed = tensor.collapse_shape %arg0 [[0, 1]] {foo} : tensor<4x8xf32> into tensor<32xf32>
  // CHECK: tensor.expand_shape %arg1 {{\[\[}}0 : i64, 1 : i64], [2 : i64]] output_shape [%arg2, 2, 8] {foo} : tensor<?x8xf32> into tensor<?x2x8xf32>
  %expanded_1 = tensor.expand_shape %arg1 [[0, 1], [2]] output_shape [%arg2, 2, 8] {foo} : tensor<?x8xf32> into tensor<?x2x8xf32>
  // CHECK: tensor.from_elements %arg3, %arg3 {foo} : tensor<2xf32>
  %from_elements = tensor.from_elements %arg3, %arg3 {foo} : tensor<2xf32>
  // CHECK: tensor.splat %arg3 : tensor<4xf32>
  %splat = tensor.splat %arg3 : tensor<4xf32>
  // CHECK: tensor.splat %arg3[%arg2] : tensor<?xf32>
  %splat_2 = tensor.splat %arg3[%arg2] : tensor<?xf32>
  // CHECK: tensor.reshape %arg0(%arg6) : (tensor<4x8xf32>, tensor<2xindex>) -> tensor<8x4xf32>
  %reshape = tensor.reshape %arg0(%arg6) : (tensor<4x8xf32>, tensor<2xindex>) -> tensor<8x4xf32>
  // CHECK: tensor.rank %arg5 : tensor<*xf32>
  %rank = tensor.rank %arg5 : tensor<*xf32>
  // CHECK: tensor.bitcast %arg0 : tensor<4x8xf32> to tensor<4x8xi32>
  %2 = tensor.bitcast %arg0 : tensor<4x8xf32> to tensor<4x8xi32>
  // CHECK: tensor.concat dim(0) %arg0, %arg0 {foo} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  %concat = tensor.concat dim(0) %arg0, %arg0 {foo} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  // CHECK: tensor.gather %arg0[%arg4] gather_dims([0]) : (tensor<4x8xf32>, tensor<2x1xindex>) -> tensor<2x1x8xf32>
  %gather = tensor.gather %arg0[%arg4] gather_dims([0]) : (tensor<4x8xf32>, tensor<2x1xindex>) -> tensor<2x1x8xf32>
  func.return
}

// Slices read and replaced at coordinates.
// CHECK-LABEL: func.func @coordinates
func.func @coordinates(%t: tensor<4x8xf32>, %i: tensor<2x1xindex>) {
  // CHECK: tensor.gather %t[%i] gather_dims([0]) unique {tag} : (tensor<4x8xf32>, tensor<2x1xindex>) -> tensor<2x1x8xf32>
  %g = tensor.gather %t[%i] gather_dims([0]) unique {tag} : (tensor<4x8xf32>, tensor<2x1xindex>) -> tensor<2x1x8xf32>
  // CHECK: tensor.scatter %g into %t[%i] scatter_dims([0]) unique : (tensor<2x1x8xf32>, tensor<4x8xf32>, tensor<2x1xindex>) -> tensor<4x8xf32>
  %s = tensor.scatter %g into %t[%i] scatter_dims([0]) unique : (tensor<2x1x8xf32>, tensor<4x8xf32>, tensor<2x1xindex>) -> tensor<4x8xf32>
  func.return
}
