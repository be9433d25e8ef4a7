// RUN: zc-opt --split-input-file %s -p stream-resolve-transfer-kinds,stream-materialize-copy-on-write,stream-elide-async-copies,stream-refine-usage,stream-schedule-execution,stream-schedule-concurrency,stream-propagate-timepoints,stream-schedule-allocation,stream-place-cache-maintenance,stream-elide-cache-maintenance | filecheck %s

// From staging memory to a kernel of the same device: one copy, which the device makes after it
// has invalidated what the host wrote there (IR-51).
// CHECK-LABEL: @copied
// CHECK: stream.cmd.execute on(#hal.device.affinity<@a>)
// CHECK-NEXT: stream.cmd.invalidate %[[S:.+]][%c0 for %c256] : !stream.resource<staging>{%c256}
// CHECK-NEXT: stream.cmd.copy %[[S]][%c0], %[[T:[0-9]+]]{{.+}}, %c256 : !stream.resource<staging>{%c256} -> !stream.resource<transient>
// CHECK-NEXT: stream.cmd.dispatch
// CHECK-NEXT: ro %[[T]]
// CHECK-NOT: stream.cmd.copy
// CHECK: util.return
module {
util.global private @a : !hal.device
util.func public @copied(%s: !stream.resource<staging>) -> !hal.buffer_view {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %0 = stream.async.transfer %s : !stream.resource<staging>{%c256} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@a>) !stream.resource<transient>{%c256}
  %1 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f(%0[%c0 to %c256 for %c256]) : (!stream.resource<transient>{%c256}) -> !stream.resource<external>{%c256}
  %2 = stream.tensor.export on(#hal.device.affinity<@a>) %1 : tensor<64xf32> in !stream.resource<external>{%c256} -> !hal.buffer_view
  util.return %2 : !hal.buffer_view
}
}

// -----

// An explicit alias in memory that host and device reach: no copy for the transfers, and the
// handoffs stay, in and out: the device invalidates what the host wrote and flushes what the host
// reads (IR-51).
// CHECK-LABEL: @aliased
// CHECK: stream.cmd.execute on(#hal.device.affinity<@a>) {{.*}}with(%s as %[[S:[0-9]+]]: !stream.resource<staging>{%c256}, %{{.+}} as %[[T:[0-9]+]]: !stream.resource<staging>{%c256}
// CHECK: stream.cmd.invalidate %[[S]][%c0 for %c256]
// CHECK: stream.cmd.copy %[[S]][%c0], %[[T]][%c0], %c256
// CHECK-NEXT: stream.cmd.copy %{{.+}}[%c0], %[[T]][%c0], %c64
// CHECK-NEXT: stream.cmd.flush %[[T]][
// CHECK-NEXT: } => !stream.timepoint
// CHECK: stream.resource.load
module {
util.global private @a : !hal.device
util.func public @aliased(%s: !stream.resource<staging>, %u: !stream.resource<transient>) -> i32 {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %0 = stream.async.transfer %s : !stream.resource<staging>{%c256} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@a>) !stream.resource<transient>{%c256} attributes {stream.transfer_kind = "alias"}
  %1 = stream.async.clone on(#hal.device.affinity<@a>) %0 : !stream.resource<transient>{%c256} -> !stream.resource<transient>{%c256}
  %2 = stream.async.update on(#hal.device.affinity<@a>) %u, %1[%c0 to %c64] : !stream.resource<transient>{%c64} -> %1 as !stream.resource<transient>{%c256}
  %3 = stream.async.transfer %2 : !stream.resource<transient>{%c256} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@a>) !stream.resource<staging>{%c256} attributes {stream.transfer_kind = "alias"}
  %4 = stream.async.load %3[%c0] : !stream.resource<staging>{%c256} -> i32
  util.return %4 : i32
}
}

// -----

