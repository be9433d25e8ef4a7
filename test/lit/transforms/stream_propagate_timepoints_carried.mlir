// RUN: zc-opt --split-input-file %s -p stream-propagate-timepoints,stream-verify-scheduled | filecheck %s

// The host waits at neither border of the loop: a timepoint comes in, goes round and comes out
// with the resource, and the regions of an iteration wait for it.
#a = #hal.device.affinity<@a>
#b = #hal.device.affinity<@b>
// CHECK-LABEL: @loop
util.func public @loop(%n: index) -> !hal.buffer_view {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  // CHECK: %[[S:.+]], %[[T:.+]] = stream.async.execute on(#hal.device.affinity<@a>)
  %0, %t0 = stream.async.execute on(#a) with() -> !stream.resource<external>{%c64} {
    %6 = stream.async.dispatch @ex::@f() : () -> !stream.resource<external>{%c64}
    stream.yield %6 : !stream.resource<external>{%c64}
  } => !stream.timepoint
  // CHECK-NOT: stream.timepoint.await
  %1 = stream.timepoint.await %t0 => %0 : !stream.resource<external>{%c64}
  // CHECK: %[[R:.+]], %[[RT:.+]] = scf.for {{.+}} iter_args(%[[V:.+]] = %[[S]], %[[VT:.+]] = %[[T]]) -> (!stream.resource<external>, !stream.timepoint)
  %2 = scf.for %i = %c0 to %n step %c1 iter_args(%v = %1) -> (!stream.resource<external>) {
    // CHECK-NEXT: %[[N:.+]], %[[NT:.+]] = stream.async.execute on(#hal.device.affinity<@b>) await(%[[VT]]) => with(%[[V]] as
    // CHECK-NOT: stream.timepoint.await
    // CHECK: scf.yield %[[N]], %[[NT]]
    %3, %t3 = stream.async.execute on(#b) with(%v as %arg0: !stream.resource<external>{%c64}) -> !stream.resource<external>{%c64} {
      %6 = stream.async.dispatch @ex::@g(%arg0[%c0 to %c64 for %c64]) : (!stream.resource<external>{%c64}) -> !stream.resource<external>{%c64}
      stream.yield %6 : !stream.resource<external>{%c64}
    } => !stream.timepoint
    %4 = stream.timepoint.await %t3 => %3 : !stream.resource<external>{%c64}
    scf.yield %4 : !stream.resource<external>
  }
  // CHECK: %[[W:.+]] = stream.timepoint.await %[[RT]] => %[[R]]
  // CHECK-NEXT: stream.tensor.export on(#hal.device.affinity<@a>) %[[W]]
  %5 = stream.tensor.export on(#a) %2 : tensor<16xf32> in !stream.resource<external>{%c64} -> !hal.buffer_view
  util.return %5 : !hal.buffer_view
}

// -----

// A value is quiet when it is passed on: its other reader, on another device, is done too (IR-47).
#a = #hal.device.affinity<@a>
#b = #hal.device.affinity<@b>
// CHECK-LABEL: @quiet
util.func public @quiet(%c: i1) -> (!hal.buffer_view, !hal.buffer_view) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %0, %t0 = stream.async.execute on(#a) with() -> !stream.resource<external>{%c64} {
    %8 = stream.async.dispatch @ex::@f() : () -> !stream.resource<external>{%c64}
    stream.yield %8 : !stream.resource<external>{%c64}
  } => !stream.timepoint
  // CHECK: %[[B:.+]], %[[TB:.+]] = stream.async.execute on(#hal.device.affinity<@b>) await
  %1, %t1 = stream.async.execute on(#b) await(%t0) => with(%0 as %arg0: !stream.resource<external>{%c64}) -> !stream.resource<external>{%c64} {
    %8 = stream.async.dispatch @ex::@g(%arg0[%c0 to %c64 for %c64]) : (!stream.resource<external>{%c64}) -> !stream.resource<external>{%c64}
    stream.yield %8 : !stream.resource<external>{%c64}
  } => !stream.timepoint
  %2:2 = stream.timepoint.await %t1 => %0, %1 : !stream.resource<external>{%c64}, !stream.resource<external>{%c64}
  // CHECK: scf.while (%[[V:.+]] = %{{.+}}, %[[VT:.+]] = %[[TB]])
  %3 = scf.while (%v = %2#0) : (!stream.resource<external>) -> !stream.resource<external> {
    // CHECK: scf.condition(%c) %[[V]], %[[VT]] : !stream.resource<external>, !stream.timepoint
    scf.condition(%c) %v : !stream.resource<external>
  } do {
  ^bb0(%v: !stream.resource<external>):
    // CHECK: ^{{.+}}(%[[D:.+]]: !stream.resource<external>, %[[DT:.+]]: !stream.timepoint)
    // CHECK-NEXT: %[[N:.+]], %[[NT:.+]] = stream.async.execute on(#hal.device.affinity<@a>) await(%[[DT]]) => with(%[[D]] as
    %4, %t4 = stream.async.execute on(#a) with(%v as %arg0: !stream.resource<external>{%c64}) -> %v{%c64} {
      %8 = stream.async.dispatch @ex::@h(%arg0[%c0 to %c64 for %c64]) : (!stream.resource<external>{%c64}) -> %arg0{%c64}
      stream.yield %8 : !stream.resource<external>{%c64}
    } => !stream.timepoint
    %5 = stream.timepoint.await %t4 => %4 : !stream.resource<external>{%c64}
    // CHECK: scf.yield %[[N]], %[[NT]]
    scf.yield %5 : !stream.resource<external>
  }
  %6 = stream.tensor.export on(#a) %3 : tensor<16xf32> in !stream.resource<external>{%c64} -> !hal.buffer_view
  %7 = stream.tensor.export on(#b) %2#1 : tensor<16xf32> in !stream.resource<external>{%c64} -> !hal.buffer_view
  util.return %6, %7 : !hal.buffer_view, !hal.buffer_view
}

// -----

// A loop without resources stays as it is, and what it uses is waited for before.
#a = #hal.device.affinity<@a>
// CHECK-LABEL: @scalar
util.func public @scalar(%n: index, %z: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  // CHECK: %[[S:.+]], %[[T:.+]] = stream.async.execute
  %0, %t0 = stream.async.execute on(#a) with() -> !stream.resource<staging>{%c64} {
    %6 = stream.async.dispatch @ex::@f() : () -> !stream.resource<transient>{%c64}
    %7 = stream.async.transfer %6 : !stream.resource<transient>{%c64} -> !stream.resource<staging>{%c64} attributes {stream.transfer_kind = "copy"}
    stream.yield %7 : !stream.resource<staging>{%c64}
  } => !stream.timepoint
  // CHECK: %[[W:.+]] = stream.timepoint.await %[[T]] => %[[S]]
  %1 = stream.timepoint.await %t0 => %0 : !stream.resource<staging>{%c64}
  // CHECK-NEXT: scf.for {{.+}} iter_args(%{{.+}} = %z) -> (f32)
  %2 = scf.for %i = %c0 to %n step %c1 iter_args(%v = %z) -> (f32) {
    // CHECK-NEXT: stream.async.load %[[W]]
    %3 = stream.async.load %1[%c0] : !stream.resource<staging>{%c64} -> f32
    %4 = arith.addf %v, %3 : f32
    scf.yield %4 : f32
  }
  util.return %2 : f32
}

// -----

// What a branch reads is under way until the timepoint that it gives is reached: who updates it
// later waits for that.
// CHECK-LABEL: @read_in_a_branch
util.func public @read_in_a_branch(%which: i1, %x: !stream.resource<transient>) -> (!stream.resource<external>, !stream.resource<transient>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  // CHECK: %{{.+}}, %[[READ:.+]] = scf.if %which -> (!stream.resource<external>, !stream.timepoint)
  %v = scf.if %which -> (!stream.resource<external>) {
    %0, %t0 = stream.async.execute on(#hal.device.affinity<@b>) with(%x as %a: !stream.resource<transient>{%c64}) -> !stream.resource<external>{%c64} {
      %1 = stream.async.dispatch @ex::@f(%a[%c0 to %c64 for %c64]) : (!stream.resource<transient>{%c64}) -> !stream.resource<external>{%c64}
      stream.yield %1 : !stream.resource<external>{%c64}
    } => !stream.timepoint
    %2 = stream.timepoint.await %t0 => %0 : !stream.resource<external>{%c64}
    scf.yield %2 : !stream.resource<external>
  } else {
    %3, %t3 = stream.async.execute on(#hal.device.affinity<@b>) with(%x as %a: !stream.resource<transient>{%c64}) -> !stream.resource<external>{%c64} {
      %4 = stream.async.dispatch @ex::@g(%a[%c0 to %c64 for %c64]) : (!stream.resource<transient>{%c64}) -> !stream.resource<external>{%c64}
      stream.yield %4 : !stream.resource<external>{%c64}
    } => !stream.timepoint
    %5 = stream.timepoint.await %t3 => %3 : !stream.resource<external>{%c64}
    scf.yield %5 : !stream.resource<external>
  }
  // CHECK: stream.async.execute on(#hal.device.affinity<@b>) await(%[[READ]]) => with(%x as
  %6, %t6 = stream.async.execute on(#hal.device.affinity<@b>) with(%x as %a: !stream.resource<transient>{%c64}) -> %x{%c64} {
    %7 = stream.async.dispatch @ex::@h(%a[%c0 to %c64 for %c64]) : (!stream.resource<transient>{%c64}) -> %a{%c64}
    stream.yield %7 : !stream.resource<transient>{%c64}
  } => !stream.timepoint
  %8 = stream.timepoint.await %t6 => %6 : !stream.resource<transient>{%c64}
  util.return %v, %8 : !stream.resource<external>, !stream.resource<transient>
}

// -----

// A loop takes a value once earlier readers are done with it, though its own update of the whole
// value is later than theirs.
// CHECK-LABEL: @read_before_a_loop
util.func public @read_before_a_loop(%n: index, %x: !stream.resource<transient>) -> (!stream.resource<external>, !stream.resource<transient>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  // CHECK: %{{.+}}, %[[READ:.+]] = stream.async.execute
  %0, %t0 = stream.async.execute on(#hal.device.affinity<@b>) with(%x as %a: !stream.resource<transient>{%c64}) -> !stream.resource<external>{%c64} {
    %1 = stream.async.dispatch @ex::@f(%a[%c0 to %c64 for %c64]) : (!stream.resource<transient>{%c64}) -> !stream.resource<external>{%c64}
    stream.yield %1 : !stream.resource<external>{%c64}
  } => !stream.timepoint
  %2 = stream.timepoint.await %t0 => %0 : !stream.resource<external>{%c64}
  // CHECK: scf.for %{{.+}} iter_args(%{{.+}} = %x, %{{.+}} = %[[READ]])
  %3 = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x) -> (!stream.resource<transient>) {
    %4, %t4 = stream.async.execute on(#hal.device.affinity<@b>) with(%v as %a: !stream.resource<transient>{%c64}) -> %v{%c64} {
      %5 = stream.async.dispatch @ex::@h(%a[%c0 to %c64 for %c64]) : (!stream.resource<transient>{%c64}) -> %a{%c64}
      stream.yield %5 : !stream.resource<transient>{%c64}
    } => !stream.timepoint
    %6 = stream.timepoint.await %t4 => %4 : !stream.resource<transient>{%c64}
    scf.yield %6 : !stream.resource<transient>
  }
  util.return %2, %3 : !stream.resource<external>, !stream.resource<transient>
}

// -----

// Of loops one after the other each waits for the one before, whose timepoint tells of all that came
// earlier: what they wait for does not grow.
#a = #hal.device.affinity<@a>
#b = #hal.device.affinity<@b>
// CHECK-LABEL: @loops_in_a_row
util.func public @loops_in_a_row(%x: !stream.resource<external>, %n: index, %more: i1) -> !hal.buffer_view {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  // CHECK-NOT: stream.timepoint.join
  // CHECK: %[[R1:.+]], %[[T1:.+]] = scf.for
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x) -> (!stream.resource<external>) {
    %r1, %t1 = stream.async.execute on(#b) with(%v as %arg0: !stream.resource<external>{%c64}) -> !stream.resource<external>{%c64} {
      %9 = stream.async.dispatch @ex::@g(%arg0[%c0 to %c64 for %c64]) : (!stream.resource<external>{%c64}) -> !stream.resource<external>{%c64}
      stream.yield %9 : !stream.resource<external>{%c64}
    } => !stream.timepoint
    %w1 = stream.timepoint.await %t1 => %r1 : !stream.resource<external>{%c64}
    scf.yield %w1 : !stream.resource<external>
  }
  // CHECK-NOT: stream.timepoint.join
  // CHECK: %[[R2:.+]], %[[T2:.+]] = scf.while (%{{.+}} = %[[R1]], %{{.+}} = %[[T1]])
  %2 = scf.while (%u = %1) : (!stream.resource<external>) -> !stream.resource<external> {
    scf.condition(%more) %u : !stream.resource<external>
  } do {
  ^bb0(%v: !stream.resource<external>):
    %r2, %t2 = stream.async.execute on(#b) with(%v as %arg0: !stream.resource<external>{%c64}) -> !stream.resource<external>{%c64} {
      %9 = stream.async.dispatch @ex::@g(%arg0[%c0 to %c64 for %c64]) : (!stream.resource<external>{%c64}) -> !stream.resource<external>{%c64}
      stream.yield %9 : !stream.resource<external>{%c64}
    } => !stream.timepoint
    %w2 = stream.timepoint.await %t2 => %r2 : !stream.resource<external>{%c64}
    scf.yield %w2 : !stream.resource<external>
  }
  // CHECK-NOT: stream.timepoint.join
  // CHECK: scf.for {{.+}} iter_args(%{{.+}} = %[[R2]], %{{.+}} = %[[T2]])
  %3 = scf.for %i = %c0 to %n step %c1 iter_args(%v = %2) -> (!stream.resource<external>) {
    %r3, %t3 = stream.async.execute on(#b) with(%v as %arg0: !stream.resource<external>{%c64}) -> !stream.resource<external>{%c64} {
      %9 = stream.async.dispatch @ex::@g(%arg0[%c0 to %c64 for %c64]) : (!stream.resource<external>{%c64}) -> !stream.resource<external>{%c64}
      stream.yield %9 : !stream.resource<external>{%c64}
    } => !stream.timepoint
    %w3 = stream.timepoint.await %t3 => %r3 : !stream.resource<external>{%c64}
    scf.yield %w3 : !stream.resource<external>
  }
  %4 = stream.tensor.export on(#a) %3 : tensor<16xf32> in !stream.resource<external>{%c64} -> !hal.buffer_view
  util.return %4 : !hal.buffer_view
}
