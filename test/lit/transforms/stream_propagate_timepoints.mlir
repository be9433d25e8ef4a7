// RUN: zc-opt --split-input-file %s -p stream-propagate-timepoints | filecheck %s

#a = #hal.device.affinity<@a>
#b = #hal.device.affinity<@b>

// A region waits itself for what it captures; the host waits where it exports.
// CHECK-LABEL: @chain
util.func public @chain(%x: !hal.buffer_view) -> !hal.buffer_view {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %0 = stream.tensor.import on(#a) %x : !hal.buffer_view -> tensor<16xf32> in !stream.resource<external>{%c64}
  // CHECK: %[[R1:.+]], %[[T1:.+]] = stream.async.execute on(#hal.device.affinity<@a>) with
  %r1, %t1 = stream.async.execute on(#a) with(%0 as %arg0: !stream.resource<external>{%c64}) -> !stream.resource<transient>{%c64} {
    %5 = stream.async.dispatch @ex::@f(%arg0[%c0 to %c64 for %c64]) : (!stream.resource<external>{%c64}) -> !stream.resource<transient>{%c64}
    stream.yield %5 : !stream.resource<transient>{%c64}
  } => !stream.timepoint
  // CHECK-NOT: stream.timepoint.await
  %1 = stream.timepoint.await %t1 => %r1 : !stream.resource<transient>{%c64}
  // CHECK: %[[R2:.+]], %[[T2:.+]] = stream.async.execute on(#hal.device.affinity<@b>) await(%[[T1]]) => with(%[[R1]] as
  %r2, %t2 = stream.async.execute on(#b) with(%1 as %arg0: !stream.resource<transient>{%c64}) -> !stream.resource<external>{%c64} {
    %6 = stream.async.dispatch @ex::@g(%arg0[%c0 to %c64 for %c64]) : (!stream.resource<transient>{%c64}) -> !stream.resource<external>{%c64}
    stream.yield %6 : !stream.resource<external>{%c64}
  } => !stream.timepoint
  // CHECK: %[[V:.+]] = stream.timepoint.await %[[T2]] => %[[R2]]
  // CHECK-NEXT: stream.tensor.export on(#hal.device.affinity<@b>) %[[V]]
  %2 = stream.timepoint.await %t2 => %r2 : !stream.resource<external>{%c64}
  %3 = stream.tensor.export on(#b) %2 : tensor<16xf32> in !stream.resource<external>{%c64} -> !hal.buffer_view
  util.return %3 : !hal.buffer_view
}

// -----

#a = #hal.device.affinity<@a>
#b = #hal.device.affinity<@b>

// What only the host's wait ordered stays ordered: b updates in place what a has read (IR-47).
// CHECK-LABEL: @hazard
util.func public @hazard(%x: !hal.buffer_view) -> (!hal.buffer_view, !hal.buffer_view) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c7 = arith.constant 7 : i32
  %0 = stream.tensor.import on(#a) consume %x : !hal.buffer_view -> tensor<16xf32> in !stream.resource<external>{%c64}
  // CHECK: %[[R1:.+]], %[[T1:.+]] = stream.async.execute on(#hal.device.affinity<@a>) with
  %r1, %t1 = stream.async.execute on(#a) with(%0 as %arg0: !stream.resource<external>{%c64}) -> !stream.resource<external>{%c64} {
    %5 = stream.async.dispatch @ex::@f(%arg0[%c0 to %c64 for %c64]) : (!stream.resource<external>{%c64}) -> !stream.resource<external>{%c64}
    stream.yield %5 : !stream.resource<external>{%c64}
  } => !stream.timepoint
  %1 = stream.timepoint.await %t1 => %r1 : !stream.resource<external>{%c64}
  // CHECK: %[[R2:.+]], %[[T2:.+]] = stream.async.execute on(#hal.device.affinity<@b>) await(%[[T1]])
  %r2, %t2 = stream.async.execute on(#b) with(%0 as %arg0: !stream.resource<external>{%c64}) -> (%0 as !stream.resource<external>{%c64}) {
    %6 = stream.async.fill %c7, %arg0[%c0 to %c64 for %c64] : i32 -> %arg0 as !stream.resource<external>{%c64}
    stream.yield %6 : !stream.resource<external>{%c64}
  } => !stream.timepoint
  // CHECK: %[[V1:.+]] = stream.timepoint.await %[[T1]] => %[[R1]]
  // CHECK-NEXT: stream.tensor.export on(#hal.device.affinity<@a>) %[[V1]]
  %3 = stream.tensor.export on(#a) %1 : tensor<16xf32> in !stream.resource<external>{%c64} -> !hal.buffer_view
  // CHECK: %[[V2:.+]] = stream.timepoint.await %[[T2]] => %[[R2]]
  // CHECK-NEXT: stream.tensor.export on(#hal.device.affinity<@b>) %[[V2]]
  %2 = stream.timepoint.await %t2 => %r2 : !stream.resource<external>{%c64}
  %4 = stream.tensor.export on(#b) %2 : tensor<16xf32> in !stream.resource<external>{%c64} -> !hal.buffer_view
  util.return %3, %4 : !hal.buffer_view, !hal.buffer_view
}

// -----

// A wait that says `sync` stays where it is, and a region after it need not wait.
// CHECK-LABEL: @sync
util.func public @sync(%r: !stream.resource<external>, %n: index, %t: !stream.timepoint) -> !stream.timepoint {
  // CHECK-NEXT: %[[V:.+]] = stream.timepoint.await sync
  %0 = stream.timepoint.await sync %t => %r : !stream.resource<external>{%n}
  // CHECK-NEXT: stream.cmd.execute with(%[[V]] as
  %t1 = stream.cmd.execute with(%0 as %arg0: !stream.resource<external>{%n}) {
  } => !stream.timepoint
  util.return %t1 : !stream.timepoint
}

// -----

// A region takes what another one makes by its raw name, because the host has waited in between:
// once that wait has floated down to its user, the region waits itself (IR-01).
// CHECK-LABEL: @raw_after_wait
util.func public @raw_after_wait(%n: i32) -> (!stream.resource<external>, !stream.resource<external>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  // CHECK: %[[R1:.+]], %[[T1:.+]] = stream.async.execute on(#hal.device.affinity<@a>) with
  %r1, %t1 = stream.async.execute on(#hal.device.affinity<@a>) with() -> !stream.resource<external>{%c64} {
    %0 = stream.async.splat %n : i32 -> !stream.resource<external>{%c64}
    stream.yield %0 : !stream.resource<external>{%c64}
  } => !stream.timepoint
  %1 = stream.timepoint.await %t1 => %r1 : !stream.resource<external>{%c64}
  // CHECK: stream.async.execute on(#hal.device.affinity<@a>) await(%[[T1]]) => with(%[[R1]] as
  %r2, %t2 = stream.async.execute on(#hal.device.affinity<@a>) with(%r1 as %arg0: !stream.resource<external>{%c64}) -> !stream.resource<external>{%c64} {
    %2 = stream.async.clone %arg0 : !stream.resource<external>{%c64} -> !stream.resource<external>{%c64}
    stream.yield %2 : !stream.resource<external>{%c64}
  } => !stream.timepoint
  %3 = stream.timepoint.await %t2 => %r2 : !stream.resource<external>{%c64}
  util.return %1, %3 : !stream.resource<external>, !stream.resource<external>
}

// -----

#a = #hal.device.affinity<@a>
#b = #hal.device.affinity<@b>

// The caller's fence takes on the timepoint, earlier readers of the storage included; the host
// waits for nothing, and exports what is there once the fence is reached.
// CHECK-LABEL: @asynchronous
// CHECK-SAME: : !hal.buffer_view, %[[WAIT:.+]]: !hal.fence, %[[SIGNAL:.+]]: !hal.fence)
util.func public @asynchronous(%x: !hal.buffer_view, %wait: !hal.fence, %signal: !hal.fence) -> !hal.buffer_view {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %0 = stream.tensor.import on(#a) %x : !hal.buffer_view -> tensor<16xf32> in !stream.resource<external>{%c64}
  // CHECK: %[[START:.+]] = stream.timepoint.import on(#hal.device.affinity<@a>) %[[WAIT]]
  %t0 = stream.timepoint.import on(#a) %wait : (!hal.fence) => !stream.timepoint
  // CHECK-NOT: stream.timepoint.await
  %1 = stream.timepoint.await %t0 => %0 : !stream.resource<external>{%c64}
  // CHECK: %[[R1:.+]], %[[T1:.+]] = stream.async.execute on(#hal.device.affinity<@a>) await(%[[START]])
  %r1, %t1 = stream.async.execute on(#a) with(%1 as %arg0: !stream.resource<external>{%c64}) -> !stream.resource<external>{%c64} {
    %5 = stream.async.dispatch @ex::@f(%arg0[%c0 to %c64 for %c64]) : (!stream.resource<external>{%c64}) -> !stream.resource<external>{%c64}
    stream.yield %5 : !stream.resource<external>{%c64}
  } => !stream.timepoint
  %2 = stream.timepoint.await %t1 => %r1 : !stream.resource<external>{%c64}
  // CHECK: %{{.+}}, %[[T2:.+]] = stream.async.execute on(#hal.device.affinity<@b>) await(%[[T1]])
  %r2, %t2 = stream.async.execute on(#b) with(%2 as %arg0: !stream.resource<external>{%c64}) -> !stream.resource<transient>{%c64} {
    %6 = stream.async.dispatch @ex::@g(%arg0[%c0 to %c64 for %c64]) : (!stream.resource<external>{%c64}) -> !stream.resource<transient>{%c64}
    stream.yield %6 : !stream.resource<transient>{%c64}
  } => !stream.timepoint
  // CHECK-NOT: stream.timepoint.{{await|barrier}}
  // CHECK: stream.timepoint.chain_external on(#hal.device.affinity<@a>) %[[T2]] => (%[[SIGNAL]] : !hal.fence)
  %3, %t3 = stream.timepoint.barrier on(#a) %2 : !stream.resource<external>{%c64} => !stream.timepoint
  stream.timepoint.chain_external on(#a) %t3 => (%signal : !hal.fence)
  // CHECK-NEXT: %[[V:.+]] = stream.tensor.export on(#hal.device.affinity<@a>) %[[R1]]
  // CHECK-NEXT: util.return %[[V]]
  %4 = stream.tensor.export on(#a) %3 : tensor<16xf32> in !stream.resource<external>{%c64} -> !hal.buffer_view
  util.return %4 : !hal.buffer_view
}

// -----

// What reads and writes a mutable global is waited for: the next call takes the global as quiet.
#a = #hal.device.affinity<@a>
module {
  util.global private mutable @state : !stream.resource<variable>
  // CHECK-LABEL: @keeps_state
  util.func public @keeps_state(%signal: !hal.fence) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %0 = util.global.load @state : !stream.resource<variable>
    // CHECK: %[[R:.+]], %[[T:.+]] = stream.async.execute
    %r, %t = stream.async.execute on(#a) with(%0 as %arg0: !stream.resource<variable>{%c64}) -> !stream.resource<external>{%c64} {
      %5 = stream.async.dispatch @ex::@f(%arg0[%c0 to %c64 for %c64]) : (!stream.resource<variable>{%c64}) -> !stream.resource<external>{%c64}
      stream.yield %5 : !stream.resource<external>{%c64}
    } => !stream.timepoint
    %1 = stream.timepoint.await %t => %r : !stream.resource<external>{%c64}
    %2, %t2 = stream.timepoint.barrier on(#a) %1 : !stream.resource<external>{%c64} => !stream.timepoint
    // CHECK: stream.timepoint.chain_external on(#hal.device.affinity<@a>) %[[T]]
    stream.timepoint.chain_external on(#a) %t2 => (%signal : !hal.fence)
    %3 = stream.tensor.export on(#a) %2 : tensor<16xf32> in !stream.resource<external>{%c64} -> !hal.buffer_view
    // CHECK: stream.timepoint.await %[[T]] => %[[R]]
    // CHECK-NEXT: util.return
    util.return %3 : !hal.buffer_view
  }
}

// -----

// A resource that is there needs no wait: its barrier stays as it is.
#a = #hal.device.affinity<@a>
// CHECK-LABEL: @ready
util.func public @ready(%x: !hal.buffer_view, %t: !stream.timepoint, %y: !hal.buffer_view, %signal: !hal.fence) -> !stream.resource<external> {
  %c64 = arith.constant 64 : index
  %0 = stream.tensor.import on(#a) %x : !hal.buffer_view -> tensor<16xf32> in !stream.resource<external>{%c64}
  %1 = stream.tensor.import on(#a) %y : !hal.buffer_view -> tensor<16xf32> in !stream.resource<external>{%c64}
  %2 = stream.timepoint.await %t => %0 : !stream.resource<external>{%c64}
  // CHECK: %[[B:.+]], %[[T:.+]] = stream.timepoint.barrier on(#hal.device.affinity<@a>)
  %3, %t3 = stream.timepoint.barrier on(#a) %1 : !stream.resource<external>{%c64} => !stream.timepoint
  // CHECK-NEXT: stream.timepoint.chain_external on(#hal.device.affinity<@a>) %[[T]]
  stream.timepoint.chain_external on(#a) %t3 => (%signal : !hal.fence)
  util.return %2 : !stream.resource<external>
}
