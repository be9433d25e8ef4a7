// RUN: zc-opt --split-input-file %s -p flow-to-stream | filecheck %s

// A mutable global is a variable resource, an immutable one a constant; an initial value is stored
// by an initializer. Loads and stores are transfers between lifetimes.
module attributes {stream.affinity.default = #hal.device.affinity<@a>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  // CHECK: util.global private mutable @state : !stream.resource<variable>
  // CHECK-NEXT: util.initializer {
  // CHECK-NEXT: %[[SIZE:.+]] = arith.constant 16 : index
  // CHECK-NEXT: %[[CST:.+]] = stream.async.constant on(#hal.device.affinity<@a>) : !stream.resource<variable>{%[[SIZE]]} = dense<1.000000e+00> : tensor<4xf32>
  // CHECK-NEXT: util.global.store %[[CST]], @state : !stream.resource<variable>
  util.global private mutable @state = dense<1.000000e+00> : tensor<4xf32>
  // CHECK: util.global private @table : !stream.resource<constant>
  // CHECK: %[[TABLE:.+]] = stream.async.constant on(#hal.device.affinity<@a>) : !stream.resource<constant>{%{{.+}}} = dense<[1, 2, 3]> : tensor<3xi8>
  // CHECK-NEXT: util.global.store %[[TABLE]], @table
  util.global private @table = dense<[1, 2, 3]> : tensor<3xi8>
  // CHECK: util.global private mutable @raw : !stream.resource<variable>
  // CHECK: %[[RAW:.+]] = stream.async.alloca on(#hal.device.affinity<@b>) : !stream.resource<variable>
  // CHECK-NEXT: util.global.store %[[RAW]], @raw
  util.global private mutable @raw = #util.uninitialized : tensor<2x2xf16>
  // CHECK-LABEL: util.func private @step
  util.func private @step() -> tensor<3xi8> {
    // CHECK: %[[L:.+]] = util.global.load @state : !stream.resource<variable>
    // CHECK-NEXT: %[[S:.+]] = stream.async.transfer %[[L]] : !stream.resource<variable>{%c16} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@a>) !stream.resource<*>{%c16}
    %0 = util.global.load @state : tensor<4xf32>
    // CHECK-NEXT: %[[D:.+]] = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f(%[[S]][%c0 to %c16 for %c16]) : (!stream.resource<*>{%c16}) -> %[[S]]{%c16}
    %1 = flow.dispatch @ex::@f(%0) : (tensor<4xf32>) -> %0
    // CHECK-NEXT: %[[N:.+]] = stream.async.transfer %[[D]] : !stream.resource<*>{%c16} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@a>) !stream.resource<variable>{%c16}
    // CHECK-NEXT: util.global.store %[[N]], @state : !stream.resource<variable>
    util.global.store %1, @state : tensor<4xf32>
    // CHECK-NEXT: util.global.load immutable @table : !stream.resource<constant>
    %2 = util.global.load immutable @table : tensor<3xi8>
    %3 = util.global.load @raw : tensor<2x2xf16>
    %4 = flow.tensor.transfer %3 : tensor<2x2xf16> to #hal.device.affinity<@b>
    util.global.store %4, @raw : tensor<2x2xf16>
    util.return %2 : tensor<3xi8>
  }
}

// -----

// A dynamic shape needs a global for the size.
module attributes {stream.affinity.default = #hal.device.affinity<@a>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  // CHECK: util.global public mutable @cache : !stream.resource<variable>
  // CHECK-NEXT: util.global public mutable @cache__size : index
  util.global public mutable @cache : tensor<?x4xf32>
  // CHECK-NEXT: util.initializer {
  util.initializer {
    %c2 = arith.constant 2 : index
    %0 = flow.tensor.empty : tensor<?x4xf32>{%c2}
    // CHECK: util.global.store %{{.+}}, @cache : !stream.resource<variable>
    // CHECK-NEXT: util.global.store %c32, @cache__size : index
    util.global.store %0, @cache : tensor<?x4xf32>
    util.return
  }
  // CHECK-LABEL: util.func private @swap
  // CHECK-SAME: (%[[X:.+]]: !stream.resource<*>, %[[XS:.+]]: index)
  util.func private @swap(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
    // CHECK-NEXT: %[[L:.+]] = util.global.load @cache : !stream.resource<variable>
    // CHECK-NEXT: %[[LS:.+]] = util.global.load @cache__size : index
    // CHECK-NEXT: %[[R:.+]] = stream.async.transfer %[[L]] : !stream.resource<variable>{%[[LS]]} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@a>) !stream.resource<*>{%[[LS]]}
    %0 = util.global.load @cache : tensor<?x4xf32>
    // CHECK-NEXT: %[[N:.+]] = stream.async.transfer %[[X]] : !stream.resource<*>{%[[XS]]} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@a>) !stream.resource<variable>{%[[XS]]}
    // CHECK-NEXT: util.global.store %[[N]], @cache
    // CHECK-NEXT: util.global.store %[[XS]], @cache__size : index
    util.global.store %x, @cache : tensor<?x4xf32>
    // CHECK-NEXT: util.return %[[R]], %[[LS]]
    util.return %0 : tensor<?x4xf32>
  }
}

// -----

// Access through an address is access to the global.
module attributes {stream.affinity.default = #hal.device.affinity<@a>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private mutable @v : tensor<i32>
  // CHECK-LABEL: util.func private @indirect
  util.func private @indirect() {
    // CHECK-NOT: util.global.address
    %0 = util.global.address @v : !util.ptr<tensor<i32>>
    // CHECK: util.global.load @v : !stream.resource<variable>
    %1 = util.global.load.indirect %0 : !util.ptr<tensor<i32>> -> tensor<i32>
    // CHECK: util.global.store %{{.+}}, @v : !stream.resource<variable>
    util.global.store.indirect %1, %0 : tensor<i32> -> !util.ptr<tensor<i32>>
    util.return
  }
}

// -----

// A global lives where it says, or where the first value stored lives.
module attributes {stream.affinity.default = #hal.device.affinity<@a>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.global private mutable @on_b {stream.affinity = #hal.device.affinity<@b>} : tensor<4xf32>
  util.global private mutable @by_store : tensor<4xf32>
  // CHECK-LABEL: util.func private @homes
  util.func private @homes(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = flow.dispatch @ex::@f(%x) {stream.affinity = #hal.device.affinity<@a>} : (tensor<4xf32>) -> tensor<4xf32>
    // CHECK: %[[TO_B:.+]] = stream.async.transfer %{{.+}} : !stream.resource<*>{%c16} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>) !stream.resource<variable>
    // CHECK-NEXT: util.global.store %[[TO_B]], @on_b
    util.global.store %0, @on_b : tensor<4xf32>
    %1 = flow.tensor.transfer %0 : tensor<4xf32> to #hal.device.affinity<@b>
    // CHECK: %[[SAME:.+]] = stream.async.transfer %{{.+}} : !stream.resource<*>{%c16} from(#hal.device.affinity<@b>) -> to(#hal.device.affinity<@b>) !stream.resource<variable>
    // CHECK-NEXT: util.global.store %[[SAME]], @by_store
    util.global.store %1, @by_store : tensor<4xf32>
    %2 = util.global.load @by_store : tensor<4xf32>
    // CHECK: stream.async.dispatch on(#hal.device.affinity<@b>) @ex::@f
    %3 = flow.dispatch @ex::@f(%2) : (tensor<4xf32>) -> tensor<4xf32>
    util.return %3 : tensor<4xf32>
  }
}
