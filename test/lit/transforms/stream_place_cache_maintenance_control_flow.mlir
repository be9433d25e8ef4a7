// RUN: zc-opt --split-input-file %s -p stream-place-cache-maintenance,stream-elide-cache-maintenance | filecheck %s

// A loop whose value is written by b in each round, and read by a in the next: both halves in the
// loop, for it is another value each time. The first round reads what a has written itself: that
// is flushed, or the invalidate in the loop would lose it (IR-35).
// CHECK-LABEL: @loop
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.func public @loop(%n: index) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %byte = arith.constant 1 : i8
    %x, %x0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) : !stream.resource<transient>{%c64} => !stream.timepoint
    // CHECK: stream.cmd.fill
    // CHECK-NEXT: stream.cmd.flush %
    %start = stream.cmd.execute on(#hal.device.affinity<@a>) await(%x0) => with(%x as %o: !stream.resource<transient>{%c64}) {
      stream.cmd.fill %byte, %o[%c0 for %c64] : i8 -> !stream.resource<transient>{%c64}
    } => !stream.timepoint
    // CHECK: scf.for
    %end:2 = scf.for %i = %c0 to %n step %c1 iter_args(%r = %x, %t = %start) -> (!stream.resource<transient>, !stream.timepoint) {
      %y, %y0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@b>) await(%t) => !stream.resource<transient>{%c64} => !stream.timepoint
      %copied = stream.cmd.execute on(#hal.device.affinity<@a>) await(%y0) => with(%r as %i0: !stream.resource<transient>{%c64}, %y as %o0: !stream.resource<transient>{%c64}) {
        // CHECK: stream.cmd.invalidate from(#hal.device.affinity<@b>) %[[IN:.+]][%c0 for %c64]
        // CHECK-NEXT: stream.cmd.copy %[[IN]][%c0], %[[OUT:.+]][%c0]
        stream.cmd.copy %i0[%c0], %o0[%c0], %c64 : !stream.resource<transient>{%c64} -> !stream.resource<transient>{%c64}
        // CHECK-NEXT: stream.cmd.flush to(#hal.device.affinity<@b>) %[[OUT]][%c0 for %c64]
        // CHECK-NEXT: }
      } => !stream.timepoint
      %z, %z0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) await(%copied) => !stream.resource<transient>{%c64} => !stream.timepoint
      %back = stream.cmd.execute on(#hal.device.affinity<@b>) await(%z0) => with(%y as %i1: !stream.resource<transient>{%c64}, %z as %o1: !stream.resource<transient>{%c64}) {
        // CHECK: stream.cmd.invalidate from(#hal.device.affinity<@a>)
        // CHECK-NEXT: stream.cmd.copy
        stream.cmd.copy %i1[%c0], %o1[%c0], %c64 : !stream.resource<transient>{%c64} -> !stream.resource<transient>{%c64}
        // CHECK-NEXT: stream.cmd.flush
        // CHECK-NEXT: }
      } => !stream.timepoint
      %freed = stream.resource.dealloca on(#hal.device.affinity<@b>) await(%back) => %y : !stream.resource<transient>{%c64} => !stream.timepoint
      scf.yield %z, %freed : !stream.resource<transient>, !stream.timepoint
    }
    %out, %out0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) await(%end#1) => !stream.resource<external>{%c64} => !stream.timepoint
    // CHECK: stream.cmd.execute on(#hal.device.affinity<@a>)
    // CHECK-NEXT: stream.cmd.invalidate from(#hal.device.affinity<@b>)
    // CHECK-NEXT: stream.cmd.copy
    // CHECK-NEXT: stream.cmd.flush %
    %last = stream.cmd.execute on(#hal.device.affinity<@a>) await(%out0) => with(%end#0 as %i2: !stream.resource<transient>{%c64}, %out as %o2: !stream.resource<external>{%c64}) {
      stream.cmd.copy %i2[%c0], %o2[%c0], %c64 : !stream.resource<transient>{%c64} -> !stream.resource<external>{%c64}
    } => !stream.timepoint
    %ready = stream.timepoint.await %last => %out : !stream.resource<external>{%c64}
    %view = stream.tensor.export on(#hal.device.affinity<@a>) %ready : tensor<16xf32> in !stream.resource<external>{%c64} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// Only one of two ways reads on the other device: the flush stands before the branch, on both; on
// the way that reads on the same device there is no invalidate (IR-35).
// CHECK-LABEL: @branch
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.func public @branch(%remote: i1) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %byte = arith.constant 1 : i8
    %x, %x0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) : !stream.resource<transient>{%c64} => !stream.timepoint
    %y, %y0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) : !stream.resource<transient>{%c64} => !stream.timepoint
    %both = stream.timepoint.join max(%x0, %y0) => !stream.timepoint
    // CHECK: stream.cmd.fill
    // CHECK-NEXT: stream.cmd.flush to(#hal.device.affinity<@b>)
    %t = stream.cmd.execute on(#hal.device.affinity<@a>) await(%both) => with(%x as %o: !stream.resource<transient>{%c64}) {
      stream.cmd.fill %byte, %o[%c0 for %c64] : i8 -> !stream.resource<transient>{%c64}
    } => !stream.timepoint
    %u = scf.if %remote -> (!stream.timepoint) {
      // CHECK: stream.cmd.execute on(#hal.device.affinity<@b>)
      // CHECK-NEXT: stream.cmd.invalidate from(#hal.device.affinity<@a>)
      %b = stream.cmd.execute on(#hal.device.affinity<@b>) await(%t) => with(%x as %i: !stream.resource<transient>{%c64}, %y as %o: !stream.resource<transient>{%c64}) {
        stream.cmd.copy %i[%c0], %o[%c0], %c64 : !stream.resource<transient>{%c64} -> !stream.resource<transient>{%c64}
      } => !stream.timepoint
      scf.yield %b : !stream.timepoint
    } else {
      // CHECK: stream.cmd.execute on(#hal.device.affinity<@a>)
      // CHECK-NEXT: stream.cmd.copy
      %a = stream.cmd.execute on(#hal.device.affinity<@a>) await(%t) => with(%x as %i: !stream.resource<transient>{%c64}, %y as %o: !stream.resource<transient>{%c64}) {
        stream.cmd.copy %i[%c0], %o[%c0], %c64 : !stream.resource<transient>{%c64} -> !stream.resource<transient>{%c64}
      } => !stream.timepoint
      scf.yield %a : !stream.timepoint
    }
    %done = stream.timepoint.await %u => %y : !stream.resource<transient>{%c64}
    util.return
  }
}

