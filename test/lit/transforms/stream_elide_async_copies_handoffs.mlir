// RUN: zc-opt --split-input-file %s -p stream-resolve-transfer-kinds,stream-elide-async-copies | filecheck %s

// On a coherent link a transfer is its source: who uses it waits for who made it (IR-04, IR-05).
// CHECK-LABEL: @coherent
builtin.module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true, transparent_access = true}, {coherent = true}), (@b -> @a = {unified_memory = true, transparent_access = true}, {coherent = true})]>} {
util.global private @a : !hal.device
util.global private @b : !hal.device
util.func public @coherent() -> !stream.resource<*> {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  // CHECK: %[[MADE:.+]] = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f
  %0 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f() : () -> !stream.resource<*>{%c64}
  // CHECK-NOT: stream.async.transfer
  %1 = stream.async.transfer %0 : !stream.resource<*>{%c64} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>) !stream.resource<*>{%c64}
  // CHECK: on(#hal.device.affinity<@b>) @ex::@g(%[[MADE]][
  %2 = stream.async.dispatch on(#hal.device.affinity<@b>) @ex::@g(%1[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
  util.return %2 : !stream.resource<*>
}
}

// -----

// On one that is not, it stays an alias: caches are to be flushed and invalidated (IR-04, IR-05).
// CHECK-LABEL: @noncoherent
builtin.module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true, transparent_access = true}, {coherent = false}), (@b -> @a = {unified_memory = true, transparent_access = true}, {coherent = false})]>} {
util.global private @a : !hal.device
util.global private @b : !hal.device
util.func public @noncoherent() -> !stream.resource<*> {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %0 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f() : () -> !stream.resource<*>{%c64}
  // CHECK: %[[ALIAS:.+]] = stream.async.transfer {{.*}} attributes {stream.transfer_kind = "alias"}
  %1 = stream.async.transfer %0 : !stream.resource<*>{%c64} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>) !stream.resource<*>{%c64}
  // CHECK: on(#hal.device.affinity<@b>) @ex::@g(%[[ALIAS]][
  %2 = stream.async.dispatch on(#hal.device.affinity<@b>) @ex::@g(%1[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
  util.return %2 : !stream.resource<*>
}
}

// -----

// Without a link it stays a copy (IR-05).
// CHECK-LABEL: @discrete
util.global private @a : !hal.device
util.global private @b : !hal.device
util.func public @discrete() -> !stream.resource<*> {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %0 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f() : () -> !stream.resource<*>{%c64}
  // CHECK: stream.async.transfer {{.*}} attributes {stream.transfer_kind = "copy"}
  %1 = stream.async.transfer %0 : !stream.resource<*>{%c64} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>) !stream.resource<*>{%c64}
  %2 = stream.async.dispatch on(#hal.device.affinity<@b>) @ex::@g(%1[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
  util.return %2 : !stream.resource<*>
}

// -----

// Coherent or not, a copy that is asked for stays, and so does a change of the lifetime (IR-51).
// Where a later transfer does not state its source, its home is not lost with the alias.
// CHECK-LABEL: @asked_for
builtin.module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}, {coherent = true}), (@b -> @a = {unified_memory = true}, {coherent = true})]>} {
util.global private @a : !hal.device
util.global private @b : !hal.device
util.global private @c : !hal.device
util.func public @asked_for() -> (!stream.resource<*>, !stream.resource<transient>, !stream.resource<*>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  // CHECK: %[[MADE:.+]] = stream.async.dispatch
  %0 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f() : () -> !stream.resource<*>{%c64}
  // CHECK: transfer %[[MADE]] {{.*}} "copy"}
  %1 = stream.async.transfer %0 : !stream.resource<*>{%c64} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>) !stream.resource<*>{%c64} attributes {stream.transfer_kind = "copy"}
  // CHECK: transfer %[[MADE]] {{.*}} -> to(#hal.device.affinity<@b>) !stream.resource<transient>{{.*}} "alias"}
  %2 = stream.async.transfer %0 : !stream.resource<*>{%c64} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>) !stream.resource<transient>{%c64}
  %3 = stream.async.transfer %0 : !stream.resource<*>{%c64} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>) !stream.resource<*>{%c64}
  // CHECK: transfer %[[MADE]] {{.*}} from(#hal.device.affinity<@b>) -> to(#hal.device.affinity<@c>) {{.*}} "copy"}
  %4 = stream.async.transfer %3 : !stream.resource<*>{%c64} -> to(#hal.device.affinity<@c>) !stream.resource<*>{%c64} attributes {stream.transfer_kind = "copy"}
  util.return %1, %2, %4 : !stream.resource<*>, !stream.resource<transient>, !stream.resource<*>
}
}

// -----

// There and back is the origin where nobody looks on b, though the link is not coherent (IR-06).
// CHECK-LABEL: @unseen
builtin.module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
util.global private @a : !hal.device
util.global private @b : !hal.device
util.func public @unseen() -> !stream.resource<*> {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  // CHECK: %[[MADE:.+]] = stream.async.dispatch
  %0 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f() : () -> !stream.resource<*>{%c64}
  // CHECK-NOT: stream.async.transfer
  %1 = stream.async.transfer %0 : !stream.resource<*>{%c64} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>) !stream.resource<*>{%c64}
  %2 = stream.async.transfer %1 : !stream.resource<*>{%c64} from(#hal.device.affinity<@b>) -> to(#hal.device.affinity<@a>) !stream.resource<*>{%c64}
  // CHECK: @ex::@g(%[[MADE]][
  %3 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@g(%2[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
  util.return %3 : !stream.resource<*>
}

// A way over three devices, and then there again: one handoff is left.
// CHECK-LABEL: @there_again
util.func public @there_again() -> !stream.resource<*> {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  // CHECK: %[[MADE:.+]] = stream.async.dispatch
  %0 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f() : () -> !stream.resource<*>{%c64}
  // CHECK: %[[ONCE:.+]] = stream.async.transfer %[[MADE]]
  // CHECK-NOT: stream.async.transfer
  %1 = stream.async.transfer %0 : !stream.resource<*>{%c64} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>) !stream.resource<*>{%c64}
  %2 = stream.async.transfer %1 : !stream.resource<*>{%c64} from(#hal.device.affinity<@b>) -> to(#hal.device.affinity<@a>) !stream.resource<*>{%c64}
  %3 = stream.async.transfer %2 : !stream.resource<*>{%c64} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>) !stream.resource<*>{%c64}
  // CHECK: @ex::@g(%[[ONCE]][
  %4 = stream.async.dispatch on(#hal.device.affinity<@b>) @ex::@g(%3[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
  util.return %4 : !stream.resource<*>
}

// Somebody on b looks: both handoffs stay (IR-06).
// CHECK-LABEL: @seen
util.func public @seen() -> (!stream.resource<*>, !stream.resource<*>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %0 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f() : () -> !stream.resource<*>{%c64}
  // CHECK-COUNT-2: stream.async.transfer
  %1 = stream.async.transfer %0 : !stream.resource<*>{%c64} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>) !stream.resource<*>{%c64}
  %2 = stream.async.transfer %1 : !stream.resource<*>{%c64} from(#hal.device.affinity<@b>) -> to(#hal.device.affinity<@a>) !stream.resource<*>{%c64}
  %3 = stream.async.dispatch on(#hal.device.affinity<@b>) @ex::@g(%1[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
  %4 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@g(%2[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
  util.return %3, %4 : !stream.resource<*>, !stream.resource<*>
}
}
