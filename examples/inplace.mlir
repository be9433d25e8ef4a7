// b updates the transferred value in place while a still reads the source: value semantics
// force exactly one copy.
//
// The input of iree-compile; inplace.flow.mlir holds what it makes of this.

module @test {
util.func public @f(%x: tensor<16xf32>, %p: tensor<4xf32>) -> tensor<16xf32> {
  %a = arith.addf %x, %x : tensor<16xf32>
  %pb = flow.tensor.transfer %p : tensor<4xf32> to #hal.device.promise<@device_b>
  %ab = flow.tensor.transfer %a : tensor<16xf32> to #hal.device.promise<@device_b>
  %u = tensor.insert_slice %pb into %ab[4] [4] [1] : tensor<4xf32> into tensor<16xf32>
  %ua = flow.tensor.transfer %u : tensor<16xf32> to #hal.device.promise<@device_a>
  %r = arith.subf %ua, %a : tensor<16xf32>
  util.return %r : tensor<16xf32>
}
}
