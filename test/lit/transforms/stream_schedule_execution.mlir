// RUN: zc-opt --split-input-file %s -p stream-schedule-execution | filecheck %s

// A chain a -> b -> a is three regions; each awaits the one before, which implies the first.
// CHECK-LABEL: @chain
util.func public @chain(%x: !hal.buffer_view) -> !hal.buffer_view {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  // CHECK: %[[X:.+]] = stream.tensor.import
  %0 = stream.tensor.import on(#hal.device.affinity<@a>) %x : !hal.buffer_view -> tensor<16xf32> in !stream.resource<external>{%c64}
  // CHECK: %[[A:.+]], %[[A2:.+]], %[[TA:.+]] = stream.async.execute on(#hal.device.affinity<@a>) with(%[[X]] as %[[ARG:.+]]: !stream.resource<external>{%c64})
  // CHECK-NEXT: %[[F:.+]] = stream.async.dispatch @ex::@f(%[[ARG]][%c0 to %c64 for %c64])
  %1 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f(%0[%c0 to %c64 for %c64]) : (!stream.resource<external>{%c64}) -> !stream.resource<transient>{%c64}
  // An alias transfer stands with its producer, so that its user awaits the producer (IR-01, IR-04).
  // CHECK-NEXT: %[[T:.+]] = stream.async.transfer %[[F]] : {{.*}} -> to(#hal.device.affinity<@b>) {{.*}} attributes {stream.transfer_kind = "alias"}
  %2 = stream.async.transfer %1 : !stream.resource<transient>{%c64} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>) !stream.resource<transient>{%c64} attributes {stream.transfer_kind = "alias"}
  // CHECK-NEXT: stream.yield %[[F]], %[[T]]
  // CHECK: stream.async.execute on(#hal.device.affinity<@b>) await(%[[TA]]) => with(%[[A2]] as
  %3 = stream.async.dispatch on(#hal.device.affinity<@b>) @ex::@g(%2[%c0 to %c64 for %c64]) : (!stream.resource<transient>{%c64}) -> !stream.resource<transient>{%c64}
  // CHECK: %[[V:.+]], %[[TB:.+]] = stream.async.execute on(#hal.device.affinity<@a>) await(
  // CHECK-NOT: stream.timepoint.join
  %4 = stream.async.transfer %3 : !stream.resource<transient>{%c64} from(#hal.device.affinity<@b>) -> to(#hal.device.affinity<@a>) !stream.resource<transient>{%c64} attributes {stream.transfer_kind = "alias"}
  %5 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@h(%4[%c0 to %c64 for %c64], %1[%c0 to %c64 for %c64]) : (!stream.resource<transient>{%c64}, !stream.resource<transient>{%c64}) -> !stream.resource<external>{%c64}
  // CHECK: %[[R:.+]] = stream.timepoint.await %[[TB]] => %[[V]]
  // CHECK-NEXT: stream.tensor.export on(#hal.device.affinity<@a>) %[[R]]
  %6 = stream.tensor.export on(#hal.device.affinity<@a>) %5 : tensor<16xf32> in !stream.resource<external>{%c64} -> !hal.buffer_view
  util.return %6 : !hal.buffer_view
}
