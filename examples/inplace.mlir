// b accumulates a product onto the transferred value in place while a still reads the source:
// value semantics force exactly one copy, of the value that both need.
//
// The input of iree-compile; inplace.flow.mlir holds what it makes of this.

module @test {
util.func public @f(%x: tensor<4x4xf32>, %w: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %a = arith.addf %x, %x : tensor<4x4xf32>
  %ab = flow.tensor.transfer %a : tensor<4x4xf32> to #hal.device.promise<@device_b>
  %wb = flow.tensor.transfer %w : tensor<4x4xf32> to #hal.device.promise<@device_b>
  %u = linalg.matmul ins(%wb, %wb : tensor<4x4xf32>, tensor<4x4xf32>)
      outs(%ab : tensor<4x4xf32>) -> tensor<4x4xf32>
  %ua = flow.tensor.transfer %u : tensor<4x4xf32> to #hal.device.promise<@device_a>
  %r = arith.subf %ua, %a : tensor<4x4xf32>
  util.return %r : tensor<4x4xf32>
}
}
