// RUN: zc-opt --split-input-file %s -p stream-verify-scheduled | filecheck %s

#a = #hal.device.affinity<@a>
#b = #hal.device.affinity<@b>

// A scheduled program passes and does not change: b waits for a, and the host for b.
// CHECK-LABEL: @scheduled
util.func public @scheduled(%x: !hal.buffer_view) -> !hal.buffer_view {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  // CHECK: stream.async.execute
  // CHECK: stream.async.execute
  // CHECK: stream.timepoint.await
  %0 = stream.tensor.import on(#a) %x : !hal.buffer_view -> tensor<16xf32> in !stream.resource<external>{%c64}
  %r1, %t1 = stream.async.execute on(#a) with(%0 as %arg0: !stream.resource<external>{%c64}) -> !stream.resource<transient>{%c64} {
    %3 = stream.async.dispatch @ex::@f(%arg0[%c0 to %c64 for %c64]) : (!stream.resource<external>{%c64}) -> !stream.resource<transient>{%c64}
    %4 = stream.async.transfer %3 : !stream.resource<transient>{%c64} -> to(#b) !stream.resource<transient>{%c64} attributes {stream.transfer_kind = "alias"}
    stream.yield %4 : !stream.resource<transient>{%c64}
  } => !stream.timepoint
  %r2, %t2 = stream.async.execute on(#b) await(%t1) => with(%r1 as %arg0: !stream.resource<transient>{%c64}) -> !stream.resource<external>{%c64} {
    %5 = stream.async.dispatch @ex::@g(%arg0[%c0 to %c64 for %c64]) : (!stream.resource<transient>{%c64}) -> !stream.resource<external>{%c64}
    stream.yield %5 : !stream.resource<external>{%c64}
  } => !stream.timepoint
  %1 = stream.timepoint.await %t2 => %r2 : !stream.resource<external>{%c64}
  %2 = stream.tensor.export on(#b) %1 : tensor<16xf32> in !stream.resource<external>{%c64} -> !hal.buffer_view
  util.return %2 : !hal.buffer_view
}
