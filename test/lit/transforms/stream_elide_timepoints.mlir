// RUN: zc-opt --split-input-file %s -p stream-elide-timepoints | filecheck %s

#a = #hal.device.affinity<@a>
#b = #hal.device.affinity<@b>

// A wait for what an earlier wait implies goes, and so do joins of one and immediate timepoints.
// CHECK-LABEL: @implied
util.func public @implied(%r: !stream.resource<transient>, %n: index) -> !stream.timepoint {
  // CHECK-NOT: immediate
  // CHECK: %[[T1:.+]] = stream.cmd.execute on(#hal.device.affinity<@a>) with
  %0 = stream.timepoint.immediate => !stream.timepoint
  %t1 = stream.cmd.execute on(#a) await(%0) => with(%r as %arg0: !stream.resource<transient>{%n}) {
  } => !stream.timepoint
  // CHECK: %[[T2:.+]] = stream.cmd.execute on(#hal.device.affinity<@b>) await(%[[T1]])
  %1 = stream.timepoint.join max(%t1, %0, %t1) => !stream.timepoint
  %t2 = stream.cmd.execute on(#b) await(%1) => with(%r as %arg0: !stream.resource<transient>{%n}) {
  } => !stream.timepoint
  // CHECK-NOT: join
  // CHECK: %[[T3:.+]] = stream.cmd.execute on(#hal.device.affinity<@a>) await(%[[T2]])
  %2 = stream.timepoint.join max(%t1, %t2) => !stream.timepoint
  %t3 = stream.cmd.execute on(#a) await(%2) => with(%r as %arg0: !stream.resource<transient>{%n}) {
  } => !stream.timepoint
  // CHECK: util.return %[[T3]]
  util.return %t3 : !stream.timepoint
}

// -----

#a = #hal.device.affinity<@a>
#b = #hal.device.affinity<@b>

// What the host has waited for is done: a later region need not wait, nor the host again.
// CHECK-LABEL: @host
util.func public @host(%r: !stream.resource<external>, %n: index, %t0: !stream.timepoint) -> (!stream.resource<external>, !stream.timepoint) {
  // CHECK: %[[T1:.+]] = stream.cmd.execute on(#hal.device.affinity<@a>) await(%{{.+}}) =>
  %t1 = stream.cmd.execute on(#a) await(%t0) => with(%r as %arg0: !stream.resource<external>{%n}) {
  } => !stream.timepoint
  // CHECK: %[[R:.+]] = stream.timepoint.await %[[T1]]
  %0 = stream.timepoint.await %t1 => %r : !stream.resource<external>{%n}
  // CHECK: %[[T2:.+]] = stream.cmd.execute on(#hal.device.affinity<@b>) with(%[[R]] as
  %t2 = stream.cmd.execute on(#b) await(%t1) => with(%0 as %arg0: !stream.resource<external>{%n}) {
  } => !stream.timepoint
  // CHECK-NOT: stream.timepoint.await
  %1 = stream.timepoint.await %t0 => %0 : !stream.resource<external>{%n}
  // CHECK: util.return %[[R]], %[[T2]]
  util.return %1, %t2 : !stream.resource<external>, !stream.timepoint
}

// -----

#a = #hal.device.affinity<@a>
#b = #hal.device.affinity<@b>

// Regions that nothing orders are all waited for; `sync` says that the host waits in any case.
// CHECK-LABEL: @kept
util.func public @kept(%r: !stream.resource<external>, %n: index) -> !stream.resource<external> {
  // CHECK: %[[T1:.+]] = stream.cmd.execute on(#hal.device.affinity<@a>) with
  %t1 = stream.cmd.execute on(#a) with(%r as %arg0: !stream.resource<external>{%n}) {
  } => !stream.timepoint
  // CHECK: %[[T2:.+]] = stream.cmd.execute on(#hal.device.affinity<@b>) with
  %t2 = stream.cmd.execute on(#b) with(%r as %arg0: !stream.resource<external>{%n}) {
  } => !stream.timepoint
  // CHECK: %[[J:.+]] = stream.timepoint.join max(%[[T1]], %[[T2]])
  %0 = stream.timepoint.join max(%t1, %t2) => !stream.timepoint
  // CHECK: stream.timepoint.await %[[J]]
  %1 = stream.timepoint.await %0 => %r : !stream.resource<external>{%n}
  // CHECK: %[[I:.+]] = stream.timepoint.immediate
  // CHECK: %[[R:.+]] = stream.timepoint.await sync %[[I]]
  %2 = stream.timepoint.await sync %0 => %1 : !stream.resource<external>{%n}
  // CHECK: util.return %[[R]]
  util.return %2 : !stream.resource<external>
}

