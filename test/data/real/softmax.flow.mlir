module attributes {stream.affinity.default = #hal.device.affinity<@__device_0>} {
  util.global private @__device_0 = #hal.device.target<"local", [#hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "generic", cpu_features = "", data_layout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128", iree.encoding.resolver = #iree_cpu.cpu_encoding_resolver<>, max_stack_allocation_size = 32768 : i64, native_vector_size = 16 : i64, target_triple = "x86_64-unknown-unknown-eabi-elf"}>]> : !hal.device
  flow.executable private @f_dispatch_0 {
    flow.executable.export public @f_dispatch_0_softmax_5x9xf32_dispatch_tensor_store workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f_dispatch_0_softmax_5x9xf32_dispatch_tensor_store(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<5x9xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<5x9xf32>>) {
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [5, 9], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<5x9xf32>> -> tensor<5x9xf32>
        %1 = tensor.empty() : tensor<5x9xf32>
        %2 = linalg.softmax dimension(1) ins(%0 : tensor<5x9xf32>) outs(%1 : tensor<5x9xf32>) -> tensor<5x9xf32>
        iree_tensor_ext.dispatch.tensor.store %2, %arg1, offsets = [0, 0], sizes = [5, 9], strides = [1, 1] : tensor<5x9xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<5x9xf32>>
        return
      }
    }
  }
  flow.executable private @f_dispatch_1 {
    flow.executable.export public @f_dispatch_1_softmax_5x9xf32_dispatch_tensor_store workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f_dispatch_1_softmax_5x9xf32_dispatch_tensor_store(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<5x9xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<5x9xf32>>) {
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [5, 9], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<5x9xf32>> -> tensor<5x9xf32>
        %1 = tensor.empty() : tensor<5x9xf32>
        %2 = linalg.softmax dimension(0) ins(%0 : tensor<5x9xf32>) outs(%1 : tensor<5x9xf32>) -> tensor<5x9xf32>
        iree_tensor_ext.dispatch.tensor.store %2, %arg1, offsets = [0, 0], sizes = [5, 9], strides = [1, 1] : tensor<5x9xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<5x9xf32>>
        return
      }
    }
  }
  util.func public @f(%arg0: !hal.buffer_view) -> (!hal.buffer_view, !hal.buffer_view) attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "sync func @f(%input0: tensor<5x9xf32>) -> (%output0: tensor<5x9xf32>, %output1: tensor<5x9xf32>)"}} {
    %0 = hal.tensor.import %arg0 "input0" : !hal.buffer_view -> tensor<5x9xf32>
    %1 = flow.dispatch @f_dispatch_0::@f_dispatch_0_softmax_5x9xf32_dispatch_tensor_store(%0) : (tensor<5x9xf32>) -> tensor<5x9xf32>
    %2 = flow.dispatch @f_dispatch_1::@f_dispatch_1_softmax_5x9xf32_dispatch_tensor_store(%1) : (tensor<5x9xf32>) -> tensor<5x9xf32>
    %3 = hal.tensor.export %1 "output0" : tensor<5x9xf32> -> !hal.buffer_view
    %4 = hal.tensor.export %2 "output1" : tensor<5x9xf32> -> !hal.buffer_view
    util.return %3, %4 : !hal.buffer_view, !hal.buffer_view
  }
}