// RUN: zc-opt --split-input-file %s -p canonicalize | filecheck %s

// Views add up, in commands of every kind; what is captured is the root, once (B11).
// CHECK-LABEL: @views
// CHECK-SAME: %[[ROOT:.*]]: !stream.resource<transient>
func.func @views(%root: !stream.resource<transient>, %x: i8) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %c512 = arith.constant 512 : index
  %c1024 = arith.constant 1024 : index
  %c2048 = arith.constant 2048 : index
  %c4096 = arith.constant 4096 : index
  %outer = stream.resource.subview %root[%c1024] : !stream.resource<transient>{%c4096} -> !stream.resource<transient>{%c2048}
  %inner = stream.resource.subview %outer[%c256] : !stream.resource<transient>{%c2048} -> !stream.resource<transient>{%c512}
  // CHECK: stream.cmd.execute with(%[[ROOT]] as %[[R:.*]]: !stream.resource<transient>{%{{.*}}}) {
  %done = stream.cmd.execute with(%inner as %i: !stream.resource<transient>{%c512}, %outer as %o: !stream.resource<transient>{%c2048}, %root as %unused: !stream.resource<transient>{%c4096}) {
    // CHECK-NEXT: stream.cmd.invalidate %[[R]][%c1280{{.*}} for %c64]
    stream.cmd.invalidate %i[%c0 for %c64] : !stream.resource<transient>{%c512}
    // CHECK-NEXT: stream.cmd.fill %{{.*}}, %[[R]][%c1280{{.*}} for %c64]
    stream.cmd.fill %x, %i[%c0 for %c64] : i8 -> !stream.resource<transient>{%c512}
    // CHECK-NEXT: stream.cmd.copy %[[R]][%c1280{{.*}}], %[[R]][%c1088{{.*}}], %c64
    stream.cmd.copy %i[%c0], %o[%c64], %c64 : !stream.resource<transient>{%c512} -> !stream.resource<transient>{%c2048}
    // CHECK-NEXT: stream.cmd.dispatch @e::@f {
    // CHECK-NEXT: ro %[[R]][%c1280{{.*}} for %c64]
    // CHECK-NEXT: wo %[[R]][%c1088{{.*}} for %c64]
    stream.cmd.dispatch @e::@f {
      ro %i[%c0 for %c64] : !stream.resource<transient>{%c512},
      wo %o[%c64 for %c64] : !stream.resource<transient>{%c2048}
    }
    // CHECK: stream.cmd.flush %[[R]][%c1088{{.*}} for %c64]
    stream.cmd.flush %o[%c64 for %c64] : !stream.resource<transient>{%c2048}
    stream.cmd.serial {
      // Maintenance of no bytes is none (IR-20), and a group of nothing is none.
      // CHECK-NOT: stream.cmd.serial
      // CHECK-NOT: stream.cmd.discard
      stream.cmd.discard %o[%c64 for %c0] : !stream.resource<transient>{%c2048}
    }
  } => !stream.timepoint
  func.return %done : !stream.timepoint
}

// -----

// Offsets that are not known are added outside of the region.
// CHECK-LABEL: @dynamic_view
func.func @dynamic_view(%root: !stream.resource<transient>, %a: index, %b: index, %n: index) -> !stream.timepoint {
  %view = stream.resource.subview %root[%a] : !stream.resource<transient>{%n} -> !stream.resource<transient>{%n}
  // CHECK: %[[SUM:.*]] = arith.addi %a, %b : index
  // CHECK-NEXT: stream.cmd.execute with(%root as
  %done = stream.cmd.execute with(%view as %v: !stream.resource<transient>{%n}) {
    // CHECK-NEXT: stream.cmd.flush %{{.*}}[%[[SUM]] for %n]
    stream.cmd.flush %v[%b for %n] : !stream.resource<transient>{%n}
  } => !stream.timepoint
  func.return %done : !stream.timepoint
}

// -----

