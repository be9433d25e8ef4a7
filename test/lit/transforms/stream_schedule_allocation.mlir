// RUN: zc-opt --split-input-file %s -p stream-schedule-allocation | filecheck %s

// Names of one storage become one resource where both devices reach it: no copy, no third
// allocation (IR-02, IR-21, IR-26); freed after the last use on any device (IR-45, IR-48).
#a = #hal.device.affinity<@a>
#b = #hal.device.affinity<@b>
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a : !hal.device
  util.global private @b : !hal.device
  // CHECK-LABEL: @handoff
  util.func public @handoff(%x: !hal.buffer_view) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    // CHECK: %[[X:.+]] = stream.tensor.import
    %0 = stream.tensor.import on(#a) %x : !hal.buffer_view -> tensor<16xf32> in !stream.resource<external>{%c64}
    // CHECK: %[[S:.+]], %[[TS:.+]] = stream.resource.alloca uninitialized on(#hal.device.optimal<[#hal.device.affinity<@a>, #hal.device.affinity<@b>]>) : !stream.resource<transient>{%c64}
    // CHECK-NEXT: %[[TA:.+]] = stream.cmd.execute on(#hal.device.affinity<@a>) await(%[[TS]]) => with(%[[X]] as %[[XA:.+]]: !stream.resource<external>{%c64}, %[[S]] as %[[SA:.+]]: !stream.resource<transient>{%c64})
    // CHECK-NEXT: stream.cmd.dispatch @ex::@f
    // CHECK-NEXT: ro %[[XA]][%c0 for %c64]
    // CHECK-NEXT: wo %[[SA]][%c0 for %c64]
    // CHECK-NOT: stream.cmd.copy
    %1:2, %t1 = stream.async.execute on(#a) with(%0 as %arg0: !stream.resource<external>{%c64}) -> (!stream.resource<transient>{%c64}, !stream.resource<transient>{%c64}) {
      %6 = stream.async.dispatch @ex::@f(%arg0[%c0 to %c64 for %c64]) : (!stream.resource<external>{%c64}) -> !stream.resource<transient>{%c64}
      %7 = stream.async.transfer %6 : !stream.resource<transient>{%c64} -> to(#b) !stream.resource<transient>{%c64} attributes {stream.transfer_kind = "alias"}
      stream.yield %6, %7 : !stream.resource<transient>{%c64}, !stream.resource<transient>{%c64}
    } => !stream.timepoint
    // CHECK: %[[R:.+]], %[[TR:.+]] = stream.resource.alloca uninitialized on(#hal.device.affinity<@b>) await(%[[TA]]) => !stream.resource<external>{%c64}
    // CHECK-NEXT: %[[TB:.+]] = stream.cmd.execute on(#hal.device.affinity<@b>) await(%[[TR]]) => with(%[[S]] as %[[SB:.+]]: !stream.resource<transient>{%c64}, %[[R]] as
    // CHECK: ro %[[SB]][%c0 for %c64]
    %2, %t2 = stream.async.execute on(#b) await(%t1) => with(%1#1 as %arg0: !stream.resource<transient>{%c64}) -> !stream.resource<external>{%c64} {
      %8 = stream.async.dispatch @ex::@g(%arg0[%c0 to %c64 for %c64]) : (!stream.resource<transient>{%c64}) -> !stream.resource<external>{%c64}
      stream.yield %8 : !stream.resource<external>{%c64}
    } => !stream.timepoint
    // CHECK: stream.resource.dealloca on(#hal.device.optimal<[#hal.device.affinity<@a>, #hal.device.affinity<@b>]>) await(%[[TB]]) => %[[S]]
    // An export is not freed, and its wait covers what writes it (case B35).
    // CHECK-NEXT: %[[RR:.+]] = stream.timepoint.await %[[TB]] => %[[R]]
    // CHECK-NEXT: stream.tensor.export on(#hal.device.affinity<@b>) %[[RR]]
    %3 = stream.timepoint.await %t2 => %2 : !stream.resource<external>{%c64}
    %4 = stream.tensor.export on(#b) %3 : tensor<16xf32> in !stream.resource<external>{%c64} -> !hal.buffer_view
    util.return %4 : !hal.buffer_view
  }
}

// -----

#a = #hal.device.affinity<@a>
#b = #hal.device.affinity<@b>

// One-way access: a reaches b's memory, so what a writes and b reads lies in b's pool (IR-26, IR-29).
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {transparent_access = true})]>} {
  util.global private @a : !hal.device
  util.global private @b : !hal.device
  // CHECK-LABEL: @one_way
  util.func public @one_way() -> !stream.resource<transient> {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    // CHECK: stream.resource.alloca uninitialized on(#hal.device.affinity<@b>) : !stream.resource<transient>{%c64}
    // CHECK-NEXT: stream.cmd.execute on(#hal.device.affinity<@a>)
    %0, %t0 = stream.async.execute on(#a) with() -> !stream.resource<transient>{%c64} {
      %3 = stream.async.dispatch @ex::@f() : () -> !stream.resource<transient>{%c64}
      stream.yield %3 : !stream.resource<transient>{%c64}
    } => !stream.timepoint
    %1, %t1 = stream.async.execute on(#b) await(%t0) => with(%0 as %arg0: !stream.resource<transient>{%c64}) -> !stream.resource<transient>{%c64} {
      %4 = stream.async.dispatch @ex::@g(%arg0[%c0 to %c64 for %c64]) : (!stream.resource<transient>{%c64}) -> !stream.resource<transient>{%c64}
      stream.yield %4 : !stream.resource<transient>{%c64}
    } => !stream.timepoint
    // CHECK: stream.resource.dealloca on(#hal.device.affinity<@b>)
    %2 = stream.timepoint.await %t1 => %1 : !stream.resource<transient>{%c64}
    util.return %2 : !stream.resource<transient>
  }
}

