// RUN: zc-opt --split-input-file %s -p stream-elide-async-copies | filecheck %s

// A clone that is only read, where its source lives, goes; so does a transfer from a device to
// itself (IR-08).
// CHECK-LABEL: @read_only
util.func public @read_only() -> !stream.resource<*> {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %0 = arith.constant 1 : i32
  // CHECK: %[[S:.+]] = stream.async.splat
  %1 = stream.async.splat on(#hal.device.affinity<@a>) %0 : i32 -> !stream.resource<*>{%c64}
  // CHECK-NOT: stream.async.clone
  // CHECK-NOT: stream.async.transfer
  %2 = stream.async.clone on(#hal.device.affinity<@a>) %1 : !stream.resource<*>{%c64} -> !stream.resource<*>{%c64}
  %3 = stream.async.transfer %2 : !stream.resource<*>{%c64} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@a>) !stream.resource<*>{%c64}
  // CHECK: @ex::@f(%[[S]][
  %4 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f(%3[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
  util.return %4 : !stream.resource<*>
}

// -----

// The clone is updated while its source is read later: it stays.
// CHECK-LABEL: @updated
// CHECK: stream.async.clone
util.func public @updated() -> (!stream.resource<*>, !stream.resource<*>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %0 = arith.constant 1 : i32
  %1 = stream.async.splat on(#hal.device.affinity<@a>) %0 : i32 -> !stream.resource<*>{%c64}
  %2 = stream.async.clone on(#hal.device.affinity<@a>) %1 : !stream.resource<*>{%c64} -> !stream.resource<*>{%c64}
  %3 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@acc(%2[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}) -> %2{%c64}
  util.return %1, %3 : !stream.resource<*>, !stream.resource<*>
}

// -----

// The source is updated while the clone is read later: it stays.
// CHECK-LABEL: @source_updated
// CHECK: stream.async.clone
util.func public @source_updated() -> (!stream.resource<*>, !stream.resource<*>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %0 = arith.constant 1 : i32
  %1 = stream.async.splat on(#hal.device.affinity<@a>) %0 : i32 -> !stream.resource<*>{%c64}
  %2 = stream.async.clone on(#hal.device.affinity<@a>) %1 : !stream.resource<*>{%c64} -> !stream.resource<*>{%c64}
  %3 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@acc(%1[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}) -> %1{%c64}
  util.return %2, %3 : !stream.resource<*>, !stream.resource<*>
}

// -----

// A handoff between devices is never elided, alias or not (IR-04, IR-05); nor is an explicit copy.
// CHECK-LABEL: @handoff
// CHECK: stream.async.transfer
// CHECK: stream.async.transfer
util.func public @handoff() -> !stream.resource<*> {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %0 = arith.constant 1 : i32
  %1 = stream.async.splat on(#hal.device.affinity<@a>) %0 : i32 -> !stream.resource<*>{%c64}
  %2 = stream.async.transfer %1 : !stream.resource<*>{%c64} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>) !stream.resource<*>{%c64} attributes {stream.transfer_kind = "alias"}
  %3 = stream.async.transfer %2 : !stream.resource<*>{%c64} from(#hal.device.affinity<@b>) -> to(#hal.device.affinity<@b>) !stream.resource<*>{%c64} attributes {stream.transfer_kind = "copy"}
  util.return %3 : !stream.resource<*>
}

// -----

// A slice that is only read is a view of its parent; the update of other bytes does not mind it
// (case B06, second form).
// CHECK-LABEL: @slice
util.func public @slice() -> (!stream.resource<*>, !stream.resource<*>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %0 = arith.constant 1 : i32
  // CHECK: %[[P:.+]] = stream.async.dispatch
  %1 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f() : () -> !stream.resource<*>{%c128}
  // CHECK-NEXT: %[[V:.+]] = stream.resource.subview %[[P]][%c0] : !stream.resource<*>{%c128} -> !stream.resource<*>{%c64}
  %2 = stream.async.slice on(#hal.device.affinity<@a>) %1[%c0 to %c64] : !stream.resource<*>{%c128} -> !stream.resource<*>{%c64}
  // CHECK-NEXT: stream.async.fill
  %3 = stream.async.fill on(#hal.device.affinity<@a>) %0, %1[%c64 to %c128 for %c64] : i32 -> %1 as !stream.resource<*>{%c128}
  // CHECK-NEXT: @ex::@g(%[[V]][%c0 to %c64 for %c64],
  %4 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@g(%2[%c0 to %c64 for %c64], %3[%c0 to %c128 for %c128]) : (!stream.resource<*>{%c64}, !stream.resource<*>{%c128}) -> !stream.resource<*>{%c64}
  util.return %3, %4 : !stream.resource<*>, !stream.resource<*>
}

// -----

// The update overwrites the slice's bytes, and the reader of the slice needs the update: the slice
// stays a copy (case B06, first form).
// CHECK-LABEL: @slice_overwritten
// CHECK: stream.async.slice
// CHECK-NOT: stream.resource.subview
util.func public @slice_overwritten() -> (!stream.resource<*>, !stream.resource<*>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %0 = arith.constant 1 : i32
  %1 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f() : () -> !stream.resource<*>{%c128}
  %2 = stream.async.slice on(#hal.device.affinity<@a>) %1[%c0 to %c64] : !stream.resource<*>{%c128} -> !stream.resource<*>{%c64}
  %3 = stream.async.fill on(#hal.device.affinity<@a>) %0, %1[%c0 to %c64 for %c64] : i32 -> %1 as !stream.resource<*>{%c128}
  %4 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@g(%2[%c0 to %c64 for %c64], %3[%c0 to %c128 for %c128]) : (!stream.resource<*>{%c64}, !stream.resource<*>{%c128}) -> !stream.resource<*>{%c64}
  util.return %3, %4 : !stream.resource<*>, !stream.resource<*>
}

// -----

// The reader of the slice does not need the update: it comes first, then the slice is a view.
// CHECK-LABEL: @slice_reordered
// CHECK: %[[V:.+]] = stream.resource.subview
// CHECK-NEXT: @ex::@g(%[[V]][%c0 to %c64 for %c64])
// CHECK-NEXT: stream.async.fill
util.func public @slice_reordered() -> (!stream.resource<*>, !stream.resource<*>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %0 = arith.constant 1 : i32
  %1 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f() : () -> !stream.resource<*>{%c128}
  %2 = stream.async.slice on(#hal.device.affinity<@a>) %1[%c0 to %c64] : !stream.resource<*>{%c128} -> !stream.resource<*>{%c64}
  %3 = stream.async.fill on(#hal.device.affinity<@a>) %0, %1[%c0 to %c64 for %c64] : i32 -> %1 as !stream.resource<*>{%c128}
  %4 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@g(%2[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
  util.return %3, %4 : !stream.resource<*>, !stream.resource<*>
}

// -----

// A slice may go out of the program as a view; one that starts where kernels may not start to read
// stays a copy.
// CHECK-LABEL: @slice_out
// CHECK: stream.resource.subview %{{.+}}[%c0]
// CHECK-NOT: stream.resource.subview
// CHECK: stream.async.slice {{.*}}[%c2 to %c66]
util.func public @slice_out() -> (!stream.resource<*>, !stream.resource<*>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %c66 = arith.constant 66 : index
  %c128 = arith.constant 128 : index
  %1 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f() : () -> !stream.resource<*>{%c128}
  %2 = stream.async.slice on(#hal.device.affinity<@a>) %1[%c0 to %c64] : !stream.resource<*>{%c128} -> !stream.resource<*>{%c64}
  %3 = stream.async.slice on(#hal.device.affinity<@a>) %1[%c2 to %c66] : !stream.resource<*>{%c128} -> !stream.resource<*>{%c64}
  %4 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@g(%3[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
  util.return %2, %4 : !stream.resource<*>, !stream.resource<*>
}

// -----

// Caches that write back whole lines: b writes half a line in place while a's view holds the other
// half, so the slice stays a copy; at whole lines it is a view.
// CHECK-LABEL: @slice_of_lines
// CHECK: stream.async.slice
// CHECK: stream.resource.subview
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true}), (@a -> @a = {}, {write_back = "line"}), (@b -> @b = {}, {write_back = "line"})]>} {
util.global private @a = #hal.device.target<"local"> : !hal.device
util.global private @b = #hal.device.target<"local"> : !hal.device
util.func public @slice_of_lines() -> (!stream.resource<*>, !stream.resource<*>, !stream.resource<*>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %0 = arith.constant 1 : i32
  %1 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f() : () -> !stream.resource<*>{%c128}
  %2 = stream.async.slice on(#hal.device.affinity<@a>) %1[%c0 to %c32] : !stream.resource<*>{%c128} -> !stream.resource<*>{%c32}
  %3 = stream.async.slice on(#hal.device.affinity<@a>) %1[%c0 to %c64] : !stream.resource<*>{%c128} -> !stream.resource<*>{%c64}
  %t = stream.async.transfer %1 : !stream.resource<*>{%c128} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>) !stream.resource<*>{%c128} attributes {stream.transfer_kind = "alias"}
  %4 = stream.async.fill on(#hal.device.affinity<@b>) %0, %t[%c64 to %c128 for %c64] : i32 -> %t as !stream.resource<*>{%c128}
  %5 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@g(%2[%c0 to %c32 for %c32]) : (!stream.resource<*>{%c32}) -> !stream.resource<*>{%c64}
  %6 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@g(%3[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
  util.return %4, %5, %6 : !stream.resource<*>, !stream.resource<*>, !stream.resource<*>
}
}

// -----

// An update of a value with itself is nothing (case B10).
// CHECK-LABEL: @self_update
// CHECK-NOT: stream.async.update
util.func public @self_update() -> !stream.resource<*> {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %1 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f() : () -> !stream.resource<*>{%c64}
  %2 = stream.async.update on(#hal.device.affinity<@a>) %1, %1[%c0 to %c64] : !stream.resource<*>{%c64} -> %1 as !stream.resource<*>{%c64}
  util.return %2 : !stream.resource<*>
}

// -----

// What a loop carries lives where all that it comes from does, and an argument where its function
// declares: slices of both that are only read are views (IR-44).
// CHECK-LABEL: @slice_of_carried
util.func public @slice_of_carried(%arg: !stream.resource<*> {stream.affinity = #hal.device.affinity<@a>}) -> !stream.resource<*> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %0 = arith.constant 1 : i32
  %init = stream.async.splat on(#hal.device.affinity<@a>) %0 : i32 -> !stream.resource<*>{%c128}
  // CHECK: scf.for {{.+}} iter_args(%[[X:.+]] =
  // CHECK-NOT: stream.async.slice
  // CHECK: stream.resource.subview %{{.+}}[%c0]
  // CHECK: stream.resource.subview %[[X]][%c64]
  // CHECK-NOT: stream.async.slice
  %r = scf.for %i = %c0 to %c64 step %c1 iter_args(%x = %init) -> (!stream.resource<*>) {
    %1 = stream.async.slice on(#hal.device.affinity<@a>) %arg[%c0 to %c64] : !stream.resource<*>{%c128} -> !stream.resource<*>{%c64}
    %2 = stream.async.slice on(#hal.device.affinity<@a>) %x[%c64 to %c128] : !stream.resource<*>{%c128} -> !stream.resource<*>{%c64}
    %3 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f(%1[%c0 to %c64 for %c64], %2[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}, !stream.resource<*>{%c64}) -> !stream.resource<*>{%c128}
    scf.yield %3 : !stream.resource<*>
  }
  util.return %r : !stream.resource<*>
}

// -----

// The twin: the loop starts with what lives on another device, and nobody says where the argument
// lives: the slices stay copies.
// CHECK-LABEL: @slice_of_carried_from_elsewhere
// CHECK-COUNT-2: stream.async.slice
// CHECK-NOT: stream.resource.subview
util.func public @slice_of_carried_from_elsewhere(%arg: !stream.resource<*>) -> !stream.resource<*> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %0 = arith.constant 1 : i32
  %init = stream.async.splat on(#hal.device.affinity<@b>) %0 : i32 -> !stream.resource<*>{%c128}
  %r = scf.for %i = %c0 to %c64 step %c1 iter_args(%x = %init) -> (!stream.resource<*>) {
    %1 = stream.async.slice on(#hal.device.affinity<@a>) %arg[%c0 to %c64] : !stream.resource<*>{%c128} -> !stream.resource<*>{%c64}
    %2 = stream.async.slice on(#hal.device.affinity<@a>) %x[%c64 to %c128] : !stream.resource<*>{%c128} -> !stream.resource<*>{%c64}
    %3 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f(%1[%c0 to %c64 for %c64], %2[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}, !stream.resource<*>{%c64}) -> !stream.resource<*>{%c128}
    scf.yield %3 : !stream.resource<*>
  }
  util.return %r : !stream.resource<*>
}

// -----

// A private function's argument lives where its callers' operands do.
// CHECK-LABEL: @callee
// CHECK: stream.resource.subview
util.func private @callee(%x: !stream.resource<*>) -> !stream.resource<*> {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %1 = stream.async.slice on(#hal.device.affinity<@a>) %x[%c64 to %c128] : !stream.resource<*>{%c128} -> !stream.resource<*>{%c64}
  %2 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f(%1[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}) -> !stream.resource<*>{%c128}
  util.return %2 : !stream.resource<*>
}
util.func public @caller() -> !stream.resource<*> {
  %c128 = arith.constant 128 : index
  %0 = arith.constant 1 : i32
  %1 = stream.async.splat on(#hal.device.affinity<@a>) %0 : i32 -> !stream.resource<*>{%c128}
  %2 = util.call @callee(%1) : (!stream.resource<*>) -> !stream.resource<*>
  util.return %2 : !stream.resource<*>
}