// A view of the whole is the whole; a view of a part stays where the host needs it.
// CHECK-LABEL: @whole_view
func.func @whole_view(%root: !stream.resource<transient>, %n: index, %m: index) -> (!stream.resource<transient>, !stream.resource<transient>) {
  %c0 = arith.constant 0 : index
  %whole = stream.resource.subview %root[%c0] : !stream.resource<transient>{%n} -> !stream.resource<transient>{%n}
  // CHECK: %[[PART:.*]] = stream.resource.subview %root
  %part = stream.resource.subview %whole[%c0] : !stream.resource<transient>{%n} -> !stream.resource<transient>{%m}
  // CHECK: func.return %root, %[[PART]]
  func.return %whole, %part : !stream.resource<transient>, !stream.resource<transient>
}

// -----

// Joins lose what is reached and what is there twice; one timepoint is no join.
// CHECK-LABEL: @joins
func.func @joins(%a: !stream.timepoint, %b: !stream.timepoint) -> (!stream.timepoint, !stream.timepoint, !stream.timepoint) {
  %now = stream.timepoint.immediate => !stream.timepoint
  %one = stream.timepoint.join max(%a, %now, %a) => !stream.timepoint
  // CHECK: %[[TWO:.*]] = stream.timepoint.join max(%a, %b)
  %two = stream.timepoint.join max(%one, %b, %a) => !stream.timepoint
  // CHECK: %[[NONE:.*]] = stream.timepoint.immediate
  %none = stream.timepoint.join max(%now, %now) => !stream.timepoint
  // CHECK: func.return %a, %[[TWO]], %[[NONE]]
  func.return %one, %two, %none : !stream.timepoint, !stream.timepoint, !stream.timepoint
}

// -----

// Nothing waits for what is reached; a barrier on an awaited resource chains its timepoint.
// CHECK-LABEL: @waits
func.func @waits(%r: !stream.resource<transient>, %t: !stream.timepoint, %n: index) -> (!stream.resource<transient>, !stream.resource<transient>, !stream.timepoint, !stream.timepoint) {
  %now = stream.timepoint.immediate => !stream.timepoint
  %same = stream.timepoint.await %now => %r : !stream.resource<transient>{%n}
  %ready = stream.timepoint.await %t => %same : !stream.resource<transient>{%n}
  %chained, %at = stream.timepoint.barrier %ready : !stream.resource<transient>{%n} => !stream.timepoint
  // CHECK: %[[DONE:.*]] = stream.cmd.execute with(
  %done = stream.cmd.execute await(%now) => with(%r as %x: !stream.resource<transient>{%n}) {
    stream.cmd.flush %x[%n for %n] : !stream.resource<transient>{%n}
  } => !stream.timepoint
  // CHECK: func.return %r, %r, %t, %[[DONE]]
  func.return %same, %chained, %at, %done : !stream.resource<transient>, !stream.resource<transient>, !stream.timepoint, !stream.timepoint
}

// -----

// An execution of nothing and storage that is only freed keep the order they stand in.
// CHECK-LABEL: @order_stays
func.func @order_stays(%t: !stream.timepoint, %n: index) -> (!stream.timepoint, !stream.timepoint) {
  %empty = stream.cmd.execute await(%t) => with() {
  } => !stream.timepoint
  %a, %a_ready = stream.resource.alloca uninitialized await(%empty) => !stream.resource<transient>{%n} => !stream.timepoint
  %gone = stream.resource.dealloca await(%a_ready) => %a : !stream.resource<transient>{%n} => !stream.timepoint
  // CHECK-NEXT: func.return %t, %t
  func.return %empty, %gone : !stream.timepoint, !stream.timepoint
}

// -----

// Storage that something uses stays.
// CHECK-LABEL: @used_alloca
func.func @used_alloca(%n: index) -> (!stream.resource<transient>, !stream.timepoint) {
  // CHECK: stream.resource.alloca
  %a, %ready = stream.resource.alloca uninitialized : !stream.resource<transient>{%n} => !stream.timepoint
  func.return %a, %ready : !stream.resource<transient>, !stream.timepoint
}

// -----

