// RUN: zc-opt --split-input-file %s -p stream-emplace-allocations --remarks 2>%t.remarks | filecheck %s
// RUN: filecheck %s --check-prefix=REMARK --input-file=%t.remarks

// b's result replaces half of a's clone: b writes it there, and the clone comes before (IR-02).
// CHECK-LABEL: @across
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
util.global private @a : !hal.device
util.global private @b : !hal.device
util.func public @across(%x: !stream.resource<*>) -> !stream.resource<*> {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  // CHECK: %[[C:.+]] = stream.async.clone on(#hal.device.affinity<@a>) %x
  // CHECK-NEXT: %[[CB:.+]] = stream.async.transfer %[[C]] : {{.+}} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>) {{.+}}kind = "alias"
  // CHECK-NEXT: %[[R:.+]] = stream.async.dispatch on(#hal.device.affinity<@b>) @ex::@f(%[[CB]][%c0 to %c32 for %c32]) : (!stream.resource<*>{%c64}) -> %[[CB]]{%c64}
  // REMARK: remark: writes into the range that it updates ({{.+}}.mlir:[[# @LINE + 5]]:3)
  %1 = stream.async.dispatch on(#hal.device.affinity<@b>) @ex::@f() : () -> !stream.resource<*>{%c32}
  %2 = stream.async.transfer %1 : !stream.resource<*>{%c32} from(#hal.device.affinity<@b>) -> to(#hal.device.affinity<@a>) !stream.resource<*>{%c32} attributes {stream.transfer_kind = "alias"}
  %3 = stream.async.clone on(#hal.device.affinity<@a>) %x : !stream.resource<*>{%c64} -> !stream.resource<*>{%c64}
  // CHECK-NEXT: %[[RA:.+]] = stream.async.transfer %[[R]] : {{.+}} from(#hal.device.affinity<@b>) -> to(#hal.device.affinity<@a>) {{.+}}kind = "alias"
  %4 = stream.async.update on(#hal.device.affinity<@a>) %2, %3[%c0 to %c32] : !stream.resource<*>{%c32} -> %3 as !stream.resource<*>{%c64}
  // CHECK-NEXT: util.return %[[RA]]
  util.return %4 : !stream.resource<*>
}
}

// -----

// Two parts of a whole: both dispatches write their range of it.
// CHECK-LABEL: @concat
// CHECK: %[[W:.+]] = stream.async.alloca
// CHECK-NEXT: %[[L:.+]] = stream.async.dispatch {{.+}} @ex::@f(%[[W]][%c0 to %c32 for %c32]) {{.+}} -> %[[W]]{%c64}
// CHECK-NEXT: %[[R:.+]] = stream.async.dispatch {{.+}} @ex::@g(%[[L]][%c32 to %c64 for %c32]) {{.+}} -> %[[L]]{%c64}
// CHECK-NEXT: util.return %[[R]]
util.func public @concat() -> !stream.resource<*> {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %1 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f() : () -> !stream.resource<*>{%c32}
  %2 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@g() : () -> !stream.resource<*>{%c32}
  %3 = stream.async.alloca on(#hal.device.affinity<@a>) : !stream.resource<*>{%c64}
  %4 = stream.async.update on(#hal.device.affinity<@a>) %1, %3[%c0 to %c32] : !stream.resource<*>{%c32} -> %3 as !stream.resource<*>{%c64}
  %5 = stream.async.update on(#hal.device.affinity<@a>) %2, %4[%c32 to %c64] : !stream.resource<*>{%c32} -> %4 as !stream.resource<*>{%c64}
  util.return %5 : !stream.resource<*>
}

// -----

// The caller's storage for the result, taken after the dispatch: the import comes first, and the
// dispatch writes there (GE-02, B35). The lifetime still open becomes the storage's.
// CHECK-LABEL: @into_the_callers_storage
// CHECK: %[[S:.+]] = stream.tensor.import
// CHECK-NEXT: %[[R:.+]] = stream.async.dispatch {{.+}} @ex::@f(%[[S]][%c0 to %c64 for %c64]) : (!stream.resource<external>{%c64}) -> %[[S]]{%c64}
// CHECK-NEXT: stream.tensor.export {{.+}} %[[R]]
util.func public @into_the_callers_storage(%view: !hal.buffer_view) -> !hal.buffer_view {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %1 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f() : () -> !stream.resource<*>{%c64}
  %2 = stream.tensor.import on(#hal.device.affinity<@a>) consume %view : !hal.buffer_view -> tensor<16xf32> in !stream.resource<external>{%c64} attributes {stream.result_storage}
  %3 = stream.async.update on(#hal.device.affinity<@a>) %1, %2[%c0 to %c64] : !stream.resource<*>{%c64} -> %2 as !stream.resource<external>{%c64}
  %4 = stream.tensor.export on(#hal.device.affinity<@a>) %3 : tensor<16xf32> in !stream.resource<external>{%c64} -> !hal.buffer_view
  util.return %4 : !hal.buffer_view
}

// -----

// Not emplaced: the result has another user; the target depends on the dispatch; the dispatch
// itself reads the bytes that it would overwrite.
// CHECK-LABEL: @kept
// CHECK-COUNT-3: stream.async.update
util.func public @kept(%x: !stream.resource<*>) -> (!stream.resource<*>, !stream.resource<*>, !stream.resource<*>, !stream.resource<*>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %p = arith.constant 1 : i32
  %s = stream.async.splat on(#hal.device.affinity<@a>) %p : i32 -> !stream.resource<*>{%c64}
  %1 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f() : () -> !stream.resource<*>{%c32}
  %2 = stream.async.update on(#hal.device.affinity<@a>) %1, %s[%c0 to %c32] : !stream.resource<*>{%c32} -> %s as !stream.resource<*>{%c64}
  %t:2 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f() : () -> (!stream.resource<*>{%c32}, !stream.resource<*>{%c64})
  %3 = stream.async.update on(#hal.device.affinity<@a>) %t#0, %t#1[%c0 to %c32] : !stream.resource<*>{%c32} -> %t#1 as !stream.resource<*>{%c64}
  %s2 = stream.async.splat on(#hal.device.affinity<@a>) %p : i32 -> !stream.resource<*>{%c64}
  %4 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@g(%s2[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}) -> !stream.resource<*>{%c32}
  %5 = stream.async.update on(#hal.device.affinity<@a>) %4, %s2[%c0 to %c32] : !stream.resource<*>{%c32} -> %s2 as !stream.resource<*>{%c64}
  util.return %1, %2, %3, %5 : !stream.resource<*>, !stream.resource<*>, !stream.resource<*>, !stream.resource<*>
}

// -----

// No shared memory: the copy that brings the update goes straight into the range, and is a copy
// transfer's still (IR-21); one that others read as well stays.
// CHECK-LABEL: @from_afar
// CHECK: %[[P:.+]] = stream.async.splat on(#hal.device.affinity<@b>)
// CHECK: stream.async.update on(#hal.device.affinity<@a>) %[[P]], %x[
// CHECK-SAME: attributes {stream.transfer_kind = "copy"}
// CHECK: stream.async.transfer
// CHECK: stream.async.update
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {}), (@b -> @a = {})]>} {
util.global private @a : !hal.device
util.global private @b : !hal.device
util.func public @from_afar(%x: !stream.resource<*>) -> (!stream.resource<*>, !stream.resource<*>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %p = arith.constant 1 : i32
  %1 = stream.async.splat on(#hal.device.affinity<@b>) %p : i32 -> !stream.resource<*>{%c32}
  %2 = stream.async.transfer %1 : !stream.resource<*>{%c32} from(#hal.device.affinity<@b>) -> to(#hal.device.affinity<@a>) !stream.resource<*>{%c32} attributes {stream.transfer_kind = "copy"}
  %3 = stream.async.update on(#hal.device.affinity<@a>) %2, %x[%c0 to %c32] : !stream.resource<*>{%c32} -> %x as !stream.resource<*>{%c64}
  %4 = stream.async.transfer %1 : !stream.resource<*>{%c32} from(#hal.device.affinity<@b>) -> to(#hal.device.affinity<@a>) !stream.resource<*>{%c32} attributes {stream.transfer_kind = "copy"}
  %5 = stream.async.update on(#hal.device.affinity<@a>) %4, %3[%c32 to %c64] : !stream.resource<*>{%c32} -> %3 as !stream.resource<*>{%c64}
  util.return %4, %5 : !stream.resource<*>, !stream.resource<*>
}
}

// -----

// GE-29: a whole that is put together from parts is made where it is copied to, so that nothing is
// copied; the target is there before the first part.
// CHECK-LABEL: @whole
util.global private @a : !hal.device
util.func public @whole(%x: !hal.buffer_view) -> !stream.resource<*> {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  // CHECK-NOT: stream.async.alloca
  // CHECK: %[[W:.+]] = stream.async.cast
  // CHECK-NEXT: %[[FIRST:.+]] = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f(%[[W]][%c0 to %c32 for %c32]) : {{.*}} -> %[[W]]{%c64}
  // CHECK-NEXT: %[[SECOND:.+]] = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@g(%[[FIRST]][%c32 to %c64 for %c32]) : {{.*}} -> %[[FIRST]]{%c64}
  // CHECK-NEXT: util.return %[[SECOND]]
  %0 = stream.async.alloca on(#hal.device.affinity<@a>) : !stream.resource<*>{%c64}
  %1 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f() : () -> !stream.resource<*>{%c32}
  %2 = stream.async.update on(#hal.device.affinity<@a>) %1, %0[%c0 to %c32] : !stream.resource<*>{%c32} -> %0 as !stream.resource<*>{%c64}
  %3 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@g() : () -> !stream.resource<*>{%c32}
  %4 = stream.async.update on(#hal.device.affinity<@a>) %3, %2[%c32 to %c64] : !stream.resource<*>{%c32} -> %2 as !stream.resource<*>{%c64}
  %v = stream.tensor.import on(#hal.device.affinity<@a>) consume %x : !hal.buffer_view -> tensor<16xf32> in !stream.resource<external>{%c64} attributes {stream.result_storage}
  %w = stream.async.cast on(#hal.device.affinity<@a>) %v : !stream.resource<external>{%c64} -> !stream.resource<*>{%c64}
  %5 = stream.async.update on(#hal.device.affinity<@a>) %4, %w[%c0 to %c64] : !stream.resource<*>{%c64} -> %w as !stream.resource<*>{%c64}
  util.return %5 : !stream.resource<*>
}

// -----

// A whole that is read under its own name too stays in storage of its own, and so does one whose
// target the parts read.
// CHECK-LABEL: @whole_elsewhere
util.global private @a : !hal.device
util.func public @whole_elsewhere(%x: !hal.buffer_view, %y: !hal.buffer_view) -> (!stream.resource<*>, !stream.resource<*>, !stream.resource<*>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %v = stream.tensor.import on(#hal.device.affinity<@a>) consume %x : !hal.buffer_view -> tensor<16xf32> in !stream.resource<external>{%c64} attributes {stream.result_storage}
  %w = stream.async.cast on(#hal.device.affinity<@a>) %v : !stream.resource<external>{%c64} -> !stream.resource<*>{%c64}
  // CHECK: stream.async.alloca
  // CHECK: stream.async.update
  %0 = stream.async.alloca on(#hal.device.affinity<@a>) : !stream.resource<*>{%c64}
  %1 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f() : () -> !stream.resource<*>{%c64}
  %2 = stream.async.update on(#hal.device.affinity<@a>) %1, %0[%c0 to %c64] : !stream.resource<*>{%c64} -> %0 as !stream.resource<*>{%c64}
  %3 = stream.async.update on(#hal.device.affinity<@a>) %2, %w[%c0 to %c64] : !stream.resource<*>{%c64} -> %w as !stream.resource<*>{%c64}
  // CHECK: stream.async.alloca
  // CHECK: stream.async.update
  %u = stream.tensor.import on(#hal.device.affinity<@a>) consume %y : !hal.buffer_view -> tensor<16xf32> in !stream.resource<external>{%c64} attributes {stream.result_storage}
  %z = stream.async.cast on(#hal.device.affinity<@a>) %u : !stream.resource<external>{%c64} -> !stream.resource<*>{%c64}
  %4 = stream.async.alloca on(#hal.device.affinity<@a>) : !stream.resource<*>{%c64}
  %5 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@g(%z[%c0 to %c64 for %c64], %4[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}, !stream.resource<*>{%c64}) -> %4{%c64}
  %6 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@g(%z[%c0 to %c64 for %c64], %5[%c0 to %c32 for %c32]) : (!stream.resource<*>{%c64}, !stream.resource<*>{%c64}) -> %5{%c64}
  %7 = stream.async.update on(#hal.device.affinity<@a>) %6, %z[%c0 to %c64] : !stream.resource<*>{%c64} -> %z as !stream.resource<*>{%c64}
  util.return %2, %3, %7 : !stream.resource<*>, !stream.resource<*>, !stream.resource<*>
}

// -----

// A splat that only replaces a range fills it; one at a place that does not suit every pattern
// stays, and so does one that others read.
// CHECK-LABEL: @fills
util.global private @a : !hal.device
util.func public @fills(%x: !stream.resource<*>) -> (!stream.resource<*>, !stream.resource<*>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %c36 = arith.constant 36 : index
  %c64 = arith.constant 64 : index
  %p = arith.constant 1 : i32
  // CHECK: stream.async.fill on(#hal.device.affinity<@a>) %p, %x[%c0 to %c32 for %c32]
  %0 = stream.async.splat on(#hal.device.affinity<@a>) %p : i32 -> !stream.resource<*>{%c32}
  %1 = stream.async.update on(#hal.device.affinity<@a>) %0, %x[%c0 to %c32] : !stream.resource<*>{%c32} -> %x as !stream.resource<*>{%c64}
  // CHECK: stream.async.splat
  // CHECK: stream.async.update
  %2 = stream.async.splat on(#hal.device.affinity<@a>) %p : i32 -> !stream.resource<*>{%c32}
  %3 = stream.async.update on(#hal.device.affinity<@a>) %2, %1[%c4 to %c36] : !stream.resource<*>{%c32} -> %1 as !stream.resource<*>{%c64}
  // CHECK: stream.async.splat
  // CHECK: stream.async.update
  %4 = stream.async.splat on(#hal.device.affinity<@a>) %p : i32 -> !stream.resource<*>{%c32}
  %5 = stream.async.update on(#hal.device.affinity<@a>) %4, %3[%c0 to %c32] : !stream.resource<*>{%c32} -> %3 as !stream.resource<*>{%c64}
  util.return %4, %5 : !stream.resource<*>, !stream.resource<*>
}

// -----

// GE-15: what goes out and is read within as well is made where it goes, and read there; where it
// is updated further, or only part of what goes out, it is copied.
// CHECK-LABEL: @read_elsewhere
util.global private @a : !hal.device
util.func public @read_elsewhere(%x: !hal.buffer_view, %y: !hal.buffer_view) -> (!hal.buffer_view, !stream.resource<*>, !stream.resource<*>, !stream.resource<*>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %p = arith.constant 1 : i32
  %v = stream.tensor.import on(#hal.device.affinity<@a>) consume %x : !hal.buffer_view -> tensor<16xf32> in !stream.resource<external>{%c64} attributes {stream.result_storage}
  %w = stream.async.cast on(#hal.device.affinity<@a>) %v : !stream.resource<external>{%c64} -> !stream.resource<*>{%c64}
  // CHECK: %[[MADE:.+]] = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f(%w[%c0 to %c64 for %c64]) : {{.*}} -> %w{%c64}
  // CHECK-NEXT: stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@g(%[[MADE]][%c0 to %c64 for %c64])
  %0 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f() : () -> !stream.resource<*>{%c64}
  %1 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@g(%0[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
  %2 = stream.async.update on(#hal.device.affinity<@a>) %0, %w[%c0 to %c64] : !stream.resource<*>{%c64} -> %w as !stream.resource<*>{%c64}
  %3 = stream.async.cast on(#hal.device.affinity<@a>) %2 : !stream.resource<*>{%c64} -> !stream.resource<external>{%c64}
  %4 = stream.tensor.export on(#hal.device.affinity<@a>) %3 : tensor<16xf32> in !stream.resource<external>{%c64} -> !hal.buffer_view
  %i = stream.tensor.import on(#hal.device.affinity<@a>) consume %y : !hal.buffer_view -> tensor<16xf32> in !stream.resource<external>{%c64} attributes {stream.result_storage}
  %j = stream.async.cast on(#hal.device.affinity<@a>) %i : !stream.resource<external>{%c64} -> !stream.resource<*>{%c64}
  // CHECK: stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f() : () -> !stream.resource<*>{%c64}
  // CHECK: stream.async.update
  %5 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f() : () -> !stream.resource<*>{%c64}
  %6 = stream.async.update on(#hal.device.affinity<@a>) %5, %j[%c0 to %c64] : !stream.resource<*>{%c64} -> %j as !stream.resource<*>{%c64}
  %7 = stream.async.fill on(#hal.device.affinity<@a>) %p, %6[%c0 to %c64 for %c64] : i32 -> %6 as !stream.resource<*>{%c64}
  util.return %4, %1, %5, %7 : !hal.buffer_view, !stream.resource<*>, !stream.resource<*>, !stream.resource<*>
}
