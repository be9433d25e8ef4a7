module @packed attributes {stream.affinity.default = #hal.device.affinity<@device_a>, stream.topology = #hal.device.topology<links = [(@device_a -> @device_b = {unified_memory = true}), (@device_b -> @device_a = {unified_memory = true}), (@device_a -> @device_c = {unified_memory = true}), (@device_c -> @device_a = {unified_memory = true}), (@device_b -> @device_c = {unified_memory = true}), (@device_c -> @device_b = {unified_memory = true})]>} {
  util.global private @device_a = #hal.device.target<"local", {ordinal = 0 : index}, [#hal.executable.target<"vmvx", "vmvx-bytecode-fb", {iree.encoding.resolver = #iree_cpu.vmvx_encoding_resolver<>, ukernels = "none"}>]> : !hal.device
  util.global private @device_b = #hal.device.target<"local", {ordinal = 1 : index}, [#hal.executable.target<"vmvx", "vmvx-bytecode-fb", {iree.encoding.resolver = #iree_cpu.vmvx_encoding_resolver<>, ukernels = "none"}>]> : !hal.device
  util.global private @device_c = #hal.device.target<"local", {ordinal = 2 : index}, [#hal.executable.target<"vmvx", "vmvx-bytecode-fb", {iree.encoding.resolver = #iree_cpu.vmvx_encoding_resolver<>, ukernels = "none"}>]> : !hal.device
  stream.executable private @f_dispatch_0 {
    stream.executable.export public @f_dispatch_0_matmul_4x4x4_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      stream.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f_dispatch_0_matmul_4x4x4_f32(%arg0: !stream.binding {stream.alignment = 64 : index}, %arg1: !stream.binding {stream.alignment = 64 : index}) {
        %cst = arith.constant 0.000000e+00 : f32
        %c0 = arith.constant 0 : index
        %0 = stream.binding.subspan %arg0[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x4xf32>>
        %1 = stream.binding.subspan %arg1[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x4xf32>>
        %2 = iree_tensor_ext.dispatch.tensor.load %0, offsets = [0, 0], sizes = [4, 4], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x4xf32>> -> tensor<4x4xf32>
        %3 = tensor.empty() : tensor<4x4xf32>
        %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<4x4xf32>) -> tensor<4x4xf32>
        %5 = linalg.matmul ins(%2, %2 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%4 : tensor<4x4xf32>) -> tensor<4x4xf32>
        iree_tensor_ext.dispatch.tensor.store %5, %1, offsets = [0, 0], sizes = [4, 4], strides = [1, 1] : tensor<4x4xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x4xf32>>
        return
      }
    }
  }
  stream.executable private @f_dispatch_1 {
    stream.executable.export public @f_dispatch_1_matmul_4x4x4_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      stream.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f_dispatch_1_matmul_4x4x4_f32(%arg0: !stream.binding {stream.alignment = 64 : index}, %arg1: !stream.binding {stream.alignment = 64 : index}, %arg2: !stream.binding {stream.alignment = 64 : index}) {
        %cst = arith.constant 0.000000e+00 : f32
        %c0 = arith.constant 0 : index
        %c64 = arith.constant 64 : index
        %0 = stream.binding.subspan %arg0[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x4xf32>>
        %1 = stream.binding.subspan %arg1[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x4xf32>>
        %2 = stream.binding.subspan %arg2[%c64] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x4xf32>>
        %3 = iree_tensor_ext.dispatch.tensor.load %0, offsets = [0, 0], sizes = [4, 4], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x4xf32>> -> tensor<4x4xf32>
        %4 = iree_tensor_ext.dispatch.tensor.load %1, offsets = [0, 0], sizes = [4, 4], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x4xf32>> -> tensor<4x4xf32>
        %5 = tensor.empty() : tensor<4x4xf32>
        %6 = linalg.fill ins(%cst : f32) outs(%5 : tensor<4x4xf32>) -> tensor<4x4xf32>
        %7 = linalg.matmul ins(%3, %4 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%6 : tensor<4x4xf32>) -> tensor<4x4xf32>
        iree_tensor_ext.dispatch.tensor.store %7, %2, offsets = [0, 0], sizes = [4, 4], strides = [1, 1] : tensor<4x4xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x4xf32>>
        return
      }
    }
  }
  stream.executable private @f_dispatch_2 {
    stream.executable.export public @f_dispatch_2_elementwise_16_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      stream.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f_dispatch_2_elementwise_16_f32(%arg0: !stream.binding {stream.alignment = 64 : index}, %arg1: !stream.binding {stream.alignment = 64 : index}) {
        %c64 = arith.constant 64 : index
        %c0 = arith.constant 0 : index
        %0 = stream.binding.subspan %arg0[%c64] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<16xf32>>
        %1 = stream.binding.subspan %arg1[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16xf32>>
        %2 = iree_tensor_ext.dispatch.tensor.load %0, offsets = [0], sizes = [16], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<16xf32>> -> tensor<16xf32>
        %3 = tensor.empty() : tensor<16xf32>
        %4 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%2 : tensor<16xf32>) outs(%3 : tensor<16xf32>) {
        ^bb0(%in: f32, %out: f32):
          %5 = arith.mulf %in, %in : f32
          linalg.yield %5 : f32
        } -> tensor<16xf32>
        iree_tensor_ext.dispatch.tensor.store %4, %1, offsets = [0], sizes = [16], strides = [1] : tensor<16xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16xf32>>
        return
      }
    }
  }
  stream.executable private @f_dispatch_3 {
    stream.executable.export public @f_dispatch_3_elementwise_16_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      stream.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f_dispatch_3_elementwise_16_f32(%arg0: !stream.binding {stream.alignment = 64 : index}, %arg1: !stream.binding {stream.alignment = 64 : index}) {
        %c64 = arith.constant 64 : index
        %c0 = arith.constant 0 : index
        %0 = stream.binding.subspan %arg0[%c64] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<16xf32>>
        %1 = stream.binding.subspan %arg0[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<16xf32>>
        %2 = stream.binding.subspan %arg1[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16xf32>>
        %3 = iree_tensor_ext.dispatch.tensor.load %0, offsets = [0], sizes = [16], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<16xf32>> -> tensor<16xf32>
        %4 = iree_tensor_ext.dispatch.tensor.load %1, offsets = [0], sizes = [16], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<16xf32>> -> tensor<16xf32>
        %5 = tensor.empty() : tensor<16xf32>
        %6 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%3, %4 : tensor<16xf32>, tensor<16xf32>) outs(%5 : tensor<16xf32>) {
        ^bb0(%in: f32, %in_0: f32, %out: f32):
          %7 = arith.subf %in, %in_0 : f32
          linalg.yield %7 : f32
        } -> tensor<16xf32>
        iree_tensor_ext.dispatch.tensor.store %6, %2, offsets = [0], sizes = [16], strides = [1] : tensor<16xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16xf32>>
        return
      }
    }
  }
  stream.executable private @f_dispatch_4 {
    stream.executable.export public @f_dispatch_4_elementwise_16_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      stream.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f_dispatch_4_elementwise_16_f32(%arg0: !stream.binding {stream.alignment = 64 : index}, %arg1: !stream.binding {stream.alignment = 64 : index}, %arg2: !stream.binding {stream.alignment = 64 : index}) {
        %c0 = arith.constant 0 : index
        %0 = stream.binding.subspan %arg0[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<16xf32>>
        %1 = stream.binding.subspan %arg1[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<16xf32>>
        %2 = stream.binding.subspan %arg2[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16xf32>>
        %3 = iree_tensor_ext.dispatch.tensor.load %0, offsets = [0], sizes = [16], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<16xf32>> -> tensor<16xf32>
        %4 = iree_tensor_ext.dispatch.tensor.load %1, offsets = [0], sizes = [16], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<16xf32>> -> tensor<16xf32>
        %5 = tensor.empty() : tensor<16xf32>
        %6 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%3, %4 : tensor<16xf32>, tensor<16xf32>) outs(%5 : tensor<16xf32>) {
        ^bb0(%in: f32, %in_0: f32, %out: f32):
          %7 = arith.addf %in, %in_0 : f32
          linalg.yield %7 : f32
        } -> tensor<16xf32>
        iree_tensor_ext.dispatch.tensor.store %6, %2, offsets = [0], sizes = [16], strides = [1] : tensor<16xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16xf32>>
        return
      }
    }
  }
  util.func public @f(%arg0: !hal.buffer_view) -> (!hal.buffer_view, !hal.buffer_view) attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "sync func @f(%input0: tensor<4x4xf32>) -> (%output0: tensor<4x4xf32>, %output1: tensor<4x4xf32>)"}} {
    %c32 = arith.constant 32 : index
    %c80 = arith.constant 80 : index
    %c128 = arith.constant 128 : index
    %c16 = arith.constant 16 : index
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c4 = arith.constant 4 : index
    %element_type_f32 = hal.element_type<f32> : i32
    %dense_row_major = hal.encoding_type<dense_row_major> : i32
    hal.buffer_view.assert<%arg0 : !hal.buffer_view> message("input0") shape([%c4, %c4]) type(%element_type_f32) encoding(%dense_row_major)
    %0 = stream.tensor.import on(#hal.device.affinity<@device_a>) %arg0 : !hal.buffer_view -> tensor<4x4xf32> in !stream.resource<external>{%c64}
    %result, %result_timepoint = stream.resource.alloca uninitialized on(#hal.device.optimal<[#hal.device.affinity<@device_a>, #hal.device.affinity<@device_b>, #hal.device.affinity<@device_c>]>) : !stream.resource<transient>{%c128} => !stream.timepoint
    %1 = stream.cmd.execute on(#hal.device.affinity<@device_a>) await(%result_timepoint) => with(%0 as %arg1: !stream.resource<external>{%c64}, %result as %arg2: !stream.resource<transient>{%c128}) {
      stream.cmd.dispatch @f_dispatch_0::@f_dispatch_0_matmul_4x4x4_f32 {
        ro %arg1[%c0 for %c64] : !stream.resource<external>{%c64},
        wo %arg2[%c0 for %c128] : !stream.resource<transient>{%c128}
      }
      stream.cmd.dispatch @f_dispatch_1::@f_dispatch_1_matmul_4x4x4_f32 {
        ro %arg2[%c0 for %c128] : !stream.resource<transient>{%c128},
        ro %arg1[%c0 for %c64] : !stream.resource<external>{%c64},
        wo %arg2[%c0 for %c128] : !stream.resource<transient>{%c128}
      }
    } => !stream.timepoint
    %result_0, %result_timepoint_1 = stream.resource.alloca uninitialized on(#hal.device.optimal<[#hal.device.affinity<@device_a>, #hal.device.affinity<@device_b>, #hal.device.affinity<@device_c>]>) await(%1) => !stream.resource<transient>{%c64} => !stream.timepoint
    %2 = stream.cmd.execute on(#hal.device.affinity<@device_c>) await(%result_timepoint_1) => with(%result as %arg1: !stream.resource<transient>{%c128}, %result_0 as %arg2: !stream.resource<transient>{%c64}) {
      stream.cmd.dispatch @f_dispatch_2::@f_dispatch_2_elementwise_16_f32 {
        ro %arg1[%c0 for %c128] : !stream.resource<transient>{%c128},
        wo %arg2[%c0 for %c64] : !stream.resource<transient>{%c64}
      }
    } => !stream.timepoint
    %3 = stream.cmd.execute on(#hal.device.affinity<@device_b>) await(%2) => with(%result as %arg1: !stream.resource<transient>{%c128}, %result_0 as %arg2: !stream.resource<transient>{%c64}) {
      stream.cmd.copy %arg2[%c0], %arg1[%c80], %c16 : !stream.resource<transient>{%c64} -> !stream.resource<transient>{%c128}
    } => !stream.timepoint
    %4 = stream.cmd.execute on(#hal.device.affinity<@device_a>) await(%2) => with(%result as %arg1: !stream.resource<transient>{%c128}, %result_0 as %arg2: !stream.resource<transient>{%c64}) {
      stream.cmd.copy %arg2[%c0], %arg1[%c32], %c16 : !stream.resource<transient>{%c64} -> !stream.resource<transient>{%c128}
    } => !stream.timepoint
    %5 = stream.timepoint.join max(%3, %4) => !stream.timepoint
    %6 = stream.resource.dealloca on(#hal.device.optimal<[#hal.device.affinity<@device_a>, #hal.device.affinity<@device_b>, #hal.device.affinity<@device_c>]>) await(%5) => %result_0 : !stream.resource<transient>{%c64} => !stream.timepoint
    %result_2, %result_timepoint_3 = stream.resource.alloca uninitialized on(#hal.device.optimal<[#hal.device.affinity<@device_a>, #hal.device.affinity<@device_c>]>) await(%6) => !stream.resource<external>{%c64} => !stream.timepoint
    %7 = stream.cmd.execute on(#hal.device.affinity<@device_c>) await(%result_timepoint_3) => with(%result as %arg1: !stream.resource<transient>{%c128}, %result_2 as %arg2: !stream.resource<external>{%c64}) {
      stream.cmd.dispatch @f_dispatch_3::@f_dispatch_3_elementwise_16_f32 {
        ro %arg1[%c0 for %c128] : !stream.resource<transient>{%c128},
        wo %arg2[%c0 for %c64] : !stream.resource<external>{%c64}
      }
    } => !stream.timepoint
    %result_4, %result_timepoint_5 = stream.resource.alloca uninitialized on(#hal.device.optimal<[#hal.device.affinity<@device_a>, #hal.device.affinity<@device_b>]>) await(%7) => !stream.resource<external>{%c64} => !stream.timepoint
    %8 = stream.cmd.execute on(#hal.device.affinity<@device_b>) await(%result_timepoint_5) => with(%result as %arg1: !stream.resource<transient>{%c128}, %result_2 as %arg2: !stream.resource<external>{%c64}, %result_4 as %arg3: !stream.resource<external>{%c64}) {
      stream.cmd.dispatch @f_dispatch_4::@f_dispatch_4_elementwise_16_f32 {
        ro %arg1[%c0 for %c128] : !stream.resource<transient>{%c128},
        ro %arg2[%c0 for %c64] : !stream.resource<external>{%c64},
        wo %arg3[%c0 for %c64] : !stream.resource<external>{%c64}
      }
    } => !stream.timepoint
    %9 = stream.resource.dealloca on(#hal.device.optimal<[#hal.device.affinity<@device_a>, #hal.device.affinity<@device_b>, #hal.device.affinity<@device_c>]>) await(%8) => %result : !stream.resource<transient>{%c128} => !stream.timepoint
    %10 = stream.timepoint.await %7 => %result_2 : !stream.resource<external>{%c64}
    %11 = stream.tensor.export on(#hal.device.affinity<@device_a>) %10 : tensor<4x4xf32> in !stream.resource<external>{%c64} -> !hal.buffer_view
    %12 = stream.timepoint.await %9 => %result_4 : !stream.resource<external>{%c64}
    %13 = stream.tensor.export on(#hal.device.affinity<@device_a>) %12 : tensor<4x4xf32> in !stream.resource<external>{%c64} -> !hal.buffer_view
    util.return %11, %13 : !hal.buffer_view, !hal.buffer_view
  }
}