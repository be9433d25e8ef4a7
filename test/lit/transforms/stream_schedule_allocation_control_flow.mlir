// RUN: zc-opt --split-input-file %s -p stream-schedule-allocation,stream-verify-allocated | filecheck %s

#a = #hal.device.affinity<@a>
#b = #hal.device.affinity<@b>
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a : !hal.device
  util.global private @b : !hal.device

  // A value that a loop carries from device to device: allocated where both reach it, before the
  // loop and in it (IR-26, IR-49); an iteration frees what it took once its last reader is done,
  // and who uses the result last frees that (IR-45, IR-48).
  // CHECK-LABEL: @carried
  util.func public @carried(%n: index) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    // CHECK: %[[S:.+]], %{{.+}} = stream.resource.alloca uninitialized on(#hal.device.optimal<[#hal.device.affinity<@a>, #hal.device.affinity<@b>]>) : !stream.resource<transient>{%c64}
    %0, %t0 = stream.async.execute on(#a) with() -> !stream.resource<transient>{%c64} {
      %6 = stream.async.dispatch @ex::@f() : () -> !stream.resource<transient>{%c64}
      stream.yield %6 : !stream.resource<transient>{%c64}
    } => !stream.timepoint
    // CHECK: %[[R:.+]], %[[TR:.+]] = scf.for {{.+}} iter_args(%[[V:.+]] = %[[S]], %[[TV:.+]] =
    %1, %t1 = scf.for %i = %c0 to %n step %c1 iter_args(%v = %0, %tv = %t0) -> (!stream.resource<transient>, !stream.timepoint) {
      // CHECK: %[[N:.+]], %[[TN:.+]] = stream.resource.alloca uninitialized on(#hal.device.optimal<[#hal.device.affinity<@a>, #hal.device.affinity<@b>]>) await(%[[TV]])
      // CHECK-NEXT: %[[TX:.+]] = stream.cmd.execute on(#hal.device.affinity<@b>) await(%[[TN]]) => with(%[[V]] as {{.+}}, %[[N]] as
      // CHECK: stream.resource.dealloca on(#hal.device.optimal<[#hal.device.affinity<@a>, #hal.device.affinity<@b>]>) await(%[[TX]]) => %[[V]]
      // CHECK-NEXT: scf.yield %[[N]], %[[TX]]
      %3, %t3 = stream.async.execute on(#b) await(%tv) => with(%v as %arg0: !stream.resource<transient>{%c64}) -> !stream.resource<transient>{%c64} {
        %6 = stream.async.dispatch @ex::@g(%arg0[%c0 to %c64 for %c64]) : (!stream.resource<transient>{%c64}) -> !stream.resource<transient>{%c64}
        stream.yield %6 : !stream.resource<transient>{%c64}
      } => !stream.timepoint
      scf.yield %3, %t3 : !stream.resource<transient>, !stream.timepoint
    }
    // CHECK: %[[TZ:.+]] = stream.cmd.execute on(#hal.device.affinity<@a>) await(%{{.+}}) => with(%[[R]] as
    // CHECK: stream.resource.dealloca on(#hal.device.optimal<[#hal.device.affinity<@a>, #hal.device.affinity<@b>]>) await(%[[TZ]]) => %[[R]]
    %2, %t2 = stream.async.execute on(#a) await(%t1) => with(%1 as %arg0: !stream.resource<transient>{%c64}) -> !stream.resource<transient>{%c64} {
      %6 = stream.async.dispatch @ex::@g(%arg0[%c0 to %c64 for %c64]) : (!stream.resource<transient>{%c64}) -> !stream.resource<transient>{%c64}
      stream.yield %6 : !stream.resource<transient>{%c64}
    } => !stream.timepoint
    util.return %t2 : !stream.timepoint
  }

  // A loop that starts with what the caller holds: its first iteration does not free that. What is
  // read in the loop from outside is freed after it, when the loop's timepoints say that its readers
  // are done: they tell of its writer, too, which the first round waits for. The result is handed out.
  // CHECK-LABEL: @borrowed
  util.func public @borrowed(%x: !hal.buffer_view, %n: index) -> (!stream.resource<external>, !stream.timepoint) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %0 = stream.tensor.import on(#a) %x : !hal.buffer_view -> tensor<16xf32> in !stream.resource<external>{%c64}
    // CHECK: %[[W:.+]], %{{.+}} = stream.resource.alloca
    %w, %tw = stream.async.execute on(#a) with() -> !stream.resource<transient>{%c64} {
      %6 = stream.async.dispatch @ex::@f() : () -> !stream.resource<transient>{%c64}
      stream.yield %6 : !stream.resource<transient>{%c64}
    } => !stream.timepoint
    // CHECK: %{{.+}}, %[[TL:.+]] = scf.for {{.+}} iter_args(%[[V:[a-z]+]] =
    %1, %t1 = scf.for %i = %c0 to %n step %c1 iter_args(%v = %0, %tv = %tw) -> (!stream.resource<external>, !stream.timepoint) {
      // CHECK-NOT: stream.resource.dealloca
      // CHECK: scf.if
      // CHECK-NEXT: stream.resource.dealloca {{.+}} => %[[V]]
      // CHECK-NOT: stream.resource.dealloca
      // CHECK: scf.yield
      %3, %t3 = stream.async.execute on(#b) await(%tv) => with(%v as %arg0: !stream.resource<external>{%c64}, %w as %arg1: !stream.resource<transient>{%c64}) -> !stream.resource<external>{%c64} {
        %6 = stream.async.dispatch @ex::@g(%arg0[%c0 to %c64 for %c64], %arg1[%c0 to %c64 for %c64]) : (!stream.resource<external>{%c64}, !stream.resource<transient>{%c64}) -> !stream.resource<external>{%c64}
        stream.yield %6 : !stream.resource<external>{%c64}
      } => !stream.timepoint
      scf.yield %3, %t3 : !stream.resource<external>, !stream.timepoint
    }
    // CHECK-NOT: stream.timepoint.join
    // CHECK: stream.resource.dealloca on({{.+}}) await(%[[TL]]) => %[[W]]
    // CHECK-NOT: stream.resource.dealloca
    // CHECK: util.return
    util.return %1, %t1 : !stream.resource<external>, !stream.timepoint
  }

  // Work in a branch that no timepoint tells of: what it reads is not freed.
  // CHECK-LABEL: @untold
  util.func public @untold(%c: i1) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %0, %t0 = stream.async.execute on(#a) with() -> !stream.resource<transient>{%c64} {
      %6 = stream.async.dispatch @ex::@f() : () -> !stream.resource<transient>{%c64}
      stream.yield %6 : !stream.resource<transient>{%c64}
    } => !stream.timepoint
    scf.if %c {
      // CHECK: %[[L:.+]], %{{.+}} = stream.resource.alloca {{.+}} await
      %3, %t3 = stream.async.execute on(#b) await(%t0) => with(%0 as %arg0: !stream.resource<transient>{%c64}) -> !stream.resource<transient>{%c64} {
        %6 = stream.async.dispatch @ex::@g(%arg0[%c0 to %c64 for %c64]) : (!stream.resource<transient>{%c64}) -> !stream.resource<transient>{%c64}
        stream.yield %6 : !stream.resource<transient>{%c64}
      } => !stream.timepoint
      // CHECK: stream.resource.dealloca {{.+}} => %[[L]]
    }
    // CHECK-NOT: stream.resource.dealloca
    // CHECK: util.return
    util.return
  }

  // Two values that an iteration swaps: each has one owner at all times, so the one that is not
  // carried on is freed; a result that is handed out is not.
  // CHECK-LABEL: @swapped
  util.func public @swapped(%n: index) -> (!stream.resource<transient>, !stream.timepoint) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %0:2, %t0 = stream.async.execute on(#a) with() -> (!stream.resource<transient>{%c64}, !stream.resource<transient>{%c64}) {
      %6 = stream.async.dispatch @ex::@f() : () -> !stream.resource<transient>{%c64}
      %7 = stream.async.dispatch @ex::@f() : () -> !stream.resource<transient>{%c64}
      stream.yield %6, %7 : !stream.resource<transient>{%c64}, !stream.resource<transient>{%c64}
    } => !stream.timepoint
    // CHECK: %[[R0:.+]], %[[R1:.+]], %[[T:.+]] = scf.for {{.+}} iter_args(%[[P:.+]] = {{.+}}, %[[Q:.+]] = {{.+}}, %
    %1:2, %t1 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %0#0, %q = %0#1, %tv = %t0) -> (!stream.resource<transient>, !stream.resource<transient>, !stream.timepoint) {
      %3, %t3 = stream.async.execute on(#b) await(%tv) => with(%p as %arg0: !stream.resource<transient>{%c64}, %q as %arg1: !stream.resource<transient>{%c64}) -> !stream.resource<transient>{%c64} {
        %6 = stream.async.dispatch @ex::@g(%arg0[%c0 to %c64 for %c64], %arg1[%c0 to %c64 for %c64]) : (!stream.resource<transient>{%c64}, !stream.resource<transient>{%c64}) -> !stream.resource<transient>{%c64}
        stream.yield %6 : !stream.resource<transient>{%c64}
      } => !stream.timepoint
      // CHECK: stream.resource.dealloca {{.+}} => %[[P]]
      // CHECK-NEXT: scf.yield %[[Q]]
      scf.yield %q, %3, %t3 : !stream.resource<transient>, !stream.resource<transient>, !stream.timepoint
    }
    // CHECK: stream.resource.dealloca {{.+}} await(%[[T]]) => %[[R1]]
    // CHECK-NOT: stream.resource.dealloca
    // CHECK: util.return %[[R0]]
    util.return %1#0, %t1 : !stream.resource<transient>, !stream.timepoint
  }
}
