module @test attributes {stream.affinity.default = #hal.device.affinity<@device_a>, stream.topology = #hal.device.topology<links = [(@device_a -> @device_b = {unified_memory = true}), (@device_b -> @device_a = {unified_memory = true})]>} {
  util.global private @device_a = #hal.device.target<"local", {ordinal = 0 : index}, [#hal.executable.target<"vmvx", "vmvx-bytecode-fb", {iree.encoding.resolver = #iree_cpu.vmvx_encoding_resolver<>, ukernels = "none"}>]> : !hal.device
  util.global private @device_b = #hal.device.target<"local", {ordinal = 1 : index}, [#hal.executable.target<"vmvx", "vmvx-bytecode-fb", {iree.encoding.resolver = #iree_cpu.vmvx_encoding_resolver<>, ukernels = "none"}>]> : !hal.device
  flow.executable private @f_dispatch_0 {
    flow.executable.export public @f_dispatch_0_elementwise_16_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f_dispatch_0_elementwise_16_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<16xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<16xf32>>, %arg2: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16xf32>>) {
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0], sizes = [16], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<16xf32>> -> tensor<16xf32>
        %1 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [0], sizes = [16], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<16xf32>> -> tensor<16xf32>
        %2 = tensor.empty() : tensor<16xf32>
        %3 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%0, %1 : tensor<16xf32>, tensor<16xf32>) outs(%2 : tensor<16xf32>) {
        ^bb0(%in: f32, %in_0: f32, %out: f32):
          %4 = arith.addf %in, %in_0 : f32
          linalg.yield %4 : f32
        } -> tensor<16xf32>
        iree_tensor_ext.dispatch.tensor.store %3, %arg2, offsets = [0], sizes = [16], strides = [1] : tensor<16xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16xf32>>
        return
      }
    }
  }
  util.func public @f(%arg0: !hal.buffer_view, %arg1: i32) -> !hal.buffer_view attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "sync func @f(%input0: tensor<16xf32>, %input1: i32) -> (%output0: tensor<16xf32>)"}} {
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %0 = hal.tensor.import %arg0 "input0" : !hal.buffer_view -> tensor<16xf32>
    %1 = arith.index_cast %arg1 : i32 to index
    %2 = scf.for %arg2 = %c0 to %1 step %c1 iter_args(%arg3 = %0) -> (tensor<16xf32>) {
      %4 = arith.remui %arg2, %c2 : index
      %5 = arith.cmpi eq, %4, %c0 : index
      %6 = scf.if %5 -> (tensor<16xf32>) {
        %8 = flow.tensor.transfer %arg3 : tensor<16xf32> to #hal.device.affinity<@device_b>
        %9 = scf.for %arg4 = %c0 to %arg2 step %c1 iter_args(%arg5 = %8) -> (tensor<16xf32>) {
          %11 = flow.dispatch @f_dispatch_0::@f_dispatch_0_elementwise_16_f32(%arg5, %8) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
          scf.yield %11 : tensor<16xf32>
        }
        %10 = flow.tensor.transfer %9 : tensor<16xf32> to #hal.device.affinity<@device_a>
        scf.yield %10 : tensor<16xf32>
      } else {
        scf.yield %arg3 : tensor<16xf32>
      }
      %7 = flow.dispatch @f_dispatch_0::@f_dispatch_0_elementwise_16_f32(%6, %0) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
      scf.yield %7 : tensor<16xf32>
    }
    %3 = hal.tensor.export %2 "output0" : tensor<16xf32> -> !hal.buffer_view
    util.return %3 : !hal.buffer_view
  }
}
