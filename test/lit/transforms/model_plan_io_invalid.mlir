// RUN: not zc-opt --split-input-file %s -p model-plan-io 2>&1 | filecheck %s

// A model has one public function.
// CHECK: [[# @LINE + 1]]:1: error: 'builtin.module' op expected one public function as the model, got @f, @g; name one with function=
module {
  util.func public @f() {
    util.return
  }
  util.func public @g() {
    util.return
  }
}

// -----

// It returns in one place.
// CHECK: [[# @LINE + 1]]:1: error: 'util.func' op expected a model that returns in one place, got 2
util.func public @f(%c: i1) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  util.return
^bb2:
  util.return
}

// -----

// Outputs are stored in arguments.
util.func public @f(%x: !hal.buffer_view) -> !hal.buffer_view {
  %s = util.null : !hal.buffer_view
  %0 = hal.tensor.import %x : !hal.buffer_view -> tensor<16xf32>
  // CHECK: [[# @LINE + 1]]:3: error: 'hal.tensor.alias' op stores an output in what the model makes; store it in an argument
  %1 = hal.tensor.alias %0 : tensor<16xf32> to %s : !hal.buffer_view
  %2 = hal.tensor.export %1 : tensor<16xf32> -> !hal.buffer_view
  util.return %2 : !hal.buffer_view
}
