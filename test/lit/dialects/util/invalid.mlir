// RUN: INVALID

// A cast of a number.
util.func public @f(%a: i32) {
  %0 = util.cast %a : i32 to !util.object
  // CHECK: error: 'util.cast' op expected an object to cast, got operand type i32; use arith for numbers
  util.return
}

// -----

// A cast between two types that both say what they are.
util.func public @f(%a: !util.buffer) {
  %0 = util.cast %a : !util.buffer to !util.list<i32>
  // CHECK: error: 'util.cast' op expected equal types or !util.object on one side, got !util.buffer to !util.list<i32>
  util.return
}

// -----

// A narrowed index: it has no width.
util.func public @f(%a: index) {
  %0 = util.numeric.optional_narrow %a : index as i8
  // CHECK: error: expected an integer, a float or a tensor of these
  util.return
}

// -----

// A list of numbers made of a buffer.
util.func public @f(%a: !util.buffer) {
  %0 = util.list.construct [%a : !util.buffer] : !util.list<i32>
  // CHECK: error: 'util.list.construct' op expected values of the list's type i32, got !util.buffer at index 0
  util.return
}

// -----

// A number read as another type.
util.func public @f(%list: !util.list<i32>, %i: index) {
  %0 = util.list.get %list[%i] : !util.list<i32> -> f32
  // CHECK: error: 'util.list.get' op expected to get the list's type i32, got f32
  util.return
}

// -----

// A number written as another type.
util.func public @f(%list: !util.list<i32>, %i: index, %v: f32) {
  util.list.set %list[%i], %v : f32 -> !util.list<i32>
  // CHECK: error: 'util.list.set' op expected to set the list's type i32, got f32
  util.return
}

// -----

// An element of what is no list.
util.func public @f(%list: !util.list<i32>, %i: index) {
  %0 = util.list.get %list[%i] : i32
  // CHECK: error: expected a type !util.list<…>, got i32
  util.return
}

// -----

// An element of what is no list, set.
util.func public @f(%list: !util.list<i32>, %i: index, %v: f32) {
  util.list.set %list[%i], %v : f32
  // CHECK: error: expected a type !util.list<…>, got f32
  util.return
}

// -----

// An alignment that is no power of two.
util.func public @f(%size: index) {
  %0 = util.buffer.alloc uninitialized <alignment = 48> : !util.buffer{%size}
  // CHECK: error: 'util.buffer.alloc' op expected a power of two as alignment, got 48
  util.return
}

// -----

// Contents that are no bytes.
util.func public @f() {
  %0 = util.buffer.constant : !util.buffer = 5 : i32
  // CHECK: error: 'util.buffer.constant' op expected elements, a string or an attribute with bytes, got 5 : i32
  util.return
}

// -----

// An inherent attribute the op does not have.
util.func public @f() {
  %0 = util.buffer.constant <size = 5> : !util.buffer = "a"
  // CHECK: error: expected one of alignment, mime_type, got size
  util.return
}

// -----

// More placeholders than arguments.
util.func public @f(%a: index) {
  %0 = util.string.format "{} {}"(%a) : (index) -> !util.buffer
  // CHECK: error: 'util.string.format' op expected as many arguments as placeholders name, 2, got 1
  util.return
}

// -----

// A brace that is neither doubled nor closed.
util.func public @f(%a: index) {
  %0 = util.string.format "{} {x}"(%a) : (index) -> !util.buffer
  // CHECK: error: 'util.string.format' op expected {}, {N}, {{[{][{]}} or }} in the format, got '{x}'
  util.return
}

// -----

// Placeholders by order and by number in one format.
util.func public @f(%a: index, %b: index) {
  %0 = util.string.format "{} {1}"(%a, %b) : (index, index) -> !util.buffer
  // CHECK: error: 'util.string.format' op expected either {} or {N} throughout the format, got '{} {1}'
  util.return
}

// -----

