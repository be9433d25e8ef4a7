// RUN: zc-opt --split-input-file %s -p inline | filecheck %s
// RUN: zc-opt --split-input-file %s -p 'inline{max-ops=1}' | filecheck %s --check-prefix=SMALL

// The body stands in the place of each call, and the function goes; callees before their callers.
// A function that is called twice is inlined if it is small.
// CHECK-LABEL: @twice
// CHECK: %[[A:.+]] = flow.tensor.clone %arg0
// CHECK-NEXT: %[[B:.+]] = flow.tensor.clone %[[A]]
// CHECK-NEXT: %[[C:.+]] = flow.tensor.clone %[[B]]
// CHECK-NEXT: %[[D:.+]] = flow.tensor.clone %[[C]]
// CHECK-NEXT: util.return %[[D]], %[[B]]
// CHECK-NOT: util.func private
// SMALL-LABEL: @twice
// SMALL: util.call @two
// SMALL: util.call @two
// SMALL-NOT: util.call
// SMALL: util.func private @two
// SMALL-NEXT: flow.tensor.clone
// SMALL-NEXT: flow.tensor.clone
util.func public @twice(%arg0: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = util.call @two(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = util.call @two(%0) : (tensor<4xf32>) -> tensor<4xf32>
  util.return %1, %0 : tensor<4xf32>, tensor<4xf32>
}
util.func private @two(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = flow.tensor.clone %x : tensor<4xf32>
  %1 = util.call @one(%0) : (tensor<4xf32>) -> tensor<4xf32>
  util.return %1 : tensor<4xf32>
}
util.func private @one(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = flow.tensor.clone %x : tensor<4xf32>
  util.return %0 : tensor<4xf32>
}

// -----

// Calls in regions and initializers too; a result tied to an argument is what the body gives.
// CHECK-LABEL: @nested
// CHECK: scf.if
// CHECK-NEXT: %[[R:.+]] = flow.dispatch @k::@f(%arg0) : (tensor<4xf32>) -> %arg0
// CHECK-NEXT: scf.yield %[[R]]
// CHECK: util.initializer {
// CHECK-NEXT: arith.constant 7 : i32
// CHECK-NEXT: util.return
util.func public @nested(%arg0: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  %0 = scf.if %c -> (tensor<4xf32>) {
    %1 = util.call @update(%arg0) : (tensor<4xf32>) -> %arg0
    scf.yield %1 : tensor<4xf32>
  } else {
    scf.yield %arg0 : tensor<4xf32>
  }
  util.return %0 : tensor<4xf32>
}
util.func private @update(%x: tensor<4xf32>) -> %x {
  %0 = flow.dispatch @k::@f(%x) : (tensor<4xf32>) -> %x
  util.return %0 : tensor<4xf32>
}
util.initializer {
  util.call @setup() : () -> ()
  util.return
}
util.func private @setup() {
  %0 = arith.constant 7 : i32
  util.return
}

// -----

// What stays: functions that are public, declared, recursive, of several blocks, that declare
// affinities or ask for it.
// CHECK-LABEL: @caller
// CHECK-COUNT-6: util.call
// CHECK: util.func public @public
// CHECK: util.func private @recursive
// CHECK: util.func private @blocks
// CHECK: util.func private @placed
// CHECK: util.func private @asked
// CHECK: util.func private @declared
util.func public @caller(%x: tensor<4xf32>) {
  util.call @public() : () -> ()
  util.call @recursive() : () -> ()
  util.call @blocks() : () -> ()
  util.call @placed(%x) : (tensor<4xf32>) -> ()
  util.call @asked() : () -> ()
  util.call @declared() : () -> ()
  util.return
}
util.func public @public() {
  util.return
}
util.func private @recursive() {
  util.call @recursive() : () -> ()
  util.return
}
util.func private @blocks() {
  cf.br ^bb1
^bb1:
  util.return
}
util.func private @placed(%x: tensor<4xf32> {stream.affinity = #hal.device.affinity<@a>}) {
  util.return
}
util.func private @asked() attributes {inlining_policy = #util.inline.never} {
  util.return
}
util.func private @declared()
