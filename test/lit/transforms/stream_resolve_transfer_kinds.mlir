// RUN: zc-opt --split-input-file %s -p stream-resolve-transfer-kinds --remarks 2>%t.remarks | filecheck %s
// RUN: filecheck %s --check-prefix=REMARK --input-file=%t.remarks

// One memory for both: both transfers are aliases (IR-23).
// CHECK-LABEL: @unified
// REMARK: :18:5: remark: transfer aliased: the pool of @a serves @a, @b
// REMARK: :21:5: remark: transfer aliased: the pool of @a serves @a, @b
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.func public @unified(%x: !hal.buffer_view) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %0 = stream.tensor.import on(#hal.device.affinity<@a>) %x : !hal.buffer_view -> tensor<16xf32> in !stream.resource<external>{%c64}
    %1 = stream.async.cast on(#hal.device.affinity<@a>) %0 : !stream.resource<external>{%c64} -> !stream.resource<*>{%c64}
    %2 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f(%1[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
    // CHECK: stream.async.transfer {{.+}} to(#hal.device.affinity<@b>) {{.+}} attributes {stream.transfer_kind = "alias"}
    %3 = stream.async.transfer %2 : !stream.resource<*>{%c64} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>) !stream.resource<*>{%c64}
    %4 = stream.async.dispatch on(#hal.device.affinity<@b>) @ex::@g(%3[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
    // CHECK: stream.async.transfer {{.+}} to(#hal.device.affinity<@a>) {{.+}} attributes {stream.transfer_kind = "alias"}
    %5 = stream.async.transfer %4 : !stream.resource<*>{%c64} from(#hal.device.affinity<@b>) -> to(#hal.device.affinity<@a>) !stream.resource<*>{%c64}
    %6 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@h(%5[%c0 to %c64 for %c64], %2[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}, !stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
    %7 = stream.async.cast on(#hal.device.affinity<@a>) %6 : !stream.resource<*>{%c64} -> !stream.resource<external>{%c64}
    %8 = stream.tensor.export on(#hal.device.affinity<@a>) %7 : tensor<16xf32> in !stream.resource<external>{%c64} -> !hal.buffer_view
    util.return %8 : !hal.buffer_view
  }
}

// -----

// a reaches b's memory, not the other way: the storage of both lies in b's pool (IR-29).
// CHECK-LABEL: @oneway
// REMARK: remark: transfer aliased: the pool of @b serves @a, @b
// REMARK: remark: transfer aliased: the pool of @b serves @a, @b
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {transparent_access = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.func public @oneway(%x: !hal.buffer_view) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %0 = stream.tensor.import on(#hal.device.affinity<@a>) %x : !hal.buffer_view -> tensor<16xf32> in !stream.resource<external>{%c64}
    %1 = stream.async.cast on(#hal.device.affinity<@a>) %0 : !stream.resource<external>{%c64} -> !stream.resource<*>{%c64}
    %2 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f(%1[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
    // CHECK: stream.async.transfer {{.+}} to(#hal.device.affinity<@b>) {{.+}} attributes {stream.transfer_kind = "alias"}
    %3 = stream.async.transfer %2 : !stream.resource<*>{%c64} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>) !stream.resource<*>{%c64}
    %4 = stream.async.dispatch on(#hal.device.affinity<@b>) @ex::@g(%3[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
    // CHECK: stream.async.transfer {{.+}} to(#hal.device.affinity<@a>) {{.+}} attributes {stream.transfer_kind = "alias"}
    %5 = stream.async.transfer %4 : !stream.resource<*>{%c64} from(#hal.device.affinity<@b>) -> to(#hal.device.affinity<@a>) !stream.resource<*>{%c64}
    %6 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@h(%5[%c0 to %c64 for %c64], %2[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}, !stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
    %7 = stream.async.cast on(#hal.device.affinity<@a>) %6 : !stream.resource<*>{%c64} -> !stream.resource<external>{%c64}
    %8 = stream.tensor.export on(#hal.device.affinity<@a>) %7 : tensor<16xf32> in !stream.resource<external>{%c64} -> !hal.buffer_view
    util.return %8 : !hal.buffer_view
  }
}

// -----

// No link: copies, with what is missing (IR-61).
// CHECK-LABEL: @discrete
// REMARK: remark: transfer kept as copy: no unified_memory link @a->@b, nor transparent_access either way
module attributes {test.no_topology} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.func public @discrete(%x: !hal.buffer_view) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %0 = stream.tensor.import on(#hal.device.affinity<@a>) %x : !hal.buffer_view -> tensor<16xf32> in !stream.resource<external>{%c64}
    %1 = stream.async.cast on(#hal.device.affinity<@a>) %0 : !stream.resource<external>{%c64} -> !stream.resource<*>{%c64}
    %2 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f(%1[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
    // CHECK: stream.async.transfer {{.+}} to(#hal.device.affinity<@b>) {{.+}} attributes {stream.transfer_kind = "copy"}
    %3 = stream.async.transfer %2 : !stream.resource<*>{%c64} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>) !stream.resource<*>{%c64}
    %4 = stream.async.dispatch on(#hal.device.affinity<@b>) @ex::@g(%3[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
    // CHECK: stream.async.transfer {{.+}} to(#hal.device.affinity<@a>) {{.+}} attributes {stream.transfer_kind = "copy"}
    %5 = stream.async.transfer %4 : !stream.resource<*>{%c64} from(#hal.device.affinity<@b>) -> to(#hal.device.affinity<@a>) !stream.resource<*>{%c64}
    %6 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@h(%5[%c0 to %c64 for %c64], %2[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}, !stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
    %7 = stream.async.cast on(#hal.device.affinity<@a>) %6 : !stream.resource<*>{%c64} -> !stream.resource<external>{%c64}
    %8 = stream.tensor.export on(#hal.device.affinity<@a>) %7 : tensor<16xf32> in !stream.resource<external>{%c64} -> !hal.buffer_view
    util.return %8 : !hal.buffer_view
  }
}

// -----

// An explicit copy is honoured where an alias would do (IR-22).
// CHECK-LABEL: @explicit_copy
// REMARK: remark: transfer kept as copy: stream.transfer_kind says copy
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.func public @explicit_copy(%x: !hal.buffer_view) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %0 = stream.tensor.import on(#hal.device.affinity<@a>) %x : !hal.buffer_view -> tensor<16xf32> in !stream.resource<external>{%c64}
    %1 = stream.async.cast on(#hal.device.affinity<@a>) %0 : !stream.resource<external>{%c64} -> !stream.resource<*>{%c64}
    %2 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f(%1[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
    // CHECK: stream.async.transfer {{.+}} to(#hal.device.affinity<@b>) {{.+}} attributes {stream.transfer_kind = "copy"}
    %3 = stream.async.transfer %2 : !stream.resource<*>{%c64} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>) !stream.resource<*>{%c64} attributes {stream.transfer_kind = "copy"}
    %4 = stream.async.dispatch on(#hal.device.affinity<@b>) @ex::@g(%3[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
    // CHECK: stream.async.transfer {{.+}} to(#hal.device.affinity<@a>) {{.+}} attributes {stream.transfer_kind = "alias"}
    %5 = stream.async.transfer %4 : !stream.resource<*>{%c64} from(#hal.device.affinity<@b>) -> to(#hal.device.affinity<@a>) !stream.resource<*>{%c64}
    %6 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@h(%5[%c0 to %c64 for %c64], %2[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}, !stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
    %7 = stream.async.cast on(#hal.device.affinity<@a>) %6 : !stream.resource<*>{%c64} -> !stream.resource<external>{%c64}
    %8 = stream.tensor.export on(#hal.device.affinity<@a>) %7 : tensor<16xf32> in !stream.resource<external>{%c64} -> !hal.buffer_view
    util.return %8 : !hal.buffer_view
  }
}

// -----

// What a global keeps is not what the caller has: a copy, though one device does it all (IR-46).
// What only the program knows goes into the global as it is.
// CHECK-LABEL: @kept
// REMARK: remark: transfer kept as copy: a global keeps it, and the caller has it too and may write it
// REMARK: remark: transfer aliased: source and target are one device
module {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private mutable @shown : !stream.resource<variable>
  util.global private mutable @hidden : !stream.resource<variable>
  util.func public @kept(%x: !hal.buffer_view) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %0 = stream.tensor.import on(#hal.device.affinity<@a>) %x : !hal.buffer_view -> tensor<16xf32> in !stream.resource<external>{%c64}
    %1 = stream.async.cast on(#hal.device.affinity<@a>) %0 : !stream.resource<external>{%c64} -> !stream.resource<*>{%c64}
    %2 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f(%1[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
    // CHECK: stream.async.transfer {{.+}} attributes {stream.transfer_kind = "copy"}
    %3 = stream.async.transfer %2 : !stream.resource<*>{%c64} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@a>) !stream.resource<variable>{%c64}
    util.global.store %3, @shown : !stream.resource<variable>
    %4 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f(%2[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
    // CHECK: stream.async.transfer {{.+}} attributes {stream.transfer_kind = "alias"}
    %5 = stream.async.transfer %4 : !stream.resource<*>{%c64} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@a>) !stream.resource<variable>{%c64}
    util.global.store %5, @hidden : !stream.resource<variable>
    %7 = stream.async.cast on(#hal.device.affinity<@a>) %2 : !stream.resource<*>{%c64} -> !stream.resource<external>{%c64}
    %8 = stream.tensor.export on(#hal.device.affinity<@a>) %7 : tensor<16xf32> in !stream.resource<external>{%c64} -> !hal.buffer_view
    util.return %8 : !hal.buffer_view
  }
}

// -----

// The caller's storage lies on b. Asked for in a's memory it is copied; where nobody asks, a
// reaches it (case B44).
// CHECK-LABEL: @pinned
// CHECK: stream.async.transfer {{.+}}kind = "copy"
// CHECK-LABEL: @free
// CHECK: stream.async.transfer {{.+}}kind = "alias"
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {transparent_access = true}), (@b -> @a = {})]>} {
  util.global private @a : !hal.device
  util.global private @b : !hal.device
  util.func public @pinned(%x: !stream.resource<transient>) -> !hal.buffer_view {
    %c64 = arith.constant 64 : index
    %0 = stream.async.transfer %x : !stream.resource<transient>{%c64} from(#hal.device.affinity<@b>) -> to(#hal.device.affinity<@a>) !stream.resource<external>{%c64}
    %1 = stream.tensor.export on(#hal.device.affinity<@a>) %0 : tensor<16xf32> in !stream.resource<external>{%c64} -> !hal.buffer_view
    util.return %1 : !hal.buffer_view
  }
  util.func public @free(%x: !stream.resource<transient>) -> !stream.resource<external> {
    %c64 = arith.constant 64 : index
    %0 = stream.async.transfer %x : !stream.resource<transient>{%c64} from(#hal.device.affinity<@b>) -> to(#hal.device.affinity<@a>) !stream.resource<external>{%c64}
    util.return %0 : !stream.resource<external>
  }
}

// -----

// One memory, in which buffers are only to be copied: it is not for want of a link (IR-25, IR-61).
// CHECK-LABEL: @copied_only
// CHECK: stream.async.transfer {{.+}}kind = "copy"
// REMARK: remark: transfer kept as copy: buffer_read and buffer_write of link @a->@c let none access in place
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @c = {unified_memory = true}, {buffer_read = "copy", buffer_write = "copy"})]>} {
  util.global private @a : !hal.device
  util.global private @c : !hal.device
  util.func public @copied_only() -> !stream.resource<*> {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %0 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f() : () -> !stream.resource<*>{%c64}
    %1 = stream.async.transfer %0 : !stream.resource<*>{%c64} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@c>) !stream.resource<*>{%c64}
    %2 = stream.async.dispatch on(#hal.device.affinity<@c>) @ex::@g(%1[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
    util.return %2 : !stream.resource<*>
  }
}

// -----

// A copy of undefined contents is an allocation where it goes to.
// CHECK-LABEL: @undefined
// CHECK: %[[A:.+]] = stream.async.alloca on(#hal.device.affinity<@b>)
// CHECK-NEXT: stream.async.fill on(#hal.device.affinity<@b>) %{{.+}}, %[[A]][
// CHECK-NOT: stream.async.transfer
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {})]>} {
util.global private @a = #hal.device.target<"local"> : !hal.device
util.global private @b = #hal.device.target<"local"> : !hal.device
util.func public @undefined(%v: i32) -> !stream.resource<*> {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %0 = stream.async.alloca on(#hal.device.affinity<@a>) : !stream.resource<*>{%c64}
  %1 = stream.async.transfer %0 : !stream.resource<*>{%c64} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>) !stream.resource<*>{%c64} attributes {stream.transfer_kind = "copy"}
  %2 = stream.async.fill on(#hal.device.affinity<@b>) %v, %1[%c0 to %c64 for %c64] : i32 -> %1 as !stream.resource<*>{%c64}
  util.return %2 : !stream.resource<*>
}
}

// -----

// What an update writes is there already, by whatever name and whoever put it there: a copy of it on
// another device, an update before, one apart in between. What lies half in it, or has been written
// since, is written (B10).
// CHECK-LABEL: @again
// CHECK: %[[U:.+]] = stream.async.update on(#hal.device.affinity<@a>) %{{.+}}[%c0 to %c32]
// CHECK: %[[V:.+]] = stream.async.update on(#hal.device.affinity<@a>) %{{.+}}, %[[U]][%c32 to %c64]
// CHECK: %[[W:.+]] = stream.async.update on(#hal.device.affinity<@a>) %{{.+}}, %[[V]][%c16 to %c48]
// CHECK: %[[X:.+]] = stream.async.update on(#hal.device.affinity<@a>) %{{.+}}, %[[W]][%c0 to %c32]
// CHECK-NOT: stream.async.update
// CHECK: util.return %[[V]], %[[V]], %[[X]]
util.func public @again(%x: !stream.resource<*>, %p: !stream.resource<*>, %q: !stream.resource<*>) -> (!stream.resource<*>, !stream.resource<*>, !stream.resource<*>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c48 = arith.constant 48 : index
  %c64 = arith.constant 64 : index
  %0 = stream.async.update on(#hal.device.affinity<@a>) %p, %x[%c0 to %c32] : !stream.resource<*>{%c32} -> %x as !stream.resource<*>{%c64}
  %1 = stream.async.update on(#hal.device.affinity<@a>) %q, %0[%c32 to %c64] : !stream.resource<*>{%c32} -> %0 as !stream.resource<*>{%c64}
  %2 = stream.async.update on(#hal.device.affinity<@a>) %p, %1[%c0 to %c32] : !stream.resource<*>{%c32} -> %1 as !stream.resource<*>{%c64}
  %3 = stream.async.slice on(#hal.device.affinity<@a>) %2[%c32 to %c64] : !stream.resource<*>{%c64} -> !stream.resource<*>{%c32}
  %4 = stream.async.transfer %3 : !stream.resource<*>{%c32} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>) !stream.resource<*>{%c32}
  %5 = stream.async.transfer %4 : !stream.resource<*>{%c32} from(#hal.device.affinity<@b>) -> to(#hal.device.affinity<@a>) !stream.resource<*>{%c32}
  %6 = stream.async.update on(#hal.device.affinity<@a>) %5, %2[%c32 to %c64] : !stream.resource<*>{%c32} -> %2 as !stream.resource<*>{%c64}
  %7 = stream.async.update on(#hal.device.affinity<@a>) %q, %6[%c16 to %c48] : !stream.resource<*>{%c32} -> %6 as !stream.resource<*>{%c64}
  %8 = stream.async.update on(#hal.device.affinity<@a>) %p, %7[%c0 to %c32] : !stream.resource<*>{%c32} -> %7 as !stream.resource<*>{%c64}
  util.return %2, %6, %8 : !stream.resource<*>, !stream.resource<*>, !stream.resource<*>
}
