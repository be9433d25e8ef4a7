module attributes {stream.affinity.default = #hal.device.affinity<@__device_0>} {
  util.global private @__device_0 = #hal.device.target<"local", [#hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "generic", cpu_features = "", data_layout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128", iree.encoding.resolver = #iree_cpu.cpu_encoding_resolver<>, max_stack_allocation_size = 32768 : i64, native_vector_size = 16 : i64, target_triple = "x86_64-unknown-unknown-eabi-elf"}>]> : !hal.device
  flow.executable private @f$async_dispatch_0 {
    flow.executable.export public @f$async_dispatch_0_matmul_2x4x3_f32 workgroups(%arg0: index) -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%arg0)
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f$async_dispatch_0_matmul_2x4x3_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<16x3xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<3x2x3xf32>>, %arg2: index, %arg3: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x4xf32>>) {
        %cst = arith.constant 0.000000e+00 : f32
        %0 = iree_tensor_ext.dispatch.workload.ordinal %arg2, 0 : index
        %1 = tensor.empty() : tensor<2x4xf32>
        %2 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [4, 3], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<16x3xf32>> -> tensor<4x3xf32>
        %3 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [%0, 0, 0], sizes = [1, 2, 3], strides = [1, 1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<3x2x3xf32>> -> tensor<2x3xf32>
        %4 = linalg.fill ins(%cst : f32) outs(%1 : tensor<2x4xf32>) -> tensor<2x4xf32>
        %5 = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%3, %2 : tensor<2x3xf32>, tensor<4x3xf32>) outs(%4 : tensor<2x4xf32>) -> tensor<2x4xf32>
        iree_tensor_ext.dispatch.tensor.store %5, %arg3, offsets = [0, 0], sizes = [2, 4], strides = [1, 1] : tensor<2x4xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x4xf32>>
        return
      }
    }
  }
  flow.executable private @f$async_dispatch_1 {
    flow.executable.export public @f$async_dispatch_1_matmul_2x4x4_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f$async_dispatch_1_matmul_2x4x4_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<16x4xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x4xf32>>, %arg2: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x4xf32>>) {
        %cst = arith.constant 0.000000e+00 : f32
        %0 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [0, 0], sizes = [2, 4], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x4xf32>> -> tensor<2x4xf32>
        %1 = tensor.empty() : tensor<2x4xf32>
        %2 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [4, 4], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<16x4xf32>> -> tensor<4x4xf32>
        %3 = linalg.fill ins(%cst : f32) outs(%1 : tensor<2x4xf32>) -> tensor<2x4xf32>
        %4 = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%0, %2 : tensor<2x4xf32>, tensor<4x4xf32>) outs(%3 : tensor<2x4xf32>) -> tensor<2x4xf32>
        iree_tensor_ext.dispatch.tensor.store %4, %arg2, offsets = [0, 0], sizes = [2, 4], strides = [1, 1] : tensor<2x4xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x4xf32>>
        return
      }
    }
  }
  flow.executable private @f$async_dispatch_2 {
    flow.executable.export public @f$async_dispatch_2_matmul_2x4x3_f32 workgroups(%arg0: index) -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%arg0)
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f$async_dispatch_2_matmul_2x4x3_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<16x3xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<3x2x3xf32>>, %arg2: index, %arg3: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x4xf32>>) {
        %cst = arith.constant 0.000000e+00 : f32
        %0 = iree_tensor_ext.dispatch.workload.ordinal %arg2, 0 : index
        %1 = tensor.empty() : tensor<2x4xf32>
        %2 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [4, 0], sizes = [4, 3], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<16x3xf32>> -> tensor<4x3xf32>
        %3 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [%0, 0, 0], sizes = [1, 2, 3], strides = [1, 1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<3x2x3xf32>> -> tensor<2x3xf32>
        %4 = linalg.fill ins(%cst : f32) outs(%1 : tensor<2x4xf32>) -> tensor<2x4xf32>
        %5 = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%3, %2 : tensor<2x3xf32>, tensor<4x3xf32>) outs(%4 : tensor<2x4xf32>) -> tensor<2x4xf32>
        iree_tensor_ext.dispatch.tensor.store %5, %arg3, offsets = [0, 0], sizes = [2, 4], strides = [1, 1] : tensor<2x4xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x4xf32>>
        return
      }
    }
  }
  flow.executable private @f$async_dispatch_3 {
    flow.executable.export public @f$async_dispatch_3_matmul_2x4x4_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f$async_dispatch_3_matmul_2x4x4_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<16x4xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x4xf32>>, %arg2: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x4xf32>>) {
        %cst = arith.constant 0.000000e+00 : f32
        %0 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [0, 0], sizes = [2, 4], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x4xf32>> -> tensor<2x4xf32>
        %1 = tensor.empty() : tensor<2x4xf32>
        %2 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [4, 0], sizes = [4, 4], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<16x4xf32>> -> tensor<4x4xf32>
        %3 = linalg.fill ins(%cst : f32) outs(%1 : tensor<2x4xf32>) -> tensor<2x4xf32>
        %4 = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%0, %2 : tensor<2x4xf32>, tensor<4x4xf32>) outs(%3 : tensor<2x4xf32>) -> tensor<2x4xf32>
        iree_tensor_ext.dispatch.tensor.store %4, %arg2, offsets = [0, 0], sizes = [2, 4], strides = [1, 1] : tensor<2x4xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x4xf32>>
        return
      }
    }
  }
  flow.executable private @f$async_dispatch_4 {
    flow.executable.export public @f$async_dispatch_4_matmul_2x4x3_f32 workgroups(%arg0: index) -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%arg0)
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f$async_dispatch_4_matmul_2x4x3_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<16x3xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<3x2x3xf32>>, %arg2: index, %arg3: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x4xf32>>) {
        %cst = arith.constant 0.000000e+00 : f32
        %0 = iree_tensor_ext.dispatch.workload.ordinal %arg2, 0 : index
        %1 = tensor.empty() : tensor<2x4xf32>
        %2 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [8, 0], sizes = [4, 3], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<16x3xf32>> -> tensor<4x3xf32>
        %3 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [%0, 0, 0], sizes = [1, 2, 3], strides = [1, 1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<3x2x3xf32>> -> tensor<2x3xf32>
        %4 = linalg.fill ins(%cst : f32) outs(%1 : tensor<2x4xf32>) -> tensor<2x4xf32>
        %5 = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%3, %2 : tensor<2x3xf32>, tensor<4x3xf32>) outs(%4 : tensor<2x4xf32>) -> tensor<2x4xf32>
        iree_tensor_ext.dispatch.tensor.store %5, %arg3, offsets = [0, 0], sizes = [2, 4], strides = [1, 1] : tensor<2x4xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x4xf32>>
        return
      }
    }
  }
  flow.executable private @f$async_dispatch_5 {
    flow.executable.export public @f$async_dispatch_5_matmul_2x4x4_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f$async_dispatch_5_matmul_2x4x4_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<16x4xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x4xf32>>, %arg2: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x4xf32>>) {
        %cst = arith.constant 0.000000e+00 : f32
        %0 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [0, 0], sizes = [2, 4], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x4xf32>> -> tensor<2x4xf32>
        %1 = tensor.empty() : tensor<2x4xf32>
        %2 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [8, 0], sizes = [4, 4], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<16x4xf32>> -> tensor<4x4xf32>
        %3 = linalg.fill ins(%cst : f32) outs(%1 : tensor<2x4xf32>) -> tensor<2x4xf32>
        %4 = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%0, %2 : tensor<2x4xf32>, tensor<4x4xf32>) outs(%3 : tensor<2x4xf32>) -> tensor<2x4xf32>
        iree_tensor_ext.dispatch.tensor.store %4, %arg2, offsets = [0, 0], sizes = [2, 4], strides = [1, 1] : tensor<2x4xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x4xf32>>
        return
      }
    }
  }
  flow.executable private @f$async_dispatch_6 {
    flow.executable.export public @f$async_dispatch_6_matmul_2x4x3_f32 workgroups(%arg0: index) -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%arg0)
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f$async_dispatch_6_matmul_2x4x3_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<16x3xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<3x2x3xf32>>, %arg2: index, %arg3: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x4xf32>>) {
        %cst = arith.constant 0.000000e+00 : f32
        %0 = iree_tensor_ext.dispatch.workload.ordinal %arg2, 0 : index
        %1 = tensor.empty() : tensor<2x4xf32>
        %2 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [12, 0], sizes = [4, 3], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<16x3xf32>> -> tensor<4x3xf32>
        %3 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [%0, 0, 0], sizes = [1, 2, 3], strides = [1, 1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<3x2x3xf32>> -> tensor<2x3xf32>
        %4 = linalg.fill ins(%cst : f32) outs(%1 : tensor<2x4xf32>) -> tensor<2x4xf32>
        %5 = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%3, %2 : tensor<2x3xf32>, tensor<4x3xf32>) outs(%4 : tensor<2x4xf32>) -> tensor<2x4xf32>
        iree_tensor_ext.dispatch.tensor.store %5, %arg3, offsets = [0, 0], sizes = [2, 4], strides = [1, 1] : tensor<2x4xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x4xf32>>
        return
      }
    }
  }
  flow.executable private @f$async_dispatch_7 {
    flow.executable.export public @f$async_dispatch_7_matmul_2x4x4_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f$async_dispatch_7_matmul_2x4x4_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<16x4xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x4xf32>>, %arg2: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x4xf32>>) {
        %cst = arith.constant 0.000000e+00 : f32
        %0 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [0, 0], sizes = [2, 4], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x4xf32>> -> tensor<2x4xf32>
        %1 = tensor.empty() : tensor<2x4xf32>
        %2 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [12, 0], sizes = [4, 4], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<16x4xf32>> -> tensor<4x4xf32>
        %3 = linalg.fill ins(%cst : f32) outs(%1 : tensor<2x4xf32>) -> tensor<2x4xf32>
        %4 = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%0, %2 : tensor<2x4xf32>, tensor<4x4xf32>) outs(%3 : tensor<2x4xf32>) -> tensor<2x4xf32>
        iree_tensor_ext.dispatch.tensor.store %4, %arg2, offsets = [0, 0], sizes = [2, 4], strides = [1, 1] : tensor<2x4xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x4xf32>>
        return
      }
    }
  }
  flow.executable private @f$async_dispatch_8 {
    flow.executable.export public @f$async_dispatch_8_elementwise_2x4_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f$async_dispatch_8_elementwise_2x4_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<32xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x4xf32>>, %arg2: !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x4xf32>>, %arg3: !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x4xf32>>, %arg4: !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x4xf32>>, %arg5: !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x4xf32>>, %arg6: !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x4xf32>>, %arg7: !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x4xf32>>, %arg8: !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x4xf32>>, %arg9: !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x4xf32>>, %arg10: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x4xf32>>, %arg11: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x4xf32>>) {
        %cst = arith.constant 1.000000e+00 : f32
        %0 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [0, 0], sizes = [2, 4], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x4xf32>> -> tensor<2x4xf32>
        %1 = iree_tensor_ext.dispatch.tensor.load %arg2, offsets = [0, 0], sizes = [2, 4], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x4xf32>> -> tensor<2x4xf32>
        %2 = iree_tensor_ext.dispatch.tensor.load %arg3, offsets = [0, 0], sizes = [2, 4], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x4xf32>> -> tensor<2x4xf32>
        %3 = iree_tensor_ext.dispatch.tensor.load %arg4, offsets = [0, 0], sizes = [2, 4], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x4xf32>> -> tensor<2x4xf32>
        %4 = iree_tensor_ext.dispatch.tensor.load %arg5, offsets = [0, 0], sizes = [2, 4], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x4xf32>> -> tensor<2x4xf32>
        %5 = iree_tensor_ext.dispatch.tensor.load %arg6, offsets = [0, 0], sizes = [2, 4], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x4xf32>> -> tensor<2x4xf32>
        %6 = iree_tensor_ext.dispatch.tensor.load %arg7, offsets = [0, 0], sizes = [2, 4], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x4xf32>> -> tensor<2x4xf32>
        %7 = iree_tensor_ext.dispatch.tensor.load %arg8, offsets = [0, 0], sizes = [2, 4], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x4xf32>> -> tensor<2x4xf32>
        %8 = iree_tensor_ext.dispatch.tensor.load %arg9, offsets = [0, 0], sizes = [2, 4], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x4xf32>> -> tensor<2x4xf32>
        %9 = tensor.empty() : tensor<2x4xf32>
        %10 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [28], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<32xf32>> -> tensor<4xf32>
        %11 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [12], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<32xf32>> -> tensor<4xf32>
        %12 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [16], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<32xf32>> -> tensor<4xf32>
        %13 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<32xf32>> -> tensor<4xf32>
        %14 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [24], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<32xf32>> -> tensor<4xf32>
        %15 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [8], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<32xf32>> -> tensor<4xf32>
        %16 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [20], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<32xf32>> -> tensor<4xf32>
        %17 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [4], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<32xf32>> -> tensor<4xf32>
        %18:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%0, %17, %1, %16, %2, %15, %3, %14, %4, %5, %13, %6, %12, %7, %11, %8, %10 : tensor<2x4xf32>, tensor<4xf32>, tensor<2x4xf32>, tensor<4xf32>, tensor<2x4xf32>, tensor<4xf32>, tensor<2x4xf32>, tensor<4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<4xf32>, tensor<2x4xf32>, tensor<4xf32>, tensor<2x4xf32>, tensor<4xf32>, tensor<2x4xf32>, tensor<4xf32>) outs(%9, %9 : tensor<2x4xf32>, tensor<2x4xf32>) {
        ^bb0(%in: f32, %in_0: f32, %in_1: f32, %in_2: f32, %in_3: f32, %in_4: f32, %in_5: f32, %in_6: f32, %in_7: f32, %in_8: f32, %in_9: f32, %in_10: f32, %in_11: f32, %in_12: f32, %in_13: f32, %in_14: f32, %in_15: f32, %out: f32, %out_16: f32):
          %19 = arith.addf %in_10, %in_11 : f32
          %20 = arith.addf %in_8, %in_9 : f32
          %21 = arith.addf %20, %19 : f32
          %22 = arith.addf %in_5, %in_6 : f32
          %23 = arith.addf %in_14, %in_15 : f32
          %24 = arith.addf %in_12, %in_13 : f32
          %25 = arith.addf %in_3, %in_4 : f32
          %26 = arith.addf %25, %22 : f32
          %27 = arith.addf %24, %23 : f32
          %28 = math.tanh %27 : f32
          %29 = arith.negf %21 : f32
          %30 = math.exp %29 : f32
          %31 = arith.addf %30, %cst : f32
          %32 = arith.divf %cst, %31 : f32
          %33 = arith.negf %26 : f32
          %34 = math.exp %33 : f32
          %35 = arith.addf %34, %cst : f32
          %36 = arith.divf %cst, %35 : f32
          %37 = arith.mulf %32, %28 : f32
          %38 = arith.mulf %36, %in_7 : f32
          %39 = arith.addf %38, %37 : f32
          %40 = arith.addf %in_1, %in_2 : f32
          %41 = arith.addf %in, %in_0 : f32
          %42 = arith.addf %41, %40 : f32
          %43 = math.tanh %39 : f32
          %44 = arith.negf %42 : f32
          %45 = math.exp %44 : f32
          %46 = arith.addf %45, %cst : f32
          %47 = arith.divf %cst, %46 : f32
          %48 = arith.mulf %47, %43 : f32
          linalg.yield %39, %48 : f32, f32
        } -> (tensor<2x4xf32>, tensor<2x4xf32>)
        iree_tensor_ext.dispatch.tensor.store %18#0, %arg10, offsets = [0, 0], sizes = [2, 4], strides = [1, 1] : tensor<2x4xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x4xf32>>
        iree_tensor_ext.dispatch.tensor.store %18#1, %arg11, offsets = [0, 0], sizes = [2, 4], strides = [1, 1] : tensor<2x4xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x4xf32>>
        return
      }
    }
  }
  util.func public @f$async(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view, %arg2: !hal.buffer_view, %arg3: !hal.buffer_view, %arg4: !hal.fence, %arg5: !hal.fence) -> (!hal.buffer_view, !hal.buffer_view, !hal.buffer_view) attributes {inlining_policy = #util.inline.never, iree.abi.model = "coarse-fences", iree.abi.stub} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant dense<0.000000e+00> : tensor<3x2x4xf32>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<2x4xf32>
    %c3 = arith.constant 3 : index
    %0 = hal.tensor.import wait(%arg4) => %arg0 : !hal.buffer_view -> tensor<3x2x3xf32>
    %1 = hal.tensor.import wait(%arg4) => %arg1 : !hal.buffer_view -> tensor<1x16x3xf32>
    %2 = hal.tensor.import wait(%arg4) => %arg2 : !hal.buffer_view -> tensor<1x16x4xf32>
    %3 = hal.tensor.import wait(%arg4) => %arg3 : !hal.buffer_view -> tensor<1x32xf32>
    %4 = flow.tensor.reshape %1 : tensor<1x16x3xf32> -> tensor<16x3xf32>
    %5 = flow.tensor.reshape %2 : tensor<1x16x4xf32> -> tensor<16x4xf32>
    %6 = flow.tensor.reshape %3 : tensor<1x32xf32> -> tensor<32xf32>
    %7:3 = scf.for %arg6 = %c0 to %c3 step %c1 iter_args(%arg7 = %cst, %arg8 = %cst_0, %arg9 = %cst_0) -> (tensor<3x2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) {
      %15 = arith.minui %arg6, %c3 : index
      %16 = flow.dispatch @f$async_dispatch_0::@f$async_dispatch_0_matmul_2x4x3_f32[%15](%4, %0, %15) : (tensor<16x3xf32>, tensor<3x2x3xf32>, index) -> tensor<2x4xf32>
      %17 = flow.dispatch @f$async_dispatch_1::@f$async_dispatch_1_matmul_2x4x4_f32(%5, %arg8) : (tensor<16x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
      %18 = flow.dispatch @f$async_dispatch_2::@f$async_dispatch_2_matmul_2x4x3_f32[%15](%4, %0, %15) : (tensor<16x3xf32>, tensor<3x2x3xf32>, index) -> tensor<2x4xf32>
      %19 = flow.dispatch @f$async_dispatch_3::@f$async_dispatch_3_matmul_2x4x4_f32(%5, %arg8) : (tensor<16x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
      %20 = flow.dispatch @f$async_dispatch_4::@f$async_dispatch_4_matmul_2x4x3_f32[%15](%4, %0, %15) : (tensor<16x3xf32>, tensor<3x2x3xf32>, index) -> tensor<2x4xf32>
      %21 = flow.dispatch @f$async_dispatch_5::@f$async_dispatch_5_matmul_2x4x4_f32(%5, %arg8) : (tensor<16x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
      %22 = flow.dispatch @f$async_dispatch_6::@f$async_dispatch_6_matmul_2x4x3_f32[%15](%4, %0, %15) : (tensor<16x3xf32>, tensor<3x2x3xf32>, index) -> tensor<2x4xf32>
      %23 = flow.dispatch @f$async_dispatch_7::@f$async_dispatch_7_matmul_2x4x4_f32(%5, %arg8) : (tensor<16x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
      %24:2 = flow.dispatch @f$async_dispatch_8::@f$async_dispatch_8_elementwise_2x4_f32(%6, %18, %19, %20, %21, %arg9, %16, %17, %22, %23) : (tensor<32xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>)
      %25 = flow.tensor.reshape %24#1 : tensor<2x4xf32> -> tensor<1x2x4xf32>
      %26 = flow.tensor.update %25, %arg7[%15, %c0, %c0] : tensor<1x2x4xf32> -> %arg7 as tensor<3x2x4xf32>
      scf.yield %26, %24#1, %24#0 : tensor<3x2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>
    }
    %8 = flow.tensor.reshape %7#1 : tensor<2x4xf32> -> tensor<1x2x4xf32>
    %9 = flow.tensor.reshape %7#2 : tensor<2x4xf32> -> tensor<1x2x4xf32>
    %10 = flow.tensor.reshape %7#0 : tensor<3x2x4xf32> -> tensor<3x1x2x4xf32>
    %11:3 = hal.tensor.barrier join(%10, %8, %9 : tensor<3x1x2x4xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>) => %arg5 : !hal.fence
    %12 = hal.tensor.export %11#0 : tensor<3x1x2x4xf32> -> !hal.buffer_view
    %13 = hal.tensor.export %11#1 : tensor<1x2x4xf32> -> !hal.buffer_view
    %14 = hal.tensor.export %11#2 : tensor<1x2x4xf32> -> !hal.buffer_view
    util.return %12, %13, %14 : !hal.buffer_view, !hal.buffer_view, !hal.buffer_view
  }
  util.func public @f(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view, %arg2: !hal.buffer_view, %arg3: !hal.buffer_view) -> (!hal.buffer_view, !hal.buffer_view, !hal.buffer_view) attributes {iree.abi.stub} {
    %0 = util.null : !hal.fence
    %c-1_i32 = arith.constant -1 : i32
    %c0 = arith.constant 0 : index
    %device_0 = hal.devices.get %c0 : !hal.device
    %fence = hal.fence.create device(%device_0 : !hal.device) flags("None") : !hal.fence
    %1:3 = util.call @f$async(%arg0, %arg1, %arg2, %arg3, %0, %fence) : (!hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.fence, !hal.fence) -> (!hal.buffer_view, !hal.buffer_view, !hal.buffer_view)
    %status = hal.fence.await until([%fence]) timeout_millis(%c-1_i32) flags("None") : i32
    util.return %1#0, %1#1, %1#2 : !hal.buffer_view, !hal.buffer_view, !hal.buffer_view
  }
}