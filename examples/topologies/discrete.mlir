// Discrete memories: each device has a memory of its own, and others reach it by copy commands
// only, as over a bus without peer access for kernels. Every transfer is a copy. The host maps
// each device's memory to fill inputs and read outputs.
//
// Use: zc-opt --topology=examples/topologies/discrete.mlir … ; a program may have fewer of the devices.
module attributes {
  stream.topology = #hal.device.topology<links = [
    (@device_a -> @device_b = {}, {buffer_read = "copy", buffer_write = "copy"}),
    (@device_a -> @device_c = {}, {buffer_read = "copy", buffer_write = "copy"}),
    (@device_b -> @device_a = {}, {buffer_read = "copy", buffer_write = "copy"}),
    (@device_b -> @device_c = {}, {buffer_read = "copy", buffer_write = "copy"}),
    (@device_c -> @device_a = {}, {buffer_read = "copy", buffer_write = "copy"}),
    (@device_c -> @device_b = {}, {buffer_read = "copy", buffer_write = "copy"}),
    (@device_a -> @device_a = {}, {host_visible = true, cache_line = 64 : i64}),
    (@device_b -> @device_b = {}, {host_visible = true, cache_line = 64 : i64}),
    (@device_c -> @device_c = {}, {host_visible = true, cache_line = 64 : i64})
  ]>,
  zc.host = {cache_line = 64 : i64, write_back = "bytes"}
} {
  util.global private @device_a : !hal.device
  util.global private @device_b : !hal.device
  util.global private @device_c : !hal.device
}
