module attributes {stream.affinity.default = #hal.device.affinity<@__device_0>} {
  util.global private @__device_0 = #hal.device.target<"local", [#hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "generic", cpu_features = "", data_layout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128", iree.encoding.resolver = #iree_cpu.cpu_encoding_resolver<>, max_stack_allocation_size = 32768 : i64, native_vector_size = 16 : i64, target_triple = "x86_64-unknown-unknown-eabi-elf"}>]> : !hal.device
  flow.executable private @f$async_dispatch_0 {
    flow.executable.export public @f$async_dispatch_0_slow_memcpy workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f$async_dispatch_0_slow_memcpy(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x6x6xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<readwrite:tensor<4x8x8xf32>>) {
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0, 0], sizes = [4, 6, 6], strides = [1, 1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x6x6xf32>> -> tensor<4x6x6xf32>
        iree_tensor_ext.dispatch.tensor.store %0, %arg1, offsets = [0, 1, 1], sizes = [4, 6, 6], strides = [1, 1, 1] : tensor<4x6x6xf32> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<4x8x8xf32>>
        return
      }
    }
  }
  flow.executable private @f$async_dispatch_1 {
    flow.executable.export public @f$async_dispatch_1_conv_6x6x4x3x3_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f$async_dispatch_1_conv_6x6x4x3x3_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x4xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x8x8xf32>>, %arg2: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x3x3xf32>>, %arg3: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x6x6xf32>>) {
        %cst = arith.constant 9.99999974E-6 : f32
        %cst_0 = arith.constant 3.000000e+00 : f32
        %cst_1 = arith.constant 0.000000e+00 : f32
        %cst_2 = arith.constant 6.000000e+00 : f32
        %0 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [0, 0, 0], sizes = [4, 8, 8], strides = [1, 1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x8x8xf32>> -> tensor<4x8x8xf32>
        %1 = iree_tensor_ext.dispatch.tensor.load %arg2, offsets = [0, 0, 0], sizes = [4, 3, 3], strides = [1, 1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x3x3xf32>> -> tensor<4x3x3xf32>
        %2 = tensor.empty() : tensor<4x6x6xf32>
        %3 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [1, 0], sizes = [1, 4], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x4xf32>> -> tensor<4xf32>
        %4 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [1, 4], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x4xf32>> -> tensor<4xf32>
        %5 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [3, 0], sizes = [1, 4], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x4xf32>> -> tensor<4xf32>
        %6 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [2, 0], sizes = [1, 4], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x4xf32>> -> tensor<4xf32>
        %7 = linalg.fill ins(%cst_1 : f32) outs(%2 : tensor<4x6x6xf32>) -> tensor<4x6x6xf32>
        %8 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d2, d0 + d3, d1 + d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d2, d0, d1)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%0, %1 : tensor<4x8x8xf32>, tensor<4x3x3xf32>) outs(%7 : tensor<4x6x6xf32>) {
        ^bb0(%in: f32, %in_3: f32, %out: f32):
          %10 = arith.mulf %in, %in_3 : f32
          %11 = arith.addf %out, %10 : f32
          linalg.yield %11 : f32
        } -> tensor<4x6x6xf32>
        %9 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0)>, affine_map<(d0, d1, d2) -> (d0)>, affine_map<(d0, d1, d2) -> (d0)>, affine_map<(d0, d1, d2) -> (d0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %6, %5, %4, %3 : tensor<4x6x6xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) outs(%2 : tensor<4x6x6xf32>) {
        ^bb0(%in: f32, %in_3: f32, %in_4: f32, %in_5: f32, %in_6: f32, %out: f32):
          %10 = math.absf %in_4 : f32
          %11 = arith.addf %10, %cst : f32
          %12 = math.rsqrt %11 : f32
          %13 = arith.subf %in, %in_3 : f32
          %14 = arith.mulf %13, %12 : f32
          %15 = arith.mulf %14, %in_5 : f32
          %16 = arith.addf %15, %in_6 : f32
          %17 = arith.addf %16, %cst_0 : f32
          %18 = arith.cmpf ugt, %17, %cst_1 : f32
          %19 = arith.select %18, %17, %cst_1 : f32
          %20 = arith.cmpf olt, %19, %cst_2 : f32
          %21 = arith.select %20, %19, %cst_2 : f32
          %22 = arith.divf %21, %cst_2 : f32
          %23 = arith.mulf %22, %16 : f32
          linalg.yield %23 : f32
        } -> tensor<4x6x6xf32>
        iree_tensor_ext.dispatch.tensor.store %9, %arg3, offsets = [0, 0, 0], sizes = [4, 6, 6], strides = [1, 1, 1] : tensor<4x6x6xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x6x6xf32>>
        return
      }
    }
  }
  flow.executable private @f$async_dispatch_2 {
    flow.executable.export public @f$async_dispatch_2_matmul_like_3x36x4_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f$async_dispatch_2_matmul_like_3x36x4_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x36xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<3x4xf32>>, %arg2: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<3x36xf32>>) {
        %cst = arith.constant 0.000000e+00 : f32
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [4, 36], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x36xf32>> -> tensor<4x36xf32>
        %1 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [0, 0], sizes = [3, 4], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<3x4xf32>> -> tensor<3x4xf32>
        %2 = tensor.empty() : tensor<3x36xf32>
        %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<3x36xf32>) -> tensor<3x36xf32>
        %4 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%0, %1 : tensor<4x36xf32>, tensor<3x4xf32>) outs(%3 : tensor<3x36xf32>) {
        ^bb0(%in: f32, %in_0: f32, %out: f32):
          %5 = arith.mulf %in, %in_0 : f32
          %6 = arith.addf %out, %5 : f32
          linalg.yield %6 : f32
        } -> tensor<3x36xf32>
        iree_tensor_ext.dispatch.tensor.store %4, %arg2, offsets = [0, 0], sizes = [3, 36], strides = [1, 1] : tensor<3x36xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<3x36xf32>>
        return
      }
    }
  }
  flow.executable private @f$async_dispatch_3 {
    flow.executable.export public @f$async_dispatch_3_reduction_3x36_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f$async_dispatch_3_reduction_3x36_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<3x36xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<3xf32>>) {
        %cst = arith.constant 0.000000e+00 : f32
        %cst_0 = arith.constant 3.600000e+01 : f32
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [3, 36], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<3x36xf32>> -> tensor<3x36xf32>
        %1 = tensor.empty() : tensor<3xf32>
        %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<3xf32>) -> tensor<3xf32>
        %3 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<3x36xf32>) outs(%2 : tensor<3xf32>) {
        ^bb0(%in: f32, %out: f32):
          %5 = arith.addf %out, %in : f32
          linalg.yield %5 : f32
        } -> tensor<3xf32>
        %4 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%3 : tensor<3xf32>) outs(%1 : tensor<3xf32>) {
        ^bb0(%in: f32, %out: f32):
          %5 = arith.divf %in, %cst_0 : f32
          linalg.yield %5 : f32
        } -> tensor<3xf32>
        iree_tensor_ext.dispatch.tensor.store %4, %arg1, offsets = [0], sizes = [3], strides = [1] : tensor<3xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<3xf32>>
        return
      }
    }
  }
  util.func public @f$async(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view, %arg2: !hal.buffer_view, %arg3: !hal.buffer_view, %arg4: !hal.fence, %arg5: !hal.fence) -> !hal.buffer_view attributes {inlining_policy = #util.inline.never, iree.abi.model = "coarse-fences", iree.abi.stub} {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = hal.tensor.import wait(%arg4) => %arg0 : !hal.buffer_view -> tensor<1x4x6x6xf32>
    %1 = hal.tensor.import wait(%arg4) => %arg1 : !hal.buffer_view -> tensor<4x1x3x3xf32>
    %2 = hal.tensor.import wait(%arg4) => %arg2 : !hal.buffer_view -> tensor<4x4xf32>
    %3 = hal.tensor.import wait(%arg4) => %arg3 : !hal.buffer_view -> tensor<3x4x1x1xf32>
    %4 = flow.tensor.reshape %0 : tensor<1x4x6x6xf32> -> tensor<4x6x6xf32>
    %5 = flow.tensor.splat %cst : tensor<4x8x8xf32>
    %6 = flow.dispatch @f$async_dispatch_0::@f$async_dispatch_0_slow_memcpy(%4, %5) : (tensor<4x6x6xf32>, tensor<4x8x8xf32>) -> %5
    %7 = flow.tensor.reshape %1 : tensor<4x1x3x3xf32> -> tensor<4x3x3xf32>
    %8 = flow.dispatch @f$async_dispatch_1::@f$async_dispatch_1_conv_6x6x4x3x3_f32(%2, %6, %7) : (tensor<4x4xf32>, tensor<4x8x8xf32>, tensor<4x3x3xf32>) -> tensor<4x6x6xf32>
    %9 = flow.tensor.reshape %3 : tensor<3x4x1x1xf32> -> tensor<3x4xf32>
    %10 = flow.tensor.reshape %8 : tensor<4x6x6xf32> -> tensor<4x36xf32>
    %11 = flow.dispatch @f$async_dispatch_2::@f$async_dispatch_2_matmul_like_3x36x4_f32(%10, %9) : (tensor<4x36xf32>, tensor<3x4xf32>) -> tensor<3x36xf32>
    %12 = flow.dispatch @f$async_dispatch_3::@f$async_dispatch_3_reduction_3x36_f32(%11) : (tensor<3x36xf32>) -> tensor<3xf32>
    %13 = flow.tensor.reshape %12 : tensor<3xf32> -> tensor<1x3xf32>
    %14 = hal.tensor.barrier join(%13 : tensor<1x3xf32>) => %arg5 : !hal.fence
    %15 = hal.tensor.export %14 : tensor<1x3xf32> -> !hal.buffer_view
    util.return %15 : !hal.buffer_view
  }
  util.func public @f(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view, %arg2: !hal.buffer_view, %arg3: !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub} {
    %0 = util.null : !hal.fence
    %c-1_i32 = arith.constant -1 : i32
    %c0 = arith.constant 0 : index
    %device_0 = hal.devices.get %c0 : !hal.device
    %fence = hal.fence.create device(%device_0 : !hal.device) flags("None") : !hal.fence
    %1 = util.call @f$async(%arg0, %arg1, %arg2, %arg3, %0, %fence) : (!hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.fence, !hal.fence) -> !hal.buffer_view
    %status = hal.fence.await until([%fence]) timeout_millis(%c-1_i32) flags("None") : i32
    util.return %1 : !hal.buffer_view
  }
}