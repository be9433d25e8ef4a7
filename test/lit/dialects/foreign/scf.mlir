// RUN: ROUNDTRIP
// RUN: GENERIC_ROUNDTRIP

// Bounds and steps that are not the usual ones; a body that shares nothing.
// CHECK-LABEL: func.func @forall
func.func @forall(%n: index) {
  // CHECK: scf.forall (%x, %y) = (0, 1) to (%n, 8) step (1, %n) {
  scf.forall (%x, %y) = (0, 1) to (%n, 8) step (1, %n) {
  // CHECK: } {mapping = []}
  } {mapping = []}
  func.return
}

// Attributes after the region of an op that xDSL reads without them.
// CHECK-LABEL: func.func @execute_region
func.func @execute_region(%f: f32) {
  // CHECK: scf.execute_region -> f32 {
  %0 = scf.execute_region -> f32 {
    scf.yield %f : f32
  // CHECK: } {tag}
  } {tag}
  // CHECK: scf.execute_region -> (f32, f32) {
  %1, %2 = scf.execute_region -> (f32, f32) {
    scf.yield %f, %f : f32, f32
  }
  func.return
}

// Cases whose end is left out, as stock IREE prints them and cannot read; it is written out.
// CHECK-LABEL: func.func @index_switch
func.func @index_switch(%i: index) {
  // CHECK: scf.index_switch %i {tag}
  scf.index_switch %i {tag}
  // CHECK: case 2 {
  case 2 {
  // CHECK: scf.yield
  }
  // CHECK: default {
  default {
  }
  func.return
}

// A region that ends with an op that nobody knows, and whose `scf.yield` is left out.
// CHECK-LABEL: func.func @if
func.func @if(%c: i1) {
  // CHECK: scf.if %c {
  // CHECK-NEXT: "test.op"() : () -> ()
  // CHECK-NEXT: }
  scf.if %c {
    "test.op"() : () -> ()
  }
  func.return
}

// A single result type needs no parentheses.
// CHECK-LABEL: @one_result
func.func @one_result(%c: i1, %n: index, %x: i32) -> i32 {
  // CHECK: scf.if %c -> (i32) {
  %0 = scf.if %c -> i32 {
    scf.yield %x : i32
  } else {
    scf.yield %x : i32
  }
  // CHECK: scf.for %{{.+}} = %n to %n step %n iter_args(%{{.+}} = %{{.+}}) -> (i32) {
  %1 = scf.for %i = %n to %n step %n iter_args(%y = %0) -> i32 {
    scf.yield %y : i32
  // CHECK: } {kept}
  } {kept}
  return %1 : i32
}
