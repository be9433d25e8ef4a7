// RUN: ROUNDTRIP
// RUN: GENERIC_ROUNDTRIP

// Flags on casts, divisions and shifts, and ops on vectors.
// CHECK-LABEL: func.func @a(%arg0: i32, %arg1: i32, %arg2: f32, %arg3: f16, %arg4: index, %arg5: vector<4xi32>, %arg6: vector<4xi1>) {
func.func @a(%arg0: i32, %arg1: i32, %arg2: f32, %arg3: f16, %arg4: index, %arg5: vector<4xi32>, %arg6: vector<4xi1>) {
  // CHECK: arith.shrui %arg0, %arg1 exact : i32
  %0 = arith.shrui %arg0, %arg1 exact : i32
  // CHECK: arith.divsi %arg0, %arg1 exact {foo} : i32
  %1 = arith.divsi %arg0, %arg1 exact {foo} : i32
  // CHECK: arith.extui %arg0 nneg {foo} : i32 to i64
  %2 = arith.extui %arg0 nneg {foo} : i32 to i64
  // CHECK: arith.trunci %arg0 overflow<nsw,nuw> {foo} : i32 to i8
  %3 = arith.trunci %arg0 overflow<nsw, nuw> {foo} : i32 to i8
  // CHECK: arith.truncf %arg2 to_nearest_even fastmath<fast> {foo} : f32 to f16
  %4 = arith.truncf %arg2 to_nearest_even fastmath<fast> {foo} : f32 to f16
  // CHECK: arith.uitofp %arg0 nneg : i32 to f32
  %5 = arith.uitofp %arg0 nneg : i32 to f32
  // CHECK: arith.index_castui %arg4 nneg : index to i64
  %6 = arith.index_castui %arg4 nneg : index to i64
  // CHECK: arith.index_castui %arg5 : vector<4xi32> to vector<4xindex>
  %7 = arith.index_castui %arg5 : vector<4xi32> to vector<4xindex>
  // CHECK: arith.cmpi slt, %arg5, %arg5 {foo} : vector<4xi32>
  %8 = arith.cmpi slt, %arg5, %arg5 {foo} : vector<4xi32>
  // CHECK: arith.select %arg6, %arg5, %arg5 {foo} : vector<4xi1>, vector<4xi32>
  %9 = arith.select %arg6, %arg5, %arg5 {foo} : vector<4xi1>, vector<4xi32>
  // CHECK: arith.remf %arg2, %arg2 fastmath<nnan> : f32
  %10 = arith.remf %arg2, %arg2 fastmath<nnan> : f32
  // CHECK: arith.sitofp %arg0 : i32 to f32
  %11 = arith.sitofp %arg0 : i32 to f32
  // CHECK: arith.cmpf olt, %arg2, %arg2 fastmath<nnan> {foo} : f32
  %12 = arith.cmpf olt, %arg2, %arg2 fastmath<nnan> {foo} : f32
  // CHECK: arith.index_cast %arg4 : index to i64
  %13 = arith.index_cast %arg4 : index to i64
  func.return
}
