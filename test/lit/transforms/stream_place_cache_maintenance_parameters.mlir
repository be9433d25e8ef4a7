// RUN: zc-opt %s -p stream-place-cache-maintenance | filecheck %s

// What a loads from an archive, or gathers into storage, lies in its cache as any write of its own:
// it is flushed in a region behind the load, and dropped by b before it reads. What a alone uses
// needs neither, and no region.
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  // CHECK-LABEL: util.func public @f
  util.func public @f() -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %offset = arith.constant 0 : i64
    %key = util.buffer.constant : !util.buffer = "key"
    // CHECK: %first, %own, %t0 = stream.cmd.parameter.load
    // CHECK: %[[FLUSHED:.+]] = stream.cmd.execute on(#hal.device.affinity<@a>) await(%t0) => with(%first as %[[X:.+]]: {{.+}}, %own as
    // CHECK-NEXT: stream.cmd.flush to(#hal.device.affinity<@b>) %[[X]][%c32 for %c32]
    // CHECK-NEXT: }
    %first, %own, %t0 = stream.cmd.parameter.load on(#hal.device.affinity<@a>) {
      %key[%offset] : !stream.resource<constant>{%c64},
      %key[%offset] : !stream.resource<constant>{%c64}
    } => !stream.timepoint
    // CHECK: %out, %t1 = stream.resource.alloca {{.+}} await(%[[FLUSHED]])
    %out, %t1 = stream.resource.alloca uninitialized on(#hal.device.affinity<@b>) await(%t0) => !stream.resource<external>{%c64} => !stream.timepoint
    // CHECK: stream.cmd.parameter.gather on(#hal.device.affinity<@a>)
    // CHECK: stream.cmd.execute on(#hal.device.affinity<@a>) await(%t2) => with(%out as %[[OUT:.+]]:
    // CHECK-NEXT: stream.cmd.flush {{.*}}%[[OUT]][%c0 for %c32]
    // CHECK-NEXT: }
    %t2 = stream.cmd.parameter.gather on(#hal.device.affinity<@a>) await(%t1) => {
      %key[%offset] -> %out[%c0 for %c32] : !stream.resource<external>{%c64}
    } => !stream.timepoint
    // CHECK: stream.cmd.execute on(#hal.device.affinity<@b>)
    // CHECK-NEXT: stream.cmd.invalidate from(#hal.device.affinity<@a>) %[[P:.+]][%c32 for %c32]
    // CHECK-NEXT: stream.cmd.copy %[[P]]
    // CHECK-NEXT: stream.cmd.flush
    %t3 = stream.cmd.execute on(#hal.device.affinity<@b>) await(%t2) => with(%first as %p_: !stream.resource<constant>{%c64}, %out as %o_: !stream.resource<external>{%c64}) {
      stream.cmd.copy %p_[%c32], %o_[%c32], %c32 : !stream.resource<constant>{%c64} -> !stream.resource<external>{%c64}
    } => !stream.timepoint
    %r = stream.timepoint.await %t3 => %out : !stream.resource<external>{%c64}
    %v = stream.tensor.export on(#hal.device.affinity<@b>) %r : tensor<64xi8> in !stream.resource<external>{%c64} -> !hal.buffer_view
    util.return %v : !hal.buffer_view
  }
  // CHECK-LABEL: util.func public @alone
  // CHECK-NOT: stream.cmd.execute
  util.func public @alone() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %offset = arith.constant 0 : i64
    %key = util.buffer.constant : !util.buffer = "key"
    %x, %t0 = stream.cmd.parameter.load on(#hal.device.affinity<@a>) {
      %key[%offset] : !stream.resource<constant>{%c64}
    } => !stream.timepoint
    %t1 = stream.cmd.parameter.write on(#hal.device.affinity<@a>) await(%t0) => %x[%c0 for %c64] : !stream.resource<constant>{%c64} -> %key[%offset] => !stream.timepoint
    util.return %t1 : !stream.timepoint
  }

  // What b wrote is dropped by a before a writes it to an archive, in a region of its own.
  // CHECK-LABEL: util.func public @stored
  util.func public @stored() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %offset = arith.constant 0 : i64
    %one = arith.constant 1 : i8
    %key = util.buffer.constant : !util.buffer = "key"
    %x, %t0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@b>) : !stream.resource<transient>{%c64} => !stream.timepoint
    // CHECK: %t1 = stream.cmd.execute on(#hal.device.affinity<@b>)
    // CHECK-NEXT: stream.cmd.fill
    // CHECK-NEXT: stream.cmd.flush to(#hal.device.affinity<@a>)
    %t1 = stream.cmd.execute on(#hal.device.affinity<@b>) await(%t0) => with(%x as %x_: !stream.resource<transient>{%c64}) {
      stream.cmd.fill %one, %x_[%c0 for %c64] : i8 -> !stream.resource<transient>{%c64}
    } => !stream.timepoint
    // CHECK: %[[DROPPED:.+]] = stream.cmd.execute on(#hal.device.affinity<@a>) await(%t1) => with(%x as %[[X:.+]]: !stream.resource<transient>{%c64})
    // CHECK-NEXT: stream.cmd.invalidate from(#hal.device.affinity<@b>) %[[X]][%c0 for %c64]
    // CHECK-NEXT: }
    // CHECK: stream.cmd.parameter.write on(#hal.device.affinity<@a>) await(%[[DROPPED]])
    %t2 = stream.cmd.parameter.write on(#hal.device.affinity<@a>) await(%t1) => %x[%c0 for %c64] : !stream.resource<transient>{%c64} -> %key[%offset] => !stream.timepoint
    util.return %t2 : !stream.timepoint
  }
}
