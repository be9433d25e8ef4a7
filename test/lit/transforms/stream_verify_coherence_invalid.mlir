// RUN: not --code 1 zc-opt --split-input-file %s -p stream-verify-coherence 2>&1 | filecheck %s

// A handover without any maintenance: each run that gets there reads what memory held before.
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
    } => !stream.timepoint
    %u = stream.cmd.execute on(#hal.device.affinity<@b>) await(%t) => with(%x as %i: !stream.resource<transient>{%c64}, %y as %o: !stream.resource<transient>{%c64}) {
      // CHECK: [[# @LINE + 5]]:7: error: stale read of bytes [0,64) of %x by @b: it may not see the write by @a, for want of a flush by @a and an invalidate by @b{{$}}
      // CHECK-NEXT: [[# @LINE - 4]]:7: note: written here by @a (stream.cmd.fill)
      // CHECK-NEXT: [[# @LINE - 5]]:7: note: insert a flush of bytes [0,64) of %x by @a after this (stream.cmd.fill)
      // CHECK-NEXT: [[# @LINE - 6]]:7: note: insert an invalidate of bytes [0,64) of %x by @b after this (stream.cmd.fill)
      // CHECK-NEXT: [[# @LINE + 1]]:7: note: read here by @b (stream.cmd.copy)
      stream.cmd.copy %i[%c0], %o[%c0], %c64 : !stream.resource<transient>{%c64} -> !stream.resource<transient>{%c64}
    } => !stream.timepoint
    util.return
  }
}

// -----

// Only the invalidate is missing, and the first round of the loop reads what a has written
// itself: a fault that is not on every path.
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.func public @loop(%n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %byte = arith.constant 1 : i8
    %x, %x0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) : !stream.resource<transient>{%c64} => !stream.timepoint
    %y, %y0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) await(%x0) => !stream.resource<transient>{%c64} => !stream.timepoint
    %start = stream.cmd.execute on(#hal.device.affinity<@a>) await(%y0) => with(%x as %o: !stream.resource<transient>{%c64}) {
      stream.cmd.fill %byte, %o[%c0 for %c64] : i8 -> !stream.resource<transient>{%c64}
      stream.cmd.flush to(#hal.device.affinity<@b>) %o[%c0 for %c64] : !stream.resource<transient>{%c64}
    } => !stream.timepoint
    %end = scf.for %i = %c0 to %n step %c1 iter_args(%t = %start) -> (!stream.timepoint) {
      %u = stream.cmd.execute on(#hal.device.affinity<@a>) await(%t) => with(%x as %in: !stream.resource<transient>{%c64}, %y as %o: !stream.resource<transient>{%c64}) {
        // CHECK: [[# @LINE + 1]]:9: error: stale read of bytes [0,64) of %x by @a: it may not see the write by @b, for want of an invalidate by @a (may: not in every run)
        stream.cmd.copy %in[%c0], %o[%c0], %c64 : !stream.resource<transient>{%c64} -> !stream.resource<transient>{%c64}
      } => !stream.timepoint
      %v = stream.cmd.execute on(#hal.device.affinity<@b>) await(%u) => with(%x as %o: !stream.resource<transient>{%c64}) {
        // CHECK-NEXT: [[# @LINE + 1]]:9: note: written here by @b (stream.cmd.fill)
        stream.cmd.fill %byte, %o[%c0 for %c64] : i8 -> !stream.resource<transient>{%c64}
        stream.cmd.flush to(#hal.device.affinity<@a>) %o[%c0 for %c64] : !stream.resource<transient>{%c64}
      } => !stream.timepoint
      scf.yield %v : !stream.timepoint
    }
    util.return
  }
}

// -----

