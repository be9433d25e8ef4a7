// RUN: zc-opt --split-input-file %s -p stream-schedule-allocation | filecheck %s

// Names of one storage become one resource where both devices reach it: no copy, no third
// allocation (IR-02, IR-21, IR-26); freed after the last use on any device (IR-45, IR-48).
#a = #hal.device.affinity<@a>
#b = #hal.device.affinity<@b>
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a : !hal.device
  util.global private @b : !hal.device
  // CHECK-LABEL: @handoff
  util.func public @handoff(%x: !hal.buffer_view) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    // CHECK: %[[X:.+]] = stream.tensor.import
    %0 = stream.tensor.import on(#a) %x : !hal.buffer_view -> tensor<16xf32> in !stream.resource<external>{%c64}
    // CHECK: %[[S:.+]], %[[TS:.+]] = stream.resource.alloca uninitialized on(#hal.device.optimal<[#hal.device.affinity<@a>, #hal.device.affinity<@b>]>) : !stream.resource<transient>{%c64}
    // CHECK-NEXT: %[[TA:.+]] = stream.cmd.execute on(#hal.device.affinity<@a>) await(%[[TS]]) => with(%[[X]] as %[[XA:.+]]: !stream.resource<external>{%c64}, %[[S]] as %[[SA:.+]]: !stream.resource<transient>{%c64})
    // CHECK-NEXT: stream.cmd.dispatch @ex::@f
    // CHECK-NEXT: ro %[[XA]][%c0 for %c64]
    // CHECK-NEXT: wo %[[SA]][%c0 for %c64]
    // CHECK-NOT: stream.cmd.copy
    %1:2, %t1 = stream.async.execute on(#a) with(%0 as %arg0: !stream.resource<external>{%c64}) -> (!stream.resource<transient>{%c64}, !stream.resource<transient>{%c64}) {
      %6 = stream.async.dispatch @ex::@f(%arg0[%c0 to %c64 for %c64]) : (!stream.resource<external>{%c64}) -> !stream.resource<transient>{%c64}
      %7 = stream.async.transfer %6 : !stream.resource<transient>{%c64} -> to(#b) !stream.resource<transient>{%c64} attributes {stream.transfer_kind = "alias"}
      stream.yield %6, %7 : !stream.resource<transient>{%c64}, !stream.resource<transient>{%c64}
    } => !stream.timepoint
    // CHECK: %[[R:.+]], %[[TR:.+]] = stream.resource.alloca uninitialized on(#hal.device.affinity<@b>) await(%[[TA]]) => !stream.resource<external>{%c64}
    // CHECK-NEXT: %[[TB:.+]] = stream.cmd.execute on(#hal.device.affinity<@b>) await(%[[TR]]) => with(%[[S]] as %[[SB:.+]]: !stream.resource<transient>{%c64}, %[[R]] as
    // CHECK: ro %[[SB]][%c0 for %c64]
    %2, %t2 = stream.async.execute on(#b) await(%t1) => with(%1#1 as %arg0: !stream.resource<transient>{%c64}) -> !stream.resource<external>{%c64} {
      %8 = stream.async.dispatch @ex::@g(%arg0[%c0 to %c64 for %c64]) : (!stream.resource<transient>{%c64}) -> !stream.resource<external>{%c64}
      stream.yield %8 : !stream.resource<external>{%c64}
    } => !stream.timepoint
    // CHECK: stream.resource.dealloca on(#hal.device.optimal<[#hal.device.affinity<@a>, #hal.device.affinity<@b>]>) await(%[[TB]]) => %[[S]]
    // An export is not freed, and its wait covers what writes it (case B35).
    // CHECK-NEXT: %[[RR:.+]] = stream.timepoint.await %[[TB]] => %[[R]]
    // CHECK-NEXT: stream.tensor.export on(#hal.device.affinity<@b>) %[[RR]]
    %3 = stream.timepoint.await %t2 => %2 : !stream.resource<external>{%c64}
    %4 = stream.tensor.export on(#b) %3 : tensor<16xf32> in !stream.resource<external>{%c64} -> !hal.buffer_view
    util.return %4 : !hal.buffer_view
  }
}
