// RUN: zc-opt --split-input-file %s -p flow-to-stream | filecheck %s

// A loop carries the resource; a size that the type states is a constant and is not carried. The
// value stays on device a from iteration to iteration, b only sees it through the transfers.
module attributes {stream.affinity.default = #hal.device.affinity<@a>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  // CHECK-LABEL: util.func public @for
  util.func public @for(%arg0: !hal.buffer_view, %n: index) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // CHECK: %[[IN:.+]] = stream.async.cast on(#hal.device.affinity<@a>)
    %0 = hal.tensor.import %arg0 : !hal.buffer_view -> tensor<16xf32>
    // CHECK: %[[R:.+]] = scf.for {{.+}} iter_args(%[[X:.+]] = %[[IN]]) -> (!stream.resource<*>) {
    %1 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %0) -> (tensor<16xf32>) {
      // CHECK-NEXT: %[[XB:.+]] = stream.async.transfer %[[X]] : !stream.resource<*>{%c64} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>) !stream.resource<*>{%c64}
      %2 = flow.tensor.transfer %x : tensor<16xf32> to #hal.device.affinity<@b>
      // CHECK-NEXT: %[[D:.+]] = stream.async.dispatch on(#hal.device.affinity<@b>) @ex::@f(%[[XB]][%c0 to %c64 for %c64])
      %3 = flow.dispatch @ex::@f(%2) : (tensor<16xf32>) -> tensor<16xf32>
      // CHECK-NEXT: %[[Y:.+]] = stream.async.transfer %[[D]] : !stream.resource<*>{%c64} from(#hal.device.affinity<@b>) -> to(#hal.device.affinity<@a>) !stream.resource<*>{%c64}
      %4 = flow.tensor.transfer %3 : tensor<16xf32> to #hal.device.affinity<@a>
      // CHECK-NEXT: scf.yield %[[Y]] : !stream.resource<*>
      scf.yield %4 : tensor<16xf32>
    }
    // CHECK: stream.async.cast on(#hal.device.affinity<@a>) %[[R]]
    %5 = hal.tensor.export %1 : tensor<16xf32> -> !hal.buffer_view
    util.return %5 : !hal.buffer_view
  }
}

// -----

// A dynamic tensor takes its size along, in loops and in what leaves them.
module attributes {stream.affinity.default = #hal.device.affinity<@a>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  // CHECK-LABEL: util.func private @while
  // CHECK-SAME: (%[[N:.+]]: index, %[[T:.+]]: !stream.resource<*>, %[[TS:.+]]: index, %[[D:.+]]: index) -> (!stream.resource<*>, index)
  util.func private @while(%n: index, %t: tensor<?xf32>, %d: index) -> tensor<?xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // CHECK: %{{.+}}, %[[W:.+]], %[[WS:.+]] = scf.while (%[[I:.+]] = %{{.+}}, %[[X:.+]] = %[[T]], %[[XS:.+]] = %[[TS]]) : (index, !stream.resource<*>, index) -> (index, !stream.resource<*>, index) {
    %r:2 = scf.while (%i = %c0, %x = %t) : (index, tensor<?xf32>) -> (index, tensor<?xf32>) {
      %more = arith.cmpi slt, %i, %n : index
      // CHECK: scf.condition(%{{.+}}) %[[I]], %[[X]], %[[XS]] : index, !stream.resource<*>, index
      scf.condition(%more) %i, %x : index, tensor<?xf32>
    } do {
    // CHECK: ^[[BB:.+]](%[[J:.+]]: index, %[[Y:.+]]: !stream.resource<*>, %[[YS:.+]]: index):
    ^bb0(%j: index, %y: tensor<?xf32>):
      %next = arith.addi %j, %c1 : index
      // CHECK: %[[ZS:.+]] = arith.muli %[[D]], %c4
      // CHECK-NEXT: %[[Z:.+]] = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f(%[[Y]][%c0 to %[[YS]] for %[[YS]]]) : (!stream.resource<*>{%[[YS]]}) -> !stream.resource<*>{%[[ZS]]}
      %z = flow.dispatch @ex::@f(%y) : (tensor<?xf32>{%d}) -> tensor<?xf32>{%d}
      // CHECK-NEXT: scf.yield %{{.+}}, %[[Z]], %[[ZS]] : index, !stream.resource<*>, index
      scf.yield %next, %z : index, tensor<?xf32>
    }
    // CHECK: util.return %[[W]], %[[WS]] : !stream.resource<*>, index
    util.return %r#1 : tensor<?xf32>
  }
}

// -----

