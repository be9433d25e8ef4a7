// RUN: zc-opt --split-input-file %s -p stream-elide-async-copies | filecheck %s

// A clone that is only read, where its source lives, goes; so does a transfer from a device to
// itself (IR-08).
// CHECK-LABEL: @read_only
util.func public @read_only() -> !stream.resource<*> {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %0 = arith.constant 1 : i32
  // CHECK: %[[S:.+]] = stream.async.splat
  %1 = stream.async.splat on(#hal.device.affinity<@a>) %0 : i32 -> !stream.resource<*>{%c64}
  // CHECK-NOT: stream.async.clone
  // CHECK-NOT: stream.async.transfer
  %2 = stream.async.clone on(#hal.device.affinity<@a>) %1 : !stream.resource<*>{%c64} -> !stream.resource<*>{%c64}
  %3 = stream.async.transfer %2 : !stream.resource<*>{%c64} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@a>) !stream.resource<*>{%c64}
  // CHECK: @ex::@f(%[[S]][
  %4 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f(%3[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
  util.return %4 : !stream.resource<*>
}

// -----

// The clone is updated while its source is read later: it stays.
// CHECK-LABEL: @updated
// CHECK: stream.async.clone
util.func public @updated() -> (!stream.resource<*>, !stream.resource<*>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %0 = arith.constant 1 : i32
  %1 = stream.async.splat on(#hal.device.affinity<@a>) %0 : i32 -> !stream.resource<*>{%c64}
  %2 = stream.async.clone on(#hal.device.affinity<@a>) %1 : !stream.resource<*>{%c64} -> !stream.resource<*>{%c64}
  %3 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@acc(%2[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}) -> %2{%c64}
  util.return %1, %3 : !stream.resource<*>, !stream.resource<*>
}

// -----

// The source is updated while the clone is read later: it stays.
// CHECK-LABEL: @source_updated
// CHECK: stream.async.clone
util.func public @source_updated() -> (!stream.resource<*>, !stream.resource<*>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %0 = arith.constant 1 : i32
  %1 = stream.async.splat on(#hal.device.affinity<@a>) %0 : i32 -> !stream.resource<*>{%c64}
  %2 = stream.async.clone on(#hal.device.affinity<@a>) %1 : !stream.resource<*>{%c64} -> !stream.resource<*>{%c64}
  %3 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@acc(%1[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}) -> %1{%c64}
  util.return %2, %3 : !stream.resource<*>, !stream.resource<*>
}

// -----

// A handoff between devices is never elided, alias or not (IR-04, IR-05); nor is an explicit copy.
// CHECK-LABEL: @handoff
// CHECK: stream.async.transfer
// CHECK: stream.async.transfer
util.func public @handoff() -> !stream.resource<*> {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %0 = arith.constant 1 : i32
  %1 = stream.async.splat on(#hal.device.affinity<@a>) %0 : i32 -> !stream.resource<*>{%c64}
  %2 = stream.async.transfer %1 : !stream.resource<*>{%c64} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>) !stream.resource<*>{%c64} attributes {stream.transfer_kind = "alias"}
  %3 = stream.async.transfer %2 : !stream.resource<*>{%c64} from(#hal.device.affinity<@b>) -> to(#hal.device.affinity<@b>) !stream.resource<*>{%c64} attributes {stream.transfer_kind = "copy"}
  util.return %3 : !stream.resource<*>
}