// An await gives what is used; one that the host asked for stays whole.
// CHECK-LABEL: @await_results
func.func @await_results(%a: !stream.resource<transient>, %b: !stream.resource<transient>, %t: !stream.timepoint, %n: index) -> (!stream.resource<transient>, !stream.resource<transient>) {
  // CHECK: %[[X:.*]] = stream.timepoint.await %t => %b : !stream.resource<transient>{%n}
  %x:2 = stream.timepoint.await %t => %a, %b : !stream.resource<transient>{%n}, !stream.resource<transient>{%n}
  // CHECK: stream.timepoint.await sync %t => %a, %b
  %y:2 = stream.timepoint.await sync %t => %a, %b : !stream.resource<transient>{%n}, !stream.resource<transient>{%n}
  func.return %x#1, %y#0 : !stream.resource<transient>, !stream.resource<transient>
}

// -----

// What came from another dialect goes back as it came; sizes are known where resources are made.
// CHECK-LABEL: @known
func.func @known(%fence: !stream.test.fence, %r: !stream.resource<*>, %n: index, %m: index) -> (!stream.test.fence, index, index, index) {
  %at = stream.timepoint.import %fence : (!stream.test.fence) => !stream.timepoint
  %out = stream.timepoint.export %at => (!stream.test.fence)
  %clone = stream.async.clone %r : !stream.resource<*>{%m} -> !stream.resource<*>{%n}
  %a = stream.resource.size %clone : !stream.resource<*>
  %stored = stream.async.barrier %r : !stream.resource<*>{%m}
  %b = stream.resource.size %stored : !stream.resource<*>
  // An argument's size is not known here.
  // CHECK: %[[C:.*]] = stream.resource.size %r
  %c = stream.resource.size %r : !stream.resource<*>
  // CHECK: func.return %fence, %n, %m, %[[C]]
  func.return %out, %a, %b, %c : !stream.test.fence, index, index, index
}

// -----

// Neighbouring fills merge to the right range in both orders (B08).
// CHECK-LABEL: @fills
func.func @fills(%r: !stream.resource<*>, %s: !stream.resource<*>) -> (!stream.resource<*>, !stream.resource<*>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c48 = arith.constant 48 : index
  %x = arith.constant 5 : i32
  %y = arith.constant 5 : i32
  %up = stream.async.fill %x, %r[%c16 to %c32 for %c16] : i32 -> %r as !stream.resource<*>{%c48}
  // CHECK: %[[C32:.*]] = arith.constant 32 : index
  // CHECK: stream.async.fill %{{.*}}, %r[%c0 to %c32 for %{{.*}}] : i32 -> %r as
  %down = stream.async.fill %x, %up[%c0 to %c16 for %c16] : i32 -> %up as !stream.resource<*>{%c48}
  %low = stream.async.fill %x, %s[%c0 to %c16 for %c16] : i32 -> %s as !stream.resource<*>{%c48}
  // CHECK: stream.async.fill %{{.*}}, %s[%c0 to %c32 for %{{.*}}] : i32 -> %s as
  %high = stream.async.fill %y, %low[%c16 to %c32 for %c16] : i32 -> %low as !stream.resource<*>{%c48}
  // CHECK-NOT: stream.async.fill
  func.return %down, %high : !stream.resource<*>, !stream.resource<*>
}

// -----

// Fills of other patterns, with a gap, or of which the first is seen by another stay two.
// CHECK-LABEL: @fills_stay
func.func @fills_stay(%r: !stream.resource<*>, %x: i32, %y: i32) -> (!stream.resource<*>, !stream.resource<*>, !stream.resource<*>, !stream.resource<*>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  // CHECK-COUNT-6: stream.async.fill
  %a = stream.async.fill %x, %r[%c0 to %c8 for %c8] : i32 -> %r as !stream.resource<*>{%c32}
  %b = stream.async.fill %y, %a[%c8 to %c16 for %c8] : i32 -> %a as !stream.resource<*>{%c32}
  %c = stream.async.fill %x, %r[%c0 to %c8 for %c8] : i32 -> %r as !stream.resource<*>{%c32}
  %d = stream.async.fill %x, %c[%c16 to %c32 for %c16] : i32 -> %c as !stream.resource<*>{%c32}
  %e = stream.async.fill %x, %r[%c0 to %c8 for %c8] : i32 -> %r as !stream.resource<*>{%c32}
  %f = stream.async.fill %x, %e[%c8 to %c16 for %c8] : i32 -> %e as !stream.resource<*>{%c32}
  func.return %b, %d, %e, %f : !stream.resource<*>, !stream.resource<*>, !stream.resource<*>, !stream.resource<*>
}

