// RUN: zc-opt --split-input-file %s -p model-plan-io | filecheck %s

// A result goes to the storage of a new argument, and the plan says what the host does for it
// (GE-14, GE-60).
// CHECK: zc.io_plan = {function = "f"
// CHECK-SAME: name = "x", size = 64 : i64, zero_copy = true
// CHECK-SAME: argument = 0 : i64
// CHECK-SAME: name = "y", size = 64 : i64, zero_copy = true
// CHECK-SAME: argument = 1 : i64, shape = array<i64: 16>, element = "f32", steps = [{kind = "AllocModelOutTensor", operands = ["allocator", "size", "output"]}, {kind = "EnsureTensorAtOutMemory"
// CHECK-SAME: {kind = "FreeMemory"
// CHECK: util.func public @f(%x: !hal.buffer_view, %[[OUT:.+]]: !hal.buffer_view) -> !hal.buffer_view
util.func public @f(%x: !hal.buffer_view) -> !hal.buffer_view {
  %0 = hal.tensor.import %x "x" : !hal.buffer_view -> tensor<16xf32>
  // CHECK: %[[MADE:.+]] = flow.dispatch @k
  %1 = flow.dispatch @k(%0) : (tensor<16xf32>) -> tensor<16xf32>
  // CHECK-NEXT: %[[STORED:.+]] = hal.tensor.alias %[[MADE]] : tensor<16xf32> to %[[OUT]] : !hal.buffer_view
  // CHECK-NEXT: hal.tensor.export %[[STORED]] "y"
  %2 = hal.tensor.export %1 "y" : tensor<16xf32> -> !hal.buffer_view
  util.return %2 : !hal.buffer_view
}

// -----

// One result for two outputs takes one storage, and is copied from there (GE-16).
// CHECK: name = "y", size = 64 : i64, reason = "it goes to 2 outputs
// CHECK-SAME: argument = 1 : i64
// CHECK-SAME: name = "z", size = 64 : i64, reason = "it goes to 2 outputs
// CHECK-SAME: argument = 1 : i64
// CHECK: util.func public @twice(%x: !hal.buffer_view, %[[OUT:.+]]: !hal.buffer_view) -> (!hal.buffer_view, !hal.buffer_view)
util.func public @twice(%x: !hal.buffer_view) -> (!hal.buffer_view, !hal.buffer_view) {
  %0 = hal.tensor.import %x "x" : !hal.buffer_view -> tensor<16xf32>
  %1 = flow.dispatch @k(%0) : (tensor<16xf32>) -> tensor<16xf32>
  // CHECK: %[[STORED:.+]] = hal.tensor.alias
  // CHECK-NEXT: hal.tensor.export %[[STORED]] "y"
  // CHECK-NEXT: hal.tensor.export %[[STORED]] "z"
  %2 = hal.tensor.export %1 "y" : tensor<16xf32> -> !hal.buffer_view
  %3 = hal.tensor.export %1 "z" : tensor<16xf32> -> !hal.buffer_view
  util.return %2, %3 : !hal.buffer_view, !hal.buffer_view
}

// -----

// A result that is stored in an argument already gets no other.
// CHECK: argument = 1 : i64, shape = array<i64: 16>, element = "f32", steps
// CHECK: util.func public @stored(%x: !hal.buffer_view, %y: !hal.buffer_view) -> !hal.buffer_view
util.func public @stored(%x: !hal.buffer_view, %y: !hal.buffer_view) -> !hal.buffer_view {
  %0 = hal.tensor.import %x "x" : !hal.buffer_view -> tensor<16xf32>
  %1 = flow.dispatch @k(%0) : (tensor<16xf32>) -> tensor<16xf32>
  // CHECK: hal.tensor.alias
  // CHECK-NOT: hal.tensor.alias
  %2 = hal.tensor.alias %1 : tensor<16xf32> to %y : !hal.buffer_view
  %3 = hal.tensor.export %2 : tensor<16xf32> -> !hal.buffer_view
  util.return %3 : !hal.buffer_view
}

// -----

// An output in the storage of an input is that input's: RefData.
// CHECK: argument = 0 : i64, reference = true, shape = array<i64: 16>, element = "f32"}], outputs
// CHECK-SAME: argument = 0 : i64, reference = true
util.func public @state(%x: !hal.buffer_view) -> !hal.buffer_view {
  %0 = hal.tensor.import consume %x "x" : !hal.buffer_view -> tensor<16xf32>
  %1 = flow.dispatch @k(%0) : (tensor<16xf32>) -> tensor<16xf32>
  %2 = hal.tensor.alias %1 : tensor<16xf32> to %x : !hal.buffer_view
  %3 = hal.tensor.export %2 : tensor<16xf32> -> !hal.buffer_view
  util.return %3 : !hal.buffer_view
}

// -----

// What has no size before it runs has none in the plan.
// CHECK: inputs = [{ordinal = 0 : i64, name = "x", zero_copy = true
util.func public @dynamic(%x: !hal.buffer_view, %n: index) -> !hal.buffer_view {
  %0 = hal.tensor.import %x "x" : !hal.buffer_view -> tensor<?xf32>{%n}
  %1 = flow.dispatch @k(%0) : (tensor<?xf32>{%n}) -> tensor<?xf32>{%n}
  // CHECK: hal.tensor.alias %{{.+}} : tensor<?xf32>{%n} to
  %2 = hal.tensor.export %1 "y" : tensor<?xf32>{%n} -> !hal.buffer_view
  util.return %2 : !hal.buffer_view
}
