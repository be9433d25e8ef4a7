// RUN: zc-opt --split-input-file %s -p stream-materialize-copy-on-write | filecheck %s

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
