// RUN: ROUNDTRIP
// RUN: GENERIC_ROUNDTRIP

// Configurations are read in stock IREE's two unreadable spellings too and printed readably.
// CHECK: builtin.module attributes
module attributes {
  // CHECK-SAME: a = #stream.resource_config<{max_allocation_size = 1073741824, min_buffer_offset_alignment = 16, max_buffer_range = 1024, min_buffer_range_alignment = 8, index_bits = 32, alias_mutable_bindings = false, memory_model = Discrete}>
  a = #stream.resource_config<{max_allocation_size = 1073741824, min_buffer_offset_alignment = 16, max_buffer_range = 1024, min_buffer_range_alignment = 8, index_bits = 32, alias_mutable_bindings = 0, memory_model = Discrete}>,
  // CHECK-SAME: b = #stream.resource_config<{max_allocation_size = 0, min_buffer_offset_alignment = 0, max_buffer_range = 0, min_buffer_range_alignment = 0, index_bits = 32, alias_mutable_bindings = true, memory_model = Unified}>
  b = #stream.resource_config<{alias_mutable_bindings = true, memory_model = Unified}>,
  // CHECK-SAME: c = #stream.partitioning_config<"min-peak-memory">
  c = #stream.partitioning_config<favor-min-peak-memory>,
  // CHECK-SAME: d = #stream.partitioning_config<"debug">
  d = #stream.partitioning_config<"debug">,
  // CHECK-SAME: e = #stream.collective<reduce_scatter with average : bf16>
  e = #stream.collective<reduce_scatter with average : bf16>,
  // CHECK-SAME: f = #stream.timepoint<immediate> : !stream.timepoint
  f = #stream.timepoint<immediate> : !stream.timepoint,
  // CHECK-SAME: g = #stream.parameter.named<"scope"::"key", {length = 4 : i64}> : tensor<1xf32>
  g = #stream.parameter.named<"scope"::"key", {length = 4 : i64}> : tensor<1xf32>,
  // CHECK-SAME: h = #stream.parameter.named<"key"> : i32
  h = #stream.parameter.named<"key"> : i32,
  // CHECK-SAME: i = [!stream.resource<*>, !stream.resource<external>, !stream.resource<staging>, !stream.resource<transient>, !stream.resource<variable>, !stream.resource<constant>, !stream.timepoint, !stream.binding, !stream.channel, !stream.file, !stream.test.fence]
  i = [!stream.resource<*>, !stream.resource<external>, !stream.resource<staging>, !stream.resource<transient>, !stream.resource<variable>, !stream.resource<constant>, !stream.timepoint, !stream.binding, !stream.channel, !stream.file, !stream.test.fence]
} {}
