module attributes {stream.affinity.default = #hal.device.affinity<@__device_0>} {
  util.global private @__device_0 = #hal.device.target<"local", [#hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "generic", cpu_features = "", data_layout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128", iree.encoding.resolver = #iree_cpu.cpu_encoding_resolver<>, max_stack_allocation_size = 32768 : i64, native_vector_size = 16 : i64, target_triple = "x86_64-unknown-unknown-eabi-elf"}>]> : !hal.device
  flow.executable private @f$async_dispatch_0 {
    flow.executable.export public @f$async_dispatch_0_matmul_6x5x16_f16xf16xf32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f$async_dispatch_0_matmul_6x5x16_f16xf16xf32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<6x16xf16>>, %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<16x5xf16>>, %arg2: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<6x5xf16>>) {
        %cst = arith.constant 0.000000e+00 : f32
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [6, 16], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<6x16xf16>> -> tensor<6x16xf16>
        %1 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [0, 0], sizes = [16, 5], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<16x5xf16>> -> tensor<16x5xf16>
        %2 = tensor.empty() : tensor<6x5xf16>
        %3 = tensor.empty() : tensor<6x5xf32>
        %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<6x5xf32>) -> tensor<6x5xf32>
        %5 = linalg.matmul ins(%0, %1 : tensor<6x16xf16>, tensor<16x5xf16>) outs(%4 : tensor<6x5xf32>) -> tensor<6x5xf32>
        %6 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<6x5xf32>) outs(%2 : tensor<6x5xf16>) {
        ^bb0(%in: f32, %out: f16):
          %7 = arith.truncf %in : f32 to f16
          linalg.yield %7 : f16
        } -> tensor<6x5xf16>
        iree_tensor_ext.dispatch.tensor.store %6, %arg2, offsets = [0, 0], sizes = [6, 5], strides = [1, 1] : tensor<6x5xf16> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<6x5xf16>>
        return
      }
    }
  }
  flow.executable private @f$async_dispatch_1 {
    flow.executable.export public @f$async_dispatch_1_reduction_6x5_f16xf32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f$async_dispatch_1_reduction_6x5_f16xf32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<6x5xf16>>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<6xf32>>) {
        %cst = arith.constant 0.000000e+00 : f32
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [6, 5], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<6x5xf16>> -> tensor<6x5xf16>
        %1 = tensor.empty() : tensor<6xf32>
        %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<6xf32>) -> tensor<6xf32>
        %3 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<6x5xf16>) outs(%2 : tensor<6xf32>) {
        ^bb0(%in: f16, %out: f32):
          %4 = arith.extf %in : f16 to f32
          %5 = arith.addf %4, %out : f32
          linalg.yield %5 : f32
        } -> tensor<6xf32>
        iree_tensor_ext.dispatch.tensor.store %3, %arg1, offsets = [0], sizes = [6], strides = [1] : tensor<6xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<6xf32>>
        return
      }
    }
  }
  util.func public @f$async(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view, %arg2: !hal.fence, %arg3: !hal.fence) -> (!hal.buffer_view, !hal.buffer_view) attributes {inlining_policy = #util.inline.never, iree.abi.model = "coarse-fences", iree.abi.stub} {
    %0 = hal.tensor.import wait(%arg2) => %arg0 : !hal.buffer_view -> tensor<6x16xf16>
    %1 = hal.tensor.import wait(%arg2) => %arg1 : !hal.buffer_view -> tensor<16x5xf16>
    %2 = flow.dispatch @f$async_dispatch_0::@f$async_dispatch_0_matmul_6x5x16_f16xf16xf32(%0, %1) : (tensor<6x16xf16>, tensor<16x5xf16>) -> tensor<6x5xf16>
    %3 = flow.dispatch @f$async_dispatch_1::@f$async_dispatch_1_reduction_6x5_f16xf32(%2) : (tensor<6x5xf16>) -> tensor<6xf32>
    %4:2 = hal.tensor.barrier join(%2, %3 : tensor<6x5xf16>, tensor<6xf32>) => %arg3 : !hal.fence
    %5 = hal.tensor.export %4#0 : tensor<6x5xf16> -> !hal.buffer_view
    %6 = hal.tensor.export %4#1 : tensor<6xf32> -> !hal.buffer_view
    util.return %5, %6 : !hal.buffer_view, !hal.buffer_view
  }
  util.func public @f(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view) -> (!hal.buffer_view, !hal.buffer_view) attributes {iree.abi.stub} {
    %0 = util.null : !hal.fence
    %c-1_i32 = arith.constant -1 : i32
    %c0 = arith.constant 0 : index
    %device_0 = hal.devices.get %c0 : !hal.device
    %fence = hal.fence.create device(%device_0 : !hal.device) flags("None") : !hal.fence
    %1:2 = util.call @f$async(%arg0, %arg1, %0, %fence) : (!hal.buffer_view, !hal.buffer_view, !hal.fence, !hal.fence) -> (!hal.buffer_view, !hal.buffer_view)
    %status = hal.fence.await until([%fence]) timeout_millis(%c-1_i32) flags("None") : i32
    util.return %1#0, %1#1 : !hal.buffer_view, !hal.buffer_view
  }
}