module attributes {stream.affinity.default = #hal.device.affinity<@__device_0>} {
  util.global private @__device_0 = #hal.device.target<"local", [#hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "generic", cpu_features = "", data_layout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128", iree.encoding.resolver = #iree_cpu.cpu_encoding_resolver<>, max_stack_allocation_size = 32768 : i64, native_vector_size = 16 : i64, target_triple = "x86_64-unknown-unknown-eabi-elf"}>]> : !hal.device
  flow.executable private @f$async_dispatch_0 {
    flow.executable.export public @f$async_dispatch_0_matmul_5x8x6_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f$async_dispatch_0_matmul_5x8x6_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<5x6xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<6x8xf32>>, %arg2: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<5x8xf32>>) {
        %cst = arith.constant 0.000000e+00 : f32
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [5, 6], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<5x6xf32>> -> tensor<5x6xf32>
        %1 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [0, 0], sizes = [6, 8], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<6x8xf32>> -> tensor<6x8xf32>
        %2 = tensor.empty() : tensor<5x8xf32>
        %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<5x8xf32>) -> tensor<5x8xf32>
        %4 = linalg.matmul ins(%0, %1 : tensor<5x6xf32>, tensor<6x8xf32>) outs(%3 : tensor<5x8xf32>) -> tensor<5x8xf32>
        iree_tensor_ext.dispatch.tensor.store %4, %arg2, offsets = [0, 0], sizes = [5, 8], strides = [1, 1] : tensor<5x8xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<5x8xf32>>
        return
      }
    }
  }
  flow.executable private @f$async_dispatch_1 {
    flow.executable.export public @f$async_dispatch_1_elementwise_broadcast_40_i64 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f$async_dispatch_1_elementwise_broadcast_40_i64(%arg0: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<40xi64>>) {
        %c8 = arith.constant 8 : index
        %0 = tensor.empty() : tensor<40xi64>
        %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%0 : tensor<40xi64>) {
        ^bb0(%out: i64):
          %2 = linalg.index 0 : index
          %3 = arith.remsi %2, %c8 : index
          %4 = arith.index_cast %3 : index to i64
          linalg.yield %4 : i64
        } -> tensor<40xi64>
        iree_tensor_ext.dispatch.tensor.store %1, %arg0, offsets = [0], sizes = [40], strides = [1] : tensor<40xi64> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<40xi64>>
        return
      }
    }
  }
  flow.executable private @f$async_dispatch_2 {
    flow.executable.export public @f$async_dispatch_2_sort_5x8xf32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f$async_dispatch_2_sort_5x8xf32(%arg0: !iree_tensor_ext.dispatch.tensor<readwrite:tensor<5x8xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<readwrite:tensor<5x8xi64>>) {
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [5, 8], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<5x8xf32>> -> tensor<5x8xf32>
        %1 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [0, 0], sizes = [5, 8], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<5x8xi64>> -> tensor<5x8xi64>
        %2:2 = iree_linalg_ext.sort dimension(1) outs(%0, %1 : tensor<5x8xf32>, tensor<5x8xi64>) {
        ^bb0(%arg2: f32, %arg3: f32, %arg4: i64, %arg5: i64):
          %3 = arith.cmpf oge, %arg2, %arg3 : f32
          iree_linalg_ext.yield %3 : i1
        } -> tensor<5x8xf32>, tensor<5x8xi64>
        iree_tensor_ext.dispatch.tensor.store %2#0, %arg0, offsets = [0, 0], sizes = [5, 8], strides = [1, 1] : tensor<5x8xf32> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<5x8xf32>>
        iree_tensor_ext.dispatch.tensor.store %2#1, %arg1, offsets = [0, 0], sizes = [5, 8], strides = [1, 1] : tensor<5x8xi64> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<5x8xi64>>
        return
      }
    }
  }
  flow.executable private @f$async_dispatch_3 {
    flow.executable.export public @f$async_dispatch_3_slow_memcpy workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f$async_dispatch_3_slow_memcpy(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<5x8xi64>>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<5x3xi64>>) {
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [5, 3], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<5x8xi64>> -> tensor<5x3xi64>
        iree_tensor_ext.dispatch.tensor.store %0, %arg1, offsets = [0, 0], sizes = [5, 3], strides = [1, 1] : tensor<5x3xi64> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<5x3xi64>>
        return
      }
    }
  }
  flow.executable private @f$async_dispatch_4 {
    flow.executable.export public @f$async_dispatch_4_softmax_5x3xf32_dispatch_tensor_store workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f$async_dispatch_4_softmax_5x3xf32_dispatch_tensor_store(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<5x8xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<5x3xf32>>) {
        %0 = tensor.empty() : tensor<5x3xf32>
        %1 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [5, 3], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<5x8xf32>> -> tensor<5x3xf32>
        %2 = linalg.softmax dimension(1) ins(%1 : tensor<5x3xf32>) outs(%0 : tensor<5x3xf32>) -> tensor<5x3xf32>
        iree_tensor_ext.dispatch.tensor.store %2, %arg1, offsets = [0, 0], sizes = [5, 3], strides = [1, 1] : tensor<5x3xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<5x3xf32>>
        return
      }
    }
  }
  util.func public @f$async(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view, %arg2: !hal.fence, %arg3: !hal.fence) -> (!hal.buffer_view, !hal.buffer_view) attributes {inlining_policy = #util.inline.never, iree.abi.model = "coarse-fences", iree.abi.stub} {
    %0 = hal.tensor.import wait(%arg2) => %arg0 : !hal.buffer_view -> tensor<5x6xf32>
    %1 = hal.tensor.import wait(%arg2) => %arg1 : !hal.buffer_view -> tensor<6x8xf32>
    %2 = flow.dispatch @f$async_dispatch_0::@f$async_dispatch_0_matmul_5x8x6_f32(%0, %1) : (tensor<5x6xf32>, tensor<6x8xf32>) -> tensor<5x8xf32>
    %3 = flow.dispatch @f$async_dispatch_1::@f$async_dispatch_1_elementwise_broadcast_40_i64() : () -> tensor<40xi64>
    %4 = flow.tensor.reshape %3 : tensor<40xi64> -> tensor<5x8xi64>
    %5:2 = flow.dispatch @f$async_dispatch_2::@f$async_dispatch_2_sort_5x8xf32(%2, %4) : (tensor<5x8xf32>, tensor<5x8xi64>) -> (%2, %4)
    %6 = flow.dispatch @f$async_dispatch_3::@f$async_dispatch_3_slow_memcpy(%5#1) : (tensor<5x8xi64>) -> tensor<5x3xi64>
    %7 = flow.dispatch @f$async_dispatch_4::@f$async_dispatch_4_softmax_5x3xf32_dispatch_tensor_store(%5#0) : (tensor<5x8xf32>) -> tensor<5x3xf32>
    %8:2 = hal.tensor.barrier join(%7, %6 : tensor<5x3xf32>, tensor<5x3xi64>) => %arg3 : !hal.fence
    %9 = hal.tensor.export %8#0 : tensor<5x3xf32> -> !hal.buffer_view
    %10 = hal.tensor.export %8#1 : tensor<5x3xi64> -> !hal.buffer_view
    util.return %9, %10 : !hal.buffer_view, !hal.buffer_view
  }
  util.func public @f(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view) -> (!hal.buffer_view, !hal.buffer_view) attributes {iree.abi.stub} {
    %0 = util.null : !hal.fence
    %c-1_i32 = arith.constant -1 : i32
    %c0 = arith.constant 0 : index
    %device_0 = hal.devices.get %c0 : !hal.device
    %fence = hal.fence.create device(%device_0 : !hal.device) flags("None") : !hal.fence
    %1:2 = util.call @f$async(%arg0, %arg1, %0, %fence) : (!hal.buffer_view, !hal.buffer_view, !hal.fence, !hal.fence) -> (!hal.buffer_view, !hal.buffer_view)
    %status = hal.fence.await until([%fence]) timeout_millis(%c-1_i32) flags("None") : i32
    util.return %1#0, %1#1 : !hal.buffer_view, !hal.buffer_view
  }
}