// RUN: zc-opt --split-input-file %s -p stream-resolve-transfer-kinds --remarks 2>%t.remarks | filecheck %s
// RUN: filecheck %s --check-prefix=REMARK --input-file=%t.remarks

// The caller on a hands storage to the callee on b: a reaches b's memory, so that one pool serves
// (IR-29).
// CHECK-LABEL: @callee
// REMARK: remark: transfer aliased: the pool of @b serves @b, @a
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {transparent_access = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.func private @callee(%x: !stream.resource<*>, %size: index) -> !stream.resource<*> {
    %c0 = arith.constant 0 : index
    // CHECK: stream.async.transfer {{.+}} attributes {stream.transfer_kind = "alias"}
    %1 = stream.async.transfer %x : !stream.resource<*>{%size} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>) !stream.resource<*>{%size}
    %2 = stream.async.dispatch on(#hal.device.affinity<@b>) @ex::@f(%1[%c0 to %size for %size]) : (!stream.resource<*>{%size}) -> !stream.resource<*>{%size}
    util.return %2 : !stream.resource<*>
  }
  util.func private @caller_a() -> !stream.resource<*> {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %0 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@g() : () -> !stream.resource<*>{%c64}
    %1 = util.call @callee(%0, %c64) : (!stream.resource<*>, index) -> !stream.resource<*>
    util.return %1 : !stream.resource<*>
  }
}

// -----

