module @packed attributes {stream.topology = #hal.device.topology<links = [(@device_a -> @device_b = {unified_memory = true}), (@device_b -> @device_a = {unified_memory = true}), (@device_a -> @device_c = {unified_memory = true}), (@device_c -> @device_a = {unified_memory = true}), (@device_b -> @device_c = {unified_memory = true}), (@device_c -> @device_b = {unified_memory = true})]>} {
util.func public @f(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x4xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x4xf32>) -> tensor<4x4xf32>
  %right = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%zeros : tensor<4x4xf32>) -> tensor<4x4xf32>
  %left = linalg.matmul ins(%right, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%zeros : tensor<4x4xf32>) -> tensor<4x4xf32>
  %leftb = flow.tensor.transfer %left : tensor<4x4xf32> to #hal.device.promise<@device_b>
  %leftc = flow.tensor.transfer %left : tensor<4x4xf32> to #hal.device.promise<@device_c>
  %pc = arith.mulf %leftc, %leftc : tensor<4x4xf32>
  %qa = flow.tensor.transfer %pc : tensor<4x4xf32> to #hal.device.promise<@device_a>
  %pb = flow.tensor.transfer %pc : tensor<4x4xf32> to #hal.device.promise<@device_b>
  %q = tensor.extract_slice %qa[0, 0] [1, 4] [1, 1] : tensor<4x4xf32> to tensor<1x4xf32>
  %p = tensor.extract_slice %pb[0, 0] [1, 4] [1, 1] : tensor<4x4xf32> to tensor<1x4xf32>
  %u = tensor.insert_slice %p into %leftb[1, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<4x4xf32>
  %v = tensor.insert_slice %q into %right[2, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<4x4xf32>
  %uc = flow.tensor.transfer %u : tensor<4x4xf32> to #hal.device.promise<@device_c>
  %vc = flow.tensor.transfer %v : tensor<4x4xf32> to #hal.device.promise<@device_c>
  %r = arith.subf %uc, %vc : tensor<4x4xf32>
  %ra = flow.tensor.transfer %r : tensor<4x4xf32> to #hal.device.promise<@device_a>
  %rb = flow.tensor.transfer %r : tensor<4x4xf32> to #hal.device.promise<@device_b>
  %vb = flow.tensor.transfer %v : tensor<4x4xf32> to #hal.device.promise<@device_b>
  %s = arith.addf %vb, %rb : tensor<4x4xf32>
  %sa = flow.tensor.transfer %s : tensor<4x4xf32> to #hal.device.promise<@device_a>
  util.return %ra, %sa : tensor<4x4xf32>, tensor<4x4xf32>
}
}
