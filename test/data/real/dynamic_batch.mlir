module {
  func.func @f(%arg0: !torch.vtensor<[?,8],f32>, %arg1: !torch.vtensor<[8,4],f32>, %arg2: !torch.vtensor<[4],f32>) -> !torch.vtensor<[?,4],f32> attributes {torch.onnx_meta.ir_version = 9 : si64, torch.onnx_meta.opset_version = 20 : si64, torch.onnx_meta.producer_name = "", torch.onnx_meta.producer_version = ""} {
    %none = torch.constant.none
    %0 = torch.operator "onnx.Gemm"(%arg0, %arg1, %arg2) : (!torch.vtensor<[?,8],f32>, !torch.vtensor<[8,4],f32>, !torch.vtensor<[4],f32>) -> !torch.vtensor<[?,4],f32> 
    %1 = torch.operator "onnx.Gelu"(%0) : (!torch.vtensor<[?,4],f32>) -> !torch.vtensor<[?,4],f32> 
    return %1 : !torch.vtensor<[?,4],f32>
  }
}

