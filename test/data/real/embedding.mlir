module {
  func.func @f(%arg0: !torch.vtensor<[2,4],si64>, %arg1: !torch.vtensor<[10,6],f32>, %arg2: !torch.vtensor<[4,6],f32>) -> !torch.vtensor<[2,6],f32> attributes {torch.onnx_meta.ir_version = 9 : si64, torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.producer_name = "", torch.onnx_meta.producer_version = ""} {
    %none = torch.constant.none
    %0 = torch.operator "onnx.Gather"(%arg1, %arg0) : (!torch.vtensor<[10,6],f32>, !torch.vtensor<[2,4],si64>) -> !torch.vtensor<[2,4,6],f32> 
    %1 = torch.operator "onnx.Add"(%0, %arg2) : (!torch.vtensor<[2,4,6],f32>, !torch.vtensor<[4,6],f32>) -> !torch.vtensor<[2,4,6],f32> 
    %2 = torch.operator "onnx.ReduceMean"(%1) {torch.onnx.axes = [1 : si64], torch.onnx.keepdims = 0 : si64} : (!torch.vtensor<[2,4,6],f32>) -> !torch.vtensor<[2,6],f32> 
    return %2 : !torch.vtensor<[2,6],f32>
  }
}

