// RUN: ROUNDTRIP
// RUN: GENERIC_ROUNDTRIP

// Constants whose type is that of the value, and one with a hidden shape.
// CHECK-LABEL: util.func public @constants() {
util.func public @constants() {
  // CHECK: flow.tensor.constant dense<1> : tensor<4xi32>
  %0 = flow.tensor.constant dense<1> : tensor<4xi32>
  // CHECK: flow.tensor.constant {tag} #flow.parameter.named<"scope"::"key"> : tensor<4xf32>
  %1 = flow.tensor.constant {tag} #flow.parameter.named<"scope"::"key"> : tensor<4xf32>
  // CHECK: flow.tensor.dynamic_constant dense<1> : tensor<4xi32> -> tensor<?xi32>
  %2 = flow.tensor.dynamic_constant dense<1> : tensor<4xi32> -> tensor<?xi32>
  util.return
}

// Dynamic dimensions stand in braces after the type they belong to.
// CHECK-LABEL: util.func public @new(%d: index, %v: f32) {
util.func public @new(%d: index, %v: f32) {
  // CHECK: flow.tensor.alloca : tensor<4xf32>
  %0 = flow.tensor.alloca : tensor<4xf32>
  // CHECK: flow.tensor.alloca : tensor<?x?xf32>{%d, %d}
  %1 = flow.tensor.alloca : tensor<?x?xf32>{%d, %d}
  // CHECK: flow.tensor.empty : tensor<?x4xf32>{%d}
  %2 = flow.tensor.empty : tensor<?x4xf32>{%d}
  // CHECK: flow.tensor.splat %v : tensor<?xf32>{%d}
  %3 = flow.tensor.splat %v : tensor<?xf32>{%d}
  // CHECK: flow.tensor.splat %v : tensor<f32> attributes {tag}
  %4 = flow.tensor.splat %v : tensor<f32> attributes {tag}
  util.return
}

// Views in another shape, and as elements of another type.
// CHECK-LABEL: util.func public @views(%t: tensor<?x4xf32>, %s: tensor<4xf32>, %d: index) {
util.func public @views(%t: tensor<?x4xf32>, %s: tensor<4xf32>, %d: index) {
  // CHECK: flow.tensor.tie_shape %t : tensor<?x4xf32>{%d}
  %0 = flow.tensor.tie_shape %t : tensor<?x4xf32>{%d}
  // CHECK: flow.tensor.reshape %t : tensor<?x4xf32>{%d} -> tensor<4x?xf32>{%d}
  %1 = flow.tensor.reshape %t : tensor<?x4xf32>{%d} -> tensor<4x?xf32>{%d}
  // CHECK: flow.tensor.reshape %s : tensor<4xf32> -> tensor<2x2xf32>
  %2 = flow.tensor.reshape %s : tensor<4xf32> -> tensor<2x2xf32>
  // CHECK: flow.tensor.bitcast %s : tensor<4xf32> -> tensor<2xi64>
  %3 = flow.tensor.bitcast %s : tensor<4xf32> -> tensor<2xi64>
  util.return
}

// Single elements, with and without indices.
// CHECK-LABEL: util.func public @elements(%t: tensor<?x4xf32>, %s: tensor<f32>, %d: index, %v: f32) {
util.func public @elements(%t: tensor<?x4xf32>, %s: tensor<f32>, %d: index, %v: f32) {
  // CHECK: flow.tensor.load %t[%d, %d] : tensor<?x4xf32>{%d}
  %0 = flow.tensor.load %t[%d, %d] : tensor<?x4xf32>{%d}
  // CHECK: flow.tensor.load %s : tensor<f32>
  %1 = flow.tensor.load %s : tensor<f32>
  // CHECK: flow.tensor.store %v, %t[%d, %d] : tensor<?x4xf32>{%d}
  %2 = flow.tensor.store %v, %t[%d, %d] : tensor<?x4xf32>{%d}
  // CHECK: flow.tensor.store %v, %s : tensor<f32>
  %3 = flow.tensor.store %v, %s : tensor<f32>
  util.return
}
