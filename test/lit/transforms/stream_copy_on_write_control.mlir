// RUN: zc-opt --split-input-file %s -p stream-materialize-copy-on-write | filecheck %s

// A loop that updates what it carries works in place from iteration to iteration; what comes in is
// the caller's, so a clone comes in instead, once (B01).
util.global private @a = #hal.device.target<"local"> : !hal.device
// CHECK-LABEL: util.func public @borrowed_init
util.func public @borrowed_init(%arg: !hal.buffer_view, %n: index) -> !hal.buffer_view {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  // CHECK: %[[IN:.+]] = stream.tensor.import
  %0 = stream.tensor.import on(#hal.device.affinity<@a>) %arg : !hal.buffer_view -> tensor<16xf32> in !stream.resource<external>{%c64}
  // CHECK: %[[X:.+]] = stream.async.cast on(#hal.device.affinity<@a>) %[[IN]]
  %1 = stream.async.cast on(#hal.device.affinity<@a>) %0 : !stream.resource<external>{%c64} -> !stream.resource<*>{%c64}
  // CHECK: %[[C:.+]] = stream.async.clone on(#hal.device.affinity<@a>) %[[X]]
  // CHECK: scf.for {{.+}} iter_args(%[[S:.+]] = %[[C]])
  %2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %1) -> (!stream.resource<*>) {
    // CHECK-NOT: stream.async.clone
    // CHECK: stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f(%[[S]][{{.+}}]) : (!stream.resource<*>{%c64}) -> %[[S]]{%c64}
    %3 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f(%s[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}) -> %s{%c64}
    scf.yield %3 : !stream.resource<*>
  }
  %4 = stream.async.cast on(#hal.device.affinity<@a>) %2 : !stream.resource<*>{%c64} -> !stream.resource<external>{%c64}
  %5 = stream.tensor.export on(#hal.device.affinity<@a>) %4 : tensor<16xf32> in !stream.resource<external>{%c64} -> !hal.buffer_view
  util.return %5 : !hal.buffer_view
}

// -----

// The twin: storage that nobody else needs is updated in place, and none is cloned.
util.global private @a = #hal.device.target<"local"> : !hal.device
// CHECK-LABEL: util.func public @given_init
util.func public @given_init(%arg: !hal.buffer_view, %n: index) -> !hal.buffer_view {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %0 = stream.tensor.import on(#hal.device.affinity<@a>) consume %arg : !hal.buffer_view -> tensor<16xf32> in !stream.resource<external>{%c64}
  // CHECK-NOT: stream.async.clone
  %2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %0) -> (!stream.resource<external>) {
    %3 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f(%s[%c0 to %c64 for %c64]) : (!stream.resource<external>{%c64}) -> %s{%c64}
    scf.yield %3 : !stream.resource<external>
  }
  %5 = stream.tensor.export on(#hal.device.affinity<@a>) %2 : tensor<16xf32> in !stream.resource<external>{%c64} -> !hal.buffer_view
  util.return %5 : !hal.buffer_view
}

// -----

// What goes in is still read behind the loop.
util.global private @a = #hal.device.target<"local"> : !hal.device
// CHECK-LABEL: util.func private @read_behind
util.func private @read_behind(%v: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  // CHECK: %[[X:.+]] = stream.async.splat
  %0 = stream.async.splat on(#hal.device.affinity<@a>) %v : i32 -> !stream.resource<*>{%c64}
  // CHECK-NEXT: %[[C:.+]] = stream.async.clone on(#hal.device.affinity<@a>) %[[X]]
  // CHECK-NEXT: scf.for {{.+}} iter_args(%{{.+}} = %[[C]])
  %2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %0) -> (!stream.resource<*>) {
    // CHECK-NEXT: stream.async.fill
    %3 = stream.async.fill on(#hal.device.affinity<@a>) %v, %s[%c0 to %c64 for %c64] : i32 -> %s as !stream.resource<*>{%c64}
    scf.yield %3 : !stream.resource<*>
  }
  // CHECK: stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f(%[[X]]
  %4 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f(%0[%c0 to %c64 for %c64], %2[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}, !stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
  util.optimization_barrier %4 : !stream.resource<*>
  util.return
}

// -----

// The loop carries two values that change places: they are two storages, and no clone is needed.
util.global private @a = #hal.device.target<"local"> : !hal.device
// CHECK-LABEL: util.func private @ping_pong
util.func private @ping_pong(%v: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %0 = stream.async.splat on(#hal.device.affinity<@a>) %v : i32 -> !stream.resource<*>{%c64}
  %1 = stream.async.splat on(#hal.device.affinity<@a>) %v : i32 -> !stream.resource<*>{%c64}
  // CHECK-NOT: stream.async.clone
  %2:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %0, %t = %1) -> (!stream.resource<*>, !stream.resource<*>) {
    %3 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f(%s[%c0 to %c64 for %c64], %t[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}, !stream.resource<*>{%c64}) -> %t{%c64}
    scf.yield %3, %s : !stream.resource<*>, !stream.resource<*>
  }
  %4:2 = util.optimization_barrier %2#0, %2#1 : !stream.resource<*>, !stream.resource<*>
  util.return
}

// -----

// One value goes in under two names: only one of them may have its storage.
util.global private @a = #hal.device.target<"local"> : !hal.device
// CHECK-LABEL: util.func private @one_as_two
util.func private @one_as_two(%v: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  // CHECK: %[[X:.+]] = stream.async.splat
  %0 = stream.async.splat on(#hal.device.affinity<@a>) %v : i32 -> !stream.resource<*>{%c64}
  // CHECK-NEXT: %[[C:.+]] = stream.async.clone on(#hal.device.affinity<@a>) %[[X]]
  // CHECK-NEXT: scf.for {{.+}} iter_args(%{{.+}} = %[[X]], %{{.+}} = %[[C]])
  %2:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %0, %t = %0) -> (!stream.resource<*>, !stream.resource<*>) {
    // CHECK-NOT: stream.async.clone
    %3 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f(%s[%c0 to %c64 for %c64], %t[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}, !stream.resource<*>{%c64}) -> %t{%c64}
    scf.yield %3, %s : !stream.resource<*>, !stream.resource<*>
  }
  %4:2 = util.optimization_barrier %2#0, %2#1 : !stream.resource<*>, !stream.resource<*>
  util.return
}

// -----

// A select may have given another name to what is updated; the name is read later.
util.global private @a = #hal.device.target<"local"> : !hal.device
// CHECK-LABEL: util.func private @selected
util.func private @selected(%v: i32, %c: i1) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %0 = stream.async.splat on(#hal.device.affinity<@a>) %v : i32 -> !stream.resource<*>{%c64}
  %1 = stream.async.splat on(#hal.device.affinity<@a>) %v : i32 -> !stream.resource<*>{%c64}
  // CHECK: %[[S:.+]] = arith.select
  %2 = arith.select %c, %0, %1 : !stream.resource<*>
  // CHECK: %[[C:.+]] = stream.async.clone
  // CHECK: stream.async.fill {{.+}}, %[[C]][
  %3 = stream.async.fill on(#hal.device.affinity<@a>) %v, %0[%c0 to %c64 for %c64] : i32 -> %0 as !stream.resource<*>{%c64}
  %4:2 = util.optimization_barrier %2, %3 : !stream.resource<*>, !stream.resource<*>
  util.return
}

// -----

// An argument is the caller's, unless a result is tied to it; what a call gives may be another's.
util.global private @a = #hal.device.target<"local"> : !hal.device
// CHECK-LABEL: util.func private @argument
util.func private @argument(%x: !stream.resource<*>, %v: i32) -> !stream.resource<*> {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  // CHECK: stream.async.clone
  %0 = stream.async.fill on(#hal.device.affinity<@a>) %v, %x[%c0 to %c64 for %c64] : i32 -> %x as !stream.resource<*>{%c64}
  util.return %0 : !stream.resource<*>
}
// CHECK-LABEL: util.func private @tied_argument
util.func private @tied_argument(%x: !stream.resource<*>, %v: i32) -> %x {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  // CHECK-NOT: stream.async.clone
  %0 = stream.async.fill on(#hal.device.affinity<@a>) %v, %x[%c0 to %c64 for %c64] : i32 -> %x as !stream.resource<*>{%c64}
  // CHECK: util.return
  util.return %0 : !stream.resource<*>
}
// CHECK-LABEL: util.func private @caller
util.func private @caller(%v: i32) -> !stream.resource<*> {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %0 = stream.async.splat on(#hal.device.affinity<@a>) %v : i32 -> !stream.resource<*>{%c64}
  // CHECK: %[[R:.+]] = util.call @argument
  %1 = util.call @argument(%0, %v) : (!stream.resource<*>, i32) -> !stream.resource<*>
  // CHECK: %[[C:.+]] = stream.async.clone on(#hal.device.affinity<@a>) %[[R]]
  // CHECK-NEXT: stream.async.fill {{.+}}, %[[C]][
  %2 = stream.async.fill on(#hal.device.affinity<@a>) %v, %1[%c0 to %c64 for %c64] : i32 -> %1 as !stream.resource<*>{%c64}
  util.return %2 : !stream.resource<*>
}

// -----

// The storage of a result keeps what was written to it; the write itself is in place.
util.global private @a = #hal.device.target<"local"> : !hal.device
// CHECK-LABEL: util.func private @result_storage
util.func private @result_storage(%out: !hal.buffer, %v: i32) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  // CHECK: %[[X:.+]] = stream.async.splat
  %0 = stream.async.splat on(#hal.device.affinity<@a>) %v : i32 -> !stream.resource<external>{%c64}
  // CHECK: %[[OUT:.+]] = stream.tensor.import
  %1 = stream.tensor.import on(#hal.device.affinity<@a>) consume %out : !hal.buffer -> tensor<16xf32> in !stream.resource<external>{%c64} attributes {stream.result_storage}
  // CHECK-NEXT: %[[Y:.+]] = stream.async.update on(#hal.device.affinity<@a>) %[[X]], %[[OUT]]
  %2 = stream.async.update on(#hal.device.affinity<@a>) %0, %1[%c0 to %c64] : !stream.resource<external>{%c64} -> %1 as !stream.resource<external>{%c64}
  // CHECK-NEXT: %[[C:.+]] = stream.async.clone on(#hal.device.affinity<@a>) %[[Y]]
  // CHECK-NEXT: stream.async.fill {{.+}}, %[[C]][
  %3 = stream.async.fill on(#hal.device.affinity<@a>) %v, %2[%c0 to %c64 for %c64] : i32 -> %2 as !stream.resource<external>{%c64}
  util.optimization_barrier %3 : !stream.resource<external>
  util.return
}

// -----

// Blocks: the way back of a loop needs no clone, the way in does.
util.global private @a = #hal.device.target<"local"> : !hal.device
// CHECK-LABEL: util.func private @blocks
util.func private @blocks(%v: i32, %c: i1) -> !stream.resource<*> {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  // CHECK: %[[X:.+]] = stream.async.splat
  %0 = stream.async.splat on(#hal.device.affinity<@a>) %v : i32 -> !stream.resource<*>{%c64}
  // CHECK-NEXT: %[[C:.+]] = stream.async.clone on(#hal.device.affinity<@a>) %[[X]]
  // CHECK-NEXT: cf.br ^{{.+}}(%[[C]]
  cf.br ^head(%0 : !stream.resource<*>)
^head(%s: !stream.resource<*>):
  // CHECK-NOT: stream.async.clone
  %1 = stream.async.fill on(#hal.device.affinity<@a>) %v, %s[%c0 to %c64 for %c64] : i32 -> %s as !stream.resource<*>{%c64}
  cf.cond_br %c, ^head(%1 : !stream.resource<*>), ^exit(%1 : !stream.resource<*>)
^exit(%r: !stream.resource<*>):
  // CHECK: stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f(%[[X]]
  %2 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f(%0[%c0 to %c64 for %c64], %r[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}, !stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
  util.return %2 : !stream.resource<*>
}

// -----

// The clone that a loop takes in is made where the argument lives.
// CHECK-LABEL: @entry_clone_of_argument
util.func public @entry_clone_of_argument(%arg: !stream.resource<*> {stream.affinity = #hal.device.affinity<@a>}) -> (!stream.resource<*>, !stream.resource<*>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  // CHECK: %[[CLONE:.+]] = stream.async.clone on(#hal.device.affinity<@a>) %arg
  // CHECK: scf.for {{.+}} iter_args(%{{.+}} = %[[CLONE]])
  %r = scf.for %i = %c0 to %c64 step %c1 iter_args(%x = %arg) -> (!stream.resource<*>) {
    %1 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@acc(%x[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}) -> %x{%c64}
    scf.yield %1 : !stream.resource<*>
  }
  %2 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f(%arg[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
  util.return %r, %2 : !stream.resource<*>, !stream.resource<*>
}

// -----

// Each iteration updates what lies outside, under a name that it gives it: it needs a clone in each
// (K2).
// CHECK-LABEL: @renamed_in_loop
// CHECK: scf.for
// CHECK-NEXT: %[[T:.+]] = stream.async.transfer
// CHECK-NEXT: %[[C:.+]] = stream.async.clone on(#hal.device.affinity<@a>) %[[T]]
// CHECK-NEXT: stream.async.fill {{.+}} -> %[[C]]
util.func private @renamed_in_loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %v = arith.constant 7 : i32
  %0 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f() : () -> !stream.resource<*>{%c64}
  scf.for %i = %c0 to %n step %c1 {
    %1 = stream.async.transfer %0 : !stream.resource<*>{%c64} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@a>) !stream.resource<*>{%c64} attributes {stream.transfer_kind = "alias"}
    %2 = stream.async.fill on(#hal.device.affinity<@a>) %v, %1[%c0 to %c1 for %c1] : i32 -> %1 as !stream.resource<*>{%c64}
    util.call @use(%2) : (!stream.resource<*>) -> ()
  }
  util.return
}

// The old contents are read in a later block, under a name that is given there (K2).
// CHECK-LABEL: @renamed_later
// CHECK: %[[V:.+]] = stream.async.dispatch
// CHECK-NEXT: %[[C:.+]] = stream.async.clone on(#hal.device.affinity<@a>) %[[V]]
// CHECK-NEXT: stream.async.fill {{.+}} -> %[[C]]
util.func private @renamed_later() -> !stream.resource<*> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %v = arith.constant 7 : i32
  %0 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f() : () -> !stream.resource<*>{%c64}
  %1 = stream.async.fill on(#hal.device.affinity<@a>) %v, %0[%c0 to %c1 for %c1] : i32 -> %0 as !stream.resource<*>{%c64}
  util.call @use(%1) : (!stream.resource<*>) -> ()
  cf.br ^bb1
^bb1:
  %2 = stream.async.transfer %0 : !stream.resource<*>{%c64} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@a>) !stream.resource<*>{%c64} attributes {stream.transfer_kind = "alias"}
  %3 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@r(%2[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
  util.return %3 : !stream.resource<*>
}
util.func private @use(!stream.resource<*>)

// -----

// A call that only reads is a reader like any other: what it took is updated in place afterwards,
// and so is what it gave, which is the caller's own (IR-46).
// CHECK-LABEL: @after_a_reader
// CHECK-NOT: stream.async.clone
// CHECK: util.return
util.func private @after_a_reader() -> (!stream.resource<*>, !stream.resource<*>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %v = arith.constant 7 : i32
  %0 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f() : () -> !stream.resource<*>{%c64}
  %1 = util.call @reads(%0) : (!stream.resource<*>) -> !stream.resource<*>
  %2 = stream.async.fill on(#hal.device.affinity<@a>) %v, %0[%c0 to %c1 for %c1] : i32 -> %0 as !stream.resource<*>{%c64}
  %3 = stream.async.fill on(#hal.device.affinity<@a>) %v, %1[%c0 to %c1 for %c1] : i32 -> %1 as !stream.resource<*>{%c64}
  util.return %2, %3 : !stream.resource<*>, !stream.resource<*>
}

// What a call may give back, or keep, is not the caller's to update.
// CHECK-LABEL: @after_one_that_gives_back
// CHECK: %[[X:.+]] = stream.async.dispatch
// CHECK: %[[C:.+]] = stream.async.clone on(#hal.device.affinity<@a>) %[[X]]
// CHECK-NEXT: stream.async.fill {{.+}} -> %[[C]]
util.func private @after_one_that_gives_back() -> (!stream.resource<*>, !stream.resource<*>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %v = arith.constant 7 : i32
  %0 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f() : () -> !stream.resource<*>{%c64}
  %1 = util.call @through(%0) : (!stream.resource<*>) -> !stream.resource<*>
  %2 = stream.async.fill on(#hal.device.affinity<@a>) %v, %0[%c0 to %c1 for %c1] : i32 -> %0 as !stream.resource<*>{%c64}
  util.return %1, %2 : !stream.resource<*>, !stream.resource<*>
}

// CHECK-LABEL: @after_one_that_keeps
// CHECK: stream.async.clone
util.func private @after_one_that_keeps() -> !stream.resource<*> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %v = arith.constant 7 : i32
  %0 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f() : () -> !stream.resource<*>{%c64}
  util.call @keeps(%0) : (!stream.resource<*>) -> ()
  %1 = stream.async.fill on(#hal.device.affinity<@a>) %v, %0[%c0 to %c1 for %c1] : i32 -> %0 as !stream.resource<*>{%c64}
  util.return %1 : !stream.resource<*>
}
util.global private mutable @kept : !stream.resource<*>
util.func private @reads(%x: !stream.resource<*>) -> !stream.resource<*> {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %0 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@g(%x[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
  util.return %0 : !stream.resource<*>
}
util.func private @through(%x: !stream.resource<*>) -> !stream.resource<*> {
  %c64 = arith.constant 64 : index
  %0 = stream.async.clone on(#hal.device.affinity<@a>) %x : !stream.resource<*>{%c64} -> !stream.resource<*>{%c64}
  util.return %0 : !stream.resource<*>
}
util.func private @keeps(%x: !stream.resource<*>) {
  util.global.store %x, @kept : !stream.resource<*>
  util.return
}
