// Rows sorted by a key, descending, with the positions that the elements had.
func.func @f(%x: tensor<3x10xf32>) -> (tensor<3x10xf32>, tensor<3x10xi32>) {
  %e = tensor.empty() : tensor<3x10xi32>
  %p = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<3x10xi32>) {
  ^bb0(%o: i32):
    %j = linalg.index 1 : index
    %c = arith.index_cast %j : index to i32
    linalg.yield %c : i32
  } -> tensor<3x10xi32>
  %r:2 = iree_linalg_ext.sort dimension(1) outs(%x, %p : tensor<3x10xf32>, tensor<3x10xi32>) {
  ^bb0(%a: f32, %b: f32, %i: i32, %j: i32):
    %c = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %c : i1
  } -> tensor<3x10xf32>, tensor<3x10xi32>
  return %r#0, %r#1 : tensor<3x10xf32>, tensor<3x10xi32>
}
