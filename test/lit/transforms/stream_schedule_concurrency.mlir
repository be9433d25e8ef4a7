// RUN: zc-opt --split-input-file %s -p stream-schedule-concurrency | filecheck %s

// Two readers of one resource run at once; what uses both comes after them.
// CHECK-LABEL: @fork
util.func public @fork(%r: !stream.resource<external>) -> (!stream.resource<transient>, !stream.timepoint) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  // CHECK: stream.async.execute with(%{{.+}} as %[[A:.+]]: !stream.resource<external>{%c64})
  %0, %t = stream.async.execute with(%r as %arg0: !stream.resource<external>{%c64}) -> !stream.resource<transient>{%c64} {
    // CHECK-NEXT: %[[F:.+]], %[[G:.+]] = stream.async.concurrent with(%[[A]] as %[[B:.+]]: !stream.resource<external>{%c64})
    // CHECK-NEXT: %[[F1:.+]] = stream.async.dispatch @ex::@f(%[[B]]
    // CHECK-NEXT: %[[G1:.+]] = stream.async.dispatch @ex::@g(%[[B]]
    // CHECK-NEXT: stream.yield %[[F1]], %[[G1]]
    // CHECK: stream.async.dispatch @ex::@h(%[[F]][%c0 to %c64 for %c64], %[[G]]
    %1 = stream.async.dispatch @ex::@f(%arg0[%c0 to %c64 for %c64]) : (!stream.resource<external>{%c64}) -> !stream.resource<transient>{%c64}
    %2 = stream.async.dispatch @ex::@g(%arg0[%c0 to %c64 for %c64]) : (!stream.resource<external>{%c64}) -> !stream.resource<transient>{%c64}
    %3 = stream.async.dispatch @ex::@h(%1[%c0 to %c64 for %c64], %2[%c0 to %c64 for %c64]) : (!stream.resource<transient>{%c64}, !stream.resource<transient>{%c64}) -> !stream.resource<transient>{%c64}
    stream.yield %3 : !stream.resource<transient>{%c64}
  } => !stream.timepoint
  util.return %0, %t : !stream.resource<transient>, !stream.timepoint
}

// -----

// A reader and an op that writes the same bytes in place are never in one wave, though no value
// flows between them, and even where the write goes through an alias.
// CHECK-LABEL: @in_place
util.func public @in_place(%r: !stream.resource<external>) -> (!stream.resource<transient>, !stream.resource<external>, !stream.timepoint) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c7 = arith.constant 7 : i32
  // CHECK: stream.async.execute with
  // CHECK-NOT: stream.async.concurrent
  // CHECK: stream.async.dispatch @ex::@f
  // CHECK-NEXT: stream.async.transfer
  // CHECK-NEXT: stream.async.fill
  %0:2, %t = stream.async.execute with(%r as %arg0: !stream.resource<external>{%c64}) -> (!stream.resource<transient>{%c64}, %r as !stream.resource<external>{%c64}) {
    %1 = stream.async.dispatch @ex::@f(%arg0[%c0 to %c64 for %c64]) : (!stream.resource<external>{%c64}) -> !stream.resource<transient>{%c64}
    %2 = stream.async.transfer %arg0 : !stream.resource<external>{%c64} -> !stream.resource<external>{%c64} attributes {stream.transfer_kind = "alias"}
    %3 = stream.async.fill %c7, %2[%c0 to %c64 for %c64] : i32 -> %2 as !stream.resource<external>{%c64}
    stream.yield %1, %3 : !stream.resource<transient>{%c64}, !stream.resource<external>{%c64}
  } => !stream.timepoint
  util.return %0#0, %0#1, %t : !stream.resource<transient>, !stream.resource<external>, !stream.timepoint
}

// -----

// Other bytes do not conflict: the reader of [0, 32) and the fill of [32, 64) run at once.
// CHECK-LABEL: @other_bytes
util.func public @other_bytes(%r: !stream.resource<external>) -> (!stream.resource<transient>, !stream.resource<external>, !stream.timepoint) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c7 = arith.constant 7 : i32
  // CHECK: stream.async.concurrent with(%[[A:[^ ]+]] as %[[B:[^ ]+]]: {{.*}}) -> (!stream.resource<transient>{%c32}, %[[A]]{%c64})
  // CHECK-NEXT: stream.async.dispatch @ex::@f
  // CHECK-NEXT: stream.async.fill %{{.+}}, %[[B]]
  %0:2, %t = stream.async.execute with(%r as %arg0: !stream.resource<external>{%c64}) -> (!stream.resource<transient>{%c32}, %r as !stream.resource<external>{%c64}) {
    %1 = stream.async.dispatch @ex::@f(%arg0[%c0 to %c32 for %c32]) : (!stream.resource<external>{%c64}) -> !stream.resource<transient>{%c32}
    %2 = stream.async.fill %c7, %arg0[%c32 to %c64 for %c32] : i32 -> %arg0 as !stream.resource<external>{%c64}
    stream.yield %1, %2 : !stream.resource<transient>{%c32}, !stream.resource<external>{%c64}
  } => !stream.timepoint
  util.return %0#0, %0#1, %t : !stream.resource<transient>, !stream.resource<external>, !stream.timepoint
}

// -----

// A chain has no concurrency and does not change.
// CHECK-LABEL: @chain
util.func public @chain(%r: !stream.resource<external>) -> (!stream.resource<transient>, !stream.timepoint) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  // CHECK: stream.async.execute with
  // CHECK-NEXT: %[[F:.+]] = stream.async.dispatch @ex::@f
  // CHECK-NEXT: %[[G:.+]] = stream.async.dispatch @ex::@g(%[[F]]
  // CHECK-NEXT: stream.yield %[[G]]
  %0, %t = stream.async.execute with(%r as %arg0: !stream.resource<external>{%c64}) -> !stream.resource<transient>{%c64} {
    %1 = stream.async.dispatch @ex::@f(%arg0[%c0 to %c64 for %c64]) : (!stream.resource<external>{%c64}) -> !stream.resource<transient>{%c64}
    %2 = stream.async.dispatch @ex::@g(%1[%c0 to %c64 for %c64]) : (!stream.resource<transient>{%c64}) -> !stream.resource<transient>{%c64}
    stream.yield %2 : !stream.resource<transient>{%c64}
  } => !stream.timepoint
  util.return %0, %t : !stream.resource<transient>, !stream.timepoint
}
