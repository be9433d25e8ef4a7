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

// -----

#a = #hal.device.affinity<@a>
#b = #hal.device.affinity<@b>

// Ops of one device share a region wherever order allows, also across ops of another one.
// CHECK-LABEL: @merge
util.func public @merge(%r: !stream.resource<external>) -> (!stream.resource<transient>, !stream.resource<transient>) {
  %c64 = arith.constant 64 : index
  // CHECK: %[[A0:.+]], %[[A1:.+]], %[[TA:.+]] = stream.async.execute on(#hal.device.affinity<@a>) with
  // CHECK-COUNT-2: stream.async.clone
  // CHECK: %[[B:.+]], %[[TB:.+]] = stream.async.execute on(#hal.device.affinity<@b>) await(%[[TA]]) => with
  // CHECK-NEXT: stream.async.clone
  // CHECK-NOT: stream.async.execute
  %0 = stream.async.clone on(#a) %r : !stream.resource<external>{%c64} -> !stream.resource<transient>{%c64}
  %1 = stream.async.clone on(#b) %0 : !stream.resource<transient>{%c64} -> !stream.resource<transient>{%c64}
  %2 = stream.async.clone on(#a) %r : !stream.resource<external>{%c64} -> !stream.resource<transient>{%c64}
  // The host waits once for both: what a made is done when b is.
  // CHECK: %[[V0:.+]], %[[V1:.+]] = stream.timepoint.await %[[TB]] => %[[B]], %[[A1]]
  // CHECK-NEXT: util.return %[[V0]], %[[V1]]
  util.return %1, %2 : !stream.resource<transient>, !stream.resource<transient>
}

// -----

#a = #hal.device.affinity<@a>
#b = #hal.device.affinity<@b>

// No value flows from a's reader to b's update in place, but b writes what a reads, through an
// alias: the reader comes first and is awaited (IR-47). The update is tied to what b captures.
// CHECK-LABEL: @hazard
util.func public @hazard(%x: !hal.buffer_view) -> (!stream.resource<transient>, !stream.resource<transient>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c7 = arith.constant 7 : i32
  // CHECK: %[[X0:.+]], %[[X1:.+]], %[[T0:.+]] = stream.async.execute on(#hal.device.affinity<@a>)
  %0 = stream.async.splat on(#a) %c7 : i32 -> !stream.resource<transient>{%c64}
  %1 = stream.async.transfer %0 : !stream.resource<transient>{%c64} from(#a) -> to(#b) !stream.resource<transient>{%c64} attributes {stream.transfer_kind = "alias"}
  // CHECK: %[[R1:.+]], %[[T1:.+]] = stream.async.execute on(#hal.device.affinity<@b>) await(%[[T0]])
  // CHECK-NEXT: stream.async.clone
  %2 = stream.async.clone on(#b) %1 : !stream.resource<transient>{%c64} -> !stream.resource<transient>{%c64}
  // CHECK: %[[R2:.+]], %[[T2:.+]] = stream.async.execute on(#hal.device.affinity<@a>) await(%[[T1]]) => with(%[[R1]] as %{{.+}}, %[[X0]] as %[[SRC:.+]]: !stream.resource<transient>{%c64})
  // CHECK: stream.async.dispatch @ex::@f(%{{.+}}, %[[SRC]]
  %3 = stream.async.dispatch on(#a) @ex::@f(%2[%c0 to %c64 for %c64], %0[%c0 to %c64 for %c64]) : (!stream.resource<transient>{%c64}, !stream.resource<transient>{%c64}) -> !stream.resource<transient>{%c64}
  // CHECK: stream.async.execute on(#hal.device.affinity<@b>) await(%[[T2]]) => with(%[[X1]] as %[[DST:.+]]: !stream.resource<transient>{%c64}) -> %[[X1]]{%c64} {
  // CHECK-NEXT: stream.async.fill %{{.+}}, %[[DST]]
  %4 = stream.async.fill on(#b) %c7, %1[%c0 to %c64 for %c64] : i32 -> %1 as !stream.resource<transient>{%c64}
  util.return %3, %4 : !stream.resource<transient>, !stream.resource<transient>
}

// -----

#a = #hal.device.affinity<@a>
#b = #hal.device.affinity<@b>

// The alias of a value that no region makes stands in each region that uses it; nothing runs on a.
// CHECK-LABEL: @alias_of_import
util.func public @alias_of_import(%x: !hal.buffer_view) -> !stream.resource<transient> {
  %c64 = arith.constant 64 : index
  // CHECK: %[[X:.+]] = stream.tensor.import
  %0 = stream.tensor.import on(#a) %x : !hal.buffer_view -> tensor<16xf32> in !stream.resource<external>{%c64}
  // CHECK-NEXT: stream.async.execute on(#hal.device.affinity<@b>) with(%[[X]] as %[[ARG:.+]]: !stream.resource<external>{%c64})
  // CHECK-NEXT: %[[Y:.+]] = stream.async.transfer %[[ARG]] : !stream.resource<external>{%c64} from(#hal.device.affinity<@a>)
  // CHECK-NEXT: stream.async.clone %[[Y]]
  // CHECK-NOT: stream.async.execute
  %1 = stream.async.transfer %0 : !stream.resource<external>{%c64} from(#a) -> to(#b) !stream.resource<external>{%c64} attributes {stream.transfer_kind = "alias"}
  %2 = stream.async.clone on(#b) %1 : !stream.resource<external>{%c64} -> !stream.resource<transient>{%c64}
  util.return %2 : !stream.resource<transient>
}

// -----

#a = #hal.device.affinity<@a>
#b = #hal.device.affinity<@b>

// Where the host needs it, the handoff is a region of its own whose result is what it captures
// (IR-49): it is not lost (IR-01).
// CHECK-LABEL: @handoff_only
util.func public @handoff_only(%r: !stream.resource<external>) -> !stream.resource<external> {
  %c64 = arith.constant 64 : index
  // CHECK: %[[V:.+]], %[[T:.+]] = stream.async.execute on(#hal.device.affinity<@a>) with(%[[R:.+]] as %{{.+}}: !stream.resource<external>{%c64}) -> %[[R]]{%c64} {
  // CHECK-NEXT: stream.async.transfer
  %0 = stream.async.transfer %r : !stream.resource<external>{%c64} from(#a) -> to(#b) !stream.resource<external>{%c64} attributes {stream.transfer_kind = "alias"}
  // CHECK: stream.timepoint.await %[[T]] => %[[V]]
  util.return %0 : !stream.resource<external>
}

// -----

#a = #hal.device.affinity<@a>
#b = #hal.device.affinity<@b>

// A copy runs on the source's side, or where on(…) says (IR-52).
// CHECK-LABEL: @copies
util.func public @copies(%r: !stream.resource<external>) -> (!stream.resource<transient>, !stream.resource<transient>) {
  %c64 = arith.constant 64 : index
  // CHECK: stream.async.execute on(#hal.device.affinity<@a>)
  // CHECK-NEXT: stream.async.transfer %{{.+}} : !stream.resource<external>{%c64} -> to(#hal.device.affinity<@b>)
  %0 = stream.async.transfer %r : !stream.resource<external>{%c64} from(#a) -> to(#b) !stream.resource<transient>{%c64} attributes {stream.transfer_kind = "copy"}
  // CHECK: stream.async.execute on(#hal.device.affinity<@b>)
  // CHECK-NEXT: stream.async.transfer %{{.+}} : !stream.resource<external>{%c64} from(#hal.device.affinity<@a>) -> !stream
  %1 = stream.async.transfer on(#b) %r : !stream.resource<external>{%c64} from(#a) -> to(#b) !stream.resource<transient>{%c64} attributes {stream.transfer_kind = "copy"}
  util.return %0, %1 : !stream.resource<transient>, !stream.resource<transient>
}

// -----

// b cannot read or write a's memory; a can reach b's: a copies (case B44).
#a = #hal.device.affinity<@a>
#b = #hal.device.affinity<@b>
module attributes {stream.topology = #hal.device.topology<links = [(@b -> @a = {}, {buffer_read = "none", buffer_write = "none"})]>} {
  util.global private @a : !hal.device
  util.global private @b : !hal.device
  // CHECK-LABEL: @who_copies
  util.func public @who_copies(%r: !stream.resource<external>) -> !stream.resource<transient> {
    %c64 = arith.constant 64 : index
    // CHECK: stream.async.execute on(#hal.device.affinity<@a>)
    %0 = stream.async.transfer %r : !stream.resource<external>{%c64} from(#b) -> to(#a) !stream.resource<transient>{%c64} attributes {stream.transfer_kind = "copy"}
    util.return %0 : !stream.resource<transient>
  }
}

// -----

// b could copy to a's memory, but a has both memories in reach: a copies. Where it says so, b does
// (case B44, IR-52).
#a = #hal.device.affinity<@a>
#b = #hal.device.affinity<@b>
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {transparent_access = true}), (@b -> @a = {})]>} {
  util.global private @a : !hal.device
  util.global private @b : !hal.device
  // CHECK-LABEL: @who_reaches_both
  util.func public @who_reaches_both(%r: !stream.resource<transient>) -> (!stream.resource<transient>, !stream.resource<transient>) {
    %c64 = arith.constant 64 : index
    // CHECK: stream.async.execute on(#hal.device.affinity<@a>)
    %0 = stream.async.transfer %r : !stream.resource<transient>{%c64} from(#b) -> to(#a) !stream.resource<transient>{%c64} attributes {stream.transfer_kind = "copy"}
    // CHECK: stream.async.execute on(#hal.device.affinity<@b>)
    %1 = stream.async.transfer on(#b) %r : !stream.resource<transient>{%c64} from(#b) -> to(#a) !stream.resource<transient>{%c64} attributes {stream.transfer_kind = "copy"}
    util.return %0, %1 : !stream.resource<transient>, !stream.resource<transient>
  }
}

// -----

#a = #hal.device.affinity<@a>

// Blocks of branches are scheduled each on their own; the host waits at their borders.
// CHECK-LABEL: @branch
util.func public @branch(%r: !stream.resource<external>, %c: i1) -> !stream.resource<transient> {
  %c64 = arith.constant 64 : index
  // CHECK: %[[V0:.+]], %[[T0:.+]] = stream.async.execute
  %0 = stream.async.clone on(#a) %r : !stream.resource<external>{%c64} -> !stream.resource<transient>{%c64}
  // CHECK: %[[W0:.+]] = stream.timepoint.await %[[T0]] => %[[V0]]
  // CHECK-NEXT: scf.if
  %1 = scf.if %c -> (!stream.resource<transient>) {
    // CHECK-NEXT: %[[V1:.+]], %[[T1:.+]] = stream.async.execute on(#hal.device.affinity<@a>) with(%[[W0]] as
    %2 = stream.async.clone on(#a) %0 : !stream.resource<transient>{%c64} -> !stream.resource<transient>{%c64}
    // CHECK: %[[W1:.+]] = stream.timepoint.await %[[T1]] => %[[V1]]
    // CHECK-NEXT: scf.yield %[[W1]]
    scf.yield %2 : !stream.resource<transient>
  } else {
    // CHECK: scf.yield %[[W0]]
    scf.yield %0 : !stream.resource<transient>
  }
  util.return %1 : !stream.resource<transient>
}

// -----

#a = #hal.device.affinity<@a>

// An unknown host op stays between what is before and after it; a value nobody uses is not made.
// CHECK-LABEL: @fence
util.func private @other()
util.func public @fence(%r: !stream.resource<external>) -> (!stream.resource<transient>, !stream.resource<transient>) {
  %c64 = arith.constant 64 : index
  // CHECK: stream.async.execute
  // CHECK: util.call @other
  // CHECK: stream.async.execute
  // CHECK-NEXT: stream.async.clone
  // CHECK-NEXT: stream.yield
  %0 = stream.async.clone on(#a) %r : !stream.resource<external>{%c64} -> !stream.resource<transient>{%c64}
  util.call @other() : () -> ()
  %1 = stream.async.clone on(#a) %r : !stream.resource<external>{%c64} -> !stream.resource<transient>{%c64}
  %2 = stream.async.clone on(#a) %r : !stream.resource<external>{%c64} -> !stream.resource<transient>{%c64}
  util.return %0, %1 : !stream.resource<transient>, !stream.resource<transient>
}

// -----

// A function without work on devices does not change.
// CHECK-LABEL: @host_only
util.func public @host_only(%n: index) -> index {
  // CHECK-NEXT: %[[C:.+]] = arith.constant 64 : index
  // CHECK-NEXT: %[[R:.+]] = arith.addi
  // CHECK-NEXT: util.return %[[R]]
  %c64 = arith.constant 64 : index
  %0 = arith.addi %n, %c64 : index
  util.return %0 : index
}

// -----

#a = #hal.device.affinity<@a>

// Undefined contents go where they are written.
// CHECK-LABEL: @emplaced
util.func public @emplaced(%n: index) -> !stream.resource<external> {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  // CHECK: stream.async.execute on(#hal.device.affinity<@a>) with() -> !stream.resource<external>{%c64} {
  // CHECK-NEXT: %[[S:.+]] = stream.async.alloca : !stream.resource<external>{%c64}
  // CHECK-NEXT: stream.async.dispatch @ex::@f(%[[S]][%c0 to %c64 for %c64])
  %0 = stream.async.alloca on(#a) : !stream.resource<external>{%c64}
  %1 = stream.async.dispatch on(#a) @ex::@f(%0[%c0 to %c64 for %c64]) : (!stream.resource<external>{%c64}) -> %0{%c64}
  util.return %1 : !stream.resource<external>
}

// -----

// An op that nobody knows may have effects: it stays though nothing uses its result.
// CHECK-LABEL: @unknown
util.func public @unknown(%x: i32) {
  // CHECK-NEXT: "test.op"(%x)
  %0 = "test.op"(%x) : (i32) -> i32
  util.return
}

// -----

#a = #hal.device.affinity<@a>
#b = #hal.device.affinity<@b>

// An alias that the host needs for a call is a command of the region before it; work behind the
// call repeats the alias of the value itself, not of what that region captures (IR-49).
// CHECK-LABEL: @alias_across_host
// CHECK-SAME: (%[[R:.+]]: !stream.resource<external>)
util.func private @other(%r: !stream.resource<external>)
util.func public @alias_across_host(%r: !stream.resource<external>) -> !stream.resource<external> {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  // CHECK: stream.async.execute on(#hal.device.affinity<@a>) with(%[[R]] as %[[X:.+]]:
  // CHECK-NEXT: stream.async.transfer %[[X]]
  // CHECK: %[[READY:.+]] = stream.timepoint.await
  // CHECK: util.call @other(%[[READY]])
  // CHECK: stream.async.execute on(#hal.device.affinity<@b>) with(%[[R]] as %[[Y:.+]]:
  // CHECK-NEXT: %[[ALIAS:.+]] = stream.async.transfer %[[Y]]
  // CHECK-NEXT: stream.async.dispatch @ex::@f(%[[ALIAS]][
  %0 = stream.async.transfer %r : !stream.resource<external>{%c64} from(#a) -> to(#b) !stream.resource<external>{%c64} attributes {stream.transfer_kind = "alias"}
  util.call @other(%0) : (!stream.resource<external>) -> ()
  %1 = stream.async.dispatch on(#b) @ex::@f(%0[%c0 to %c64 for %c64]) : (!stream.resource<external>{%c64}) -> !stream.resource<external>{%c64}
  util.return %1 : !stream.resource<external>
}
