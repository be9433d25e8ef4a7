module attributes {stream.affinity.default = #hal.device.affinity<@__device_0>} {
  util.global private @__device_0 = #hal.device.target<"local", [#hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "generic", cpu_features = "", data_layout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128", iree.encoding.resolver = #iree_cpu.cpu_encoding_resolver<>, max_stack_allocation_size = 32768 : i64, native_vector_size = 16 : i64, target_triple = "x86_64-unknown-unknown-eabi-elf"}>]> : !hal.device
  stream.executable private @f$async_dispatch_0 {
    stream.executable.export public @f$async_dispatch_0_scan_3x8xf32_dispatch_tensor_store workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      stream.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f$async_dispatch_0_scan_3x8xf32_dispatch_tensor_store(%arg0: !stream.binding {stream.alignment = 64 : index}, %arg1: !stream.binding {stream.alignment = 64 : index}) {
        %cst = arith.constant 0.000000e+00 : f32
        %c0 = arith.constant 0 : index
        %0 = stream.binding.subspan %arg0[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<3x8xf32>>
        %1 = stream.binding.subspan %arg1[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<3x8xf32>>
        %2 = iree_tensor_ext.dispatch.tensor.load %0, offsets = [0, 0], sizes = [3, 8], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<3x8xf32>> -> tensor<3x8xf32>
        %3 = tensor.empty() : tensor<3xf32>
        %4 = tensor.empty() : tensor<3x8xf32>
        %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<3x8xf32>) -> tensor<3x8xf32>
        %6 = linalg.fill ins(%cst : f32) outs(%3 : tensor<3xf32>) -> tensor<3xf32>
        %7:2 = iree_linalg_ext.scan {operandSegmentSizes = array<i32: 1, 2>} dimension(1) inclusive(true) ins(%2 : tensor<3x8xf32>) outs(%5, %6 : tensor<3x8xf32>, tensor<3xf32>) {
        ^bb0(%arg2: f32, %arg3: f32):
          %8 = arith.addf %arg2, %arg3 : f32
          iree_linalg_ext.yield %8 : f32
        } -> tensor<3x8xf32>, tensor<3xf32>
        iree_tensor_ext.dispatch.tensor.store %7#0, %1, offsets = [0, 0], sizes = [3, 8], strides = [1, 1] : tensor<3x8xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<3x8xf32>>
        return
      }
    }
  }
  stream.executable private @f$async_dispatch_1 {
    stream.executable.export public @f$async_dispatch_1_elementwise_broadcast_10_i32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      stream.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f$async_dispatch_1_elementwise_broadcast_10_i32(%arg0: !stream.binding {stream.alignment = 64 : index}, %arg1: !stream.binding {stream.alignment = 64 : index}) {
        %c2 = arith.constant 2 : index
        %c4 = arith.constant 4 : index
        %c0 = arith.constant 0 : index
        %0 = stream.binding.subspan %arg0[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<5x2xi32>>
        %1 = stream.binding.subspan %arg1[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<10xi32>>
        %2 = iree_tensor_ext.dispatch.tensor.load %0, offsets = [0, 0], sizes = [5, 2], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<5x2xi32>> -> tensor<5x2xi32>
        %3 = tensor.empty() : tensor<10xi32>
        %4 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%3 : tensor<10xi32>) {
        ^bb0(%out: i32):
          %5 = linalg.index 0 : index
          %6 = arith.remsi %5, %c2 : index
          %7 = arith.divsi %5, %c2 : index
          %8 = arith.subi %c4, %7 : index
          %extracted = tensor.extract %2[%8, %6] : tensor<5x2xi32>
          linalg.yield %extracted : i32
        } -> tensor<10xi32>
        iree_tensor_ext.dispatch.tensor.store %4, %1, offsets = [0], sizes = [10], strides = [1] : tensor<10xi32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<10xi32>>
        return
      }
    }
  }
  stream.executable private @f$async_dispatch_2 {
    stream.executable.export public @f$async_dispatch_2_scan_5x2xi32_dispatch_tensor_store workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      stream.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f$async_dispatch_2_scan_5x2xi32_dispatch_tensor_store(%arg0: !stream.binding {stream.alignment = 64 : index}, %arg1: !stream.binding {stream.alignment = 64 : index}) {
        %c0_i32 = arith.constant 0 : i32
        %c0 = arith.constant 0 : index
        %c64 = arith.constant 64 : index
        %0 = stream.binding.subspan %arg0[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<5x2xi32>>
        %1 = stream.binding.subspan %arg1[%c64] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<5x2xi32>>
        %2 = iree_tensor_ext.dispatch.tensor.load %0, offsets = [0, 0], sizes = [5, 2], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<5x2xi32>> -> tensor<5x2xi32>
        %3 = tensor.empty() : tensor<2xi32>
        %4 = tensor.empty() : tensor<5x2xi32>
        %5 = linalg.fill ins(%c0_i32 : i32) outs(%4 : tensor<5x2xi32>) -> tensor<5x2xi32>
        %6 = linalg.fill ins(%c0_i32 : i32) outs(%3 : tensor<2xi32>) -> tensor<2xi32>
        %7:2 = iree_linalg_ext.scan {operandSegmentSizes = array<i32: 1, 2>} dimension(0) inclusive(true) ins(%2 : tensor<5x2xi32>) outs(%5, %6 : tensor<5x2xi32>, tensor<2xi32>) {
        ^bb0(%arg2: i32, %arg3: i32):
          %8 = arith.addi %arg2, %arg3 : i32
          iree_linalg_ext.yield %8 : i32
        } -> tensor<5x2xi32>, tensor<2xi32>
        iree_tensor_ext.dispatch.tensor.store %7#0, %1, offsets = [0, 0], sizes = [5, 2], strides = [1, 1] : tensor<5x2xi32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<5x2xi32>>
        return
      }
    }
  }
  stream.executable private @f$async_dispatch_3 {
    stream.executable.export public @f$async_dispatch_3_elementwise_10_i32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      stream.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f$async_dispatch_3_elementwise_10_i32(%arg0: !stream.binding {stream.alignment = 64 : index}, %arg1: !stream.binding {stream.alignment = 64 : index}, %arg2: !stream.binding {stream.alignment = 64 : index}) {
        %c2 = arith.constant 2 : index
        %c4 = arith.constant 4 : index
        %c64 = arith.constant 64 : index
        %c0 = arith.constant 0 : index
        %c128 = arith.constant 128 : index
        %0 = stream.binding.subspan %arg0[%c64] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<5x2xi32>>
        %1 = stream.binding.subspan %arg1[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<10xi32>>
        %2 = stream.binding.subspan %arg2[%c128] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<10xi32>>
        %3 = iree_tensor_ext.dispatch.tensor.load %0, offsets = [0, 0], sizes = [5, 2], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<5x2xi32>> -> tensor<5x2xi32>
        %4 = iree_tensor_ext.dispatch.tensor.load %1, offsets = [0], sizes = [10], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<10xi32>> -> tensor<10xi32>
        %5 = tensor.empty() : tensor<10xi32>
        %6 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%4 : tensor<10xi32>) outs(%5 : tensor<10xi32>) {
        ^bb0(%in: i32, %out: i32):
          %7 = linalg.index 0 : index
          %8 = arith.remsi %7, %c2 : index
          %9 = arith.divsi %7, %c2 : index
          %10 = arith.subi %c4, %9 : index
          %extracted = tensor.extract %3[%10, %8] : tensor<5x2xi32>
          %11 = arith.subi %extracted, %in : i32
          linalg.yield %11 : i32
        } -> tensor<10xi32>
        iree_tensor_ext.dispatch.tensor.store %6, %2, offsets = [0], sizes = [10], strides = [1] : tensor<10xi32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<10xi32>>
        return
      }
    }
  }
  util.func public @f$async(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view, %arg2: !hal.fence, %arg3: !hal.fence) -> (!hal.buffer_view, !hal.buffer_view) attributes {inlining_policy = #util.inline.never, iree.abi.model = "coarse-fences", iree.abi.stub} {
    %c0 = arith.constant 0 : index
    %c192 = arith.constant 192 : index
    %c128 = arith.constant 128 : index
    %c40 = arith.constant 40 : index
    %c96 = arith.constant 96 : index
    %c2 = arith.constant 2 : index
    %c5 = arith.constant 5 : index
    %c8 = arith.constant 8 : index
    %c3 = arith.constant 3 : index
    %element_type_f32 = hal.element_type<f32> : i32
    %dense_row_major = hal.encoding_type<dense_row_major> : i32
    hal.buffer_view.assert<%arg0 : !hal.buffer_view> message("tensor") shape([%c3, %c8]) type(%element_type_f32) encoding(%dense_row_major)
    %0 = stream.tensor.import on(#hal.device.affinity<@__device_0>) %arg0 : !hal.buffer_view -> tensor<3x8xf32> in !stream.resource<external>{%c96}
    %1 = stream.timepoint.import on(#hal.device.affinity<@__device_0>) %arg2 : (!hal.fence) => !stream.timepoint
    %element_type_i32 = hal.element_type<i32> : i32
    hal.buffer_view.assert<%arg1 : !hal.buffer_view> message("tensor") shape([%c5, %c2]) type(%element_type_i32) encoding(%dense_row_major)
    %2 = stream.tensor.import on(#hal.device.affinity<@__device_0>) %arg1 : !hal.buffer_view -> tensor<5x2xi32> in !stream.resource<external>{%c40}
    %result, %result_timepoint = stream.resource.alloca uninitialized on(#hal.device.affinity<@__device_0>) await(%1) => !stream.resource<external>{%c192} => !stream.timepoint
    %3 = stream.resource.subview %result[%c0] : !stream.resource<external>{%c192} -> !stream.resource<external>{%c96}
    %4 = stream.resource.subview %result[%c128] : !stream.resource<external>{%c192} -> !stream.resource<external>{%c40}
    %result_0, %result_timepoint_1 = stream.resource.alloca uninitialized on(#hal.device.affinity<@__device_0>) await(%1) => !stream.resource<transient>{%c128} => !stream.timepoint
    %5 = stream.timepoint.join max(%result_timepoint, %result_timepoint_1) => !stream.timepoint
    %6 = stream.cmd.execute on(#hal.device.affinity<@__device_0>) await(%5) => with(%0 as %arg4: !stream.resource<external>{%c96}, %2 as %arg5: !stream.resource<external>{%c40}, %result as %arg6: !stream.resource<external>{%c192}, %result_0 as %arg7: !stream.resource<transient>{%c128}) {
      stream.cmd.concurrent {
        stream.cmd.dispatch @f$async_dispatch_0::@f$async_dispatch_0_scan_3x8xf32_dispatch_tensor_store {
          ro %arg4[%c0 for %c96] : !stream.resource<external>{%c96},
          wo %arg6[%c0 for %c192] : !stream.resource<external>{%c192}
        }
        stream.cmd.dispatch @f$async_dispatch_1::@f$async_dispatch_1_elementwise_broadcast_10_i32 {
          ro %arg5[%c0 for %c40] : !stream.resource<external>{%c40},
          wo %arg7[%c0 for %c128] : !stream.resource<transient>{%c128}
        }
      }
      stream.cmd.dispatch @f$async_dispatch_2::@f$async_dispatch_2_scan_5x2xi32_dispatch_tensor_store {
        ro %arg7[%c0 for %c128] : !stream.resource<transient>{%c128},
        wo %arg7[%c0 for %c128] : !stream.resource<transient>{%c128}
      }
      stream.cmd.dispatch @f$async_dispatch_3::@f$async_dispatch_3_elementwise_10_i32 {
        ro %arg7[%c0 for %c128] : !stream.resource<transient>{%c128},
        ro %arg5[%c0 for %c40] : !stream.resource<external>{%c40},
        wo %arg6[%c0 for %c192] : !stream.resource<external>{%c192}
      }
    } => !stream.timepoint
    %7 = stream.resource.dealloca on(#hal.device.affinity<@__device_0>) await(%6) => %result_0 : !stream.resource<transient>{%c128} => !stream.timepoint
    stream.timepoint.chain_external on(#hal.device.affinity<@__device_0>) %7 => (%arg3 : !hal.fence)
    %8 = stream.tensor.export on(#hal.device.affinity<@__device_0>) %3 : tensor<3x8xf32> in !stream.resource<external>{%c96} -> !hal.buffer_view
    %9 = stream.tensor.export on(#hal.device.affinity<@__device_0>) %4 : tensor<5x2xi32> in !stream.resource<external>{%c40} -> !hal.buffer_view
    util.return %8, %9 : !hal.buffer_view, !hal.buffer_view
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