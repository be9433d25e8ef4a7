// RUN: ROUNDTRIP
// RUN: GENERIC_ROUNDTRIP

// Every attribute and type of the dialect, as attributes of ops.
// CHECK-LABEL: builtin.module @attributes {
builtin.module @attributes {
  // CHECK: "test.op"() {a = #flow.parameter.named<"key"> : tensor<4xf32>, b = #flow.parameter.named<"scope"::"key", {length = 16 : index}> : tensor<4xf32>} : () -> ()
  "test.op"() {a = #flow.parameter.named<"key"> : tensor<4xf32>, b = #flow.parameter.named<"scope"::"key", {length = 16 : index}> : tensor<4xf32>} : () -> ()
  // CHECK: "test.op"() {a = #flow.dummy, b = !flow.dummy, c = !flow.channel} : () -> ()
  "test.op"() {a = #flow.dummy, b = !flow.dummy, c = !flow.channel} : () -> ()
}
