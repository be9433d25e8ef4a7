module @test attributes {stream.affinity.default = #hal.device.affinity<@device_a>, stream.topology = #hal.device.topology<links = [(@device_a -> @device_b = {unified_memory = true}), (@device_b -> @device_a = {unified_memory = true})]>} {
  util.global private @device_a = #hal.device.target<"local", {ordinal = 0 : index}, [#hal.executable.target<"vmvx", "vmvx-bytecode-fb", {iree.encoding.resolver = #iree_cpu.vmvx_encoding_resolver<>, ukernels = "none"}>]> : !hal.device
  util.global private @device_b = #hal.device.target<"local", {ordinal = 1 : index}, [#hal.executable.target<"vmvx", "vmvx-bytecode-fb", {iree.encoding.resolver = #iree_cpu.vmvx_encoding_resolver<>, ukernels = "none"}>]> : !hal.device
  flow.executable private @f_dispatch_0 {
    flow.executable.export public @f_dispatch_0_elementwise_16_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f_dispatch_0_elementwise_16_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<16xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16xf32>>) {
        %cst = arith.constant 2.000000e+00 : f32
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0], sizes = [16], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<16xf32>> -> tensor<16xf32>
        %1 = tensor.empty() : tensor<16xf32>
        %2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%0 : tensor<16xf32>) outs(%1 : tensor<16xf32>) {
        ^bb0(%in: f32, %out: f32):
          %3 = arith.mulf %in, %cst : f32
          linalg.yield %3 : f32
        } -> tensor<16xf32>
        iree_tensor_ext.dispatch.tensor.store %2, %arg1, offsets = [0], sizes = [16], strides = [1] : tensor<16xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16xf32>>
        return
      }
    }
  }
  util.func public @f(%arg0: !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "sync func @f(%input0: tensor<16xf32> {iree.abi.affinity = #hal.device.promise<@device_a>}) -> (%output0: tensor<16xf32>)"}} {
    %cst = arith.constant 1.000000e+02 : f32
    %c0 = arith.constant 0 : index
    %0 = hal.tensor.import on(#hal.device.affinity<@device_a>) %arg0 "input0" : !hal.buffer_view -> tensor<16xf32>
    %1 = scf.while (%arg1 = %0) : (tensor<16xf32>) -> tensor<16xf32> {
      %3 = flow.tensor.load %arg1[%c0] : tensor<16xf32>
      %4 = arith.cmpf olt, %3, %cst : f32
      scf.condition(%4) %arg1 : tensor<16xf32>
    } do {
    ^bb0(%arg1: tensor<16xf32>):
      %3 = flow.tensor.transfer %arg1 : tensor<16xf32> to #hal.device.affinity<@device_b>
      %4 = flow.dispatch @f_dispatch_0::@f_dispatch_0_elementwise_16_f32(%3) : (tensor<16xf32>) -> tensor<16xf32>
      %5 = flow.tensor.transfer %4 : tensor<16xf32> to #hal.device.affinity<@device_a>
      scf.yield %5 : tensor<16xf32>
    }
    %2 = hal.tensor.export %1 "output0" : tensor<16xf32> -> !hal.buffer_view
    util.return %2 : !hal.buffer_view
  }
}