// One function for each kind of op that IREE makes a dispatch of. Compiled by IREE and compared.
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @matmul(%a: tensor<5x7xf32>, %b: tensor<7x3xf32>) -> tensor<5x3xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x3xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<5x3xf32>) -> tensor<5x3xf32>
  %r = linalg.matmul ins(%a, %b : tensor<5x7xf32>, tensor<7x3xf32>) outs(%f : tensor<5x3xf32>) -> tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}
func.func @quantized(%a: tensor<5x9xi8>, %b: tensor<9x3xi8>) -> tensor<5x3xi32> {
  %z = arith.constant 3 : i32
  %e = tensor.empty() : tensor<5x3xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<5x3xi32>) -> tensor<5x3xi32>
  %r = linalg.matmul ins(%a, %b : tensor<5x9xi8>, tensor<9x3xi8>) outs(%f : tensor<5x3xi32>) -> tensor<5x3xi32>
  return %r : tensor<5x3xi32>
}
func.func @batch(%a: tensor<2x4x5xf32>, %b: tensor<2x5x3xf32>, %c: tensor<2x4x3xf32>) -> tensor<2x4x3xf32> {
  %r = linalg.batch_matmul ins(%a, %b : tensor<2x4x5xf32>, tensor<2x5x3xf32>) outs(%c : tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  return %r : tensor<2x4x3xf32>
}
func.func @matvec(%a: tensor<4x5xf32>, %b: tensor<5xf32>, %c: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.matvec ins(%a, %b : tensor<4x5xf32>, tensor<5xf32>) outs(%c : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @softmax(%a: tensor<3x9xf32>) -> tensor<3x9xf32> {
  %e = tensor.empty() : tensor<3x9xf32>
  %r = linalg.softmax dimension(1) ins(%a : tensor<3x9xf32>) outs(%e : tensor<3x9xf32>) -> tensor<3x9xf32>
  return %r : tensor<3x9xf32>
}
func.func @conv(%a: tensor<1x7x7x2xf32>, %w: tensor<3x3x2x4xf32>) -> tensor<1x3x3x4xf32> {
  %z = arith.constant 0.5 : f32
  %e = tensor.empty() : tensor<1x3x3x4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x3x3x4xf32>) -> tensor<1x3x3x4xf32>
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %w : tensor<1x7x7x2xf32>, tensor<3x3x2x4xf32>) outs(%f : tensor<1x3x3x4xf32>) -> tensor<1x3x3x4xf32>
  return %r : tensor<1x3x3x4xf32>
}
func.func @pool(%a: tensor<1x6x6x2xf32>) -> tensor<1x3x3x2xf32> {
  %z = arith.constant 0xFF800000 : f32
  %w = tensor.empty() : tensor<2x2xf32>
  %e = tensor.empty() : tensor<1x3x3x2xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x3x3x2xf32>) -> tensor<1x3x3x2xf32>
  %r = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %w : tensor<1x6x6x2xf32>, tensor<2x2xf32>) outs(%f : tensor<1x3x3x2xf32>) -> tensor<1x3x3x2xf32>
  return %r : tensor<1x3x3x2xf32>
}
func.func @argmax(%a: tensor<4x9xf32>) -> (tensor<4xf32>, tensor<4xi32>) {
  %m = arith.constant 0xFF800000 : f32
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4xf32>
  %ei = tensor.empty() : tensor<4xi32>
  %f = linalg.fill ins(%m : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %fi = linalg.fill ins(%z : i32) outs(%ei : tensor<4xi32>) -> tensor<4xi32>
  %r:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
    ins(%a : tensor<4x9xf32>) outs(%f, %fi : tensor<4xf32>, tensor<4xi32>) {
  ^bb0(%in: f32, %best: f32, %at: i32):
    %j = linalg.index 1 : index
    %n = arith.index_cast %j : index to i32
    %c = arith.cmpf ogt, %in, %best : f32
    %b = arith.select %c, %in, %best : f32
    %t = arith.select %c, %n, %at : i32
    linalg.yield %b, %t : f32, i32
  } -> (tensor<4xf32>, tensor<4xi32>)
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xi32>
}
func.func @gather(%t: tensor<6x3xf32>, %i: tensor<4xi64>) -> tensor<4x3xf32> {
  %e = tensor.empty() : tensor<4x3xf32>
  %r = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
    ins(%i : tensor<4xi64>) outs(%e : tensor<4x3xf32>) {
  ^bb0(%in: i64, %out: f32):
    %n = arith.index_cast %in : i64 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %t[%n, %j] : tensor<6x3xf32>
    linalg.yield %v : f32
  } -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}
func.func @mask(%a: tensor<8xf32>, %b: tensor<8xf32>) -> (tensor<8xi1>, tensor<8xf32>) {
  %c = arith.cmpf olt, %a, %b : tensor<8xf32>
  %s = arith.select %c, %a, %b : tensor<8xi1>, tensor<8xf32>
  return %c, %s : tensor<8xi1>, tensor<8xf32>
}
func.func @casts(%a: tensor<8xf32>, %b: tensor<8xi8>) -> (tensor<8xi32>, tensor<8xf32>, tensor<8xi64>, tensor<8xi64>) {
  %0 = arith.fptosi %a : tensor<8xf32> to tensor<8xi32>
  %1 = arith.uitofp %b : tensor<8xi8> to tensor<8xf32>
  %2 = arith.extsi %b : tensor<8xi8> to tensor<8xi64>
  %3 = arith.extui %b : tensor<8xi8> to tensor<8xi64>
  return %0, %1, %2, %3 : tensor<8xi32>, tensor<8xf32>, tensor<8xi64>, tensor<8xi64>
}
func.func @integers(%a: tensor<8xi32>, %b: tensor<8xi32>) -> (tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>) {
  %0 = arith.divsi %a, %b : tensor<8xi32>
  %1 = arith.remsi %a, %b : tensor<8xi32>
  %2 = arith.divui %a, %b : tensor<8xi32>
  %c = arith.constant dense<3> : tensor<8xi32>
  %3 = arith.shrsi %a, %c : tensor<8xi32>
  return %0, %1, %2, %3 : tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>
}
func.func @half(%a: tensor<8xf16>, %b: tensor<8xf16>) -> tensor<8xf16> {
  %0 = arith.mulf %a, %b : tensor<8xf16>
  %1 = arith.addf %0, %a : tensor<8xf16>
  %2 = arith.divf %1, %b : tensor<8xf16>
  return %2 : tensor<8xf16>
}
func.func @math(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %0 = math.exp %a : tensor<8xf32>
  %1 = math.erf %a : tensor<8xf32>
  %2 = math.tanh %a : tensor<8xf32>
  return %0, %1, %2 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
func.func @pad(%a: tensor<3x4xf32>) -> tensor<5x7xf32> {
  %z = arith.constant 7.5 : f32
  %r = tensor.pad %a low[1, 2] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<3x4xf32> to tensor<5x7xf32>
  return %r : tensor<5x7xf32>
}
func.func @slices(%a: tensor<6x8xf32>, %p: tensor<2x3xf32>) -> (tensor<3x2xf32>, tensor<6x8xf32>, tensor<8x6xf32>) {
  %0 = tensor.extract_slice %a[1, 2] [3, 2] [2, 3] : tensor<6x8xf32> to tensor<3x2xf32>
  %1 = tensor.insert_slice %p into %a[1, 2] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<6x8xf32>
  %e = tensor.empty() : tensor<8x6xf32>
  %2 = linalg.transpose ins(%a : tensor<6x8xf32>) outs(%e : tensor<8x6xf32>) permutation = [1, 0]
  return %0, %1, %2 : tensor<3x2xf32>, tensor<6x8xf32>, tensor<8x6xf32>
}
func.func @dynamic(%a: tensor<?x?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %a, %c0 : tensor<?x?xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty(%d) : tensor<?xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
    ins(%a : tensor<?x?xf32>) outs(%f : tensor<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.mulf %in, %in : f32
    %t = arith.addf %out, %s : f32
    linalg.yield %t : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func @loop(%n: i32, %a: tensor<4xf32>) -> (tensor<4xf32>, i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.while (%i = %c0, %v = %a) : (i32, tensor<4xf32>) -> (i32, tensor<4xf32>) {
    %m = arith.cmpi slt, %i, %n : i32
    scf.condition(%m) %i, %v : i32, tensor<4xf32>
  } do {
  ^bb0(%i: i32, %v: tensor<4xf32>):
    %w = arith.addf %v, %a : tensor<4xf32>
    %j = arith.addi %i, %c1 : i32
    scf.yield %j, %w : i32, tensor<4xf32>
  }
  return %r#1, %r#0 : tensor<4xf32>, i32
}
func.func @scan(%a: tensor<3x6xf32>) -> tensor<3x6xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x6xf32>
  %i = tensor.empty() : tensor<3xf32>
  %f = linalg.fill ins(%z : f32) outs(%i : tensor<3xf32>) -> tensor<3xf32>
  %r:2 = iree_linalg_ext.scan dimension(1) inclusive(true) ins(%a : tensor<3x6xf32>) outs(%e, %f : tensor<3x6xf32>, tensor<3xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    iree_linalg_ext.yield %s : f32
  } -> tensor<3x6xf32>, tensor<3xf32>
  return %r#0 : tensor<3x6xf32>
}
func.func @exclusive(%a: tensor<3x6xi32>) -> (tensor<3x6xi32>, tensor<6xi32>) {
  %z = arith.constant 1 : i32
  %e = tensor.empty() : tensor<3x6xi32>
  %i = tensor.empty() : tensor<6xi32>
  %f = linalg.fill ins(%z : i32) outs(%i : tensor<6xi32>) -> tensor<6xi32>
  %r:2 = iree_linalg_ext.scan dimension(0) inclusive(false) ins(%a : tensor<3x6xi32>) outs(%e, %f : tensor<3x6xi32>, tensor<6xi32>) {
  ^bb0(%x: i32, %y: i32):
    %s = arith.muli %x, %y : i32
    iree_linalg_ext.yield %s : i32
  } -> tensor<3x6xi32>, tensor<6xi32>
  return %r#0, %r#1 : tensor<3x6xi32>, tensor<6xi32>
}
func.func @sort(%a: tensor<3x9xf32>, %b: tensor<3x9xi32>) -> (tensor<3x9xf32>, tensor<3x9xi32>) {
  %r:2 = iree_linalg_ext.sort dimension(1) outs(%a, %b : tensor<3x9xf32>, tensor<3x9xi32>) {
  ^bb0(%x: f32, %y: f32, %u: i32, %v: i32):
    %s = arith.cmpf olt, %x, %y : f32
    iree_linalg_ext.yield %s : i1
  } -> tensor<3x9xf32>, tensor<3x9xi32>
  return %r#0, %r#1 : tensor<3x9xf32>, tensor<3x9xi32>
}
func.func @topk(%a: tensor<3x9xf32>) -> (tensor<3x4xf32>, tensor<3x4xi32>) {
  %m = arith.constant 0xFF800000 : f32
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<3x4xf32>
  %ei = tensor.empty() : tensor<3x4xi32>
  %f = linalg.fill ins(%m : f32) outs(%e : tensor<3x4xf32>) -> tensor<3x4xf32>
  %fi = linalg.fill ins(%z : i32) outs(%ei : tensor<3x4xi32>) -> tensor<3x4xi32>
  %r:2 = iree_linalg_ext.topk dimension(1) ins(%a : tensor<3x9xf32>) outs(%f, %fi : tensor<3x4xf32>, tensor<3x4xi32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.cmpf ogt, %x, %y : f32
    iree_linalg_ext.yield %s : i1
  } -> tensor<3x4xf32>, tensor<3x4xi32>
  return %r#0, %r#1 : tensor<3x4xf32>, tensor<3x4xi32>
}
