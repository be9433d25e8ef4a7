// Every kind of bad input ends in one line and exit code 2.

// RUN: INVALID

// An op of an unknown dialect in custom syntax says what to do.
// CHECK: zc_opt_errors.mlir:[[# @LINE + 1]]:1: error: unknown op 'foo.bar' in custom syntax; print with --mlir-print-op-generic
foo.bar

// -----

// A block that ends too early is an error at its op.
// CHECK: zc_opt_errors.mlir:[[# @LINE + 1]]:1: error: 'func.func' op expected a terminator in its region, got an empty block
func.func @empty(%a: i32) {
}

// -----

// Something after an op that does not belong to it.
func.func @after() {
  // CHECK: zc_opt_errors.mlir:[[# @LINE + 1]]:31: error: expected an op, a block label or the end of the region
  %0 = arith.constant 1 : i32 42
  func.return
}

// -----

// A value that nothing defines.
// CHECK: zc_opt_errors.mlir:{{.*}}: error: values used but not defined: {{.}}%x{{.}}
func.func @undefined() -> i32 {
  func.return %x : i32
}

// -----

// A string without an end is found at once, however long it is.
// CHECK: zc_opt_errors.mlir:[[# @LINE + 1]]:14: error: end of file reached before closing string literal
"t.x"() {a = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa


// -----

// What xDSL's own readers do not expect is an error at the op.
// CHECK: zc_opt_errors.mlir:[[# @LINE + 1]]:1: error: xDSL cannot take this: {{.+}}
"t.x"() {a = affine_map<()[s0] -> (s0 * s0)>} : () -> ()

// -----

// A number that its type cannot hold.
// CHECK: zc_opt_errors.mlir:[[# @LINE + 1]]:1: error: integer value 99999999999999999999 is out of range for type i64
"t.x"() {a = 99999999999999999999 : i64} : () -> ()

// -----

// A value that is used before its definition.
func.func @early(%a: i32) {
  // CHECK: zc_opt_errors.mlir:[[# @LINE + 1]]:3: error: 'arith.addi' op operand #1 is used before it is defined; define it on every path to this use
  %0 = arith.addi %a, %1 : i32
  // CHECK-NEXT: zc_opt_errors.mlir:[[# @LINE + 1]]:3: note: it is defined here
  %1 = arith.addi %a, %a : i32
  func.return
}

// -----

// A number that xDSL cannot store.
func.func @far(%v: vector<2x4xf32>) {
  // CHECK: zc_opt_errors.mlir:[[# @LINE + 1]]:3: error: xDSL cannot take this: {{.+}}
  %0 = vector.transpose %v, [99999999999999999999, 0] : vector<2x4xf32> to vector<4x2xf32>
  func.return
}

// -----

// A symbol that is defined twice.
// CHECK: zc_opt_errors.mlir:[[# @LINE + 4]]:1: error: 'util.func' op defines the symbol @twice a second time; rename one of the two
// CHECK-NEXT: zc_opt_errors.mlir:[[# @LINE + 1]]:1: note: the first is here
util.func private @twice()
util.func private @other()
util.func private @twice()