// -----

#a = #hal.device.affinity<@a>
#b = #hal.device.affinity<@b>
#c = #hal.device.affinity<@c>

// The pool that serves need not belong to either device: a and b both reach c's (IR-23).
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @c = {transparent_access = true}), (@b -> @c = {transparent_access = true})]>} {
  util.global private @a : !hal.device
  util.global private @b : !hal.device
  util.global private @c : !hal.device
  // CHECK-LABEL: @third_pool
  util.func public @third_pool() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    // CHECK: stream.resource.alloca uninitialized on(#hal.device.affinity<@c>) : !stream.resource<transient>{%c64}
    %0, %t0 = stream.async.execute on(#a) with() -> !stream.resource<transient>{%c64} {
      %3 = stream.async.dispatch @ex::@f() : () -> !stream.resource<transient>{%c64}
      stream.yield %3 : !stream.resource<transient>{%c64}
    } => !stream.timepoint
    %1, %t1 = stream.async.execute on(#b) await(%t0) => with(%0 as %arg0: !stream.resource<transient>{%c64}) -> %0{%c64} {
      %4 = stream.async.dispatch @ex::@g(%arg0[%c0 to %c64 for %c64]) : (!stream.resource<transient>{%c64}) -> %arg0{%c64}
      stream.yield %4 : !stream.resource<transient>{%c64}
    } => !stream.timepoint
    // CHECK: rw %{{.+}}[%c0 for %c64]
    util.return %t1 : !stream.timepoint
  }
}

// -----

#a = #hal.device.affinity<@a>
#b = #hal.device.affinity<@b>

