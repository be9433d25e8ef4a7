module attributes {stream.affinity.default = #hal.device.affinity<@__device_0>} {
  util.global private @__device_0 = #hal.device.target<"local", [#hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "generic", cpu_features = "", data_layout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128", iree.encoding.resolver = #iree_cpu.cpu_encoding_resolver<>, max_stack_allocation_size = 32768 : i64, native_vector_size = 16 : i64, target_triple = "x86_64-unknown-unknown-eabi-elf"}>]> : !hal.device
  flow.executable private @f$async_dispatch_0 {
    flow.executable.export public @f$async_dispatch_0_scan_3x8xf32_dispatch_tensor_store workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f$async_dispatch_0_scan_3x8xf32_dispatch_tensor_store(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<3x8xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<3x8xf32>>) {
        %cst = arith.constant 0.000000e+00 : f32
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [3, 8], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<3x8xf32>> -> tensor<3x8xf32>
        %1 = tensor.empty() : tensor<3xf32>
        %2 = tensor.empty() : tensor<3x8xf32>
        %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<3x8xf32>) -> tensor<3x8xf32>
        %4 = linalg.fill ins(%cst : f32) outs(%1 : tensor<3xf32>) -> tensor<3xf32>
        %5:2 = iree_linalg_ext.scan {operandSegmentSizes = array<i32: 1, 2>} dimension(1) inclusive(true) ins(%0 : tensor<3x8xf32>) outs(%3, %4 : tensor<3x8xf32>, tensor<3xf32>) {
        ^bb0(%arg2: f32, %arg3: f32):
          %6 = arith.addf %arg2, %arg3 : f32
          iree_linalg_ext.yield %6 : f32
        } -> tensor<3x8xf32>, tensor<3xf32>
        iree_tensor_ext.dispatch.tensor.store %5#0, %arg1, offsets = [0, 0], sizes = [3, 8], strides = [1, 1] : tensor<3x8xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<3x8xf32>>
        return
      }
    }
  }
  flow.executable private @f$async_dispatch_1 {
    flow.executable.export public @f$async_dispatch_1_elementwise_broadcast_10_i32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f$async_dispatch_1_elementwise_broadcast_10_i32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<5x2xi32>>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<10xi32>>) {
        %c2 = arith.constant 2 : index
        %c4 = arith.constant 4 : index
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [5, 2], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<5x2xi32>> -> tensor<5x2xi32>
        %1 = tensor.empty() : tensor<10xi32>
        %2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%1 : tensor<10xi32>) {
        ^bb0(%out: i32):
          %3 = linalg.index 0 : index
          %4 = arith.remsi %3, %c2 : index
          %5 = arith.divsi %3, %c2 : index
          %6 = arith.subi %c4, %5 : index
          %extracted = tensor.extract %0[%6, %4] : tensor<5x2xi32>
          linalg.yield %extracted : i32
        } -> tensor<10xi32>
        iree_tensor_ext.dispatch.tensor.store %2, %arg1, offsets = [0], sizes = [10], strides = [1] : tensor<10xi32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<10xi32>>
        return
      }
    }
  }
  flow.executable private @f$async_dispatch_2 {
    flow.executable.export public @f$async_dispatch_2_scan_5x2xi32_dispatch_tensor_store workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f$async_dispatch_2_scan_5x2xi32_dispatch_tensor_store(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<5x2xi32>>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<5x2xi32>>) {
        %c0_i32 = arith.constant 0 : i32
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [5, 2], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<5x2xi32>> -> tensor<5x2xi32>
        %1 = tensor.empty() : tensor<2xi32>
        %2 = tensor.empty() : tensor<5x2xi32>
        %3 = linalg.fill ins(%c0_i32 : i32) outs(%2 : tensor<5x2xi32>) -> tensor<5x2xi32>
        %4 = linalg.fill ins(%c0_i32 : i32) outs(%1 : tensor<2xi32>) -> tensor<2xi32>
        %5:2 = iree_linalg_ext.scan {operandSegmentSizes = array<i32: 1, 2>} dimension(0) inclusive(true) ins(%0 : tensor<5x2xi32>) outs(%3, %4 : tensor<5x2xi32>, tensor<2xi32>) {
        ^bb0(%arg2: i32, %arg3: i32):
          %6 = arith.addi %arg2, %arg3 : i32
          iree_linalg_ext.yield %6 : i32
        } -> tensor<5x2xi32>, tensor<2xi32>
        iree_tensor_ext.dispatch.tensor.store %5#0, %arg1, offsets = [0, 0], sizes = [5, 2], strides = [1, 1] : tensor<5x2xi32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<5x2xi32>>
        return
      }
    }
  }
  flow.executable private @f$async_dispatch_3 {
    flow.executable.export public @f$async_dispatch_3_elementwise_10_i32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f$async_dispatch_3_elementwise_10_i32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<5x2xi32>>, %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<10xi32>>, %arg2: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<10xi32>>) {
        %c2 = arith.constant 2 : index
        %c4 = arith.constant 4 : index
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [5, 2], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<5x2xi32>> -> tensor<5x2xi32>
        %1 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [0], sizes = [10], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<10xi32>> -> tensor<10xi32>
        %2 = tensor.empty() : tensor<10xi32>
        %3 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%1 : tensor<10xi32>) outs(%2 : tensor<10xi32>) {
        ^bb0(%in: i32, %out: i32):
          %4 = linalg.index 0 : index
          %5 = arith.remsi %4, %c2 : index
          %6 = arith.divsi %4, %c2 : index
          %7 = arith.subi %c4, %6 : index
          %extracted = tensor.extract %0[%7, %5] : tensor<5x2xi32>
          %8 = arith.subi %extracted, %in : i32
          linalg.yield %8 : i32
        } -> tensor<10xi32>
        iree_tensor_ext.dispatch.tensor.store %3, %arg2, offsets = [0], sizes = [10], strides = [1] : tensor<10xi32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<10xi32>>
        return
      }
    }
  }
  util.func public @f$async(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view, %arg2: !hal.fence, %arg3: !hal.fence) -> (!hal.buffer_view, !hal.buffer_view) attributes {inlining_policy = #util.inline.never, iree.abi.model = "coarse-fences", iree.abi.stub} {
    %0 = hal.tensor.import wait(%arg2) => %arg0 : !hal.buffer_view -> tensor<3x8xf32>
    %1 = hal.tensor.import wait(%arg2) => %arg1 : !hal.buffer_view -> tensor<5x2xi32>
    %2 = flow.dispatch @f$async_dispatch_0::@f$async_dispatch_0_scan_3x8xf32_dispatch_tensor_store(%0) : (tensor<3x8xf32>) -> tensor<3x8xf32>
    %3 = flow.dispatch @f$async_dispatch_1::@f$async_dispatch_1_elementwise_broadcast_10_i32(%1) : (tensor<5x2xi32>) -> tensor<10xi32>
    %4 = flow.tensor.reshape %3 : tensor<10xi32> -> tensor<5x2xi32>
    %5 = flow.dispatch @f$async_dispatch_2::@f$async_dispatch_2_scan_5x2xi32_dispatch_tensor_store(%4) : (tensor<5x2xi32>) -> tensor<5x2xi32>
    %6 = flow.tensor.reshape %1 : tensor<5x2xi32> -> tensor<10xi32>
    %7 = flow.dispatch @f$async_dispatch_3::@f$async_dispatch_3_elementwise_10_i32(%5, %6) : (tensor<5x2xi32>, tensor<10xi32>) -> tensor<10xi32>
    %8 = flow.tensor.reshape %7 : tensor<10xi32> -> tensor<5x2xi32>
    %9:2 = hal.tensor.barrier join(%2, %8 : tensor<3x8xf32>, tensor<5x2xi32>) => %arg3 : !hal.fence
    %10 = hal.tensor.export %9#0 : tensor<3x8xf32> -> !hal.buffer_view
    %11 = hal.tensor.export %9#1 : tensor<5x2xi32> -> !hal.buffer_view
    util.return %10, %11 : !hal.buffer_view, !hal.buffer_view
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