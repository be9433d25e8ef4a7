// RUN: ROUNDTRIP
// RUN: GENERIC_ROUNDTRIP

// A tensor of elements that a region computes, and a part given to a shared tensor by each thread.
// CHECK-LABEL: func.func @regions
func.func @regions(%n: index, %f: f32, %t: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: tensor.generate %n {
  %0 = tensor.generate %n {
  // CHECK: ^{{.*}}(%i: index, %j: index):
  ^bb0(%i: index, %j: index):
    tensor.yield %f : f32
  // CHECK: } {tag} : tensor<?x4xf32>
  } {tag} : tensor<?x4xf32>
  // CHECK: scf.forall (%x) in (4) shared_outs(%o = %t) -> (tensor<4xf32>) {
  %1 = scf.forall (%x) in (4) shared_outs(%o = %t) -> (tensor<4xf32>) {
    %s = tensor.extract_slice %t[%x] [1] [1] : tensor<4xf32> to tensor<1xf32>
    // CHECK: scf.forall.in_parallel {
    scf.forall.in_parallel {
      // CHECK: tensor.parallel_insert_slice %s into %o[%x] [1] [1] : tensor<1xf32> into tensor<4xf32>
      tensor.parallel_insert_slice %s into %o[%x] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  // CHECK: } {tag}
  } {tag}
  func.return %1 : tensor<4xf32>
}
