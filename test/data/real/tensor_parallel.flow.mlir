module @split attributes {stream.affinity.default = #hal.device.affinity<@device_a>, stream.topology = #hal.device.topology<links = [(@device_a -> @device_b = {unified_memory = true}), (@device_b -> @device_a = {unified_memory = true})]>} {
  util.global private @device_a = #hal.device.target<"local", {ordinal = 0 : index}, [#hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "generic", cpu_features = "", data_layout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128", iree.encoding.resolver = #iree_cpu.cpu_encoding_resolver<>, max_stack_allocation_size = 32768 : i64, native_vector_size = 16 : i64, target_triple = "x86_64-unknown-unknown-eabi-elf"}>]> : !hal.device
  util.global private @device_b = #hal.device.target<"local", {ordinal = 1 : index}, [#hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "generic", cpu_features = "", data_layout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128", iree.encoding.resolver = #iree_cpu.cpu_encoding_resolver<>, max_stack_allocation_size = 32768 : i64, native_vector_size = 16 : i64, target_triple = "x86_64-unknown-unknown-eabi-elf"}>]> : !hal.device
  flow.executable private @f_dispatch_0 {
    flow.executable.export public @f_dispatch_0_matmul_4x6x8_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f_dispatch_0_matmul_4x6x8_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x8xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<8x6xf32>>, %arg2: !iree_tensor_ext.dispatch.tensor<readonly:tensor<6xf32>>, %arg3: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x6xf32>>) {
        %cst = arith.constant 0.000000e+00 : f32
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [4, 8], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x8xf32>> -> tensor<4x8xf32>
        %1 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [0, 0], sizes = [8, 6], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<8x6xf32>> -> tensor<8x6xf32>
        %2 = iree_tensor_ext.dispatch.tensor.load %arg2, offsets = [0], sizes = [6], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<6xf32>> -> tensor<6xf32>
        %3 = tensor.empty() : tensor<4x6xf32>
        %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<4x6xf32>) -> tensor<4x6xf32>
        %5 = linalg.matmul ins(%0, %1 : tensor<4x8xf32>, tensor<8x6xf32>) outs(%4 : tensor<4x6xf32>) -> tensor<4x6xf32>
        %6 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%5, %2 : tensor<4x6xf32>, tensor<6xf32>) outs(%3 : tensor<4x6xf32>) {
        ^bb0(%in: f32, %in_0: f32, %out: f32):
          %7 = arith.addf %in, %in_0 : f32
          %8 = arith.maximumf %7, %cst : f32
          linalg.yield %8 : f32
        } -> tensor<4x6xf32>
        iree_tensor_ext.dispatch.tensor.store %6, %arg3, offsets = [0, 0], sizes = [4, 6], strides = [1, 1] : tensor<4x6xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x6xf32>>
        return
      }
    }
  }
  flow.executable private @f_dispatch_2 {
    flow.executable.export public @f_dispatch_2_matmul_4x3x6_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f_dispatch_2_matmul_4x3x6_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x6xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<6x3xf32>>, %arg2: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x3xf32>>) {
        %cst = arith.constant 0.000000e+00 : f32
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [4, 6], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x6xf32>> -> tensor<4x6xf32>
        %1 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [0, 0], sizes = [6, 3], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<6x3xf32>> -> tensor<6x3xf32>
        %2 = tensor.empty() : tensor<4x3xf32>
        %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<4x3xf32>) -> tensor<4x3xf32>
        %4 = linalg.matmul ins(%0, %1 : tensor<4x6xf32>, tensor<6x3xf32>) outs(%3 : tensor<4x3xf32>) -> tensor<4x3xf32>
        iree_tensor_ext.dispatch.tensor.store %4, %arg2, offsets = [0, 0], sizes = [4, 3], strides = [1, 1] : tensor<4x3xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x3xf32>>
        return
      }
    }
  }
  flow.executable private @f_dispatch_3 {
    flow.executable.export public @f_dispatch_3_matmul_4x3x6_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f_dispatch_3_matmul_4x3x6_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x6xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<6x3xf32>>, %arg2: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x3xf32>>, %arg3: !iree_tensor_ext.dispatch.tensor<readonly:tensor<3xf32>>, %arg4: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x3xf32>>) {
        %cst = arith.constant 0.000000e+00 : f32
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [4, 6], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x6xf32>> -> tensor<4x6xf32>
        %1 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [0, 0], sizes = [6, 3], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<6x3xf32>> -> tensor<6x3xf32>
        %2 = iree_tensor_ext.dispatch.tensor.load %arg2, offsets = [0, 0], sizes = [4, 3], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x3xf32>> -> tensor<4x3xf32>
        %3 = iree_tensor_ext.dispatch.tensor.load %arg3, offsets = [0], sizes = [3], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<3xf32>> -> tensor<3xf32>
        %4 = tensor.empty() : tensor<4x3xf32>
        %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<4x3xf32>) -> tensor<4x3xf32>
        %6 = linalg.matmul ins(%0, %1 : tensor<4x6xf32>, tensor<6x3xf32>) outs(%5 : tensor<4x3xf32>) -> tensor<4x3xf32>
        %7 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%6, %2, %3 : tensor<4x3xf32>, tensor<4x3xf32>, tensor<3xf32>) outs(%4 : tensor<4x3xf32>) {
        ^bb0(%in: f32, %in_0: f32, %in_1: f32, %out: f32):
          %8 = arith.addf %in, %in_0 : f32
          %9 = arith.addf %8, %in_1 : f32
          linalg.yield %9 : f32
        } -> tensor<4x3xf32>
        iree_tensor_ext.dispatch.tensor.store %7, %arg4, offsets = [0, 0], sizes = [4, 3], strides = [1, 1] : tensor<4x3xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x3xf32>>
        return
      }
    }
  }
  util.func public @f(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view, %arg2: !hal.buffer_view, %arg3: !hal.buffer_view, %arg4: !hal.buffer_view, %arg5: !hal.buffer_view, %arg6: !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "sync func @f(%input0: tensor<4x8xf32>, %input1: tensor<8x6xf32>, %input2: tensor<8x6xf32>, %input3: tensor<6x3xf32>, %input4: tensor<6x3xf32>, %input5: tensor<6xf32>, %input6: tensor<3xf32>) -> (%output0: tensor<4x3xf32>)"}} {
    %0 = hal.tensor.import %arg0 "input0" : !hal.buffer_view -> tensor<4x8xf32>
    %1 = hal.tensor.import %arg1 "input1" : !hal.buffer_view -> tensor<8x6xf32>
    %2 = hal.tensor.import %arg2 "input2" : !hal.buffer_view -> tensor<8x6xf32>
    %3 = hal.tensor.import %arg3 "input3" : !hal.buffer_view -> tensor<6x3xf32>
    %4 = hal.tensor.import %arg4 "input4" : !hal.buffer_view -> tensor<6x3xf32>
    %5 = hal.tensor.import %arg5 "input5" : !hal.buffer_view -> tensor<6xf32>
    %6 = hal.tensor.import %arg6 "input6" : !hal.buffer_view -> tensor<3xf32>
    %7 = flow.tensor.transfer %0 : tensor<4x8xf32> to #hal.device.affinity<@device_b>
    %8 = flow.tensor.transfer %2 : tensor<8x6xf32> to #hal.device.affinity<@device_b>
    %9 = flow.tensor.transfer %4 : tensor<6x3xf32> to #hal.device.affinity<@device_b>
    %10 = flow.tensor.transfer %5 : tensor<6xf32> to #hal.device.affinity<@device_b>
    %11 = flow.dispatch @f_dispatch_0::@f_dispatch_0_matmul_4x6x8_f32(%0, %1, %5) : (tensor<4x8xf32>, tensor<8x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
    %12 = flow.dispatch @f_dispatch_0::@f_dispatch_0_matmul_4x6x8_f32(%7, %8, %10) : (tensor<4x8xf32>, tensor<8x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
    %13 = flow.dispatch @f_dispatch_2::@f_dispatch_2_matmul_4x3x6_f32(%12, %9) : (tensor<4x6xf32>, tensor<6x3xf32>) -> tensor<4x3xf32>
    %14 = flow.tensor.transfer %13 : tensor<4x3xf32> to #hal.device.affinity<@device_a>
    %15 = flow.dispatch @f_dispatch_3::@f_dispatch_3_matmul_4x3x6_f32(%11, %3, %14, %6) : (tensor<4x6xf32>, tensor<6x3xf32>, tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
    %16 = hal.tensor.export %15 "output0" : tensor<4x3xf32> -> !hal.buffer_view
    util.return %16 : !hal.buffer_view
  }
}