// RUN: zc-opt --split-input-file %s -p stream-serialize-execution | filecheck %s
// RUN: zc-opt --split-input-file %s -p stream-serialize-execution,stream-to-hal | filecheck %s --check-prefix=HAL
// RUN: zc-opt --split-input-file %s -p stream-to-hal | filecheck %s --check-prefix=FREE

// GE-12: the second region waits for the first, which it has nothing to do with; within a region
// each command comes after the one before it. Without the pass there is no barrier between fills.
// CHECK-LABEL: util.func public @f
// HAL-LABEL: util.func public @f
// FREE-LABEL: util.func public @f
module attributes {stream.affinity.default = #hal.device.affinity<@a>} {
util.global private @a = #hal.device.target<"local"> : !hal.device
util.func public @f(%x: !stream.resource<transient>, %y: !stream.resource<transient>) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c7 = arith.constant 7 : i32
  // HAL: fill_buffer
  // HAL-NEXT: execution_barrier
  // HAL-NEXT: fill_buffer
  // FREE: fill_buffer
  // FREE-NEXT: fill_buffer
  // CHECK: %[[FIRST:.+]] = stream.cmd.execute on(#hal.device.affinity<@a>) with
  %0 = stream.cmd.execute on(#hal.device.affinity<@a>) with(%x as %p: !stream.resource<transient>{%c128}) {
    stream.cmd.fill %c7, %p[%c0 for %c64] : i32 -> !stream.resource<transient>{%c128}
    stream.cmd.fill %c7, %p[%c64 for %c64] : i32 -> !stream.resource<transient>{%c128}
  // CHECK: => !stream.timepoint attributes {stream.in_order}
  } => !stream.timepoint
  // CHECK: stream.cmd.execute on(#hal.device.affinity<@a>) await(%[[FIRST]]) => with
  %1 = stream.cmd.execute on(#hal.device.affinity<@a>) with(%y as %q: !stream.resource<transient>{%c128}) {
    stream.cmd.fill %c7, %q[%c0 for %c64] : i32 -> !stream.resource<transient>{%c128}
    stream.cmd.flush %q[%c0 for %c64] : !stream.resource<transient>{%c128}
  } => !stream.timepoint
  %2 = stream.timepoint.join max(%0, %1) => !stream.timepoint
  util.return %2 : !stream.timepoint
}

// A region alone waits for nothing more than it did.
// CHECK-LABEL: util.func public @alone
util.func public @alone(%x: !stream.resource<transient>, %t: !stream.timepoint) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c7 = arith.constant 7 : i32
  // CHECK: stream.cmd.execute on(#hal.device.affinity<@a>) await(%t) => with
  %0 = stream.cmd.execute on(#hal.device.affinity<@a>) await(%t) => with(%x as %p: !stream.resource<transient>{%c64}) {
    stream.cmd.fill %c7, %p[%c0 for %c64] : i32 -> !stream.resource<transient>{%c64}
  } => !stream.timepoint
  util.return %0 : !stream.timepoint
}
}