// -----

// Across calls: what the callee writes is flushed in it, what its caller gives is invalidated in
// it, once for all callers.
// CHECK-LABEL: @step
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.func private @step(%x: !stream.resource<external>, %t: !stream.timepoint) -> (!stream.resource<external>, !stream.timepoint) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %y, %y0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@b>) await(%t) => !stream.resource<external>{%c64} => !stream.timepoint
    // CHECK: stream.cmd.execute on(#hal.device.affinity<@b>)
    // CHECK-NEXT: stream.cmd.invalidate from(#hal.device.affinity<@a>)
    // CHECK-NEXT: stream.cmd.copy
    // CHECK-NEXT: stream.cmd.flush to(#hal.device.affinity<@a>)
    // CHECK-NEXT: }
    %u = stream.cmd.execute on(#hal.device.affinity<@b>) await(%y0) => with(%x as %i: !stream.resource<external>{%c64}, %y as %o: !stream.resource<external>{%c64}) {
      stream.cmd.copy %i[%c0], %o[%c0], %c64 : !stream.resource<external>{%c64} -> !stream.resource<external>{%c64}
    } => !stream.timepoint
    util.return %y, %u : !stream.resource<external>, !stream.timepoint
  }
  // CHECK-LABEL: @twice
  util.func public @twice() {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %byte = arith.constant 1 : i8
    %x, %x0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) : !stream.resource<external>{%c64} => !stream.timepoint
    // CHECK: stream.cmd.fill
    // CHECK-NEXT: stream.cmd.flush to(#hal.device.affinity<@b>)
    %t = stream.cmd.execute on(#hal.device.affinity<@a>) await(%x0) => with(%x as %o: !stream.resource<external>{%c64}) {
      stream.cmd.fill %byte, %o[%c0 for %c64] : i8 -> !stream.resource<external>{%c64}
    } => !stream.timepoint
    %y, %u = util.call @step(%x, %t) : (!stream.resource<external>, !stream.timepoint) -> (!stream.resource<external>, !stream.timepoint)
    // CHECK: stream.cmd.execute on(#hal.device.affinity<@a>)
    // CHECK-NEXT: stream.cmd.invalidate from(#hal.device.affinity<@b>)
    // CHECK-NEXT: stream.cmd.copy
    // CHECK-NEXT: stream.cmd.flush to(#hal.device.affinity<@b>)
    %v = stream.cmd.execute on(#hal.device.affinity<@a>) await(%u) => with(%y as %i: !stream.resource<external>{%c64}, %x as %o: !stream.resource<external>{%c64}) {
      stream.cmd.copy %i[%c0], %o[%c0], %c64 : !stream.resource<external>{%c64} -> !stream.resource<external>{%c64}
    } => !stream.timepoint
    %z, %w = util.call @step(%x, %v) : (!stream.resource<external>, !stream.timepoint) -> (!stream.resource<external>, !stream.timepoint)
    %done = stream.timepoint.await %w => %z : !stream.resource<external>{%c64}
    util.return
  }
}

