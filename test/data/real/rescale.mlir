// TOSA, quantised: an i8 matrix product with zero points, rescaled to i8.
func.func @f(%x: tensor<1x4x16xi8>, %w: tensor<1x16x6xi8>) -> tensor<1x4x6xi8> {
  %xz = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %wz = "tosa.const"() <{values = dense<-5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = "tosa.matmul"(%x, %w, %xz, %wz) : (tensor<1x4x16xi8>, tensor<1x16x6xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x6xi32>
  %mult = "tosa.const"() <{values = dense<1342177280> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<39> : tensor<1xi8>}> : () -> tensor<1xi8>
  %iz = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %oz = "tosa.const"() <{values = dense<-7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %1 = "tosa.rescale"(%0, %mult, %shift, %iz, %oz) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x6xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x6xi8>
  return %1 : tensor<1x4x6xi8>
}