// A row of assumptions too many.
util.func public @f(%a: index) {
  %0 = "util.assume.int"(%a) <{assumptions = [[#util.int.assumption<umin = 1>], [#util.int.assumption<umin = 1>]]}> : (index) -> index
  // CHECK: error: 'util.assume.int' op expected a row of assumptions for each of 1 operands, got 2 rows
  util.return
}

// -----

// Rows of two and of three configurations.
util.func public @f(%a: index) {
  %0, %1 = util.assume.int %a[<umin = 1>, <umin = 2>], %a[<umin = 1>, <umin = 2>, <umin = 3>] : index, index
  // CHECK: error: 'util.assume.int' op expected rows of one assumption or of one common number, got [2, 3]
  util.return
}

// -----

// What is no assumption.
util.func public @f(%a: index) {
  %0 = util.assume.int %a[5 : i32] : index
  // CHECK: error: expected an assumption <umin = …, umax = …, udiv = …>, got 5 : i32
  util.return
}

// -----

// A member of an assumption twice.
util.func public @f(%a: index) {
  %0 = util.assume.int %a<umin = 1, umin = 2> : index
  // CHECK: error: expected each of umin, umax and udiv at most once, got umin
  util.return
}

// -----

// A conversion whose body takes another type.
util.func public @f(%a: i32) {
  %0 = "util.hoistable_conversion"(%a) <{tag = "a", inverseTag = "b"}> ({
  // CHECK: error: 'util.hoistable_conversion' op expected a body to take (i32), got (i64)
  ^bb0(%x: i64):
    util.return %x : i64
  }) : (i32) -> i64
  util.return
}

// -----

// A conversion whose body returns another type.
util.func public @f(%a: i32) {
  %0 = util.hoistable_conversion "a" inverts("b") (%x = %a) : (i32) -> i64 {
  // CHECK: error: 'util.hoistable_conversion' op expected a body to return (i64), got (i32)
    util.return %x : i32
  }
  util.return
}

// -----

// A constant without a type.
util.func public @f() {
  %0 = util.unfoldable_constant [1]
  // CHECK: error: expected a value with a type, got [1 : i64]
  util.return
}

// -----

// An initial value of another type.
builtin.module {
  util.global private @a : i32 = 1 : i64
  // CHECK: error: 'util.global' op expected an initial value of type i32 for @a, got i64
}

// -----

// An initial value that states no type.
builtin.module {
  util.global private @a = [1]
  // CHECK: error: expected a value with a type, got [1 : i64]
}

// -----

// A load of a global that nobody declares.
util.func public @f() {
  %0 = util.global.load @missing : i32
  // CHECK: error: 'util.global.load' op expected a declared global, got @missing; declare it
  util.return
}

// -----

// A load of a function.
util.func public @f() {
  %0 = util.global.load @f : i32
  // CHECK: error: 'util.global.load' op expected @f to be a util.global, got a util.func
  util.return
}

// -----

// A load as another type.
builtin.module {
  util.global private @a : i32
  util.func public @f() {
    %0 = util.global.load @a : i64
    // CHECK: error: 'util.global.load' op expected to load i32 from @a, got i64
    util.return
  }
}

// -----

// A load that claims a mutable global does not change.
builtin.module {
  util.global private mutable @a : i32
  util.func public @f() {
    %0 = util.global.load immutable @a : i32
    // CHECK: error: 'util.global.load' op expected an immutable global, got the mutable @a
    util.return
  }
}

// -----

// A store of another type.
builtin.module {
  util.global private mutable @a : i32
  util.func public @f(%v: i64) {
    util.global.store %v, @a : i64
    // CHECK: error: 'util.global.store' op expected to store i32 to @a, got i64
    util.return
  }
}

// -----

// A load through a pointer to another type.
util.func public @f(%p: !util.ptr<i32>) {
  %0 = util.global.load.indirect %p : !util.ptr<i32> -> i64
  // CHECK: error: 'util.global.load.indirect' op expected to access i32, got i64
  util.return
}

// -----

// A result tied to an argument that is not there.
"util.func"() <{sym_name = "f", sym_visibility = "private", function_type = (i32) -> i32, tied_operands = [1 : index]}> ({}) : () -> ()
// CHECK: error: 'util.func' op expected a tied operand within [0, 1) of the arguments, or -1, got 1

// -----

// A tie for only one of two results.
"util.func"() <{sym_name = "f", sym_visibility = "private", function_type = (i32) -> (i32, i32), tied_operands = [0 : index]}> ({}) : () -> ()
// CHECK: error: 'util.func' op expected 2 tied operands, one for each result, got 1

// -----

// A result tied to a name that is no argument.
util.func private @f(%a: i32) -> %b
// CHECK: error: expected a result to be tied to an argument, got %b

// -----

// A body that takes another type.
"util.func"() <{sym_name = "f", sym_visibility = "private", function_type = (i32) -> ()}> ({
// CHECK: error: 'util.func' op expected the entry block to take the arguments of (i32) -> (), got i64
^bb0(%a: i64):
  util.return
}) : () -> ()

// -----

// A declaration that all may see.
util.func public @f()
// CHECK: error: 'util.func' op expected a declaration to be private, got a public one

// -----

// A call of nobody.
util.func public @f() {
  util.call @missing() : () -> ()
  // CHECK: error: 'util.call' op expected a declared util.func as callee, got @missing
  util.return
}

// -----

// A call with another type.
util.func public @f(%a: i32) {
  util.call @f() : () -> ()
  // CHECK: error: 'util.call' op expected to call @f of type (i32) -> (), got () -> ()
  util.return
}

// -----

// A call that does not tie what the callee ties.
util.func private @g(%a: i32) -> %a
util.func public @f(%a: i32) {
  %0 = util.call @g(%a) : (i32) -> i32
  // CHECK: error: 'util.call' op expected results tied to [0] as in the callee, got []
  util.return
}

// -----

// A return of another type.
util.func public @f(%a: i32) -> i64 {
  util.return %a : i32
  // CHECK: error: 'util.return' op expected to return (i64), got (i32)
}

// -----

// A composite of another length.
"test.op"() {a = #util.composite<3xi8, [dense<1> : tensor<2xi8>]>} : () -> ()
// CHECK: error: expected #util.composite of 2 bytes, the sum of its values, got 3

// -----

// A composite of what is no bytes.
"test.op"() {a = #util.composite<4xi8, [1 : i32]>} : () -> ()
// CHECK: error: expected values that can be stored as bytes in #util.composite, got 1 : i32

// -----

// A composite whose length is not in bytes.
"test.op"() {a = #util.composite<3xi16, [dense<1> : tensor<3xi8>]>} : () -> ()
// CHECK: error: expected the length in bytes as BYTESxi8

// -----

// Fewer types than operands.
util.func public @f(%i: i32) {
  // CHECK: [[# @LINE + 1]]:{{.*}}: error: expected 1 operand types, got 0
  %0 = util.call @g(%i) : () -> i32
  util.return
}

// -----

// A visibility that MLIR does not know.
"util.func"() <{sym_name = "a", sym_visibility = "odd", function_type = () -> ()}> ({
  "util.return"() : () -> ()
}) : () -> ()
// CHECK: error: 'util.func' op expected public, private or nested as visibility, got "odd"