// The same on coherent memory needs no maintenance.
// CHECK-LABEL: @coherent
// CHECK-NOT: invalidate
// CHECK-NOT: flush
// CHECK: util.return
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @a = {}, {host_coherent = true})]>} {
util.global private @a : !hal.device
util.func public @coherent(%s: !stream.resource<staging>) -> i32 {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %0 = stream.async.transfer %s : !stream.resource<staging>{%c256} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@a>) !stream.resource<transient>{%c256} attributes {stream.transfer_kind = "alias"}
  %1 = stream.async.clone on(#hal.device.affinity<@a>) %0 : !stream.resource<transient>{%c256} -> !stream.resource<transient>{%c256}
  %2 = stream.async.transfer %1 : !stream.resource<transient>{%c256} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@a>) !stream.resource<staging>{%c256} attributes {stream.transfer_kind = "alias"}
  %3 = stream.async.load %2[%c0] : !stream.resource<staging>{%c256} -> i32
  util.return %3 : i32
}
}

// -----

// A kernel takes no staging memory, so that what it shares with the host has a name for each of
// them; nothing is copied, and what the host wrote is invalidated (IR-51).
// CHECK-LABEL: @kernel
// CHECK: %[[LIST:.+]] = util.list.create
// CHECK: util.list.set %[[LIST]][%c0], %s : !stream.resource<staging> -> !util.list<?>
// CHECK-NEXT: %[[VIEW:.+]] = util.list.get %[[LIST]][%c0] : !util.list<?> -> !stream.resource<external>
// CHECK-NOT: stream.cmd.copy
// CHECK: stream.cmd.execute on(#hal.device.affinity<@a>) {{.*}}with(%[[VIEW]] as %[[V:[0-9]+]]:
// CHECK-NEXT: stream.cmd.invalidate %[[V]][%c0 for %c256]
// CHECK-NEXT: stream.cmd.dispatch
// CHECK-NEXT: ro %[[V]][%c0 for %c256]
// CHECK-NOT: stream.cmd.copy
// CHECK: util.return
module {
util.global private @a : !hal.device
util.func public @kernel(%s: !stream.resource<staging>) -> !hal.buffer_view {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %0 = stream.async.transfer %s : !stream.resource<staging>{%c256} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@a>) !stream.resource<transient>{%c256} attributes {stream.transfer_kind = "alias"}
  %1 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f(%0[%c0 to %c256 for %c256]) : (!stream.resource<transient>{%c256}) -> !stream.resource<external>{%c256}
  %2 = stream.tensor.export on(#hal.device.affinity<@a>) %1 : tensor<64xf32> in !stream.resource<external>{%c256} -> !hal.buffer_view
  util.return %2 : !hal.buffer_view
}
}

// -----

// What a kernel made is loaded by the host where it is, once that is done.
// CHECK-LABEL: @loaded
// CHECK: stream.cmd.flush
// CHECK: %[[MADE:.+]] = stream.timepoint.await
// CHECK: util.list.set %{{.+}}[%c0], %[[MADE]] : !stream.resource<external> -> !util.list<?>
// CHECK-NEXT: %[[HOSTS:.+]] = util.list.get {{.+}} -> !stream.resource<staging>
// CHECK-NEXT: stream.resource.load %[[HOSTS]][%c0]
module {
util.global private @a : !hal.device
util.func public @loaded() -> i32 {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %0 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f() : () -> !stream.resource<transient>{%c256}
  %1 = stream.async.transfer %0 : !stream.resource<transient>{%c256} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@a>) !stream.resource<staging>{%c256} attributes {stream.transfer_kind = "alias"}
  %2 = stream.async.load %1[%c0] : !stream.resource<staging>{%c256} -> i32
  util.return %2 : i32
}
}

// -----

// Nothing but a name: it has the lifetime that is asked for.
// CHECK-LABEL: @renamed
// CHECK: %[[VIEW:.+]] = util.list.get {{.+}} -> !stream.resource<transient>
// CHECK: util.return %[[VIEW]] : !stream.resource<transient>
module {
util.global private @a : !hal.device
util.func public @renamed(%s: !stream.resource<staging>) -> !stream.resource<transient> {
  %c256 = arith.constant 256 : index
  %0 = stream.async.transfer %s : !stream.resource<staging>{%c256} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@a>) !stream.resource<transient>{%c256} attributes {stream.transfer_kind = "alias"}
  util.return %0 : !stream.resource<transient>
}
}
