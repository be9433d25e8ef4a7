module attributes {stream.affinity.default = #hal.device.affinity<@__device_0>} {
  util.global private @__device_0 = #hal.device.target<"local", [#hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "generic", cpu_features = "", data_layout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128", iree.encoding.resolver = #iree_cpu.cpu_encoding_resolver<>, max_stack_allocation_size = 32768 : i64, native_vector_size = 16 : i64, target_triple = "x86_64-unknown-unknown-eabi-elf"}>]> : !hal.device
  util.global private mutable @state = dense<0.000000e+00> : tensor<2x6xf32>
  flow.executable private @step_dispatch_0 {
    flow.executable.export public @step_dispatch_0_matmul_2x6x6_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @step_dispatch_0_matmul_2x6x6_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x6xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<6x6xf32>>, %arg2: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x6xf32>>) {
        %cst = arith.constant 0.000000e+00 : f32
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [2, 6], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x6xf32>> -> tensor<2x6xf32>
        %1 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [0, 0], sizes = [6, 6], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<6x6xf32>> -> tensor<6x6xf32>
        %2 = tensor.empty() : tensor<2x6xf32>
        %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<2x6xf32>) -> tensor<2x6xf32>
        %4 = linalg.matmul ins(%0, %1 : tensor<2x6xf32>, tensor<6x6xf32>) outs(%3 : tensor<2x6xf32>) -> tensor<2x6xf32>
        iree_tensor_ext.dispatch.tensor.store %4, %arg2, offsets = [0, 0], sizes = [2, 6], strides = [1, 1] : tensor<2x6xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x6xf32>>
        return
      }
    }
  }
  flow.executable private @step_dispatch_1 {
    flow.executable.export public @step_dispatch_1_matmul_2x6x4_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @step_dispatch_1_matmul_2x6x4_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x4xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x6xf32>>, %arg2: !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x6xf32>>, %arg3: !iree_tensor_ext.dispatch.tensor<readonly:tensor<6xf32>>, %arg4: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x6xf32>>) {
        %cst = arith.constant 0.000000e+00 : f32
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [2, 4], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x4xf32>> -> tensor<2x4xf32>
        %1 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [0, 0], sizes = [4, 6], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x6xf32>> -> tensor<4x6xf32>
        %2 = iree_tensor_ext.dispatch.tensor.load %arg2, offsets = [0, 0], sizes = [2, 6], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x6xf32>> -> tensor<2x6xf32>
        %3 = iree_tensor_ext.dispatch.tensor.load %arg3, offsets = [0], sizes = [6], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<6xf32>> -> tensor<6xf32>
        %4 = tensor.empty() : tensor<2x6xf32>
        %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<2x6xf32>) -> tensor<2x6xf32>
        %6 = linalg.matmul ins(%0, %1 : tensor<2x4xf32>, tensor<4x6xf32>) outs(%5 : tensor<2x6xf32>) -> tensor<2x6xf32>
        %7 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%2, %6, %3 : tensor<2x6xf32>, tensor<2x6xf32>, tensor<6xf32>) outs(%4 : tensor<2x6xf32>) {
        ^bb0(%in: f32, %in_0: f32, %in_1: f32, %out: f32):
          %8 = arith.addf %in, %in_0 : f32
          %9 = arith.addf %8, %in_1 : f32
          %10 = math.tanh %9 : f32
          linalg.yield %10 : f32
        } -> tensor<2x6xf32>
        iree_tensor_ext.dispatch.tensor.store %7, %arg4, offsets = [0, 0], sizes = [2, 6], strides = [1, 1] : tensor<2x6xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x6xf32>>
        return
      }
    }
  }
  util.func public @step(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view, %arg2: !hal.buffer_view, %arg3: !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "sync func @step(%input0: tensor<2x4xf32>, %input1: tensor<4x6xf32>, %input2: tensor<6x6xf32>, %input3: tensor<6xf32>) -> (%output0: tensor<2x6xf32>)"}} {
    %state = util.global.load @state : tensor<2x6xf32>
    %0 = hal.tensor.import %arg0 "input0" : !hal.buffer_view -> tensor<2x4xf32>
    %1 = hal.tensor.import %arg1 "input1" : !hal.buffer_view -> tensor<4x6xf32>
    %2 = hal.tensor.import %arg2 "input2" : !hal.buffer_view -> tensor<6x6xf32>
    %3 = hal.tensor.import %arg3 "input3" : !hal.buffer_view -> tensor<6xf32>
    %4 = flow.dispatch @step_dispatch_0::@step_dispatch_0_matmul_2x6x6_f32(%state, %2) : (tensor<2x6xf32>, tensor<6x6xf32>) -> tensor<2x6xf32>
    %5 = flow.dispatch @step_dispatch_1::@step_dispatch_1_matmul_2x6x4_f32(%0, %1, %4, %3) : (tensor<2x4xf32>, tensor<4x6xf32>, tensor<2x6xf32>, tensor<6xf32>) -> tensor<2x6xf32>
    %6 = hal.tensor.export %5 "output0" : tensor<2x6xf32> -> !hal.buffer_view
    util.global.store %5, @state : tensor<2x6xf32>
    util.return %6 : !hal.buffer_view
  }
  util.func public @reset() attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "sync func @reset() -> ()"}} {
    %cst = arith.constant dense<0.000000e+00> : tensor<2x6xf32>
    util.global.store %cst, @state : tensor<2x6xf32>
    util.return
  }
}