// RUN: ROUNDTRIP
// RUN: GENERIC_ROUNDTRIP

// Attributes of the arguments and results of a declaration, which xDSL drops.
// CHECK: func.func private @declared(%arg0: i32 {a.b}, %arg1: tensor<4xf32>) -> (i32 {c.d = 1 : i32}) attributes {tag}
func.func private @declared(%arg0: i32 {a.b}, %arg1: tensor<4xf32>) -> (i32 {c.d = 1 : i32}) attributes {tag}

// Arguments without names.
// CHECK: func.func private @types(%arg0: i32) -> (i32, f32)
func.func private @types(i32) -> (i32, f32)

// A function as a value, and its call.
// CHECK-LABEL: func.func public @indirect(%a: i32 {a.b = 2 : i32}) -> i32
func.func public @indirect(%a: i32 {a.b = 2 : i32}) -> i32 {
  // CHECK: func.constant @indirect : (i32) -> i32
  %f = func.constant @indirect : (i32) -> i32
  // CHECK: func.call_indirect %f(%a) {tag} : (i32) -> i32
  %0 = func.call_indirect %f(%a) {tag} : (i32) -> i32
  func.return %0 : i32
}