// -----

// Patterns that repeat get short; others stay.
// CHECK-LABEL: @patterns
func.func @patterns(%n: index) -> (!stream.resource<*>, !stream.resource<*>, !stream.resource<*>) {
  %byte = arith.constant 361700864190383365 : i64
  %half = arith.constant -65537 : i32
  %word = arith.constant 16909060 : i32
  // CHECK: %[[BYTE:.*]] = arith.constant 5 : i8
  // CHECK: stream.async.splat %[[BYTE]] : i8
  %a = stream.async.splat %byte : i64 -> !stream.resource<*>{%n}
  // CHECK: stream.async.splat %half : i32
  %b = stream.async.splat %half : i32 -> !stream.resource<*>{%n}
  // CHECK: stream.async.splat %word : i32
  %c = stream.async.splat %word : i32 -> !stream.resource<*>{%n}
  func.return %a, %b, %c : !stream.resource<*>, !stream.resource<*>, !stream.resource<*>
}

// -----

// An update of all of a resource with itself is nothing (B10); of fresh storage it is the update.
// CHECK-LABEL: @updates
func.func @updates(%r: !stream.resource<*>, %x: i32, %n: index) -> (!stream.resource<*>, !stream.resource<*>) {
  %c0 = arith.constant 0 : index
  %self = stream.async.update %r, %r[%c0 to %n] : !stream.resource<*>{%n} -> %r as !stream.resource<*>{%n}
  %fresh = stream.async.alloca : !stream.resource<*>{%n}
  // CHECK: %[[NEW:.*]] = stream.async.clone %r
  %new = stream.async.clone %r : !stream.resource<*>{%n} -> !stream.resource<*>{%n}
  %all = stream.async.update %new, %fresh[%c0 to %n] : !stream.resource<*>{%n} -> %fresh as !stream.resource<*>{%n}
  // CHECK: func.return %r, %[[NEW]]
  func.return %self, %all : !stream.resource<*>, !stream.resource<*>
}

// -----

