// RUN: not --code 1 zc-opt --split-input-file %s -p stream-verify-zero-copy 2>&1 | filecheck %s

// The alias transfer became a copy after all, which b makes: places, bytes and both sides are told.
// Row IR-21.
// CHECK: [[FILE:.+]]:24:7: error: copy of 256 bytes at [[FILE]]:24:7 on alias transfer from @a to @b; let both use one storage, or state stream.transfer_kind = "copy" where a copy is meant
// CHECK-NEXT: :19:7: note: written here by @a (stream.cmd.dispatch)
// CHECK-NEXT: :25:7: note: read here by @b (stream.cmd.dispatch)

module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a : !hal.device
  util.global private @b : !hal.device
  util.func public @by_consumer() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %x, %tx = stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) : !stream.resource<transient>{%c256} => !stream.timepoint
    %y, %ty = stream.resource.alloca uninitialized on(#hal.device.affinity<@b>) await(%tx) => !stream.resource<transient>{%c256} => !stream.timepoint
    %ta = stream.cmd.execute on(#hal.device.affinity<@a>) await(%ty) => with(%x as %arg0: !stream.resource<transient>{%c256}) {
      // The producer.
      stream.cmd.dispatch @ex::@f {
        wo %arg0[%c0 for %c256] : !stream.resource<transient>{%c256}
      }
    } => !stream.timepoint
    %tb = stream.cmd.execute on(#hal.device.affinity<@b>) await(%ta) => with(%x as %arg0: !stream.resource<transient>{%c256}, %y as %arg1: !stream.resource<transient>{%c256}) {
      stream.cmd.copy %arg0[%c0], %arg1[%c0], %c256 : !stream.resource<transient>{%c256} -> !stream.resource<transient>{%c256}
      stream.cmd.dispatch @ex::@g {
        ro %arg1[%c0 for %c256] : !stream.resource<transient>{%c256}
      }
    } => !stream.timepoint
    util.return %tb : !stream.timepoint
  }
}

// -----

// By way of staging memory, and of half of the bytes: a copies there, b back. Both are on the way.
// CHECK: :50:7: error: copy of 128 bytes at {{.+}}:50:7 on alias transfer from @a to @b
// CHECK: :53:7: error: copy of 128 bytes at {{.+}}:53:7 on alias transfer from @a to @b

module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {transparent_access = true})]>} {
  util.global private @a : !hal.device
  util.global private @b : !hal.device
  util.func public @staged() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %c256 = arith.constant 256 : index
    %x, %tx = stream.resource.alloca uninitialized on(#hal.device.affinity<@b>) : !stream.resource<transient>{%c256} => !stream.timepoint
    %s, %ts = stream.resource.alloca uninitialized on(#hal.device.affinity<@b>) await(%tx) => !stream.resource<staging>{%c128} => !stream.timepoint
    %ta = stream.cmd.execute on(#hal.device.affinity<@a>) await(%ts) => with(%x as %arg0: !stream.resource<transient>{%c256}, %s as %arg1: !stream.resource<staging>{%c128}) {
      stream.cmd.dispatch @ex::@f { wo %arg0[%c0 for %c256] : !stream.resource<transient>{%c256} }
      stream.cmd.copy %arg0[%c128], %arg1[%c0], %c128 : !stream.resource<transient>{%c256} -> !stream.resource<staging>{%c128}
    } => !stream.timepoint
    %tb = stream.cmd.execute on(#hal.device.affinity<@b>) await(%ta) => with(%s as %arg0: !stream.resource<staging>{%c128}, %x as %arg1: !stream.resource<transient>{%c256}) {
      stream.cmd.copy %arg0[%c0], %arg1[%c0], %c128 : !stream.resource<staging>{%c128} -> !stream.resource<transient>{%c256}
      stream.cmd.dispatch @ex::@g { ro %arg1[%c0 for %c128] : !stream.resource<transient>{%c256} }
    } => !stream.timepoint
    util.return %tb : !stream.timepoint
  }
}

// -----

// A length that is not known is told by its name.
// CHECK: error: copy of %n bytes at {{.+}} on alias transfer from @a to @b
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a : !hal.device
  util.global private @b : !hal.device
  util.func public @dynamic(%n: index) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %x, %tx = stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) : !stream.resource<transient>{%n} => !stream.timepoint
    %y, %ty = stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) await(%tx) => !stream.resource<transient>{%n} => !stream.timepoint
    %ta = stream.cmd.execute on(#hal.device.affinity<@a>) await(%ty) => with(%x as %arg0: !stream.resource<transient>{%n}, %y as %arg1: !stream.resource<transient>{%n}) {
      stream.cmd.dispatch @ex::@f { wo %arg0[%c0 for %n] : !stream.resource<transient>{%n} }
      stream.cmd.copy %arg0[%c0], %arg1[%c0], %n : !stream.resource<transient>{%n} -> !stream.resource<transient>{%n}
    } => !stream.timepoint
    %tb = stream.cmd.execute on(#hal.device.affinity<@b>) await(%ta) => with(%y as %arg0: !stream.resource<transient>{%n}) {
      stream.cmd.dispatch @ex::@g { ro %arg0[%c0 for %n] : !stream.resource<transient>{%n} }
    } => !stream.timepoint
    util.return %tb : !stream.timepoint
  }
}
