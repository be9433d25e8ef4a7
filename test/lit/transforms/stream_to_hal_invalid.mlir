// RUN: not zc-opt --split-input-file %s -p stream-to-hal 2>&1 | filecheck %s

// Slabs are laid out first.
util.func public @slab() -> index {
  %c64 = arith.constant 64 : index
  // CHECK: [[# @LINE + 1]]:3: error: 'stream.resource.pack' op has no lowering to hal; run stream-layout-slices first
  %0:2 = stream.resource.pack slices({
    [0, 1] = %c64
  }) : index
  util.return %0#0 : index
}

// -----

// Nothing of the async phase is left.
util.func public @async(%r: !stream.resource<transient>) -> !stream.resource<transient> {
  %c64 = arith.constant 64 : index
  // CHECK: [[# @LINE + 1]]:3: error: 'stream.async.clone' op has no lowering to hal; run zc-to-stream first
  %0 = stream.async.clone %r : !stream.resource<transient>{%c64} -> !stream.resource<transient>{%c64}
  util.return %0 : !stream.resource<transient>
}

// -----

// Two devices, and nothing says which.
module {
  util.global private @a : !hal.device
  util.global private @b : !hal.device
  util.func public @nowhere() -> !stream.timepoint {
    %c64 = arith.constant 64 : index
    // CHECK: [[# @LINE + 1]]:5: error: 'stream.resource.alloca' op states no device to run on; give it an affinity
    %r, %t = stream.resource.alloca uninitialized : !stream.resource<transient>{%c64} => !stream.timepoint
    util.return %t : !stream.timepoint
  }
}

// -----

// Storage of the host is not zeroed.
module {
  util.global private @a : !hal.device
  util.func public @zeroed() {
    %c64 = arith.constant 64 : index
    // CHECK: [[# @LINE + 1]]:5: error: 'stream.resource.alloc' op asks for zeroed storage; allocate it uninitialized and fill it
    %r = stream.resource.alloc : !stream.resource<variable>{%c64}
    util.return
  }
}

// -----

// A resource nobody has given a lifetime.
module {
  util.global private @a : !hal.device
  util.func public @any_lifetime() {
    %c64 = arith.constant 64 : index
    // CHECK: [[# @LINE + 1]]:5: error: 'stream.resource.alloc' op has the lifetime `*`; run stream-refine-usage first
    %r = stream.resource.alloc uninitialized : !stream.resource<*>{%c64}
    util.return
  }
}

// -----

// Transients are no host memory.
module {
  util.global private @a : !hal.device
  util.func public @map(%b: !util.buffer) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    // CHECK: [[# @LINE + 1]]:5: error: 'stream.resource.try_map' op maps host memory as a resource with the lifetime `transient`
    %d, %r = stream.resource.try_map %b[%c0] : !util.buffer -> i1, !stream.resource<transient>{%c64}
    util.return
  }
}

// -----

// Only fences come in and go out as timepoints.
module {
  util.global private @a : !hal.device
  util.func public @semaphore(%s: i64) -> !stream.timepoint {
    // CHECK: [[# @LINE + 1]]:5: error: 'stream.timepoint.import' op imports something else than a !hal.fence
    %0 = stream.timepoint.import on(#hal.device.affinity<@a>) %s : (i64) => !stream.timepoint
    util.return %0 : !stream.timepoint
  }
}

// -----

module {
  util.global private @a : !hal.device
  util.func public @exported(%t: !stream.timepoint) -> i64 {
    // CHECK: [[# @LINE + 1]]:5: error: 'stream.timepoint.export' op exports to something else than a !hal.fence
    %0 = stream.timepoint.export on(#hal.device.affinity<@a>) %t => (i64)
    util.return %0 : i64
  }
}

// -----

module {
  util.global private @a : !hal.device
  util.func public @chained(%t: !stream.timepoint, %s: i64) {
    // CHECK: [[# @LINE + 1]]:5: error: 'stream.timepoint.chain_external' op chains to something else than a !hal.fence
    stream.timepoint.chain_external on(#hal.device.affinity<@a>) %t => (%s : i64)
    util.return
  }
}

// -----

// The dialect takes a symbol alone, as IREE's does.
module {
  util.global private @a : !hal.device
  util.func public @entry(%r: !stream.resource<transient>, %n: index) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %0 = stream.cmd.execute on(#hal.device.affinity<@a>) with(%r as %x: !stream.resource<transient>{%n}) {
      // CHECK: [[# @LINE + 1]]:7: error: 'stream.cmd.dispatch' op expected @executable::@export as entry point, got @ex
      stream.cmd.dispatch @ex {
        rw %x[%c0 for %n] : !stream.resource<transient>{%n}
      }
    } => !stream.timepoint
    util.return %0 : !stream.timepoint
  }
}
