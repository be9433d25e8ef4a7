// One step of a recurrent network; the hidden state lives on from call to call.
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>
util.global private mutable @state = dense<0.0> : tensor<2x6xf32>
func.func @step(%x: tensor<2x4xf32>, %wx: tensor<4x6xf32>, %wh: tensor<6x6xf32>, %b: tensor<6xf32>) -> tensor<2x6xf32> {
  %h = util.global.load @state : tensor<2x6xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x6xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x6xf32>) -> tensor<2x6xf32>
  %0 = linalg.matmul ins(%x, %wx : tensor<2x4xf32>, tensor<4x6xf32>) outs(%f : tensor<2x6xf32>) -> tensor<2x6xf32>
  %1 = linalg.matmul ins(%h, %wh : tensor<2x6xf32>, tensor<6x6xf32>) outs(%0 : tensor<2x6xf32>) -> tensor<2x6xf32>
  %2 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%1, %b : tensor<2x6xf32>, tensor<6xf32>) outs(%e : tensor<2x6xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %s = arith.addf %a, %c : f32
    %t = math.tanh %s : f32
    linalg.yield %t : f32
  } -> tensor<2x6xf32>
  util.global.store %2, @state : tensor<2x6xf32>
  return %2 : tensor<2x6xf32>
}
func.func @reset() {
  %0 = arith.constant dense<0.0> : tensor<2x6xf32>
  util.global.store %0, @state : tensor<2x6xf32>
  return
}