// Without access in place a copy has storage of its own, on the side that uses it, and is one
// command without maintenance (IR-11), that says that it is a transfer's (IR-21). What only the region uses goes into its slab.
module {
  util.global private @a : !hal.device
  util.global private @b : !hal.device
  // CHECK-LABEL: @discrete
  util.func public @discrete() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    // CHECK: %[[S:.+]], %[[TS:.+]] = stream.resource.alloca uninitialized on(#hal.device.affinity<@b>) : !stream.resource<transient>{%c64}
    // CHECK-NEXT: %[[P:.+]], %[[AT:.+]] = stream.resource.pack on(#hal.device.affinity<@a>) slices({
    // CHECK-NEXT: [0, 1] = %c64
    // CHECK: %[[SLAB:.+]], %[[TSLAB:.+]] = stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) : !stream.resource<transient>{%[[P]]}
    // CHECK-NEXT: %[[J:.+]] = stream.timepoint.join max(%[[TS]], %[[TSLAB]])
    // CHECK-NEXT: %[[T:.+]] = stream.cmd.execute on(#hal.device.affinity<@a>) await(%[[J]])
    // CHECK-NEXT: stream.cmd.dispatch @ex::@f
    // CHECK-NEXT: wo %[[SRC:.+]][%[[AT]] for %c64]
    // CHECK: stream.cmd.copy %[[SRC]][%[[AT]]], %{{.+}}[%c0], %c64
    // CHECK-SAME: attributes {stream.transfer_kind = "copy"}
    // CHECK-NOT: flush
    // CHECK: stream.resource.dealloca on(#hal.device.affinity<@a>) await(%[[T]]) => %[[SLAB]]
    %0, %t0 = stream.async.execute on(#a) with() -> !stream.resource<transient>{%c64} {
      %3 = stream.async.dispatch @ex::@f() : () -> !stream.resource<transient>{%c64}
      %4 = stream.async.transfer %3 : !stream.resource<transient>{%c64} -> to(#b) !stream.resource<transient>{%c64} attributes {stream.transfer_kind = "copy"}
      stream.yield %4 : !stream.resource<transient>{%c64}
    } => !stream.timepoint
    %1, %t1 = stream.async.execute on(#b) await(%t0) => with(%0 as %arg0: !stream.resource<transient>{%c64}) -> %0{%c64} {
      %4 = stream.async.dispatch @ex::@g(%arg0[%c0 to %c64 for %c64]) : (!stream.resource<transient>{%c64}) -> %arg0{%c64}
      stream.yield %4 : !stream.resource<transient>{%c64}
    } => !stream.timepoint
    util.return %t1 : !stream.timepoint
  }
}

// -----

#a = #hal.device.affinity<@a>
#b = #hal.device.affinity<@b>

// A region in which nothing is left is what it awaited (IR-41), and its result what it captured
// (IR-49).
// CHECK-LABEL: @handoff_only
util.func public @handoff_only(%r: !stream.resource<external>, %t: !stream.timepoint) -> (!stream.resource<external>, !stream.timepoint) {
  %c64 = arith.constant 64 : index
  // CHECK-NOT: execute
  %0, %t0 = stream.async.execute on(#a) await(%t) => with(%r as %arg0: !stream.resource<external>{%c64}) -> %r{%c64} {
    %1 = stream.async.transfer %arg0 : !stream.resource<external>{%c64} -> to(#b) !stream.resource<external>{%c64} attributes {stream.transfer_kind = "alias"}
    stream.yield %1 : !stream.resource<external>{%c64}
  } => !stream.timepoint
  // CHECK: util.return %r, %t
  util.return %0, %t0 : !stream.resource<external>, !stream.timepoint
}

// -----

#a = #hal.device.affinity<@a>

// An update of a value with itself is no command; other copies take their offsets (case B10).
// CHECK-LABEL: @same_range
util.func public @same_range(%r: !stream.resource<external>, %u: !stream.resource<external>) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  // CHECK: stream.cmd.execute on(#hal.device.affinity<@a>) with(%r as %[[R:.+]]: !stream.resource<external>{%c64}, %u as %[[U:.+]]: !stream.resource<external>{%c16})
  // CHECK-NEXT: stream.cmd.copy %[[U]][%c0], %[[R]][%c16], %c16
  // CHECK-NEXT: }
  %0, %t0 = stream.async.execute on(#a) with(%r as %arg0: !stream.resource<external>{%c64}, %u as %arg1: !stream.resource<external>{%c16}) -> %r{%c64} {
    %1 = stream.async.update %arg0, %arg0[%c0 to %c64] : !stream.resource<external>{%c64} -> %arg0 as !stream.resource<external>{%c64}
    %2 = stream.async.update %arg1, %1[%c16 to %c32] : !stream.resource<external>{%c16} -> %1 as !stream.resource<external>{%c64}
    stream.yield %2 : !stream.resource<external>{%c64}
  } => !stream.timepoint
  util.return %t0 : !stream.timepoint
}

// -----

#a = #hal.device.affinity<@a>
#b = #hal.device.affinity<@b>