// Nothing orders the two regions: the first write of one and the read of the other race.
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.func public @race() {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %byte = arith.constant 1 : i8
    %x, %x0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) : !stream.resource<transient>{%c64} => !stream.timepoint
    %y, %y0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) await(%x0) => !stream.resource<transient>{%c64} => !stream.timepoint
    %t = stream.cmd.execute on(#hal.device.affinity<@a>) await(%y0) => with(%x as %x_: !stream.resource<transient>{%c64}) {
      stream.cmd.fill %byte, %x_[%c0 for %c64] : i8 -> !stream.resource<transient>{%c64}
      stream.cmd.flush %x_[%c0 for %c64] : !stream.resource<transient>{%c64}
    } => !stream.timepoint
    %u = stream.cmd.execute on(#hal.device.affinity<@b>) await(%y0) => with(%x as %x_: !stream.resource<transient>{%c64}, %y as %y_: !stream.resource<transient>{%c64}) {
      stream.cmd.invalidate %x_[%c0 for %c64] : !stream.resource<transient>{%c64}
      // CHECK: [[# @LINE + 1]]:7: error: race on bytes [0,64) of %x: the read by @b and the write by @a are not ordered
      stream.cmd.copy %x_[%c0], %y_[%c0], %c64 : !stream.resource<transient>{%c64} -> !stream.resource<transient>{%c64}
    } => !stream.timepoint
    util.return
  }
}

// -----

// The writer invalidates before it has flushed: what it wrote may be gone.
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.func public @lost() {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %byte = arith.constant 1 : i8
    %x, %x0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) : !stream.resource<transient>{%c64} => !stream.timepoint
    %y, %y0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) await(%x0) => !stream.resource<transient>{%c64} => !stream.timepoint
    %t = stream.cmd.execute on(#hal.device.affinity<@a>) await(%y0) => with(%x as %x_: !stream.resource<transient>{%c64}) {
      stream.cmd.fill %byte, %x_[%c0 for %c64] : i8 -> !stream.resource<transient>{%c64}
    } => !stream.timepoint
    %u = stream.cmd.execute on(#hal.device.affinity<@a>) await(%t) => with(%x as %x_: !stream.resource<transient>{%c64}, %y as %y_: !stream.resource<transient>{%c64}) {
      // CHECK: [[# @LINE + 1]]:7: error: invalidate by @a may drop bytes [0,64) of %x, written by @a and not yet flushed, that @a reads
      stream.cmd.invalidate %x_[%c0 for %c64] : !stream.resource<transient>{%c64}
      stream.cmd.copy %x_[%c0], %y_[%c0], %c64 : !stream.resource<transient>{%c64} -> !stream.resource<transient>{%c64}
    } => !stream.timepoint
    util.return
  }
}

// -----

// What a has left dirty may be evicted over what b writes.
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.func public @clobber() {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %byte = arith.constant 1 : i8
    %x, %x0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) : !stream.resource<transient>{%c64} => !stream.timepoint
    %y, %y0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@b>) await(%x0) => !stream.resource<transient>{%c64} => !stream.timepoint
    %t = stream.cmd.execute on(#hal.device.affinity<@a>) await(%y0) => with(%x as %x_: !stream.resource<transient>{%c64}) {
      stream.cmd.fill %byte, %x_[%c0 for %c64] : i8 -> !stream.resource<transient>{%c64}
    } => !stream.timepoint
    %u = stream.cmd.execute on(#hal.device.affinity<@b>) await(%t) => with(%x as %x_: !stream.resource<transient>{%c64}, %y as %y_: !stream.resource<transient>{%c64}) {
      // CHECK: [[# @LINE + 1]]:7: error: @b writes bytes [0,64) of %x while @a may hold dirty lines there: evicted later, they overwrite the value
      stream.cmd.fill %byte, %x_[%c0 for %c64] : i8 -> !stream.resource<transient>{%c64}
      stream.cmd.copy %x_[%c0], %y_[%c0], %c64 : !stream.resource<transient>{%c64} -> !stream.resource<transient>{%c64}
    } => !stream.timepoint
    util.return
  }
}

// -----

