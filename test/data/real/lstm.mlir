module {
  func.func @f(%arg0: !torch.vtensor<[3,2,3],f32>, %arg1: !torch.vtensor<[1,16,3],f32>, %arg2: !torch.vtensor<[1,16,4],f32>, %arg3: !torch.vtensor<[1,32],f32>) -> (!torch.vtensor<[3,1,2,4],f32>, !torch.vtensor<[1,2,4],f32>, !torch.vtensor<[1,2,4],f32>) attributes {torch.onnx_meta.ir_version = 9 : si64, torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.producer_name = "", torch.onnx_meta.producer_version = ""} {
    %none = torch.constant.none
    %0:3 = torch.operator "onnx.LSTM"(%arg0, %arg1, %arg2, %arg3) {torch.onnx.hidden_size = 4 : si64} : (!torch.vtensor<[3,2,3],f32>, !torch.vtensor<[1,16,3],f32>, !torch.vtensor<[1,16,4],f32>, !torch.vtensor<[1,32],f32>) -> (!torch.vtensor<[3,1,2,4],f32>, !torch.vtensor<[1,2,4],f32>, !torch.vtensor<[1,2,4],f32>) 
    return %0#0, %0#1, %0#2 : !torch.vtensor<[3,1,2,4],f32>, !torch.vtensor<[1,2,4],f32>, !torch.vtensor<[1,2,4],f32>
  }
}

