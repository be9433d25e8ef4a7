module @packed attributes {stream.affinity.default = #hal.device.affinity<@device_a>, stream.topology = #hal.device.topology<links = [(@device_a -> @device_b = {unified_memory = true}), (@device_b -> @device_a = {unified_memory = true}), (@device_a -> @device_c = {unified_memory = true}), (@device_c -> @device_a = {unified_memory = true}), (@device_b -> @device_c = {unified_memory = true}), (@device_c -> @device_b = {unified_memory = true})]>} {
  util.global private @device_a = #hal.device.target<"local", {ordinal = 0 : index}, [#hal.executable.target<"vmvx", "vmvx-bytecode-fb", {iree.encoding.resolver = #iree_cpu.vmvx_encoding_resolver<>, ukernels = "none"}>]> : !hal.device
  util.global private @device_b = #hal.device.target<"local", {ordinal = 1 : index}, [#hal.executable.target<"vmvx", "vmvx-bytecode-fb", {iree.encoding.resolver = #iree_cpu.vmvx_encoding_resolver<>, ukernels = "none"}>]> : !hal.device
  util.global private @device_c = #hal.device.target<"local", {ordinal = 2 : index}, [#hal.executable.target<"vmvx", "vmvx-bytecode-fb", {iree.encoding.resolver = #iree_cpu.vmvx_encoding_resolver<>, ukernels = "none"}>]> : !hal.device
  flow.executable private @f_dispatch_0 {
    flow.executable.export public @f_dispatch_0_matmul_4x4x4_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f_dispatch_0_matmul_4x4x4_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x4xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x4xf32>>) {
        %cst = arith.constant 0.000000e+00 : f32
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [4, 4], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x4xf32>> -> tensor<4x4xf32>
        %1 = tensor.empty() : tensor<4x4xf32>
        %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<4x4xf32>) -> tensor<4x4xf32>
        %3 = linalg.matmul ins(%0, %0 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%2 : tensor<4x4xf32>) -> tensor<4x4xf32>
        iree_tensor_ext.dispatch.tensor.store %3, %arg1, offsets = [0, 0], sizes = [4, 4], strides = [1, 1] : tensor<4x4xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x4xf32>>
        return
      }
    }
  }
  flow.executable private @f_dispatch_1 {
    flow.executable.export public @f_dispatch_1_matmul_4x4x4_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f_dispatch_1_matmul_4x4x4_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x4xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x4xf32>>, %arg2: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x4xf32>>) {
        %cst = arith.constant 0.000000e+00 : f32
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [4, 4], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x4xf32>> -> tensor<4x4xf32>
        %1 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [0, 0], sizes = [4, 4], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x4xf32>> -> tensor<4x4xf32>
        %2 = tensor.empty() : tensor<4x4xf32>
        %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<4x4xf32>) -> tensor<4x4xf32>
        %4 = linalg.matmul ins(%0, %1 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%3 : tensor<4x4xf32>) -> tensor<4x4xf32>
        iree_tensor_ext.dispatch.tensor.store %4, %arg2, offsets = [0, 0], sizes = [4, 4], strides = [1, 1] : tensor<4x4xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x4xf32>>
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
      func.func @f_dispatch_2_elementwise_16_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<16xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16xf32>>) {
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
  flow.executable private @f_dispatch_3 {
    flow.executable.export public @f_dispatch_3_elementwise_16_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f_dispatch_3_elementwise_16_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<16xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<16xf32>>, %arg2: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16xf32>>) {
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
  flow.executable private @f_dispatch_4 {
    flow.executable.export public @f_dispatch_4_elementwise_16_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f_dispatch_4_elementwise_16_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<16xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<16xf32>>, %arg2: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16xf32>>) {
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
  util.func public @f(%arg0: !hal.buffer_view) -> (!hal.buffer_view, !hal.buffer_view) attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "sync func @f(%input0: tensor<4x4xf32>) -> (%output0: tensor<4x4xf32>, %output1: tensor<4x4xf32>)"}} {
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %0 = hal.tensor.import %arg0 "input0" : !hal.buffer_view -> tensor<4x4xf32>
    %1 = flow.dispatch @f_dispatch_0::@f_dispatch_0_matmul_4x4x4_f32(%0) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = flow.dispatch @f_dispatch_1::@f_dispatch_1_matmul_4x4x4_f32(%1, %0) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %3 = flow.tensor.transfer %2 : tensor<4x4xf32> to #hal.device.affinity<@device_b>
    %4 = flow.tensor.transfer %2 : tensor<4x4xf32> to #hal.device.affinity<@device_c>
    %5 = flow.tensor.reshape %4 : tensor<4x4xf32> -> tensor<16xf32>
    %6 = flow.dispatch @f_dispatch_2::@f_dispatch_2_elementwise_16_f32(%5) : (tensor<16xf32>) -> tensor<16xf32>
    %7 = flow.tensor.transfer %6 : tensor<16xf32> to #hal.device.affinity<@device_a>
    %8 = flow.tensor.reshape %7 : tensor<16xf32> -> tensor<4x4xf32>
    %9 = flow.tensor.transfer %6 : tensor<16xf32> to #hal.device.affinity<@device_b>
    %10 = flow.tensor.reshape %9 : tensor<16xf32> -> tensor<4x4xf32>
    %11 = flow.tensor.slice %8[%c0, %c0 for %c1, %c4] : tensor<4x4xf32> -> tensor<1x4xf32>
    %12 = flow.tensor.slice %10[%c0, %c0 for %c1, %c4] : tensor<4x4xf32> -> tensor<1x4xf32>
    %13 = flow.tensor.update %12, %3[%c1, %c0] : tensor<1x4xf32> -> %3 as tensor<4x4xf32>
    %14 = flow.tensor.update %11, %1[%c2, %c0] : tensor<1x4xf32> -> %1 as tensor<4x4xf32>
    %15 = flow.tensor.transfer %13 : tensor<4x4xf32> to #hal.device.affinity<@device_c>
    %16 = flow.tensor.transfer %14 : tensor<4x4xf32> to #hal.device.affinity<@device_c>
    %17 = flow.tensor.reshape %15 : tensor<4x4xf32> -> tensor<16xf32>
    %18 = flow.tensor.reshape %16 : tensor<4x4xf32> -> tensor<16xf32>
    %19 = flow.dispatch @f_dispatch_3::@f_dispatch_3_elementwise_16_f32(%17, %18) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %20 = flow.tensor.transfer %19 : tensor<16xf32> to #hal.device.affinity<@device_a>
    %21 = flow.tensor.reshape %20 : tensor<16xf32> -> tensor<4x4xf32>
    %22 = flow.tensor.transfer %19 : tensor<16xf32> to #hal.device.affinity<@device_b>
    %23 = flow.tensor.transfer %14 : tensor<4x4xf32> to #hal.device.affinity<@device_b>
    %24 = flow.tensor.reshape %23 : tensor<4x4xf32> -> tensor<16xf32>
    %25 = flow.dispatch @f_dispatch_4::@f_dispatch_4_elementwise_16_f32(%24, %22) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %26 = flow.tensor.transfer %25 : tensor<16xf32> to #hal.device.affinity<@device_a>
    %27 = flow.tensor.reshape %26 : tensor<16xf32> -> tensor<4x4xf32>
    %28 = hal.tensor.export %21 "output0" : tensor<4x4xf32> -> !hal.buffer_view
    %29 = hal.tensor.export %27 "output1" : tensor<4x4xf32> -> !hal.buffer_view
    util.return %28, %29 : !hal.buffer_view, !hal.buffer_view
  }
}