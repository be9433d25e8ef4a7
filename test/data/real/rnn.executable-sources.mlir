module attributes {stream.affinity.default = #hal.device.affinity<@__device_0>} {
  util.global private @__device_0 = #hal.device.target<"local", [#hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "generic", cpu_features = "", data_layout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128", iree.encoding.resolver = #iree_cpu.cpu_encoding_resolver<>, max_stack_allocation_size = 32768 : i64, native_vector_size = 16 : i64, target_triple = "x86_64-unknown-unknown-eabi-elf"}>]> : !hal.device
  util.global private mutable @state__timepoint = #stream.timepoint<immediate> : !stream.timepoint
  util.global private mutable @state : !stream.resource<variable>
  util.initializer {
    %c0 = arith.constant 0 : index
    %0 = stream.timepoint.immediate => !stream.timepoint
    %c0_i8 = arith.constant 0 : i8
    %c48 = arith.constant 48 : index
    %result, %result_timepoint = stream.resource.alloca uninitialized on(#hal.device.affinity<@__device_0>) : !stream.resource<variable>{%c48} => !stream.timepoint
    %1 = stream.cmd.execute once on(#hal.device.affinity<@__device_0>) await(%result_timepoint) => with(%result as %arg0: !stream.resource<variable>{%c48}) {
      stream.cmd.fill %c0_i8, %arg0[%c0 for %c48] : i8 -> !stream.resource<variable>{%c48}
    } => !stream.timepoint
    %2 = stream.timepoint.await sync %1 => %result : !stream.resource<variable>{%c48}
    util.global.store %2, @state : !stream.resource<variable>
    util.global.store %0, @state__timepoint : !stream.timepoint
    util.return
  }
  hal.executable private @step_dispatch_0 {
    hal.executable.variant public @embedded_elf_x86_64 target(<"llvm-cpu", "embedded-elf-x86_64", {cpu = "generic", cpu_features = "", data_layout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128", iree.encoding.resolver = #iree_cpu.cpu_encoding_resolver<>, max_stack_allocation_size = 32768 : i64, native_vector_size = 16 : i64, target_triple = "x86_64-unknown-unknown-eabi-elf"}>) {
      hal.executable.export public @step_dispatch_0_matmul_2x6x6_f32 ordinal(0) layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) count(%arg0: !hal.device) -> (index, index, index) {
        %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
        hal.return %x, %y, %z : index, index, index
      }
      builtin.module {
        func.func @step_dispatch_0_matmul_2x6x6_f32() {
          %cst = arith.constant 0.000000e+00 : f32
          %c0 = arith.constant 0 : index
          %0 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) binding(0) alignment(64) offset(%c0) flags("ReadOnly|Indirect") : !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x6xf32>>
          %1 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) binding(1) alignment(64) offset(%c0) flags("ReadOnly|Indirect") : !iree_tensor_ext.dispatch.tensor<readonly:tensor<6x6xf32>>
          %2 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) binding(2) alignment(64) offset(%c0) flags(Indirect) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x6xf32>>
          %3 = iree_tensor_ext.dispatch.tensor.load %0, offsets = [0, 0], sizes = [2, 6], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x6xf32>> -> tensor<2x6xf32>
          %4 = iree_tensor_ext.dispatch.tensor.load %1, offsets = [0, 0], sizes = [6, 6], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<6x6xf32>> -> tensor<6x6xf32>
          %5 = tensor.empty() : tensor<2x6xf32>
          %6 = linalg.fill ins(%cst : f32) outs(%5 : tensor<2x6xf32>) -> tensor<2x6xf32>
          %7 = linalg.matmul ins(%3, %4 : tensor<2x6xf32>, tensor<6x6xf32>) outs(%6 : tensor<2x6xf32>) -> tensor<2x6xf32>
          iree_tensor_ext.dispatch.tensor.store %7, %2, offsets = [0, 0], sizes = [2, 6], strides = [1, 1] : tensor<2x6xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x6xf32>>
          return
        }
      }
    }
  }
  hal.executable private @step_dispatch_1 {
    hal.executable.variant public @embedded_elf_x86_64 target(<"llvm-cpu", "embedded-elf-x86_64", {cpu = "generic", cpu_features = "", data_layout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128", iree.encoding.resolver = #iree_cpu.cpu_encoding_resolver<>, max_stack_allocation_size = 32768 : i64, native_vector_size = 16 : i64, target_triple = "x86_64-unknown-unknown-eabi-elf"}>) {
      hal.executable.export public @step_dispatch_1_matmul_2x6x4_f32 ordinal(0) layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) count(%arg0: !hal.device) -> (index, index, index) {
        %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
        hal.return %x, %y, %z : index, index, index
      }
      builtin.module {
        func.func @step_dispatch_1_matmul_2x6x4_f32() {
          %cst = arith.constant 0.000000e+00 : f32
          %c0 = arith.constant 0 : index
          %0 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) binding(0) alignment(64) offset(%c0) flags("ReadOnly|Indirect") : !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x4xf32>>
          %1 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) binding(1) alignment(64) offset(%c0) flags("ReadOnly|Indirect") : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x6xf32>>
          %2 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) binding(2) alignment(64) offset(%c0) flags("ReadOnly|Indirect") : !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x6xf32>>
          %3 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) binding(3) alignment(64) offset(%c0) flags("ReadOnly|Indirect") : !iree_tensor_ext.dispatch.tensor<readonly:tensor<6xf32>>
          %4 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) binding(4) alignment(64) offset(%c0) flags(Indirect) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x6xf32>>
          %5 = iree_tensor_ext.dispatch.tensor.load %0, offsets = [0, 0], sizes = [2, 4], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x4xf32>> -> tensor<2x4xf32>
          %6 = iree_tensor_ext.dispatch.tensor.load %1, offsets = [0, 0], sizes = [4, 6], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x6xf32>> -> tensor<4x6xf32>
          %7 = iree_tensor_ext.dispatch.tensor.load %2, offsets = [0, 0], sizes = [2, 6], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x6xf32>> -> tensor<2x6xf32>
          %8 = iree_tensor_ext.dispatch.tensor.load %3, offsets = [0], sizes = [6], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<6xf32>> -> tensor<6xf32>
          %9 = tensor.empty() : tensor<2x6xf32>
          %10 = linalg.fill ins(%cst : f32) outs(%9 : tensor<2x6xf32>) -> tensor<2x6xf32>
          %11 = linalg.matmul ins(%5, %6 : tensor<2x4xf32>, tensor<4x6xf32>) outs(%10 : tensor<2x6xf32>) -> tensor<2x6xf32>
          %12 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%7, %11, %8 : tensor<2x6xf32>, tensor<2x6xf32>, tensor<6xf32>) outs(%9 : tensor<2x6xf32>) {
          ^bb0(%in: f32, %in_0: f32, %in_1: f32, %out: f32):
            %13 = arith.addf %in, %in_0 : f32
            %14 = arith.addf %13, %in_1 : f32
            %15 = math.tanh %14 : f32
            linalg.yield %15 : f32
          } -> tensor<2x6xf32>
          iree_tensor_ext.dispatch.tensor.store %12, %4, offsets = [0, 0], sizes = [2, 6], strides = [1, 1] : tensor<2x6xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x6xf32>>
          return
        }
      }
    }
  }
  util.func public @step(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view, %arg2: !hal.buffer_view, %arg3: !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "sync func @step(%input0: tensor<2x4xf32>, %input1: tensor<4x6xf32>, %input2: tensor<6x6xf32>, %input3: tensor<6xf32>) -> (%output0: tensor<2x6xf32>)"}} {
    %c48 = arith.constant 48 : index
    %c24 = arith.constant 24 : index
    %c144 = arith.constant 144 : index
    %c96 = arith.constant 96 : index
    %c32 = arith.constant 32 : index
    %c6 = arith.constant 6 : index
    %c4 = arith.constant 4 : index
    %c2 = arith.constant 2 : index
    %c64 = arith.constant 64 : index
    %c0 = arith.constant 0 : index
    %state__timepoint = util.global.load @state__timepoint : !stream.timepoint
    %state = util.global.load @state : !stream.resource<variable>
    %element_type_f32 = hal.element_type<f32> : i32
    %dense_row_major = hal.encoding_type<dense_row_major> : i32
    hal.buffer_view.assert<%arg0 : !hal.buffer_view> message("input0") shape([%c2, %c4]) type(%element_type_f32) encoding(%dense_row_major)
    %0 = stream.tensor.import on(#hal.device.affinity<@__device_0>) %arg0 : !hal.buffer_view -> tensor<2x4xf32> in !stream.resource<external>{%c32}
    hal.buffer_view.assert<%arg1 : !hal.buffer_view> message("input1") shape([%c4, %c6]) type(%element_type_f32) encoding(%dense_row_major)
    %1 = stream.tensor.import on(#hal.device.affinity<@__device_0>) %arg1 : !hal.buffer_view -> tensor<4x6xf32> in !stream.resource<external>{%c96}
    hal.buffer_view.assert<%arg2 : !hal.buffer_view> message("input2") shape([%c6, %c6]) type(%element_type_f32) encoding(%dense_row_major)
    %2 = stream.tensor.import on(#hal.device.affinity<@__device_0>) %arg2 : !hal.buffer_view -> tensor<6x6xf32> in !stream.resource<external>{%c144}
    hal.buffer_view.assert<%arg3 : !hal.buffer_view> message("input3") shape([%c6]) type(%element_type_f32) encoding(%dense_row_major)
    %3 = stream.tensor.import on(#hal.device.affinity<@__device_0>) %arg3 : !hal.buffer_view -> tensor<6xf32> in !stream.resource<external>{%c24}
    %result, %result_timepoint = stream.resource.alloca uninitialized on(#hal.device.affinity<@__device_0>) await(%state__timepoint) => !stream.resource<external>{%c48} => !stream.timepoint
    %result_0, %result_timepoint_1 = stream.resource.alloca uninitialized on(#hal.device.affinity<@__device_0>) await(%state__timepoint) => !stream.resource<variable>{%c48} => !stream.timepoint
    %result_2, %result_timepoint_3 = stream.resource.alloca uninitialized on(#hal.device.affinity<@__device_0>) await(%state__timepoint) => !stream.resource<transient>{%c64} => !stream.timepoint
    %4 = stream.timepoint.join max(%result_timepoint, %result_timepoint_1, %result_timepoint_3) => !stream.timepoint
    %5 = stream.cmd.execute on(#hal.device.affinity<@__device_0>) await(%4) => with(%state as %arg4: !stream.resource<variable>{%c48}, %2 as %arg5: !stream.resource<external>{%c144}, %0 as %arg6: !stream.resource<external>{%c32}, %1 as %arg7: !stream.resource<external>{%c96}, %3 as %arg8: !stream.resource<external>{%c24}, %result as %arg9: !stream.resource<external>{%c48}, %result_0 as %arg10: !stream.resource<variable>{%c48}, %result_2 as %arg11: !stream.resource<transient>{%c64}) {
      stream.cmd.dispatch @step_dispatch_0::@embedded_elf_x86_64::@step_dispatch_0_matmul_2x6x6_f32 {
        ro %arg4[%c0 for %c48] : !stream.resource<variable>{%c48},
        ro %arg5[%c0 for %c144] : !stream.resource<external>{%c144},
        wo %arg11[%c0 for %c64] : !stream.resource<transient>{%c64}
      }
      stream.cmd.dispatch @step_dispatch_1::@embedded_elf_x86_64::@step_dispatch_1_matmul_2x6x4_f32 {
        ro %arg6[%c0 for %c32] : !stream.resource<external>{%c32},
        ro %arg7[%c0 for %c96] : !stream.resource<external>{%c96},
        ro %arg11[%c0 for %c64] : !stream.resource<transient>{%c64},
        ro %arg8[%c0 for %c24] : !stream.resource<external>{%c24},
        wo %arg9[%c0 for %c48] : !stream.resource<external>{%c48}
      }
      stream.cmd.copy %arg9[%c0], %arg10[%c0], %c48 : !stream.resource<external>{%c48} -> !stream.resource<variable>{%c48}
    } => !stream.timepoint
    %6 = stream.resource.dealloca on(#hal.device.affinity<@__device_0>) await(%5) => %result_2 : !stream.resource<transient>{%c64} => !stream.timepoint
    %7:2 = stream.timepoint.await %6 => %result_0, %result : !stream.resource<variable>{%c48}, !stream.resource<external>{%c48}
    %8 = stream.tensor.export on(#hal.device.affinity<@__device_0>) %7#1 : tensor<2x6xf32> in !stream.resource<external>{%c48} -> !hal.buffer_view
    util.global.store %result_0, @state : !stream.resource<variable>
    util.global.store %6, @state__timepoint : !stream.timepoint
    util.return %8 : !hal.buffer_view
  }
  util.func public @reset() attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "sync func @reset() -> ()"}} {
    %c0 = arith.constant 0 : index
    %c0_i8 = arith.constant 0 : i8
    %c48 = arith.constant 48 : index
    %result, %result_timepoint = stream.resource.alloca uninitialized on(#hal.device.affinity<@__device_0>) : !stream.resource<variable>{%c48} => !stream.timepoint
    %0 = stream.cmd.execute on(#hal.device.affinity<@__device_0>) await(%result_timepoint) => with(%result as %arg0: !stream.resource<variable>{%c48}) {
      stream.cmd.fill %c0_i8, %arg0[%c0 for %c48] : i8 -> !stream.resource<variable>{%c48}
    } => !stream.timepoint
    util.global.store %result, @state : !stream.resource<variable>
    util.global.store %0, @state__timepoint : !stream.timepoint
    util.return
  }
}