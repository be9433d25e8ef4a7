// RUN: ROUNDTRIP
// RUN: GENERIC_ROUNDTRIP

// One assumption for an operand, several, and several operands.
// CHECK-LABEL: util.func public @assume(%a: index, %b: i32) {
util.func public @assume(%a: index, %b: i32) {
  // CHECK: util.assume.int %a<umin = 1, umax = 8, udiv = 2> : index
  %0 = util.assume.int %a<umin = 1, umax = 8, udiv = 2> : index
  // CHECK: util.assume.int %a[<umin = 1>, <udiv = 4>] : index {tag}
  %1 = util.assume.int %a[<umin = 1>, <udiv = 4>] : index {tag}
  util.return
}

// Values that passes may not see through.
// CHECK-LABEL: util.func public @barrier(%a: index, %b: tensor<4xf32>) {
util.func public @barrier(%a: index, %b: tensor<4xf32>) {
  // CHECK: util.optimization_barrier %a, %b : index, tensor<4xf32>
  %0, %1 = util.optimization_barrier %a, %b : index, tensor<4xf32>
  // CHECK: util.optimization_barrier {tag}
  util.optimization_barrier {tag}
  util.return
}

// A constant whose value passes may not use.
// CHECK-LABEL: util.func public @unfoldable() {
util.func public @unfoldable() {
  // CHECK: util.unfoldable_constant 5 : i32
  %0 = util.unfoldable_constant 5 : i32
  // CHECK: util.unfoldable_constant {tag} dense<1.000000e+00> : tensor<4xf32>
  %1 = util.unfoldable_constant {tag} dense<1.000000e+00> : tensor<4xf32>
  util.return
}

// A conversion and what undoes it; attributes stand after the body.
// CHECK-LABEL: util.func public @hoistable(%a: i32) {
util.func public @hoistable(%a: i32) {
  // CHECK: util.hoistable_conversion "pack" inverts("unpack") (%x = %a) : (i32) -> i64 {
  %0 = util.hoistable_conversion "pack" inverts("unpack") (%x = %a) : (i32) -> i64 {
    // CHECK: arith.extsi %x : i32 to i64
    %1 = arith.extsi %x : i32 to i64
    // CHECK: util.return %1 : i64
    util.return %1 : i64
  } {tag}
  util.return
}

// Operands of several types, each with its assumptions.
// CHECK-LABEL: util.func public @assume_many(%a: index, %b: i32) {
util.func public @assume_many(%a: index, %b: i32) {
  // CHECK: util.assume.int %a<umin = 1>, %b[<umin = 1>, <umax = 4>] : index, i32
  %0, %1 = util.assume.int %a<umin = 1>, %b[<umin = 1>, <umax = 4>] : index, i32
  util.return
}
