// RUN: zc-opt --split-input-file %s -p canonicalize | filecheck %s

// Aligned numbers, and values that are aligned already; another alignment stays.
// CHECK-LABEL: @align
util.func public @align(%a: index) -> (index, index, index, index) {
  %c1 = arith.constant 1 : index
  %c30 = arith.constant 30 : index
  %c64 = arith.constant 64 : index
  // CHECK-DAG: %[[N:.*]] = arith.constant 64 : index
  %0 = util.align %c30, %c64 : index
  // CHECK: %[[ONCE:.*]] = util.align %a, %c64
  %1 = util.align %a, %c64 : index
  // CHECK-NOT: util.align %[[ONCE]], %c64
  %2 = util.align %1, %c64 : index
  %3 = util.align %a, %c1 : index
  // CHECK: %[[OTHER:.*]] = util.align %[[ONCE]], %c30
  %4 = util.align %1, %c30 : index
  // CHECK: util.return %{{.*}}, %[[ONCE]], %a, %[[OTHER]]
  util.return %0, %2, %3, %4 : index, index, index, index
}

// -----

// Casts back and to the same type; a cast to a third type stays.
// CHECK-LABEL: @casts
util.func public @casts(%a: !util.buffer) -> (!util.buffer, !util.list<i32>) {
  // CHECK-NEXT: %[[O:.*]] = util.cast %a : !util.buffer to !util.object
  %0 = util.cast %a : !util.buffer to !util.object
  %1 = util.cast %0 : !util.object to !util.buffer
  // CHECK-NEXT: %[[L:.*]] = util.cast %[[O]] : !util.object to !util.list<i32>
  %2 = util.cast %0 : !util.object to !util.list<i32>
  // CHECK-NEXT: util.return %a, %[[L]]
  util.return %1, %2 : !util.buffer, !util.list<i32>
}

// -----

// A value compared with itself; two values stay.
// CHECK-LABEL: @comparisons
util.func public @comparisons(%a: !util.buffer, %b: !util.buffer) -> (i1, i1, i1) {
  // CHECK-DAG: %[[TRUE:.*]] = arith.constant true
  // CHECK-DAG: %[[FALSE:.*]] = arith.constant false
  %0 = util.cmp.eq %a, %a : !util.buffer
  %1 = util.cmp.ne %a, %a : !util.buffer
  // CHECK-DAG: %[[EQ:.*]] = util.cmp.eq %a, %b
  %2 = util.cmp.eq %a, %b : !util.buffer
  // CHECK: util.return %[[TRUE]], %[[FALSE]], %[[EQ]]
  util.return %0, %1, %2 : i1, i1, i1
}

// -----

// Ranges of known numbers and of one value; an unknown value stays.
// CHECK-LABEL: @ranges
util.func public @ranges(%a: index) -> (index, index, index) {
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  // CHECK-DAG: %[[FIVE:.*]] = arith.constant 5 : index
  %0 = util.range.max %c3, %c5 : index
  %1 = util.range.min %a, %a : index
  // CHECK-DAG: %[[MIN:.*]] = util.range.min %a, %{{.*}} : index
  %2 = util.range.min %a, %c3 : index
  // CHECK: util.return %{{.*}}, %a, %[[MIN]]
  util.return %0, %1, %2 : index, index, index
}

// -----

// Switches at known indices, inside and outside of the table; at an unknown index one stays.
// CHECK-LABEL: @switches
util.func public @switches(%i: index, %a: i32, %b: i32, %d: i32) -> (i32, i32, i32, i32) {
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %0 = util.switch i32 from [%a, %b] at %c1 else %d : i32
  %1 = util.switch i32 from [%a, %b] at %c7 else %d : i32
  %2 = util.switch i32 from [] at %i else %d : i32
  // CHECK: %[[S:.*]] = util.switch i32 from [%a, %b] at %i else %d : i32
  %3 = util.switch i32 from [%a, %b] at %i else %d : i32
  // CHECK-NEXT: util.return %b, %d, %d, %[[S]]
  util.return %0, %1, %2, %3 : i32, i32, i32, i32
}

// -----

// A load without a use goes.
// CHECK-LABEL: @loads
builtin.module @loads {
  util.global private @constant = 1 : i32
  util.func public @f() {
    // CHECK-NOT: @constant :
    %0 = util.global.load immutable @constant : i32
    // CHECK: util.return
    util.return
  }
}
