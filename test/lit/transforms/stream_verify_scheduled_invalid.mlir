// RUN: not zc-opt --split-input-file %s -p stream-verify-scheduled 2>&1 | filecheck %s

// Work outside of regions.
util.func public @loose(%r: !stream.resource<external>, %n: index) -> !stream.resource<transient> {
  // CHECK: [[# @LINE + 1]]:3: error: 'stream.async.clone' op is not legal outside of a stream.async.execute once the program is scheduled (stream-verify-scheduled); run stream-schedule-execution before
  %0 = stream.async.clone %r : !stream.resource<external>{%n} -> !stream.resource<transient>{%n}
  util.return %0 : !stream.resource<transient>
}

// -----

#a = #hal.device.affinity<@a>
#b = #hal.device.affinity<@b>

// The timepoint edge of a handoff is missing (IR-01).
util.func public @unordered(%r: !stream.resource<external>) -> (!stream.resource<external>, !stream.timepoint) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %r1, %t1 = stream.async.execute on(#a) with(%r as %arg0: !stream.resource<external>{%c64}) -> !stream.resource<transient>{%c64} {
    %3 = stream.async.dispatch @ex::@f(%arg0[%c0 to %c64 for %c64]) : (!stream.resource<external>{%c64}) -> !stream.resource<transient>{%c64}
    %4 = stream.async.transfer %3 : !stream.resource<transient>{%c64} -> to(#b) !stream.resource<transient>{%c64} attributes {stream.transfer_kind = "alias"}
    stream.yield %4 : !stream.resource<transient>{%c64}
  } => !stream.timepoint
  // CHECK: [[# @LINE + 2]]:3: error: 'stream.async.execute' op consumer on @b is not ordered after producer on @a (stream-verify-scheduled); await its timepoint
  // CHECK: note: the producer on @a is here
  %r2, %t2 = stream.async.execute on(#b) with(%r1 as %arg0: !stream.resource<transient>{%c64}) -> !stream.resource<external>{%c64} {
    %5 = stream.async.dispatch @ex::@g(%arg0[%c0 to %c64 for %c64]) : (!stream.resource<transient>{%c64}) -> !stream.resource<external>{%c64}
    stream.yield %5 : !stream.resource<external>{%c64}
  } => !stream.timepoint
  util.return %r2, %t2 : !stream.resource<external>, !stream.timepoint
}

// -----

#a = #hal.device.affinity<@a>
#b = #hal.device.affinity<@b>

// b updates in place what a reads, and does not wait for it (IR-47).
util.func public @hazard(%r: !stream.resource<external>) -> (!stream.timepoint, !stream.timepoint) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c7 = arith.constant 7 : i32
  %r1, %t1 = stream.async.execute on(#a) with(%r as %arg0: !stream.resource<external>{%c64}) -> !stream.resource<transient>{%c64} {
    %3 = stream.async.dispatch @ex::@f(%arg0[%c0 to %c64 for %c64]) : (!stream.resource<external>{%c64}) -> !stream.resource<transient>{%c64}
    stream.yield %3 : !stream.resource<transient>{%c64}
  } => !stream.timepoint
  // CHECK: [[# @LINE + 2]]:3: error: 'stream.async.execute' op write on @b is not ordered after access on @a to the same storage (stream-verify-scheduled); await its timepoint
  // CHECK: note: the access on @a to the same storage is here
  %r2, %t2 = stream.async.execute on(#b) with(%r as %arg0: !stream.resource<external>{%c64}) -> %r{%c64} {
    %4 = stream.async.fill %c7, %arg0[%c0 to %c64 for %c64] : i32 -> %arg0 as !stream.resource<external>{%c64}
    stream.yield %4 : !stream.resource<external>{%c64}
  } => !stream.timepoint
  util.return %t1, %t2 : !stream.timepoint, !stream.timepoint
}

// -----

#a = #hal.device.affinity<@a>

// The host uses what it has not waited for.
util.func public @host(%r: !stream.resource<external>) -> !stream.resource<transient> {
  %c64 = arith.constant 64 : index
  %r1, %t1 = stream.async.execute on(#a) with(%r as %arg0: !stream.resource<external>{%c64}) -> !stream.resource<transient>{%c64} {
    %3 = stream.async.clone %arg0 : !stream.resource<external>{%c64} -> !stream.resource<transient>{%c64}
    stream.yield %3 : !stream.resource<transient>{%c64}
  } => !stream.timepoint
  // CHECK: [[# @LINE + 1]]:3: error: 'util.return' op consumer is not ordered after producer on @a (stream-verify-scheduled); await its timepoint
  util.return %r1 : !stream.resource<transient>
}

