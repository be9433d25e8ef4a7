// RUN: zc-opt --split-input-file %s -p stream-verify-coherence | filecheck %s

// A program that is right passes as it is. IR-30, IR-32.
// CHECK-LABEL: @handover
// CHECK: stream.cmd.flush to(#hal.device.affinity<@b>)
// CHECK: stream.cmd.invalidate from(#hal.device.affinity<@a>)
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.func public @handover() {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %byte = arith.constant 1 : i8
    %x, %x0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) : !stream.resource<transient>{%c64} => !stream.timepoint
    %y, %y0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@b>) await(%x0) => !stream.resource<transient>{%c64} => !stream.timepoint
    %t = stream.cmd.execute on(#hal.device.affinity<@a>) await(%y0) => with(%x as %o: !stream.resource<transient>{%c64}) {
      stream.cmd.fill %byte, %o[%c0 for %c64] : i8 -> !stream.resource<transient>{%c64}
      stream.cmd.flush to(#hal.device.affinity<@b>) %o[%c0 for %c64] : !stream.resource<transient>{%c64}
    } => !stream.timepoint
    %u = stream.cmd.execute on(#hal.device.affinity<@b>) await(%t) => with(%x as %i: !stream.resource<transient>{%c64}, %y as %o: !stream.resource<transient>{%c64}) {
      stream.cmd.invalidate from(#hal.device.affinity<@a>) %i[%c0 for %c64] : !stream.resource<transient>{%c64}
      stream.cmd.copy %i[%c0], %o[%c0], %c64 : !stream.resource<transient>{%c64} -> !stream.resource<transient>{%c64}
    } => !stream.timepoint
    util.return
  }
}

// -----

// The same without maintenance on devices that are coherent.
// CHECK-LABEL: @coherent
// CHECK-NOT: stream.cmd.flush
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}, {coherent = true}), (@b -> @a = {unified_memory = true}, {coherent = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.func public @coherent() {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %byte = arith.constant 1 : i8
    %x, %x0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) : !stream.resource<transient>{%c64} => !stream.timepoint
    %y, %y0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@b>) await(%x0) => !stream.resource<transient>{%c64} => !stream.timepoint
    %t = stream.cmd.execute on(#hal.device.affinity<@a>) await(%y0) => with(%x as %o: !stream.resource<transient>{%c64}) {
      stream.cmd.fill %byte, %o[%c0 for %c64] : i8 -> !stream.resource<transient>{%c64}
    } => !stream.timepoint
    %u = stream.cmd.execute on(#hal.device.affinity<@b>) await(%t) => with(%x as %i: !stream.resource<transient>{%c64}, %y as %o: !stream.resource<transient>{%c64}) {
      stream.cmd.copy %i[%c0], %o[%c0], %c64 : !stream.resource<transient>{%c64} -> !stream.resource<transient>{%c64}
    } => !stream.timepoint
    util.return
  }
}
