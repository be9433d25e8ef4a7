// RUN: zc-opt --split-input-file %s -p stream-place-cache-maintenance | filecheck %s

// Both halves of each handoff, and the host's: the import is invalidated, the export flushed
// (IR-30, IR-32, IR-35, IR-36).
// CHECK-LABEL: @handoff
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.func public @handoff(%x: !hal.buffer_view) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %0 = stream.tensor.import on(#hal.device.affinity<@a>) %x : !hal.buffer_view -> tensor<16xf32> in !stream.resource<external>{%c64}
    %t, %t0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) : !stream.resource<transient>{%c64} => !stream.timepoint
    %1 = stream.cmd.execute on(#hal.device.affinity<@a>) await(%t0) => with(%0 as %i: !stream.resource<external>{%c64}, %t as %o: !stream.resource<transient>{%c64}) {
      // CHECK: stream.cmd.invalidate %{{.+}}[%c0 for %c64]
      // CHECK-NEXT: stream.cmd.dispatch @ex::@f
      stream.cmd.dispatch @ex::@f {
        ro %i[%c0 for %c64] : !stream.resource<external>{%c64},
        wo %o[%c0 for %c64] : !stream.resource<transient>{%c64}
      }
      // CHECK: stream.cmd.flush to(#hal.device.affinity<@b>) %{{.+}}[%c0 for %c64]
      // CHECK-NEXT: }
    } => !stream.timepoint
    %r, %r0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@b>) await(%1) => !stream.resource<external>{%c64} => !stream.timepoint
    %2 = stream.cmd.execute on(#hal.device.affinity<@b>) await(%r0) => with(%t as %i: !stream.resource<transient>{%c64}, %r as %o: !stream.resource<external>{%c64}) {
      // CHECK: stream.cmd.invalidate from(#hal.device.affinity<@a>) %{{.+}}[%c0 for %c64]
      // CHECK-NEXT: stream.cmd.dispatch @ex::@g
      stream.cmd.dispatch @ex::@g {
        ro %i[%c0 for %c64] : !stream.resource<transient>{%c64},
        wo %o[%c0 for %c64] : !stream.resource<external>{%c64}
      }
      // CHECK: stream.cmd.flush %{{.+}}[%c0 for %c64]
      // CHECK-NEXT: }
    } => !stream.timepoint
    %3 = stream.resource.dealloca on(#hal.device.affinity<@a>) await(%2) => %t : !stream.resource<transient>{%c64} => !stream.timepoint
    %4 = stream.timepoint.await %2 => %r : !stream.resource<external>{%c64}
    %5 = stream.tensor.export on(#hal.device.affinity<@b>) %4 : tensor<16xf32> in !stream.resource<external>{%c64} -> !hal.buffer_view
    util.return %5 : !hal.buffer_view
  }
}

// -----

// On coherent memory there is nothing to do (IR-42).
// CHECK-LABEL: @coherent
// CHECK-NOT: stream.cmd.flush
// CHECK-NOT: stream.cmd.invalidate
// CHECK-NOT: stream.cmd.discard
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}, {coherent = true}), (@b -> @a = {unified_memory = true}, {coherent = true}), (@a -> @a = {}, {host_coherent = true}), (@b -> @b = {}, {host_coherent = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.func public @coherent(%x: !hal.buffer_view) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %0 = stream.tensor.import on(#hal.device.affinity<@a>) %x : !hal.buffer_view -> tensor<16xf32> in !stream.resource<external>{%c64}
    %t, %t0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) : !stream.resource<transient>{%c64} => !stream.timepoint
    %1 = stream.cmd.execute on(#hal.device.affinity<@a>) await(%t0) => with(%0 as %i: !stream.resource<external>{%c64}, %t as %o: !stream.resource<transient>{%c64}) {
      stream.cmd.dispatch @ex::@f {
        ro %i[%c0 for %c64] : !stream.resource<external>{%c64},
        wo %o[%c0 for %c64] : !stream.resource<transient>{%c64}
      }
    } => !stream.timepoint
    %r, %r0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@b>) await(%1) => !stream.resource<external>{%c64} => !stream.timepoint
    %2 = stream.cmd.execute on(#hal.device.affinity<@b>) await(%r0) => with(%t as %i: !stream.resource<transient>{%c64}, %r as %o: !stream.resource<external>{%c64}) {
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

// What an asynchronous function exports is read once the caller's fence is signaled: the writer
// flushes it although no host wait stands before the export, as in IREE's own stream phase.
// CHECK-LABEL: @asynchronous
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @a = {}, {host_coherent = false})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.func public @asynchronous(%signal: !hal.fence) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %one = arith.constant 1 : i32
    %r, %r0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) : !stream.resource<external>{%c64} => !stream.timepoint
    %0 = stream.cmd.execute on(#hal.device.affinity<@a>) await(%r0) => with(%r as %o: !stream.resource<external>{%c64}) {
      // CHECK: stream.cmd.fill
      stream.cmd.fill %one, %o[%c0 for %c64] : i32 -> !stream.resource<external>{%c64}
      // CHECK-NEXT: stream.cmd.flush %{{.+}}[%c0 for %c64]
      // CHECK-NEXT: }
    } => !stream.timepoint
    stream.timepoint.chain_external on(#hal.device.affinity<@a>) %0 => (%signal : !hal.fence)
    %1 = stream.tensor.export on(#hal.device.affinity<@a>) %r : tensor<16xf32> in !stream.resource<external>{%c64} -> !hal.buffer_view
    util.return %1 : !hal.buffer_view
  }
}

// -----

// Where one cache serves all, nothing is followed, and a function may call itself.
// CHECK-LABEL: @recursive
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @a = {}, {host_coherent = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.func public @recursive() {
    // CHECK: util.call @recursive
    util.call @recursive() : () -> ()
    util.return
  }
}