// A read after a discard, which states that the contents are dead.
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.func public @dead() {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %byte = arith.constant 1 : i8
    %x, %x0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) : !stream.resource<transient>{%c64} => !stream.timepoint
    %y, %y0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) await(%x0) => !stream.resource<transient>{%c64} => !stream.timepoint
    %t = stream.cmd.execute on(#hal.device.affinity<@a>) await(%y0) => with(%x as %x_: !stream.resource<transient>{%c64}) {
      stream.cmd.fill %byte, %x_[%c0 for %c64] : i8 -> !stream.resource<transient>{%c64}
      stream.cmd.flush %x_[%c0 for %c64] : !stream.resource<transient>{%c64}
      stream.cmd.discard %x_[%c0 for %c64] : !stream.resource<transient>{%c64}
    } => !stream.timepoint
    %u = stream.cmd.execute on(#hal.device.affinity<@a>) await(%t) => with(%x as %x_: !stream.resource<transient>{%c64}, %y as %y_: !stream.resource<transient>{%c64}) {
      // CHECK: [[# @LINE + 2]]:7: error: read of uninitialized bytes [0,64) of %x by @a
      // CHECK-NEXT: {{.+}}: note: undefined since this discard by @a (stream.cmd.discard)
      stream.cmd.copy %x_[%c0], %y_[%c0], %c64 : !stream.resource<transient>{%c64} -> !stream.resource<transient>{%c64}
    } => !stream.timepoint
    util.return
  }
}

// -----

// Storage is given back with dirty lines, and while a region that nobody waits for uses it.
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.func public @life() {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %byte = arith.constant 1 : i8
    %x, %x0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) : !stream.resource<transient>{%c64} => !stream.timepoint
    %t = stream.cmd.execute on(#hal.device.affinity<@a>) await(%x0) => with(%x as %x_: !stream.resource<transient>{%c64}) {
      // CHECK: [[# @LINE + 2]]:7: error: @a uses bytes [0,64) of %x, not ordered before their dealloca
      stream.cmd.fill %byte, %x_[%c0 for %c64] : i8 -> !stream.resource<transient>{%c64}
      stream.cmd.flush %x_[%c0 for %c64] : !stream.resource<transient>{%c64}
    } => !stream.timepoint
    %f = stream.resource.dealloca on(#hal.device.affinity<@a>) await(%x0) => %x : !stream.resource<transient>{%c64} => !stream.timepoint
    %y, %y0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) await(%f) => !stream.resource<transient>{%c64} => !stream.timepoint
    %u = stream.cmd.execute on(#hal.device.affinity<@a>) await(%y0) => with(%y as %y_: !stream.resource<transient>{%c64}) {
      stream.cmd.fill %byte, %y_[%c0 for %c64] : i8 -> !stream.resource<transient>{%c64}
    } => !stream.timepoint
    // CHECK: [[# @LINE + 1]]:5: error: dealloca of bytes [0,64) of %y while @a may hold dirty lines there: evicted later, they overwrite the next owner's data
    %g = stream.resource.dealloca on(#hal.device.affinity<@a>) await(%u) => %y : !stream.resource<transient>{%c64} => !stream.timepoint
    util.return
  }
}

// -----

// A region that does not wait for the alloca.
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.func public @early() {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %byte = arith.constant 1 : i8
    %x, %x0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) : !stream.resource<transient>{%c64} => !stream.timepoint
    %t = stream.cmd.execute on(#hal.device.affinity<@a>) with(%x as %x_: !stream.resource<transient>{%c64}) {
      // CHECK: [[# @LINE + 2]]:7: error: @a uses bytes [0,64) of %x, not ordered after their alloca
      // CHECK-NEXT: {{.+}}: note: alloca here by @a (stream.resource.alloca)
      stream.cmd.fill %byte, %x_[%c0 for %c64] : i8 -> !stream.resource<transient>{%c64}
      stream.cmd.flush %x_[%c0 for %c64] : !stream.resource<transient>{%c64}
    } => !stream.timepoint
    util.return
  }
}

