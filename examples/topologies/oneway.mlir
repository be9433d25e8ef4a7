// One-way access: an earlier device reaches the memory of a later one in place (a reaches b's and
// c's, b reaches c's), never the other way round, as where a processor maps an accelerator's
// memory and the accelerator sees only its own. Nothing is coherent. Storage that two devices
// share lies in the later one's memory, whichever way the transfer goes.
//
// Use: zc-opt --topology=examples/topologies/oneway.mlir … ; a program may have fewer of the devices.
module attributes {
  stream.topology = #hal.device.topology<links = [
    (@device_a -> @device_b = {transparent_access = true}),
    (@device_a -> @device_c = {transparent_access = true}),
    (@device_b -> @device_a = {}),
    (@device_b -> @device_c = {transparent_access = true}),
    (@device_c -> @device_a = {}),
    (@device_c -> @device_b = {}),
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
