module attributes {stream.affinity.default = #hal.device.affinity<@device_a>} {
  util.global private @device_a = #hal.device.target<"local", [#hal.executable.target<"vmvx", "vmvx-bytecode-fb", {iree.encoding.resolver = #iree_cpu.vmvx_encoding_resolver<>, ukernels = "none"}>]> : !hal.device
  flow.executable private @step_dispatch_0 {
    flow.executable.export public @step_dispatch_0_matmul_2x2x2_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @step_dispatch_0_matmul_2x2x2_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x2xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x2xf32>>, %arg2: !iree_tensor_ext.dispatch.tensor<readwrite:tensor<2x2xf32>>) {
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [2, 2], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x2xf32>> -> tensor<2x2xf32>
        %1 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [0, 0], sizes = [2, 2], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x2xf32>> -> tensor<2x2xf32>
        %2 = iree_tensor_ext.dispatch.tensor.load %arg2, offsets = [0, 0], sizes = [2, 2], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<2x2xf32>> -> tensor<2x2xf32>
        %3 = linalg.matmul ins(%0, %1 : tensor<2x2xf32>, tensor<2x2xf32>) outs(%2 : tensor<2x2xf32>) -> tensor<2x2xf32>
        iree_tensor_ext.dispatch.tensor.store %3, %arg2, offsets = [0, 0], sizes = [2, 2], strides = [1, 1] : tensor<2x2xf32> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<2x2xf32>>
        return
      }
    }
  }
  util.func public @step(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view, %arg2: !hal.buffer_view) -> (!hal.buffer_view, !hal.buffer_view) attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "sync func @step(%input0: tensor<2x2xf32>, %input1: tensor<2x2xf32>, %input2: tensor<2x2xf32>) -> (%output0: tensor<2x2xf32>, %output1: tensor<2x2xf32>)"}} {
    %0 = hal.tensor.import %arg0 "input0" : !hal.buffer_view -> tensor<2x2xf32>
    %1 = hal.tensor.import %arg1 "input1" : !hal.buffer_view -> tensor<2x2xf32>
    %2 = hal.tensor.import %arg2 "input2" : !hal.buffer_view -> tensor<2x2xf32>
    %3 = flow.dispatch @step_dispatch_0::@step_dispatch_0_matmul_2x2x2_f32(%0, %1, %2) : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> %2
    %4 = hal.tensor.export %3 "output0" : tensor<2x2xf32> -> !hal.buffer_view
    util.return %4, %arg2 : !hal.buffer_view, !hal.buffer_view
  }
}
