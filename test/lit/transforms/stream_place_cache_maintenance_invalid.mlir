// RUN: not zc-opt --split-input-file %s -p stream-place-cache-maintenance 2>&1 | filecheck %s

// Two writers of one line that nothing orders, where whole lines are written back: no maintenance
// is right (IR-54).
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true}), (@a -> @a = {}, {write_back = "line"}), (@b -> @b = {}, {write_back = "line"})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.func public @neighbours() {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %byte = arith.constant 1 : i8
    %x, %x0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) : !stream.resource<transient>{%c64} => !stream.timepoint
    %y, %y0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) await(%x0) => !stream.resource<transient>{%c64} => !stream.timepoint
    %t = stream.cmd.execute on(#hal.device.affinity<@a>) await(%y0) => with(%x as %x_: !stream.resource<transient>{%c64}) {
      // CHECK: [[# @LINE + 1]]:7: error: no cache maintenance makes bytes [0,32) right (false sharing): @a and @b use lines of 64 bytes together without an order; align and pad their ranges to cache lines, or await the timepoint of the one
      stream.cmd.fill %byte, %x_[%c0 for %c32] : i8 -> !stream.resource<transient>{%c64}
    } => !stream.timepoint
    %u = stream.cmd.execute on(#hal.device.affinity<@b>) await(%y0) => with(%x as %x_: !stream.resource<transient>{%c64}) {
      // CHECK-NEXT: [[# @LINE + 1]]:7: note: the access that it must not reach
      stream.cmd.fill %byte, %x_[%c32 for %c32] : i8 -> !stream.resource<transient>{%c64}
    } => !stream.timepoint
    %both = stream.timepoint.join max(%t, %u) => !stream.timepoint
    %v = stream.cmd.execute on(#hal.device.affinity<@a>) await(%both) => with(%x as %x_: !stream.resource<transient>{%c64}, %y as %y_: !stream.resource<transient>{%c64}) {
      stream.cmd.copy %x_[%c0], %y_[%c0], %c64 : !stream.resource<transient>{%c64} -> !stream.resource<transient>{%c64}
    } => !stream.timepoint
    util.return
  }
}

// -----

// A function that calls itself, through another one.
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.func public @outer() {
    util.call @inner() : () -> ()
    util.return
  }
  util.func private @inner() {
    // CHECK: [[# @LINE + 1]]:5: error: 'util.call' op calls its own caller; cache maintenance of recursion is not known
    util.call @outer() : () -> ()
    util.return
  }
}

// -----

// A resource that is one of two: a branch says so in a way that is followed.
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.func public @chosen(%c: i1, %x: !stream.resource<external>, %y: !stream.resource<external>) -> !stream.resource<external> {
    // CHECK: [[# @LINE + 1]]:5: error: 'arith.select' op chooses between resources; cache maintenance follows branches, write scf.if
    %0 = arith.select %c, %x, %y : !stream.resource<external>
    util.return %0 : !stream.resource<external>
  }
}
