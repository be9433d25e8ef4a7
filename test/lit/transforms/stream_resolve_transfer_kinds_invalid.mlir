// RUN: not zc-opt --split-input-file %s -p stream-resolve-transfer-kinds 2>&1 >/dev/null | filecheck %s

// An explicit alias without shared memory is an error that names both devices (IR-24).
// CHECK: error: 'stream.async.transfer' op alias transfer from @a to @b: no shared accessible memory: no unified_memory link @a->@b, nor transparent_access either way; remove the kind or give the devices access in the topology
module attributes {test.no_topology} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.func public @impossible(%x: !hal.buffer_view) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %0 = stream.tensor.import on(#hal.device.affinity<@a>) %x : !hal.buffer_view -> tensor<16xf32> in !stream.resource<external>{%c64}
    %1 = stream.async.cast on(#hal.device.affinity<@a>) %0 : !stream.resource<external>{%c64} -> !stream.resource<*>{%c64}
    %2 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f(%1[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
    // stream.async.transfer {{.+}} to(#hal.device.affinity<@b>) {{.+}} attributes {stream.transfer_kind = "x"}
    %3 = stream.async.transfer %2 : !stream.resource<*>{%c64} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>) !stream.resource<*>{%c64} attributes {stream.transfer_kind = "alias"}
    %4 = stream.async.dispatch on(#hal.device.affinity<@b>) @ex::@g(%3[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
    // stream.async.transfer {{.+}} to(#hal.device.affinity<@a>) {{.+}} attributes {stream.transfer_kind = "x"}
    %5 = stream.async.transfer %4 : !stream.resource<*>{%c64} from(#hal.device.affinity<@b>) -> to(#hal.device.affinity<@a>) !stream.resource<*>{%c64}
    %6 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@h(%5[%c0 to %c64 for %c64], %2[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}, !stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
    %7 = stream.async.cast on(#hal.device.affinity<@a>) %6 : !stream.resource<*>{%c64} -> !stream.resource<external>{%c64}
    %8 = stream.tensor.export on(#hal.device.affinity<@a>) %7 : tensor<16xf32> in !stream.resource<external>{%c64} -> !hal.buffer_view
    util.return %8 : !hal.buffer_view
  }
}

// -----

// An explicit alias whose result is updated in place while its source is read later, together
// with the update: no order helps (IR-46).
// CHECK: error: 'stream.async.transfer' op alias transfer result is mutated while its source is still used; remove the kind to let a clone be made
// CHECK-NEXT: note: the update in place
// CHECK-NEXT: note: the later read of the old contents
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.func public @mutated(%u: !stream.resource<*>, %n: index) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %0 = arith.constant 1 : i32
    %1 = stream.async.splat on(#hal.device.affinity<@a>) %0 : i32 -> !stream.resource<*>{%c64}
    %2 = stream.async.transfer %1 : !stream.resource<*>{%c64} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>) !stream.resource<*>{%c64} attributes {stream.transfer_kind = "alias"}
    %3 = stream.async.update on(#hal.device.affinity<@b>) %u, %2[%c0 to %n] : !stream.resource<*>{%n} -> %2 as !stream.resource<*>{%c64}
    %4 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@h(%1[%c0 to %c64 for %c64], %3[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}, !stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
    %5 = stream.async.cast on(#hal.device.affinity<@a>) %4 : !stream.resource<*>{%c64} -> !stream.resource<external>{%c64}
    %6 = stream.tensor.export on(#hal.device.affinity<@a>) %5 : tensor<16xf32> in !stream.resource<external>{%c64} -> !hal.buffer_view
    util.return %6 : !hal.buffer_view
  }
}

// -----

// Memory is not what is missing here, but value semantics: the caller may write what it got while
// the global still keeps it.
// CHECK: error: 'stream.async.transfer' op alias transfer from @a to @a: a global keeps it, and the caller has it too and may write it; remove the kind to let a copy be made
util.global private @a : !hal.device
util.global private mutable @v : !stream.resource<variable>
util.func public @shown() -> !hal.buffer_view {
  %c64 = arith.constant 64 : index
  %0 = util.global.load @v : !stream.resource<variable>
  %1 = stream.async.transfer %0 : !stream.resource<variable>{%c64} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@a>) !stream.resource<external>{%c64} attributes {stream.transfer_kind = "alias"}
  %2 = stream.tensor.export on(#hal.device.affinity<@a>) %1 : tensor<16xf32> in !stream.resource<external>{%c64} -> !hal.buffer_view
  util.return %2 : !hal.buffer_view
}

// -----

// Where the source lives is not known.
// CHECK: error: 'stream.async.transfer' op alias transfer from an unknown device to @a: the source's affinity is unknown; remove the kind to let a copy be made
util.global private @a : !hal.device
util.func public @unknown(%x: !stream.resource<*>) -> !stream.resource<*> {
  %c64 = arith.constant 64 : index
  %0 = stream.async.transfer %x : !stream.resource<*>{%c64} -> to(#hal.device.affinity<@a>) !stream.resource<*>{%c64} attributes {stream.transfer_kind = "alias"}
  util.return %0 : !stream.resource<*>
}

// -----

// The host does not reach the device's memory, in which the shared storage would lie (IR-51).
// CHECK: error: 'stream.async.transfer' op alias transfer from @a to @a: no shared accessible memory: no pool is in reach of all its users (the host); remove the kind or give the devices access in the topology
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @a = {}, {host_visible = false})]>} {
util.global private @a : !hal.device
util.func private @hidden(%s: !stream.resource<staging>) -> !stream.resource<transient> {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %0 = stream.async.transfer %s : !stream.resource<staging>{%c256} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@a>) !stream.resource<transient>{%c256} attributes {stream.transfer_kind = "alias"}
  util.return %0 : !stream.resource<transient>
}
}
