// RUN: not zc-opt --split-input-file %s -p flow-to-stream 2>&1 >/dev/null | filecheck %s

// Without a default affinity nothing says where a splat is made.
// CHECK: error: 'flow.tensor.splat' op has no affinity; set stream.affinity.default on the module
util.func public @nowhere(%v: f32) -> !hal.buffer_view {
  %0 = flow.tensor.splat %v : tensor<4xf32>
  %1 = hal.tensor.export %0 : tensor<4xf32> -> !hal.buffer_view
  util.return %1 : !hal.buffer_view
}

// -----

// Tensors in control flow are refused, at the op.
// CHECK: error: 'util.call' op has no lowering to stream for the tensors it uses
module attributes {stream.affinity.default = #hal.device.affinity<@a>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.func private @g(%x: !hal.buffer_view) -> tensor<4xf32>
  util.func public @calls(%x: !hal.buffer_view) -> !hal.buffer_view {
    %0 = util.call @g(%x) : (!hal.buffer_view) -> tensor<4xf32>
    %1 = hal.tensor.export %0 : tensor<4xf32> -> !hal.buffer_view
    util.return %1 : !hal.buffer_view
  }
}

// -----

// Elements without a byte layout cannot be sized.
// CHECK: error: 'hal.tensor.import' op element type i4 has no dense byte layout
module attributes {stream.affinity.default = #hal.device.affinity<@a>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.func public @sub_byte(%x: !hal.buffer_view) -> !hal.buffer_view {
    %0 = hal.tensor.import %x : !hal.buffer_view -> tensor<4xi4>
    %1 = hal.tensor.export %0 : tensor<4xi4> -> !hal.buffer_view
    util.return %1 : !hal.buffer_view
  }
}

// -----

// A dynamic tensor without its shape.
// CHECK: error: 'func.func' op expected flow.dispatch.tie_shape to give the shape of
flow.executable private @ex {
  flow.executable.export public @f
  builtin.module {
    func.func @f(%b: !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>) {
      func.return
    }
  }
}