// The waits that came in do not say that b's update follows a's read: allocation adds the edge
// (IR-47). A reader on b needs none.
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a : !hal.device
  util.global private @b : !hal.device
  // CHECK-LABEL: @hazard
  util.func public @hazard(%r: !stream.resource<external>) -> (!stream.timepoint, !stream.timepoint, !stream.timepoint) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c7 = arith.constant 7 : i32
    // CHECK: %[[T0:.+]] = stream.cmd.execute on(#hal.device.affinity<@a>) await
    %0, %t0 = stream.async.execute on(#a) with(%r as %arg0: !stream.resource<external>{%c64}) -> !stream.resource<transient>{%c64} {
      %3 = stream.async.dispatch @ex::@f(%arg0[%c0 to %c64 for %c64]) : (!stream.resource<external>{%c64}) -> !stream.resource<transient>{%c64}
      stream.yield %3 : !stream.resource<transient>{%c64}
    } => !stream.timepoint
    // CHECK: stream.resource.alloca uninitialized on(#hal.device.affinity<@b>) : !stream
    // CHECK-NEXT: %[[T1:.+]] = stream.cmd.execute on(#hal.device.affinity<@b>) await
    %1, %t1 = stream.async.execute on(#b) with(%r as %arg0: !stream.resource<external>{%c64}) -> !stream.resource<transient>{%c64} {
      %3 = stream.async.clone %arg0 : !stream.resource<external>{%c64} -> !stream.resource<transient>{%c64}
      stream.yield %3 : !stream.resource<transient>{%c64}
    } => !stream.timepoint
    // CHECK: %[[J:.+]] = stream.timepoint.join max(%[[T0]], %[[T1]])
    // CHECK-NEXT: stream.cmd.execute on(#hal.device.affinity<@b>) await(%[[J]])
    %2, %t2 = stream.async.execute on(#b) with(%r as %arg0: !stream.resource<external>{%c64}) -> %r{%c64} {
      %4 = stream.async.fill %c7, %arg0[%c0 to %c64 for %c64] : i32 -> %arg0 as !stream.resource<external>{%c64}
      stream.yield %4 : !stream.resource<external>{%c64}
    } => !stream.timepoint
    util.return %t0, %t1, %t2 : !stream.timepoint, !stream.timepoint, !stream.timepoint
  }
}

// -----

// Waves stay; slices live from the wave that writes them to the last that reads them.
// CHECK-LABEL: @waves
util.func public @waves(%r: !stream.resource<external>) -> (!stream.resource<external>, !stream.timepoint) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  // CHECK: stream.resource.pack slices({
  // CHECK-NEXT: [0, 1] = %c64
  // CHECK-NEXT: [0, 1] = %c64
  // CHECK: stream.cmd.execute
  // CHECK-NEXT: stream.cmd.concurrent {
  // CHECK-NEXT: stream.cmd.dispatch @ex::@f
  // CHECK: stream.cmd.dispatch @ex::@g
  // CHECK: stream.cmd.dispatch @ex::@h
  %0, %t = stream.async.execute with(%r as %arg0: !stream.resource<external>{%c64}) -> !stream.resource<external>{%c64} {
    %1:2 = stream.async.concurrent with(%arg0 as %arg1: !stream.resource<external>{%c64}) -> (!stream.resource<transient>{%c64}, !stream.resource<transient>{%c64}) {
      %2 = stream.async.dispatch @ex::@f(%arg1[%c0 to %c64 for %c64]) : (!stream.resource<external>{%c64}) -> !stream.resource<transient>{%c64}
      %3 = stream.async.dispatch @ex::@g(%arg1[%c0 to %c64 for %c64]) : (!stream.resource<external>{%c64}) -> !stream.resource<transient>{%c64}
      stream.yield %2, %3 : !stream.resource<transient>{%c64}, !stream.resource<transient>{%c64}
    }
    %4 = stream.async.dispatch @ex::@h(%1#0[%c0 to %c64 for %c64], %1#1[%c0 to %c64 for %c64]) : (!stream.resource<transient>{%c64}, !stream.resource<transient>{%c64}) -> !stream.resource<external>{%c64}
    stream.yield %4 : !stream.resource<external>{%c64}
  } => !stream.timepoint
  util.return %0, %t : !stream.resource<external>, !stream.timepoint
}

// -----

