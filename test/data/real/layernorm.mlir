module {
  func.func @f(%arg0: !torch.vtensor<[3,16],f32>, %arg1: !torch.vtensor<[16],f32>, %arg2: !torch.vtensor<[16],f32>) -> !torch.vtensor<[3,16],f32> attributes {torch.onnx_meta.ir_version = 9 : si64, torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.producer_name = "", torch.onnx_meta.producer_version = ""} {
    %none = torch.constant.none
    %0 = torch.operator "onnx.LayerNormalization"(%arg0, %arg1, %arg2) {torch.onnx.axis = -1 : si64} : (!torch.vtensor<[3,16],f32>, !torch.vtensor<[16],f32>, !torch.vtensor<[16],f32>) -> !torch.vtensor<[3,16],f32> 
    return %0 : !torch.vtensor<[3,16],f32>
  }
}

