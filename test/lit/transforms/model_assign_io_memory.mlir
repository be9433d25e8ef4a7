// RUN: zc-opt --split-input-file %s -p model-plan-io,zc-to-stream,model-assign-io-memory | filecheck %s

// The output of 256 bytes comes first, then the input; both arguments are marked (GE-20,
// GE-21, GE-24, GE-25).
// CHECK: feature_map_size = 0 : i64
// CHECK-SAME: blocks = [{name = "half", offset = 0 : i64, size = 256 : i64, aligned_size = 256 : i64
// CHECK-SAME: {name = "x", offset = 256 : i64, size = 512 : i64, aligned_size = 512 : i64, is_input = true
// CHECK-SAME: zc.zero_copy_memory_size = 768 : i64
// CHECK: util.func public @f(%x: !hal.buffer_view {zc.is_zero_copy_block}, %{{.+}}: !hal.buffer_view {zc.is_zero_copy_block})
module attributes {stream.affinity.default = #hal.device.affinity<@a>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.func public @f(%x: !hal.buffer_view) -> !hal.buffer_view {
    %c64 = arith.constant 64 : index
    %0 = hal.tensor.import %x "x" : !hal.buffer_view -> tensor<128xf32>
    %1 = flow.tensor.slice %0[%c64 for %c64] : tensor<128xf32> -> tensor<64xf32>
    %2 = hal.tensor.export %1 "half" : tensor<64xf32> -> !hal.buffer_view
    util.return %2 : !hal.buffer_view
  }
}

// -----

// A model without inputs and outputs has no blocks, and says so.
// CHECK: feature_map_size = 0 : i64
// CHECK-SAME: zc.zero_copy_memory_size = 0 : i64
// CHECK: util.func public @nothing() {
module attributes {stream.affinity.default = #hal.device.affinity<@a>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.func public @nothing() {
    util.return
  }
}
