// RUN: zc-opt --split-input-file %s -p stream-verify-zero-copy | filecheck %s

// b reads what a wrote where it is: nothing is said (IR-21).
// CHECK-LABEL: @in_place
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a : !hal.device
  util.global private @b : !hal.device
  util.func public @in_place() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %x, %tx = stream.resource.alloca uninitialized on(#hal.device.optimal<[#hal.device.affinity<@a>, #hal.device.affinity<@b>]>) : !stream.resource<transient>{%c256} => !stream.timepoint
    %ta = stream.cmd.execute on(#hal.device.affinity<@a>) await(%tx) => with(%x as %arg0: !stream.resource<transient>{%c256}) {
      stream.cmd.dispatch @ex::@f {
        wo %arg0[%c0 for %c256] : !stream.resource<transient>{%c256}
      }
    } => !stream.timepoint
    %tb = stream.cmd.execute on(#hal.device.affinity<@b>) await(%ta) => with(%x as %arg0: !stream.resource<transient>{%c256}) {
      stream.cmd.dispatch @ex::@g {
        ro %arg0[%c0 for %c256] : !stream.resource<transient>{%c256}
      }
    } => !stream.timepoint
    util.return %tb : !stream.timepoint
  }
}

// -----

// A copy that says that it is a copy transfer's; one that stays on its device; and one on a device
// that has no memory in common with the other: none is of an alias transfer.
// CHECK-LABEL: @meant
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a : !hal.device
  util.global private @b : !hal.device
  util.global private @c : !hal.device
  util.func public @meant() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %x, %tx = stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) : !stream.resource<transient>{%c256} => !stream.timepoint
    %y, %ty = stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) await(%tx) => !stream.resource<transient>{%c256} => !stream.timepoint
    %z, %tz = stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) await(%ty) => !stream.resource<transient>{%c256} => !stream.timepoint
    %w, %tw = stream.resource.alloca uninitialized on(#hal.device.affinity<@c>) await(%tz) => !stream.resource<transient>{%c256} => !stream.timepoint
    %ta = stream.cmd.execute on(#hal.device.affinity<@a>) await(%tw) => with(%x as %arg0: !stream.resource<transient>{%c256}, %y as %arg1: !stream.resource<transient>{%c256}, %z as %arg2: !stream.resource<transient>{%c256}, %w as %arg3: !stream.resource<transient>{%c256}) {
      stream.cmd.dispatch @ex::@f {
        wo %arg0[%c0 for %c256] : !stream.resource<transient>{%c256}
      }
      // CHECK-COUNT-3: stream.cmd.copy
      stream.cmd.copy %arg0[%c0], %arg1[%c0], %c256 : !stream.resource<transient>{%c256} -> !stream.resource<transient>{%c256} attributes {stream.transfer_kind = "copy"}
      stream.cmd.copy %arg0[%c0], %arg2[%c0], %c256 : !stream.resource<transient>{%c256} -> !stream.resource<transient>{%c256}
      stream.cmd.copy %arg0[%c0], %arg3[%c0], %c256 : !stream.resource<transient>{%c256} -> !stream.resource<transient>{%c256}
      stream.cmd.dispatch @ex::@h {
        ro %arg2[%c0 for %c256] : !stream.resource<transient>{%c256}
      }
    } => !stream.timepoint
    %tb = stream.cmd.execute on(#hal.device.affinity<@b>) await(%ta) => with(%y as %arg0: !stream.resource<transient>{%c256}) {
      stream.cmd.dispatch @ex::@g {
        ro %arg0[%c0 for %c256] : !stream.resource<transient>{%c256}
      }
    } => !stream.timepoint
    %tc = stream.cmd.execute on(#hal.device.affinity<@c>) await(%tb) => with(%w as %arg0: !stream.resource<transient>{%c256}) {
      stream.cmd.dispatch @ex::@g {
        ro %arg0[%c0 for %c256] : !stream.resource<transient>{%c256}
      }
    } => !stream.timepoint
    util.return %tc : !stream.timepoint
  }
}
