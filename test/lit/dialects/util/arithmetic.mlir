// RUN: ROUNDTRIP
// RUN: GENERIC_ROUNDTRIP

// Reductions over any number of values of one type.
// CHECK-LABEL: util.func public @range_reductions(%a: index, %b: index, %c: i32) {
util.func public @range_reductions(%a: index, %b: index, %c: i32) {
  // CHECK: util.range.min %a, %b : index
  %min = util.range.min %a, %b : index
  // CHECK: util.range.max %a, %b, %a : index
  %max = util.range.max %a, %b, %a : index
  // CHECK: util.range.max %c : i32
  %one = util.range.max %c : i32
  util.return
}

// Two results from pairs of offset and length.
// CHECK-LABEL: util.func public @range_extents(%a: index, %b: index) {
util.func public @range_extents(%a: index, %b: index) {
  // CHECK: util.range.extents [%a for %b], [%b for %b] : index
  %min, %max = util.range.extents [%a for %b], [%b for %b] : index
  util.return
}

// Alignment of plain numbers and of each element of a vector.
// CHECK-LABEL: util.func public @align(%a: index, %b: i64, %v: vector<4xi32>) {
util.func public @align(%a: index, %b: i64, %v: vector<4xi32>) {
  // CHECK: util.align %a, %a : index
  %0 = util.align %a, %a : index
  // CHECK: util.align %b, %b : i64
  %1 = util.align %b, %b : i64
  // CHECK: util.align %v, %v : vector<4xi32>
  %2 = util.align %v, %v : vector<4xi32>
  util.return
}

// A size that is known once the target is.
// CHECK-LABEL: util.func public @sizeof() {
util.func public @sizeof() {
  // CHECK: util.sizeof tensor<4xf32>
  %size = util.sizeof tensor<4xf32>
  // CHECK: util.sizeof i8 attributes {tag}
  %tagged = util.sizeof i8 attributes {tag}
  util.return
}

// A table of results, which may be empty.
// CHECK-LABEL: util.func public @switch(%i: index, %d: f32, %v: f32) {
util.func public @switch(%i: index, %d: f32, %v: f32) {
  // CHECK: util.switch f32 from [%v, %d] at %i else %d : f32
  %0 = util.switch f32 from [%v, %d] at %i else %d : f32
  // CHECK: util.switch f32 from [] at %i else %d {tag} : f32
  %1 = util.switch f32 from [] at %i else %d {tag} : f32
  util.return
}
