// Shared memory, not coherent: all devices and the host have one physical memory, but each has a
// write-back cache of its own with lines of 64 bytes that nothing keeps coherent, as on many
// embedded systems with accelerators. Every transfer may alias; a handoff is a flush by who wrote
// and an invalidate by who reads.
//
// Use: zc-opt --topology=examples/topologies/noncoherent.mlir … ; a program may have fewer of the devices.
module attributes {
  stream.topology = #hal.device.topology<links = [
    (@device_a -> @device_b = {unified_memory = true, transparent_access = true}, {coherent = false}),
    (@device_a -> @device_c = {unified_memory = true, transparent_access = true}, {coherent = false}),
    (@device_b -> @device_a = {unified_memory = true, transparent_access = true}, {coherent = false}),
    (@device_b -> @device_c = {unified_memory = true, transparent_access = true}, {coherent = false}),
    (@device_c -> @device_a = {unified_memory = true, transparent_access = true}, {coherent = false}),
    (@device_c -> @device_b = {unified_memory = true, transparent_access = true}, {coherent = false}),
    (@device_a -> @device_a = {}, {host_coherent = false, host_visible = true, cache_line = 64 : i64, write_back = "bytes"}),
    (@device_b -> @device_b = {}, {host_coherent = false, host_visible = true, cache_line = 64 : i64, write_back = "bytes"}),
    (@device_c -> @device_c = {}, {host_coherent = false, host_visible = true, cache_line = 64 : i64, write_back = "bytes"})
  ]>,
  zc.host = {cache_line = 64 : i64, write_back = "bytes"}
} {
  util.global private @device_a : !hal.device
  util.global private @device_b : !hal.device
  util.global private @device_c : !hal.device
}
