// RUN: zc-opt --split-input-file %s -p stream-refine-usage | filecheck %s

// A call passes its lifetimes on: what the callee takes and gives is what its callers pass.
// CHECK-LABEL: util.func private @callee
// CHECK-SAME: (%x: !stream.resource<external>, %y: !stream.resource<transient>) -> !stream.resource<transient>
util.func private @callee(%x: !stream.resource<*>, %y: !stream.resource<*>) -> !stream.resource<*> {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  // CHECK: @ex::@f({{.+}}) : (!stream.resource<external>{%c64}, !stream.resource<transient>{%c64}) -> !stream.resource<transient>{%c64}
  %0 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f(%x[%c0 to %c64 for %c64], %y[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}, !stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
  util.return %0 : !stream.resource<*>
}
// CHECK-LABEL: @caller
util.func public @caller(%x: !hal.buffer_view) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %0 = stream.tensor.import on(#hal.device.affinity<@a>) %x : !hal.buffer_view -> tensor<16xf32> in !stream.resource<external>{%c64}
  %1 = stream.async.cast on(#hal.device.affinity<@a>) %0 : !stream.resource<external>{%c64} -> !stream.resource<*>{%c64}
  %2 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@g(%1[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
  // CHECK: util.call @callee({{.+}}) : (!stream.resource<external>, !stream.resource<transient>) -> !stream.resource<transient>
  %3 = util.call @callee(%1, %2) : (!stream.resource<*>, !stream.resource<*>) -> !stream.resource<*>
  util.return
}

// -----

// A global that is stored to is variable, and so is what a loop carries to it; what came in as the
// caller's is copied. One that only initializers set is constant.
// CHECK: util.global private mutable @state : !stream.resource<variable>
util.global private mutable @state : !stream.resource<*>
// CHECK: util.global private @weights : !stream.resource<constant>
util.global private @weights : !stream.resource<*>
// CHECK-LABEL: @loop
util.func public @loop(%x: !hal.buffer_view, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %0 = stream.tensor.import on(#hal.device.affinity<@a>) %x : !hal.buffer_view -> tensor<16xf32> in !stream.resource<external>{%c64}
  // CHECK: %[[C:.+]] = stream.async.clone on(#hal.device.affinity<@a>) %{{.+}} : !stream.resource<external>{%c64} -> !stream.resource<variable>{%c64}
  %1 = stream.async.cast on(#hal.device.affinity<@a>) %0 : !stream.resource<external>{%c64} -> !stream.resource<*>{%c64}
  // CHECK: %[[W:.+]] = util.global.load @weights : !stream.resource<constant>
  %w = util.global.load @weights : !stream.resource<*>
  // CHECK: %[[R:.+]] = scf.for {{.+}} iter_args(%{{.+}} = %[[C]]) -> (!stream.resource<variable>)
  %2 = scf.for %i = %c0 to %n step %c1 iter_args(%v = %1) -> (!stream.resource<*>) {
    // CHECK: (!stream.resource<variable>{%c64}, !stream.resource<constant>{%c64}) -> !stream.resource<variable>{%c64}
    %3 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f(%v[%c0 to %c64 for %c64], %w[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}, !stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
    scf.yield %3 : !stream.resource<*>
  }
  // CHECK: util.global.store %[[R]], @state : !stream.resource<variable>
  util.global.store %2, @state : !stream.resource<*>
  util.return
}

// -----

// What a public function, or one that is only declared, takes and gives belongs to others.
// CHECK: util.func private @declared(%{{.+}}: !stream.resource<external>)
util.func private @declared(!stream.resource<*>)
// CHECK-LABEL: @open
// CHECK-SAME: (%x: !stream.resource<external>, %c: i1) -> !stream.resource<external>
util.func public @open(%x: !stream.resource<*>, %c: i1) -> !stream.resource<*> {
  %c64 = arith.constant 64 : index
  %p = arith.constant 1 : i32
  // CHECK: stream.async.splat {{.+}} -> !stream.resource<external>{%c64}
  %0 = stream.async.splat on(#hal.device.affinity<@a>) %p : i32 -> !stream.resource<*>{%c64}
  // CHECK: cf.cond_br %c, ^[[B:[a-z0-9]+]](%x : !stream.resource<external>), ^[[B]](%{{.+}} : !stream.resource<external>)
  cf.cond_br %c, ^bb1(%x : !stream.resource<*>), ^bb1(%0 : !stream.resource<*>)
^bb1(%1: !stream.resource<*>):
  util.return %1 : !stream.resource<*>
}

// -----

// A signature that states its lifetimes keeps them.
// CHECK-LABEL: @stated
// CHECK-SAME: (%x: !stream.resource<transient>) -> !stream.resource<transient>
util.func public @stated(%x: !stream.resource<transient>) -> !stream.resource<transient> {
  util.return %x : !stream.resource<transient>
}

// -----

// What the caller gave away is as long-lived as who keeps it; if nobody does it is external.
// CHECK-LABEL: @given
util.global private mutable @kept : !stream.resource<variable>
util.func public @given(%x: !hal.buffer_view, %y: !hal.buffer_view) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  // CHECK: %[[X:.+]] = stream.tensor.import on(#hal.device.affinity<@a>) consume %x : {{.+}} in !stream.resource<variable>
  %0 = stream.tensor.import on(#hal.device.affinity<@a>) consume %x : !hal.buffer_view -> tensor<16xf32> in !stream.resource<external>{%c64}
  %1 = stream.async.cast on(#hal.device.affinity<@a>) %0 : !stream.resource<external>{%c64} -> !stream.resource<*>{%c64}
  %2 = stream.async.cast on(#hal.device.affinity<@a>) %1 : !stream.resource<*>{%c64} -> !stream.resource<variable>{%c64}
  // CHECK-NOT: stream.async.clone
  // CHECK: util.global.store %[[X]], @kept
  util.global.store %2, @kept : !stream.resource<variable>
  // CHECK: stream.tensor.import on(#hal.device.affinity<@a>) consume %y : {{.+}} in !stream.resource<external>
  %3 = stream.tensor.import on(#hal.device.affinity<@a>) consume %y : !hal.buffer_view -> tensor<16xf32> in !stream.resource<external>{%c64}
  stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f(%3[%c0 to %c64 for %c64]) : (!stream.resource<external>{%c64}) -> ()
  util.return
}