// -----

// A global keeps a value from one call to the next: b writes it at the end of each call, a reads
// it at the start of the next. The first value is a's own, flushed because of that invalidate
// (IR-35).
// CHECK-LABEL: util.initializer
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.global private mutable @state : !stream.resource<variable>
  util.global private mutable @time = #stream.timepoint<immediate> : !stream.timepoint
  util.initializer {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %byte = arith.constant 1 : i8
    %x, %x0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) : !stream.resource<variable>{%c64} => !stream.timepoint
    // CHECK: stream.cmd.fill
    // CHECK-NEXT: stream.cmd.flush %
    %t = stream.cmd.execute on(#hal.device.affinity<@a>) await(%x0) => with(%x as %o: !stream.resource<variable>{%c64}) {
      stream.cmd.fill %byte, %o[%c0 for %c64] : i8 -> !stream.resource<variable>{%c64}
    } => !stream.timepoint
    util.global.store %x, @state : !stream.resource<variable>
    util.global.store %t, @time : !stream.timepoint
    util.return
  }
  // CHECK-LABEL: @next
  util.func public @next() {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %s = util.global.load @state : !stream.resource<variable>
    %t = util.global.load @time : !stream.timepoint
    %y, %y0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) await(%t) => !stream.resource<transient>{%c64} => !stream.timepoint
    // CHECK: stream.cmd.execute on(#hal.device.affinity<@a>)
    // CHECK-NEXT: stream.cmd.invalidate from(#hal.device.affinity<@b>)
    // CHECK-NEXT: stream.cmd.copy
    // CHECK-NEXT: stream.cmd.flush to(#hal.device.affinity<@b>)
    // CHECK-NEXT: }
    %u = stream.cmd.execute on(#hal.device.affinity<@a>) await(%y0) => with(%s as %i: !stream.resource<variable>{%c64}, %y as %o: !stream.resource<transient>{%c64}) {
      stream.cmd.copy %i[%c0], %o[%c0], %c64 : !stream.resource<variable>{%c64} -> !stream.resource<transient>{%c64}
    } => !stream.timepoint
    // CHECK: stream.cmd.execute on(#hal.device.affinity<@b>)
    // CHECK-NEXT: stream.cmd.invalidate from(#hal.device.affinity<@a>)
    // CHECK-NEXT: stream.cmd.copy
    // CHECK-NEXT: stream.cmd.flush to(#hal.device.affinity<@a>)
    // CHECK-NEXT: }
    %v = stream.cmd.execute on(#hal.device.affinity<@b>) await(%u) => with(%y as %i: !stream.resource<transient>{%c64}, %s as %o: !stream.resource<variable>{%c64}) {
      stream.cmd.copy %i[%c0], %o[%c0], %c64 : !stream.resource<transient>{%c64} -> !stream.resource<variable>{%c64}
    } => !stream.timepoint
    %w = stream.resource.dealloca on(#hal.device.affinity<@a>) await(%v) => %y : !stream.resource<transient>{%c64} => !stream.timepoint
    util.global.store %w, @time : !stream.timepoint
    util.return
  }
}

