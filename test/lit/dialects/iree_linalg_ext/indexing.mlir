// RUN: ROUNDTRIP
// RUN: GENERIC_ROUNDTRIP

// Slices written and read at indices, all of them or those of a mask.
// CHECK-LABEL: func.func @slices
func.func @slices(%u: tensor<4x3xf32>, %i: tensor<4x1xi32>, %m: tensor<4xi1>, %o: tensor<6x3xf32>) {
  // CHECK: iree_linalg_ext.scatter {tag} dimension_map = [0] unique_indices(true) ins(%u, %i : tensor<4x3xf32>, tensor<4x1xi32>) outs(%o : tensor<6x3xf32>) {
  %0 = iree_linalg_ext.scatter {tag} dimension_map = [0] unique_indices(true) ins(%u, %i : tensor<4x3xf32>, tensor<4x1xi32>) outs(%o : tensor<6x3xf32>) {
  ^bb0(%4: f32, %5: f32):
    iree_linalg_ext.yield %4 : f32
  // CHECK: } -> tensor<6x3xf32>
  } -> tensor<6x3xf32>
  // CHECK: iree_linalg_ext.scatter dimension_map = [0] unique_indices(false) ins(%u, %i, %m : tensor<4x3xf32>, tensor<4x1xi32>, tensor<4xi1>) outs(%o : tensor<6x3xf32>) {
  %1 = iree_linalg_ext.scatter dimension_map = [0] unique_indices(false) ins(%u, %i, %m : tensor<4x3xf32>, tensor<4x1xi32>, tensor<4xi1>) outs(%o : tensor<6x3xf32>) {
  ^bb0(%6: f32, %7: f32):
    %8 = arith.addf %6, %7 : f32
    iree_linalg_ext.yield %8 : f32
  } -> tensor<6x3xf32>
  // CHECK: iree_linalg_ext.gather dimension_map = [0] ins(%o, %i : tensor<6x3xf32>, tensor<4x1xi32>) outs(%u : tensor<4x3xf32>) -> tensor<4x3xf32>
  %2 = iree_linalg_ext.gather dimension_map = [0] ins(%o, %i : tensor<6x3xf32>, tensor<4x1xi32>) outs(%u : tensor<4x3xf32>) -> tensor<4x3xf32>
  // CHECK: iree_linalg_ext.gather dimension_map = [0] ins(%o, %i, %m : tensor<6x3xf32>, tensor<4x1xi32>, tensor<4xi1>) outs(%u : tensor<4x3xf32>) -> tensor<4x3xf32>
  %3 = iree_linalg_ext.gather dimension_map = [0] ins(%o, %i, %m : tensor<6x3xf32>, tensor<4x1xi32>, tensor<4xi1>) outs(%u : tensor<4x3xf32>) -> tensor<4x3xf32>
  func.return
}
