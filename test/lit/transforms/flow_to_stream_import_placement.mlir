// RUN: zc-opt --split-input-file %s -p flow-to-stream | filecheck %s

// Nothing but the default places the import; 256 bytes of it go to b, and 32 of what is made of
// it: on b nothing is left to transfer (case of the program `reduction`).
// CHECK-LABEL: @moved
module attributes {stream.affinity.default = #hal.device.affinity<@a>} {
  util.func public @moved(%view: !hal.buffer_view) -> !hal.buffer_view {
    // CHECK: stream.tensor.import on(#hal.device.affinity<@b>)
    %0 = hal.tensor.import %view : !hal.buffer_view -> tensor<8x8xf32>
    // CHECK: stream.async.dispatch on(#hal.device.affinity<@b>) @ex::@sum
    %1 = flow.dispatch @ex::@sum(%0) : (tensor<8x8xf32>) -> tensor<8xf32>
    %2 = flow.tensor.transfer %1 : tensor<8xf32> to #hal.device.affinity<@b>
    %3 = flow.tensor.transfer %0 : tensor<8x8xf32> to #hal.device.affinity<@b>
    // CHECK: stream.async.dispatch on(#hal.device.affinity<@b>) @ex::@sub
    %4 = flow.dispatch @ex::@sub(%3, %2) : (tensor<8x8xf32>, tensor<8xf32>) -> tensor<8x8xf32>
    %5 = hal.tensor.export %4 : tensor<8x8xf32> -> !hal.buffer_view
    util.return %5 : !hal.buffer_view
  }
}

// -----

// Here more bytes stay on the default device than go to b: the import stays as well.
// CHECK-LABEL: @stays
module attributes {stream.affinity.default = #hal.device.affinity<@a>} {
  util.func public @stays(%view: !hal.buffer_view) -> !hal.buffer_view {
    // CHECK: stream.tensor.import on(#hal.device.affinity<@a>)
    %0 = hal.tensor.import %view : !hal.buffer_view -> tensor<8xf32>
    // CHECK: stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@spread
    %1 = flow.dispatch @ex::@spread(%0) : (tensor<8xf32>) -> tensor<8x8xf32>
    %2 = flow.tensor.transfer %1 : tensor<8x8xf32> to #hal.device.affinity<@a>
    %3 = flow.tensor.transfer %0 : tensor<8xf32> to #hal.device.affinity<@b>
    // CHECK: stream.async.dispatch on(#hal.device.affinity<@b>) @ex::@g
    %4 = flow.dispatch @ex::@g(%3) : (tensor<8xf32>) -> tensor<8xf32>
    %5 = flow.tensor.transfer %4 : tensor<8xf32> to #hal.device.affinity<@a>
    %6 = flow.dispatch @ex::@sub(%2, %5) : (tensor<8x8xf32>, tensor<8xf32>) -> tensor<8x8xf32>
    %7 = hal.tensor.export %6 : tensor<8x8xf32> -> !hal.buffer_view
    util.return %7 : !hal.buffer_view
  }
}

// -----

// Who uses the import has its place from a user: the import goes there, and its transfer copies.
// CHECK-LABEL: @decided
module attributes {stream.affinity.default = #hal.device.affinity<@b>} {
  util.func public @decided(%view: !hal.buffer_view, %other: !hal.buffer_view) -> !hal.buffer_view {
    // CHECK: stream.tensor.import on(#hal.device.affinity<@a>) %view
    %0 = hal.tensor.import %view : !hal.buffer_view -> tensor<8xf32>
    %1 = hal.tensor.import on(#hal.device.affinity<@a>) %other : !hal.buffer_view -> tensor<8xf32>
    // CHECK: stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f
    %2 = flow.dispatch @ex::@f(%0) : (tensor<8xf32>) -> tensor<8xf32>
    // CHECK: stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@g
    %3 = flow.dispatch @ex::@g(%1, %2) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %4 = flow.tensor.transfer %0 : tensor<8xf32> to #hal.device.affinity<@b>
    // CHECK: stream.async.dispatch on(#hal.device.affinity<@b>) @ex::@h
    %5 = flow.dispatch @ex::@h(%4) : (tensor<8xf32>) -> tensor<8xf32>
    %6 = hal.tensor.export on(#hal.device.affinity<@a>) %3 : tensor<8xf32> -> !hal.buffer_view
    %7 = hal.tensor.export on(#hal.device.affinity<@b>) %5 : tensor<8xf32> -> !hal.buffer_view
    util.return %6 : !hal.buffer_view
  }
}