// A 64-bit pattern of two equal halves fills as 32 bits.
// CHECK-LABEL: @wide_fill
util.func public @wide_fill() -> (!stream.resource<external>, !stream.timepoint) {
  // CHECK: %[[P:.+]] = arith.constant 7 : i32
  %c64 = arith.constant 64 : index
  %p = arith.constant 30064771079 : i64
  // CHECK: stream.cmd.fill %[[P]], %{{.+}}[%c0 for %c64] : i32
  %0, %t = stream.async.execute with() -> !stream.resource<external>{%c64} {
    %1 = stream.async.splat %p : i64 -> !stream.resource<external>{%c64}
    stream.yield %1 : !stream.resource<external>{%c64}
  } => !stream.timepoint
  util.return %0, %t : !stream.resource<external>, !stream.timepoint
}

// -----

// What is allocated already does not change.
// CHECK-LABEL: @allocated
util.func public @allocated(%r: !stream.resource<external>, %n: index) -> !stream.timepoint {
  // CHECK-NEXT: %[[T:.+]] = stream.cmd.execute with(%r as
  // CHECK-NEXT: }
  // CHECK-NEXT: util.return %[[T]]
  %t = stream.cmd.execute with(%r as %arg0: !stream.resource<external>{%n}) {
  } => !stream.timepoint
  util.return %t : !stream.timepoint
}

// -----

#a = #hal.device.affinity<@a>

// Views, also of views, fold into the offsets of commands; the root is bound (case B11, IR-02).
// CHECK-LABEL: @views
util.func public @views(%root: !stream.resource<external>) -> (!stream.resource<external>, !stream.timepoint) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %c512 = arith.constant 512 : index
  %c1024 = arith.constant 1024 : index
  %c2048 = arith.constant 2048 : index
  %c4096 = arith.constant 4096 : index
  %outer = stream.resource.subview %root[%c1024] : !stream.resource<external>{%c4096} -> !stream.resource<external>{%c2048}
  %inner = stream.resource.subview %outer[%c256] : !stream.resource<external>{%c2048} -> !stream.resource<external>{%c512}
  // CHECK: stream.cmd.execute on(#hal.device.affinity<@a>) with(%root as %[[R:.+]]: !stream.resource<external>{%c4096})
  // CHECK-NEXT: stream.cmd.dispatch @ex::@f
  // CHECK-NEXT: rw %[[R]][%c1280 for %c64]
  // CHECK: rw %[[R]][%c1296 for %c8]
  %0, %t = stream.async.execute on(#a) with(%inner as %arg0: !stream.resource<external>{%c512}) -> %inner as !stream.resource<external>{%c64} {
    %1 = stream.async.dispatch @ex::@f(%arg0[%c0 to %c64 for %c64]) : (!stream.resource<external>{%c512}) -> %arg0{%c512}
    %2 = stream.resource.subview %1[%c8] : !stream.resource<external>{%c512} -> !stream.resource<external>{%c64}
    %3 = stream.async.dispatch @ex::@f(%2[%c8 to %c16 for %c8]) : (!stream.resource<external>{%c64}) -> %2{%c64}
    stream.yield %3 : !stream.resource<external>{%c64}
  } => !stream.timepoint
  // What leaves the region is a view of the root.
  // CHECK: %[[V:.+]] = stream.resource.subview %root[%c1288] : !stream.resource<external>{%c4096} -> !stream.resource<external>{%c64}
  // CHECK: util.return %[[V]]
  util.return %0, %t : !stream.resource<external>, !stream.timepoint
}

// -----

// Undefined contents that a dispatch writes in place are an allocation and no command.
// CHECK-LABEL: @emplaced
util.func public @emplaced() -> (!stream.resource<external>, !stream.timepoint) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  // CHECK: %[[S:.+]], %[[T:.+]] = stream.resource.alloca uninitialized : !stream.resource<external>{%c64}
  // CHECK-NEXT: stream.cmd.execute await(%[[T]]) => with(%[[S]] as
  // CHECK-NEXT: stream.cmd.dispatch @ex::@f
  // CHECK-NEXT: rw %{{.+}}[%c0 for %c64]
  // CHECK-NEXT: }
  %0, %t = stream.async.execute with() -> !stream.resource<external>{%c64} {
    %1 = stream.async.alloca : !stream.resource<external>{%c64}
    %2 = stream.async.dispatch @ex::@f(%1[%c0 to %c64 for %c64]) : (!stream.resource<external>{%c64}) -> %1{%c64}
    stream.yield %2 : !stream.resource<external>{%c64}
  } => !stream.timepoint
  util.return %0, %t : !stream.resource<external>, !stream.timepoint
}