// Branches of an if give resources; a value of another device is moved to where the result lives.
module attributes {stream.affinity.default = #hal.device.affinity<@a>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  // CHECK-LABEL: util.func private @if
  // CHECK-SAME: (%[[C:.+]]: i1, %[[S:.+]]: !stream.resource<*>, %{{.+}}: index, %[[T:.+]]: !stream.resource<*>, %[[TS:.+]]: index, %{{.+}}: index) -> (!stream.resource<*>, index, !stream.resource<*>, index, i32)
  util.func private @if(%c: i1, %s: tensor<4xf32>, %t: tensor<?xf32>, %d: index) -> (tensor<4xf32>, tensor<?xf32>, i32) {
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    // CHECK: %[[R:.+]], %[[Q:.+]], %[[QS:.+]], %[[N:.+]] = scf.if %{{.+}} -> (!stream.resource<*>, !stream.resource<*>, index, i32) {
    %r:3 = scf.if %c -> (tensor<4xf32>, tensor<?xf32>, i32) {
      %u = flow.dispatch @ex::@f(%s) {stream.affinity = #hal.device.affinity<@a>} : (tensor<4xf32>) -> tensor<4xf32>
      // CHECK: scf.yield %{{.+}}, %[[T]], %[[TS]], %{{.+}} : !stream.resource<*>, !stream.resource<*>, index, i32
      scf.yield %u, %t, %one : tensor<4xf32>, tensor<?xf32>, i32
    } else {
      // CHECK: %[[V:.+]] = stream.async.transfer %[[S]] : !stream.resource<*>{%c16} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>)
      %v = flow.tensor.transfer %s : tensor<4xf32> to #hal.device.affinity<@b>
      // CHECK-NEXT: %[[VA:.+]] = stream.async.transfer %[[V]] : !stream.resource<*>{%c16} from(#hal.device.affinity<@b>) -> to(#hal.device.affinity<@a>)
      // CHECK-NEXT: scf.yield %[[VA]], %[[T]], %[[TS]]
      scf.yield %v, %t, %two : tensor<4xf32>, tensor<?xf32>, i32
    }
    // CHECK: util.return %[[R]], %c16, %[[Q]], %[[QS]], %[[N]]
    util.return %r#0, %r#1, %r#2 : tensor<4xf32>, tensor<?xf32>, i32
  }
}

// -----

// Block arguments; the blocks may stand in any order.
module attributes {stream.affinity.default = #hal.device.affinity<@a>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  // CHECK-LABEL: util.func private @branches
  // CHECK-SAME: (%[[C:.+]]: i1, %[[K:.+]]: i32, %[[S:.+]]: !stream.resource<*>, %{{.+}}: index, %[[T:.+]]: !stream.resource<*>, %[[TS:.+]]: index, %{{.+}}: index)
  util.func private @branches(%c: i1, %k: i32, %s: tensor<4xf32>, %t: tensor<?xf32>, %d: index) -> tensor<?xf32> {
    // CHECK: cf.cond_br %{{.+}}, ^[[ENTERED:.+]](%[[S]], %[[T]], %[[TS]] : !stream.resource<*>, !stream.resource<*>, index), ^[[LEFT:.+]](%[[T]], %[[TS]] : !stream.resource<*>, index)
    cf.cond_br %c, ^entered(%s, %t : tensor<4xf32>, tensor<?xf32>), ^left(%t : tensor<?xf32>)
  // CHECK: ^[[USED:.+]](%[[W:.+]]: !stream.resource<*>, %[[WS:.+]]: index):
  ^used(%w: tensor<?xf32>):
    // CHECK-NEXT: cf.br ^[[LEFT]](%[[W]], %[[WS]] : !stream.resource<*>, index)
    cf.br ^left(%w : tensor<?xf32>)
  // CHECK: ^[[ENTERED]](%[[X:.+]]: !stream.resource<*>, %[[Y:.+]]: !stream.resource<*>, %[[YS:.+]]: index):
  ^entered(%x: tensor<4xf32>, %y: tensor<?xf32>):
    // CHECK-NEXT: %[[Z:.+]] = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f(%[[X]][%c0 to %c16 for %c16], %[[Y]][%c0 to %[[YS]] for %[[YS]]]) : (!stream.resource<*>{%c16}, !stream.resource<*>{%[[YS]]}) -> %[[Y]]{%[[YS]]}
    %z = flow.dispatch @ex::@f(%x, %y) : (tensor<4xf32>, tensor<?xf32>{%d}) -> %y{%d}
    cf.switch %k : i32, [
      // CHECK: default: ^[[LEFT]](%[[Y]], %[[YS]] : !stream.resource<*>, index),
      default: ^left(%y : tensor<?xf32>),
      // CHECK-NEXT: 7: ^[[USED]](%[[Z]], %[[YS]] : !stream.resource<*>, index),
      7: ^used(%z : tensor<?xf32>),
      // CHECK-NEXT: 9: ^[[ENTERED]](%[[X]], %[[Z]], %[[YS]] : !stream.resource<*>, !stream.resource<*>, index)
      9: ^entered(%x, %z : tensor<4xf32>, tensor<?xf32>)
    ]
  ^left(%r: tensor<?xf32>):
    util.return %r : tensor<?xf32>
  }
}

// -----

// A select is a branch that gives resources, and sizes only where these can differ.
module attributes {stream.affinity.default = #hal.device.affinity<@a>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  // CHECK-LABEL: util.func private @select
  // CHECK-SAME: (%[[C:.+]]: i1, %[[S:.+]]: !stream.resource<*>, %{{.+}}: index, %[[T:.+]]: !stream.resource<*>, %{{.+}}: index, %[[U:.+]]: !stream.resource<*>, %[[US:.+]]: index, %[[V:.+]]: !stream.resource<*>, %[[VS:.+]]: index)
  util.func private @select(%c: i1, %s: tensor<4xf32>, %t: tensor<4xf32>, %u: tensor<?xf32>, %v: tensor<?xf32>) -> (tensor<4xf32>, tensor<?xf32>) {
    // CHECK: %[[ST:.+]] = scf.if %[[C]] -> (!stream.resource<*>) {
    // CHECK-NEXT: scf.yield %[[S]] : !stream.resource<*>
    // CHECK-NEXT: } else {
    // CHECK-NEXT: scf.yield %[[T]] : !stream.resource<*>
    %0 = arith.select %c, %s, %t : tensor<4xf32>
    // CHECK: %[[UV:.+]], %[[UVS:.+]] = scf.if %[[C]] -> (!stream.resource<*>, index) {
    // CHECK-NEXT: scf.yield %[[U]], %[[US]] : !stream.resource<*>, index
    // CHECK-NEXT: } else {
    // CHECK-NEXT: scf.yield %[[V]], %[[VS]] : !stream.resource<*>, index
    %1 = arith.select %c, %u, %v : tensor<?xf32>
    // CHECK: %[[B0:.+]], %[[B1:.+]] = util.optimization_barrier %[[ST]], %[[UV]] : !stream.resource<*>, !stream.resource<*>
    %2:2 = util.optimization_barrier %0, %1 : tensor<4xf32>, tensor<?xf32>
    // CHECK-NEXT: util.return %[[B0]], %c16, %[[B1]], %[[UVS]]
    util.return %2#0, %2#1 : tensor<4xf32>, tensor<?xf32>
  }
}

// -----

// Switches, regions of blocks, and ops without tensors among them.
module attributes {stream.affinity.default = #hal.device.affinity<@a>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  // CHECK-LABEL: util.func private @regions
  // CHECK-SAME: (%[[K:.+]]: index, %[[C:.+]]: i1, %[[S:.+]]: !stream.resource<*>, %{{.+}}: index, %[[T:.+]]: !stream.resource<*>, %{{.+}}: index)
  util.func private @regions(%k: index, %c: i1, %s: tensor<4xf32>, %t: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    // CHECK: %[[SW:.+]] = scf.index_switch %{{.+}} -> !stream.resource<*>
    %0 = scf.index_switch %k -> tensor<4xf32>
    case 2 {
      // CHECK: scf.yield %[[S]] : !stream.resource<*>
      scf.yield %s : tensor<4xf32>
    }
    default {
      // CHECK: scf.yield %[[T]] : !stream.resource<*>
      scf.yield %t : tensor<4xf32>
    }
    // CHECK: %[[E:.+]] = scf.execute_region -> !stream.resource<*> {
    %1 = scf.execute_region -> tensor<4xf32> {
      // CHECK-NEXT: cf.cond_br %{{.+}}, ^[[TO:.+]](%[[S]] : !stream.resource<*>), ^[[TO]](%[[SW]] : !stream.resource<*>)
      cf.cond_br %c, ^bb1(%s : tensor<4xf32>), ^bb1(%0 : tensor<4xf32>)
    ^bb1(%x: tensor<4xf32>):
      scf.yield %x : tensor<4xf32>
    }
    // CHECK: scf.if %{{.+}} -> (i32) {
    %2 = scf.if %c -> (i32) {
      %3 = arith.constant 3 : i32
      scf.yield %3 : i32
    } else {
      %4 = arith.constant 4 : i32
      scf.yield %4 : i32
    }
    // CHECK: util.return %[[SW]], %c16, %[[E]], %c16
    util.return %0, %1 : tensor<4xf32>, tensor<4xf32>
  }
}
