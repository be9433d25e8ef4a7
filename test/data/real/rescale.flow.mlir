module attributes {stream.affinity.default = #hal.device.affinity<@__device_0>, tosa.target_env = #tosa.target_env<specification_version = "1.0", level = none, profiles = [pro_int, pro_fp], extensions = [dynamic, doubleround]>} {
  util.global private @__device_0 = #hal.device.target<"local", [#hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "generic", cpu_features = "", data_layout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128", iree.encoding.resolver = #iree_cpu.cpu_encoding_resolver<>, max_stack_allocation_size = 32768 : i64, native_vector_size = 16 : i64, target_triple = "x86_64-unknown-unknown-eabi-elf"}>]> : !hal.device
  flow.executable private @f_dispatch_0 {
    flow.executable.export public @f_dispatch_0_reduction_4x16_i8xi32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f_dispatch_0_reduction_4x16_i8xi32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x16xi8>>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xi32>>) {
        %c0_i32 = arith.constant 0 : i32
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [4, 16], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x16xi8>> -> tensor<4x16xi8>
        %1 = tensor.empty() : tensor<4xi32>
        %2 = linalg.fill ins(%c0_i32 : i32) outs(%1 : tensor<4xi32>) -> tensor<4xi32>
        %3 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<4x16xi8>) outs(%2 : tensor<4xi32>) {
        ^bb0(%in: i8, %out: i32):
          %4 = arith.extsi %in : i8 to i32
          %5 = arith.addi %4, %out : i32
          linalg.yield %5 : i32
        } -> tensor<4xi32>
        iree_tensor_ext.dispatch.tensor.store %3, %arg1, offsets = [0], sizes = [4], strides = [1] : tensor<4xi32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xi32>>
        return
      }
    }
  }
  flow.executable private @f_dispatch_1 {
    flow.executable.export public @f_dispatch_1_reduction_6x16_i8xi32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f_dispatch_1_reduction_6x16_i8xi32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<16x6xi8>>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<6xi32>>) {
        %c0_i32 = arith.constant 0 : i32
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [16, 6], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<16x6xi8>> -> tensor<16x6xi8>
        %1 = tensor.empty() : tensor<6xi32>
        %2 = linalg.fill ins(%c0_i32 : i32) outs(%1 : tensor<6xi32>) -> tensor<6xi32>
        %3 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<16x6xi8>) outs(%2 : tensor<6xi32>) {
        ^bb0(%in: i8, %out: i32):
          %4 = arith.extsi %in : i8 to i32
          %5 = arith.addi %4, %out : i32
          linalg.yield %5 : i32
        } -> tensor<6xi32>
        iree_tensor_ext.dispatch.tensor.store %3, %arg1, offsets = [0], sizes = [6], strides = [1] : tensor<6xi32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<6xi32>>
        return
      }
    }
  }
  flow.executable private @f_dispatch_2 {
    flow.executable.export public @f_dispatch_2_batch_matmul_1x4x6x16_i8xi8xi32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f_dispatch_2_batch_matmul_1x4x6x16_i8xi8xi32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x4x16xi8>>, %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x16x6xi8>>, %arg2: !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x4xi32>>, %arg3: !iree_tensor_ext.dispatch.tensor<readonly:tensor<6xi32>>, %arg4: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1x4x6xi8>>) {
        %c0_i32 = arith.constant 0 : i32
        %c-5_i32 = arith.constant -5 : i32
        %c3_i32 = arith.constant 3 : i32
        %c-240_i32 = arith.constant -240 : i32
        %c1342177280_i64 = arith.constant 1342177280 : i64
        %c274877906944_i64 = arith.constant 274877906944 : i64
        %c39_i64 = arith.constant 39 : i64
        %c-7_i32 = arith.constant -7 : i32
        %c-128_i32 = arith.constant -128 : i32
        %c127_i32 = arith.constant 127 : i32
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0, 0], sizes = [1, 4, 16], strides = [1, 1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x4x16xi8>> -> tensor<1x4x16xi8>
        %1 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [0, 0, 0], sizes = [1, 16, 6], strides = [1, 1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x16x6xi8>> -> tensor<1x16x6xi8>
        %2 = iree_tensor_ext.dispatch.tensor.load %arg2, offsets = [0, 0], sizes = [1, 4], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x4xi32>> -> tensor<1x4xi32>
        %3 = iree_tensor_ext.dispatch.tensor.load %arg3, offsets = [0], sizes = [6], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<6xi32>> -> tensor<6xi32>
        %4 = tensor.empty() : tensor<1x4x6xi8>
        %5 = tensor.empty() : tensor<1x4x6xi32>
        %6 = linalg.fill ins(%c0_i32 : i32) outs(%5 : tensor<1x4x6xi32>) -> tensor<1x4x6xi32>
        %7 = linalg.batch_matmul ins(%0, %1 : tensor<1x4x16xi8>, tensor<1x16x6xi8>) outs(%6 : tensor<1x4x6xi32>) -> tensor<1x4x6xi32>
        %8 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7, %2, %3 : tensor<1x4x6xi32>, tensor<1x4xi32>, tensor<6xi32>) outs(%4 : tensor<1x4x6xi8>) {
        ^bb0(%in: i32, %in_0: i32, %in_1: i32, %out: i8):
          %9 = arith.muli %in_0, %c-5_i32 : i32
          %10 = arith.subi %in, %9 : i32
          %11 = arith.muli %in_1, %c3_i32 : i32
          %12 = arith.subi %10, %11 : i32
          %13 = arith.addi %12, %c-240_i32 : i32
          %14 = arith.extsi %13 : i32 to i64
          %15 = arith.muli %14, %c1342177280_i64 : i64
          %16 = arith.addi %15, %c274877906944_i64 : i64
          %17 = arith.shrsi %16, %c39_i64 : i64
          %18 = arith.trunci %17 : i64 to i32
          %19 = arith.addi %18, %c-7_i32 : i32
          %20 = arith.maxsi %19, %c-128_i32 : i32
          %21 = arith.minsi %20, %c127_i32 : i32
          %22 = arith.trunci %21 : i32 to i8
          linalg.yield %22 : i8
        } -> tensor<1x4x6xi8>
        iree_tensor_ext.dispatch.tensor.store %8, %arg4, offsets = [0, 0, 0], sizes = [1, 4, 6], strides = [1, 1, 1] : tensor<1x4x6xi8> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1x4x6xi8>>
        return
      }
    }
  }
  util.func public @f(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "sync func @f(%input0: tensor<1x4x16xi8>, %input1: tensor<1x16x6xi8>) -> (%output0: tensor<1x4x6xi8>)"}} {
    %0 = hal.tensor.import %arg0 "input0" : !hal.buffer_view -> tensor<1x4x16xi8>
    %1 = hal.tensor.import %arg1 "input1" : !hal.buffer_view -> tensor<1x16x6xi8>
    %2 = flow.tensor.reshape %0 : tensor<1x4x16xi8> -> tensor<4x16xi8>
    %3 = flow.dispatch @f_dispatch_0::@f_dispatch_0_reduction_4x16_i8xi32(%2) : (tensor<4x16xi8>) -> tensor<4xi32>
    %4 = flow.tensor.reshape %3 : tensor<4xi32> -> tensor<1x4xi32>
    %5 = flow.tensor.reshape %1 : tensor<1x16x6xi8> -> tensor<16x6xi8>
    %6 = flow.dispatch @f_dispatch_1::@f_dispatch_1_reduction_6x16_i8xi32(%5) : (tensor<16x6xi8>) -> tensor<6xi32>
    %7 = flow.dispatch @f_dispatch_2::@f_dispatch_2_batch_matmul_1x4x6x16_i8xi8xi32(%0, %1, %4, %6) : (tensor<1x4x16xi8>, tensor<1x16x6xi8>, tensor<1x4xi32>, tensor<6xi32>) -> tensor<1x4x6xi8>
    %8 = hal.tensor.export %7 "output0" : tensor<1x4x6xi8> -> !hal.buffer_view
    util.return %8 : !hal.buffer_view
  }
}