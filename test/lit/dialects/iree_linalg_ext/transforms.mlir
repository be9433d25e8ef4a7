// RUN: ROUNDTRIP
// RUN: GENERIC_ROUNDTRIP

// Attention with and without a mask; its maps stand in front of other attributes.
// CHECK-LABEL: func.func @attention
func.func @attention(%q: tensor<2x8x16xf32>, %m: tensor<2x8x8xf32>, %s: f32) {
  // CHECK: iree_linalg_ext.attention <indexing_maps = [{{affine_map<\(d0, d1, d2, d3, d4\) -> \(d0, d1, d3\)>.*}}]> {tag} ins(%q, %q, %q, %s : tensor<2x8x16xf32>, tensor<2x8x16xf32>, tensor<2x8x16xf32>, f32) outs(%q : tensor<2x8x16xf32>) {
  %0 = iree_linalg_ext.attention <indexing_maps = [affine_map<(b, m, n, k, l) -> (b, m, k)>, affine_map<(b, m, n, k, l) -> (b, l, k)>, affine_map<(b, m, n, k, l) -> (b, l, n)>, affine_map<(b, m, n, k, l) -> ()>, affine_map<(b, m, n, k, l) -> (b, m, n)>]> {tag} ins(%q, %q, %q, %s : tensor<2x8x16xf32>, tensor<2x8x16xf32>, tensor<2x8x16xf32>, f32) outs(%q : tensor<2x8x16xf32>) {
  ^bb0(%2: f32):
    // CHECK: iree_linalg_ext.index 1 : index
    %3 = iree_linalg_ext.index 1 : index
    iree_linalg_ext.yield %2 : f32
  } -> tensor<2x8x16xf32>
  // CHECK: ins(%q, %q, %q, %s, %m : tensor<2x8x16xf32>, tensor<2x8x16xf32>, tensor<2x8x16xf32>, f32, tensor<2x8x8xf32>) outs(%q : tensor<2x8x16xf32>) {
  %1 = iree_linalg_ext.attention <indexing_maps = [affine_map<(b, m, n, k, l) -> (b, m, k)>, affine_map<(b, m, n, k, l) -> (b, l, k)>, affine_map<(b, m, n, k, l) -> (b, l, n)>, affine_map<(b, m, n, k, l) -> ()>, affine_map<(b, m, n, k, l) -> (b, m, l)>, affine_map<(b, m, n, k, l) -> (b, m, n)>], decomposition_config = {x}> ins(%q, %q, %q, %s, %m : tensor<2x8x16xf32>, tensor<2x8x16xf32>, tensor<2x8x16xf32>, f32, tensor<2x8x8xf32>) outs(%q : tensor<2x8x16xf32>) {
  ^bb0(%4: f32):
    iree_linalg_ext.yield %4 : f32
  } -> tensor<2x8x16xf32>
  func.return
}

// Stages of a Fourier transform, with and without their coefficients.
// CHECK-LABEL: func.func @fourier
func.func @fourier(%a: tensor<1x8xf32>, %c: tensor<2xf32>, %stage: index) {
  // CHECK: iree_linalg_ext.fft ins(%stage : index) outs(%a, %a : tensor<1x8xf32>, tensor<1x8xf32>) : tensor<1x8xf32>, tensor<1x8xf32>
  %0:2 = iree_linalg_ext.fft ins(%stage : index) outs(%a, %a : tensor<1x8xf32>, tensor<1x8xf32>) : tensor<1x8xf32>, tensor<1x8xf32>
  // CHECK: iree_linalg_ext.fft ins(%stage, %c, %c : index, tensor<2xf32>, tensor<2xf32>) outs(%a, %a : tensor<1x8xf32>, tensor<1x8xf32>) : tensor<1x8xf32>, tensor<1x8xf32>
  %1:2 = iree_linalg_ext.fft ins(%stage, %c, %c : index, tensor<2xf32>, tensor<2xf32>) outs(%a, %a : tensor<1x8xf32>, tensor<1x8xf32>) : tensor<1x8xf32>, tensor<1x8xf32>
  func.return
}

// The three steps of Winograd's convolution around its products.
// CHECK-LABEL: func.func @winograd
func.func @winograd(%i: tensor<1x6x6x2xf32>, %o: tensor<6x6x1x1x1x2xf32>, %r: tensor<1x4x4x2xf32>, %w: tensor<3x3x2x4xf32>, %f: tensor<6x6x2x4xf32>) {
  // CHECK: iree_linalg_ext.winograd.input_transform output_tile_size(4) kernel_size(3) image_dimensions([1, 2]) ins(%i : tensor<1x6x6x2xf32>) outs(%o : tensor<6x6x1x1x1x2xf32>) -> tensor<6x6x1x1x1x2xf32>
  %0 = iree_linalg_ext.winograd.input_transform output_tile_size(4) kernel_size(3) image_dimensions([1, 2]) ins(%i : tensor<1x6x6x2xf32>) outs(%o : tensor<6x6x1x1x1x2xf32>) -> tensor<6x6x1x1x1x2xf32>
  // CHECK: iree_linalg_ext.winograd.filter_transform output_tile_size(4) kernel_size(3) kernel_dimensions([0, 1]) ins(%w : tensor<3x3x2x4xf32>) outs(%f : tensor<6x6x2x4xf32>) -> tensor<6x6x2x4xf32>
  %1 = iree_linalg_ext.winograd.filter_transform output_tile_size(4) kernel_size(3) kernel_dimensions([0, 1]) ins(%w : tensor<3x3x2x4xf32>) outs(%f : tensor<6x6x2x4xf32>) -> tensor<6x6x2x4xf32>
  // CHECK: iree_linalg_ext.winograd.output_transform {tag} output_tile_size(4) kernel_size(3) image_dimensions([1, 2]) ins(%o : tensor<6x6x1x1x1x2xf32>) outs(%r : tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %2 = iree_linalg_ext.winograd.output_transform {tag} output_tile_size(4) kernel_size(3) image_dimensions([1, 2]) ins(%o : tensor<6x6x1x1x1x2xf32>) outs(%r : tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  func.return
}
