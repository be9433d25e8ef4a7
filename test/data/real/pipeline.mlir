// A multilayer perceptron in two stages, one on each device; two micro-batches follow each other.
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>
module @pipeline attributes {stream.topology = #hal.device.topology<links = [(@device_a -> @device_b = {unified_memory = true}), (@device_b -> @device_a = {unified_memory = true})]>} {
util.func public @f(%x: tensor<2x4x8xf32>, %w1: tensor<8x16xf32>, %b1: tensor<16xf32>, %w2: tensor<16x3xf32>, %b2: tensor<3xf32>) -> (tensor<4x3xf32>, tensor<4x3xf32>) {
  %z = arith.constant 0.0 : f32
  %w2b = flow.tensor.transfer %w2 : tensor<16x3xf32> to #hal.device.promise<@device_b>
  %b2b = flow.tensor.transfer %b2 : tensor<3xf32> to #hal.device.promise<@device_b>
  %x0 = tensor.extract_slice %x[0, 0, 0] [1, 4, 8] [1, 1, 1] : tensor<2x4x8xf32> to tensor<4x8xf32>
  %e01 = tensor.empty() : tensor<4x16xf32>
  %f01 = linalg.fill ins(%z : f32) outs(%e01 : tensor<4x16xf32>) -> tensor<4x16xf32>
  %m01 = linalg.matmul ins(%x0, %w1 : tensor<4x8xf32>, tensor<8x16xf32>) outs(%f01 : tensor<4x16xf32>) -> tensor<4x16xf32>
  %r01 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%m01, %b1 : tensor<4x16xf32>, tensor<16xf32>) outs(%e01 : tensor<4x16xf32>) {
  ^bb0(%a01: f32, %c01: f32, %o01: f32):
    %s01 = arith.addf %a01, %c01 : f32
    %t01 = arith.maximumf %s01, %z : f32
    linalg.yield %t01 : f32
  } -> tensor<4x16xf32>
  %h0 = flow.tensor.transfer %r01 : tensor<4x16xf32> to #hal.device.promise<@device_b>
  %e02 = tensor.empty() : tensor<4x3xf32>
  %f02 = linalg.fill ins(%z : f32) outs(%e02 : tensor<4x3xf32>) -> tensor<4x3xf32>
  %m02 = linalg.matmul ins(%h0, %w2b : tensor<4x16xf32>, tensor<16x3xf32>) outs(%f02 : tensor<4x3xf32>) -> tensor<4x3xf32>
  %r02 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%m02, %b2b : tensor<4x3xf32>, tensor<3xf32>) outs(%e02 : tensor<4x3xf32>) {
  ^bb0(%a02: f32, %c02: f32, %o02: f32):
    %s02 = arith.addf %a02, %c02 : f32
    %t02 = arith.maximumf %s02, %z : f32
    linalg.yield %s02 : f32
  } -> tensor<4x3xf32>
  %y0 = flow.tensor.transfer %r02 : tensor<4x3xf32> to #hal.device.promise<@device_a>
  %x1 = tensor.extract_slice %x[1, 0, 0] [1, 4, 8] [1, 1, 1] : tensor<2x4x8xf32> to tensor<4x8xf32>
  %e11 = tensor.empty() : tensor<4x16xf32>
  %f11 = linalg.fill ins(%z : f32) outs(%e11 : tensor<4x16xf32>) -> tensor<4x16xf32>
  %m11 = linalg.matmul ins(%x1, %w1 : tensor<4x8xf32>, tensor<8x16xf32>) outs(%f11 : tensor<4x16xf32>) -> tensor<4x16xf32>
  %r11 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%m11, %b1 : tensor<4x16xf32>, tensor<16xf32>) outs(%e11 : tensor<4x16xf32>) {
  ^bb0(%a11: f32, %c11: f32, %o11: f32):
    %s11 = arith.addf %a11, %c11 : f32
    %t11 = arith.maximumf %s11, %z : f32
    linalg.yield %t11 : f32
  } -> tensor<4x16xf32>
  %h1 = flow.tensor.transfer %r11 : tensor<4x16xf32> to #hal.device.promise<@device_b>
  %e12 = tensor.empty() : tensor<4x3xf32>
  %f12 = linalg.fill ins(%z : f32) outs(%e12 : tensor<4x3xf32>) -> tensor<4x3xf32>
  %m12 = linalg.matmul ins(%h1, %w2b : tensor<4x16xf32>, tensor<16x3xf32>) outs(%f12 : tensor<4x3xf32>) -> tensor<4x3xf32>
  %r12 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%m12, %b2b : tensor<4x3xf32>, tensor<3xf32>) outs(%e12 : tensor<4x3xf32>) {
  ^bb0(%a12: f32, %c12: f32, %o12: f32):
    %s12 = arith.addf %a12, %c12 : f32
    %t12 = arith.maximumf %s12, %z : f32
    linalg.yield %s12 : f32
  } -> tensor<4x3xf32>
  %y1 = flow.tensor.transfer %r12 : tensor<4x3xf32> to #hal.device.promise<@device_a>
  util.return %y0, %y1 : tensor<4x3xf32>, tensor<4x3xf32>
}
}
