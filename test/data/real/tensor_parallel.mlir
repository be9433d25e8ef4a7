// Two layers split by columns, then by rows, between two devices; a adds up the parts.
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>
module @split attributes {stream.topology = #hal.device.topology<links = [(@device_a -> @device_b = {unified_memory = true}), (@device_b -> @device_a = {unified_memory = true})]>} {
util.func public @f(%x: tensor<4x8xf32>, %wa: tensor<8x6xf32>, %wb: tensor<8x6xf32>, %va: tensor<6x3xf32>, %vb: tensor<6x3xf32>, %b: tensor<6xf32>, %c: tensor<3xf32>) -> tensor<4x3xf32> {
  %z = arith.constant 0.0 : f32
  %xb = flow.tensor.transfer %x : tensor<4x8xf32> to #hal.device.promise<@device_b>
  %wbb = flow.tensor.transfer %wb : tensor<8x6xf32> to #hal.device.promise<@device_b>
  %vbb = flow.tensor.transfer %vb : tensor<6x3xf32> to #hal.device.promise<@device_b>
  %bb = flow.tensor.transfer %b : tensor<6xf32> to #hal.device.promise<@device_b>
  %e1 = tensor.empty() : tensor<4x6xf32>
  %f1 = linalg.fill ins(%z : f32) outs(%e1 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %m1 = linalg.matmul ins(%x, %wa : tensor<4x8xf32>, tensor<8x6xf32>) outs(%f1 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %r1 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%m1, %b : tensor<4x6xf32>, tensor<6xf32>) outs(%e1 : tensor<4x6xf32>) {
  ^bb0(%a1: f32, %c1: f32, %o1: f32):
    %s1 = arith.addf %a1, %c1 : f32
    %t1 = arith.maximumf %s1, %z : f32
    linalg.yield %t1 : f32
  } -> tensor<4x6xf32>
  %e2 = tensor.empty() : tensor<4x6xf32>
  %f2 = linalg.fill ins(%z : f32) outs(%e2 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %m2 = linalg.matmul ins(%xb, %wbb : tensor<4x8xf32>, tensor<8x6xf32>) outs(%f2 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %r2 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%m2, %bb : tensor<4x6xf32>, tensor<6xf32>) outs(%e2 : tensor<4x6xf32>) {
  ^bb0(%a2: f32, %c2: f32, %o2: f32):
    %s2 = arith.addf %a2, %c2 : f32
    %t2 = arith.maximumf %s2, %z : f32
    linalg.yield %t2 : f32
  } -> tensor<4x6xf32>
  %e3 = tensor.empty() : tensor<4x3xf32>
  %f3 = linalg.fill ins(%z : f32) outs(%e3 : tensor<4x3xf32>) -> tensor<4x3xf32>
  %m3 = linalg.matmul ins(%r1, %va : tensor<4x6xf32>, tensor<6x3xf32>) outs(%f3 : tensor<4x3xf32>) -> tensor<4x3xf32>
  %e4 = tensor.empty() : tensor<4x3xf32>
  %f4 = linalg.fill ins(%z : f32) outs(%e4 : tensor<4x3xf32>) -> tensor<4x3xf32>
  %m4 = linalg.matmul ins(%r2, %vbb : tensor<4x6xf32>, tensor<6x3xf32>) outs(%f4 : tensor<4x3xf32>) -> tensor<4x3xf32>
  %part = flow.tensor.transfer %m4 : tensor<4x3xf32> to #hal.device.promise<@device_a>
  %sum = arith.addf %m3, %part : tensor<4x3xf32>
  %e5 = tensor.empty() : tensor<4x3xf32>
  %r5 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%sum, %c : tensor<4x3xf32>, tensor<3xf32>) outs(%e5 : tensor<4x3xf32>) {
  ^bb0(%a5: f32, %c5: f32, %o5: f32):
    %s5 = arith.addf %a5, %c5 : f32
    %t5 = arith.maximumf %s5, %z : f32
    linalg.yield %s5 : f32
  } -> tensor<4x3xf32>
  util.return %r5 : tensor<4x3xf32>
}
}
