module attributes {stream.affinity.default = #hal.device.affinity<@__device_0>, tosa.target_env = #tosa.target_env<specification_version = "1.0", level = none, profiles = [pro_int, pro_fp], extensions = [dynamic, doubleround]>} {
  util.global private @__device_0 = #hal.device.target<"local", [#hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "generic", cpu_features = "", data_layout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128", iree.encoding.resolver = #iree_cpu.cpu_encoding_resolver<>, max_stack_allocation_size = 32768 : i64, native_vector_size = 16 : i64, target_triple = "x86_64-unknown-unknown-eabi-elf"}>]> : !hal.device
  flow.executable private @f_dispatch_0 {
    flow.executable.export public @f_dispatch_0_slow_memcpy workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f_dispatch_0_slow_memcpy(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x8x8x3xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<readwrite:tensor<2x10x10x3xf32>>) {
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0, 0, 0], sizes = [2, 8, 8, 3], strides = [1, 1, 1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x8x8x3xf32>> -> tensor<2x8x8x3xf32>
        iree_tensor_ext.dispatch.tensor.store %0, %arg1, offsets = [0, 1, 1, 0], sizes = [2, 8, 8, 3], strides = [1, 1, 1, 1] : tensor<2x8x8x3xf32> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<2x10x10x3xf32>>
        return
      }
    }
  }
  flow.executable private @f_dispatch_1 {
    flow.executable.export public @f_dispatch_1_conv_2x8x8x4x3x3x3_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f_dispatch_1_conv_2x8x8x4x3x3x3_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x10x10x3xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x3x3x3xf32>>, %arg2: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>, %arg3: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x8x8x4xf32>>) {
        %cst = arith.constant 3.40282347E+38 : f32
        %cst_0 = arith.constant 0.000000e+00 : f32
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0, 0, 0], sizes = [2, 10, 10, 3], strides = [1, 1, 1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x10x10x3xf32>> -> tensor<2x10x10x3xf32>
        %1 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [0, 0, 0, 0], sizes = [4, 3, 3, 3], strides = [1, 1, 1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x3x3x3xf32>> -> tensor<4x3x3x3xf32>
        %2 = iree_tensor_ext.dispatch.tensor.load %arg2, offsets = [0], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>> -> tensor<4xf32>
        %3 = tensor.empty() : tensor<2x8x8x4xf32>
        %4 = linalg.fill ins(%cst_0 : f32) outs(%3 : tensor<2x8x8x4xf32>) -> tensor<2x8x8x4xf32>
        %5 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 + d4, d2 + d5, d6)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d3, d4, d5, d6)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%0, %1 : tensor<2x10x10x3xf32>, tensor<4x3x3x3xf32>) outs(%4 : tensor<2x8x8x4xf32>) {
        ^bb0(%in: f32, %in_1: f32, %out: f32):
          %7 = arith.mulf %in, %in_1 : f32
          %8 = arith.addf %out, %7 : f32
          linalg.yield %8 : f32
        } -> tensor<2x8x8x4xf32>
        %6 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %2 : tensor<2x8x8x4xf32>, tensor<4xf32>) outs(%3 : tensor<2x8x8x4xf32>) {
        ^bb0(%in: f32, %in_1: f32, %out: f32):
          %7 = arith.addf %in, %in_1 : f32
          %8 = arith.minimumf %7, %cst : f32
          %9 = arith.maximumf %8, %cst_0 : f32
          linalg.yield %9 : f32
        } -> tensor<2x8x8x4xf32>
        iree_tensor_ext.dispatch.tensor.store %6, %arg3, offsets = [0, 0, 0, 0], sizes = [2, 8, 8, 4], strides = [1, 1, 1, 1] : tensor<2x8x8x4xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x8x8x4xf32>>
        return
      }
    }
  }
  flow.executable private @f_dispatch_2 {
    flow.executable.export public @f_dispatch_2_conv_2x4x4x4x2x2_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f_dispatch_2_conv_2x4x4x4x2x2_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x8x8x4xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x4x4x4xf32>>) {
        %cst = arith.constant -3.40282347E+38 : f32
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0, 0, 0], sizes = [2, 8, 8, 4], strides = [1, 1, 1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x8x8x4xf32>> -> tensor<2x8x8x4xf32>
        %1 = tensor.empty() : tensor<2x4x4x4xf32>
        %2 = tensor.empty() : tensor<2x2xf32>
        %3 = linalg.fill ins(%cst : f32) outs(%1 : tensor<2x4x4x4xf32>) -> tensor<2x4x4x4xf32>
        %4 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 * 2 + d4, d2 * 2 + d5, d3)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%0, %2 : tensor<2x8x8x4xf32>, tensor<2x2xf32>) outs(%3 : tensor<2x4x4x4xf32>) attrs =  {linalg.memoized_indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 * 2 + d4, d2 * 2 + d5, d3)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>]} {
        ^bb0(%in: f32, %in_0: f32, %out: f32):
          %5 = arith.maximumf %out, %in : f32
          linalg.yield %5 : f32
        } -> tensor<2x4x4x4xf32>
        iree_tensor_ext.dispatch.tensor.store %4, %arg1, offsets = [0, 0, 0, 0], sizes = [2, 4, 4, 4], strides = [1, 1, 1, 1] : tensor<2x4x4x4xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x4x4x4xf32>>
        return
      }
    }
  }
  flow.executable private @f_dispatch_3 {
    flow.executable.export public @f_dispatch_3_batch_matmul_1x2x5x64_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f_dispatch_3_batch_matmul_1x2x5x64_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x2x64xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x64x5xf32>>, %arg2: !iree_tensor_ext.dispatch.tensor<readonly:tensor<5xf32>>, %arg3: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1x2x5xf32>>) {
        %cst = arith.constant 0.000000e+00 : f32
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0, 0], sizes = [1, 2, 64], strides = [1, 1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x2x64xf32>> -> tensor<1x2x64xf32>
        %1 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [0, 0, 0], sizes = [1, 64, 5], strides = [1, 1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x64x5xf32>> -> tensor<1x64x5xf32>
        %2 = iree_tensor_ext.dispatch.tensor.load %arg2, offsets = [0], sizes = [5], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<5xf32>> -> tensor<5xf32>
        %3 = tensor.empty() : tensor<1x2x5xf32>
        %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<1x2x5xf32>) -> tensor<1x2x5xf32>
        %5 = linalg.batch_matmul ins(%0, %1 : tensor<1x2x64xf32>, tensor<1x64x5xf32>) outs(%4 : tensor<1x2x5xf32>) -> tensor<1x2x5xf32>
        %6 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5, %2 : tensor<1x2x5xf32>, tensor<5xf32>) outs(%3 : tensor<1x2x5xf32>) {
        ^bb0(%in: f32, %in_0: f32, %out: f32):
          %7 = arith.addf %in, %in_0 : f32
          linalg.yield %7 : f32
        } -> tensor<1x2x5xf32>
        iree_tensor_ext.dispatch.tensor.store %6, %arg3, offsets = [0, 0, 0], sizes = [1, 2, 5], strides = [1, 1, 1] : tensor<1x2x5xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1x2x5xf32>>
        return
      }
    }
  }
  util.func public @f(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view, %arg2: !hal.buffer_view, %arg3: !hal.buffer_view, %arg4: !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "sync func @f(%input0: tensor<2x8x8x3xf32>, %input1: tensor<4x3x3x3xf32>, %input2: tensor<4xf32>, %input3: tensor<64x5xf32>, %input4: tensor<1x5xf32>) -> (%output0: tensor<2x5xf32>)"}} {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = hal.tensor.import %arg0 "input0" : !hal.buffer_view -> tensor<2x8x8x3xf32>
    %1 = hal.tensor.import %arg1 "input1" : !hal.buffer_view -> tensor<4x3x3x3xf32>
    %2 = hal.tensor.import %arg2 "input2" : !hal.buffer_view -> tensor<4xf32>
    %3 = hal.tensor.import %arg3 "input3" : !hal.buffer_view -> tensor<64x5xf32>
    %4 = hal.tensor.import %arg4 "input4" : !hal.buffer_view -> tensor<1x5xf32>
    %5 = flow.tensor.splat %cst : tensor<2x10x10x3xf32>
    %6 = flow.dispatch @f_dispatch_0::@f_dispatch_0_slow_memcpy(%0, %5) : (tensor<2x8x8x3xf32>, tensor<2x10x10x3xf32>) -> %5
    %7 = flow.dispatch @f_dispatch_1::@f_dispatch_1_conv_2x8x8x4x3x3x3_f32(%6, %1, %2) : (tensor<2x10x10x3xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>) -> tensor<2x8x8x4xf32>
    %8 = flow.dispatch @f_dispatch_2::@f_dispatch_2_conv_2x4x4x4x2x2_f32(%7) : (tensor<2x8x8x4xf32>) -> tensor<2x4x4x4xf32>
    %9 = flow.tensor.reshape %8 : tensor<2x4x4x4xf32> -> tensor<1x2x64xf32>
    %10 = flow.tensor.reshape %3 : tensor<64x5xf32> -> tensor<1x64x5xf32>
    %11 = flow.tensor.reshape %4 : tensor<1x5xf32> -> tensor<5xf32>
    %12 = flow.dispatch @f_dispatch_3::@f_dispatch_3_batch_matmul_1x2x5x64_f32(%9, %10, %11) : (tensor<1x2x64xf32>, tensor<1x64x5xf32>, tensor<5xf32>) -> tensor<1x2x5xf32>
    %13 = flow.tensor.reshape %12 : tensor<1x2x5xf32> -> tensor<2x5xf32>
    %14 = hal.tensor.export %13 "output0" : tensor<2x5xf32> -> !hal.buffer_view
    util.return %14 : !hal.buffer_view
  }
}