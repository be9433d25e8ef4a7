// linalg.softmax, twice: over rows, and of the result over columns.
func.func @f(%x: tensor<5x9xf32>) -> (tensor<5x9xf32>, tensor<5x9xf32>) {
  %e = tensor.empty() : tensor<5x9xf32>
  %0 = linalg.softmax dimension(1) ins(%x : tensor<5x9xf32>) outs(%e : tensor<5x9xf32>) -> tensor<5x9xf32>
  %1 = linalg.softmax dimension(0) ins(%0 : tensor<5x9xf32>) outs(%e : tensor<5x9xf32>) -> tensor<5x9xf32>
  return %0, %1 : tensor<5x9xf32>, tensor<5x9xf32>
}
