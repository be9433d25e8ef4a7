// RUN: zc-opt --split-input-file %s -p model-plan-io,zc-to-stream,model-assign-io-memory,model-record-io-offsets | filecheck %s

// The half of the input that the copy reads is recorded, and has an id of its own (GE-28, GE-32).
// CHECK: basic_offsets = array<i64: 256>, relative_offsets = array<i64: 256>
// CHECK-SAME: offset_ids = array<i64: 256, 0, 512, 8, 0, 16>
// CHECK: util.func public @f(%x: !hal.buffer_view {zc.is_zero_copy_block, zc.zero_copy_basic_offset = array<i64: 256>, zc.zero_copy_relative_offset = array<i64: 256>}, %{{.+}}: !hal.buffer_view {zc.is_zero_copy_block})
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

// What is used as a whole has no parts.
// CHECK-NOT: basic_offsets
// CHECK: util.func public @whole(%x: !hal.buffer_view {zc.is_zero_copy_block}, %{{.+}}: !hal.buffer_view {zc.is_zero_copy_block})
module attributes {stream.affinity.default = #hal.device.affinity<@a>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.func public @whole(%x: !hal.buffer_view) -> !hal.buffer_view {
    %0 = hal.tensor.import %x "x" : !hal.buffer_view -> tensor<128xf32>
    %1 = hal.tensor.export %0 "y" : tensor<128xf32> -> !hal.buffer_view
    util.return %1 : !hal.buffer_view
  }
}
