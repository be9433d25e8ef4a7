// A sum that two devices keep between calls, with constants that both read. Each call of @step
// with x gives total = total * 1 + x + weights + offset, and a's next total is what b wrote.
module @counter attributes {stream.affinity.default = #hal.device.affinity<@device_a>, stream.topology = #hal.device.topology<links = [(@device_a -> @device_b = {unified_memory = true}), (@device_b -> @device_a = {unified_memory = true})]>} {
  util.global private @device_a = #hal.device.target<"local", {ordinal = 0 : index}, [#hal.executable.target<"vmvx", "vmvx-bytecode-fb", {iree.encoding.resolver = #iree_cpu.vmvx_encoding_resolver<>, ukernels = "none"}>]> : !hal.device
  util.global private @device_b = #hal.device.target<"local", {ordinal = 1 : index}, [#hal.executable.target<"vmvx", "vmvx-bytecode-fb", {iree.encoding.resolver = #iree_cpu.vmvx_encoding_resolver<>, ukernels = "none"}>]> : !hal.device
  util.global private mutable @total = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  util.global private @weights = dense<[10.0, 20.0, 30.0, 40.0]> : tensor<4xf32>
  flow.executable private @ex {
    flow.executable.export public @add workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @add(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>, %arg2: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>) {
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>> -> tensor<4xf32>
        %1 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [0], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>> -> tensor<4xf32>
        %2 = tensor.empty() : tensor<4xf32>
        %3 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%0, %1 : tensor<4xf32>, tensor<4xf32>) outs(%2 : tensor<4xf32>) {
        ^bb0(%in: f32, %in_0: f32, %out: f32):
          %4 = arith.addf %in, %in_0 : f32
          linalg.yield %4 : f32
        } -> tensor<4xf32>
        iree_tensor_ext.dispatch.tensor.store %3, %arg2, offsets = [0], sizes = [4], strides = [1] : tensor<4xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>
        return
      }
    }
  }
  util.func private @step(%x: tensor<4xf32>) -> tensor<4xf32> attributes {inlining_policy = #util.inline.never} {
    %total = util.global.load @total : tensor<4xf32>
    %weights = util.global.load immutable @weights : tensor<4xf32>
    %offset = flow.tensor.constant dense<[0.5, 1.5, 2.5, 3.5]> : tensor<4xf32>
    %0 = flow.dispatch @ex::@add(%total, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %1 = flow.dispatch @ex::@add(%0, %weights) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %on_b = flow.tensor.transfer %1 : tensor<4xf32> to #hal.device.affinity<@device_b>
    %offset_on_b = flow.tensor.transfer %offset : tensor<4xf32> to #hal.device.affinity<@device_b>
    %2 = flow.dispatch @ex::@add(%on_b, %offset_on_b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %next = flow.tensor.transfer %2 : tensor<4xf32> to #hal.device.affinity<@device_a>
    util.global.store %next, @total : tensor<4xf32>
    util.return %next : tensor<4xf32>
  }
  util.func public @thrice(%arg0: !hal.buffer_view) -> (!hal.buffer_view, !hal.buffer_view) attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "sync func @thrice(%input0: tensor<4xf32>) -> (%output0: tensor<4xf32>, %output1: tensor<4xf32>)"}} {
    %0 = hal.tensor.import %arg0 "input0" : !hal.buffer_view -> tensor<4xf32>
    %1 = util.call @step(%0) : (tensor<4xf32>) -> tensor<4xf32>
    %2 = util.call @step(%0) : (tensor<4xf32>) -> tensor<4xf32>
    %3 = util.call @step(%0) : (tensor<4xf32>) -> tensor<4xf32>
    %4 = hal.tensor.export %1 "output0" : tensor<4xf32> -> !hal.buffer_view
    %5 = hal.tensor.export %3 "output1" : tensor<4xf32> -> !hal.buffer_view
    util.return %4, %5 : !hal.buffer_view, !hal.buffer_view
  }
}
