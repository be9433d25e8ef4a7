// RUN: ROUNDTRIP
// RUN: GENERIC_ROUNDTRIP

// Sums of products, of one and of several element types; the hidden body widens the factors.
// CHECK-LABEL: func.func @products
func.func @products(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>, %p: tensor<2x3x4xf16>, %q: tensor<2x4x5xf16>, %r: tensor<2x3x5xf32>, %v: tensor<8xf32>, %w: tensor<4xf32>, %s: tensor<f32>) {
  // CHECK: linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK: linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>] {tag} ins(%b, %b : tensor<8x4xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>] {tag} ins(%b, %b : tensor<8x4xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK: linalg.batch_matmul ins(%p, %q : tensor<2x3x4xf16>, tensor<2x4x5xf16>) outs(%r : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %2 = linalg.batch_matmul ins(%p, %q : tensor<2x3x4xf16>, tensor<2x4x5xf16>) outs(%r : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  // CHECK: linalg.matvec {tag} ins(%a, %v : tensor<4x8xf32>, tensor<8xf32>) outs(%w : tensor<4xf32>) -> tensor<4xf32>
  %3 = linalg.matvec {tag} ins(%a, %v : tensor<4x8xf32>, tensor<8xf32>) outs(%w : tensor<4xf32>) -> tensor<4xf32>
  // CHECK: linalg.vecmat ins(%v, %b : tensor<8xf32>, tensor<8x4xf32>) outs(%w : tensor<4xf32>) -> tensor<4xf32>
  %4 = linalg.vecmat ins(%v, %b : tensor<8xf32>, tensor<8x4xf32>) outs(%w : tensor<4xf32>) -> tensor<4xf32>
  // CHECK: linalg.dot ins(%v, %v : tensor<8xf32>, tensor<8xf32>) outs(%s : tensor<f32>) -> tensor<f32>
  %5 = linalg.dot ins(%v, %v : tensor<8xf32>, tensor<8xf32>) outs(%s : tensor<f32>) -> tensor<f32>
  func.return
}

// One product for each of a batch.
// CHECK-LABEL: func.func @batches
func.func @batches(%m: tensor<2x3x4xf32>, %n: tensor<2x4x3xf32>, %v: tensor<2x4xf32>, %o: tensor<2x3xf32>) {
  // CHECK: linalg.batch_matvec ins(%m, %v : tensor<2x3x4xf32>, tensor<2x4xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = linalg.batch_matvec ins(%m, %v : tensor<2x3x4xf32>, tensor<2x4xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: linalg.batch_vecmat ins(%v, %n : tensor<2x4xf32>, tensor<2x4x3xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = linalg.batch_vecmat ins(%v, %n : tensor<2x4xf32>, tensor<2x4x3xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return
}

// The body of an op in short form is written out.
// CHECK-LABEL: func.func @bodies
func.func @bodies(%a: tensor<4x8xf32>, %w: tensor<4xf32>) {
  // CHECK: linalg.reduce ins(%a : tensor<4x8xf32>) outs(%w : tensor<4xf32>) dimensions = [1] {tag} (%{{[0-9]+}}: f32, %{{[0-9]+}}: f32) {
  %0 = linalg.reduce { arith.addf } ins(%a : tensor<4x8xf32>) outs(%w : tensor<4xf32>) dimensions = [1] {tag}
  // CHECK: linalg.map ins(%a, %a : tensor<4x8xf32>, tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) (%x: f32, %y: f32, %z: f32) {
  %1 = linalg.map ins(%a, %a : tensor<4x8xf32>, tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) (%x: f32, %y: f32, %z: f32) {
    %2 = arith.subf %x, %y : f32
    linalg.yield %2 : f32
  }
  // CHECK: linalg.map ins(%a : tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) (%{{[0-9]+}}: f32, %{{[0-9]+}}: f32) {
  %3 = linalg.map { math.exp } ins(%a : tensor<4x8xf32>) outs(%a : tensor<4x8xf32>)
  // CHECK: linalg.softmax {tag} dimension(1) ins(%a : tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  %4 = linalg.softmax {tag} dimension(1) ins(%a : tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  func.return
}

// Integers are widened with their sign unless the op says otherwise.
// CHECK-LABEL: func.func @unsigned
func.func @unsigned(%a: tensor<4x8xi8>, %b: tensor<8x4xi8>, %c: tensor<4x4xi32>) {
  // CHECK: linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%a, %b : tensor<4x8xi8>, tensor<8x4xi8>) outs(%c : tensor<4x4xi32>) -> tensor<4x4xi32>
  %0 = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%a, %b : tensor<4x8xi8>, tensor<8x4xi8>) outs(%c : tensor<4x4xi32>) -> tensor<4x4xi32>
  func.return
}

// Two results of one generic op, with an attribute that is not its own.
// CHECK-LABEL: func.func @several
func.func @several(%a: tensor<4xf32>, %i: tensor<4xi32>) {
  // CHECK: %0, %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%a, %i : tensor<4xf32>, tensor<4xi32>) attrs =  {tag} {
  // CHECK: } -> (tensor<4xf32>, tensor<4xi32>)
  %0:2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%a, %i : tensor<4xf32>, tensor<4xi32>) attrs = {tag} {
  ^bb0(%x: f32, %o: f32, %p: i32):
    linalg.yield %x, %p : f32, i32
  } -> (tensor<4xf32>, tensor<4xi32>)
  func.return
}

