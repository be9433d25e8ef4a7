// RUN: ROUNDTRIP
// RUN: GENERIC_ROUNDTRIP

// Runs before any function, and may carry attributes.
// CHECK: util.initializer attributes {tag} {
util.initializer attributes {tag} {
  util.return
}

// A declaration with attributes of arguments and results.
// CHECK-LABEL: util.func private @declared(%arg0: i32 {a.b = 1 : i32}, %arg1: tensor<4xf32>) -> (%arg1, i32 {c.d}) attributes {inlining_policy = #util.inline.never}
util.func private @declared(%arg0: i32 {a.b = 1 : i32}, %arg1: tensor<4xf32>) -> (%arg1, i32 {c.d}) attributes {inlining_policy = #util.inline.never}

// Results tied to arguments, with the type of the argument and with another.
// CHECK-LABEL: util.func public @tied(%a: tensor<4xf32>, %b: i32) -> (%a, %a as tensor<2xf32>) {
util.func public @tied(%a: tensor<4xf32>, %b: i32) -> (%a, %a as tensor<2xf32>) {
  // CHECK: util.call @declared(%b, %a) : (i32, tensor<4xf32>) -> (%a, i32)
  %0, %1 = util.call @declared(%b, %a) : (i32, tensor<4xf32>) -> (%a, i32)
  // CHECK: util.call @one(%a) {tag} : (tensor<4xf32>) -> %a as tensor<2xf32>
  %2 = util.call @one(%a) {tag} : (tensor<4xf32>) -> %a as tensor<2xf32>
  // CHECK: util.call @none() : () -> ()
  util.call @none() : () -> ()
  // CHECK: util.return %0, %2 : tensor<4xf32>, tensor<2xf32>
  util.return %0, %2 : tensor<4xf32>, tensor<2xf32>
}

// A single result without parentheses.
// CHECK-LABEL: util.func private @one(%arg0: tensor<4xf32>) -> %arg0 as tensor<2xf32>
util.func private @one(%arg0: tensor<4xf32>) -> %arg0 as tensor<2xf32>

// No results at all, and blocks.
// CHECK-LABEL: util.func private @none() {
util.func private @none() {
  // CHECK: cf.br ^bb1
  cf.br ^bb1
^bb1:
  util.return
}

// Code that is never reached.
// CHECK-LABEL: util.func public @unreachable(%c: i1) {
util.func public @unreachable(%c: i1) {
  // CHECK: util.scf.unreachable "in a region"
  util.scf.unreachable "in a region"
  // CHECK: util.scf.unreachable {tag}
  util.scf.unreachable {tag}
  // CHECK: util.unreachable "at the end"
  util.unreachable "at the end"
}
