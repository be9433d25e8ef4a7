module attributes {stream.affinity.default = #hal.device.affinity<@__device_0>} {
  util.global private @__device_0 = #hal.device.target<"local", [#hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "generic", cpu_features = "", data_layout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128", iree.encoding.resolver = #iree_cpu.cpu_encoding_resolver<>, max_stack_allocation_size = 32768 : i64, native_vector_size = 16 : i64, target_triple = "x86_64-unknown-unknown-eabi-elf"}>]> : !hal.device
  flow.executable private @f_dispatch_0 {
    flow.executable.export public @f_dispatch_0_elementwise_broadcast_30_i32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f_dispatch_0_elementwise_broadcast_30_i32(%arg0: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<30xi32>>) {
        %c10 = arith.constant 10 : index
        %0 = tensor.empty() : tensor<30xi32>
        %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%0 : tensor<30xi32>) {
        ^bb0(%out: i32):
          %2 = linalg.index 0 : index
          %3 = arith.remsi %2, %c10 : index
          %4 = arith.index_cast %3 : index to i32
          linalg.yield %4 : i32
        } -> tensor<30xi32>
        iree_tensor_ext.dispatch.tensor.store %1, %arg0, offsets = [0], sizes = [30], strides = [1] : tensor<30xi32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<30xi32>>
        return
      }
    }
  }
  flow.executable private @f_dispatch_1 {
    flow.executable.export public @f_dispatch_1_sort_3x10xf32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f_dispatch_1_sort_3x10xf32(%arg0: !iree_tensor_ext.dispatch.tensor<readwrite:tensor<3x10xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<readwrite:tensor<3x10xi32>>) {
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [3, 10], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<3x10xf32>> -> tensor<3x10xf32>
        %1 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [0, 0], sizes = [3, 10], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<3x10xi32>> -> tensor<3x10xi32>
        %2:2 = iree_linalg_ext.sort dimension(1) outs(%0, %1 : tensor<3x10xf32>, tensor<3x10xi32>) {
        ^bb0(%arg2: f32, %arg3: f32, %arg4: i32, %arg5: i32):
          %3 = arith.cmpf ogt, %arg2, %arg3 : f32
          iree_linalg_ext.yield %3 : i1
        } -> tensor<3x10xf32>, tensor<3x10xi32>
        iree_tensor_ext.dispatch.tensor.store %2#0, %arg0, offsets = [0, 0], sizes = [3, 10], strides = [1, 1] : tensor<3x10xf32> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<3x10xf32>>
        iree_tensor_ext.dispatch.tensor.store %2#1, %arg1, offsets = [0, 0], sizes = [3, 10], strides = [1, 1] : tensor<3x10xi32> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<3x10xi32>>
        return
      }
    }
  }
  util.func public @f(%arg0: !hal.buffer_view) -> (!hal.buffer_view, !hal.buffer_view) attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "sync func @f(%input0: tensor<3x10xf32>) -> (%output0: tensor<3x10xf32>, %output1: tensor<3x10xi32>)"}} {
    %0 = hal.tensor.import %arg0 "input0" : !hal.buffer_view -> tensor<3x10xf32>
    %1 = flow.dispatch @f_dispatch_0::@f_dispatch_0_elementwise_broadcast_30_i32() : () -> tensor<30xi32>
    %2 = flow.tensor.reshape %1 : tensor<30xi32> -> tensor<3x10xi32>
    %3:2 = flow.dispatch @f_dispatch_1::@f_dispatch_1_sort_3x10xf32(%0, %2) : (tensor<3x10xf32>, tensor<3x10xi32>) -> (%0, %2)
    %4 = hal.tensor.export %3#0 "output0" : tensor<3x10xf32> -> !hal.buffer_view
    %5 = hal.tensor.export %3#1 "output1" : tensor<3x10xi32> -> !hal.buffer_view
    util.return %4, %5 : !hal.buffer_view, !hal.buffer_view
  }
}