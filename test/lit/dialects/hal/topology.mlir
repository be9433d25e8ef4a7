// RUN: ROUNDTRIP
// RUN: GENERIC_ROUNDTRIP

// Links keep both dictionaries, ours too, and links to self; flags that are false are left out.
// CHECK: #hal.device.topology<links = [
// CHECK-SAME: (@a -> @b = {unified_memory = true, transparent_access = true}, {coherent = true, bandwidth_gbps = 1.600000e+01 : f64, buffer_read = "import"}),
// CHECK-SAME: (@b -> @a = {}, {coherent = true}),
// CHECK-SAME: (@a -> @c = {}),
// CHECK-SAME: (@a -> @a = {}, {cache_line = 128 : i64, write_back = "line", maintenance = "split", vendor_key}),
// CHECK-SAME: (@b -> @b = {}, {cache_line = 128 : i64, write_back = "line"}),
// CHECK-SAME: (@c -> @c = {}, {})]>
module attributes {
  stream.topology = #hal.device.topology<links = [
    (@a -> @b = {transparent_access = true, unified_memory = true}, {coherent = true, bandwidth_gbps = 16.0 : f64, buffer_read = "import"}),
    (@b -> @a = {transparent_access = false}, {coherent = true}),
    (@a -> @c = {}),
    (@a -> @a = {}, {cache_line = 128 : i64, write_back = "line", maintenance = "split", vendor_key}),
    (@b -> @b = {}, {cache_line = 128 : i64, write_back = "line"}),
    (@c -> @c = {}, {})
  ]>
} {
  util.global private @a : !hal.device
  util.global private @b : !hal.device
  util.global private @c : !hal.device
}
