module {
  func.func @f(%arg0: !torch.vtensor<[5,8],f32>, %arg1: !torch.vtensor<[8,24],f32>, %arg2: !torch.vtensor<[8,8],f32>) -> !torch.vtensor<[5,8],f32> attributes {torch.onnx_meta.ir_version = 9 : si64, torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.producer_name = "", torch.onnx_meta.producer_version = ""} {
    %0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense_resource<s> : tensor<4xsi64>} : () -> !torch.vtensor<[4],si64> 
    %1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense_resource<ones> : tensor<3xsi64>} : () -> !torch.vtensor<[3],si64> 
    %2 = torch.operator "onnx.Constant"() {torch.onnx.value = dense_resource<axis0> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64> 
    %3 = torch.operator "onnx.Constant"() {torch.onnx.value = dense_resource<scale> : tensor<f32>} : () -> !torch.vtensor<[],f32> 
    %4 = torch.operator "onnx.Constant"() {torch.onnx.value = dense_resource<tri> : tensor<5x5xi1>} : () -> !torch.vtensor<[5,5],i1> 
    %5 = torch.operator "onnx.Constant"() {torch.onnx.value = dense_resource<low> : tensor<f32>} : () -> !torch.vtensor<[],f32> 
    %6 = torch.operator "onnx.Constant"() {torch.onnx.value = dense_resource<s1> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64> 
    %none = torch.constant.none
    %7 = torch.operator "onnx.MatMul"(%arg0, %arg1) : (!torch.vtensor<[5,8],f32>, !torch.vtensor<[8,24],f32>) -> !torch.vtensor<[5,24],f32> 
    %8 = torch.operator "onnx.Reshape"(%7, %0) : (!torch.vtensor<[5,24],f32>, !torch.vtensor<[4],si64>) -> !torch.vtensor<[5,3,2,4],f32> 
    %9 = torch.operator "onnx.Transpose"(%8) {torch.onnx.perm = [1 : si64, 2 : si64, 0 : si64, 3 : si64]} : (!torch.vtensor<[5,3,2,4],f32>) -> !torch.vtensor<[3,2,5,4],f32> 
    %10:3 = torch.operator "onnx.Split"(%9, %1) {torch.onnx.axis = 0 : si64} : (!torch.vtensor<[3,2,5,4],f32>, !torch.vtensor<[3],si64>) -> (!torch.vtensor<[1,2,5,4],f32>, !torch.vtensor<[1,2,5,4],f32>, !torch.vtensor<[1,2,5,4],f32>) 
    %11 = torch.operator "onnx.Squeeze"(%10#0, %2) : (!torch.vtensor<[1,2,5,4],f32>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[2,5,4],f32> 
    %12 = torch.operator "onnx.Squeeze"(%10#1, %2) : (!torch.vtensor<[1,2,5,4],f32>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[2,5,4],f32> 
    %13 = torch.operator "onnx.Squeeze"(%10#2, %2) : (!torch.vtensor<[1,2,5,4],f32>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[2,5,4],f32> 
    %14 = torch.operator "onnx.Transpose"(%12) {torch.onnx.perm = [0 : si64, 2 : si64, 1 : si64]} : (!torch.vtensor<[2,5,4],f32>) -> !torch.vtensor<[2,4,5],f32> 
    %15 = torch.operator "onnx.MatMul"(%11, %14) : (!torch.vtensor<[2,5,4],f32>, !torch.vtensor<[2,4,5],f32>) -> !torch.vtensor<[2,5,5],f32> 
    %16 = torch.operator "onnx.Mul"(%15, %3) : (!torch.vtensor<[2,5,5],f32>, !torch.vtensor<[],f32>) -> !torch.vtensor<[2,5,5],f32> 
    %17 = torch.operator "onnx.Where"(%4, %16, %5) : (!torch.vtensor<[5,5],i1>, !torch.vtensor<[2,5,5],f32>, !torch.vtensor<[],f32>) -> !torch.vtensor<[2,5,5],f32> 
    %18 = torch.operator "onnx.Softmax"(%17) {torch.onnx.axis = -1 : si64} : (!torch.vtensor<[2,5,5],f32>) -> !torch.vtensor<[2,5,5],f32> 
    %19 = torch.operator "onnx.MatMul"(%18, %13) : (!torch.vtensor<[2,5,5],f32>, !torch.vtensor<[2,5,4],f32>) -> !torch.vtensor<[2,5,4],f32> 
    %20 = torch.operator "onnx.Transpose"(%19) {torch.onnx.perm = [1 : si64, 0 : si64, 2 : si64]} : (!torch.vtensor<[2,5,4],f32>) -> !torch.vtensor<[5,2,4],f32> 
    %21 = torch.operator "onnx.Reshape"(%20, %6) : (!torch.vtensor<[5,2,4],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[5,8],f32> 
    %22 = torch.operator "onnx.MatMul"(%21, %arg2) : (!torch.vtensor<[5,8],f32>, !torch.vtensor<[8,8],f32>) -> !torch.vtensor<[5,8],f32> 
    return %22 : !torch.vtensor<[5,8],f32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      s: "0x080000000500000000000000030000000000000002000000000000000400000000000000",
      ones: "0x08000000010000000000000001000000000000000100000000000000",
      axis0: "0x080000000000000000000000",
      scale: "0x080000000000003F",
      tri: "0x0800000001000000000101000000010101000001010101000101010101",
      low: "0x08000000000080FF",
      s1: "0x0800000005000000000000000800000000000000"
    }
  }
#-}

