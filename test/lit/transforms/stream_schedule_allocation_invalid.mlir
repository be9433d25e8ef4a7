// RUN: not zc-opt --split-input-file %s -p stream-schedule-allocation 2>&1 | filecheck %s

// No pool serves both: an alias that the topology does not allow (IR-26).
#a = #hal.device.affinity<@a>
#b = #hal.device.affinity<@b>
module {
  util.global private @a : !hal.device
  util.global private @b : !hal.device
  util.func public @no_pool() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    // CHECK: [[# @LINE + 2]]:7: error: cannot resolve memory properties for [@a, @b]: no pool is in reach of all that use the storage; make a transfer between them a copy
    %0, %t0 = stream.async.execute on(#a) with() -> !stream.resource<transient>{%c64} {
      %3 = stream.async.dispatch @ex::@f() : () -> !stream.resource<transient>{%c64}
      stream.yield %3 : !stream.resource<transient>{%c64}
    } => !stream.timepoint
    %1, %t1 = stream.async.execute on(#b) await(%t0) => with(%0 as %arg0: !stream.resource<transient>{%c64}) -> %0{%c64} {
      %4 = stream.async.dispatch @ex::@g(%arg0[%c0 to %c64 for %c64]) : (!stream.resource<transient>{%c64}) -> %arg0{%c64}
      stream.yield %4 : !stream.resource<transient>{%c64}
    } => !stream.timepoint
    util.return %t1 : !stream.timepoint
  }
}

// -----

// A transfer of which nobody has decided the kind.
util.func public @undecided(%r: !stream.resource<external>) -> !stream.timepoint {
  %c64 = arith.constant 64 : index
  %0, %t = stream.async.execute with(%r as %arg0: !stream.resource<external>{%c64}) -> !stream.resource<transient>{%c64} {
    // CHECK: [[# @LINE + 1]]:5: error: 'stream.async.transfer' op has no stream.transfer_kind; run stream-resolve-transfer-kinds before
    %1 = stream.async.transfer %arg0 : !stream.resource<external>{%c64} -> !stream.resource<transient>{%c64}
    stream.yield %1 : !stream.resource<transient>{%c64}
  } => !stream.timepoint
  util.return %t : !stream.timepoint
}

// -----

// A constant that something writes.
util.func public @constant() -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %p = arith.constant 7 : i32
  %0, %t = stream.async.execute with() -> !stream.resource<constant>{%c4} {
    %1 = stream.async.constant : !stream.resource<constant>{%c4} = dense<1> : tensor<1xi32>
    // CHECK: [[# @LINE + 1]]:5: error: 'stream.async.fill' op writes a constant; run stream-materialize-copy-on-write before
    %2 = stream.async.fill %p, %1[%c0 to %c4 for %c4] : i32 -> %1 as !stream.resource<constant>{%c4}
    stream.yield %2 : !stream.resource<constant>{%c4}
  } => !stream.timepoint
  util.return %t : !stream.timepoint
}

// -----

// An op that has no command.
stream.async.func private @f(%arg0: !stream.resource<*>) -> !stream.resource<transient>
util.func public @call(%r: !stream.resource<external>) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %0, %t = stream.async.execute with(%r as %arg0: !stream.resource<external>{%c4}) -> !stream.resource<transient>{%c4} {
    // CHECK: [[# @LINE + 1]]:5: error: 'stream.async.call' op has no command that allocation could make of it
    %1 = stream.async.call @f(%arg0[%c0 to %c4 for %c4]) : (!stream.resource<external>{%c4}) -> !stream.resource<transient>{%c4}
    stream.yield %1 : !stream.resource<transient>{%c4}
  } => !stream.timepoint
  util.return %t : !stream.timepoint
}

// -----

// A pattern that devices cannot fill with.
util.func public @wide_fill() -> !stream.timepoint {
  %c64 = arith.constant 64 : index
  %p = arith.constant 7 : i64
  %0, %t = stream.async.execute with() -> !stream.resource<transient>{%c64} {
    // CHECK: [[# @LINE + 1]]:5: error: 'stream.async.splat' op fills with a 64-bit pattern, and devices fill with at most 32 bits
    %1 = stream.async.splat %p : i64 -> !stream.resource<transient>{%c64}
    stream.yield %1 : !stream.resource<transient>{%c64}
  } => !stream.timepoint
  util.return %t : !stream.timepoint
}

// -----

// A resource of an op that nobody knows.
util.func public @unknown(%n: index) -> !stream.timepoint {
  %0, %t = stream.async.execute with() -> !stream.resource<transient>{%n} {
    // CHECK: [[# @LINE + 1]]:5: error: 'test.make' op makes a !stream.resource<transient> without stating its size; move it out of the region
    %1 = "test.make"() : () -> !stream.resource<transient>
    stream.yield %1 : !stream.resource<transient>{%n}
  } => !stream.timepoint
  util.return %t : !stream.timepoint
}

// -----

// a reaches b's memory, where both could use the storage; but it is exported on a (IR-26).
#a = #hal.device.affinity<@a>
#b = #hal.device.affinity<@b>
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {transparent_access = true})]>} {
  util.global private @a : !hal.device
  util.global private @b : !hal.device
  util.func public @exported() -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    // CHECK: [[# @LINE + 2]]:7: error: cannot resolve memory properties for [@a, @b]: no pool of @a, where it is exported, is in reach of all that use the storage; make a transfer between them a copy
    %0, %t0 = stream.async.execute on(#a) with() -> !stream.resource<external>{%c64} {
      %3 = stream.async.dispatch @ex::@f() : () -> !stream.resource<external>{%c64}
      stream.yield %3 : !stream.resource<external>{%c64}
    } => !stream.timepoint
    %t1 = stream.async.execute on(#b) await(%t0) => with(%0 as %arg0: !stream.resource<external>{%c64}) {
      %4 = stream.async.dispatch @ex::@g(%arg0[%c0 to %c64 for %c64]) : (!stream.resource<external>{%c64}) -> %arg0{%c64}
      stream.yield
    } => !stream.timepoint
    %1 = stream.timepoint.await %t1 => %0 : !stream.resource<external>{%c64}
    %2 = stream.tensor.export on(#a) %1 : tensor<16xf32> in !stream.resource<external>{%c64} -> !hal.buffer_view
    util.return %2 : !hal.buffer_view
  }
}
