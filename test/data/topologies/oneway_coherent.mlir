// One-way access as in examples/topologies/oneway.mlir, on memory that hardware keeps coherent: what
// is shared is decided as there, and no cache maintenance is due.
module attributes {
  stream.topology = #hal.device.topology<links = [
    (@device_a -> @device_b = {transparent_access = true}, {coherent = true}),
    (@device_a -> @device_c = {transparent_access = true}, {coherent = true}),
    (@device_b -> @device_a = {}, {coherent = true}),
    (@device_b -> @device_c = {transparent_access = true}, {coherent = true}),
    (@device_c -> @device_a = {}, {coherent = true}),
    (@device_c -> @device_b = {}, {coherent = true}),
    (@device_a -> @device_a = {}, {host_coherent = true, host_visible = true}),
    (@device_b -> @device_b = {}, {host_coherent = true, host_visible = true}),
    (@device_c -> @device_c = {}, {host_coherent = true, host_visible = true})
  ]>,
  zc.host = {cache_line = 64 : i64, write_back = "bytes"}
} {
  util.global private @device_a : !hal.device
  util.global private @device_b : !hal.device
  util.global private @device_c : !hal.device
}
