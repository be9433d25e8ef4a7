// One value produced on a is read on b and on c; both results come back to a.
//
// The input of iree-compile; fanout.flow.mlir holds what it makes of this.

module @test {
util.func public @f(%x: tensor<16xf32>) -> tensor<16xf32> {
  %a = arith.addf %x, %x : tensor<16xf32>
  %ab = flow.tensor.transfer %a : tensor<16xf32> to #hal.device.promise<@device_b>
  %ac = flow.tensor.transfer %a : tensor<16xf32> to #hal.device.promise<@device_c>
  %b = arith.mulf %ab, %ab : tensor<16xf32>
  %c = arith.negf %ac : tensor<16xf32>
  %ba = flow.tensor.transfer %b : tensor<16xf32> to #hal.device.promise<@device_a>
  %ca = flow.tensor.transfer %c : tensor<16xf32> to #hal.device.promise<@device_a>
  %s = arith.addf %ba, %ca : tensor<16xf32>
  %r = arith.mulf %s, %a : tensor<16xf32>
  util.return %r : tensor<16xf32>
}
}
