// RUN: not zc-opt --split-input-file %s -p flow-to-stream 2>&1 >/dev/null | filecheck %s

// Without a default affinity nothing says where a splat is made.
// CHECK: error: 'flow.tensor.splat' op has no affinity; set stream.affinity.default on the module
util.func public @nowhere(%v: f32) -> !hal.buffer_view {
  %0 = flow.tensor.splat %v : tensor<4xf32>
  %1 = hal.tensor.export %0 : tensor<4xf32> -> !hal.buffer_view
  util.return %1 : !hal.buffer_view
}

// -----

// Nor where a global is.
// CHECK: error: 'util.global' op has no affinity; set stream.affinity.default on the module
util.global private @g = dense<1.0> : tensor<4xf32>

// -----

// Ops of other dialects that compute on tensors are for kernels.
// CHECK: error: 'arith.addf' op has no lowering to stream for the tensors it uses
module attributes {stream.affinity.default = #hal.device.affinity<@a>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.func private @adds(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = arith.addf %x, %x : tensor<4xf32>
    util.return %0 : tensor<4xf32>
  }
}

// -----

// A list holds what the passes cannot follow.
// CHECK: error: 'util.list.get' op has no lowering to stream for the tensors it uses
module attributes {stream.affinity.default = #hal.device.affinity<@a>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.func private @lists(%list: !util.list<tensor<4xf32>>, %i: index) -> tensor<4xf32> {
    %0 = util.list.get %list[%i] : !util.list<tensor<4xf32>> -> tensor<4xf32>
    util.return %0 : tensor<4xf32>
  }
}

// -----

// An address that was passed on.
// CHECK: error: 'util.global.load.indirect' op accesses a tensor at an address that is not taken from a global right here
module attributes {stream.affinity.default = #hal.device.affinity<@a>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.func private @pointer(%p: !util.ptr<tensor<4xf32>>) -> tensor<4xf32> {
    %0 = util.global.load.indirect %p : !util.ptr<tensor<4xf32>> -> tensor<4xf32>
    util.return %0 : tensor<4xf32>
  }
}

// -----

// A select by element.
// CHECK: error: 'arith.select' op cannot choose tensor by tensor element at this level; expected an i1 condition
module attributes {stream.affinity.default = #hal.device.affinity<@a>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.func private @select(%c: tensor<4xi1>, %x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
    %0 = arith.select %c, %x, %y : tensor<4xi1>, tensor<4xf32>
    util.return %0 : tensor<4xf32>
  }
}

// -----

// An initial value of unknown size.
// CHECK: error: 'util.global' op expected a static shape for a global with an initial value, got tensor<?xf32>
module attributes {stream.affinity.default = #hal.device.affinity<@a>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private mutable @g = #util.uninitialized : tensor<?xf32>
}

// -----

// CHECK: error: 'util.global' op element type !util.variant has no size in bytes
module attributes {stream.affinity.default = #hal.device.affinity<@a>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private mutable @g = #util.uninitialized : tensor<4x!util.variant>
}

// -----

// A tensor without a rank.
// CHECK: error: 'util.func' op expected a ranked tensor type, got tensor<*xf32>
module attributes {stream.affinity.default = #hal.device.affinity<@a>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.func private @unranked(%x: tensor<*xf32>) {
    util.return
  }
}

// -----

// Elements narrower than a byte have no byte offset.
// CHECK: error: 'flow.tensor.load' op cannot address single elements of tensor<4xi4>
module attributes {stream.affinity.default = #hal.device.affinity<@a>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.func private @sub_byte(%x: tensor<4xi4>, %i: index) -> i4 {
    %0 = flow.tensor.load %x[%i] : tensor<4xi4>
    util.return %0 : i4
  }
}

// -----

// Nor can they be filled with.
// CHECK: error: 'flow.tensor.splat' op cannot fill with a value of type i4
module attributes {stream.affinity.default = #hal.device.affinity<@a>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.func private @sub_byte_splat(%v: i4) -> tensor<4xi4> {
    %0 = flow.tensor.splat %v : tensor<4xi4>
    util.return %0 : tensor<4xi4>
  }
}

// -----

// CHECK: error: 'flow.tensor.dynamic_constant' op expected a value with a type, got
module attributes {stream.affinity.default = #hal.device.affinity<@a>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.func private @untyped() -> tensor<?xf32> {
    %0 = flow.tensor.dynamic_constant @a -> tensor<?xf32>
    util.return %0 : tensor<?xf32>
  }
}

// -----

// A constant of a shape that nothing states.
// CHECK: error: 'flow.tensor.constant' op expected a constant of a static shape, got tensor<?xf32>
module attributes {stream.affinity.default = #hal.device.affinity<@a>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.func private @shapeless() -> tensor<?xf32> {
    %0 = flow.tensor.constant #flow.parameter.named<"key"> : tensor<?xf32>
    util.return %0 : tensor<?xf32>
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

// -----

// The dialects take any attribute for a target, as IREE's do.
// CHECK: error: 'flow.tensor.transfer' op expected an affinity, got "b"; write #hal.device.affinity<@device>
util.func private @target(%t: tensor<4xf32>) -> tensor<4xf32> {
  %0 = flow.tensor.transfer %t : tensor<4xf32> to "b"
  util.return %0 : tensor<4xf32>
}

// -----

// CHECK: error: 'builtin.module' op expected an affinity, got @a; write #hal.device.affinity<@device>
module attributes {stream.affinity.default = @a} {
  util.func private @default(%v: f32) -> tensor<4xf32> {
    %0 = flow.tensor.splat %v : tensor<4xf32>
    util.return %0 : tensor<4xf32>
  }
}

// -----

// CHECK: error: 'util.func' op expected an affinity, got 7 : i32; write #hal.device.affinity<@device>
util.func private @argument(%t: tensor<4xf32> {stream.affinity = 7 : i32}) -> tensor<4xf32> {
  util.return %t : tensor<4xf32>
}
