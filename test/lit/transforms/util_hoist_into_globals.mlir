// RUN: zc-opt --split-input-file %s -p util-hoist-into-globals | filecheck %s

// Equal constants become one global, another one its own; what loads them says that they stay.
// CHECK:      util.global private @__constant_0 = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: util.global private @__constant_1 = dense<3> : tensor<2xi32>
// CHECK-NEXT: util.func public @f
util.func public @f(%c: i1) -> (tensor<2xf32>, tensor<2xi32>) {
  // CHECK: util.global.load immutable @__constant_0 : tensor<2xf32>
  %0 = flow.tensor.constant dense<[1.0, 2.0]> : tensor<2xf32>
  // CHECK: scf.if
  %1 = scf.if %c -> (tensor<2xf32>) {
    // CHECK-NEXT: util.global.load immutable @__constant_0 : tensor<2xf32>
    %2 = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
    scf.yield %2 : tensor<2xf32>
  } else {
    scf.yield %0 : tensor<2xf32>
  }
  // CHECK: util.global.load immutable @__constant_1 : tensor<2xi32>
  %3 = flow.tensor.constant dense<3> : tensor<2xi32>
  util.return %1, %3 : tensor<2xf32>, tensor<2xi32>
}

// -----

// A name that is taken is left to who has it.
// CHECK:      util.global private @__constant_0 : tensor<2xf32>
// CHECK-NEXT: util.global private @__constant_1 = dense<4.000000e+00> : tensor<2xf32>
util.global private @__constant_0 : tensor<2xf32>
util.func public @g() -> tensor<2xf32> {
  %0 = flow.tensor.constant dense<4.0> : tensor<2xf32>
  util.return %0 : tensor<2xf32>
}

// -----

// Numbers stay where they are, and so does what an executable has.
// CHECK-LABEL: flow.executable private @ex
flow.executable private @ex {
  flow.executable.export public @k
  builtin.module {
    func.func @k() {
      // CHECK: arith.constant dense
      %0 = arith.constant dense<1.0> : tensor<2xf32>
      return
    }
  }
}
// CHECK-NOT: util.global
// CHECK: util.func public @h
util.func public @h() -> index {
  // CHECK-NEXT: arith.constant 7 : index
  %0 = arith.constant 7 : index
  util.return %0 : index
}