// -----

// Two halves of one line, written without an order where whole lines are written back.
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
      stream.cmd.fill %byte, %x_[%c0 for %c32] : i8 -> !stream.resource<transient>{%c64}
      stream.cmd.flush %x_[%c0 for %c64] : !stream.resource<transient>{%c64}
    } => !stream.timepoint
    %u = stream.cmd.execute on(#hal.device.affinity<@b>) await(%y0) => with(%x as %x_: !stream.resource<transient>{%c64}) {
      // CHECK: [[# @LINE + 1]]:7: error: false sharing on bytes [0,32) of %x: @b writes back whole lines and may store stale bytes over the write by @a, since the two are not ordered
      stream.cmd.fill %byte, %x_[%c32 for %c32] : i8 -> !stream.resource<transient>{%c64}
      stream.cmd.flush %x_[%c0 for %c64] : !stream.resource<transient>{%c64}
    } => !stream.timepoint
    %both = stream.timepoint.join max(%t, %u) => !stream.timepoint
    %v = stream.cmd.execute on(#hal.device.affinity<@a>) await(%both) => with(%x as %x_: !stream.resource<transient>{%c64}, %y as %y_: !stream.resource<transient>{%c64}) {
      stream.cmd.invalidate %x_[%c0 for %c64] : !stream.resource<transient>{%c64}
      stream.cmd.copy %x_[%c0], %y_[%c0], %c64 : !stream.resource<transient>{%c64} -> !stream.resource<transient>{%c64}
    } => !stream.timepoint
    util.return
  }
}


// -----

// The second call drops what the first has left in the global, with its lines still dirty.
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.global private mutable @keep : !stream.resource<variable>
  util.func public @set(%value: i8) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %x, %x0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) : !stream.resource<variable>{%c64} => !stream.timepoint
    %done = stream.cmd.execute on(#hal.device.affinity<@a>) await(%x0) => with(%x as %o: !stream.resource<variable>{%c64}) {
      stream.cmd.fill %value, %o[%c0 for %c64] : i8 -> !stream.resource<variable>{%c64}
    } => !stream.timepoint
    %ready = stream.timepoint.await %done => %x : !stream.resource<variable>{%c64}
    // CHECK: [[# @LINE + 4]]:5: error: dealloca of bytes [0,64) of %x while @a may hold dirty lines there: evicted later, they overwrite the next owner's data{{$}}
    // CHECK-NEXT: [[# @LINE - 4]]:7: note: written here by @a (stream.cmd.fill)
    // CHECK-NEXT: [[# @LINE + 2]]:5: note: dropped here by host (util.global.store)
    // CHECK-NEXT: [[# @LINE - 6]]:7: note: insert a discard of bytes [0,64) of %x by @a after this (stream.cmd.fill)
    util.global.store %ready, @keep : !stream.resource<variable>
    util.return
  }
}

// -----

// The first of two stores to one global is dropped by the second: nothing names %x any more.
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.global private mutable @keep : !stream.resource<variable>
  util.func public @twice(%value: i8) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %x, %x0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) : !stream.resource<variable>{%c64} => !stream.timepoint
    %y, %y0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) : !stream.resource<variable>{%c64} => !stream.timepoint
    %done = stream.cmd.execute on(#hal.device.affinity<@a>) await(%x0) => with(%x as %o: !stream.resource<variable>{%c64}) {
      stream.cmd.fill %value, %o[%c0 for %c64] : i8 -> !stream.resource<variable>{%c64}
    } => !stream.timepoint
    %ready = stream.timepoint.await %done => %x : !stream.resource<variable>{%c64}
    util.global.store %ready, @keep : !stream.resource<variable>
    // CHECK: [[# @LINE + 1]]:5: error: dealloca of bytes [0,64) of %x while @a may hold dirty lines there
    util.global.store %y, @keep : !stream.resource<variable>
    util.return
  }
}
