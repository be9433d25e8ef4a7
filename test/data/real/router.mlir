module {
  func.func @f(%arg0: !torch.vtensor<[5,6],f32>, %arg1: !torch.vtensor<[6,8],f32>) -> (!torch.vtensor<[5,3],f32>, !torch.vtensor<[5,3],si64>) attributes {torch.onnx_meta.ir_version = 9 : si64, torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.producer_name = "", torch.onnx_meta.producer_version = ""} {
    %0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense_resource<k> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64> 
    %none = torch.constant.none
    %1 = torch.operator "onnx.MatMul"(%arg0, %arg1) : (!torch.vtensor<[5,6],f32>, !torch.vtensor<[6,8],f32>) -> !torch.vtensor<[5,8],f32> 
    %2:2 = torch.operator "onnx.TopK"(%1, %0) {torch.onnx.axis = 1 : si64} : (!torch.vtensor<[5,8],f32>, !torch.vtensor<[1],si64>) -> (!torch.vtensor<[5,3],f32>, !torch.vtensor<[5,3],si64>) 
    %3 = torch.operator "onnx.Softmax"(%2#0) {torch.onnx.axis = -1 : si64} : (!torch.vtensor<[5,3],f32>) -> !torch.vtensor<[5,3],f32> 
    return %3, %2#1 : !torch.vtensor<[5,3],f32>, !torch.vtensor<[5,3],si64>
  }
}

{-#
  dialect_resources: {
    builtin: {
      k: "0x080000000300000000000000"
    }
  }
#-}

