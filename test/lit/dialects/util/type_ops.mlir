// RUN: ROUNDTRIP
// RUN: GENERIC_ROUNDTRIP

// Null references of types with and without parameters.
// CHECK-LABEL: util.func public @null() {
util.func public @null() {
  // CHECK: util.null : !util.buffer
  %0 = util.null : !util.buffer
  // CHECK: util.null {tag} : !util.list<i32>
  %1 = util.null {tag} : !util.list<i32>
  util.return
}

// Casts to and from opaque objects.
// CHECK-LABEL: util.func public @cast(%buffer: !util.buffer) {
util.func public @cast(%buffer: !util.buffer) {
  // CHECK: util.cast %buffer : !util.buffer to !util.object
  %object = util.cast %buffer : !util.buffer to !util.object
  // CHECK: util.cast %object : !util.object to !util.buffer
  %back = util.cast %object : !util.object to !util.buffer
  util.return
}

// Comparison by identity.
// CHECK-LABEL: util.func public @compare(%a: !util.buffer, %b: !util.buffer) {
util.func public @compare(%a: !util.buffer, %b: !util.buffer) {
  // CHECK: util.cmp.eq %a, %b : !util.buffer
  %eq = util.cmp.eq %a, %b : !util.buffer
  // CHECK: util.cmp.ne %a, %b : !util.buffer
  %ne = util.cmp.ne %a, %b : !util.buffer
  util.return
}

// Bounds are inherent attributes that the format names nowhere.
// CHECK-LABEL: util.func public @narrow(%a: i32, %t: tensor<4xf32>) {
util.func public @narrow(%a: i32, %t: tensor<4xf32>) {
  // CHECK: util.numeric.optional_narrow %a : i32 as ui8 <min_value = 1 : ui8, max_value = 9 : ui8>
  %0 = util.numeric.optional_narrow %a : i32 as ui8 <min_value = 1 : ui8, max_value = 9 : ui8>
  // CHECK: util.numeric.optional_narrow %t : tensor<4xf32> as si8 {tag}
  %1 = util.numeric.optional_narrow %t : tensor<4xf32> as si8 {tag}
  util.return
}
