// Elementwise a -> b -> a; the value computed on a is read on b and, later, on a again.
//
// The input of iree-compile; chain.flow.mlir holds what it makes of this.

module @test {
util.func public @f(%x: tensor<16xf32>) -> tensor<16xf32> {
  %a = arith.addf %x, %x : tensor<16xf32>
  %at = flow.tensor.transfer %a : tensor<16xf32> to #hal.device.promise<@device_b>
  %b = arith.mulf %at, %at : tensor<16xf32>
  %bt = flow.tensor.transfer %b : tensor<16xf32> to #hal.device.promise<@device_a>
  %c = arith.subf %bt, %a : tensor<16xf32>
  util.return %c : tensor<16xf32>
}
}
