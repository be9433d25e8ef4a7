// RUN: ROUNDTRIP
// RUN: GENERIC_ROUNDTRIP

// Placeholders by order and by number, and braces that are none.
// CHECK-LABEL: util.func public @format(%a: index, %b: !util.buffer) {
util.func public @format(%a: index, %b: !util.buffer) {
  // CHECK: util.string.format "a={} b={}"(%a, %b) : (index, !util.buffer) -> !util.buffer
  %0 = util.string.format "a={} b={}"(%a, %b) : (index, !util.buffer) -> !util.buffer
  // CHECK: util.string.format "{1}{0}{1}{{[{][{]}}x"(%a, %b) {tag} : (index, !util.buffer) -> !util.buffer
  %1 = util.string.format "{1}{0}{1}{{x"(%a, %b) {tag} : (index, !util.buffer) -> !util.buffer
  // CHECK: util.string.format "plain"() : () -> !util.buffer
  %2 = util.string.format "plain"() : () -> !util.buffer
  util.return
}

// Digits of an integer.
// CHECK-LABEL: util.func public @itoa(%a: i32) {
util.func public @itoa(%a: i32) {
  // CHECK: util.string.itoa %a : i32 -> !util.buffer
  %0 = util.string.itoa %a : i32 -> !util.buffer
  util.return
}

// Checks with and without a message.
// CHECK-LABEL: util.func public @status(%s: i32) {
util.func public @status(%s: i32) {
  // CHECK: util.status.check_ok %s
  util.status.check_ok %s
  // CHECK: util.status.check_ok %s, "failed" {tag}
  util.status.check_ok %s, "failed" {tag}
  util.return
}
