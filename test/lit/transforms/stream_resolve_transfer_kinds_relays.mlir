// RUN: zc-opt --split-input-file %s -p stream-resolve-transfer-kinds | filecheck %s

// b does nothing with the value, which stays in a's memory on its way: one copy, into c's (IR-07).
// CHECK-LABEL: @relay
// CHECK: to(#hal.device.affinity<@b>) {{.+}}kind = "alias"
// CHECK: from(#hal.device.affinity<@b>) -> to(#hal.device.affinity<@c>) {{.+}}kind = "copy"
// b reads it: two copies.
// CHECK-LABEL: @used_on_the_way
// CHECK: to(#hal.device.affinity<@b>) {{.+}}kind = "copy"
// CHECK: from(#hal.device.affinity<@b>) -> to(#hal.device.affinity<@c>) {{.+}}kind = "copy"
// A stated copy may as well be the one into c's memory.
// CHECK-LABEL: @stated
// CHECK: to(#hal.device.affinity<@b>) {{.+}}kind = "copy"
// CHECK: from(#hal.device.affinity<@b>) -> to(#hal.device.affinity<@c>) {{.+}}kind = "alias"
util.global private @a : !hal.device
util.global private @b : !hal.device
util.global private @c : !hal.device
util.func public @relay() -> !stream.resource<*> {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %0 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f() : () -> !stream.resource<*>{%c64}
  %1 = stream.async.transfer %0 : !stream.resource<*>{%c64} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>) !stream.resource<*>{%c64}
  %2 = stream.async.transfer %1 : !stream.resource<*>{%c64} from(#hal.device.affinity<@b>) -> to(#hal.device.affinity<@c>) !stream.resource<*>{%c64}
  %3 = stream.async.dispatch on(#hal.device.affinity<@c>) @ex::@g(%2[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
  util.return %3 : !stream.resource<*>
}
util.func public @used_on_the_way() -> (!stream.resource<*>, !stream.resource<*>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %0 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f() : () -> !stream.resource<*>{%c64}
  %1 = stream.async.transfer %0 : !stream.resource<*>{%c64} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>) !stream.resource<*>{%c64}
  %2 = stream.async.transfer %1 : !stream.resource<*>{%c64} from(#hal.device.affinity<@b>) -> to(#hal.device.affinity<@c>) !stream.resource<*>{%c64}
  %3 = stream.async.dispatch on(#hal.device.affinity<@c>) @ex::@g(%2[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
  %4 = stream.async.dispatch on(#hal.device.affinity<@b>) @ex::@g(%1[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
  util.return %3, %4 : !stream.resource<*>, !stream.resource<*>
}
util.func public @stated() -> !stream.resource<*> {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %0 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f() : () -> !stream.resource<*>{%c64}
  %1 = stream.async.transfer %0 : !stream.resource<*>{%c64} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>) !stream.resource<*>{%c64} attributes {stream.transfer_kind = "copy"}
  %2 = stream.async.transfer %1 : !stream.resource<*>{%c64} from(#hal.device.affinity<@b>) -> to(#hal.device.affinity<@c>) !stream.resource<*>{%c64}
  %3 = stream.async.dispatch on(#hal.device.affinity<@c>) @ex::@g(%2[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
  util.return %3 : !stream.resource<*>
}

// -----

// There and back with nothing done there: no copy (IR-06).
// CHECK-LABEL: @round_trip
// CHECK-NOT: "copy"
// CHECK: util.return
util.global private @a : !hal.device
util.global private @b : !hal.device
util.func public @round_trip() -> !stream.resource<*> {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %0 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f() : () -> !stream.resource<*>{%c64}
  %1 = stream.async.transfer %0 : !stream.resource<*>{%c64} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>) !stream.resource<*>{%c64}
  %2 = stream.async.transfer %1 : !stream.resource<*>{%c64} from(#hal.device.affinity<@b>) -> to(#hal.device.affinity<@a>) !stream.resource<*>{%c64}
  %3 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@g(%2[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
  util.return %3 : !stream.resource<*>
}