// -----

// Constants lie in the program, where all who read them reach: nobody allocates, fills or frees
// them. The region that made one for another device goes; who reads waits for the constant alone.
// CHECK-LABEL: @constants
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a : !hal.device
  util.global private @b : !hal.device
  util.func public @constants() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    // CHECK: %[[C:.+]], %[[READY:.+]] = stream.resource.constants on(#hal.device.optimal<[#hal.device.affinity<@a>, #hal.device.affinity<@b>]>) :
    // CHECK-NEXT: !stream.resource<constant>{%c16} = dense<[1, 2, 3, 4]> : tensor<4xi32>
    %0, %t0 = stream.async.execute on(#hal.device.affinity<@a>) with() -> !stream.resource<constant>{%c16} {
      %1 = stream.async.constant : !stream.resource<constant>{%c16} = dense<[1, 2, 3, 4]> : tensor<4xi32>
      %2 = stream.async.transfer %1 : !stream.resource<constant>{%c16} -> to(#hal.device.affinity<@b>) !stream.resource<constant>{%c16} attributes {stream.transfer_kind = "alias"}
      stream.yield %2 : !stream.resource<constant>{%c16}
    } => !stream.timepoint
    // CHECK-NOT: stream.cmd.execute on(#hal.device.affinity<@a>)
    // CHECK: %[[DONE:.+]] = stream.cmd.execute on(#hal.device.affinity<@b>) await(%{{.+}}) => with(%[[C]] as
    // CHECK-NOT: stream.cmd.copy
    // CHECK: ro %{{.+}} : !stream.resource<constant>{%c16}
    // CHECK-NOT: stream.resource.dealloca {{.+}} %[[C]]
    %3, %t1 = stream.async.execute on(#hal.device.affinity<@b>) await(%t0) => with(%0 as %arg0: !stream.resource<constant>{%c16}) -> !stream.resource<external>{%c16} {
      %4 = stream.async.dispatch @ex::@g(%arg0[%c0 to %c16 for %c16]) : (!stream.resource<constant>{%c16}) -> !stream.resource<external>{%c16}
      stream.yield %4 : !stream.resource<external>{%c16}
    } => !stream.timepoint
    util.return %t1 : !stream.timepoint
  }
}

// -----

// A collective is one command that has what is sent and what is received; where the kind sends or
// receives alone, that range alone.
// CHECK-LABEL: @collectives
util.func public @collectives(%ch: !stream.channel, %rank: i32, %x: !stream.resource<transient>, %y: !stream.resource<transient>) -> (!stream.resource<transient>, !stream.timepoint) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  // CHECK: with(%{{.+}} as %[[X:.+]]: !stream.resource<transient>{%c64}, %{{.+}} as %[[Y:.+]]: !stream.resource<transient>{%c64})
  // CHECK: stream.cmd.collective<all_reduce with sum : f32>[%c16] channel(%{{.+}}) {
  // CHECK-NEXT: ro %[[X]][%c0 for %c64]
  // CHECK-NEXT: wo %[[Y]][%c0 for %c64]
  // CHECK-NEXT: }
  // CHECK: stream.cmd.collective<send : f32>[%c8] channel(%{{.+}}) param(%{{.+}} : i32) {
  // CHECK-NEXT: ro %[[Y]][%c32 for %c32]
  // CHECK-NEXT: }
  %0, %t = stream.async.execute with(%x as %a: !stream.resource<transient>{%c64}, %y as %b: !stream.resource<transient>{%c64}) -> %y as !stream.resource<transient>{%c64} {
    %1 = stream.async.collective<all_reduce with sum : f32>[%c16] channel(%ch) %a[%c0 to %c64 for %c64], %b[%c0 to %c64 for %c64] : !stream.resource<transient>{%c64} -> %b as !stream.resource<transient>{%c64}
    %2 = stream.async.collective<send : f32>[%c8] channel(%ch) target(%rank) %1[%c32 to %c64 for %c32], %1[%c0 to %c0 for %c0] : !stream.resource<transient>{%c64} -> %1 as !stream.resource<transient>{%c64}
    stream.yield %2 : !stream.resource<transient>{%c64}
  } => !stream.timepoint
  util.return %0, %t : !stream.resource<transient>, !stream.timepoint
}
