// TOSA: b makes a table, a writes rows of it at the places that a tensor names.
module @scatter attributes {stream.topology = #hal.device.topology<links = [(@device_a -> @device_b = {unified_memory = true}), (@device_b -> @device_a = {unified_memory = true})]>} {
func.func @f(%x: tensor<2x5x3xf32>, %i: tensor<2x4xi32>, %u: tensor<2x4x3xf32>) -> tensor<2x5x3xf32> {
  %b = flow.tensor.transfer %x : tensor<2x5x3xf32> to #hal.device.promise<@device_b>
  %d = arith.mulf %b, %b : tensor<2x5x3xf32>
  %a = flow.tensor.transfer %d : tensor<2x5x3xf32> to #hal.device.promise<@device_a>
  %r = "tosa.scatter"(%a, %i, %u) : (tensor<2x5x3xf32>, tensor<2x4xi32>, tensor<2x4x3xf32>) -> tensor<2x5x3xf32>
  return %r : tensor<2x5x3xf32>
}
}
