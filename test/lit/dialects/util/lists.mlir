// RUN: ROUNDTRIP
// RUN: GENERIC_ROUNDTRIP

// Lists of one type, of any type, of lists.
// CHECK-LABEL: util.func public @create(%n: index) {
util.func public @create(%n: index) {
  // CHECK: util.list.create : !util.list<i32>
  %0 = util.list.create : !util.list<i32>
  // CHECK: util.list.create %n : !util.list<?>
  %1 = util.list.create %n : !util.list<?>
  // CHECK: util.list.create : !util.list<!util.list<tensor<4xf32>>>
  %2 = util.list.create : !util.list<!util.list<tensor<4xf32>>>
  util.return
}

// Values of several types in a list of any type.
// CHECK-LABEL: util.func public @construct(%a: i32, %b: !util.buffer) {
util.func public @construct(%a: i32, %b: !util.buffer) {
  // CHECK: util.list.construct [%a : i32, %b : !util.buffer] : !util.list<?>
  %0 = util.list.construct [%a : i32, %b : !util.buffer] : !util.list<?>
  // CHECK: util.list.construct [] : !util.list<i32>
  %1 = util.list.construct [] : !util.list<i32>
  util.return
}

// The element type stands in the type of the list unless it differs.
// CHECK-LABEL: util.func public @access(%list: !util.list<i32>, %any: !util.list<?>, %i: index, %v: i32) {
util.func public @access(%list: !util.list<i32>, %any: !util.list<?>, %i: index, %v: i32) {
  // CHECK: util.list.size %list : !util.list<i32>
  %size = util.list.size %list : !util.list<i32>
  // CHECK: util.list.resize %list, %size : !util.list<i32>
  util.list.resize %list, %size : !util.list<i32>
  // CHECK: util.list.get %list[%i] : !util.list<i32>
  %0 = util.list.get %list[%i] : !util.list<i32>
  // CHECK: util.list.get %any[%i] : !util.list<?> -> tensor<?xf32>
  %1 = util.list.get %any[%i] : !util.list<?> -> tensor<?xf32>
  // CHECK: util.list.set %list[%i], %v : !util.list<i32>
  util.list.set %list[%i], %v : !util.list<i32>
  // CHECK: util.list.set %any[%i], %v : i32 -> !util.list<?>
  util.list.set %any[%i], %v : i32 -> !util.list<?>
  util.return
}
