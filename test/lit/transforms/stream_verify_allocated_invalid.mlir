// RUN: not zc-opt --split-input-file %s -p stream-verify-allocated 2>&1 | filecheck %s

// A slab without a layout.
util.func public @slab(%n: index) -> index {
  // CHECK: [[# @LINE + 1]]:3: error: 'stream.resource.pack' op is not legal outside of a stream.cmd.execute once the program is allocated (stream-verify-allocated); run stream-schedule-allocation and stream-layout-slices before
  %0:2 = stream.resource.pack slices({
    [0, 1] = %n
  }) : index
  util.return %0#0 : index
}

// -----

// A tensor of the flow level.
util.func public @flow(%t: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: [[# @LINE + 1]]:3: error: 'flow.tensor.clone' op is not legal outside of a stream.cmd.execute once the program is allocated (stream-verify-allocated)
  %0 = flow.tensor.clone %t : tensor<4xf32>
  util.return %0 : tensor<4xf32>
}

// -----

// A lifetime that was not refined.
util.func public @unknown(%r: !stream.resource<*>) -> index {
  // CHECK: [[# @LINE + 1]]:3: error: 'stream.resource.size' op uses a resource of unknown lifetime once the program is allocated (stream-verify-allocated); run stream-refine-usage before
  %0 = stream.resource.size %r : !stream.resource<*>
  util.return %0 : index
}

// -----

#a = #hal.device.affinity<@a>

// Storage is used before it is there.
util.func public @early(%n: index) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : i32
  %s, %t0 = stream.resource.alloca uninitialized on(#a) : !stream.resource<transient>{%n} => !stream.timepoint
  // CHECK: [[# @LINE + 1]]:3: error: 'stream.cmd.execute' op consumer on @a is not ordered after producer on @a (stream-verify-allocated); await its timepoint
  %t1 = stream.cmd.execute on(#a) with(%s as %arg0: !stream.resource<transient>{%n}) {
    stream.cmd.fill %c7, %arg0[%c0 for %n] : i32 -> !stream.resource<transient>{%n}
  } => !stream.timepoint
  util.return %t1 : !stream.timepoint
}

// -----

#a = #hal.device.affinity<@a>

// Nothing has written what is read: the copy is gone and the alias is not there (IR-03).
util.func public @unwritten(%n: index) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %s, %t0 = stream.resource.alloca uninitialized on(#a) : !stream.resource<transient>{%n} => !stream.timepoint
  %t1 = stream.cmd.execute on(#a) await(%t0) => with(%s as %arg0: !stream.resource<transient>{%n}) {
    // CHECK: [[# @LINE + 2]]:5: error: 'stream.cmd.dispatch' op reads an allocation that nothing has written (stream-verify-allocated)
    // CHECK: note: the allocation is here
    stream.cmd.dispatch @ex::@f {
      ro %arg0[%c0 for %n] : !stream.resource<transient>{%n}
    }
  } => !stream.timepoint
  util.return %t1 : !stream.timepoint
}

// -----

#a = #hal.device.affinity<@a>
#b = #hal.device.affinity<@b>

// Freed when one device is done and the other is not (IR-45, IR-48).
util.func public @early_release(%n: index) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : i32
  %s, %t0 = stream.resource.alloca uninitialized on(#a) : !stream.resource<transient>{%n} => !stream.timepoint
  %t1 = stream.cmd.execute on(#a) await(%t0) => with(%s as %arg0: !stream.resource<transient>{%n}) {
    stream.cmd.fill %c7, %arg0[%c0 for %n] : i32 -> !stream.resource<transient>{%n}
  } => !stream.timepoint
  %t2 = stream.cmd.execute on(#b) await(%t1) => with(%s as %arg0: !stream.resource<transient>{%n}) {
    stream.cmd.dispatch @ex::@f {
      ro %arg0[%c0 for %n] : !stream.resource<transient>{%n}
    }
  } => !stream.timepoint
  // CHECK: [[# @LINE + 1]]:3: error: 'stream.resource.dealloca' op write on @a is not ordered after access on @b to the same storage (stream-verify-allocated); await its timepoint
  %t3 = stream.resource.dealloca on(#a) await(%t1) => %s : !stream.resource<transient>{%n} => !stream.timepoint
  util.return %t3 : !stream.timepoint
}

// -----

#a = #hal.device.affinity<@a>

// Used after its release.
util.func public @late(%n: index) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : i32
  %s, %t0 = stream.resource.alloca uninitialized on(#a) : !stream.resource<transient>{%n} => !stream.timepoint
  %t1 = stream.resource.dealloca on(#a) await(%t0) => %s : !stream.resource<transient>{%n} => !stream.timepoint
  %t2 = stream.cmd.execute on(#a) await(%t1) => with(%s as %arg0: !stream.resource<transient>{%n}) {
    // CHECK: [[# @LINE + 2]]:5: error: 'stream.cmd.fill' op uses storage after its release (stream-verify-allocated)
    // CHECK: note: the release is here
    stream.cmd.fill %c7, %arg0[%c0 for %n] : i32 -> !stream.resource<transient>{%n}
  } => !stream.timepoint
  util.return %t2 : !stream.timepoint
}

// -----

#a = #hal.device.affinity<@a>

// A user of a view waits for what makes the storage, as a user of the storage does.
util.func public @view(%n: index) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : i32
  // CHECK: [[# @LINE + 3]]:3: error: 'stream.cmd.execute' op consumer on @a is not ordered after producer on @a (stream-verify-allocated); await its timepoint
  %s, %t0 = stream.resource.alloca uninitialized on(#a) : !stream.resource<transient>{%n} => !stream.timepoint
  %v = stream.resource.subview %s[%c0] : !stream.resource<transient>{%n} -> !stream.resource<transient>{%n}
  %t1 = stream.cmd.execute on(#a) with(%v as %arg0: !stream.resource<transient>{%n}) {
    stream.cmd.fill %c7, %arg0[%c0 for %n] : i32 -> !stream.resource<transient>{%n}
  } => !stream.timepoint
  util.return %t1 : !stream.timepoint
}
