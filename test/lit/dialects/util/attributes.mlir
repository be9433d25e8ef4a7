// RUN: ROUNDTRIP
// RUN: GENERIC_ROUNDTRIP

// Every attribute and type of the dialect, as attributes of ops.
// CHECK-LABEL: builtin.module @attributes {
builtin.module @attributes {
  // CHECK: "test.op"() {a = #util.int.assumption<umin = 1, udiv = 3>, b = #util.int.assumption<>} : () -> ()
  "test.op"() {a = #util.int.assumption<umin = 1, udiv = 3>, b = #util.int.assumption<>} : () -> ()
  // CHECK: "test.op"() {a = #util.byte_pattern<3>, b = #util.byte_pattern<3> : tensor<4xi8>} : () -> ()
  "test.op"() {a = #util.byte_pattern<3>, b = #util.byte_pattern<3> : tensor<4xi8>} : () -> ()
  // CHECK: "test.op"() {a = #util.byte_range<1, 2>} : () -> ()
  "test.op"() {a = #util.byte_range<1, 2>} : () -> ()
  // CHECK: "test.op"() {a = #util.composite<4xi8, [dense<1> : tensor<2xi8>, "ab"]>, b = #util.composite<0xi8, []>} : () -> ()
  "test.op"() {a = #util.composite<4xi8, [dense<1> : tensor<2xi8>, "ab"]>, b = #util.composite<0xi8, []>} : () -> ()
  // CHECK: "test.op"() {a = #util.inline.never, b = #util.inline.always} : () -> ()
  "test.op"() {a = #util.inline.never, b = #util.inline.always} : () -> ()
  // CHECK: "test.op"() {a = #util.null, b = #util.null : !util.buffer} : () -> ()
  "test.op"() {a = #util.null, b = #util.null : !util.buffer} : () -> ()
  // CHECK: "test.op"() {a = #util.uninitialized : tensor<4xi8>} : () -> ()
  "test.op"() {a = #util.uninitialized : tensor<4xi8>} : () -> ()
  // CHECK: "test.op"() {a = #util.preprocessing_pipeline<"builtin.module(cse)">} : () -> ()
  "test.op"() {a = #util.preprocessing_pipeline<"builtin.module(cse)">} : () -> ()
  // CHECK: "test.op"() {a = !util.list<?>, b = !util.list<i32>, c = !util.ptr<!util.buffer>} : () -> ()
  "test.op"() {a = !util.list<?>, b = !util.list<i32>, c = !util.ptr<!util.buffer>} : () -> ()
  // CHECK: "test.op"() {a = !util.buffer, b = !util.object, c = !util.unused, d = !util.variant} : () -> ()
  "test.op"() {a = !util.buffer, b = !util.object, c = !util.unused, d = !util.variant} : () -> ()
}

// -----

// Other spellings are read: ranges by their ends, members in any order, values with a last comma.
builtin.module @spellings {
  // CHECK: "test.op"() {a = #util.byte_range<1, 4>, b = #util.byte_range<2, 2>} : () -> ()
  "test.op"() {a = #util.byte_range<[1 to 5]>, b = #util.byte_range<(1 to 5)>} : () -> ()
  // CHECK: "test.op"() {a = #util.int.assumption<umin = 1, umax = 2>} : () -> ()
  "test.op"() {a = #util.int.assumption<umax = 2, umin = 1>} : () -> ()
  // CHECK: "test.op"() {a = #util.composite<1xi8, [dense<1> : tensor<1xi8>]>} : () -> ()
  "test.op"() {a = #util.composite<1xi8, [dense<1> : tensor<1xi8>,]>} : () -> ()
}
