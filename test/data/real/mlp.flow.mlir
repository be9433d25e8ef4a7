module attributes {stream.affinity.default = #hal.device.affinity<@__device_0>} {
  util.global private @__device_0 = #hal.device.target<"local", [#hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "generic", cpu_features = "", data_layout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128", iree.encoding.resolver = #iree_cpu.cpu_encoding_resolver<>, max_stack_allocation_size = 32768 : i64, native_vector_size = 16 : i64, target_triple = "x86_64-unknown-unknown-eabi-elf"}>]> : !hal.device
  flow.executable private @f$async_dispatch_0 {
    flow.executable.export public @f$async_dispatch_0_matmul_4x8x16_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f$async_dispatch_0_matmul_4x8x16_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x16xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<16x8xf32>>, %arg2: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x8xf32>>) {
        %cst = arith.constant 0.000000e+00 : f32
        %cst_0 = arith.constant dense<[-0.56786406, 1.90427196, 0.376407862, -1.15145624, 1.32067978, -0.20718427, -1.73504829, 0.737087666]> : tensor<8xf32>
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [4, 16], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x16xf32>> -> tensor<4x16xf32>
        %1 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [0, 0], sizes = [16, 8], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<16x8xf32>> -> tensor<16x8xf32>
        %2 = tensor.empty() : tensor<4x8xf32>
        %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<4x8xf32>) -> tensor<4x8xf32>
        %4 = linalg.matmul ins(%0, %1 : tensor<4x16xf32>, tensor<16x8xf32>) outs(%3 : tensor<4x8xf32>) -> tensor<4x8xf32>
        %5 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%4, %cst_0 : tensor<4x8xf32>, tensor<8xf32>) outs(%2 : tensor<4x8xf32>) {
        ^bb0(%in: f32, %in_1: f32, %out: f32):
          %6 = arith.addf %in, %in_1 : f32
          %7 = arith.cmpf ugt, %6, %cst : f32
          %8 = arith.select %7, %6, %cst : f32
          linalg.yield %8 : f32
        } -> tensor<4x8xf32>
        iree_tensor_ext.dispatch.tensor.store %5, %arg2, offsets = [0, 0], sizes = [4, 8], strides = [1, 1] : tensor<4x8xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x8xf32>>
        return
      }
    }
  }
  flow.executable private @f$async_dispatch_1 {
    flow.executable.export public @f$async_dispatch_1_matmul_4x5x8_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f$async_dispatch_1_matmul_4x5x8_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x8xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x5xf32>>) {
        %cst = arith.constant dense<[[0.912135958, -0.61572808, 1.85640788, 0.328543812, -1.1993202], [1.2728157, -0.255048305, -1.78291237, 0.689223587, -0.838640451], [1.63349545, 0.105631463, -1.42223263, 1.04990339, -0.477960676], [1.99417531, 0.466311246, -1.06155276, 1.41058314, -0.1172809], [-1.64514494, 8.269910e-01, -7.008730e-01, 1.77126288, 0.243398875], [-1.28446519, 1.18767083, -0.340193272, -1.86805725, 0.60407865], [-0.923785388, 1.54835057, 0.020486515, -1.50737751, 0.964758396], [-0.563105643, 1.90903032, 0.381166279, -1.14669776, 1.32543814]]> : tensor<8x5xf32>
        %cst_0 = arith.constant 0.000000e+00 : f32
        %cst_1 = arith.constant dense<[-1.60786402, 0.864271938, -0.663592159, 1.8085438, 0.280679762]> : tensor<5xf32>
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [4, 8], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x8xf32>> -> tensor<4x8xf32>
        %1 = tensor.empty() : tensor<4x5xf32>
        %2 = linalg.fill ins(%cst_0 : f32) outs(%1 : tensor<4x5xf32>) -> tensor<4x5xf32>
        %3 = linalg.matmul ins(%0, %cst : tensor<4x8xf32>, tensor<8x5xf32>) outs(%2 : tensor<4x5xf32>) -> tensor<4x5xf32>
        %4 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%3, %cst_1 : tensor<4x5xf32>, tensor<5xf32>) outs(%1 : tensor<4x5xf32>) {
        ^bb0(%in: f32, %in_2: f32, %out: f32):
          %5 = arith.addf %in, %in_2 : f32
          linalg.yield %5 : f32
        } -> tensor<4x5xf32>
        iree_tensor_ext.dispatch.tensor.store %4, %arg1, offsets = [0, 0], sizes = [4, 5], strides = [1, 1] : tensor<4x5xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x5xf32>>
        return
      }
    }
  }
  flow.executable private @f$async_dispatch_2 {
    flow.executable.export public @f$async_dispatch_2_softmax_4x5xf32_dispatch_tensor_store workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f$async_dispatch_2_softmax_4x5xf32_dispatch_tensor_store(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x5xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x5xf32>>) {
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [4, 5], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x5xf32>> -> tensor<4x5xf32>
        %1 = tensor.empty() : tensor<4x5xf32>
        %2 = linalg.softmax dimension(1) ins(%0 : tensor<4x5xf32>) outs(%1 : tensor<4x5xf32>) -> tensor<4x5xf32>
        iree_tensor_ext.dispatch.tensor.store %2, %arg1, offsets = [0, 0], sizes = [4, 5], strides = [1, 1] : tensor<4x5xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x5xf32>>
        return
      }
    }
  }
  util.global private @__constant_tensor_16x8xf32 <inlining_policy = #util.inline.never> {stream.affinity.default = #hal.device.affinity<@__device_0>} = dense<"0x97DFF93F2B3AD93E82428DBF722CAF3FD72423BEA7F5D7BF98F2483F812F3EBF3357DD3F33314E3EE6CAA9BF0DA4923FFDB3C3BE0C7EF4BFCFE10F3F4A4077BFCECEC03F858FB0BC4B53C6BF52376C3FC7EA1ABF90F9EE3F0DA2AD3E892898BF6A46A43F14557ABEAFDBE2BF8926333F90FB53BF2B71D23FEC01EE3DEEB0B4BF06BE873F1C4CEFBE1364FFBF802BF43E2D8686BFC7E8B53F5A84DABD5239D1BF436B563FD7B630BF8813E43FEE09823E910EA3BF6360993FA8C2A8BEB7C1EDBF7A5A1D3F9FC769BF248BC73FCD85FE3CF596BFBFFCAF793F1D720DBFE5B5F53F6293C83E346C91BFBF02AB3F6A7244BE5A1FDCBF339F403FE68246BF812DD93FA0E32C3E99F4ADBF5B7A8E3FC65AD4BEBEA7F8BF6B8E073FAF937FBF1CA5BC3F0C7E5DBDFD7CCABFEDE3633F2C3E23BFDDCFEA3F44FB9C3E3C529CBFB81CA03F53D18DBE6105E7BF24D32A3FF54E5CBF7947CE3FC866AB3DA0DAB8BF5394833FE5F2FFBE3A72FC3FB784E33EDFAF8ABF15BFB13FBF8F0EBE0463D5BFDE174E3F3B0A39BFD6E9DF3F4AC6623E4338A7BFB036953F7169B9BE69EBF1BF1507153F041B72BF7161C33F626CBEBAA8C0C3BF985C713F81C515BF338CF13F99ECB73EE69595BF0DD9A63FFCBF65BE0C49E0BFCF4B383F4AD64EBFCE03D53F0E960B3E4B1EB2BFA9508A3F9001E5BE70D1FCBF0C76FE3E8AF383BF6A7BB83F2B5AB1BD"> : tensor<16x8xf32>
  util.func public @f$async(%arg0: !hal.buffer_view, %arg1: !hal.fence, %arg2: !hal.fence) -> !hal.buffer_view attributes {inlining_policy = #util.inline.never, iree.abi.model = "coarse-fences", iree.abi.stub} {
    %__constant_tensor_16x8xf32 = util.global.load immutable @__constant_tensor_16x8xf32 : tensor<16x8xf32>
    %0 = hal.tensor.import wait(%arg1) => %arg0 : !hal.buffer_view -> tensor<4x16xf32>
    %1 = flow.dispatch @f$async_dispatch_0::@f$async_dispatch_0_matmul_4x8x16_f32(%0, %__constant_tensor_16x8xf32) : (tensor<4x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
    %2 = flow.dispatch @f$async_dispatch_1::@f$async_dispatch_1_matmul_4x5x8_f32(%1) : (tensor<4x8xf32>) -> tensor<4x5xf32>
    %3 = flow.dispatch @f$async_dispatch_2::@f$async_dispatch_2_softmax_4x5xf32_dispatch_tensor_store(%2) : (tensor<4x5xf32>) -> tensor<4x5xf32>
    %4 = hal.tensor.barrier join(%3 : tensor<4x5xf32>) => %arg2 : !hal.fence
    %5 = hal.tensor.export %4 : tensor<4x5xf32> -> !hal.buffer_view
    util.return %5 : !hal.buffer_view
  }
  util.func public @f(%arg0: !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub} {
    %0 = util.null : !hal.fence
    %c-1_i32 = arith.constant -1 : i32
    %c0 = arith.constant 0 : index
    %device_0 = hal.devices.get %c0 : !hal.device
    %fence = hal.fence.create device(%device_0 : !hal.device) flags("None") : !hal.fence
    %1 = util.call @f$async(%arg0, %0, %fence) : (!hal.buffer_view, !hal.fence, !hal.fence) -> !hal.buffer_view
    %status = hal.fence.await until([%fence]) timeout_millis(%c-1_i32) flags("None") : i32
    util.return %1 : !hal.buffer_view
  }
}