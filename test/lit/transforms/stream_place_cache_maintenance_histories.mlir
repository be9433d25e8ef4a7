// RUN: not zc-opt %s -p stream-place-cache-maintenance{max-histories=12} 2>&1 | filecheck %s
// RUN: zc-opt %s -p stream-place-cache-maintenance | filecheck %s --check-prefix=ALL

// b reads what a wrote on any of four branches, and nothing orders one read after another: before
// each branch there are twice as many histories of the bytes. All are followed up to a bound.
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.func public @f(%c: i1) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %byte = arith.constant 1 : i8
    // CHECK: [[# @LINE + 2]]:5: error: this storage has more than 12 histories to follow, too many; order what its branches do by timepoints, split the function, or state the ranges of its accesses as constants
    // ALL-COUNT-4: stream.cmd.invalidate
    %x, %x_0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) : !stream.resource<transient>{%c64} => !stream.timepoint
    %t = stream.cmd.execute on(#hal.device.affinity<@a>) await(%x_0) => with(%x as %x_: !stream.resource<transient>{%c64}) {
      stream.cmd.fill %byte, %x_[%c0 for %c64] : i8 -> !stream.resource<transient>{%c64}
    } => !stream.timepoint
    cf.cond_br %c, ^read0, ^next0
  ^read0:
    %y0, %y0_0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@b>) await(%t) => !stream.resource<transient>{%c64} => !stream.timepoint
    %u0 = stream.cmd.execute on(#hal.device.affinity<@b>) await(%y0_0) => with(%x as %x_: !stream.resource<transient>{%c64}, %y0 as %y_: !stream.resource<transient>{%c64}) {
      stream.cmd.copy %x_[%c0], %y_[%c0], %c64 : !stream.resource<transient>{%c64} -> !stream.resource<transient>{%c64}
    } => !stream.timepoint
    cf.br ^next0
  ^next0:
    cf.cond_br %c, ^read1, ^next1
  ^read1:
    %y1, %y1_0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@b>) await(%t) => !stream.resource<transient>{%c64} => !stream.timepoint
    %u1 = stream.cmd.execute on(#hal.device.affinity<@b>) await(%y1_0) => with(%x as %x_: !stream.resource<transient>{%c64}, %y1 as %y_: !stream.resource<transient>{%c64}) {
      stream.cmd.copy %x_[%c0], %y_[%c0], %c64 : !stream.resource<transient>{%c64} -> !stream.resource<transient>{%c64}
    } => !stream.timepoint
    cf.br ^next1
  ^next1:
    cf.cond_br %c, ^read2, ^next2
  ^read2:
    %y2, %y2_0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@b>) await(%t) => !stream.resource<transient>{%c64} => !stream.timepoint
    %u2 = stream.cmd.execute on(#hal.device.affinity<@b>) await(%y2_0) => with(%x as %x_: !stream.resource<transient>{%c64}, %y2 as %y_: !stream.resource<transient>{%c64}) {
      stream.cmd.copy %x_[%c0], %y_[%c0], %c64 : !stream.resource<transient>{%c64} -> !stream.resource<transient>{%c64}
    } => !stream.timepoint
    cf.br ^next2
  ^next2:
    cf.cond_br %c, ^read3, ^next3
  ^read3:
    %y3, %y3_0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@b>) await(%t) => !stream.resource<transient>{%c64} => !stream.timepoint
    %u3 = stream.cmd.execute on(#hal.device.affinity<@b>) await(%y3_0) => with(%x as %x_: !stream.resource<transient>{%c64}, %y3 as %y_: !stream.resource<transient>{%c64}) {
      stream.cmd.copy %x_[%c0], %y_[%c0], %c64 : !stream.resource<transient>{%c64} -> !stream.resource<transient>{%c64}
    } => !stream.timepoint
    cf.br ^next3
  ^next3:
    util.return
  }
}
