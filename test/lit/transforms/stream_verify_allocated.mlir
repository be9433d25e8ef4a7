// RUN: zc-opt --split-input-file %s -p stream-verify-allocated | filecheck %s

#a = #hal.device.affinity<@a>
#b = #hal.device.affinity<@b>

// Allocated, used in order, freed after the last use on any device: passes and does not change.
// CHECK-LABEL: @allocated
util.func public @allocated(%x: !hal.buffer_view, %n: index) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  // CHECK: stream.resource.alloca
  // CHECK: stream.resource.dealloca
  %0 = stream.tensor.import on(#a) %x : !hal.buffer_view -> tensor<16xf32> in !stream.resource<external>{%n}
  %s, %t0 = stream.resource.alloca uninitialized on(#a) : !stream.resource<transient>{%n} => !stream.timepoint
  %t1 = stream.cmd.execute on(#a) await(%t0) => with(%0 as %arg0: !stream.resource<external>{%n}, %s as %arg1: !stream.resource<transient>{%n}) {
    stream.cmd.copy %arg0[%c0], %arg1[%c0], %n : !stream.resource<external>{%n} -> !stream.resource<transient>{%n}
    stream.cmd.flush to(#b) %arg1[%c0 for %n] : !stream.resource<transient>{%n}
  } => !stream.timepoint
  %t2 = stream.cmd.execute on(#b) await(%t1) => with(%s as %arg0: !stream.resource<transient>{%n}) {
    stream.cmd.invalidate from(#a) %arg0[%c0 for %n] : !stream.resource<transient>{%n}
    stream.cmd.dispatch @ex::@f {
      ro %arg0[%c0 for %n] : !stream.resource<transient>{%n}
    }
  } => !stream.timepoint
  %t3 = stream.resource.dealloca on(#a) await(%t2) => %s : !stream.resource<transient>{%n} => !stream.timepoint
  util.return %t3 : !stream.timepoint
}

// -----

#a = #hal.device.affinity<@a>

// Of a tensor without elements there is nothing to write before it is read.
// CHECK-LABEL: @no_bytes
util.func public @no_bytes() -> !hal.buffer_view {
  %c0 = arith.constant 0 : index
  %s, %t0 = stream.resource.alloca uninitialized on(#a) : !stream.resource<external>{%c0} => !stream.timepoint
  %0 = stream.timepoint.await %t0 => %s : !stream.resource<external>{%c0}
  // CHECK: stream.tensor.export
  %1 = stream.tensor.export on(#a) %0 : tensor<0xf32> in !stream.resource<external>{%c0} -> !hal.buffer_view
  util.return %1 : !hal.buffer_view
}

// -----

#a = #hal.device.affinity<@a>

// A view only names storage: it may be made before there is anything, and its user waits.
// CHECK-LABEL: @view_of_what_is_not_ready
util.func public @view_of_what_is_not_ready() -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c7 = arith.constant 7 : i32
  %s, %t0 = stream.resource.alloca uninitialized on(#a) : !stream.resource<transient>{%c64} => !stream.timepoint
  // CHECK: stream.resource.subview
  %v = stream.resource.subview %s[%c0] : !stream.resource<transient>{%c64} -> !stream.resource<transient>{%c32}
  %t1 = stream.cmd.execute on(#a) await(%t0) => with(%v as %arg0: !stream.resource<transient>{%c32}) {
    stream.cmd.fill %c7, %arg0[%c0 for %c32] : i32 -> !stream.resource<transient>{%c32}
  } => !stream.timepoint
  util.return %t1 : !stream.timepoint
}
