module attributes {stream.affinity.default = #hal.device.affinity<@device_a>, stream.topology = #hal.device.topology<links = [(@device_a -> @device_b = {unified_memory = true, transparent_access = true}), (@device_b -> @device_a = {unified_memory = true, transparent_access = true})]>} {
  util.global private @device_a = #hal.device.target<"local", {ordinal = 0 : index}, [#hal.executable.target<"vmvx", "vmvx-bytecode-fb", {iree.encoding.resolver = #iree_cpu.vmvx_encoding_resolver<>, ukernels = "none"}>]> : !hal.device
  util.global private @device_b = #hal.device.target<"local", {ordinal = 1 : index}, [#hal.executable.target<"vmvx", "vmvx-bytecode-fb", {iree.encoding.resolver = #iree_cpu.vmvx_encoding_resolver<>, ukernels = "none"}>]> : !hal.device
  flow.executable private @main_dispatch_0 {
    flow.executable.export public @main_dispatch_0_elementwise_4_i32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @main_dispatch_0_elementwise_4_i32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xi32>>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xi32>>) {
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xi32>> -> tensor<4xi32>
        %1 = tensor.empty() : tensor<4xi32>
        %2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%0 : tensor<4xi32>) outs(%1 : tensor<4xi32>) {
        ^bb0(%in: i32, %out: i32):
          %3 = arith.muli %in, %in : i32
          linalg.yield %3 : i32
        } -> tensor<4xi32>
        iree_tensor_ext.dispatch.tensor.store %2, %arg1, offsets = [0], sizes = [4], strides = [1] : tensor<4xi32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xi32>>
        return
      }
    }
  }
  flow.executable private @main_dispatch_1 {
    flow.executable.export public @main_dispatch_1_elementwise_4_i32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @main_dispatch_1_elementwise_4_i32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xi32>>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xi32>>) {
        %c1_i32 = arith.constant 1 : i32
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xi32>> -> tensor<4xi32>
        %1 = tensor.empty() : tensor<4xi32>
        %2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%0 : tensor<4xi32>) outs(%1 : tensor<4xi32>) {
        ^bb0(%in: i32, %out: i32):
          %3 = arith.addi %in, %c1_i32 : i32
          linalg.yield %3 : i32
        } -> tensor<4xi32>
        iree_tensor_ext.dispatch.tensor.store %2, %arg1, offsets = [0], sizes = [4], strides = [1] : tensor<4xi32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xi32>>
        return
      }
    }
  }
  util.func public @main(%arg0: !hal.buffer_view) -> (!hal.buffer_view, !hal.buffer_view) attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "sync func @main(%input0: tensor<4xi32> {iree.abi.affinity = #hal.device.promise<@device_a>}) -> (%output0: tensor<4xi32> {iree.abi.affinity = #hal.device.promise<@device_b>}, %output1: tensor<4xi32> {iree.abi.affinity = #hal.device.promise<@device_a>})"}} {
    %cst = arith.constant dense<9> : tensor<2xi32>
    %c0 = arith.constant 0 : index
    %0 = hal.tensor.import on(#hal.device.affinity<@device_a>) %arg0 "input0" : !hal.buffer_view -> tensor<4xi32>
    %1 = flow.dispatch @main_dispatch_0::@main_dispatch_0_elementwise_4_i32(%0) : (tensor<4xi32>) -> tensor<4xi32>
    %2 = flow.tensor.transfer %1 : tensor<4xi32> to #hal.device.affinity<@device_a>
    %3 = flow.tensor.transfer %1 : tensor<4xi32> to #hal.device.affinity<@device_b>
    %4 = flow.tensor.update %cst, %2[%c0] : tensor<2xi32> -> %2 as tensor<4xi32>
    %5 = flow.dispatch @main_dispatch_1::@main_dispatch_1_elementwise_4_i32(%3) : (tensor<4xi32>) -> tensor<4xi32>
    %6 = flow.tensor.transfer %5 : tensor<4xi32> to #hal.device.affinity<@device_b>
    %7 = hal.tensor.export on(#hal.device.affinity<@device_b>) %6 "output0" : tensor<4xi32> -> !hal.buffer_view
    %8 = hal.tensor.export on(#hal.device.affinity<@device_a>) %4 "output1" : tensor<4xi32> -> !hal.buffer_view
    util.return %7, %8 : !hal.buffer_view, !hal.buffer_view
  }
}
