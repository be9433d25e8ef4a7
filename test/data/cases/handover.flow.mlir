module attributes {stream.affinity.default = #hal.device.affinity<@device_a>, stream.topology = #hal.device.topology<links = [(@device_a -> @device_b = {unified_memory = true, transparent_access = true}), (@device_b -> @device_a = {unified_memory = true, transparent_access = true})]>} {
  util.global private @device_a = #hal.device.target<"local", {ordinal = 0 : index}, [#hal.executable.target<"vmvx", "vmvx-bytecode-fb", {iree.encoding.resolver = #iree_cpu.vmvx_encoding_resolver<>, ukernels = "none"}>]> : !hal.device
  util.global private @device_b = #hal.device.target<"local", {ordinal = 1 : index}, [#hal.executable.target<"vmvx", "vmvx-bytecode-fb", {iree.encoding.resolver = #iree_cpu.vmvx_encoding_resolver<>, ukernels = "none"}>]> : !hal.device
  flow.executable private @ex {
    flow.executable.export public @double workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @double(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<16xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16xf32>>) {
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0], sizes = [16], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<16xf32>> -> tensor<16xf32>
        %1 = tensor.empty() : tensor<16xf32>
        %2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%0 : tensor<16xf32>) outs(%1 : tensor<16xf32>) {
        ^bb0(%in: f32, %out: f32):
          %3 = arith.addf %in, %in : f32
          linalg.yield %3 : f32
        } -> tensor<16xf32>
        iree_tensor_ext.dispatch.tensor.store %2, %arg1, offsets = [0], sizes = [16], strides = [1] : tensor<16xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16xf32>>
        return
      }
    }
  }
  util.func public @f(%arg0: !hal.buffer_view) -> (!hal.buffer_view, !hal.buffer_view) {
    %0 = hal.tensor.import on(#hal.device.affinity<@device_b>) %arg0 "input0" : !hal.buffer_view -> tensor<16xf32>
    %on_a = flow.tensor.transfer %0 : tensor<16xf32> to #hal.device.affinity<@device_a>
    %1 = flow.dispatch @ex::@double(%on_a) {stream.affinity = #hal.device.affinity<@device_a>} : (tensor<16xf32>) -> tensor<16xf32>
    %3 = flow.dispatch @ex::@double(%0) {stream.affinity = #hal.device.affinity<@device_b>} : (tensor<16xf32>) -> tensor<16xf32>
    %4 = hal.tensor.export on(#hal.device.affinity<@device_a>) %1 "output0" : tensor<16xf32> -> !hal.buffer_view
    %5 = hal.tensor.export on(#hal.device.affinity<@device_b>) %3 "output1" : tensor<16xf32> -> !hal.buffer_view
    util.return %4, %5 : !hal.buffer_view, !hal.buffer_view
  }
}