// -----

#a = #hal.device.affinity<@a>
#b = #hal.device.affinity<@b>

// A region of maintenance alone keeps its waits and its timepoint (IR-40).
// CHECK-LABEL: @maintenance
util.func public @maintenance(%r: !stream.resource<transient>, %n: index, %t0: !stream.timepoint) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  // CHECK: %[[T1:.+]] = stream.cmd.execute on(#hal.device.affinity<@a>) await(%t0)
  // CHECK-NEXT: stream.cmd.flush
  %t1 = stream.cmd.execute on(#a) await(%t0) => with(%r as %arg0: !stream.resource<transient>{%n}) {
    stream.cmd.flush to(#b) %arg0[%c0 for %n] : !stream.resource<transient>{%n}
  } => !stream.timepoint
  // CHECK: stream.cmd.execute on(#hal.device.affinity<@b>) await(%[[T1]])
  %0 = stream.timepoint.join max(%t0, %t1) => !stream.timepoint
  %t2 = stream.cmd.execute on(#b) await(%0) => with(%r as %arg0: !stream.resource<transient>{%n}) {
    stream.cmd.invalidate from(#a) %arg0[%c0 for %n] : !stream.resource<transient>{%n}
  } => !stream.timepoint
  util.return %t2 : !stream.timepoint
}

// -----

// What the host has waited for before a branch or a loop is reached within; what it waits for in a
// branch may not be afterwards.
// CHECK-LABEL: @nested
util.func private @nested(%r: !stream.resource<external>, %c: i1, %n: index) -> (!stream.timepoint, !stream.timepoint) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  // CHECK: %[[T0:.+]] = stream.cmd.execute
  %t0 = stream.cmd.execute on(#hal.device.affinity<@a>) with(%r as %x: !stream.resource<external>{%c64}) {
    stream.cmd.discard %x[%c0 for %c64] : !stream.resource<external>{%c64}
  } => !stream.timepoint
  // CHECK: %[[T1:.+]] = stream.cmd.execute
  %t1 = stream.cmd.execute on(#hal.device.affinity<@b>) with(%r as %x: !stream.resource<external>{%c64}) {
    stream.cmd.discard %x[%c0 for %c64] : !stream.resource<external>{%c64}
  } => !stream.timepoint
  %r0 = stream.timepoint.await %t0 => %r : !stream.resource<external>{%c64}
  // CHECK: scf.for
  scf.for %i = %c0 to %n step %c1 {
    // CHECK: stream.cmd.execute on(#hal.device.affinity<@a>) with
    %t2 = stream.cmd.execute on(#hal.device.affinity<@a>) await(%t0) => with(%r0 as %x: !stream.resource<external>{%c64}) {
      stream.cmd.discard %x[%c0 for %c64] : !stream.resource<external>{%c64}
    } => !stream.timepoint
    // CHECK: stream.cmd.execute on(#hal.device.affinity<@a>) await(%[[T1]])
    %t3 = stream.cmd.execute on(#hal.device.affinity<@a>) await(%t1) => with(%r0 as %x: !stream.resource<external>{%c64}) {
      stream.cmd.discard %x[%c0 for %c64] : !stream.resource<external>{%c64}
    } => !stream.timepoint
  }
  scf.if %c {
    %r1 = stream.timepoint.await %t1 => %r : !stream.resource<external>{%c64}
    // CHECK: stream.cmd.execute on(#hal.device.affinity<@a>) with
    %t4 = stream.cmd.execute on(#hal.device.affinity<@a>) await(%t1) => with(%r1 as %x: !stream.resource<external>{%c64}) {
      stream.cmd.discard %x[%c0 for %c64] : !stream.resource<external>{%c64}
    } => !stream.timepoint
  }
  // CHECK: %[[T5:.+]] = stream.cmd.execute on(#hal.device.affinity<@a>) await(%[[T1]])
  %t5 = stream.cmd.execute on(#hal.device.affinity<@a>) await(%t1) => with(%r as %x: !stream.resource<external>{%c64}) {
    stream.cmd.discard %x[%c0 for %c64] : !stream.resource<external>{%c64}
  } => !stream.timepoint
  util.return %t5, %t1 : !stream.timepoint, !stream.timepoint
}

