module {
  func.func @f(%arg0: !torch.vtensor<[1,4,6,6],f32>, %arg1: !torch.vtensor<[4,1,3,3],f32>, %arg2: !torch.vtensor<[4,4],f32>, %arg3: !torch.vtensor<[3,4,1,1],f32>) -> !torch.vtensor<[1,3],f32> attributes {torch.onnx_meta.ir_version = 9 : si64, torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.producer_name = "", torch.onnx_meta.producer_version = ""} {
    %0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense_resource<ones> : tensor<4xsi64>} : () -> !torch.vtensor<[4],si64> 
    %1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense_resource<axis0> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64> 
    %none = torch.constant.none
    %2 = torch.operator "onnx.Conv"(%arg0, %arg1) {torch.onnx.group = 4 : si64, torch.onnx.kernel_shape = [3 : si64, 3 : si64], torch.onnx.pads = [1 : si64, 1 : si64, 1 : si64, 1 : si64]} : (!torch.vtensor<[1,4,6,6],f32>, !torch.vtensor<[4,1,3,3],f32>) -> !torch.vtensor<[1,4,6,6],f32> 
    %3:4 = torch.operator "onnx.Split"(%arg2, %0) {torch.onnx.axis = 0 : si64} : (!torch.vtensor<[4,4],f32>, !torch.vtensor<[4],si64>) -> (!torch.vtensor<[1,4],f32>, !torch.vtensor<[1,4],f32>, !torch.vtensor<[1,4],f32>, !torch.vtensor<[1,4],f32>) 
    %4 = torch.operator "onnx.Squeeze"(%3#0, %1) : (!torch.vtensor<[1,4],f32>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[4],f32> 
    %5 = torch.operator "onnx.Squeeze"(%3#1, %1) : (!torch.vtensor<[1,4],f32>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[4],f32> 
    %6 = torch.operator "onnx.Squeeze"(%3#2, %1) : (!torch.vtensor<[1,4],f32>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[4],f32> 
    %7 = torch.operator "onnx.Squeeze"(%3#3, %1) : (!torch.vtensor<[1,4],f32>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[4],f32> 
    %8 = torch.operator "onnx.Abs"(%7) : (!torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> 
    %9 = torch.operator "onnx.BatchNormalization"(%2, %4, %5, %6, %8) : (!torch.vtensor<[1,4,6,6],f32>, !torch.vtensor<[4],f32>, !torch.vtensor<[4],f32>, !torch.vtensor<[4],f32>, !torch.vtensor<[4],f32>) -> !torch.vtensor<[1,4,6,6],f32> 
    %10 = torch.operator "onnx.HardSwish"(%9) : (!torch.vtensor<[1,4,6,6],f32>) -> !torch.vtensor<[1,4,6,6],f32> 
    %11 = torch.operator "onnx.Conv"(%10, %arg3) {torch.onnx.kernel_shape = [1 : si64, 1 : si64]} : (!torch.vtensor<[1,4,6,6],f32>, !torch.vtensor<[3,4,1,1],f32>) -> !torch.vtensor<[1,3,6,6],f32> 
    %12 = torch.operator "onnx.GlobalAveragePool"(%11) : (!torch.vtensor<[1,3,6,6],f32>) -> !torch.vtensor<[1,3,1,1],f32> 
    %13 = torch.operator "onnx.Flatten"(%12) : (!torch.vtensor<[1,3,1,1],f32>) -> !torch.vtensor<[1,3],f32> 
    return %13 : !torch.vtensor<[1,3],f32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      ones: "0x080000000100000000000000010000000000000001000000000000000100000000000000",
      axis0: "0x080000000000000000000000"
    }
  }
#-}

