// RUN: zc-opt --split-input-file %s -p simplify-control-flow | filecheck %s

// A loop of one iteration is its body, one of none what it starts with, a branch with a known
// condition its side.
// CHECK-LABEL: @known
// CHECK: %[[A:.+]] = flow.tensor.clone %arg0
// CHECK-NEXT: util.return %[[A]], %arg1, %[[A]]
util.func public @known(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %0 = scf.for %i = %c0 to %c1 step %c1 iter_args(%a = %arg0) -> (tensor<4xf32>) {
    %3 = flow.tensor.clone %a : tensor<4xf32>
    scf.yield %3 : tensor<4xf32>
  }
  %1 = scf.for %i = %c1 to %c1 step %c1 iter_args(%a = %arg1) -> (tensor<4xf32>) {
    %4 = flow.tensor.clone %a : tensor<4xf32>
    scf.yield %4 : tensor<4xf32>
  }
  %2 = scf.if %true -> (tensor<4xf32>) {
    scf.yield %0 : tensor<4xf32>
  } else {
    scf.yield %arg1 : tensor<4xf32>
  }
  util.return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// What a loop hands on as it got it, or for nobody, it carries no more; what it works on stays.
// CHECK-LABEL: @unchanged
// CHECK: %[[L:.+]] = scf.for {{.*}} iter_args(%[[A:.+]] = %arg0) -> (tensor<4xf32>) {
// CHECK-NEXT: %[[N:.+]] = flow.dispatch @k::@f(%[[A]], %arg1)
// CHECK-NEXT: scf.yield %[[N]] : tensor<4xf32>
// CHECK: util.return %arg1, %[[L]], %arg1
util.func public @unchanged(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %n: index) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:4 = scf.for %i = %c0 to %n step %c1 iter_args(%same = %arg1, %a = %arg0, %init = %arg1, %unused = %arg0) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
    %1 = flow.dispatch @k::@f(%a, %same) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    scf.yield %same, %1, %arg1, %1 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  util.return %0#0, %0#1, %0#2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// A loop that is known to iterate gives what comes from outside as it is, and starts with undefined
// contents where nobody reads what it starts with; its twin may not iterate.
// CHECK-LABEL: @iterates
// CHECK: %[[E:.+]] = flow.tensor.empty : tensor<4xf32>
// CHECK-NEXT: %[[L:.+]] = scf.for {{.*}} iter_args(%{{.+}} = %[[E]]) -> (tensor<4xf32>)
// CHECK: %[[T:.+]], %[[U:.+]] = scf.for {{.*}} iter_args(%{{.+}} = %arg0, %{{.+}} = %arg0) -> (tensor<4xf32>, tensor<4xf32>)
// CHECK: util.return %[[L]], %arg1, %[[T]], %[[U]]
util.func public @iterates(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %n: index) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0:2 = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %arg0, %b = %arg0) -> (tensor<4xf32>, tensor<4xf32>) {
    %2 = flow.dispatch @k::@f(%arg1) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %2, %arg1 : tensor<4xf32>, tensor<4xf32>
  }
  %1:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %arg0, %b = %arg0) -> (tensor<4xf32>, tensor<4xf32>) {
    %3 = flow.dispatch @k::@f(%arg1) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %3, %arg1 : tensor<4xf32>, tensor<4xf32>
  }
  util.return %0#0, %0#1, %1#0, %1#1 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
