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
  flow.executable private @f_dispatch_1 {
    flow.executable.export public @f_dispatch_1_elementwise_16_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f_dispatch_1_elementwise_16_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<16xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16xf32>>) {
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0], sizes = [16], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<16xf32>> -> tensor<16xf32>
        %1 = tensor.empty() : tensor<16xf32>
        %2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%0 : tensor<16xf32>) outs(%1 : tensor<16xf32>) {
        ^bb0(%in: f32, %out: f32):
          %3 = arith.mulf %in, %in : f32
          linalg.yield %3 : f32
        } -> tensor<16xf32>
        iree_tensor_ext.dispatch.tensor.store %2, %arg1, offsets = [0], sizes = [16], strides = [1] : tensor<16xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16xf32>>
        return
      }
    }
  }
  flow.executable private @f_dispatch_2 {
    flow.executable.export public @f_dispatch_2_elementwise_16_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f_dispatch_2_elementwise_16_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<16xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<16xf32>>, %arg2: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16xf32>>) {
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0], sizes = [16], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<16xf32>> -> tensor<16xf32>
        %1 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [0], sizes = [16], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<16xf32>> -> tensor<16xf32>
        %2 = tensor.empty() : tensor<16xf32>
        %3 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%0, %1 : tensor<16xf32>, tensor<16xf32>) outs(%2 : tensor<16xf32>) {
        ^bb0(%in: f32, %in_0: f32, %out: f32):
          %4 = arith.subf %in, %in_0 : f32
          linalg.yield %4 : f32
        } -> tensor<16xf32>
        iree_tensor_ext.dispatch.tensor.store %3, %arg2, offsets = [0], sizes = [16], strides = [1] : tensor<16xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16xf32>>
        return
      }
    }
  }
  util.func public @f(%arg0: !hal.buffer_view, %arg1: i32) -> !hal.buffer_view {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = hal.tensor.import %arg0 "input0" : !hal.buffer_view -> tensor<16xf32>
    %1 = arith.cmpi sgt, %arg1, %c0_i32 : i32
    %2 = arith.cmpi sgt, %arg1, %c1_i32 : i32
    %3 = flow.dispatch @f_dispatch_0::@f_dispatch_0_elementwise_16_f32(%0) : (tensor<16xf32>) -> tensor<16xf32>
    %4 = scf.if %1 -> (tensor<16xf32>) {
      %5 = scf.if %2 -> (tensor<16xf32>) {
        scf.yield %3 : tensor<16xf32>
      } else {
        scf.yield %3 : tensor<16xf32>
      }
      scf.yield %5 : tensor<16xf32>
    } else {
      scf.yield %3 : tensor<16xf32>
    }
    %6 = flow.tensor.transfer %4 : tensor<16xf32> to #hal.device.affinity<@device_b>
    %7 = flow.dispatch @f_dispatch_1::@f_dispatch_1_elementwise_16_f32(%6) : (tensor<16xf32>) -> tensor<16xf32>
    %8 = flow.tensor.transfer %7 : tensor<16xf32> to #hal.device.affinity<@device_a>
    %9 = flow.dispatch @f_dispatch_2::@f_dispatch_2_elementwise_16_f32(%8, %3) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %10 = hal.tensor.export %9 "output0" : tensor<16xf32> -> !hal.buffer_view
    util.return %10 : !hal.buffer_view
  }
}