// The caller's storage is written, and a value of another device moves: both updates stay.
// CHECK-LABEL: @updates_stay
func.func @updates_stay(%r: !stream.resource<*>, %out: !stream.resource<external>, %in: !stream.resource<external>, %n: index) -> (!stream.resource<*>, !stream.resource<external>) {
  %c0 = arith.constant 0 : index
  %fresh = stream.async.alloca on(#hal.device.affinity<@a>) : !stream.resource<*>{%n}
  %new = stream.async.clone on(#hal.device.affinity<@b>) %r : !stream.resource<*>{%n} -> !stream.resource<*>{%n}
  // CHECK-COUNT-2: stream.async.update
  %x = stream.async.update on(#hal.device.affinity<@a>) %new, %fresh[%c0 to %n] : !stream.resource<*>{%n} -> %fresh as !stream.resource<*>{%n}
  %y = stream.async.update %in, %out[%c0 to %n] : !stream.resource<external>{%n} -> %out as !stream.resource<external>{%n}
  func.return %x, %y : !stream.resource<*>, !stream.resource<external>
}

// -----

// Updates with splats are fills, with slices copies.
// CHECK-LABEL: @update_sources
func.func @update_sources(%r: !stream.resource<*>, %src: !stream.resource<*>, %x: i32, %a: index, %b: index, %n: index) -> (!stream.resource<*>, !stream.resource<*>) {
  %splat = stream.async.splat %x : i32 -> !stream.resource<*>{%n}
  // CHECK: stream.async.fill %x, %r[%a to %b for %n] : i32 -> %r as
  %fill = stream.async.update %splat, %r[%a to %b] : !stream.resource<*>{%n} -> %r as !stream.resource<*>{%b}
  %slice = stream.async.slice %src[%a to %b] : !stream.resource<*>{%b} -> !stream.resource<*>{%n}
  // CHECK: stream.async.copy %src[%a to %b], %r[%a to %b], %n
  %copy = stream.async.update %slice, %r[%a to %b] : !stream.resource<*>{%n} -> %r as !stream.resource<*>{%b}
  // CHECK-NOT: stream.async.update
  func.return %fill, %copy : !stream.resource<*>, !stream.resource<*>
}

// -----

// A slice moved within one resource may overlap itself: it stays a slice, and not a copy (B10).
// CHECK-LABEL: @update_from_itself
func.func @update_from_itself(%r: !stream.resource<*>, %a: index, %b: index, %n: index) -> !stream.resource<*> {
  // CHECK: stream.async.slice
  %slice = stream.async.slice %r[%a to %b] : !stream.resource<*>{%b} -> !stream.resource<*>{%n}
  // CHECK: stream.async.update
  %moved = stream.async.update %slice, %r[%a to %b] : !stream.resource<*>{%n} -> %r as !stream.resource<*>{%b}
  func.return %moved : !stream.resource<*>
}

// -----

// A slice of a splat is a splat, where the pattern starts anew; a slice of the whole is the whole.
// CHECK-LABEL: @slices
func.func @slices(%x: i32) -> (!stream.resource<*>, !stream.resource<*>, !stream.resource<*>) {
  %c0 = arith.constant 0 : index
  %c6 = arith.constant 6 : index
  %c8 = arith.constant 8 : index
  %c14 = arith.constant 14 : index
  %c16 = arith.constant 16 : index
  // CHECK: %[[SPLAT:.*]] = stream.async.splat %x : i32 -> !stream.resource<*>{%c16}
  %splat = stream.async.splat %x : i32 -> !stream.resource<*>{%c16}
  // CHECK: stream.async.splat %x : i32 -> !stream.resource<*>{%c8}
  %aligned = stream.async.slice %splat[%c8 to %c16] : !stream.resource<*>{%c16} -> !stream.resource<*>{%c8}
  // CHECK: stream.async.slice %[[SPLAT]][%c6 to %c14]
  %odd = stream.async.slice %splat[%c6 to %c14] : !stream.resource<*>{%c16} -> !stream.resource<*>{%c8}
  %whole = stream.async.slice %splat[%c0 to %c16] : !stream.resource<*>{%c16} -> !stream.resource<*>{%c16}
  func.return %aligned, %odd, %whole : !stream.resource<*>, !stream.resource<*>, !stream.resource<*>
}

// -----

// A transfer there and back that nobody there sees is none; within one device it is a clone.
// CHECK-LABEL: @transfers
func.func @transfers(%r: !stream.resource<*>, %n: index) -> (!stream.resource<*>, !stream.resource<*>) {
  %there = stream.async.transfer %r : !stream.resource<*>{%n} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>) !stream.resource<*>{%n}
  %back = stream.async.transfer %there : !stream.resource<*>{%n} from(#hal.device.affinity<@b>) -> to(#hal.device.affinity<@a>) !stream.resource<*>{%n}
  // CHECK: %[[CLONE:.*]] = stream.async.clone on(#hal.device.affinity<@a>) %r
  %local = stream.async.transfer %r : !stream.resource<*>{%n} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@a>) !stream.resource<*>{%n}
  // CHECK-NOT: stream.async.transfer
  // CHECK: func.return %r, %[[CLONE]]
  func.return %back, %local : !stream.resource<*>, !stream.resource<*>
}

// -----

// Handoffs stay: the middle is used, the chain goes on, or a kind is stated (IR-06, IR-07, IR-22).
// CHECK-LABEL: @handoffs
func.func @handoffs(%r: !stream.resource<*>, %n: index) -> (!stream.resource<*>, !stream.resource<*>, !stream.resource<*>, !stream.resource<*>, !stream.resource<*>) {
  // CHECK-COUNT-7: stream.async.transfer
  %there = stream.async.transfer %r : !stream.resource<*>{%n} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>) !stream.resource<*>{%n}
  %back = stream.async.transfer %there : !stream.resource<*>{%n} from(#hal.device.affinity<@b>) -> to(#hal.device.affinity<@a>) !stream.resource<*>{%n}
  %b = stream.async.transfer %r : !stream.resource<*>{%n} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>) !stream.resource<*>{%n}
  %c = stream.async.transfer %b : !stream.resource<*>{%n} from(#hal.device.affinity<@b>) -> to(#hal.device.affinity<@c>) !stream.resource<*>{%n}
  %out = stream.async.transfer %r : !stream.resource<*>{%n} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>) !stream.resource<*>{%n} attributes {stream.transfer_kind = "copy"}
  %in = stream.async.transfer %out : !stream.resource<*>{%n} from(#hal.device.affinity<@b>) -> to(#hal.device.affinity<@a>) !stream.resource<*>{%n}
  %local = stream.async.transfer %r : !stream.resource<*>{%n} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@a>) !stream.resource<*>{%n} attributes {stream.transfer_kind = "copy"}
  func.return %there, %back, %c, %in, %local : !stream.resource<*>, !stream.resource<*>, !stream.resource<*>, !stream.resource<*>, !stream.resource<*>
}

// -----

// Casts collapse to one or none.
// CHECK-LABEL: @casts
func.func @casts(%r: !stream.resource<*>, %n: index) -> (!stream.resource<external>, !stream.resource<*>) {
  %a = stream.async.cast %r : !stream.resource<*>{%n} -> !stream.resource<transient>{%n}
  // CHECK: %[[B:.*]] = stream.async.cast %r : !stream.resource<*>{%n} -> !stream.resource<external>{%n}
  %b = stream.async.cast %a : !stream.resource<transient>{%n} -> !stream.resource<external>{%n}
  %c = stream.async.cast %a : !stream.resource<transient>{%n} -> !stream.resource<*>{%n}
  // CHECK: func.return %[[B]], %r
  func.return %b, %c : !stream.resource<external>, !stream.resource<*>
}

// -----

// What goes out and comes in again on one device is itself; on two devices it is handed over.
// CHECK-LABEL: @border
func.func @border(%r: !stream.resource<external>, %t: tensor<4xi8>, %n: index) -> (!stream.resource<external>, tensor<4xi8>, !stream.resource<external>) {
  // CHECK: %[[OUT:.*]] = stream.tensor.export on(#hal.device.affinity<@a>) %r
  %out = stream.tensor.export on(#hal.device.affinity<@a>) %r : tensor<4xi8> in !stream.resource<external>{%n} -> tensor<4xi8>
  %same = stream.tensor.import on(#hal.device.affinity<@a>) %out : tensor<4xi8> -> tensor<4xi8> in !stream.resource<external>{%n}
  // CHECK: %[[OTHER:.*]] = stream.tensor.import on(#hal.device.affinity<@b>) %[[OUT]]
  %other = stream.tensor.import on(#hal.device.affinity<@b>) %out : tensor<4xi8> -> tensor<4xi8> in !stream.resource<external>{%n}
  %in = stream.tensor.import on(#hal.device.affinity<@a>) %t : tensor<4xi8> -> tensor<4xi8> in !stream.resource<external>{%n}
  %again = stream.tensor.export on(#hal.device.affinity<@a>) %in : tensor<4xi8> in !stream.resource<external>{%n} -> tensor<4xi8>
  // CHECK: func.return %r, %t, %[[OTHER]]
  func.return %same, %again, %other : !stream.resource<external>, tensor<4xi8>, !stream.resource<external>
}
