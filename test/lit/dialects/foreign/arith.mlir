// RUN: ROUNDTRIP
// RUN: GENERIC_ROUNDTRIP

// Every scalar op of arith, flags and comparisons of tensors included.
// CHECK-LABEL: func.func @a(%arg0: i32, %arg1: i32, %arg2: f32, %arg3: f32, %arg4: index, %arg5: i1, %arg6: vector<4xf32>, %arg7: tensor<4xi32>, %arg8: f16) {
func.func @a(%arg0: i32, %arg1: i32, %arg2: f32, %arg3: f32, %arg4: index, %arg5: i1, %arg6: vector<4xf32>, %arg7: tensor<4xi32>, %arg8: f16) {
  // CHECK: arith.constant {foo} 5 : i32
  %c5_i32 = arith.constant {foo} 5 : i32
  // CHECK: arith.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %cst = arith.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  // CHECK: arith.constant true
  %true = arith.constant true
  // CHECK: arith.constant 0x7fc00000 : f32
  %cst_0 = arith.constant 0x7FC00000 : f32
  // CHECK: arith.constant -1.500000e+10 : f64
  %cst_1 = arith.constant -1.500000e+10 : f64
  // CHECK: arith.addi %arg0, %arg1 overflow<nsw,nuw> {foo} : i32
  %0 = arith.addi %arg0, %arg1 overflow<nsw, nuw> {foo} : i32
  // CHECK: arith.subi %arg0, %arg1 : i32
  %1 = arith.subi %arg0, %arg1 : i32
  // CHECK: arith.muli %arg0, %arg1 overflow<nsw> : i32
  %2 = arith.muli %arg0, %arg1 overflow<nsw> : i32
  // CHECK: arith.divsi %arg0, %arg1 : i32
  %3 = arith.divsi %arg0, %arg1 : i32
  // CHECK: arith.divui %arg0, %arg1 : i32
  %4 = arith.divui %arg0, %arg1 : i32
  // CHECK: arith.remsi %arg0, %arg1 : i32
  %5 = arith.remsi %arg0, %arg1 : i32
  // CHECK: arith.remui %arg0, %arg1 {foo} : i32
  %6 = arith.remui %arg0, %arg1 {foo} : i32
  // CHECK: arith.ceildivsi %arg0, %arg1 : i32
  %7 = arith.ceildivsi %arg0, %arg1 : i32
  // CHECK: arith.ceildivui %arg0, %arg1 : i32
  %8 = arith.ceildivui %arg0, %arg1 : i32
  // CHECK: arith.floordivsi %arg0, %arg1 : i32
  %9 = arith.floordivsi %arg0, %arg1 : i32
  // CHECK: arith.andi %arg0, %arg1 : i32
  %10 = arith.andi %arg0, %arg1 : i32
  // CHECK: arith.ori %arg0, %arg1 : i32
  %11 = arith.ori %arg0, %arg1 : i32
  // CHECK: arith.xori %arg0, %arg1 : i32
  %12 = arith.xori %arg0, %arg1 : i32
  // CHECK: arith.shli %arg0, %arg1 overflow<nuw> : i32
  %13 = arith.shli %arg0, %arg1 overflow<nuw> : i32
  // CHECK: arith.shrsi %arg0, %arg1 : i32
  %14 = arith.shrsi %arg0, %arg1 : i32
  // CHECK: arith.shrui %arg0, %arg1 exact : i32
  %15 = arith.shrui %arg0, %arg1 exact : i32
  // CHECK: arith.addf %arg2, %arg3 fastmath<fast> {foo} : f32
  %16 = arith.addf %arg2, %arg3 fastmath<fast> {foo} : f32
  // CHECK: arith.subf %arg2, %arg3 : f32
  %17 = arith.subf %arg2, %arg3 : f32
  // CHECK: arith.mulf %arg2, %arg3 fastmath<nnan,ninf> : f32
  %18 = arith.mulf %arg2, %arg3 fastmath<nnan,ninf> : f32
  // CHECK: arith.divf %arg2, %arg3 : f32
  %19 = arith.divf %arg2, %arg3 : f32
  // CHECK: arith.remf %arg2, %arg3 : f32
  %20 = arith.remf %arg2, %arg3 : f32
  // CHECK: arith.negf %arg2 {foo} : f32
  %21 = arith.negf %arg2 {foo} : f32
  // CHECK: arith.maximumf %arg2, %arg3 : f32
  %22 = arith.maximumf %arg2, %arg3 : f32
  // CHECK: arith.minimumf %arg2, %arg3 : f32
  %23 = arith.minimumf %arg2, %arg3 : f32
  // CHECK: arith.maxnumf %arg2, %arg3 : f32
  %24 = arith.maxnumf %arg2, %arg3 : f32
  // CHECK: arith.minnumf %arg2, %arg3 : f32
  %25 = arith.minnumf %arg2, %arg3 : f32
  // CHECK: arith.maxsi %arg0, %arg1 : i32
  %26 = arith.maxsi %arg0, %arg1 : i32
  // CHECK: arith.minui %arg0, %arg1 : i32
  %27 = arith.minui %arg0, %arg1 : i32
  // CHECK: arith.extsi %arg0 {foo} : i32 to i64
  %28 = arith.extsi %arg0 {foo} : i32 to i64
  // CHECK: arith.extui %arg0 : i32 to i64
  %29 = arith.extui %arg0 : i32 to i64
  // CHECK: arith.extui %arg0 nneg : i32 to i64
  %30 = arith.extui %arg0 nneg : i32 to i64
  // CHECK: arith.trunci %arg0 : i32 to i8
  %31 = arith.trunci %arg0 : i32 to i8
  // CHECK: arith.trunci %arg0 overflow<nsw> : i32 to i8
  %32 = arith.trunci %arg0 overflow<nsw> : i32 to i8
  // CHECK: arith.extf %arg8 : f16 to f32
  %33 = arith.extf %arg8 : f16 to f32
  // CHECK: arith.truncf %arg2 : f32 to f16
  %34 = arith.truncf %arg2 : f32 to f16
  // CHECK: arith.truncf %arg2 to_nearest_even : f32 to f16
  %35 = arith.truncf %arg2 to_nearest_even : f32 to f16
  // CHECK: arith.sitofp %arg0 : i32 to f32
  %36 = arith.sitofp %arg0 : i32 to f32
  // CHECK: arith.uitofp %arg0 : i32 to f32
  %37 = arith.uitofp %arg0 : i32 to f32
  // CHECK: arith.uitofp %arg0 nneg : i32 to f32
  %38 = arith.uitofp %arg0 nneg : i32 to f32
  // CHECK: arith.fptosi %arg2 : f32 to i32
  %39 = arith.fptosi %arg2 : f32 to i32
  // CHECK: arith.fptoui %arg2 : f32 to i32
  %40 = arith.fptoui %arg2 : f32 to i32
  // CHECK: arith.index_cast %arg0 : i32 to index
  %41 = arith.index_cast %arg0 : i32 to index
  // CHECK: arith.index_castui %arg4 : index to i64
  %42 = arith.index_castui %arg4 : index to i64
  // CHECK: arith.bitcast %arg2 : f32 to i32
  %43 = arith.bitcast %arg2 : f32 to i32
  // CHECK: arith.cmpi slt, %arg0, %arg1 {foo} : i32
  %44 = arith.cmpi slt, %arg0, %arg1 {foo} : i32
  // CHECK: arith.cmpf oge, %arg2, %arg3 : f32
  %45 = arith.cmpf oge, %arg2, %arg3 : f32
  // CHECK: arith.cmpf une, %arg2, %arg3 fastmath<nnan> : f32
  %46 = arith.cmpf une, %arg2, %arg3 fastmath<nnan> : f32
  // CHECK: arith.select %arg5, %arg0, %arg1 {foo} : i32
  %47 = arith.select %arg5, %arg0, %arg1 {foo} : i32
  // CHECK: arith.addf %arg6, %arg6 : vector<4xf32>
  %48 = arith.addf %arg6, %arg6 : vector<4xf32>
  // CHECK: arith.cmpi ult, %arg7, %arg7 : tensor<4xi32>
  %49 = arith.cmpi ult, %arg7, %arg7 : tensor<4xi32>
  // CHECK: arith.minsi %arg0, %arg1 : i32
  %51 = arith.minsi %arg0, %arg1 : i32
  // CHECK: arith.maxui %arg0, %arg1 : i32
  %52 = arith.maxui %arg0, %arg1 : i32
  // CHECK: arith.extf %arg8 fastmath<fast> : f16 to f32
  %53 = arith.extf %arg8 fastmath<fast> : f16 to f32
  func.return
}
