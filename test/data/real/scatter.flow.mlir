module @scatter attributes {stream.affinity.default = #hal.device.affinity<@device_a>, stream.topology = #hal.device.topology<links = [(@device_a -> @device_b = {unified_memory = true}), (@device_b -> @device_a = {unified_memory = true})]>, tosa.target_env = #tosa.target_env<specification_version = "1.0", level = none, profiles = [pro_int, pro_fp], extensions = [dynamic, doubleround]>} {
  util.global private @device_a = #hal.device.target<"local", {ordinal = 0 : index}, [#hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "generic", cpu_features = "", data_layout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128", iree.encoding.resolver = #iree_cpu.cpu_encoding_resolver<>, max_stack_allocation_size = 32768 : i64, native_vector_size = 16 : i64, target_triple = "x86_64-unknown-unknown-eabi-elf"}>]> : !hal.device
  util.global private @device_b = #hal.device.target<"local", {ordinal = 1 : index}, [#hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "generic", cpu_features = "", data_layout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128", iree.encoding.resolver = #iree_cpu.cpu_encoding_resolver<>, max_stack_allocation_size = 32768 : i64, native_vector_size = 16 : i64, target_triple = "x86_64-unknown-unknown-eabi-elf"}>]> : !hal.device
  flow.executable private @f_dispatch_0 {
    flow.executable.export public @f_dispatch_0_elementwise_30_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f_dispatch_0_elementwise_30_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<30xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<30xf32>>) {
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0], sizes = [30], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<30xf32>> -> tensor<30xf32>
        %1 = tensor.empty() : tensor<30xf32>
        %2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%0 : tensor<30xf32>) outs(%1 : tensor<30xf32>) {
        ^bb0(%in: f32, %out: f32):
          %3 = arith.mulf %in, %in : f32
          linalg.yield %3 : f32
        } -> tensor<30xf32>
        iree_tensor_ext.dispatch.tensor.store %2, %arg1, offsets = [0], sizes = [30], strides = [1] : tensor<30xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<30xf32>>
        return
      }
    }
  }
  flow.executable private @f_dispatch_1 {
    flow.executable.export public @f_dispatch_1_slow_memcpy workgroups(%arg0: index, %arg1: index) -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%arg0, %arg1)
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f_dispatch_1_slow_memcpy(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x4xi32>>, %arg1: index, %arg2: index, %arg3: !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x4x3xf32>>, %arg4: !iree_tensor_ext.dispatch.tensor<readwrite:tensor<2x5x3xf32>>) {
        %0 = iree_tensor_ext.dispatch.workload.ordinal %arg1, 0 : index
        %1 = iree_tensor_ext.dispatch.workload.ordinal %arg2, 1 : index
        %2 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [2, 4], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x4xi32>> -> tensor<2x4xi32>
        %extracted = tensor.extract %2[%0, %1] : tensor<2x4xi32>
        %3 = iree_tensor_ext.dispatch.tensor.load %arg3, offsets = [%0, %1, 0], sizes = [1, 1, 3], strides = [1, 1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x4x3xf32>> -> tensor<3xf32>
        %4 = arith.index_cast %extracted : i32 to index
        iree_tensor_ext.dispatch.tensor.store %3, %arg4, offsets = [%0, %4, 0], sizes = [1, 1, 3], strides = [1, 1, 1] : tensor<3xf32> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<2x5x3xf32>>
        return
      }
    }
  }
  util.func public @f(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view, %arg2: !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "sync func @f(%input0: tensor<2x5x3xf32>, %input1: tensor<2x4xi32>, %input2: tensor<2x4x3xf32>) -> (%output0: tensor<2x5x3xf32>)"}} {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %0 = hal.tensor.import %arg0 "input0" : !hal.buffer_view -> tensor<2x5x3xf32>
    %1 = hal.tensor.import %arg1 "input1" : !hal.buffer_view -> tensor<2x4xi32>
    %2 = hal.tensor.import %arg2 "input2" : !hal.buffer_view -> tensor<2x4x3xf32>
    %3 = flow.tensor.transfer %0 : tensor<2x5x3xf32> to #hal.device.affinity<@device_b>
    %4 = flow.tensor.reshape %3 : tensor<2x5x3xf32> -> tensor<30xf32>
    %5 = flow.dispatch @f_dispatch_0::@f_dispatch_0_elementwise_30_f32(%4) : (tensor<30xf32>) -> tensor<30xf32>
    %6 = flow.tensor.transfer %5 : tensor<30xf32> to #hal.device.affinity<@device_a>
    %7 = flow.tensor.reshape %6 : tensor<30xf32> -> tensor<2x5x3xf32>
    %8 = scf.for %arg3 = %c0 to %c2 step %c1 iter_args(%arg4 = %7) -> (tensor<2x5x3xf32>) {
      %10 = scf.for %arg5 = %c0 to %c4 step %c1 iter_args(%arg6 = %arg4) -> (tensor<2x5x3xf32>) {
        %11 = flow.dispatch @f_dispatch_1::@f_dispatch_1_slow_memcpy[%arg3, %arg5](%1, %arg3, %arg5, %2, %arg6) : (tensor<2x4xi32>, index, index, tensor<2x4x3xf32>, tensor<2x5x3xf32>) -> %arg6
        scf.yield %11 : tensor<2x5x3xf32>
      }
      scf.yield %10 : tensor<2x5x3xf32>
    }
    %9 = hal.tensor.export %8 "output0" : tensor<2x5x3xf32> -> !hal.buffer_view
    util.return %9 : !hal.buffer_view
  }
}