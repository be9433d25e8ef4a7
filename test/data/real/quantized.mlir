module {
  func.func @f(%arg0: !torch.vtensor<[4,16],f32>) -> !torch.vtensor<[4,6],f32> attributes {torch.onnx_meta.ir_version = 9 : si64, torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.producer_name = "", torch.onnx_meta.producer_version = ""} {
    %0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense_resource<s0> : tensor<f32>} : () -> !torch.vtensor<[],f32> 
    %1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense_resource<z0> : tensor<ui8>} : () -> !torch.vtensor<[],ui8> 
    %2 = torch.operator "onnx.Constant"() {torch.onnx.value = dense_resource<w> : tensor<16x6xui8>} : () -> !torch.vtensor<[16,6],ui8> 
    %3 = torch.operator "onnx.Constant"() {torch.onnx.value = dense_resource<s1> : tensor<f32>} : () -> !torch.vtensor<[],f32> 
    %4 = torch.operator "onnx.Constant"() {torch.onnx.value = dense_resource<z1> : tensor<ui8>} : () -> !torch.vtensor<[],ui8> 
    %5 = torch.operator "onnx.Constant"() {torch.onnx.value = dense_resource<s2> : tensor<f32>} : () -> !torch.vtensor<[],f32> 
    %6 = torch.operator "onnx.Constant"() {torch.onnx.value = dense_resource<z2> : tensor<ui8>} : () -> !torch.vtensor<[],ui8> 
    %none = torch.constant.none
    %7 = torch.operator "onnx.QuantizeLinear"(%arg0, %0, %1) : (!torch.vtensor<[4,16],f32>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>) -> !torch.vtensor<[4,16],ui8> 
    %8 = torch.operator "onnx.QLinearMatMul"(%7, %0, %1, %2, %3, %4, %5, %6) : (!torch.vtensor<[4,16],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>, !torch.vtensor<[16,6],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>) -> !torch.vtensor<[4,6],ui8> 
    %9 = torch.operator "onnx.DequantizeLinear"(%8, %5, %6) : (!torch.vtensor<[4,6],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>) -> !torch.vtensor<[4,6],f32> 
    return %9 : !torch.vtensor<[4,6],f32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      s0: "0x080000000AD7A33C",
      z0: "0x0800000078",
      w: "0x080000007715B352EF8E2CCA6907A543E1801EBC5AF89735D37110AE4CEA8827C563029F3EDC7A19B655F39130CD6C0BA847E48322BF5EFB9A39D67513B150ED8C2AC86705A341DF7E1CBA58F69533D16F0EAC4AE88625C361009D3CDA7817B453F18F2E",
      s1: "0x080000000AD7233C",
      z1: "0x0800000083",
      s2: "0x08000000CDCC4C3D",
      z2: "0x080000006E"
    }
  }
#-}

