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

// A value that nothing defines.
// CHECK: zc_opt_errors.mlir:{{.*}}: error: values used but not defined: {{.}}%x{{.}}
func.func @undefined() -> i32 {
  func.return %x : i32
}

// -----

// A string without an end is found at once, however long it is.
// CHECK: zc_opt_errors.mlir:[[# @LINE + 1]]:14: error: end of file reached before closing string literal
"t.x"() {a = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