// -----

// Ops of one wave conflict.
util.func public @wave(%r: !stream.resource<external>) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c7 = arith.constant 7 : i32
  %0:2, %t = stream.async.execute with(%r as %arg0: !stream.resource<external>{%c64}) -> (!stream.resource<transient>{%c64}, %r{%c64}) {
    %1:2 = stream.async.concurrent with(%arg0 as %arg1: !stream.resource<external>{%c64}) -> (!stream.resource<transient>{%c64}, %arg0{%c64}) {
      %2 = stream.async.clone %arg1 : !stream.resource<external>{%c64} -> !stream.resource<transient>{%c64}
      // CHECK: [[# @LINE + 1]]:7: error: 'stream.async.fill' op conflicts with another op of its concurrent region over the same storage (stream-verify-scheduled); give them an order
      %3 = stream.async.fill %c7, %arg1[%c0 to %c64 for %c64] : i32 -> %arg1 as !stream.resource<external>{%c64}
      stream.yield %2, %3 : !stream.resource<transient>{%c64}, !stream.resource<external>{%c64}
    }
    stream.yield %1#0, %1#1 : !stream.resource<transient>{%c64}, !stream.resource<external>{%c64}
  } => !stream.timepoint
  util.return %t : !stream.timepoint
}

// -----

// A transfer without a kind.
util.func public @undecided(%r: !stream.resource<external>) -> (!stream.resource<external>, !stream.timepoint) {
  %c64 = arith.constant 64 : index
  %r1, %t1 = stream.async.execute with(%r as %arg0: !stream.resource<external>{%c64}) -> !stream.resource<external>{%c64} {
    // CHECK: [[# @LINE + 1]]:5: error: 'stream.async.transfer' op has no stream.transfer_kind (stream-verify-scheduled); run stream-resolve-transfer-kinds before
    %3 = stream.async.transfer %arg0 : !stream.resource<external>{%c64} -> !stream.resource<external>{%c64}
    stream.yield %3 : !stream.resource<external>{%c64}
  } => !stream.timepoint
  util.return %r1, %t1 : !stream.resource<external>, !stream.timepoint
}

// -----

// An alias has the size of its source (IR-02).
util.func public @sizes(%r: !stream.resource<external>) -> (!stream.resource<external>, !stream.timepoint) {
  %c256 = arith.constant 256 : index
  %c255 = arith.constant 255 : index
  %r1, %t1 = stream.async.execute with(%r as %arg0: !stream.resource<external>{%c256}) -> !stream.resource<external>{%c255} {
    // CHECK: [[# @LINE + 1]]:5: error: 'stream.async.transfer' op alias transfer requires identical size (256 vs 255) (stream-verify-scheduled)
    %3 = stream.async.transfer %arg0 : !stream.resource<external>{%c256} -> !stream.resource<external>{%c255} attributes {stream.transfer_kind = "alias"}
    stream.yield %3 : !stream.resource<external>{%c255}
  } => !stream.timepoint
  util.return %r1, %t1 : !stream.resource<external>, !stream.timepoint
}

// -----

#a = #hal.device.affinity<@a>
#b = #hal.device.affinity<@b>

// An op for another device than the region's.
util.func public @elsewhere(%r: !stream.resource<external>) -> (!stream.resource<transient>, !stream.timepoint) {
  %c64 = arith.constant 64 : index
  %r1, %t1 = stream.async.execute on(#a) with(%r as %arg0: !stream.resource<external>{%c64}) -> !stream.resource<transient>{%c64} {
    // CHECK: [[# @LINE + 1]]:5: error: 'stream.async.clone' op runs on #hal.device.affinity<@b> in a region on #hal.device.affinity<@a> (stream-verify-scheduled); put it into a region of its own
    %3 = stream.async.clone on(#b) %arg0 : !stream.resource<external>{%c64} -> !stream.resource<transient>{%c64}
    stream.yield %3 : !stream.resource<transient>{%c64}
  } => !stream.timepoint
  util.return %r1, %t1 : !stream.resource<transient>, !stream.timepoint
}