// -----

// A function's first block comes before all others; of two others neither does.
// CHECK-LABEL: @blocks
util.func private @blocks(%r: !stream.resource<external>, %c: i1) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %t0 = stream.cmd.execute on(#hal.device.affinity<@a>) with(%r as %x: !stream.resource<external>{%c64}) {
    stream.cmd.discard %x[%c0 for %c64] : !stream.resource<external>{%c64}
  } => !stream.timepoint
  // CHECK: %[[T1:.+]] = stream.cmd.execute on(#hal.device.affinity<@b>)
  %t1 = stream.cmd.execute on(#hal.device.affinity<@b>) with(%r as %x: !stream.resource<external>{%c64}) {
    stream.cmd.discard %x[%c0 for %c64] : !stream.resource<external>{%c64}
  } => !stream.timepoint
  %r0 = stream.timepoint.await %t0 => %r : !stream.resource<external>{%c64}
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %r1 = stream.timepoint.await %t1 => %r : !stream.resource<external>{%c64}
  cf.br ^bb2
^bb2:
  // CHECK: stream.cmd.execute on(#hal.device.affinity<@a>) await(%[[T1]])
  %j = stream.timepoint.join max(%t0, %t1) => !stream.timepoint
  %t2 = stream.cmd.execute on(#hal.device.affinity<@a>) await(%j) => with(%r0 as %x: !stream.resource<external>{%c64}) {
    stream.cmd.discard %x[%c0 for %c64] : !stream.resource<external>{%c64}
  } => !stream.timepoint
  util.call @use(%t2) : (!stream.timepoint) -> ()
  util.return
}
util.func private @use(!stream.timepoint)

// -----

#a = #hal.device.affinity<@a>

// The first of a chain of allocations keeps its wait, needed or not: IREE crashes on a chain that
// starts without. An allocation that a region waits for waits for nothing that it need not.
// CHECK-LABEL: @chain_of_allocations
util.func public @chain_of_allocations(%r: !stream.resource<external>, %n: index, %t0: !stream.timepoint) -> (!stream.resource<external>, !stream.timepoint, !stream.timepoint) {
  // CHECK: stream.timepoint.await %[[T0:.+]] =>
  %0 = stream.timepoint.await %t0 => %r : !stream.resource<external>{%n}
  // CHECK: %{{.+}}, %[[T1:.+]] = stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) await(%[[T0]])
  %r1, %t1 = stream.resource.alloca uninitialized on(#a) await(%t0) => !stream.resource<transient>{%n} => !stream.timepoint
  // CHECK: stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) await(%[[T1]])
  %r2, %t2 = stream.resource.alloca uninitialized on(#a) await(%t1) => !stream.resource<transient>{%n} => !stream.timepoint
  // CHECK: stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) : !stream.resource<transient>
  %r3, %t3 = stream.resource.alloca uninitialized on(#a) await(%t0) => !stream.resource<transient>{%n} => !stream.timepoint
  util.return %0, %t2, %t3 : !stream.resource<external>, !stream.timepoint, !stream.timepoint
}
