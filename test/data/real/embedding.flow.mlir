module attributes {stream.affinity.default = #hal.device.affinity<@__device_0>} {
  util.global private @__device_0 = #hal.device.target<"local", [#hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "generic", cpu_features = "", data_layout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128", iree.encoding.resolver = #iree_cpu.cpu_encoding_resolver<>, max_stack_allocation_size = 32768 : i64, native_vector_size = 16 : i64, target_triple = "x86_64-unknown-unknown-eabi-elf"}>]> : !hal.device
  flow.executable private @f$async_dispatch_0 {
    flow.executable.export public @f$async_dispatch_0_elementwise_8_i64 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f$async_dispatch_0_elementwise_8_i64(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xi64>>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8xi64>>) {
        %c10_i64 = arith.constant 10 : i64
        %c0_i64 = arith.constant 0 : i64
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0], sizes = [8], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xi64>> -> tensor<8xi64>
        %1 = tensor.empty() : tensor<8xi64>
        %2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%0 : tensor<8xi64>) outs(%1 : tensor<8xi64>) {
        ^bb0(%in: i64, %out: i64):
          %3 = arith.addi %in, %c10_i64 : i64
          %4 = arith.cmpi slt, %in, %c0_i64 : i64
          %5 = arith.select %4, %3, %in : i64
          linalg.yield %5 : i64
        } -> tensor<8xi64>
        iree_tensor_ext.dispatch.tensor.store %2, %arg1, offsets = [0], sizes = [8], strides = [1] : tensor<8xi64> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8xi64>>
        return
      }
    }
  }
  flow.executable private @f$async_dispatch_1 {
    flow.executable.export public @f$async_dispatch_1_reduction_2x6x4_i64xf32xf32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f$async_dispatch_1_reduction_2x6x4_i64xf32xf32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<10x6xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x4xi64>>, %arg2: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x6xf32>>, %arg3: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x6xf32>>) {
        %cst = arith.constant 0.000000e+00 : f32
        %cst_0 = arith.constant 4.000000e+00 : f32
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [10, 6], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<10x6xf32>> -> tensor<10x6xf32>
        %1 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [0, 0], sizes = [2, 4], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x4xi64>> -> tensor<2x4xi64>
        %2 = iree_tensor_ext.dispatch.tensor.load %arg2, offsets = [0, 0], sizes = [4, 6], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x6xf32>> -> tensor<4x6xf32>
        %3 = tensor.empty() : tensor<2x6xf32>
        %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<2x6xf32>) -> tensor<2x6xf32>
        %5 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1, %2 : tensor<2x4xi64>, tensor<4x6xf32>) outs(%4 : tensor<2x6xf32>) {
        ^bb0(%in: i64, %in_1: f32, %out: f32):
          %7 = linalg.index 1 : index
          %8 = arith.index_cast %in : i64 to index
          %extracted = tensor.extract %0[%8, %7] : tensor<10x6xf32>
          %9 = arith.addf %extracted, %in_1 : f32
          %10 = arith.addf %9, %out : f32
          linalg.yield %10 : f32
        } -> tensor<2x6xf32>
        %6 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<2x6xf32>) outs(%3 : tensor<2x6xf32>) {
        ^bb0(%in: f32, %out: f32):
          %7 = arith.divf %in, %cst_0 : f32
          linalg.yield %7 : f32
        } -> tensor<2x6xf32>
        iree_tensor_ext.dispatch.tensor.store %6, %arg3, offsets = [0, 0], sizes = [2, 6], strides = [1, 1] : tensor<2x6xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x6xf32>>
        return
      }
    }
  }
  util.func public @f$async(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view, %arg2: !hal.buffer_view, %arg3: !hal.fence, %arg4: !hal.fence) -> !hal.buffer_view attributes {inlining_policy = #util.inline.never, iree.abi.model = "coarse-fences", iree.abi.stub} {
    %0 = hal.tensor.import wait(%arg3) => %arg0 : !hal.buffer_view -> tensor<2x4xi64>
    %1 = hal.tensor.import wait(%arg3) => %arg1 : !hal.buffer_view -> tensor<10x6xf32>
    %2 = hal.tensor.import wait(%arg3) => %arg2 : !hal.buffer_view -> tensor<4x6xf32>
    %3 = flow.tensor.reshape %0 : tensor<2x4xi64> -> tensor<8xi64>
    %4 = flow.dispatch @f$async_dispatch_0::@f$async_dispatch_0_elementwise_8_i64(%3) : (tensor<8xi64>) -> tensor<8xi64>
    %5 = flow.tensor.reshape %4 : tensor<8xi64> -> tensor<2x4xi64>
    %6 = flow.dispatch @f$async_dispatch_1::@f$async_dispatch_1_reduction_2x6x4_i64xf32xf32(%1, %5, %2) : (tensor<10x6xf32>, tensor<2x4xi64>, tensor<4x6xf32>) -> tensor<2x6xf32>
    %7 = hal.tensor.barrier join(%6 : tensor<2x6xf32>) => %arg4 : !hal.fence
    %8 = hal.tensor.export %7 : tensor<2x6xf32> -> !hal.buffer_view
    util.return %8 : !hal.buffer_view
  }
  util.func public @f(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view, %arg2: !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub} {
    %0 = util.null : !hal.fence
    %c-1_i32 = arith.constant -1 : i32
    %c0 = arith.constant 0 : index
    %device_0 = hal.devices.get %c0 : !hal.device
    %fence = hal.fence.create device(%device_0 : !hal.device) flags("None") : !hal.fence
    %1 = util.call @f$async(%arg0, %arg1, %arg2, %0, %fence) : (!hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.fence, !hal.fence) -> !hal.buffer_view
    %status = hal.fence.await until([%fence]) timeout_millis(%c-1_i32) flags("None") : i32
    util.return %1 : !hal.buffer_view
  }
}