// b accumulates a product onto the transferred value in place while a still reads the source:
// value semantics force exactly one copy, of the value that both need.
//
// Made by iree-compile 3.13 with
//   iree-compile inplace.mlir \
//     --iree-hal-target-device=device_a=local[0] \
//     --iree-hal-target-device=device_b=local[1] \
//     --iree-hal-local-target-device-backends=vmvx \
//     --compile-to=flow

module @test attributes {stream.affinity.default = #hal.device.affinity<@device_a>} {
  util.global private @device_a = #hal.device.target<"local", {ordinal = 0 : index}, [#hal.executable.target<"vmvx", "vmvx-bytecode-fb", {iree.encoding.resolver = #iree_cpu.vmvx_encoding_resolver<>, ukernels = "none"}>]> : !hal.device
  util.global private @device_b = #hal.device.target<"local", {ordinal = 1 : index}, [#hal.executable.target<"vmvx", "vmvx-bytecode-fb", {iree.encoding.resolver = #iree_cpu.vmvx_encoding_resolver<>, ukernels = "none"}>]> : !hal.device
  flow.executable private @f_dispatch_0 {
    flow.executable.export public @f_dispatch_0_elementwise_16_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f_dispatch_0_elementwise_16_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<16xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16xf32>>) {
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0], sizes = [16], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<16xf32>> -> tensor<16xf32>
        %1 = tensor.empty() : tensor<16xf32>
        %2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%0 : tensor<16xf32>) outs(%1 : tensor<16xf32>) {
        ^bb0(%in: f32, %out: f32):
          %3 = arith.addf %in, %in : f32
          linalg.yield %3 : f32
        } -> tensor<16xf32>
        iree_tensor_ext.dispatch.tensor.store %2, %arg1, offsets = [0], sizes = [16], strides = [1] : tensor<16xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16xf32>>
        return
      }
    }
  }
  flow.executable private @f_dispatch_1 {
    flow.executable.export public @f_dispatch_1_matmul_4x4x4_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f_dispatch_1_matmul_4x4x4_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x4xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<readwrite:tensor<4x4xf32>>) {
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [4, 4], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x4xf32>> -> tensor<4x4xf32>
        %1 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [0, 0], sizes = [4, 4], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<4x4xf32>> -> tensor<4x4xf32>
        %2 = linalg.matmul ins(%0, %0 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%1 : tensor<4x4xf32>) -> tensor<4x4xf32>
        iree_tensor_ext.dispatch.tensor.store %2, %arg1, offsets = [0, 0], sizes = [4, 4], strides = [1, 1] : tensor<4x4xf32> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<4x4xf32>>
        return
      }
    }
  }
  flow.executable private @f_dispatch_2 {
    flow.executable.export public @f_dispatch_2_elementwise_16_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f_dispatch_2_elementwise_16_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<16xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<16xf32>>, %arg2: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16xf32>>) {
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0], sizes = [16], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<16xf32>> -> tensor<16xf32>
        %1 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [0], sizes = [16], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<16xf32>> -> tensor<16xf32>
        %2 = tensor.empty() : tensor<16xf32>
        %3 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%0, %1 : tensor<16xf32>, tensor<16xf32>) outs(%2 : tensor<16xf32>) {
        ^bb0(%in: f32, %in_0: f32, %out: f32):
          %4 = arith.subf %in, %in_0 : f32
          linalg.yield %4 : f32
        } -> tensor<16xf32>
        iree_tensor_ext.dispatch.tensor.store %3, %arg2, offsets = [0], sizes = [16], strides = [1] : tensor<16xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16xf32>>
        return
      }
    }
  }
  util.func public @f(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "sync func @f(%input0: tensor<4x4xf32>, %input1: tensor<4x4xf32>) -> (%output0: tensor<4x4xf32>)"}} {
    %0 = hal.tensor.import %arg0 "input0" : !hal.buffer_view -> tensor<4x4xf32>
    %1 = hal.tensor.import %arg1 "input1" : !hal.buffer_view -> tensor<4x4xf32>
    %2 = flow.tensor.reshape %0 : tensor<4x4xf32> -> tensor<16xf32>
    %3 = flow.dispatch @f_dispatch_0::@f_dispatch_0_elementwise_16_f32(%2) : (tensor<16xf32>) -> tensor<16xf32>
    %4 = flow.tensor.transfer %3 : tensor<16xf32> to #hal.device.affinity<@device_b>
    %5 = flow.tensor.reshape %4 : tensor<16xf32> -> tensor<4x4xf32>
    %6 = flow.tensor.transfer %1 : tensor<4x4xf32> to #hal.device.affinity<@device_b>
    %7 = flow.dispatch @f_dispatch_1::@f_dispatch_1_matmul_4x4x4_f32(%6, %5) : (tensor<4x4xf32>, tensor<4x4xf32>) -> %5
    %8 = flow.tensor.transfer %7 : tensor<4x4xf32> to #hal.device.affinity<@device_a>
    %9 = flow.tensor.reshape %8 : tensor<4x4xf32> -> tensor<16xf32>
    %10 = flow.dispatch @f_dispatch_2::@f_dispatch_2_elementwise_16_f32(%9, %3) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %11 = flow.tensor.reshape %10 : tensor<16xf32> -> tensor<4x4xf32>
    %12 = hal.tensor.export %11 "output0" : tensor<4x4xf32> -> !hal.buffer_view
    util.return %12 : !hal.buffer_view
  }
}
