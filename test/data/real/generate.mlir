// Greedy decoding: embed a token, mix it into a state, take the likeliest token; %n times.
#id = affine_map<(i) -> (i)>
func.func @f(%first: i32, %n: index, %table: tensor<12x8xf32>, %mix: tensor<8x8xf32>) -> (tensor<16xi32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %zi = arith.constant 0 : i32
  %tokens = arith.constant dense<-1> : tensor<16xi32>
  %h0 = arith.constant dense<0.0> : tensor<8xf32>
  %e8 = tensor.empty() : tensor<8xf32>
  %e12 = tensor.empty() : tensor<12xf32>
  %ef = tensor.empty() : tensor<f32>
  %ei = tensor.empty() : tensor<i32>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %first, %out = %tokens, %h = %h0) -> (i32, tensor<16xi32>, tensor<8xf32>) {
    %at = arith.index_cast %t : i32 to index
    %row = tensor.extract_slice %table[%at, 0] [1, 8] [1, 1] : tensor<12x8xf32> to tensor<8xf32>
    %f8 = linalg.fill ins(%z : f32) outs(%e8 : tensor<8xf32>) -> tensor<8xf32>
    %m = linalg.matvec ins(%mix, %h : tensor<8x8xf32>, tensor<8xf32>) outs(%f8 : tensor<8xf32>) -> tensor<8xf32>
    %h1 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%m, %row : tensor<8xf32>, tensor<8xf32>) outs(%e8 : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %s = arith.addf %a, %b : f32
      %u = math.tanh %s : f32
      linalg.yield %u : f32
    } -> tensor<8xf32>
    %f12 = linalg.fill ins(%z : f32) outs(%e12 : tensor<12xf32>) -> tensor<12xf32>
    %logits = linalg.matvec ins(%table, %h1 : tensor<12x8xf32>, tensor<8xf32>) outs(%f12 : tensor<12xf32>) -> tensor<12xf32>
    %fv = linalg.fill ins(%low : f32) outs(%ef : tensor<f32>) -> tensor<f32>
    %fi = linalg.fill ins(%zi : i32) outs(%ei : tensor<i32>) -> tensor<i32>
    %best:2 = linalg.generic {indexing_maps = [#id, affine_map<(i) -> ()>, affine_map<(i) -> ()>], iterator_types = ["reduction"]} ins(%logits : tensor<12xf32>) outs(%fv, %fi : tensor<f32>, tensor<i32>) {
    ^bb0(%v: f32, %bv: f32, %bi: i32):
      %k = linalg.index 0 : index
      %ki = arith.index_cast %k : index to i32
      %c = arith.cmpf ogt, %v, %bv : f32
      %nv = arith.select %c, %v, %bv : f32
      %ni = arith.select %c, %ki, %bi : i32
      linalg.yield %nv, %ni : f32, i32
    } -> (tensor<f32>, tensor<i32>)
    %next = tensor.extract %best#1[] : tensor<i32>
    %one = tensor.expand_shape %best#1 [] output_shape [1] : tensor<i32> into tensor<1xi32>
    %out1 = tensor.insert_slice %one into %out[%i] [1] [1] : tensor<1xi32> into tensor<16xi32>
    scf.yield %next, %out1, %h1 : i32, tensor<16xi32>, tensor<8xf32>
  }
  return %r#1, %r#2 : tensor<16xi32>, tensor<8xf32>
}
