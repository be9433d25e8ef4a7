// RUN: zc-opt --split-input-file %s -p flow-to-stream | filecheck %s

// Tensor arguments of a kernel become bindings; scalars stay arguments.
// CHECK-LABEL: stream.executable private @ex
// CHECK: stream.executable.export public @f
flow.executable private @ex {
  flow.executable.export public @f
  builtin.module {
    // CHECK: func.func @f(%[[B:.+]]: !stream.binding, %{{.+}}: i32)
    // CHECK: stream.binding.subspan %[[B]][%{{.+}}] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16xf32>>
    func.func @f(%b: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16xf32>>, %n: i32) {
      func.return
    }
  }
}

// -----

// The shape tied to a dynamic tensor moves to the subspan.
flow.executable private @ex2 {
  flow.executable.export public @g
  builtin.module {
    // CHECK-LABEL: func.func @g
    // CHECK: stream.binding.subspan {{.+}} : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>{%[[DIM:.+]]}
    // CHECK-NOT: tie_shape
    func.func @g(%b: !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>, %dim: index) {
      %0 = flow.dispatch.tie_shape %b : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>{%dim}
      func.return
    }
  }
}

// -----

// Imports are checked and sized in bytes; dispatches take whole resources; a transfer keeps its
// kind (IR-10, IR-22). What runs where follows from the transfers and the default.
module attributes {stream.affinity.default = #hal.device.affinity<@a>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  // CHECK-LABEL: util.func public @chain
  util.func public @chain(%arg0: !hal.buffer_view) -> !hal.buffer_view {
    // CHECK: hal.buffer_view.assert<%arg0 : !hal.buffer_view> message("x") shape([%c16])
    // CHECK: stream.tensor.import on(#hal.device.affinity<@a>) %arg0 : !hal.buffer_view -> tensor<16xf32> in !stream.resource<external>{%c64}
    %0 = hal.tensor.import %arg0 "x" : !hal.buffer_view -> tensor<16xf32>
    // CHECK: %[[D:.+]] = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f(%{{.+}}[%c0 to %c64 for %c64])
    %1 = flow.dispatch @ex::@f(%0) : (tensor<16xf32>) -> tensor<16xf32>
    // CHECK: stream.async.transfer %[[D]] : !stream.resource<*>{%c64} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>) !stream.resource<*>{%c64} attributes {stream.transfer_kind = "copy"}
    %2 = flow.tensor.transfer %1 : tensor<16xf32> to #hal.device.affinity<@b> attributes {stream.transfer_kind = "copy"}
    // CHECK: stream.async.dispatch on(#hal.device.affinity<@b>) @ex::@g
    %3 = flow.dispatch @ex::@g(%2) : (tensor<16xf32>) -> tensor<16xf32>
    // CHECK: stream.tensor.export on(#hal.device.affinity<@b>)
    %4 = hal.tensor.export %3 : tensor<16xf32> -> !hal.buffer_view
    util.return %4 : !hal.buffer_view
  }
}

// -----

// An import that is transferred lives where it goes, and what else uses it runs there: nothing
// moves. One with a user whose device is known stays there.
module attributes {stream.affinity.default = #hal.device.affinity<@a>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  // CHECK-LABEL: util.func public @transferred_import
  util.func public @transferred_import(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view) -> !hal.buffer_view {
    // CHECK: stream.tensor.import on(#hal.device.affinity<@b>) %arg0
    %0 = hal.tensor.import %arg0 "x" : !hal.buffer_view -> tensor<16xf32>
    // CHECK: stream.tensor.import on(#hal.device.affinity<@a>) %arg1
    %1 = hal.tensor.import %arg1 "y" : !hal.buffer_view -> tensor<16xf32>
    // CHECK: stream.async.dispatch on(#hal.device.affinity<@b>) @ex::@f
    %2 = flow.dispatch @ex::@f(%0) : (tensor<16xf32>) -> tensor<16xf32>
    // CHECK: stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@g
    %3 = flow.dispatch @ex::@g(%1) {stream.affinity = #hal.device.affinity<@a>} : (tensor<16xf32>) -> tensor<16xf32>
    // CHECK-NEXT: stream.async.transfer {{.+}} from(#hal.device.affinity<@b>) -> to(#hal.device.affinity<@b>)
    // CHECK-NEXT: stream.async.transfer {{.+}} from(#hal.device.affinity<@b>) -> to(#hal.device.affinity<@b>)
    %4 = flow.tensor.transfer %0 : tensor<16xf32> to #hal.device.affinity<@b>
    %5 = flow.tensor.transfer %2 : tensor<16xf32> to #hal.device.affinity<@b>
    // CHECK-NEXT: stream.async.transfer {{.+}} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>)
    // CHECK-NEXT: stream.async.transfer {{.+}} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>)
    %6 = flow.tensor.transfer %1 : tensor<16xf32> to #hal.device.affinity<@b>
    %7 = flow.tensor.transfer %3 : tensor<16xf32> to #hal.device.affinity<@b>
    // CHECK-NEXT: stream.async.dispatch on(#hal.device.affinity<@b>) @ex::@h
    %8 = flow.dispatch @ex::@h(%4, %5, %6, %7) : (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %9 = hal.tensor.export %8 : tensor<16xf32> -> !hal.buffer_view
    util.return %9 : !hal.buffer_view
  }
}

// -----

// Updates and slices become byte ranges: row 2 of 4x4xf32 starts at byte 32.
module attributes {stream.affinity.default = #hal.device.affinity<@a>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  // CHECK-LABEL: util.func public @ranges
  util.func public @ranges(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %0 = hal.tensor.import %arg0 "x" : !hal.buffer_view -> tensor<4x4xf32>
    %1 = hal.tensor.import %arg1 "y" : !hal.buffer_view -> tensor<1x4xf32>
    // CHECK: stream.async.update on(#hal.device.affinity<@a>) %{{.+}}, %[[T:.+]][%c32 to %c48] : !stream.resource<*>{%c16} -> %[[T]] as !stream.resource<*>{%c64}
    %2 = flow.tensor.update %1, %0[%c2, %c0] : tensor<1x4xf32> -> %0 as tensor<4x4xf32>
    // CHECK: stream.async.slice on(#hal.device.affinity<@a>) %{{.+}}[%c16 to %c32] : !stream.resource<*>{%c64} -> !stream.resource<*>{%c16}
    %3 = flow.tensor.slice %2[%c1, %c0 for %c1, %c4] : tensor<4x4xf32> -> tensor<1x4xf32>
    %4 = hal.tensor.export %3 : tensor<1x4xf32> -> !hal.buffer_view
    util.return %4 : !hal.buffer_view
  }
}

// -----

// Nothing at flow level: nothing changes.
// CHECK-LABEL: util.func public @already_stream
util.func public @already_stream(%arg0: !stream.timepoint) -> !stream.timepoint {
  // CHECK-NEXT: util.return %arg0 : !stream.timepoint
  util.return %arg0 : !stream.timepoint
}
