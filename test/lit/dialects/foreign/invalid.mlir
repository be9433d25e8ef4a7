// RUN: INVALID

// A comparison of tensors that gives one bit.
func.func @f(%a: tensor<4xi32>) {
  %0 = "arith.cmpi"(%a, %a) <{predicate = 0 : i64}> : (tensor<4xi32>, tensor<4xi32>) -> i1
  // CHECK: error: 'arith.cmpi' op expected a result tensor<4xi1>, got i1
  func.return
}

// -----

// A predicate that there is not.
func.func @f(%a: i32) {
  %0 = arith.cmpi less, %a, %a : i32
  // CHECK: error: expected one of eq, ne, slt, sle, sgt, sge, ult, ule, ugt, uge
  func.return
}

// -----

// A condition for each of another number of elements.
func.func @f(%c: vector<2xi1>, %a: vector<4xi32>) {
  %0 = arith.select %c, %a, %a : vector<2xi1>, vector<4xi32>
  // CHECK: error: 'arith.select' op expected a condition i1 or vector<4xi1>, got vector<2xi1>
  func.return
}

// -----

// A cast to another shape.
func.func @f(%a: vector<4xi8>) {
  %0 = arith.extui %a : vector<4xi8> to vector<2xi32>
  // CHECK: error: 'arith.extui' op expected a cast between types of one shape, got vector<4xi8> to vector<2xi32>
  func.return
}

// -----

// An extension to a narrower type.
func.func @f(%a: i32) {
  %0 = arith.extui %a : i32 to i8
  // CHECK: error: 'arith.extui' op expected a wider type to cast to, got i32 to i8
  func.return
}

// -----

// A truncation to a wider type.
func.func @f(%a: f16) {
  %0 = arith.truncf %a : f16 to f32
  // CHECK: error: 'arith.truncf' op expected a narrower type to cast to, got f16 to f32
  func.return
}

// -----

// An index cast without an index.
func.func @f(%a: i32) {
  %0 = arith.index_castui %a : i32 to i64
  // CHECK: error: 'arith.index_castui' op expected index on one side of the cast, got i32 to i64
  func.return
}

// -----

// A call of a function of another type.
func.func @f(%f: (i32) -> i32) {
  %0 = "func.call_indirect"(%f) : ((i32) -> i32) -> i32
  // CHECK: error: 'func.call_indirect' op expected a call of (i32) -> i32, got () -> i32
  func.return
}

// -----

// A body that is not there under the name of one op.
func.func @f(%a: tensor<4xf32>) {
  %0 = linalg.map { my.op } ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>)
  // CHECK: error: unknown op 'my.op' as body; write the body out
  func.return
}

// -----

// A reduction of two inputs at once.
func.func @f(%a: tensor<4xf32>, %b: tensor<f32>) {
  %0, %1 = linalg.reduce ins(%a, %a : tensor<4xf32>, tensor<4xf32>) outs(%b, %b : tensor<f32>, tensor<f32>) dimensions = [0]
  // CHECK: error: expected a reduction of one input, got 2
  func.return
}

// -----

// Steps of another rank than the bounds.
func.func @f() {
  "scf.forall"() <{staticLowerBound = array<i64: 0>, staticUpperBound = array<i64: 4>, staticStep = array<i64: 1, 1>, operandSegmentSizes = array<i32: 0, 0, 0, 0>}> ({
  // CHECK: error: 'scf.forall' op expected 1 bounds and steps, got 2
  ^bb0(%i: index):
    scf.forall.in_parallel {
    }
  }) : () -> ()
  func.return
}

// -----

// A body that takes no index.
func.func @f() {
  "scf.forall"() <{staticLowerBound = array<i64: 0>, staticUpperBound = array<i64: 4>, staticStep = array<i64: 1>, operandSegmentSizes = array<i32: 0, 0, 0, 0>}> ({
  // CHECK: error: 'scf.forall' op expected a body that takes (index), got ()
    scf.forall.in_parallel {
    }
  }) : () -> ()
  func.return
}

// -----

// A body without an end.
func.func @f() {
  "scf.forall"() <{staticLowerBound = array<i64: 0>, staticUpperBound = array<i64: 4>, staticStep = array<i64: 1>, operandSegmentSizes = array<i32: 0, 0, 0, 0>}> ({
  // CHECK: error: 'scf.forall' op expected a body that ends with scf.forall.in_parallel
  ^bb0(%i: index):
    %0 = arith.constant 1 : i32
  }) : () -> ()
  func.return
}

// -----

// Another number of elements.
func.func @f(%a: vector<4xf32>) {
  %0 = vector.shape_cast %a : vector<4xf32> to vector<3xf32>
  // CHECK: error: 'vector.shape_cast' op expected as many elements of one type, got vector<4xf32> and vector<3xf32>
  func.return
}

// -----

// A number that no predicate or rounding mode has.

func.func @no_predicate(%a: i32) {
  // CHECK: error: 'arith.cmpi' op expected a number below 10 for one of eq, ne, slt, sle, sgt, sge, ult, ule, ugt, uge, got 10
  %0 = "arith.cmpi"(%a, %a) <{predicate = 10 : i64}> : (i32, i32) -> i1
  func.return
}

// -----

func.func @no_rounding_mode(%a: f32) {
  // CHECK: error: 'arith.truncf' op expected a number below 5 for one of to_nearest_even, downward, upward, toward_zero, to_nearest_away, got 7
  %0 = "arith.truncf"(%a) <{roundingmode = 7 : i32}> : (f32) -> f16
  func.return
}

// -----

// A generic op without its maps.
func.func @f(%a: tensor<4xf32>) {
  %0 = linalg.generic {iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) {
  // CHECK: error: expected indexing_maps in front of the operands
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<4xf32>
  func.return
}

// -----

// A kind of loop that there is not.
func.func @f(%a: tensor<4xf32>) {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["serial"]} ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) {
  // CHECK: error: expected iterator types among parallel, reduction, window, got serial
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<4xf32>
  func.return
}

// -----

// A contraction by maps has none of its own.
func.func @no_maps(%a: tensor<4x4xf32>) {
  // CHECK: error: expected 'indexing_maps = [...]' first
  %0 = linalg.contract ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) -> tensor<4x4xf32>
  func.return
}

// -----

// A tensor is no number to fill with.
func.func @fills_with_a_tensor(%a: tensor<4xf32>) {
  // CHECK: error: 'linalg.fill' op expected a number to fill with, got tensor<4xf32>
  %0 = linalg.fill ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  func.return
}
