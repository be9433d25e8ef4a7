// TOSA: convolution, ReLU, max pooling, a fully connected layer.
func.func @f(%x: tensor<2x8x8x3xf32>, %w: tensor<4x3x3x3xf32>, %b: tensor<4xf32>, %m: tensor<64x5xf32>, %c: tensor<1x5xf32>) -> tensor<2x5xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = "tosa.conv2d"(%x, %w, %b, %z, %z) <{acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>}> : (tensor<2x8x8x3xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x8x8x4xf32>
  %1 = "tosa.clamp"(%0) <{min_val = 0.0 : f32, max_val = 3.40282347E+38 : f32}> : (tensor<2x8x8x4xf32>) -> tensor<2x8x8x4xf32>
  %2 = "tosa.max_pool2d"(%1) <{kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>}> : (tensor<2x8x8x4xf32>) -> tensor<2x4x4x4xf32>
  %s = "tosa.const_shape"() <{values = dense<[1, 2, 64]> : tensor<3xindex>}> : () -> !tosa.shape<3>
  %3 = "tosa.reshape"(%2, %s) : (tensor<2x4x4x4xf32>, !tosa.shape<3>) -> tensor<1x2x64xf32>
  %s1 = "tosa.const_shape"() <{values = dense<[1, 64, 5]> : tensor<3xindex>}> : () -> !tosa.shape<3>
  %m1 = "tosa.reshape"(%m, %s1) : (tensor<64x5xf32>, !tosa.shape<3>) -> tensor<1x64x5xf32>
  %4 = "tosa.matmul"(%3, %m1, %z, %z) : (tensor<1x2x64xf32>, tensor<1x64x5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x5xf32>
  %s2 = "tosa.const_shape"() <{values = dense<[2, 5]> : tensor<2xindex>}> : () -> !tosa.shape<2>
  %5 = "tosa.reshape"(%4, %s2) : (tensor<1x2x5xf32>, !tosa.shape<2>) -> tensor<2x5xf32>
  %6 = "tosa.add"(%5, %c) : (tensor<2x5xf32>, tensor<1x5xf32>) -> tensor<2x5xf32>
  return %6 : tensor<2x5xf32>
}
