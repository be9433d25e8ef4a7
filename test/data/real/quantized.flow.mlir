module attributes {stream.affinity.default = #hal.device.affinity<@__device_0>} {
  util.global private @__device_0 = #hal.device.target<"local", [#hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "generic", cpu_features = "", data_layout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128", iree.encoding.resolver = #iree_cpu.cpu_encoding_resolver<>, max_stack_allocation_size = 32768 : i64, native_vector_size = 16 : i64, target_triple = "x86_64-unknown-unknown-eabi-elf"}>]> : !hal.device
  util.global private @__hoisted_tensor_16x6xi8 {stream.affinity.default = #hal.device.affinity<@__device_0>} = dense<[[-9, -107, 51, -46, 111, 14], [-84, 74, -23, -121, 37, -61], [97, 0, -98, 60, -38, 120], [23, -75, 83, -15, -112, 46], [-52, 106, 8, -89, 69, -29], [-126, 31, -66, 92, -6, -103], [54, -43, 115, 17, -80, 77], [-20, -117, 40, -57, 100, 3], [-94, 63, -34, 123, 26, -71], [86, -11, -109, 49, -48, 109], [12, -86, 72, -25, -123, 35], [-63, 95, -2, -100, 58, -40], [118, 21, -77, 81, -17, -114], [44, -54, 104, 6, -91, 67], [-31, -128, 29, -68, 90, -8], [-105, 52, -45, 113, 15, -82]]> : tensor<16x6xi8>
  util.global private @__hoisted_tensor_6xi32 {stream.affinity.default = #hal.device.affinity<@__device_0>} = dense<[-150, -179, 48, 20, -9, -37]> : tensor<6xi32>
  flow.executable private @f$async_dispatch_0 {
    flow.executable.export public @f$async_dispatch_0_elementwise_64_f32xi8 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f$async_dispatch_0_elementwise_64_f32xi8(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<64xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<64xi8>>) {
        %cst = arith.constant 2.000000e-02 : f32
        %cst_0 = arith.constant 1.200000e+02 : f32
        %cst_1 = arith.constant 0.000000e+00 : f32
        %cst_2 = arith.constant 2.550000e+02 : f32
        %c-128_i8 = arith.constant -128 : i8
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0], sizes = [64], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<64xf32>> -> tensor<64xf32>
        %1 = tensor.empty() : tensor<64xi8>
        %2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%0 : tensor<64xf32>) outs(%1 : tensor<64xi8>) {
        ^bb0(%in: f32, %out: i8):
          %3 = arith.divf %in, %cst : f32
          %4 = math.roundeven %3 : f32
          %5 = arith.addf %4, %cst_0 : f32
          %6 = arith.maxnumf %5, %cst_1 : f32
          %7 = arith.minnumf %6, %cst_2 : f32
          %8 = arith.fptoui %7 : f32 to i8
          %9 = arith.addi %8, %c-128_i8 : i8
          linalg.yield %9 : i8
        } -> tensor<64xi8>
        iree_tensor_ext.dispatch.tensor.store %2, %arg1, offsets = [0], sizes = [64], strides = [1] : tensor<64xi8> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<64xi8>>
        return
      }
    }
  }
  flow.executable private @f$async_dispatch_1 {
    flow.executable.export public @f$async_dispatch_1_reduction_4x16_i8xi32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f$async_dispatch_1_reduction_4x16_i8xi32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x16xi8>>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xi32>>) {
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
  flow.executable private @f$async_dispatch_2 {
    flow.executable.export public @f$async_dispatch_2_matmul_4x6x16_i8xi8xi32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f$async_dispatch_2_matmul_4x6x16_i8xi8xi32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x16xi8>>, %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<16x6xi8>>, %arg2: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xi32>>, %arg3: !iree_tensor_ext.dispatch.tensor<readonly:tensor<6xi32>>, %arg4: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x6xi8>>) {
        %cst = arith.constant 1.9999998E-4 : f32
        %cst_0 = arith.constant 5.000000e-02 : f32
        %cst_1 = arith.constant 1.100000e+02 : f32
        %cst_2 = arith.constant 0.000000e+00 : f32
        %cst_3 = arith.constant 2.550000e+02 : f32
        %c0_i32 = arith.constant 0 : i32
        %c3_i32 = arith.constant 3 : i32
        %c-8_i32 = arith.constant -8 : i32
        %c-384_i32 = arith.constant -384 : i32
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [4, 16], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x16xi8>> -> tensor<4x16xi8>
        %1 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [0, 0], sizes = [16, 6], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<16x6xi8>> -> tensor<16x6xi8>
        %2 = iree_tensor_ext.dispatch.tensor.load %arg2, offsets = [0], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xi32>> -> tensor<4xi32>
        %3 = iree_tensor_ext.dispatch.tensor.load %arg3, offsets = [0], sizes = [6], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<6xi32>> -> tensor<6xi32>
        %4 = tensor.empty() : tensor<4x6xi8>
        %5 = tensor.empty() : tensor<4x6xi32>
        %6 = linalg.fill ins(%c0_i32 : i32) outs(%5 : tensor<4x6xi32>) -> tensor<4x6xi32>
        %7 = linalg.matmul ins(%0, %1 : tensor<4x16xi8>, tensor<16x6xi8>) outs(%6 : tensor<4x6xi32>) -> tensor<4x6xi32>
        %8 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%7, %2, %3 : tensor<4x6xi32>, tensor<4xi32>, tensor<6xi32>) outs(%4 : tensor<4x6xi8>) {
        ^bb0(%in: i32, %in_4: i32, %in_5: i32, %out: i8):
          %9 = arith.muli %in_4, %c3_i32 : i32
          %10 = arith.subi %in, %9 : i32
          %11 = arith.muli %in_5, %c-8_i32 : i32
          %12 = arith.subi %10, %11 : i32
          %13 = arith.addi %12, %c-384_i32 : i32
          %14 = arith.sitofp %13 : i32 to f32
          %15 = arith.mulf %14, %cst : f32
          %16 = arith.divf %15, %cst_0 : f32
          %17 = math.roundeven %16 : f32
          %18 = arith.addf %17, %cst_1 : f32
          %19 = arith.maximumf %18, %cst_2 : f32
          %20 = arith.minimumf %19, %cst_3 : f32
          %21 = arith.fptoui %20 : f32 to i8
          linalg.yield %21 : i8
        } -> tensor<4x6xi8>
        iree_tensor_ext.dispatch.tensor.store %8, %arg4, offsets = [0, 0], sizes = [4, 6], strides = [1, 1] : tensor<4x6xi8> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x6xi8>>
        return
      }
    }
  }
  flow.executable private @f$async_dispatch_3 {
    flow.executable.export public @f$async_dispatch_3_elementwise_24_i8xf32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f$async_dispatch_3_elementwise_24_i8xf32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<24xi8>>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<24xf32>>) {
        %cst = arith.constant 5.000000e-02 : f32
        %c110_i16 = arith.constant 110 : i16
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0], sizes = [24], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<24xi8>> -> tensor<24xi8>
        %1 = tensor.empty() : tensor<24xf32>
        %2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%0 : tensor<24xi8>) outs(%1 : tensor<24xf32>) {
        ^bb0(%in: i8, %out: f32):
          %3 = arith.extui %in : i8 to i16
          %4 = arith.subi %3, %c110_i16 : i16
          %5 = arith.sitofp %4 : i16 to f32
          %6 = arith.mulf %5, %cst : f32
          linalg.yield %6 : f32
        } -> tensor<24xf32>
        iree_tensor_ext.dispatch.tensor.store %2, %arg1, offsets = [0], sizes = [24], strides = [1] : tensor<24xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<24xf32>>
        return
      }
    }
  }
  util.func public @f$async(%arg0: !hal.buffer_view, %arg1: !hal.fence, %arg2: !hal.fence) -> !hal.buffer_view attributes {inlining_policy = #util.inline.never, iree.abi.model = "coarse-fences", iree.abi.stub} {
    %__hoisted_tensor_16x6xi8 = util.global.load immutable @__hoisted_tensor_16x6xi8 : tensor<16x6xi8>
    %__hoisted_tensor_6xi32 = util.global.load immutable @__hoisted_tensor_6xi32 : tensor<6xi32>
    %0 = hal.tensor.import wait(%arg1) => %arg0 : !hal.buffer_view -> tensor<4x16xf32>
    %1 = flow.tensor.reshape %0 : tensor<4x16xf32> -> tensor<64xf32>
    %2 = flow.dispatch @f$async_dispatch_0::@f$async_dispatch_0_elementwise_64_f32xi8(%1) : (tensor<64xf32>) -> tensor<64xi8>
    %3 = flow.tensor.reshape %2 : tensor<64xi8> -> tensor<4x16xi8>
    %4 = flow.dispatch @f$async_dispatch_1::@f$async_dispatch_1_reduction_4x16_i8xi32(%3) : (tensor<4x16xi8>) -> tensor<4xi32>
    %5 = flow.dispatch @f$async_dispatch_2::@f$async_dispatch_2_matmul_4x6x16_i8xi8xi32(%3, %__hoisted_tensor_16x6xi8, %4, %__hoisted_tensor_6xi32) : (tensor<4x16xi8>, tensor<16x6xi8>, tensor<4xi32>, tensor<6xi32>) -> tensor<4x6xi8>
    %6 = flow.tensor.reshape %5 : tensor<4x6xi8> -> tensor<24xi8>
    %7 = flow.dispatch @f$async_dispatch_3::@f$async_dispatch_3_elementwise_24_i8xf32(%6) : (tensor<24xi8>) -> tensor<24xf32>
    %8 = flow.tensor.reshape %7 : tensor<24xf32> -> tensor<4x6xf32>
    %9 = hal.tensor.barrier join(%8 : tensor<4x6xf32>) => %arg2 : !hal.fence
    %10 = hal.tensor.export %9 : tensor<4x6xf32> -> !hal.buffer_view
    util.return %10 : !hal.buffer_view
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