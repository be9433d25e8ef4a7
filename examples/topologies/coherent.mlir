// Shared memory, coherent: all devices and the host have one physical memory, and hardware keeps
// their caches coherent, as on a system on chip with a coherent interconnect. Every transfer may
// alias, and no cache maintenance is due.
//
// Use: zc-opt --topology=examples/topologies/coherent.mlir … ; a program may have fewer of the devices.
module attributes {
  stream.topology = #hal.device.topology<links = [
    (@device_a -> @device_b = {unified_memory = true, transparent_access = true}, {coherent = true}),
    (@device_a -> @device_c = {unified_memory = true, transparent_access = true}, {coherent = true}),
    (@device_b -> @device_a = {unified_memory = true, transparent_access = true}, {coherent = true}),
    (@device_b -> @device_c = {unified_memory = true, transparent_access = true}, {coherent = true}),
    (@device_c -> @device_a = {unified_memory = true, transparent_access = true}, {coherent = true}),
    (@device_c -> @device_b = {unified_memory = true, transparent_access = true}, {coherent = true}),
    (@device_a -> @device_a = {}, {host_coherent = true, host_visible = true}),
    (@device_b -> @device_b = {}, {host_coherent = true, host_visible = true}),
    (@device_c -> @device_c = {}, {host_coherent = true, host_visible = true})
  ]>
} {
  util.global private @device_a : !hal.device
  util.global private @device_b : !hal.device
  util.global private @device_c : !hal.device
}
