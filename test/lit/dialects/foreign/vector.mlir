// RUN: ROUNDTRIP
// RUN: GENERIC_ROUNDTRIP

// Ops on vectors.
// CHECK-LABEL: func.func @a(%arg0: vector<4xf32>, %arg1: vector<2x4xf32>, %arg2: f32, %arg3: memref<4x4xf32>, %arg4: index, %arg5: tensor<4x4xf32>, %arg6: vector<4xi1>) {
func.func @a(%arg0: vector<4xf32>, %arg1: vector<2x4xf32>, %arg2: f32, %arg3: memref<4x4xf32>, %arg4: index, %arg5: tensor<4x4xf32>, %arg6: vector<4xi1>) {
  // CHECK: vector.broadcast %arg2 : f32 to vector<4xf32>
  %0 = vector.broadcast %arg2 : f32 to vector<4xf32>
  // CHECK: vector.shape_cast %arg1 : vector<2x4xf32> to vector<8xf32>
  %1 = vector.shape_cast %arg1 : vector<2x4xf32> to vector<8xf32>
  // CHECK: vector.interleave %arg0, %arg0 : vector<4xf32> -> vector<8xf32>
  %2 = vector.interleave %arg0, %arg0 : vector<4xf32> -> vector<8xf32>
  // CHECK: vector.extract %arg1[0] : vector<4xf32> from vector<2x4xf32>
  %3 = vector.extract %arg1[0] : vector<4xf32> from vector<2x4xf32>
  // CHECK: vector.insert %arg0, %arg1 [1] : vector<4xf32> into vector<2x4xf32>
  %4 = vector.insert %arg0, %arg1 [1] : vector<4xf32> into vector<2x4xf32>
  // CHECK: vector.transfer_read %arg5[%arg4, %arg4], %arg2 {in_bounds = [true]} : tensor<4x4xf32>, vector<4xf32>
  %5 = vector.transfer_read %arg5[%arg4, %arg4], %arg2 {in_bounds = [true]} : tensor<4x4xf32>, vector<4xf32>
  // CHECK: vector.transfer_write %arg0, %arg5[%arg4, %arg4] {in_bounds = [true]} : vector<4xf32>, tensor<4x4xf32>
  %6 = vector.transfer_write %arg0, %arg5[%arg4, %arg4] {in_bounds = [true]} : vector<4xf32>, tensor<4x4xf32>
  // CHECK: vector.load %arg3[%arg4, %arg4] : memref<4x4xf32>, vector<4xf32>
  %7 = vector.load %arg3[%arg4, %arg4] : memref<4x4xf32>, vector<4xf32>
  // CHECK: vector.store %arg0, %arg3[%arg4, %arg4] : memref<4x4xf32>, vector<4xf32>
  vector.store %arg0, %arg3[%arg4, %arg4] : memref<4x4xf32>, vector<4xf32>
  // CHECK: vector.reduction <add>, %arg0 : vector<4xf32> into f32
  %8 = vector.reduction <add>, %arg0 : vector<4xf32> into f32
  // CHECK: vector.multi_reduction <add>, %arg1, %arg0 [0] : vector<2x4xf32> to vector<4xf32>
  %9 = vector.multi_reduction <add>, %arg1, %arg0 [0] : vector<2x4xf32> to vector<4xf32>
  // CHECK: vector.fma %arg0, %arg0, %arg0 : vector<4xf32>
  %10 = vector.fma %arg0, %arg0, %arg0 : vector<4xf32>
  // CHECK: vector.bitcast %arg0 : vector<4xf32> to vector<4xi32>
  %11 = vector.bitcast %arg0 : vector<4xf32> to vector<4xi32>
  // CHECK: vector.transpose %arg1, [1, 0] : vector<2x4xf32> to vector<4x2xf32>
  %12 = vector.transpose %arg1, [1, 0] : vector<2x4xf32> to vector<4x2xf32>
  // CHECK: vector.create_mask %arg4 : vector<4xi1>
  %13 = vector.create_mask %arg4 : vector<4xi1>
  // CHECK: vector.constant_mask [2] : vector<4xi1>
  %14 = vector.constant_mask [2] : vector<4xi1>
  // CHECK: vector.shuffle %arg0, %arg0 [0, 1] : vector<4xf32>, vector<4xf32>
  %15 = vector.shuffle %arg0, %arg0 [0, 1] : vector<4xf32>, vector<4xf32>
  // CHECK: vector.from_elements %arg2, %arg2 : vector<2xf32>
  %16 = vector.from_elements %arg2, %arg2 : vector<2xf32>
  // CHECK: vector.step : vector<4xindex>
  %17 = vector.step : vector<4xindex>
  // CHECK: vector.deinterleave %arg0 {tag} : vector<4xf32> -> vector<2xf32>
  %even, %odd = vector.deinterleave %arg0 {tag} : vector<4xf32> -> vector<2xf32>
  func.return
}
