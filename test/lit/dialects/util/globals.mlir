// RUN: ROUNDTRIP
// RUN: GENERIC_ROUNDTRIP

// Values that state the type, values of another type, and no value.
// CHECK-LABEL: builtin.module @declarations {
builtin.module @declarations {
  // CHECK: util.global public @none : tensor<?xf32>
  util.global public @none : tensor<?xf32>
  // CHECK: util.global private @typed = 4 : i32
  util.global private @typed = 4 : i32
  // CHECK: util.global private mutable @other : tensor<?xf32> = dense<1.000000e+00> : tensor<4xf32>
  util.global private mutable @other : tensor<?xf32> = dense<1.000000e+00> : tensor<4xf32>
  // CHECK: util.global private @policy <inlining_policy = #util.inline.never> {tag} : i32
  util.global private @policy <inlining_policy = #util.inline.never> {tag} : i32
  // CHECK: util.global nested @null = #util.null : !util.buffer
  util.global nested @null = #util.null : !util.buffer
}

// -----

// Direct and indirect access.
// CHECK-LABEL: builtin.module @access {
builtin.module @access {
  // CHECK: util.global private mutable @state : i32
  util.global private mutable @state : i32
  // CHECK: util.global private @constant = 1 : i32
  util.global private @constant = 1 : i32
  // CHECK: util.initializer {
  util.initializer {
    // CHECK: util.global.load immutable @constant : i32
    %0 = util.global.load immutable @constant : i32
    // CHECK: util.global.store %0, @state : i32
    util.global.store %0, @state : i32
    util.return
  }
  // CHECK: util.func private @f(%v: i32) {
  util.func private @f(%v: i32) {
    // CHECK: util.global.load @state {tag} : i32
    %0 = util.global.load @state {tag} : i32
    // CHECK: util.global.address @state : !util.ptr<i32>
    %1 = util.global.address @state : !util.ptr<i32>
    // CHECK: util.global.address immutable @constant : !util.ptr<i32>
    %2 = util.global.address immutable @constant : !util.ptr<i32>
    // CHECK: util.global.load.indirect %1 : !util.ptr<i32> -> i32
    %3 = util.global.load.indirect %1 : !util.ptr<i32> -> i32
    // CHECK: util.global.load.indirect immutable %2 : !util.ptr<i32> -> i32
    %4 = util.global.load.indirect immutable %2 : !util.ptr<i32> -> i32
    // CHECK: util.global.store.indirect %v, %1 : i32 -> !util.ptr<i32>
    util.global.store.indirect %v, %1 : i32 -> !util.ptr<i32>
    util.return
  }
}