// -----

// What only a loop without iterations would let through needs nothing: with bounds that are known
// to differ the loop runs, and nobody reads %x after it.
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  // CHECK-LABEL: @runs
  util.func public @runs(%value: i8) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c64 = arith.constant 64 : index
    %x, %x0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) : !stream.resource<external>{%c64} => !stream.timepoint
    %start = stream.cmd.execute on(#hal.device.affinity<@a>) await(%x0) => with(%x as %o: !stream.resource<external>{%c64}) {
      // CHECK: stream.cmd.fill
      // CHECK-NEXT: stream.cmd.discard
      // CHECK-NEXT: }
      stream.cmd.fill %value, %o[%c0 for %c64] : i8 -> !stream.resource<external>{%c64}
    } => !stream.timepoint
    // CHECK: scf.for
    %end = scf.for %i = %c0 to %c2 step %c1 iter_args(%t = %start) -> (!stream.timepoint) {
      %back = stream.cmd.execute on(#hal.device.affinity<@b>) await(%t) => with(%x as %o1: !stream.resource<external>{%c64}) {
        stream.cmd.fill %value, %o1[%c0 for %c64] : i8 -> !stream.resource<external>{%c64}
      } => !stream.timepoint
      scf.yield %back : !stream.timepoint
    }
    %ready = stream.timepoint.await %end => %x : !stream.resource<external>{%c64}
    %v = stream.tensor.export on(#hal.device.affinity<@a>) %ready : tensor<64xi8> in !stream.resource<external>{%c64} -> !hal.buffer_view
    util.return %v : !hal.buffer_view
  }
}

// -----

// With a bound that is not known the loop may have no iteration: %x goes out as it was filled.
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  // CHECK-LABEL: @may_run
  util.func public @may_run(%value: i8, %n: index) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %x, %x0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) : !stream.resource<external>{%c64} => !stream.timepoint
    %start = stream.cmd.execute on(#hal.device.affinity<@a>) await(%x0) => with(%x as %o: !stream.resource<external>{%c64}) {
      // CHECK: stream.cmd.fill
      // CHECK-NEXT: stream.cmd.flush
      // CHECK-NEXT: }
      stream.cmd.fill %value, %o[%c0 for %c64] : i8 -> !stream.resource<external>{%c64}
    } => !stream.timepoint
    // CHECK: scf.for
    %end = scf.for %i = %c0 to %n step %c1 iter_args(%t = %start) -> (!stream.timepoint) {
      %back = stream.cmd.execute on(#hal.device.affinity<@b>) await(%t) => with(%x as %o1: !stream.resource<external>{%c64}) {
        stream.cmd.fill %value, %o1[%c0 for %c64] : i8 -> !stream.resource<external>{%c64}
      } => !stream.timepoint
      scf.yield %back : !stream.timepoint
    }
    %ready = stream.timepoint.await %end => %x : !stream.resource<external>{%c64}
    %v = stream.tensor.export on(#hal.device.affinity<@a>) %ready : tensor<64xi8> in !stream.resource<external>{%c64} -> !hal.buffer_view
    util.return %v : !hal.buffer_view
  }
}

