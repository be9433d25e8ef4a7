// A model: y = x * w + b, with w and b constant. See model_zero_copy.py.
module attributes {stream.affinity.default = #hal.device.affinity<@npu>} {
  util.global private @npu = #hal.device.target<"local", {ordinal = 0 : index},
      [#hal.executable.target<"vmvx", "vmvx-bytecode-fb">]> : !hal.device
  flow.executable private @scale {
    flow.executable.export public @scale workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @scale(
          %x: !iree_tensor_ext.dispatch.tensor<readonly:tensor<1024xf32>>,
          %w: !iree_tensor_ext.dispatch.tensor<readonly:tensor<1024xf32>>,
          %b: !iree_tensor_ext.dispatch.tensor<readonly:tensor<1024xf32>>,
          %y: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1024xf32>>) {
        %0 = iree_tensor_ext.dispatch.tensor.load %x, offsets = [0], sizes = [1024], strides = [1]
            : !iree_tensor_ext.dispatch.tensor<readonly:tensor<1024xf32>> -> tensor<1024xf32>
        %1 = iree_tensor_ext.dispatch.tensor.load %w, offsets = [0], sizes = [1024], strides = [1]
            : !iree_tensor_ext.dispatch.tensor<readonly:tensor<1024xf32>> -> tensor<1024xf32>
        %2 = iree_tensor_ext.dispatch.tensor.load %b, offsets = [0], sizes = [1024], strides = [1]
            : !iree_tensor_ext.dispatch.tensor<readonly:tensor<1024xf32>> -> tensor<1024xf32>
        %3 = tensor.empty() : tensor<1024xf32>
        %4 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>,
              affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
            ins(%0, %1, %2 : tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>)
            outs(%3 : tensor<1024xf32>) {
        ^bb0(%e: f32, %f: f32, %g: f32, %out: f32):
          %5 = arith.mulf %e, %f : f32
          %6 = arith.addf %5, %g : f32
          linalg.yield %6 : f32
        } -> tensor<1024xf32>
        iree_tensor_ext.dispatch.tensor.store %4, %y, offsets = [0], sizes = [1024], strides = [1]
            : tensor<1024xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1024xf32>>
        return
      }
    }
  }
  util.func public @f(%x: !hal.buffer_view) -> !hal.buffer_view {
    %0 = hal.tensor.import %x "x" : !hal.buffer_view -> tensor<1024xf32>
    %w = flow.tensor.constant dense<2.0> : tensor<1024xf32>
    %b = flow.tensor.constant dense<1.0> : tensor<1024xf32>
    %1 = flow.dispatch @scale::@scale(%0, %w, %b)
        : (tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
    %2 = hal.tensor.export %1 "y" : tensor<1024xf32> -> !hal.buffer_view
    util.return %2 : !hal.buffer_view
  }
}
