module @split attributes {stream.affinity.default = #hal.device.affinity<@device_a>, stream.topology = #hal.device.topology<links = [(@device_a -> @device_b = {unified_memory = true}), (@device_b -> @device_a = {unified_memory = true})]>} {
  util.global private @device_a = #hal.device.target<"local", {ordinal = 0 : index}, [#hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "generic", cpu_features = "", data_layout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128", iree.encoding.resolver = #iree_cpu.cpu_encoding_resolver<>, max_stack_allocation_size = 32768 : i64, native_vector_size = 16 : i64, target_triple = "x86_64-unknown-unknown-eabi-elf"}>]> : !hal.device
  util.global private @device_b = #hal.device.target<"local", {ordinal = 1 : index}, [#hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "generic", cpu_features = "", data_layout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128", iree.encoding.resolver = #iree_cpu.cpu_encoding_resolver<>, max_stack_allocation_size = 32768 : i64, native_vector_size = 16 : i64, target_triple = "x86_64-unknown-unknown-eabi-elf"}>]> : !hal.device
  stream.executable private @f_dispatch_0 {
    stream.executable.export public @f_dispatch_0_matmul_4x6x8_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      stream.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f_dispatch_0_matmul_4x6x8_f32(%arg0: !stream.binding {stream.alignment = 64 : index}, %arg1: !stream.binding {stream.alignment = 64 : index}, %arg2: !stream.binding {stream.alignment = 64 : index}, %arg3: !stream.binding {stream.alignment = 64 : index}, %arg4: i32) {
        %c0 = arith.constant 0 : index
        %cst = arith.constant 0.000000e+00 : f32
        %0 = arith.index_castui %arg4 : i32 to index
        %1 = util.assume.int %0[<umin = 0, umax = 0>, <umin = 128, umax = 128, udiv = 128>] : index
        %2 = stream.binding.subspan %arg0[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x8xf32>>
        %3 = stream.binding.subspan %arg1[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<8x6xf32>>
        %4 = stream.binding.subspan %arg2[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<6xf32>>
        %5 = stream.binding.subspan %arg3[%1] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x6xf32>>
        %6 = iree_tensor_ext.dispatch.tensor.load %2, offsets = [0, 0], sizes = [4, 8], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x8xf32>> -> tensor<4x8xf32>
        %7 = iree_tensor_ext.dispatch.tensor.load %3, offsets = [0, 0], sizes = [8, 6], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<8x6xf32>> -> tensor<8x6xf32>
        %8 = iree_tensor_ext.dispatch.tensor.load %4, offsets = [0], sizes = [6], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<6xf32>> -> tensor<6xf32>
        %9 = tensor.empty() : tensor<4x6xf32>
        %10 = linalg.fill ins(%cst : f32) outs(%9 : tensor<4x6xf32>) -> tensor<4x6xf32>
        %11 = linalg.matmul ins(%6, %7 : tensor<4x8xf32>, tensor<8x6xf32>) outs(%10 : tensor<4x6xf32>) -> tensor<4x6xf32>
        %12 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%11, %8 : tensor<4x6xf32>, tensor<6xf32>) outs(%9 : tensor<4x6xf32>) {
        ^bb0(%in: f32, %in_0: f32, %out: f32):
          %13 = arith.addf %in, %in_0 : f32
          %14 = arith.maximumf %13, %cst : f32
          linalg.yield %14 : f32
        } -> tensor<4x6xf32>
        iree_tensor_ext.dispatch.tensor.store %12, %5, offsets = [0, 0], sizes = [4, 6], strides = [1, 1] : tensor<4x6xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x6xf32>>
        return
      }
    }
  }
  stream.executable private @f_dispatch_2 {
    stream.executable.export public @f_dispatch_2_matmul_4x3x6_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      stream.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f_dispatch_2_matmul_4x3x6_f32(%arg0: !stream.binding {stream.alignment = 64 : index}, %arg1: !stream.binding {stream.alignment = 64 : index}, %arg2: !stream.binding {stream.alignment = 64 : index}) {
        %cst = arith.constant 0.000000e+00 : f32
        %c128 = arith.constant 128 : index
        %c0 = arith.constant 0 : index
        %c256 = arith.constant 256 : index
        %0 = stream.binding.subspan %arg0[%c128] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x6xf32>>
        %1 = stream.binding.subspan %arg1[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<6x3xf32>>
        %2 = stream.binding.subspan %arg2[%c256] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x3xf32>>
        %3 = iree_tensor_ext.dispatch.tensor.load %0, offsets = [0, 0], sizes = [4, 6], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x6xf32>> -> tensor<4x6xf32>
        %4 = iree_tensor_ext.dispatch.tensor.load %1, offsets = [0, 0], sizes = [6, 3], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<6x3xf32>> -> tensor<6x3xf32>
        %5 = tensor.empty() : tensor<4x3xf32>
        %6 = linalg.fill ins(%cst : f32) outs(%5 : tensor<4x3xf32>) -> tensor<4x3xf32>
        %7 = linalg.matmul ins(%3, %4 : tensor<4x6xf32>, tensor<6x3xf32>) outs(%6 : tensor<4x3xf32>) -> tensor<4x3xf32>
        iree_tensor_ext.dispatch.tensor.store %7, %2, offsets = [0, 0], sizes = [4, 3], strides = [1, 1] : tensor<4x3xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x3xf32>>
        return
      }
    }
  }
  stream.executable private @f_dispatch_3 {
    stream.executable.export public @f_dispatch_3_matmul_4x3x6_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      stream.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f_dispatch_3_matmul_4x3x6_f32(%arg0: !stream.binding {stream.alignment = 64 : index}, %arg1: !stream.binding {stream.alignment = 64 : index}, %arg2: !stream.binding {stream.alignment = 64 : index}, %arg3: !stream.binding {stream.alignment = 64 : index}) {
        %cst = arith.constant 0.000000e+00 : f32
        %c0 = arith.constant 0 : index
        %c128 = arith.constant 128 : index
        %0 = stream.binding.subspan %arg0[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x6xf32>>
        %1 = stream.binding.subspan %arg1[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<6x3xf32>>
        %2 = stream.binding.subspan %arg0[%c128] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x3xf32>>
        %3 = stream.binding.subspan %arg2[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<3xf32>>
        %4 = stream.binding.subspan %arg3[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x3xf32>>
        %5 = iree_tensor_ext.dispatch.tensor.load %0, offsets = [0, 0], sizes = [4, 6], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x6xf32>> -> tensor<4x6xf32>
        %6 = iree_tensor_ext.dispatch.tensor.load %1, offsets = [0, 0], sizes = [6, 3], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<6x3xf32>> -> tensor<6x3xf32>
        %7 = iree_tensor_ext.dispatch.tensor.load %2, offsets = [0, 0], sizes = [4, 3], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x3xf32>> -> tensor<4x3xf32>
        %8 = iree_tensor_ext.dispatch.tensor.load %3, offsets = [0], sizes = [3], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<3xf32>> -> tensor<3xf32>
        %9 = tensor.empty() : tensor<4x3xf32>
        %10 = linalg.fill ins(%cst : f32) outs(%9 : tensor<4x3xf32>) -> tensor<4x3xf32>
        %11 = linalg.matmul ins(%5, %6 : tensor<4x6xf32>, tensor<6x3xf32>) outs(%10 : tensor<4x3xf32>) -> tensor<4x3xf32>
        %12 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%11, %7, %8 : tensor<4x3xf32>, tensor<4x3xf32>, tensor<3xf32>) outs(%9 : tensor<4x3xf32>) {
        ^bb0(%in: f32, %in_0: f32, %in_1: f32, %out: f32):
          %13 = arith.addf %in, %in_0 : f32
          %14 = arith.addf %13, %in_1 : f32
          linalg.yield %14 : f32
        } -> tensor<4x3xf32>
        iree_tensor_ext.dispatch.tensor.store %12, %4, offsets = [0, 0], sizes = [4, 3], strides = [1, 1] : tensor<4x3xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x3xf32>>
        return
      }
    }
  }
  util.func public @f(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view, %arg2: !hal.buffer_view, %arg3: !hal.buffer_view, %arg4: !hal.buffer_view, %arg5: !hal.buffer_view, %arg6: !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "sync func @f(%input0: tensor<4x8xf32>, %input1: tensor<8x6xf32>, %input2: tensor<8x6xf32>, %input3: tensor<6x3xf32>, %input4: tensor<6x3xf32>, %input5: tensor<6xf32>, %input6: tensor<3xf32>) -> (%output0: tensor<4x3xf32>)"}} {
    %c128_i32 = arith.constant 128 : i32
    %c0_i32 = arith.constant 0 : i32
    %c320 = arith.constant 320 : index
    %c256 = arith.constant 256 : index
    %c48 = arith.constant 48 : index
    %c0 = arith.constant 0 : index
    %c96 = arith.constant 96 : index
    %c12 = arith.constant 12 : index
    %c24 = arith.constant 24 : index
    %c72 = arith.constant 72 : index
    %c192 = arith.constant 192 : index
    %c128 = arith.constant 128 : index
    %c3 = arith.constant 3 : index
    %c6 = arith.constant 6 : index
    %c8 = arith.constant 8 : index
    %c4 = arith.constant 4 : index
    %element_type_f32 = hal.element_type<f32> : i32
    %dense_row_major = hal.encoding_type<dense_row_major> : i32
    hal.buffer_view.assert<%arg0 : !hal.buffer_view> message("input0") shape([%c4, %c8]) type(%element_type_f32) encoding(%dense_row_major)
    %0 = stream.tensor.import on(#hal.device.affinity<@device_b>) %arg0 : !hal.buffer_view -> tensor<4x8xf32> in !stream.resource<external>{%c128}
    hal.buffer_view.assert<%arg1 : !hal.buffer_view> message("input1") shape([%c8, %c6]) type(%element_type_f32) encoding(%dense_row_major)
    %1 = stream.tensor.import on(#hal.device.affinity<@device_b>) %arg1 : !hal.buffer_view -> tensor<8x6xf32> in !stream.resource<external>{%c192}
    hal.buffer_view.assert<%arg2 : !hal.buffer_view> message("input2") shape([%c8, %c6]) type(%element_type_f32) encoding(%dense_row_major)
    %2 = stream.tensor.import on(#hal.device.affinity<@device_b>) %arg2 : !hal.buffer_view -> tensor<8x6xf32> in !stream.resource<external>{%c192}
    hal.buffer_view.assert<%arg3 : !hal.buffer_view> message("input3") shape([%c6, %c3]) type(%element_type_f32) encoding(%dense_row_major)
    %3 = stream.tensor.import %arg3 : !hal.buffer_view -> tensor<6x3xf32> in !stream.resource<external>{%c72}
    hal.buffer_view.assert<%arg4 : !hal.buffer_view> message("input4") shape([%c6, %c3]) type(%element_type_f32) encoding(%dense_row_major)
    %4 = stream.tensor.import on(#hal.device.affinity<@device_b>) %arg4 : !hal.buffer_view -> tensor<6x3xf32> in !stream.resource<external>{%c72}
    hal.buffer_view.assert<%arg5 : !hal.buffer_view> message("input5") shape([%c6]) type(%element_type_f32) encoding(%dense_row_major)
    %5 = stream.tensor.import on(#hal.device.affinity<@device_b>) %arg5 : !hal.buffer_view -> tensor<6xf32> in !stream.resource<external>{%c24}
    hal.buffer_view.assert<%arg6 : !hal.buffer_view> message("input6") shape([%c3]) type(%element_type_f32) encoding(%dense_row_major)
    %6 = stream.tensor.import %arg6 : !hal.buffer_view -> tensor<3xf32> in !stream.resource<external>{%c12}
    %result, %result_timepoint = stream.resource.alloca uninitialized on(#hal.device.affinity<@device_b>) : !stream.resource<transient>{%c192} => !stream.timepoint
    %result_0, %result_timepoint_1 = stream.resource.alloca uninitialized on(#hal.device.affinity<@device_b>) : !stream.resource<transient>{%c320} => !stream.timepoint
    %7 = stream.timepoint.join max(%result_timepoint, %result_timepoint_1) => !stream.timepoint
    %8 = stream.cmd.execute on(#hal.device.affinity<@device_b>) await(%7) => with(%0 as %arg7: !stream.resource<external>{%c128}, %1 as %arg8: !stream.resource<external>{%c192}, %5 as %arg9: !stream.resource<external>{%c24}, %2 as %arg10: !stream.resource<external>{%c192}, %4 as %arg11: !stream.resource<external>{%c72}, %result as %arg12: !stream.resource<transient>{%c192}, %result_0 as %arg13: !stream.resource<transient>{%c320}) {
      stream.cmd.concurrent {
        stream.cmd.dispatch @f_dispatch_0::@f_dispatch_0_matmul_4x6x8_f32(%c0_i32 : i32) {
          ro %arg7[%c0 for %c128] : !stream.resource<external>{%c128},
          ro %arg8[%c0 for %c192] : !stream.resource<external>{%c192},
          ro %arg9[%c0 for %c24] : !stream.resource<external>{%c24},
          wo %arg13[%c0 for %c320] : !stream.resource<transient>{%c320}
        }
        stream.cmd.dispatch @f_dispatch_0::@f_dispatch_0_matmul_4x6x8_f32(%c128_i32 : i32) {
          ro %arg7[%c0 for %c128] : !stream.resource<external>{%c128},
          ro %arg10[%c0 for %c192] : !stream.resource<external>{%c192},
          ro %arg9[%c0 for %c24] : !stream.resource<external>{%c24},
          wo %arg13[%c0 for %c320] : !stream.resource<transient>{%c320}
        }
      }
      stream.cmd.dispatch @f_dispatch_2::@f_dispatch_2_matmul_4x3x6_f32 {
        ro %arg13[%c0 for %c320] : !stream.resource<transient>{%c320},
        ro %arg11[%c0 for %c72] : !stream.resource<external>{%c72},
        wo %arg13[%c0 for %c320] : !stream.resource<transient>{%c320}
      }
      stream.cmd.concurrent {
        stream.cmd.copy %arg13[%c0], %arg12[%c0], %c96 : !stream.resource<transient>{%c320} -> !stream.resource<transient>{%c192}
        stream.cmd.copy %arg13[%c256], %arg12[%c128], %c48 : !stream.resource<transient>{%c320} -> !stream.resource<transient>{%c192}
      }
    } => !stream.timepoint
    %9 = stream.resource.dealloca on(#hal.device.affinity<@device_b>) await(%8) => %result_0 : !stream.resource<transient>{%c320} => !stream.timepoint
    %result_2, %result_timepoint_3 = stream.resource.alloca uninitialized on(#hal.device.affinity<@device_a>) await(%9) => !stream.resource<external>{%c48} => !stream.timepoint
    %10 = stream.cmd.execute await(%result_timepoint_3) => with(%result as %arg7: !stream.resource<transient>{%c192}, %3 as %arg8: !stream.resource<external>{%c72}, %6 as %arg9: !stream.resource<external>{%c12}, %result_2 as %arg10: !stream.resource<external>{%c48}) {
      stream.cmd.dispatch @f_dispatch_3::@f_dispatch_3_matmul_4x3x6_f32 {
        ro %arg7[%c0 for %c192] : !stream.resource<transient>{%c192},
        ro %arg8[%c0 for %c72] : !stream.resource<external>{%c72},
        ro %arg9[%c0 for %c12] : !stream.resource<external>{%c12},
        wo %arg10[%c0 for %c48] : !stream.resource<external>{%c48}
      }
    } => !stream.timepoint
    %11 = stream.resource.dealloca on(#hal.device.affinity<@device_b>) await(%10) => %result : !stream.resource<transient>{%c192} => !stream.timepoint
    %12 = stream.timepoint.await %11 => %result_2 : !stream.resource<external>{%c48}
    %13 = stream.tensor.export %12 : tensor<4x3xf32> in !stream.resource<external>{%c48} -> !hal.buffer_view
    util.return %13 : !hal.buffer_view
  }
}