// A product whose maps say all; the loops that the output lacks are summed over.
// CHECK-LABEL: func.func @contract
func.func @contract(%a: tensor<2x4x8xi8>, %b: tensor<8x5x2xi8>, %c: tensor<5x2x4xi32>) {
  // CHECK: linalg.contract indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d3, d2, d0)>, affine_map<(d0, d1, d2, d3) -> (d2, d0, d1)>] {tag, cast = #linalg.type_fn<cast_unsigned>} ins(%a, %b : tensor<2x4x8xi8>, tensor<8x5x2xi8>) outs(%c : tensor<5x2x4xi32>) -> tensor<5x2x4xi32>
  %0 = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (k, n, b)>, affine_map<(b, m, n, k) -> (n, b, m)>] {tag, cast = #linalg.type_fn<cast_unsigned>} ins(%a, %b : tensor<2x4x8xi8>, tensor<8x5x2xi8>) outs(%c : tensor<5x2x4xi32>) -> tensor<5x2x4xi32>
  func.return
}

// Tiles of static and of dynamic size.
// CHECK-LABEL: func.func @tiles
func.func @tiles(%a: tensor<7x9xf32>, %t: tensor<2x3x4x?xf32>, %n: index, %z: f32) {
  // CHECK: linalg.pack %a padding_value(%z : f32) outer_dims_perm = [0, 1] inner_dims_pos = [0, 1] inner_tiles = [4, %n] into %t {tag} : tensor<7x9xf32> -> tensor<2x3x4x?xf32>
  %0 = linalg.pack %a padding_value(%z : f32) outer_dims_perm = [0, 1] inner_dims_pos = [0, 1] inner_tiles = [4, %n] into %t {tag} : tensor<7x9xf32> -> tensor<2x3x4x?xf32>
  // CHECK: linalg.unpack %t inner_dims_pos = [0, 1] inner_tiles = [4, %n] into %a {tag} : tensor<2x3x4x?xf32> -> tensor<7x9xf32>
  %1 = linalg.unpack %t inner_dims_pos = [0, 1] inner_tiles = [4, %n] into %a {tag} : tensor<2x3x4x?xf32> -> tensor<7x9xf32>
  func.return
}

// Products of tiles and of batches that are summed; sums and fills of complex numbers.
// CHECK-LABEL: func.func @further_products
func.func @further_products(%a: tensor<2x3x4x2xf32>, %b: tensor<2x3x5x2xf32>, %c: tensor<2x2x4x5xf32>, %p: tensor<6x2x3x4x2xf32>, %q: tensor<6x2x3x5x2xf32>, %r: tensor<6x2x2x4x5xf32>, %m: tensor<2x3x4xf32>, %n: tensor<2x4x5xf32>, %o: tensor<3x5xf32>, %z: complex<f32>, %x: tensor<4x4xcomplex<f32>>) {
  // CHECK: linalg.mmt4d {tag} ins(%a, %b : tensor<2x3x4x2xf32>, tensor<2x3x5x2xf32>) outs(%c : tensor<2x2x4x5xf32>) -> tensor<2x2x4x5xf32>
  %0 = linalg.mmt4d {tag} ins(%a, %b : tensor<2x3x4x2xf32>, tensor<2x3x5x2xf32>) outs(%c : tensor<2x2x4x5xf32>) -> tensor<2x2x4x5xf32>
  // CHECK: linalg.batch_mmt4d ins(%p, %q : tensor<6x2x3x4x2xf32>, tensor<6x2x3x5x2xf32>) outs(%r : tensor<6x2x2x4x5xf32>) -> tensor<6x2x2x4x5xf32>
  %1 = linalg.batch_mmt4d ins(%p, %q : tensor<6x2x3x4x2xf32>, tensor<6x2x3x5x2xf32>) outs(%r : tensor<6x2x2x4x5xf32>) -> tensor<6x2x2x4x5xf32>
  // CHECK: linalg.batch_reduce_matmul ins(%m, %n : tensor<2x3x4xf32>, tensor<2x4x5xf32>) outs(%o : tensor<3x5xf32>) -> tensor<3x5xf32>
  %2 = linalg.batch_reduce_matmul ins(%m, %n : tensor<2x3x4xf32>, tensor<2x4x5xf32>) outs(%o : tensor<3x5xf32>) -> tensor<3x5xf32>
  // CHECK: linalg.fill {tag} ins(%z : complex<f32>) outs(%x : tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
  %3 = linalg.fill {tag} ins(%z : complex<f32>) outs(%x : tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
  // CHECK: linalg.matmul ins(%x, %x : tensor<4x4xcomplex<f32>>, tensor<4x4xcomplex<f32>>) outs(%x : tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
  %4 = linalg.matmul ins(%x, %x : tensor<4x4xcomplex<f32>>, tensor<4x4xcomplex<f32>>) outs(%x : tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
  func.return
}