// -----

// A loop hands the timepoint of %x on as it is: what awaits its result comes after the fill, so
// that the line of a must be gone before %x is freed.
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  // CHECK-LABEL: @handed_on
  util.func public @handed_on(%value: i8) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c64 = arith.constant 64 : index
    %x, %x0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) : !stream.resource<transient>{%c64} => !stream.timepoint
    %start = stream.cmd.execute on(#hal.device.affinity<@a>) await(%x0) => with(%x as %o: !stream.resource<transient>{%c64}) {
      // CHECK: stream.cmd.fill
      // CHECK-NEXT: stream.cmd.discard
      // CHECK-NEXT: }
      stream.cmd.fill %value, %o[%c0 for %c64] : i8 -> !stream.resource<transient>{%c64}
    } => !stream.timepoint
    %end = scf.for %i = %c0 to %c2 step %c1 iter_args(%t = %start) -> (!stream.timepoint) {
      scf.yield %t : !stream.timepoint
    }
    %freed = stream.resource.dealloca on(#hal.device.affinity<@a>) await(%end) => %x : !stream.resource<transient>{%c64} => !stream.timepoint
    util.return %freed : !stream.timepoint
  }
}

// -----

// What @keep held before is dropped by the next store, perhaps without any other op on it: no line
// of it is dirty then, though @use may read it before. @once is never stored to again: it stays.
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.global private mutable @keep : !stream.resource<variable>
  util.global private @once : !stream.resource<variable>
  util.initializer {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c1_i8 = arith.constant 1 : i8
    %x, %x0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) : !stream.resource<variable>{%c64} => !stream.timepoint
    %done = stream.cmd.execute on(#hal.device.affinity<@a>) await(%x0) => with(%x as %o: !stream.resource<variable>{%c64}) {
      // CHECK: stream.cmd.fill
      // CHECK-NEXT: }
      stream.cmd.fill %c1_i8, %o[%c0 for %c64] : i8 -> !stream.resource<variable>{%c64}
    } => !stream.timepoint
    %ready = stream.timepoint.await sync %done => %x : !stream.resource<variable>{%c64}
    util.global.store %ready, @once : !stream.resource<variable>
    util.return
  }
  // CHECK-LABEL: @set
  util.func public @set(%value: i8) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %x, %x0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) : !stream.resource<variable>{%c64} => !stream.timepoint
    %done = stream.cmd.execute on(#hal.device.affinity<@a>) await(%x0) => with(%x as %o: !stream.resource<variable>{%c64}) {
      // CHECK: stream.cmd.fill
      // CHECK-NEXT: stream.cmd.flush
      // CHECK-NEXT: }
      stream.cmd.fill %value, %o[%c0 for %c64] : i8 -> !stream.resource<variable>{%c64}
    } => !stream.timepoint
    %ready = stream.timepoint.await %done => %x : !stream.resource<variable>{%c64}
    util.global.store %ready, @keep : !stream.resource<variable>
    util.return
  }
  // CHECK-LABEL: @use
  util.func public @use(%value: i8) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %kept = util.global.load @keep : !stream.resource<variable>
    %first = util.global.load @once : !stream.resource<variable>
    %done = stream.cmd.execute on(#hal.device.affinity<@a>) with(%first as %s: !stream.resource<variable>{%c64}, %kept as %o: !stream.resource<variable>{%c64}) {
      // CHECK: stream.cmd.copy
      stream.cmd.copy %o[%c0], %s[%c0], %c64 : !stream.resource<variable>{%c64} -> !stream.resource<variable>{%c64}
      // CHECK-NEXT: }
    } => !stream.timepoint
    %ready = stream.timepoint.await %done => %first : !stream.resource<variable>{%c64}
    util.return
  }
}
