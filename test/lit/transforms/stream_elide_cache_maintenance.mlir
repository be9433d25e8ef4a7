// RUN: zc-opt --split-input-file %s -p stream-elide-cache-maintenance | filecheck %s

// Of two flushes and two invalidates that serve one handoff one each is left.
// CHECK-LABEL: @twice
// CHECK: stream.cmd.invalidate
// CHECK-NOT: stream.cmd.invalidate
// CHECK: @ex::@f
// CHECK: stream.cmd.flush
// CHECK-NOT: stream.cmd.flush
// CHECK: stream.cmd.execute on(#hal.device.affinity<@b>)
// CHECK: stream.cmd.invalidate
// CHECK-NOT: stream.cmd.invalidate
// CHECK: @ex::@g
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.func public @twice(%x: !hal.buffer_view) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %0 = stream.tensor.import on(#hal.device.affinity<@a>) %x : !hal.buffer_view -> tensor<16xf32> in !stream.resource<external>{%c64}
    %t, %t0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) : !stream.resource<transient>{%c64} => !stream.timepoint
    %1 = stream.cmd.execute on(#hal.device.affinity<@a>) await(%t0) => with(%0 as %i: !stream.resource<external>{%c64}, %t as %o: !stream.resource<transient>{%c64}) {
      stream.cmd.invalidate %i[%c0 for %c64] : !stream.resource<external>{%c64}
      stream.cmd.invalidate %i[%c0 for %c64] : !stream.resource<external>{%c64}
      stream.cmd.dispatch @ex::@f {
        ro %i[%c0 for %c64] : !stream.resource<external>{%c64},
        wo %o[%c0 for %c64] : !stream.resource<transient>{%c64}
      }
      stream.cmd.flush to(#hal.device.affinity<@b>) %o[%c0 for %c64] : !stream.resource<transient>{%c64}
      stream.cmd.flush to(#hal.device.affinity<@b>) %o[%c0 for %c64] : !stream.resource<transient>{%c64}
    } => !stream.timepoint
    %r, %r0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@b>) await(%1) => !stream.resource<external>{%c64} => !stream.timepoint
    %2 = stream.cmd.execute on(#hal.device.affinity<@b>) await(%r0) => with(%t as %i: !stream.resource<transient>{%c64}, %r as %o: !stream.resource<external>{%c64}) {
      stream.cmd.invalidate from(#hal.device.affinity<@a>) %i[%c0 for %c64] : !stream.resource<transient>{%c64}
      stream.cmd.invalidate from(#hal.device.affinity<@a>) %i[%c0 for %c64] : !stream.resource<transient>{%c64}
      stream.cmd.dispatch @ex::@g {
        ro %i[%c0 for %c64] : !stream.resource<transient>{%c64},
        wo %o[%c0 for %c64] : !stream.resource<external>{%c64}
      }
    } => !stream.timepoint
    %3 = stream.resource.dealloca on(#hal.device.affinity<@a>) await(%2) => %t : !stream.resource<transient>{%c64} => !stream.timepoint
    %4 = stream.timepoint.await %2 => %r : !stream.resource<external>{%c64}
    %5 = stream.tensor.export on(#hal.device.affinity<@b>) %4 : tensor<16xf32> in !stream.resource<external>{%c64} -> !hal.buffer_view
    util.return %5 : !hal.buffer_view
  }
}

// -----

// Each operation is needed: none goes.
// CHECK-LABEL: @minimal
// CHECK: stream.cmd.invalidate
// CHECK: stream.cmd.flush
// CHECK: stream.cmd.invalidate
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.func public @minimal(%x: !hal.buffer_view) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %0 = stream.tensor.import on(#hal.device.affinity<@a>) %x : !hal.buffer_view -> tensor<16xf32> in !stream.resource<external>{%c64}
    %t, %t0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) : !stream.resource<transient>{%c64} => !stream.timepoint
    %1 = stream.cmd.execute on(#hal.device.affinity<@a>) await(%t0) => with(%0 as %i: !stream.resource<external>{%c64}, %t as %o: !stream.resource<transient>{%c64}) {
      stream.cmd.invalidate %i[%c0 for %c64] : !stream.resource<external>{%c64}
      stream.cmd.dispatch @ex::@f {
        ro %i[%c0 for %c64] : !stream.resource<external>{%c64},
        wo %o[%c0 for %c64] : !stream.resource<transient>{%c64}
      }
      stream.cmd.flush to(#hal.device.affinity<@b>) %o[%c0 for %c64] : !stream.resource<transient>{%c64}
    } => !stream.timepoint
    %r, %r0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@b>) await(%1) => !stream.resource<external>{%c64} => !stream.timepoint
    %2 = stream.cmd.execute on(#hal.device.affinity<@b>) await(%r0) => with(%t as %i: !stream.resource<transient>{%c64}, %r as %o: !stream.resource<external>{%c64}) {
      stream.cmd.invalidate from(#hal.device.affinity<@a>) %i[%c0 for %c64] : !stream.resource<transient>{%c64}
      stream.cmd.dispatch @ex::@g {
        ro %i[%c0 for %c64] : !stream.resource<transient>{%c64},
        wo %o[%c0 for %c64] : !stream.resource<external>{%c64}
      }
    } => !stream.timepoint
    %3 = stream.resource.dealloca on(#hal.device.affinity<@a>) await(%2) => %t : !stream.resource<transient>{%c64} => !stream.timepoint
    %4 = stream.timepoint.await %2 => %r : !stream.resource<external>{%c64}
    %5 = stream.tensor.export on(#hal.device.affinity<@b>) %4 : tensor<16xf32> in !stream.resource<external>{%c64} -> !hal.buffer_view
    util.return %5 : !hal.buffer_view
  }
}

// -----

// On coherent memory all of it goes.
// CHECK-LABEL: @coherent
// CHECK-NOT: stream.cmd.flush
// CHECK-NOT: stream.cmd.invalidate
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}, {coherent = true}), (@b -> @a = {unified_memory = true}, {coherent = true}), (@a -> @a = {}, {host_coherent = true}), (@b -> @b = {}, {host_coherent = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.func public @coherent(%x: !hal.buffer_view) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %0 = stream.tensor.import on(#hal.device.affinity<@a>) %x : !hal.buffer_view -> tensor<16xf32> in !stream.resource<external>{%c64}
    %t, %t0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) : !stream.resource<transient>{%c64} => !stream.timepoint
    %1 = stream.cmd.execute on(#hal.device.affinity<@a>) await(%t0) => with(%0 as %i: !stream.resource<external>{%c64}, %t as %o: !stream.resource<transient>{%c64}) {
      stream.cmd.invalidate %i[%c0 for %c64] : !stream.resource<external>{%c64}
      stream.cmd.dispatch @ex::@f {
        ro %i[%c0 for %c64] : !stream.resource<external>{%c64},
        wo %o[%c0 for %c64] : !stream.resource<transient>{%c64}
      }
      stream.cmd.flush to(#hal.device.affinity<@b>) %o[%c0 for %c64] : !stream.resource<transient>{%c64}
    } => !stream.timepoint
    %r, %r0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@b>) await(%1) => !stream.resource<external>{%c64} => !stream.timepoint
    %2 = stream.cmd.execute on(#hal.device.affinity<@b>) await(%r0) => with(%t as %i: !stream.resource<transient>{%c64}, %r as %o: !stream.resource<external>{%c64}) {
      stream.cmd.invalidate from(#hal.device.affinity<@a>) %i[%c0 for %c64] : !stream.resource<transient>{%c64}
      stream.cmd.dispatch @ex::@g {
        ro %i[%c0 for %c64] : !stream.resource<transient>{%c64},
        wo %o[%c0 for %c64] : !stream.resource<external>{%c64}
      }
    } => !stream.timepoint
    %3 = stream.resource.dealloca on(#hal.device.affinity<@a>) await(%2) => %t : !stream.resource<transient>{%c64} => !stream.timepoint
    %4 = stream.timepoint.await %2 => %r : !stream.resource<external>{%c64}
    %5 = stream.tensor.export on(#hal.device.affinity<@b>) %4 : tensor<16xf32> in !stream.resource<external>{%c64} -> !hal.buffer_view
    util.return %5 : !hal.buffer_view
  }
}

// -----

// An invalidate of what nobody writes in the loop leaves it; the region that takes it stands on
// the way of the timepoint that enters the loop. What b writes in each round stays in it.
// CHECK-LABEL: @invariant
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.func public @invariant(%view: !hal.buffer_view, %n: index) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %ready = stream.timepoint.immediate => !stream.timepoint
    %x = stream.tensor.import on(#hal.device.affinity<@b>) %view : !hal.buffer_view -> tensor<16xf32> in !stream.resource<external>{%c64}
    %y, %y0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@b>) await(%ready) => !stream.resource<external>{%c64} => !stream.timepoint
    // CHECK: %[[OUT:.+]], %[[READY:.+]] = stream.resource.alloca
    // CHECK: %[[CLEAN:.+]] = stream.cmd.execute on(#hal.device.affinity<@b>) await(%[[READY]])
    // CHECK-NEXT: stream.cmd.invalidate %{{.+}}[%c0 for %c64]
    // CHECK-NEXT: }
    // CHECK: scf.for {{.*}} iter_args(%{{.+}} = %[[CLEAN]])
    %end = scf.for %i = %c0 to %n step %c1 iter_args(%t = %y0) -> (!stream.timepoint) {
      %u = stream.cmd.execute on(#hal.device.affinity<@b>) await(%t) => with(%x as %i0: !stream.resource<external>{%c64}, %y as %o0: !stream.resource<external>{%c64}) {
        // CHECK: stream.cmd.execute
        // CHECK-NEXT: stream.cmd.copy
        // CHECK-NEXT: }
        stream.cmd.invalidate %i0[%c0 for %c64] : !stream.resource<external>{%c64}
        stream.cmd.copy %i0[%c0], %o0[%c0], %c64 : !stream.resource<external>{%c64} -> !stream.resource<external>{%c64}
        stream.cmd.flush %o0[%c0 for %c64] : !stream.resource<external>{%c64}
      } => !stream.timepoint
      scf.yield %u : !stream.timepoint
    }
    // The host reads what the last round has written: the flush comes after the loop.
    // CHECK: %[[CLEANED:.+]] = stream.cmd.execute on(#hal.device.affinity<@b>) await(%{{.+}})
    // CHECK-NEXT: stream.cmd.flush
    // CHECK-NEXT: }
    // CHECK: stream.timepoint.await %[[CLEANED]]
    %done = stream.timepoint.await %end => %y : !stream.resource<external>{%c64}
    %out = stream.tensor.export on(#hal.device.affinity<@b>) %done : tensor<16xf32> in !stream.resource<external>{%c64} -> !hal.buffer_view
    util.return %out : !hal.buffer_view
  }
}
