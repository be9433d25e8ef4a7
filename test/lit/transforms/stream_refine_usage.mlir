// RUN: zc-opt --split-input-file %s -p stream-refine-usage | filecheck %s

// What comes in or goes out is external, the rest transient; casts go.
// CHECK-LABEL: @lifetimes
util.func public @lifetimes(%x: !hal.buffer_view) -> !hal.buffer_view {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  // CHECK: %[[I:.+]] = stream.tensor.import
  %0 = stream.tensor.import on(#hal.device.affinity<@a>) %x : !hal.buffer_view -> tensor<16xf32> in !stream.resource<external>{%c64}
  // CHECK-NOT: stream.async.cast
  %1 = stream.async.cast on(#hal.device.affinity<@a>) %0 : !stream.resource<external>{%c64} -> !stream.resource<*>{%c64}
  // CHECK: @ex::@f(%[[I]][%c0 to %c64 for %c64]) : (!stream.resource<external>{%c64}) -> !stream.resource<transient>{%c64}
  %2 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f(%1[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
  // CHECK: @ex::@g({{.+}}) : (!stream.resource<transient>{%c64}) -> !stream.resource<external>{%c64}
  %3 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@g(%2[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
  %4 = stream.async.cast on(#hal.device.affinity<@a>) %3 : !stream.resource<*>{%c64} -> !stream.resource<external>{%c64}
  %5 = stream.tensor.export on(#hal.device.affinity<@a>) %4 : tensor<16xf32> in !stream.resource<external>{%c64} -> !hal.buffer_view
  util.return %5 : !hal.buffer_view
}

// -----

// An alias shares the storage, and so the lifetime; a copy does not.
// CHECK-LABEL: @transfers
util.func public @transfers(%x: !hal.buffer_view) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %0 = stream.tensor.import on(#hal.device.affinity<@a>) %x : !hal.buffer_view -> tensor<16xf32> in !stream.resource<external>{%c64}
  %1 = stream.async.cast on(#hal.device.affinity<@a>) %0 : !stream.resource<external>{%c64} -> !stream.resource<*>{%c64}
  // CHECK: stream.async.transfer {{.+}} to(#hal.device.affinity<@b>) !stream.resource<external>{%c64} attributes {stream.transfer_kind = "alias"}
  %2 = stream.async.transfer %1 : !stream.resource<*>{%c64} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>) !stream.resource<*>{%c64} attributes {stream.transfer_kind = "alias"}
  // CHECK: stream.async.transfer {{.+}} to(#hal.device.affinity<@b>) !stream.resource<transient>{%c64} attributes {stream.transfer_kind = "copy"}
  %3 = stream.async.transfer %1 : !stream.resource<*>{%c64} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>) !stream.resource<*>{%c64} attributes {stream.transfer_kind = "copy"}
  %4 = stream.async.dispatch on(#hal.device.affinity<@b>) @ex::@f(%2[%c0 to %c64 for %c64], %3[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}, !stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
  util.return
}

// -----

// Types that are refined stay as they are.
// CHECK-LABEL: @refined
util.func public @refined() -> !stream.resource<transient> {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %0 = arith.constant 1 : i32
  // CHECK: stream.async.splat on(#hal.device.affinity<@a>) %{{.+}} : i32 -> !stream.resource<transient>{%c64}
  %1 = stream.async.splat on(#hal.device.affinity<@a>) %0 : i32 -> !stream.resource<transient>{%c64}
  util.return %1 : !stream.resource<transient>
}