// What the caller passes is an import, which lies where it is: in a's pool, out of b's reach.
// CHECK-LABEL: @callee
// REMARK: remark: transfer kept as copy: no pool is in reach of all its users (@b, the host) and lies where it is pinned, in the pool of @a
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {transparent_access = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.func private @callee(%x: !stream.resource<*>, %size: index) -> !stream.resource<*> {
    %c0 = arith.constant 0 : index
    // CHECK: stream.async.transfer {{.+}} attributes {stream.transfer_kind = "copy"}
    %1 = stream.async.transfer %x : !stream.resource<*>{%size} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>) !stream.resource<*>{%size}
    %2 = stream.async.dispatch on(#hal.device.affinity<@b>) @ex::@f(%1[%c0 to %size for %size]) : (!stream.resource<*>{%size}) -> !stream.resource<*>{%size}
    util.return %2 : !stream.resource<*>
  }
  util.func private @lender(%out: !hal.buffer_view) -> !stream.resource<*> {
    %c64 = arith.constant 64 : index
    %0 = stream.tensor.import on(#hal.device.affinity<@a>) %out : !hal.buffer_view -> tensor<16xf32> in !stream.resource<external>{%c64}
    %1 = stream.async.cast on(#hal.device.affinity<@a>) %0 : !stream.resource<external>{%c64} -> !stream.resource<*>{%c64}
    %2 = util.call @callee(%1, %c64) : (!stream.resource<*>, index) -> !stream.resource<*>
    util.return %2 : !stream.resource<*>
  }
}

// -----

// Who calls a public function is not known; it declares that the argument lies on a.
// CHECK-LABEL: @declared
// REMARK: remark: transfer kept as copy: no pool is in reach of all its users (@b) and lies where it is pinned, in the pool of @a
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {transparent_access = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.func public @declared(%x: !stream.resource<*> {stream.affinity = #hal.device.affinity<@a>}, %size: index) -> !stream.resource<*> {
    %c0 = arith.constant 0 : index
    // CHECK: stream.async.transfer {{.+}} attributes {stream.transfer_kind = "copy"}
    %1 = stream.async.transfer %x : !stream.resource<*>{%size} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>) !stream.resource<*>{%size}
    %2 = stream.async.dispatch on(#hal.device.affinity<@b>) @ex::@f(%1[%c0 to %size for %size]) : (!stream.resource<*>{%size}) -> !stream.resource<*>{%size}
    util.return %2 : !stream.resource<*>
  }
}

// -----

// So is a result that is declared on a; the argument is not declared, and may lie on b.
// CHECK-LABEL: @result
// REMARK: remark: transfer kept as copy: no pool is in reach of all its users (@b) and lies where it is pinned, in the pool of @a
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {transparent_access = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.func public @result(%x: !stream.resource<*>, %size: index) -> (!stream.resource<*> {stream.affinity = #hal.device.affinity<@a>}) {
    %c0 = arith.constant 0 : index
    %0 = stream.async.dispatch on(#hal.device.affinity<@b>) @ex::@f(%x[%c0 to %size for %size]) : (!stream.resource<*>{%size}) -> !stream.resource<*>{%size}
    // CHECK: stream.async.transfer {{.+}} attributes {stream.transfer_kind = "copy"}
    %1 = stream.async.transfer %0 : !stream.resource<*>{%size} from(#hal.device.affinity<@b>) -> to(#hal.device.affinity<@a>) !stream.resource<*>{%size}
    util.return %1 : !stream.resource<*>
  }
}

// -----

// A global carries storage from one function to the other, and the caller has it too.
// CHECK-LABEL: @load
// REMARK: remark: transfer kept as copy: a global keeps it, and the caller has it too and may write it
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {transparent_access = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.global private mutable @v : !stream.resource<variable>
  util.func private @load() -> !stream.resource<variable> {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %0 = util.global.load @v : !stream.resource<variable>
    // CHECK: stream.async.transfer {{.+}} attributes {stream.transfer_kind = "copy"}
    %1 = stream.async.transfer %0 : !stream.resource<variable>{%c64} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>) !stream.resource<variable>{%c64}
    %2 = stream.async.dispatch on(#hal.device.affinity<@b>) @ex::@f(%1[%c0 to %c64 for %c64]) : (!stream.resource<variable>{%c64}) -> !stream.resource<variable>{%c64}
    util.return %2 : !stream.resource<variable>
  }
  util.func private @store(%view: !hal.buffer_view) {
    %c64 = arith.constant 64 : index
    %0 = stream.tensor.import on(#hal.device.affinity<@a>) %view : !hal.buffer_view -> tensor<16xf32> in !stream.resource<external>{%c64}
    %1 = stream.async.cast on(#hal.device.affinity<@a>) %0 : !stream.resource<external>{%c64} -> !stream.resource<variable>{%c64}
    util.global.store %1, @v : !stream.resource<variable>
    util.return
  }
}

// -----

// What the caller gave away may be kept by a global as it is; what it lent is copied (IR-50).
// CHECK-LABEL: @keep
// REMARK: remark: transfer aliased: source and target are one device
// REMARK: remark: transfer kept as copy: a global keeps it, and the caller has it too and may write it
module {
  util.global private @a : !hal.device
  util.global private mutable @v : !stream.resource<variable>
  util.global private mutable @w : !stream.resource<variable>
  util.func public @keep(%given: !hal.buffer_view, %lent: !hal.buffer_view) {
    %c64 = arith.constant 64 : index
    %0 = stream.tensor.import on(#hal.device.affinity<@a>) consume %given : !hal.buffer_view -> tensor<16xf32> in !stream.resource<external>{%c64}
    // CHECK: stream.async.transfer {{.+}} attributes {stream.transfer_kind = "alias"}
    %1 = stream.async.transfer %0 : !stream.resource<external>{%c64} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@a>) !stream.resource<variable>{%c64}
    util.global.store %1, @v : !stream.resource<variable>
    %2 = stream.tensor.import on(#hal.device.affinity<@a>) %lent : !hal.buffer_view -> tensor<16xf32> in !stream.resource<external>{%c64}
    // CHECK: stream.async.transfer {{.+}} attributes {stream.transfer_kind = "copy"}
    %3 = stream.async.transfer %2 : !stream.resource<external>{%c64} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@a>) !stream.resource<variable>{%c64}
    util.global.store %3, @w : !stream.resource<variable>
    util.return
  }
}

// -----

// A transfer that does not say where its source lives: where what the loop carries does.
// CHECK-LABEL: @carried
// REMARK: remark: transfer aliased: the pool of @a serves
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a : !hal.device
  util.global private @b : !hal.device
  util.func public @carried(%n: index) -> !stream.resource<*> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %0 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f() : () -> !stream.resource<*>{%c64}
    %1 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %0) -> (!stream.resource<*>) {
      // CHECK: stream.async.transfer {{.+}} attributes {stream.transfer_kind = "alias"}
      %2 = stream.async.transfer %x : !stream.resource<*>{%c64} -> to(#hal.device.affinity<@b>) !stream.resource<*>{%c64}
      %3 = stream.async.dispatch on(#hal.device.affinity<@b>) @ex::@g(%2[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
      %4 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f() : () -> !stream.resource<*>{%c64}
      util.call @use(%3) : (!stream.resource<*>) -> ()
      scf.yield %4 : !stream.resource<*>
    }
    util.return %1 : !stream.resource<*>
  }
  util.func private @use(!stream.resource<*>)
}
