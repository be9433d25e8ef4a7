module {
  func.func @f(%arg0: !torch.vtensor<[6,16],f16>, %arg1: !torch.vtensor<[16,5],f16>) -> (!torch.vtensor<[6,5],f16>, !torch.vtensor<[6],f32>) attributes {torch.onnx_meta.ir_version = 9 : si64, torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.producer_name = "", torch.onnx_meta.producer_version = ""} {
    %0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense_resource<one> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64> 
    %none = torch.constant.none
    %1 = torch.operator "onnx.MatMul"(%arg0, %arg1) : (!torch.vtensor<[6,16],f16>, !torch.vtensor<[16,5],f16>) -> !torch.vtensor<[6,5],f16> 
    %2 = torch.operator "onnx.Cast"(%1) {torch.onnx.to = 1 : si64} : (!torch.vtensor<[6,5],f16>) -> !torch.vtensor<[6,5],f32> 
    %3 = torch.operator "onnx.ReduceSum"(%2, %0) {torch.onnx.keepdims = 0 : si64} : (!torch.vtensor<[6,5],f32>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[6],f32> 
    return %1, %3 : !torch.vtensor<[6,5],f16>, !torch.vtensor<[6],f32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      one: "0x080000000100000000000000"
    }
  }
#-}

