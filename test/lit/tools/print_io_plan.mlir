// RUN: zc-opt %s -p zc-model --print-io-plan | filecheck %s
// RUN: not zc-opt %s --print-io-plan 2>&1 | filecheck %s --check-prefix=NONE
// NONE: error: the module has no I/O plan to print; run -p zc-model

// The plan of a model as a table.
// CHECK: model @f
// CHECK: name  bytes  address  memory        reason
// CHECK: input 0   x     64     64       the caller's  1 use can take a new address at each run
// CHECK: output 0  y     64     0        the caller's  'flow.tensor.clone' can write to a new address at each run
// CHECK: address  bytes  aligned
// CHECK: 0               0        feature map
// CHECK: 0        64     64       zero-copy block of output 0 'y'
// CHECK: 64       64     64       zero-copy block of input 0 'x'
// CHECK: memory 128, zero-copy 128
// CHECK: output 0:
// CHECK:   AllocModelOutTensor(allocator, size, output)
// CHECK:   EnsureTensorAtOutMemory(data, output)
// CHECK:   FreeMemory(data)
module attributes {stream.affinity.default = #hal.device.affinity<@a>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.func public @f(%x: !hal.buffer_view) -> !hal.buffer_view {
    %0 = hal.tensor.import %x "x" : !hal.buffer_view -> tensor<16xf32>
    %1 = hal.tensor.export %0 "y" : tensor<16xf32> -> !hal.buffer_view
    util.return %1 : !hal.buffer_view
  }
}
