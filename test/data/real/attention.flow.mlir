module attributes {stream.affinity.default = #hal.device.affinity<@__device_0>} {
  util.global private @__device_0 = #hal.device.target<"local", [#hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "generic", cpu_features = "", data_layout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128", iree.encoding.resolver = #iree_cpu.cpu_encoding_resolver<>, max_stack_allocation_size = 32768 : i64, native_vector_size = 16 : i64, target_triple = "x86_64-unknown-unknown-eabi-elf"}>]> : !hal.device
  flow.executable private @f$async_dispatch_0 {
    flow.executable.export public @f$async_dispatch_0_matmul_5x24x8_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f$async_dispatch_0_matmul_5x24x8_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<5x8xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<8x24xf32>>, %arg2: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<5x24xf32>>) {
        %cst = arith.constant 0.000000e+00 : f32
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [5, 8], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<5x8xf32>> -> tensor<5x8xf32>
        %1 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [0, 0], sizes = [8, 24], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<8x24xf32>> -> tensor<8x24xf32>
        %2 = tensor.empty() : tensor<5x24xf32>
        %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<5x24xf32>) -> tensor<5x24xf32>
        %4 = linalg.matmul ins(%0, %1 : tensor<5x8xf32>, tensor<8x24xf32>) outs(%3 : tensor<5x24xf32>) -> tensor<5x24xf32>
        iree_tensor_ext.dispatch.tensor.store %4, %arg2, offsets = [0, 0], sizes = [5, 24], strides = [1, 1] : tensor<5x24xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<5x24xf32>>
        return
      }
    }
  }
  flow.executable private @f$async_dispatch_1 {
    flow.executable.export public @f$async_dispatch_1_transpose_5x6x4_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f$async_dispatch_1_transpose_5x6x4_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<5x6x4xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<6x5x4xf32>>) {
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0, 0], sizes = [5, 6, 4], strides = [1, 1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<5x6x4xf32>> -> tensor<5x6x4xf32>
        %1 = tensor.empty() : tensor<6x5x4xf32>
        %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d1, d0, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%0 : tensor<5x6x4xf32>) outs(%1 : tensor<6x5x4xf32>) {
        ^bb0(%in: f32, %out: f32):
          linalg.yield %in : f32
        } -> tensor<6x5x4xf32>
        iree_tensor_ext.dispatch.tensor.store %2, %arg1, offsets = [0, 0, 0], sizes = [6, 5, 4], strides = [1, 1, 1] : tensor<6x5x4xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<6x5x4xf32>>
        return
      }
    }
  }
  flow.executable private @f$async_dispatch_2 {
    flow.executable.export public @f$async_dispatch_2_batch_matmul_2x5x5x4_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f$async_dispatch_2_batch_matmul_2x5x5x4_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<3x2x5x4xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x5x5xf32>>) {
        %cst = arith.constant 0.000000e+00 : f32
        %cst_0 = arith.constant 5.000000e-01 : f32
        %cst_1 = arith.constant 0xFF800000 : f32
        %cst_2 = arith.constant dense<[[true, false, false, false, false], [true, true, false, false, false], [true, true, true, false, false], [true, true, true, true, false], [true, true, true, true, true]]> : tensor<5x5xi1>
        %0 = tensor.empty() : tensor<2x5x5xf32>
        %1 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [1, 0, 0, 0], sizes = [1, 2, 5, 4], strides = [1, 1, 1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<3x2x5x4xf32>> -> tensor<2x5x4xf32>
        %2 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0, 0, 0], sizes = [1, 2, 5, 4], strides = [1, 1, 1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<3x2x5x4xf32>> -> tensor<2x5x4xf32>
        %3 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
        %4 = linalg.batch_matmul indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>] ins(%2, %1 : tensor<2x5x4xf32>, tensor<2x5x4xf32>) outs(%3 : tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
        %5 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_2, %4 : tensor<5x5xi1>, tensor<2x5x5xf32>) outs(%0 : tensor<2x5x5xf32>) {
        ^bb0(%in: i1, %in_3: f32, %out: f32):
          %6 = arith.mulf %in_3, %cst_0 : f32
          %7 = arith.select %in, %6, %cst_1 : f32
          linalg.yield %7 : f32
        } -> tensor<2x5x5xf32>
        iree_tensor_ext.dispatch.tensor.store %5, %arg1, offsets = [0, 0, 0], sizes = [2, 5, 5], strides = [1, 1, 1] : tensor<2x5x5xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x5x5xf32>>
        return
      }
    }
  }
  flow.executable private @f$async_dispatch_3 {
    flow.executable.export public @f$async_dispatch_3_softmax_2x5x5xf32_dispatch_tensor_store workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f$async_dispatch_3_softmax_2x5x5xf32_dispatch_tensor_store(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x5x5xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x5x5xf32>>) {
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0, 0], sizes = [2, 5, 5], strides = [1, 1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x5x5xf32>> -> tensor<2x5x5xf32>
        %1 = tensor.empty() : tensor<2x5x5xf32>
        %2 = linalg.softmax dimension(2) ins(%0 : tensor<2x5x5xf32>) outs(%1 : tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
        iree_tensor_ext.dispatch.tensor.store %2, %arg1, offsets = [0, 0, 0], sizes = [2, 5, 5], strides = [1, 1, 1] : tensor<2x5x5xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x5x5xf32>>
        return
      }
    }
  }
  flow.executable private @f$async_dispatch_4 {
    flow.executable.export public @f$async_dispatch_4_batch_matmul_2x5x4x5_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f$async_dispatch_4_batch_matmul_2x5x4x5_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<3x2x5x4xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x5x5xf32>>, %arg2: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<5x2x4xf32>>) {
        %cst = arith.constant 0.000000e+00 : f32
        %0 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [0, 0, 0], sizes = [2, 5, 5], strides = [1, 1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x5x5xf32>> -> tensor<2x5x5xf32>
        %1 = tensor.empty() : tensor<5x2x4xf32>
        %2 = tensor.empty() : tensor<2x5x4xf32>
        %3 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [2, 0, 0, 0], sizes = [1, 2, 5, 4], strides = [1, 1, 1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<3x2x5x4xf32>> -> tensor<2x5x4xf32>
        %4 = linalg.fill ins(%cst : f32) outs(%2 : tensor<2x5x4xf32>) -> tensor<2x5x4xf32>
        %5 = linalg.batch_matmul ins(%0, %3 : tensor<2x5x5xf32>, tensor<2x5x4xf32>) outs(%4 : tensor<2x5x4xf32>) -> tensor<2x5x4xf32>
        %6 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d1, d0, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<2x5x4xf32>) outs(%1 : tensor<5x2x4xf32>) {
        ^bb0(%in: f32, %out: f32):
          linalg.yield %in : f32
        } -> tensor<5x2x4xf32>
        iree_tensor_ext.dispatch.tensor.store %6, %arg2, offsets = [0, 0, 0], sizes = [5, 2, 4], strides = [1, 1, 1] : tensor<5x2x4xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<5x2x4xf32>>
        return
      }
    }
  }
  flow.executable private @f$async_dispatch_5 {
    flow.executable.export public @f$async_dispatch_5_matmul_5x8x8_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f$async_dispatch_5_matmul_5x8x8_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<5x8xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<8x8xf32>>, %arg2: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<5x8xf32>>) {
        %cst = arith.constant 0.000000e+00 : f32
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [5, 8], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<5x8xf32>> -> tensor<5x8xf32>
        %1 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [0, 0], sizes = [8, 8], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<8x8xf32>> -> tensor<8x8xf32>
        %2 = tensor.empty() : tensor<5x8xf32>
        %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<5x8xf32>) -> tensor<5x8xf32>
        %4 = linalg.matmul ins(%0, %1 : tensor<5x8xf32>, tensor<8x8xf32>) outs(%3 : tensor<5x8xf32>) -> tensor<5x8xf32>
        iree_tensor_ext.dispatch.tensor.store %4, %arg2, offsets = [0, 0], sizes = [5, 8], strides = [1, 1] : tensor<5x8xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<5x8xf32>>
        return
      }
    }
  }
  util.func public @f$async(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view, %arg2: !hal.buffer_view, %arg3: !hal.fence, %arg4: !hal.fence) -> !hal.buffer_view attributes {inlining_policy = #util.inline.never, iree.abi.model = "coarse-fences", iree.abi.stub} {
    %0 = hal.tensor.import wait(%arg3) => %arg0 : !hal.buffer_view -> tensor<5x8xf32>
    %1 = hal.tensor.import wait(%arg3) => %arg1 : !hal.buffer_view -> tensor<8x24xf32>
    %2 = hal.tensor.import wait(%arg3) => %arg2 : !hal.buffer_view -> tensor<8x8xf32>
    %3 = flow.dispatch @f$async_dispatch_0::@f$async_dispatch_0_matmul_5x24x8_f32(%0, %1) : (tensor<5x8xf32>, tensor<8x24xf32>) -> tensor<5x24xf32>
    %4 = flow.tensor.reshape %3 : tensor<5x24xf32> -> tensor<5x6x4xf32>
    %5 = flow.dispatch @f$async_dispatch_1::@f$async_dispatch_1_transpose_5x6x4_f32(%4) : (tensor<5x6x4xf32>) -> tensor<6x5x4xf32>
    %6 = flow.tensor.reshape %5 : tensor<6x5x4xf32> -> tensor<3x2x5x4xf32>
    %7 = flow.dispatch @f$async_dispatch_2::@f$async_dispatch_2_batch_matmul_2x5x5x4_f32(%6) : (tensor<3x2x5x4xf32>) -> tensor<2x5x5xf32>
    %8 = flow.dispatch @f$async_dispatch_3::@f$async_dispatch_3_softmax_2x5x5xf32_dispatch_tensor_store(%7) : (tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
    %9 = flow.dispatch @f$async_dispatch_4::@f$async_dispatch_4_batch_matmul_2x5x4x5_f32(%6, %8) : (tensor<3x2x5x4xf32>, tensor<2x5x5xf32>) -> tensor<5x2x4xf32>
    %10 = flow.tensor.reshape %9 : tensor<5x2x4xf32> -> tensor<5x8xf32>
    %11 = flow.dispatch @f$async_dispatch_5::@f$async_dispatch_5_matmul_5x8x8_f32(%10, %2) : (tensor<5x8xf32>, tensor<8x8xf32>) -> tensor<5x8xf32>
    %12 = hal.tensor.barrier join(%11 : tensor<5x8xf32>) => %arg4 : !hal.fence
    %13 = hal.tensor.export %12 : tensor<5x8xf32> -> !hal.buffer_view
    util.return %13 : !hal.buffer_view
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