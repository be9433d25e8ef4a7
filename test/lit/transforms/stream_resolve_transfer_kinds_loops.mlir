// RUN: zc-opt --split-input-file %s -p stream-resolve-transfer-kinds --remarks 2>%t.remarks | filecheck %s
// RUN: filecheck %s --check-prefix=REMARK --input-file=%t.remarks

// a reaches b's memory, b does not reach a's, in which the loop starts and ends. Its value lies in
// b's memory, with one copy before and one after, instead of one in each iteration (IR-29).
// CHECK-LABEL: @bounce
// REMARK: remark: copied at the border of the loop: no pool is in reach
// REMARK: remark: transfer aliased: the pool of @b serves @b, @a
// REMARK: remark: transfer aliased: the pool of @b serves @a, @b
// REMARK: remark: copied at the border of the loop: no pool is in reach
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {transparent_access = true})]>} {
util.global private @a : !hal.device
util.global private @b : !hal.device
util.func public @bounce(%x: !hal.buffer_view, %n: index) -> !hal.buffer_view {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  // CHECK: %[[X:.+]] = stream.async.cast
  %0 = stream.tensor.import on(#hal.device.affinity<@a>) %x : !hal.buffer_view -> tensor<16xf32> in !stream.resource<external>{%c64}
  %1 = stream.async.cast on(#hal.device.affinity<@a>) %0 : !stream.resource<external>{%c64} -> !stream.resource<*>{%c64}
  // CHECK-NEXT: %[[IN:.+]] = stream.async.transfer %[[X]] : {{.+}} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@a>) {{.+}} attributes {stream.transfer_kind = "copy"}
  // CHECK-NEXT: %[[R:.+]] = scf.for {{.+}} iter_args(%{{.+}} = %[[IN]])
  %2 = scf.for %i = %c0 to %n step %c1 iter_args(%y = %1) -> (!stream.resource<*>) {
    // CHECK: stream.async.transfer {{.+}} attributes {stream.transfer_kind = "alias"}
    %3 = stream.async.transfer %y : !stream.resource<*>{%c64} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>) !stream.resource<*>{%c64}
    %4 = stream.async.dispatch on(#hal.device.affinity<@b>) @ex::@g(%3[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
    // CHECK: stream.async.transfer {{.+}} attributes {stream.transfer_kind = "alias"}
    %5 = stream.async.transfer %4 : !stream.resource<*>{%c64} from(#hal.device.affinity<@b>) -> to(#hal.device.affinity<@a>) !stream.resource<*>{%c64}
    %6 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f(%5[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
    scf.yield %6 : !stream.resource<*>
  }
  // CHECK: %[[OUT:.+]] = stream.async.transfer %[[R]] {{.+}} attributes {stream.transfer_kind = "copy"}
  // CHECK-NEXT: stream.async.cast {{.+}} %[[OUT]]
  %7 = stream.async.cast on(#hal.device.affinity<@a>) %2 : !stream.resource<*>{%c64} -> !stream.resource<external>{%c64}
  %8 = stream.tensor.export on(#hal.device.affinity<@a>) %7 : tensor<16xf32> in !stream.resource<external>{%c64} -> !hal.buffer_view
  util.return %8 : !hal.buffer_view
}
}

// -----

// The same with one iteration: one copy in it is cheaper than two around it.
// CHECK-LABEL: @bounce_once
// REMARK-NOT: border
// REMARK: remark: transfer kept as copy
// REMARK: remark: transfer aliased: the pool of @b serves @a, @b
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {transparent_access = true})]>} {
util.global private @a : !hal.device
util.global private @b : !hal.device
util.func public @bounce_once(%x: !hal.buffer_view) -> !hal.buffer_view {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %0 = stream.tensor.import on(#hal.device.affinity<@a>) %x : !hal.buffer_view -> tensor<16xf32> in !stream.resource<external>{%c64}
  // CHECK: %[[X:.+]] = stream.async.cast
  %1 = stream.async.cast on(#hal.device.affinity<@a>) %0 : !stream.resource<external>{%c64} -> !stream.resource<*>{%c64}
  // CHECK-NEXT: scf.for {{.+}} iter_args(%{{.+}} = %[[X]])
  %2 = scf.for %i = %c0 to %c1 step %c1 iter_args(%y = %1) -> (!stream.resource<*>) {
    // CHECK: stream.async.transfer {{.+}} attributes {stream.transfer_kind = "copy"}
    %3 = stream.async.transfer %y : !stream.resource<*>{%c64} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>) !stream.resource<*>{%c64}
    %4 = stream.async.dispatch on(#hal.device.affinity<@b>) @ex::@g(%3[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
    // CHECK: stream.async.transfer {{.+}} attributes {stream.transfer_kind = "alias"}
    %5 = stream.async.transfer %4 : !stream.resource<*>{%c64} from(#hal.device.affinity<@b>) -> to(#hal.device.affinity<@a>) !stream.resource<*>{%c64}
    %6 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f(%5[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
    scf.yield %6 : !stream.resource<*>
  }
  // CHECK-NOT: stream.async.transfer
  // CHECK: util.return
  %7 = stream.async.cast on(#hal.device.affinity<@a>) %2 : !stream.resource<*>{%c64} -> !stream.resource<external>{%c64}
  %8 = stream.tensor.export on(#hal.device.affinity<@a>) %7 : tensor<16xf32> in !stream.resource<external>{%c64} -> !hal.buffer_view
  util.return %8 : !hal.buffer_view
}
}

// -----

// Nested while loops, dynamic size: the copies are around the outer one. An explicit alias within
// is legal on their account (IR-24).
// CHECK-LABEL: @nested
// REMARK: remark: copied at the border of the loop
// REMARK: remark: transfer aliased: the pool of @b serves @b, @a
// REMARK-NEXT: remark: transfer aliased: the pool of @b serves @a, @b
// REMARK-NEXT: remark: copied at the border of the loop
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {transparent_access = true})]>} {
util.global private @a : !hal.device
util.global private @b : !hal.device
util.func public @nested(%x: !hal.buffer_view, %size: index) -> !hal.buffer_view {
  %c0 = arith.constant 0 : index
  %0 = stream.tensor.import on(#hal.device.affinity<@a>) %x : !hal.buffer_view -> tensor<?xf32>{%size} in !stream.resource<external>{%size}
  %1 = stream.async.cast on(#hal.device.affinity<@a>) %0 : !stream.resource<external>{%size} -> !stream.resource<*>{%size}
  // CHECK: stream.async.transfer {{.+}} attributes {stream.transfer_kind = "copy"}
  // CHECK-NEXT: scf.while
  %2 = scf.while (%y = %1) : (!stream.resource<*>) -> !stream.resource<*> {
    %more = util.call @more() : () -> i1
    scf.condition(%more) %y : !stream.resource<*>
  } do {
  ^bb0(%y: !stream.resource<*>):
    // CHECK-NOT: stream.async.transfer
    // CHECK-NOT: stream.resource.size
    // CHECK: scf.while
    %3 = scf.while (%z = %y) : (!stream.resource<*>) -> !stream.resource<*> {
      %more = util.call @more() : () -> i1
      scf.condition(%more) %z : !stream.resource<*>
    } do {
    ^bb0(%z: !stream.resource<*>):
      %4 = stream.async.transfer %z : !stream.resource<*>{%size} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>) !stream.resource<*>{%size} attributes {stream.transfer_kind = "alias"}
      %5 = stream.async.dispatch on(#hal.device.affinity<@b>) @ex::@g(%4[%c0 to %size for %size]) : (!stream.resource<*>{%size}) -> !stream.resource<*>{%size}
      %6 = stream.async.transfer %5 : !stream.resource<*>{%size} from(#hal.device.affinity<@b>) -> to(#hal.device.affinity<@a>) !stream.resource<*>{%size}
      %7 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f(%6[%c0 to %size for %size]) : (!stream.resource<*>{%size}) -> !stream.resource<*>{%size}
      scf.yield %7 : !stream.resource<*>
    }
    // CHECK: stream.async.dispatch on(#hal.device.affinity<@a>)
    // CHECK-NOT: stream.resource.size
    // CHECK: stream.async.transfer {{.+}} attributes {stream.transfer_kind = "copy"}
    scf.yield %3 : !stream.resource<*>
  }
  %8 = stream.async.cast on(#hal.device.affinity<@a>) %2 : !stream.resource<*>{%size} -> !stream.resource<external>{%size}
  %9 = stream.tensor.export on(#hal.device.affinity<@a>) %8 : tensor<?xf32>{%size} in !stream.resource<external>{%size} -> !hal.buffer_view
  util.return %9 : !hal.buffer_view
}
util.func private @more() -> i1
}

// -----

// What is transferred is the same in each iteration: copied once, before both loops. Where the
// copy is updated in place, each iteration needs one of its own.
// CHECK-LABEL: @invariant
// CHECK: stream.async.transfer
// CHECK-NEXT: scf.for
// CHECK-NEXT: scf.for
// CHECK-NOT: stream.async.transfer
// CHECK: util.return
// CHECK-LABEL: @updated
// CHECK: scf.for
// CHECK: stream.async.transfer
// REMARK: copied once before the loop
// REMARK-NOT: copied once before the loop
util.global private @a : !hal.device
util.global private @b : !hal.device
util.func public @invariant(%x: !stream.resource<*>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %1 = stream.async.transfer %x : !stream.resource<*>{%c64} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>) !stream.resource<*>{%c64}
      %2 = stream.async.dispatch on(#hal.device.affinity<@b>) @ex::@g(%1[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
      util.call @use(%2) : (!stream.resource<*>) -> ()
    }
  }
  util.return
}
util.func public @updated(%x: !stream.resource<*>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %v = arith.constant 7 : i32
  scf.for %i = %c0 to %n step %c1 {
    %1 = stream.async.transfer %x : !stream.resource<*>{%c64} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>) !stream.resource<*>{%c64}
    %2 = stream.async.fill on(#hal.device.affinity<@b>) %v, %1[%c0 to %c1 for %c1] : i32 -> %1 as !stream.resource<*>{%c64}
    util.call @use(%2) : (!stream.resource<*>) -> ()
  }
  util.return
}
util.func private @use(%x: !stream.resource<*>)
