// RUN: zc-opt --split-input-file %s -p stream-materialize-copy-on-write --remarks 2>%t.remarks | filecheck %s
// RUN: filecheck %s --check-prefix=REMARK --input-file=%t.remarks

// b updates what a still reads, through an alias: the update works on a clone (IR-46).
// CHECK-LABEL: @late_reader
util.func public @late_reader(%u: !stream.resource<*>, %n: index) -> !stream.resource<*> {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %0 = arith.constant 1 : i32
  %1 = stream.async.splat on(#hal.device.affinity<@a>) %0 : i32 -> !stream.resource<*>{%c64}
  // CHECK: %[[T:.+]] = stream.async.transfer
  %2 = stream.async.transfer %1 : !stream.resource<*>{%c64} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>) !stream.resource<*>{%c64}
  // CHECK: %[[C:.+]] = stream.async.clone on(#hal.device.affinity<@b>) %[[T]] : !stream.resource<*>{%c64} -> !stream.resource<*>{%c64}
  // CHECK: stream.async.update on(#hal.device.affinity<@b>) %u, %[[C]][%c0 to %n] : !stream.resource<*>{%n} -> %[[C]] as !stream.resource<*>{%c64}
  %3 = stream.async.update on(#hal.device.affinity<@b>) %u, %2[%c0 to %n] : !stream.resource<*>{%n} -> %2 as !stream.resource<*>{%c64}
  %4 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@h(%1[%c0 to %c64 for %c64], %3[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}, !stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
  util.return %4 : !stream.resource<*>
}

// -----

// The reader comes first in the text, so that it is ordered before the update: no clone (IR-47).
// CHECK-LABEL: @early_reader
// CHECK-NOT: stream.async.clone
util.func public @early_reader(%u: !stream.resource<*>, %n: index) -> (!stream.resource<*>, !stream.resource<*>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %0 = arith.constant 1 : i32
  %1 = stream.async.splat on(#hal.device.affinity<@a>) %0 : i32 -> !stream.resource<*>{%c64}
  %2 = stream.async.transfer %1 : !stream.resource<*>{%c64} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>) !stream.resource<*>{%c64}
  %3 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@h(%1[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
  %4 = stream.async.update on(#hal.device.affinity<@b>) %u, %2[%c0 to %n] : !stream.resource<*>{%n} -> %2 as !stream.resource<*>{%c64}
  util.return %3, %4 : !stream.resource<*>, !stream.resource<*>
}

// -----

// A copy has storage of its own: no clone.
// CHECK-LABEL: @copied
// CHECK-NOT: stream.async.clone
util.func public @copied(%u: !stream.resource<*>, %n: index) -> (!stream.resource<*>, !stream.resource<*>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %0 = arith.constant 1 : i32
  %1 = stream.async.splat on(#hal.device.affinity<@a>) %0 : i32 -> !stream.resource<*>{%c64}
  %2 = stream.async.transfer %1 : !stream.resource<*>{%c64} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>) !stream.resource<*>{%c64} attributes {stream.transfer_kind = "copy"}
  %3 = stream.async.update on(#hal.device.affinity<@b>) %u, %2[%c0 to %n] : !stream.resource<*>{%n} -> %2 as !stream.resource<*>{%c64}
  util.return %1, %3 : !stream.resource<*>, !stream.resource<*>
}

// -----

// Storage that the caller did not give away is never written (case of a borrowed import).
// CHECK-LABEL: @borrowed
util.func public @borrowed(%x: !hal.buffer_view) -> !stream.resource<*> {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %0 = stream.tensor.import on(#hal.device.affinity<@a>) %x : !hal.buffer_view -> tensor<16xf32> in !stream.resource<external>{%c64}
  %1 = stream.async.cast on(#hal.device.affinity<@a>) %0 : !stream.resource<external>{%c64} -> !stream.resource<*>{%c64}
  // CHECK: %[[C:.+]] = stream.async.clone
  // CHECK: stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@acc(%[[C]][%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}) -> %[[C]]{%c64}
  %2 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@acc(%1[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}) -> %1{%c64}
  util.return %2 : !stream.resource<*>
}

// -----

// Storage given away with `consume` is the program's own: no clone.
// CHECK-LABEL: @consumed
// CHECK-NOT: stream.async.clone
util.func public @consumed(%x: !hal.buffer_view) -> !stream.resource<*> {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %0 = stream.tensor.import on(#hal.device.affinity<@a>) consume %x : !hal.buffer_view -> tensor<16xf32> in !stream.resource<external>{%c64}
  %1 = stream.async.cast on(#hal.device.affinity<@a>) %0 : !stream.resource<external>{%c64} -> !stream.resource<*>{%c64}
  %2 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@acc(%1[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}) -> %1{%c64}
  util.return %2 : !stream.resource<*>
}

// -----

// The op takes the value twice: one clone serves both operands; were it dead after, none.
// CHECK-LABEL: @twice
util.func public @twice() -> (!stream.resource<*>, !stream.resource<*>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %0 = arith.constant 1 : i32
  // CHECK: %[[S:.+]] = stream.async.splat
  %1 = stream.async.splat on(#hal.device.affinity<@a>) %0 : i32 -> !stream.resource<*>{%c64}
  // CHECK-NEXT: %[[C:.+]] = stream.async.clone on(#hal.device.affinity<@a>) %[[S]]
  // CHECK-NEXT: stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@acc(%[[C]][%c0 to %c64 for %c64], %[[C]][%c0 to %c64 for %c64])
  %2 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@acc(%1[%c0 to %c64 for %c64], %1[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}, !stream.resource<*>{%c64}) -> %1{%c64}
  util.return %1, %2 : !stream.resource<*>, !stream.resource<*>
}

// -----

// CHECK-LABEL: @twice_dead
// CHECK-NOT: stream.async.clone
util.func public @twice_dead() -> !stream.resource<*> {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %0 = arith.constant 1 : i32
  %1 = stream.async.splat on(#hal.device.affinity<@a>) %0 : i32 -> !stream.resource<*>{%c64}
  %2 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@acc(%1[%c0 to %c64 for %c64], %1[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}, !stream.resource<*>{%c64}) -> %1{%c64}
  util.return %2 : !stream.resource<*>
}

// -----

// The reader on a does not need what b writes, so that b writes after it: no clone, and a remark
// (IR-47). The order of the ops is what scheduling keeps.
// CHECK-LABEL: @reordered
// CHECK-NOT: stream.async.clone
// REMARK: remark: updated in place after the readers of its old contents ({{.+}}.mlir:[[# @LINE + 11]]:3)
util.func public @reordered() -> (!stream.resource<*>, !stream.resource<*>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %0 = arith.constant 1 : i32
  %1 = stream.async.splat on(#hal.device.affinity<@a>) %0 : i32 -> !stream.resource<*>{%c64}
  // CHECK: %[[T:.+]] = stream.async.transfer
  %2 = stream.async.transfer %1 : !stream.resource<*>{%c64} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>) !stream.resource<*>{%c64}
  // CHECK-NEXT: stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@h
  // CHECK-NEXT: stream.async.fill on(#hal.device.affinity<@b>) {{.+}}, %[[T]][
  %3 = stream.async.fill on(#hal.device.affinity<@b>) %0, %2[%c0 to %c64 for %c64] : i32 -> %2 as !stream.resource<*>{%c64}
  %4 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@h(%1[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
  util.return %3, %4 : !stream.resource<*>, !stream.resource<*>
}

// -----

// Twice in place, each with a late reader that the other update feeds: one order would be a cycle,
// so one of the two works on a clone.
// CHECK-LABEL: @crossed
// CHECK: stream.async.clone
// CHECK-NOT: stream.async.clone
util.func public @crossed() -> (!stream.resource<*>, !stream.resource<*>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %0 = arith.constant 1 : i32
  %x = stream.async.splat on(#hal.device.affinity<@a>) %0 : i32 -> !stream.resource<*>{%c64}
  %y = stream.async.splat on(#hal.device.affinity<@a>) %0 : i32 -> !stream.resource<*>{%c64}
  %x1 = stream.async.fill on(#hal.device.affinity<@a>) %0, %x[%c0 to %c64 for %c64] : i32 -> %x as !stream.resource<*>{%c64}
  %y1 = stream.async.fill on(#hal.device.affinity<@a>) %0, %y[%c0 to %c64 for %c64] : i32 -> %y as !stream.resource<*>{%c64}
  %2 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@h(%x[%c0 to %c64 for %c64], %y1[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}, !stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
  %3 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@h(%y[%c0 to %c64 for %c64], %x1[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}, !stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
  util.return %2, %3 : !stream.resource<*>, !stream.resource<*>
}

// -----

// What goes out of the program is never written again, though it goes out before the update.
// CHECK-LABEL: @handed_out
// CHECK: stream.async.clone
util.func public @handed_out() -> (!hal.buffer_view, !stream.resource<external>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %0 = arith.constant 1 : i32
  %1 = stream.async.splat on(#hal.device.affinity<@a>) %0 : i32 -> !stream.resource<external>{%c64}
  %2 = stream.tensor.export on(#hal.device.affinity<@a>) %1 : tensor<16xf32> in !stream.resource<external>{%c64} -> !hal.buffer_view
  %3 = stream.async.fill on(#hal.device.affinity<@a>) %0, %1[%c0 to %c64 for %c64] : i32 -> %1 as !stream.resource<external>{%c64}
  util.return %2, %3 : !hal.buffer_view, !stream.resource<external>
}

// -----

// The late reader looks at bytes that the update leaves alone: neither clone nor another order.
// CHECK-LABEL: @other_bytes
// CHECK-NOT: stream.async.clone
// CHECK: stream.async.fill
// CHECK-NEXT: stream.async.dispatch
util.func public @other_bytes() -> !stream.resource<*> {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %0 = arith.constant 1 : i32
  %1 = stream.async.splat on(#hal.device.affinity<@a>) %0 : i32 -> !stream.resource<*>{%c64}
  %2 = stream.async.fill on(#hal.device.affinity<@a>) %0, %1[%c32 to %c64 for %c32] : i32 -> %1 as !stream.resource<*>{%c64}
  %3 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@h(%1[%c0 to %c32 for %c32], %2[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}, !stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
  util.return %3 : !stream.resource<*>
}

// -----

// As before, but an update further down overwrites those bytes: it finds the reader of a version
// two updates older.
// CHECK-LABEL: @older_version
// CHECK: stream.async.fill
// CHECK: %[[C:.+]] = stream.async.clone
// CHECK-NEXT: stream.async.fill {{.+}}, %[[C]][
util.func public @older_version() -> !stream.resource<*> {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %0 = arith.constant 1 : i32
  %1 = stream.async.splat on(#hal.device.affinity<@a>) %0 : i32 -> !stream.resource<*>{%c64}
  %2 = stream.async.fill on(#hal.device.affinity<@a>) %0, %1[%c32 to %c64 for %c32] : i32 -> %1 as !stream.resource<*>{%c64}
  %3 = stream.async.fill on(#hal.device.affinity<@a>) %0, %2[%c0 to %c32 for %c32] : i32 -> %2 as !stream.resource<*>{%c64}
  %4 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@h(%1[%c0 to %c32 for %c32], %3[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}, !stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
  util.return %4 : !stream.resource<*>
}

// -----

// A range is updated with what is in it: nothing is left to do, nor to clone (case B10). With
// another range it is an update, on a clone as the old contents go out.
// CHECK-LABEL: @itself
// CHECK: %[[P:.+]] = stream.async.dispatch
// CHECK: %[[C:.+]] = stream.async.clone
// CHECK: %[[R:.+]] = stream.async.update on(#hal.device.affinity<@a>) {{.+}}, %[[C]][%c0 to %c32]
// CHECK-NOT: stream.async.update
// CHECK: util.return %[[P]], %[[R]]
util.func public @itself() -> (!stream.resource<*>, !stream.resource<*>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %x = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f() : () -> !stream.resource<*>{%c64}
  %1 = stream.async.slice on(#hal.device.affinity<@a>) %x[%c32 to %c64] : !stream.resource<*>{%c64} -> !stream.resource<*>{%c32}
  %2 = stream.async.update on(#hal.device.affinity<@a>) %1, %x[%c32 to %c64] : !stream.resource<*>{%c32} -> %x as !stream.resource<*>{%c64}
  %3 = stream.async.update on(#hal.device.affinity<@a>) %1, %x[%c0 to %c32] : !stream.resource<*>{%c32} -> %x as !stream.resource<*>{%c64}
  util.return %2, %3 : !stream.resource<*>, !stream.resource<*>
}

// -----

// Two updates of undefined contents: each has storage of its own, and nothing is cloned.
// CHECK-LABEL: @undefined
// CHECK: %[[A:.+]] = stream.async.alloca on(#hal.device.affinity<@a>)
// CHECK: %[[B:.+]] = stream.async.alloca on(#hal.device.affinity<@a>)
// CHECK-NOT: stream.async.clone
// CHECK: stream.async.fill on(#hal.device.affinity<@a>) %{{.+}}, %[[B]][
// CHECK-NOT: stream.async.clone
// CHECK: stream.async.fill on(#hal.device.affinity<@a>) %{{.+}}, %[[A]][
util.func public @undefined(%v: i32, %w: i32) -> (!stream.resource<*>, !stream.resource<*>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %0 = stream.async.alloca on(#hal.device.affinity<@a>) : !stream.resource<*>{%c64}
  %1 = stream.async.fill on(#hal.device.affinity<@a>) %v, %0[%c0 to %c64 for %c64] : i32 -> %0 as !stream.resource<*>{%c64}
  %2 = stream.async.fill on(#hal.device.affinity<@a>) %w, %0[%c0 to %c64 for %c64] : i32 -> %0 as !stream.resource<*>{%c64}
  util.return %1, %2 : !stream.resource<*>, !stream.resource<*>
}
