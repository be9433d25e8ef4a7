// RUN: ROUNDTRIP
// RUN: GENERIC_ROUNDTRIP

// Every op of math that programs for IREE have.
// CHECK-LABEL: func.func @a(%arg0: f32, %arg1: f32, %arg2: i32, %arg3: vector<4xf32>) {
func.func @a(%arg0: f32, %arg1: f32, %arg2: i32, %arg3: vector<4xf32>) {
  // CHECK: math.absf %arg0 {foo} : f32
  %0 = math.absf %arg0 {foo} : f32
  // CHECK: math.absi %arg2 : i32
  %1 = math.absi %arg2 : i32
  // CHECK: math.exp %arg0 fastmath<fast> : f32
  %2 = math.exp %arg0 fastmath<fast> : f32
  // CHECK: math.log %arg0 : f32
  %3 = math.log %arg0 : f32
  // CHECK: math.sqrt %arg0 : f32
  %4 = math.sqrt %arg0 : f32
  // CHECK: math.rsqrt %arg0 : f32
  %5 = math.rsqrt %arg0 : f32
  // CHECK: math.tanh %arg3 : vector<4xf32>
  %6 = math.tanh %arg3 : vector<4xf32>
  // CHECK: math.powf %arg0, %arg1 : f32
  %7 = math.powf %arg0, %arg1 : f32
  // CHECK: math.fma %arg0, %arg1, %arg0 : f32
  %8 = math.fma %arg0, %arg1, %arg0 : f32
  // CHECK: math.floor %arg0 : f32
  %9 = math.floor %arg0 : f32
  // CHECK: math.ceil %arg0 : f32
  %10 = math.ceil %arg0 : f32
  // CHECK: math.roundeven %arg0 : f32
  %11 = math.roundeven %arg0 : f32
  // CHECK: math.round %arg0 : f32
  %12 = math.round %arg0 : f32
  // CHECK: math.trunc %arg0 : f32
  %13 = math.trunc %arg0 : f32
  // CHECK: math.erf %arg0 : f32
  %14 = math.erf %arg0 : f32
  // CHECK: math.sin %arg0 : f32
  %15 = math.sin %arg0 : f32
  // CHECK: math.cos %arg0 : f32
  %16 = math.cos %arg0 : f32
  // CHECK: math.atan2 %arg0, %arg1 : f32
  %17 = math.atan2 %arg0, %arg1 : f32
  // CHECK: math.log1p %arg0 : f32
  %18 = math.log1p %arg0 : f32
  // CHECK: math.expm1 %arg0 : f32
  %19 = math.expm1 %arg0 : f32
  // CHECK: math.exp2 %arg0 : f32
  %20 = math.exp2 %arg0 : f32
  // CHECK: math.log2 %arg0 : f32
  %21 = math.log2 %arg0 : f32
  // CHECK: math.log10 %arg0 : f32
  %22 = math.log10 %arg0 : f32
  // CHECK: math.copysign %arg0, %arg1 : f32
  %23 = math.copysign %arg0, %arg1 : f32
  // CHECK: math.ipowi %arg2, %arg2 : i32
  %24 = math.ipowi %arg2, %arg2 : i32
  // CHECK: math.fpowi %arg0, %arg2 : f32, i32
  %25 = math.fpowi %arg0, %arg2 : f32, i32
  // CHECK: math.cttz %arg2 : i32
  %26 = math.cttz %arg2 : i32
  // CHECK: math.ctlz %arg2 : i32
  %27 = math.ctlz %arg2 : i32
  // CHECK: math.ctpop %arg2 : i32
  %28 = math.ctpop %arg2 : i32
  // CHECK: math.cbrt %arg0 : f32
  %29 = math.cbrt %arg0 : f32
  // CHECK: math.tan %arg0 : f32
  %30 = math.tan %arg0 : f32
  // CHECK: math.atan %arg0 : f32
  %31 = math.atan %arg0 : f32
  // CHECK: math.isnan %arg0 : f32
  %32 = math.isnan %arg0 : f32
  // CHECK: math.isfinite %arg0 : f32
  %33 = math.isfinite %arg0 : f32
  // CHECK: math.isinf %arg0 : f32
  %34 = math.isinf %arg0 : f32
  // CHECK: math.clampf %arg0 to [%arg1, %arg1] : f32
  %35 = math.clampf %arg0 to [%arg1, %arg1] : f32
  // CHECK: math.asin %arg0 : f32
  %36 = math.asin %arg0 : f32
  // CHECK: math.acos %arg0 : f32
  %37 = math.acos %arg0 : f32
  // CHECK: math.sinh %arg0 : f32
  %38 = math.sinh %arg0 : f32
  // CHECK: math.cosh %arg0 : f32
  %39 = math.cosh %arg0 : f32
  // CHECK: math.asinh %arg0 : f32
  %40 = math.asinh %arg0 : f32
  // CHECK: math.acosh %arg0 : f32
  %41 = math.acosh %arg0 : f32
  // CHECK: math.atanh %arg0 : f32
  %42 = math.atanh %arg0 : f32
  // CHECK: math.erfc %arg0 : f32
  %43 = math.erfc %arg0 : f32
  // CHECK: math.isnormal %arg0 {tag} : f32
  %44 = math.isnormal %arg0 {tag} : f32
  func.return
}
