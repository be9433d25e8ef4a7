// RUN: zc-opt --split-input-file %s -p stream-schedule-allocation,stream-verify-allocated | filecheck %s

#a = #hal.device.affinity<@a>
#b = #hal.device.affinity<@b>
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a : !hal.device
  util.global private @b : !hal.device

  // Nested branches that yield one storage on all paths: freed once, after the last use under
  // either name, the later of which is the first one (case B41).
  // CHECK-LABEL: @all_paths
  util.func public @all_paths(%p: i1, %q: i1) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    // CHECK: %[[S:.+]], %{{.+}} = stream.resource.alloca
    %0, %t0 = stream.async.execute on(#a) with() -> !stream.resource<transient>{%c64} {
      %6 = stream.async.dispatch @ex::@f() : () -> !stream.resource<transient>{%c64}
      stream.yield %6 : !stream.resource<transient>{%c64}
    } => !stream.timepoint
    %1, %t1 = scf.if %p -> (!stream.resource<transient>, !stream.timepoint) {
      %2 = scf.if %q -> (!stream.resource<transient>) {
        scf.yield %0 : !stream.resource<transient>
      } else {
        scf.yield %0 : !stream.resource<transient>
      }
      scf.yield %2, %t0 : !stream.resource<transient>, !stream.timepoint
    } else {
      scf.yield %0, %t0 : !stream.resource<transient>, !stream.timepoint
    }
    // CHECK-NOT: stream.resource.dealloca
    // CHECK: stream.cmd.execute on(#hal.device.affinity<@b>)
    %t3 = stream.async.execute on(#b) await(%t1) => with(%1 as %arg0: !stream.resource<transient>{%c64}) {
      stream.async.dispatch @ex::@g(%arg0[%c0 to %c64 for %c64]) : (!stream.resource<transient>{%c64}) -> ()
      stream.yield
    } => !stream.timepoint
    // CHECK-NOT: stream.resource.dealloca
    // CHECK: %[[TA:.+]] = stream.cmd.execute on(#hal.device.affinity<@a>)
    %t4 = stream.async.execute on(#a) await(%t3) => with(%0 as %arg0: !stream.resource<transient>{%c64}) {
      stream.async.dispatch @ex::@g(%arg0[%c0 to %c64 for %c64]) : (!stream.resource<transient>{%c64}) -> ()
      stream.yield
    } => !stream.timepoint
    // CHECK: stream.resource.dealloca {{.*}}await(%[[TA]]) => %[[S]]
    // CHECK-NOT: stream.resource.dealloca
    // CHECK: util.return
    util.return %t4 : !stream.timepoint
  }

  // One branch passes the storage on, the other frees it, after those who used it before; who uses
  // the result last frees that.
  // CHECK-LABEL: @one_path
  util.func public @one_path(%p: i1) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    // CHECK: %[[S:.+]], %{{.+}} = stream.resource.alloca
    %0, %t0 = stream.async.execute on(#a) with() -> !stream.resource<transient>{%c64} {
      %6 = stream.async.dispatch @ex::@f() : () -> !stream.resource<transient>{%c64}
      stream.yield %6 : !stream.resource<transient>{%c64}
    } => !stream.timepoint
    // CHECK: %[[T0:.+]] = stream.cmd.execute on(#hal.device.affinity<@a>) {{.+}}%[[S]] as
    // CHECK: %[[R:.+]], %{{.+}} = scf.if
    %1, %t1 = scf.if %p -> (!stream.resource<transient>, !stream.timepoint) {
      // CHECK-NEXT: scf.yield %[[S]]
      scf.yield %0, %t0 : !stream.resource<transient>, !stream.timepoint
    } else {
      // CHECK: stream.resource.dealloca {{.*}}await(%[[T0]]) => %[[S]]
      %3, %t3 = stream.async.execute on(#b) with() -> !stream.resource<transient>{%c64} {
        %6 = stream.async.dispatch @ex::@f() : () -> !stream.resource<transient>{%c64}
        stream.yield %6 : !stream.resource<transient>{%c64}
      } => !stream.timepoint
      // CHECK-NOT: stream.resource.dealloca
      // CHECK: scf.yield
      scf.yield %3, %t3 : !stream.resource<transient>, !stream.timepoint
    }
    // CHECK: %[[TB:.+]] = stream.cmd.execute on(#hal.device.affinity<@b>)
    // CHECK: stream.resource.dealloca {{.*}}await(%[[TB]]) => %[[R]]
    // CHECK-NOT: stream.resource.dealloca
    // CHECK: util.return
    %t4 = stream.async.execute on(#b) await(%t1) => with(%1 as %arg0: !stream.resource<transient>{%c64}) {
      stream.async.dispatch @ex::@g(%arg0[%c0 to %c64 for %c64]) : (!stream.resource<transient>{%c64}) -> ()
      stream.yield
    } => !stream.timepoint
    util.return %t4 : !stream.timepoint
  }

  // Where the storage is used after the branch that may have passed it on, nobody knows whose it
  // is: nothing is freed (the runtime counts references).
  // CHECK-LABEL: @used_after
  // CHECK-NOT: stream.resource.dealloca
  // CHECK: util.return
  util.func public @used_after(%p: i1) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %0:2, %t0 = stream.async.execute on(#a) with() -> (!stream.resource<transient>{%c64}, !stream.resource<transient>{%c64}) {
      %6 = stream.async.dispatch @ex::@f() : () -> !stream.resource<transient>{%c64}
      %7 = stream.async.dispatch @ex::@f() : () -> !stream.resource<transient>{%c64}
      stream.yield %6, %7 : !stream.resource<transient>{%c64}, !stream.resource<transient>{%c64}
    } => !stream.timepoint
    %1, %t1 = scf.if %p -> (!stream.resource<transient>, !stream.timepoint) {
      scf.yield %0#0, %t0 : !stream.resource<transient>, !stream.timepoint
    } else {
      scf.yield %0#1, %t0 : !stream.resource<transient>, !stream.timepoint
    }
    %t4 = stream.async.execute on(#b) await(%t1) => with(%1 as %arg0: !stream.resource<transient>{%c64}, %0#0 as %arg1: !stream.resource<transient>{%c64}) {
      stream.async.dispatch @ex::@g(%arg0[%c0 to %c64 for %c64], %arg1[%c0 to %c64 for %c64]) : (!stream.resource<transient>{%c64}, !stream.resource<transient>{%c64}) -> ()
      stream.yield
    } => !stream.timepoint
    util.return %t4 : !stream.timepoint
  }

  // A loop that starts with the caller's storage: the first iteration frees nothing, the others
  // free what they took; the result is freed if there was an iteration.
  // CHECK-LABEL: @starts_with_import
  util.func public @starts_with_import(%x: !hal.buffer_view, %n: index) -> !stream.timepoint {
    // CHECK: %[[C0:.+]] = arith.constant 0
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %0 = stream.tensor.import on(#a) %x : !hal.buffer_view -> tensor<16xf32> in !stream.resource<external>{%c64}
    %t0 = stream.timepoint.immediate => !stream.timepoint
    // CHECK: %[[R:.+]], %{{.+}} = scf.for %[[I:[a-z]+]] = %[[C0]] to %[[N:[a-z]+]] step {{.+}} iter_args(%[[V:[a-z]+]] =
    %1, %t1 = scf.for %i = %c0 to %n step %c1 iter_args(%v = %0, %tv = %t0) -> (!stream.resource<external>, !stream.timepoint) {
      // CHECK: %[[TX:.+]] = stream.cmd.execute
      %3, %t3 = stream.async.execute on(#b) await(%tv) => with(%v as %arg0: !stream.resource<external>{%c64}) -> !stream.resource<external>{%c64} {
        %6 = stream.async.dispatch @ex::@g(%arg0[%c0 to %c64 for %c64]) : (!stream.resource<external>{%c64}) -> !stream.resource<external>{%c64}
        stream.yield %6 : !stream.resource<external>{%c64}
      } => !stream.timepoint
      // CHECK: %[[LATER:.+]] = arith.cmpi ne, %[[I]], %[[C0]]
      // CHECK-NEXT: scf.if %[[LATER]] {
      // CHECK-NEXT: stream.resource.dealloca {{.*}}await(%[[TX]]) => %[[V]]
      // CHECK-NEXT: }
      scf.yield %3, %t3 : !stream.resource<external>, !stream.timepoint
    }
    // CHECK: %[[TB:.+]] = stream.cmd.execute
    %t4 = stream.async.execute on(#a) await(%t1) => with(%1 as %arg0: !stream.resource<external>{%c64}) {
      stream.async.dispatch @ex::@g(%arg0[%c0 to %c64 for %c64]) : (!stream.resource<external>{%c64}) -> ()
      stream.yield
    } => !stream.timepoint
    // CHECK: %[[RAN:.+]] = arith.cmpi slt, %[[C0]], %[[N]]
    // CHECK-NEXT: scf.if %[[RAN]] {
    // CHECK-NEXT: stream.resource.dealloca {{.*}}await(%[[TB]]) => %[[R]]
    util.return %t4 : !stream.timepoint
  }
}
