// RUN: ROUNDTRIP
// RUN: GENERIC_ROUNDTRIP

// Running sums; results may be absent where the outputs are buffers.
// CHECK-LABEL: func.func @scans
func.func @scans(%a: tensor<3x6xf32>, %z: tensor<3xf32>, %b: memref<6xi32>, %y: memref<i32>) {
  // CHECK: %0, %1 = iree_linalg_ext.scan {tag} dimension(1) inclusive(true) ins(%a : tensor<3x6xf32>) outs(%a, %z : tensor<3x6xf32>, tensor<3xf32>) {
  // CHECK-NEXT: ^bb{{[0-9]+}}(%{{[0-9]+}}: f32, %{{[0-9]+}}: f32):
  %0:2 = iree_linalg_ext.scan {tag} dimension(1) inclusive(true) ins(%a : tensor<3x6xf32>) outs(%a, %z : tensor<3x6xf32>, tensor<3xf32>) {
  ^bb0(%2: f32, %3: f32):
    %4 = arith.addf %2, %3 : f32
    // CHECK: iree_linalg_ext.yield %{{[0-9]+}} : f32
    iree_linalg_ext.yield %4 : f32
  // CHECK-NEXT: } -> tensor<3x6xf32>, tensor<3xf32>
  } -> tensor<3x6xf32>, tensor<3xf32>
  // CHECK: iree_linalg_ext.scan dimension(0) inclusive(false) ins(%b : memref<6xi32>) outs(%b, %y : memref<6xi32>, memref<i32>) {
  iree_linalg_ext.scan dimension(0) inclusive(false) ins(%b : memref<6xi32>) outs(%b, %y : memref<6xi32>, memref<i32>) {
  ^bb0(%5: i32, %6: i32):
    %7 = arith.addi %5, %6 : i32
    iree_linalg_ext.yield %7 : i32
  }
  func.return
}

// -----

// Arrays sorted together.
// CHECK-LABEL: func.func @sorts
func.func @sorts(%a: tensor<3x6xf32>, %b: tensor<3x6xi32>) {
  // CHECK: iree_linalg_ext.sort dimension(1) outs(%a, %b : tensor<3x6xf32>, tensor<3x6xi32>) {
  %0:2 = iree_linalg_ext.sort dimension(1) outs(%a, %b : tensor<3x6xf32>, tensor<3x6xi32>) {
  ^bb0(%2: f32, %3: f32, %4: i32, %5: i32):
    %6 = arith.cmpf olt, %2, %3 : f32
    iree_linalg_ext.yield %6 : i1
  } -> tensor<3x6xf32>, tensor<3x6xi32>
  func.return
}

// -----

// The best elements, with their own indices or their positions; indices may be left out.
// CHECK-LABEL: func.func @selections
func.func @selections(%a: tensor<3x6xf32>, %i: tensor<3x6xi32>, %v: tensor<3x2xf32>, %p: tensor<3x2xi32>, %w: tensor<3xf32>, %q: tensor<3xi32>, %base: index) {
  // CHECK: iree_linalg_ext.topk dimension(1) ins(%a, %i : tensor<3x6xf32>, tensor<3x6xi32>) outs(%v, %p : tensor<3x2xf32>, tensor<3x2xi32>) {
  %0:2 = iree_linalg_ext.topk dimension(1) ins(%a, %i : tensor<3x6xf32>, tensor<3x6xi32>) outs(%v, %p : tensor<3x2xf32>, tensor<3x2xi32>) {
  ^bb0(%6: f32, %7: f32):
    %8 = arith.cmpf ogt, %6, %7 : f32
    iree_linalg_ext.yield %8 : i1
  } -> tensor<3x2xf32>, tensor<3x2xi32>
  // CHECK: iree_linalg_ext.topk dimension(1) ins(%a : tensor<3x6xf32>) outs(%v, %p : tensor<3x2xf32>, tensor<3x2xi32>) {
  %1:2 = iree_linalg_ext.topk dimension(1) ins(%a : tensor<3x6xf32>) outs(%v, %p : tensor<3x2xf32>, tensor<3x2xi32>) {
  ^bb0(%9: f32, %10: f32):
    %11 = arith.cmpf ogt, %9, %10 : f32
    iree_linalg_ext.yield %11 : i1
  } -> tensor<3x2xf32>, tensor<3x2xi32>
  // CHECK: iree_linalg_ext.topk_v2 dimension(1) is_sorted ins(%a : tensor<3x6xf32>) outs(%v, %p : tensor<3x2xf32>, tensor<3x2xi32>) {
  %2:2 = iree_linalg_ext.topk_v2 dimension(1) is_sorted ins(%a : tensor<3x6xf32>) outs(%v, %p : tensor<3x2xf32>, tensor<3x2xi32>) {
  ^bb0(%12: f32, %13: f32):
    %14 = arith.cmpf ogt, %12, %13 : f32
    iree_linalg_ext.yield %14 : i1
  } -> tensor<3x2xf32>, tensor<3x2xi32>
  // CHECK: iree_linalg_ext.topk_v2 dimension(1) ins(%a : tensor<3x6xf32>) outs(%v : tensor<3x2xf32>) {
  %3 = iree_linalg_ext.topk_v2 dimension(1) ins(%a : tensor<3x6xf32>) outs(%v : tensor<3x2xf32>) {
  ^bb0(%15: f32, %16: f32):
    %17 = arith.cmpf ogt, %15, %16 : f32
    iree_linalg_ext.yield %17 : i1
  } -> tensor<3x2xf32>
  // CHECK: iree_linalg_ext.arg_compare dimension(1) ins(%a : tensor<3x6xf32>) outs(%w, %q : tensor<3xf32>, tensor<3xi32>) {
  %4:2 = iree_linalg_ext.arg_compare dimension(1) ins(%a : tensor<3x6xf32>) outs(%w, %q : tensor<3xf32>, tensor<3xi32>) {
  ^bb0(%18: f32, %19: f32):
    %20 = arith.cmpf ogt, %18, %19 : f32
    iree_linalg_ext.yield %20 : i1
  } -> tensor<3xf32>, tensor<3xi32>
  // CHECK: iree_linalg_ext.arg_compare dimension(1) ins(%a : tensor<3x6xf32>) outs(%w, %q : tensor<3xf32>, tensor<3xi32>) index_base(%base : index) {
  %5:2 = iree_linalg_ext.arg_compare dimension(1) ins(%a : tensor<3x6xf32>) outs(%w, %q : tensor<3xf32>, tensor<3xi32>) index_base(%base : index) {
  ^bb0(%21: f32, %22: f32):
    %23 = arith.cmpf ogt, %21, %22 : f32
    iree_linalg_ext.yield %23 : i1
  } -> tensor<3xf32>, tensor<3xi32>
  // CHECK: iree_linalg_ext.arg_compare dimension(1) ins(%a, %i : tensor<3x6xf32>, tensor<3x6xi32>) outs(%w, %q : tensor<3xf32>, tensor<3xi32>) {
  %24:2 = iree_linalg_ext.arg_compare dimension(1) ins(%a, %i : tensor<3x6xf32>, tensor<3x6xi32>) outs(%w, %q : tensor<3xf32>, tensor<3xi32>) {
  ^bb0(%25: f32, %26: f32):
    %27 = arith.cmpf ogt, %25, %26 : f32
    iree_linalg_ext.yield %27 : i1
  } -> tensor<3xf32>, tensor<3xi32>
  func.return
}
