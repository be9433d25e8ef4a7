module {
  func.func @f(%arg0: !torch.vtensor<[3,8],f32>, %arg1: !torch.vtensor<[5,2],si32>) -> (!torch.vtensor<[3,8],f32>, !torch.vtensor<[5,2],si32>) attributes {torch.onnx_meta.ir_version = 9 : si64, torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.producer_name = "", torch.onnx_meta.producer_version = ""} {
    %0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense_resource<one> : tensor<si64>} : () -> !torch.vtensor<[],si64> 
    %1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense_resource<zero> : tensor<si64>} : () -> !torch.vtensor<[],si64> 
    %none = torch.constant.none
    %2 = torch.operator "onnx.CumSum"(%arg0, %0) : (!torch.vtensor<[3,8],f32>, !torch.vtensor<[],si64>) -> !torch.vtensor<[3,8],f32> 
    %3 = torch.operator "onnx.CumSum"(%arg1, %1) {torch.onnx.exclusive = 1 : si64, torch.onnx.reverse = 1 : si64} : (!torch.vtensor<[5,2],si32>, !torch.vtensor<[],si64>) -> !torch.vtensor<[5,2],si32> 
    return %2, %3 : !torch.vtensor<[3,8],f32>, !torch.vtensor<[5,2],si32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      one: "0x080000000100000000000000",
      zero: "0x080000000000000000000000"
    }
  }
#-}

