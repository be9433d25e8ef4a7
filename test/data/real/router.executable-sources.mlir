module attributes {stream.affinity.default = #hal.device.affinity<@__device_0>} {
  util.global private @__device_0 = #hal.device.target<"local", [#hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "generic", cpu_features = "", data_layout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128", iree.encoding.resolver = #iree_cpu.cpu_encoding_resolver<>, max_stack_allocation_size = 32768 : i64, native_vector_size = 16 : i64, target_triple = "x86_64-unknown-unknown-eabi-elf"}>]> : !hal.device
  hal.executable private @f$async_dispatch_0 {
    hal.executable.variant public @embedded_elf_x86_64 target(<"llvm-cpu", "embedded-elf-x86_64", {cpu = "generic", cpu_features = "", data_layout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128", iree.encoding.resolver = #iree_cpu.cpu_encoding_resolver<>, max_stack_allocation_size = 32768 : i64, native_vector_size = 16 : i64, target_triple = "x86_64-unknown-unknown-eabi-elf"}>) {
      hal.executable.export public @f$async_dispatch_0_matmul_5x8x6_f32 ordinal(0) layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) count(%arg0: !hal.device) -> (index, index, index) {
        %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
        hal.return %x, %y, %z : index, index, index
      }
      builtin.module {
        func.func @f$async_dispatch_0_matmul_5x8x6_f32() {
          %cst = arith.constant 0.000000e+00 : f32
          %c0 = arith.constant 0 : index
          %0 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) binding(0) alignment(64) offset(%c0) flags("ReadOnly|Indirect") : !iree_tensor_ext.dispatch.tensor<readonly:tensor<5x6xf32>>
          %1 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) binding(1) alignment(64) offset(%c0) flags("ReadOnly|Indirect") : !iree_tensor_ext.dispatch.tensor<readonly:tensor<6x8xf32>>
          %2 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) binding(2) alignment(64) offset(%c0) flags(Indirect) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<5x8xf32>>
          %3 = iree_tensor_ext.dispatch.tensor.load %0, offsets = [0, 0], sizes = [5, 6], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<5x6xf32>> -> tensor<5x6xf32>
          %4 = iree_tensor_ext.dispatch.tensor.load %1, offsets = [0, 0], sizes = [6, 8], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<6x8xf32>> -> tensor<6x8xf32>
          %5 = tensor.empty() : tensor<5x8xf32>
          %6 = linalg.fill ins(%cst : f32) outs(%5 : tensor<5x8xf32>) -> tensor<5x8xf32>
          %7 = linalg.matmul ins(%3, %4 : tensor<5x6xf32>, tensor<6x8xf32>) outs(%6 : tensor<5x8xf32>) -> tensor<5x8xf32>
          iree_tensor_ext.dispatch.tensor.store %7, %2, offsets = [0, 0], sizes = [5, 8], strides = [1, 1] : tensor<5x8xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<5x8xf32>>
          return
        }
      }
    }
  }
  hal.executable private @f$async_dispatch_1 {
    hal.executable.variant public @embedded_elf_x86_64 target(<"llvm-cpu", "embedded-elf-x86_64", {cpu = "generic", cpu_features = "", data_layout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128", iree.encoding.resolver = #iree_cpu.cpu_encoding_resolver<>, max_stack_allocation_size = 32768 : i64, native_vector_size = 16 : i64, target_triple = "x86_64-unknown-unknown-eabi-elf"}>) {
      hal.executable.export public @f$async_dispatch_1_elementwise_broadcast_40_i64 ordinal(0) layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) count(%arg0: !hal.device) -> (index, index, index) {
        %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
        hal.return %x, %y, %z : index, index, index
      }
      builtin.module {
        func.func @f$async_dispatch_1_elementwise_broadcast_40_i64() {
          %c8 = arith.constant 8 : index
          %c192 = arith.constant 192 : index
          %0 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) binding(0) alignment(64) offset(%c192) flags(Indirect) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<40xi64>>
          %1 = tensor.empty() : tensor<40xi64>
          %2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%1 : tensor<40xi64>) {
          ^bb0(%out: i64):
            %3 = linalg.index 0 : index
            %4 = arith.remsi %3, %c8 : index
            %5 = arith.index_cast %4 : index to i64
            linalg.yield %5 : i64
          } -> tensor<40xi64>
          iree_tensor_ext.dispatch.tensor.store %2, %0, offsets = [0], sizes = [40], strides = [1] : tensor<40xi64> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<40xi64>>
          return
        }
      }
    }
  }
  hal.executable private @f$async_dispatch_2 {
    hal.executable.variant public @embedded_elf_x86_64 target(<"llvm-cpu", "embedded-elf-x86_64", {cpu = "generic", cpu_features = "", data_layout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128", iree.encoding.resolver = #iree_cpu.cpu_encoding_resolver<>, max_stack_allocation_size = 32768 : i64, native_vector_size = 16 : i64, target_triple = "x86_64-unknown-unknown-eabi-elf"}>) {
      hal.executable.export public @f$async_dispatch_2_sort_5x8xf32 ordinal(0) layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer, Indirect>, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) count(%arg0: !hal.device) -> (index, index, index) {
        %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
        hal.return %x, %y, %z : index, index, index
      }
      builtin.module {
        func.func @f$async_dispatch_2_sort_5x8xf32() {
          %c0 = arith.constant 0 : index
          %c192 = arith.constant 192 : index
          %0 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, Indirect>, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) binding(0) alignment(64) offset(%c0) flags(Indirect) : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<5x8xf32>>
          %1 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, Indirect>, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) binding(1) alignment(64) offset(%c192) flags(Indirect) : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<5x8xi64>>
          %2 = iree_tensor_ext.dispatch.tensor.load %0, offsets = [0, 0], sizes = [5, 8], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<5x8xf32>> -> tensor<5x8xf32>
          %3 = iree_tensor_ext.dispatch.tensor.load %1, offsets = [0, 0], sizes = [5, 8], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<5x8xi64>> -> tensor<5x8xi64>
          %4:2 = iree_linalg_ext.sort dimension(1) outs(%2, %3 : tensor<5x8xf32>, tensor<5x8xi64>) {
          ^bb0(%arg0: f32, %arg1: f32, %arg2: i64, %arg3: i64):
            %5 = arith.cmpf oge, %arg0, %arg1 : f32
            iree_linalg_ext.yield %5 : i1
          } -> tensor<5x8xf32>, tensor<5x8xi64>
          iree_tensor_ext.dispatch.tensor.store %4#0, %0, offsets = [0, 0], sizes = [5, 8], strides = [1, 1] : tensor<5x8xf32> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<5x8xf32>>
          iree_tensor_ext.dispatch.tensor.store %4#1, %1, offsets = [0, 0], sizes = [5, 8], strides = [1, 1] : tensor<5x8xi64> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<5x8xi64>>
          return
        }
      }
    }
  }
  hal.executable private @f$async_dispatch_3 {
    hal.executable.variant public @embedded_elf_x86_64 target(<"llvm-cpu", "embedded-elf-x86_64", {cpu = "generic", cpu_features = "", data_layout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128", iree.encoding.resolver = #iree_cpu.cpu_encoding_resolver<>, max_stack_allocation_size = 32768 : i64, native_vector_size = 16 : i64, target_triple = "x86_64-unknown-unknown-eabi-elf"}>) {
      hal.executable.export public @f$async_dispatch_3_slow_memcpy ordinal(0) layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) count(%arg0: !hal.device) -> (index, index, index) {
        %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
        hal.return %x, %y, %z : index, index, index
      }
      builtin.module {
        func.func @f$async_dispatch_3_slow_memcpy() {
          %c192 = arith.constant 192 : index
          %c0 = arith.constant 0 : index
          %0 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) binding(0) alignment(64) offset(%c192) flags("ReadOnly|Indirect") : !iree_tensor_ext.dispatch.tensor<readonly:tensor<5x8xi64>>
          %1 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) binding(1) alignment(64) offset(%c0) flags(Indirect) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<5x3xi64>>
          %2 = iree_tensor_ext.dispatch.tensor.load %0, offsets = [0, 0], sizes = [5, 3], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<5x8xi64>> -> tensor<5x3xi64>
          iree_tensor_ext.dispatch.tensor.store %2, %1, offsets = [0, 0], sizes = [5, 3], strides = [1, 1] : tensor<5x3xi64> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<5x3xi64>>
          return
        }
      }
    }
  }
  hal.executable private @f$async_dispatch_4 {
    hal.executable.variant public @embedded_elf_x86_64 target(<"llvm-cpu", "embedded-elf-x86_64", {cpu = "generic", cpu_features = "", data_layout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128", iree.encoding.resolver = #iree_cpu.cpu_encoding_resolver<>, max_stack_allocation_size = 32768 : i64, native_vector_size = 16 : i64, target_triple = "x86_64-unknown-unknown-eabi-elf"}>) {
      hal.executable.export public @f$async_dispatch_4_softmax_5x3xf32_dispatch_tensor_store ordinal(0) layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) count(%arg0: !hal.device) -> (index, index, index) {
        %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
        hal.return %x, %y, %z : index, index, index
      }
      builtin.module {
        func.func @f$async_dispatch_4_softmax_5x3xf32_dispatch_tensor_store() {
          %c0 = arith.constant 0 : index
          %c128 = arith.constant 128 : index
          %0 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) binding(0) alignment(64) offset(%c0) flags("ReadOnly|Indirect") : !iree_tensor_ext.dispatch.tensor<readonly:tensor<5x8xf32>>
          %1 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) binding(1) alignment(64) offset(%c128) flags(Indirect) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<5x3xf32>>
          %2 = tensor.empty() : tensor<5x3xf32>
          %3 = iree_tensor_ext.dispatch.tensor.load %0, offsets = [0, 0], sizes = [5, 3], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<5x8xf32>> -> tensor<5x3xf32>
          %4 = linalg.softmax dimension(1) ins(%3 : tensor<5x3xf32>) outs(%2 : tensor<5x3xf32>) -> tensor<5x3xf32>
          iree_tensor_ext.dispatch.tensor.store %4, %1, offsets = [0, 0], sizes = [5, 3], strides = [1, 1] : tensor<5x3xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<5x3xf32>>
          return
        }
      }
    }
  }
  util.func public @f$async(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view, %arg2: !hal.fence, %arg3: !hal.fence) -> (!hal.buffer_view, !hal.buffer_view) attributes {inlining_policy = #util.inline.never, iree.abi.model = "coarse-fences", iree.abi.stub} {
    %c0 = arith.constant 0 : index
    %c512 = arith.constant 512 : index
    %c128 = arith.constant 128 : index
    %c60 = arith.constant 60 : index
    %c192 = arith.constant 192 : index
    %c120 = arith.constant 120 : index
    %c8 = arith.constant 8 : index
    %c6 = arith.constant 6 : index
    %c5 = arith.constant 5 : index
    %element_type_f32 = hal.element_type<f32> : i32
    %dense_row_major = hal.encoding_type<dense_row_major> : i32
    hal.buffer_view.assert<%arg0 : !hal.buffer_view> message("tensor") shape([%c5, %c6]) type(%element_type_f32) encoding(%dense_row_major)
    %0 = stream.tensor.import on(#hal.device.affinity<@__device_0>) %arg0 : !hal.buffer_view -> tensor<5x6xf32> in !stream.resource<external>{%c120}
    %1 = stream.timepoint.import on(#hal.device.affinity<@__device_0>) %arg2 : (!hal.fence) => !stream.timepoint
    hal.buffer_view.assert<%arg1 : !hal.buffer_view> message("tensor") shape([%c6, %c8]) type(%element_type_f32) encoding(%dense_row_major)
    %2 = stream.tensor.import on(#hal.device.affinity<@__device_0>) %arg1 : !hal.buffer_view -> tensor<6x8xf32> in !stream.resource<external>{%c192}
    %result, %result_timepoint = stream.resource.alloca uninitialized on(#hal.device.affinity<@__device_0>) await(%1) => !stream.resource<external>{%c192} => !stream.timepoint
    %3 = stream.resource.subview %result[%c0] : !stream.resource<external>{%c192} -> !stream.resource<external>{%c120}
    %4 = stream.resource.subview %result[%c128] : !stream.resource<external>{%c192} -> !stream.resource<external>{%c60}
    %result_0, %result_timepoint_1 = stream.resource.alloca uninitialized on(#hal.device.affinity<@__device_0>) await(%1) => !stream.resource<transient>{%c512} => !stream.timepoint
    %5 = stream.timepoint.join max(%result_timepoint, %result_timepoint_1) => !stream.timepoint
    %6 = stream.cmd.execute on(#hal.device.affinity<@__device_0>) await(%5) => with(%0 as %arg4: !stream.resource<external>{%c120}, %2 as %arg5: !stream.resource<external>{%c192}, %result as %arg6: !stream.resource<external>{%c192}, %result_0 as %arg7: !stream.resource<transient>{%c512}) {
      stream.cmd.concurrent {
        stream.cmd.dispatch @f$async_dispatch_0::@embedded_elf_x86_64::@f$async_dispatch_0_matmul_5x8x6_f32 {
          ro %arg4[%c0 for %c120] : !stream.resource<external>{%c120},
          ro %arg5[%c0 for %c192] : !stream.resource<external>{%c192},
          wo %arg7[%c0 for %c512] : !stream.resource<transient>{%c512}
        }
        stream.cmd.dispatch @f$async_dispatch_1::@embedded_elf_x86_64::@f$async_dispatch_1_elementwise_broadcast_40_i64 {
          wo %arg7[%c0 for %c512] : !stream.resource<transient>{%c512}
        }
      }
      stream.cmd.dispatch @f$async_dispatch_2::@embedded_elf_x86_64::@f$async_dispatch_2_sort_5x8xf32 {
        rw %arg7[%c0 for %c512] : !stream.resource<transient>{%c512},
        rw %arg7[%c0 for %c512] : !stream.resource<transient>{%c512}
      }
      stream.cmd.concurrent {
        stream.cmd.dispatch @f$async_dispatch_3::@embedded_elf_x86_64::@f$async_dispatch_3_slow_memcpy {
          ro %arg7[%c0 for %c512] : !stream.resource<transient>{%c512},
          wo %arg6[%c0 for %c192] : !stream.resource<external>{%c192}
        }
        stream.cmd.dispatch @f$async_dispatch_4::@embedded_elf_x86_64::@f$async_dispatch_4_softmax_5x3xf32_dispatch_tensor_store {
          ro %arg7[%c0 for %c512] : !stream.resource<transient>{%c512},
          wo %arg6[%c0 for %c192] : !stream.resource<external>{%c192}
        }
      }
    } => !stream.timepoint
    %7 = stream.resource.dealloca on(#hal.device.affinity<@__device_0>) await(%6) => %result_0 : !stream.resource<transient>{%c512} => !stream.timepoint
    stream.timepoint.chain_external on(#hal.device.affinity<@__device_0>) %7 => (%arg3 : !hal.fence)
    %8 = stream.tensor.export on(#hal.device.affinity<@__device_0>) %4 : tensor<5x3xf32> in !stream.resource<external>{%c60} -> !hal.buffer_view
    %9 = stream.tensor.export on(#hal.device.affinity<@__device_0>) %3 : tensor<5x3xi64> in !stream.resource<external>{%c120} -> !hal.buffer_view
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