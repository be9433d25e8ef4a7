// Every message of the dialect's verifiers, each after the op or attribute at fault.

// RUN: INVALID

// Affinities.
// CHECK: [[# @LINE + 1]]:{{.*}}: error: expected a queue in 0..63, got 64
"test.op"() {a = #hal.device.affinity<@d, [64]>} : () -> ()

// -----

// CHECK: [[# @LINE + 1]]:{{.*}}: error: expected at least one device affinity, got none
"test.op"() {a = #hal.device.optimal<[]>} : () -> ()

// -----

// CHECK: [[# @LINE + 1]]:{{.*}}: error: expected #hal.device.affinity or #hal.device.promise, got 1 : i32
"test.op"() {a = #hal.device.optimal<[1 : i32]>} : () -> ()

// -----

// CHECK: [[# @LINE + 1]]:{{.*}}: error: expected at least one device to select from, got none
"test.op"() {a = #hal.device.select<[]> : !hal.device} : () -> ()

// -----

// CHECK: [[# @LINE + 1]]:{{.*}}: error: expected a device attribute to select, got #hal.device.affinity<@d>
"test.op"() {a = #hal.device.select<[#hal.device.affinity<@d>]> : !hal.device} : () -> ()

// -----

// Topologies: the message names the links.
// CHECK: [[# @LINE + 1]]:{{.*}}: error: expected at least one link, got none; drop the topology instead
"test.op"() {a = #hal.device.topology<links = []>} : () -> ()

// -----

// CHECK: [[# @LINE + 1]]:{{.*}}: error: expected one of unified_memory, transparent_access, each once, got 'coherent'
"test.op"() {a = #hal.device.topology<links = [(@a -> @b = {coherent = true})]>} : () -> ()

// -----

// CHECK: [[# @LINE + 1]]:{{.*}}: error: expected one of unified_memory, transparent_access, each once, got 'unified_memory'
"test.op"() {a = #hal.device.topology<links = [(@a -> @b = {unified_memory = true, unified_memory = true})]>} : () -> ()

// -----

// CHECK: [[# @LINE + 1]]:{{.*}}: error: link (@a -> @b): expected true or false for 'coherent', got 1 : i32
"test.op"() {a = #hal.device.topology<links = [(@a -> @b = {}, {coherent = 1 : i32})]>} : () -> ()

// -----

// CHECK: [[# @LINE + 1]]:{{.*}}: error: link (@a -> @b): expected one of "native", "import", "copy", "none" for 'buffer_read', got "map"
"test.op"() {a = #hal.device.topology<links = [(@a -> @b = {}, {buffer_read = "map"})]>} : () -> ()

// -----

// CHECK: [[# @LINE + 1]]:{{.*}}: error: link (@a -> @b): expected a positive number (10^9 bytes per second) for 'bandwidth_gbps', got 0 : i64
"test.op"() {a = #hal.device.topology<links = [(@a -> @b = {}, {bandwidth_gbps = 0 : i64})]>} : () -> ()

// -----

// CHECK: [[# @LINE + 1]]:{{.*}}: error: link (@a -> @b): expected a number of nanoseconds from 0 for 'latency_ns', got "1"
"test.op"() {a = #hal.device.topology<links = [(@a -> @b = {}, {latency_ns = "1"})]>} : () -> ()

// -----

// CHECK: [[# @LINE + 1]]:{{.*}}: error: link (@a -> @a): expected a power of two in 1..4096 (bytes) for 'cache_line', got 96 : i64
"test.op"() {a = #hal.device.topology<links = [(@a -> @a = {}, {cache_line = 96 : i64})]>} : () -> ()

// -----

// CHECK: [[# @LINE + 1]]:{{.*}}: error: link (@a -> @a): expected one of "bytes", "line" for 'write_back', got "page"
"test.op"() {a = #hal.device.topology<links = [(@a -> @a = {}, {write_back = "page"})]>} : () -> ()

// -----

// CHECK: [[# @LINE + 1]]:{{.*}}: error: link (@a -> @a): expected one of "queue", "host", "split" for 'maintenance', got "never"
"test.op"() {a = #hal.device.topology<links = [(@a -> @a = {}, {maintenance = "never"})]>} : () -> ()

// -----

// CHECK: [[# @LINE + 1]]:{{.*}}: error: link (@a -> @a): expected a positive integer (bytes: the device reaches addresses below it) for 'address_reach', got 0 : i64
"test.op"() {a = #hal.device.topology<links = [(@a -> @a = {}, {address_reach = 0 : i64})]>} : () -> ()

// -----

// CHECK: [[# @LINE + 1]]:{{.*}}: error: link (@a -> @b): 'cache_line' describes one device; put it on the device's self-link
"test.op"() {a = #hal.device.topology<links = [(@a -> @b = {}, {cache_line = 64 : i64})]>} : () -> ()

// -----

// CHECK: [[# @LINE + 1]]:{{.*}}: error: link (@a -> @a): 'coherent' describes two devices; put it on a link to another device
"test.op"() {a = #hal.device.topology<links = [(@a -> @a = {}, {coherent = true})]>} : () -> ()

// -----

// CHECK: [[# @LINE + 1]]:{{.*}}: error: duplicate link (@a -> @b); merge its properties into one
"test.op"() {a = #hal.device.topology<links = [(@a -> @b = {}), (@a -> @b = {unified_memory = true})]>} : () -> ()

// -----

// CHECK: [[# @LINE + 1]]:{{.*}}: error: link (@a -> @b) says coherent = true but (@b -> @a) does not; say it on both
"test.op"() {a = #hal.device.topology<links = [(@a -> @b = {}, {coherent = true})]>} : () -> ()

// -----

// CHECK: [[# @LINE + 1]]:{{.*}}: error: link (@a -> @b) says coherent = false, but both are coherent through @a - host - @b
"test.op"() {a = #hal.device.topology<links = [(@a -> @b = {}, {coherent = false}), (@a -> @a = {}, {host_coherent = true}), (@b -> @b = {}, {host_coherent = true})]>} : () -> ()

// -----

// CHECK: [[# @LINE + 1]]:{{.*}}: error: @a and @b are in one coherence domain but have cache_line 32 and 64; they share one cache: give them one value
"test.op"() {a = #hal.device.topology<links = [(@a -> @b = {}, {coherent = true}), (@b -> @a = {}, {coherent = true}), (@a -> @a = {}, {cache_line = 32 : i64})]>} : () -> ()

// -----

// CHECK: [[# @LINE + 1]]:{{.*}}: error: link (@a -> @c) asks for copies, but both share one pool through unified_memory: @a - @b - @c
"test.op"() {a = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @c = {unified_memory = true}), (@a -> @c = {}, {buffer_write = "none"})]>} : () -> ()

// -----

// The module's devices and host are what its topology is checked against.
// CHECK: [[# @LINE + 1]]:1: error: 'builtin.module' op link (@a -> @x) names the unknown device @x; the module declares @a, @b
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @x = {})]>} {
  util.global private @a : !hal.device
  util.global private @b : !hal.device
}

// -----

// CHECK: [[# @LINE + 1]]:1: error: 'builtin.module' op expected #hal.device.topology for stream.topology, got true
module attributes {stream.topology = true} {}

// -----

// CHECK: [[# @LINE + 1]]:1: error: 'builtin.module' op expected zc.host = {cache_line = …, write_back = …}, got 64 : i64
module attributes {zc.host = 64 : i64} {}

// -----

// CHECK: [[# @LINE + 1]]:1: error: 'builtin.module' op expected cache_line and write_back in zc.host, got 'lines'
module attributes {zc.host = {lines = 64 : i64}} {}

// -----

// CHECK: [[# @LINE + 1]]:1: error: 'builtin.module' op expected a power of two in 1..4096 (bytes) for zc.host 'cache_line', got 0 : i64
module attributes {zc.host = {cache_line = 0 : i64}} {}

// -----

// CHECK: [[# @LINE + 1]]:1: error: 'builtin.module' op expected "bytes" or "line" for zc.host 'write_back', got "all"
module attributes {zc.host = {write_back = "all"}} {}

// -----

// CHECK: [[# @LINE + 1]]:1: error: 'builtin.module' op zc.host and @a are in one coherence domain but have cache_line 64 and 128; they share one cache: give them one value
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @a = {}, {host_coherent = true, cache_line = 128 : i64})]>} {}

// -----

// Enumerations: unknown names, unknown numbers, another width.
// CHECK: [[# @LINE + 2]]:{{.*}}: error: expected one of None, Transfer, Dispatch, got 'Compute'
util.func public @name(%device: !hal.device, %queue: i64) {
  %cmd = hal.command_buffer.create device(%device : !hal.device) mode("None") categories("Transfer|Compute") affinity(%queue) : !hal.command_buffer
  util.return
}

// -----

util.func public @bits(%cmd: !hal.command_buffer) {
  // CHECK: [[# @LINE + 1]]:3: error: 'hal.command_buffer.execution_barrier' op expected bits of ExecutionStage within 0x3f, got 64
  "hal.command_buffer.execution_barrier"(%cmd) <{flags = 0 : i64, source_stage_mask = 64 : i32, target_stage_mask = 1 : i32}> : (!hal.command_buffer) -> ()
  util.return
}

// -----

util.func public @width(%cmd: !hal.command_buffer) {
  // CHECK: [[# @LINE + 1]]:3: error: 'hal.command_buffer.execution_barrier' op expected a ExecutionStage of type i32, got 1 : i64
  "hal.command_buffer.execution_barrier"(%cmd) <{flags = 0 : i64, source_stage_mask = 1 : i64, target_stage_mask = 1 : i32}> : (!hal.command_buffer) -> ()
  util.return
}

// -----

util.func public @lifetime() {
  // CHECK: [[# @LINE + 1]]:{{.*}}: error: 'hal.allocator.resolve_memory_properties' op expected a Lifetime: 0 (*), 1 (external), 2 (staging), 3 (transient), 4 (variable), 5 (constant), got 9
  %0:2 = "hal.allocator.resolve_memory_properties"() <{lifetime = 9 : i32}> : () -> (i32, i32)
  util.return
}

// -----

// CHECK: [[# @LINE + 1]]:{{.*}}: error: expected a number of constants, got -1
"test.op"() {a = #hal.pipeline.layout<constants = -1, bindings = []>} : () -> ()

// -----

// CHECK: [[# @LINE + 1]]:{{.*}}: error: expected #hal.executable.target as key, got 1 : i32
"test.op"() {a = #hal.executable.objects<{1 : i32 = []}>} : () -> ()

// -----

// CHECK: [[# @LINE + 1]]:{{.*}}: error: expected an array of objects, got 1 : i32
"test.op"() {a = #hal.executable.objects<{#hal.executable.target<"a", "b"> = 1 : i32}>} : () -> ()

// -----

// Boundary ops: dimensions, encodings and devices.
util.func public @dims(%view: !hal.buffer_view, %n: index) {
  // CHECK: [[# @LINE + 1]]:{{.*}}: error: 'hal.tensor.import' op expected a value for each of 1 dynamic dimensions of the target, got 2
  %0 = hal.tensor.import %view : !hal.buffer_view -> tensor<?x2xf32>{%n, %n}
  util.return
}

// -----

util.func public @encoding(%t: tensor<4xf32>) {
  // CHECK: [[# @LINE + 1]]:{{.*}}: error: 'hal.tensor.export' op expected encoding and storage with equally many dynamic dimensions, got tensor<?xf32> as tensor<4xf32>
  %0 = hal.tensor.export %t : tensor<?xf32> as tensor<4xf32> -> !hal.buffer_view
  util.return
}

// -----

util.global private @a : !hal.device
// An unknown device is refused at the op that names it (B47).
util.func public @device(%view: !hal.buffer_view) {
  // CHECK: [[# @LINE + 1]]:{{.*}}: error: 'hal.tensor.import' op expected a device that a util.global declares, got @nowhere; declare it or use #hal.device.promise
  %0 = hal.tensor.import on(#hal.device.affinity<@nowhere>) %view : !hal.buffer_view -> tensor<4xf32>
  util.return
}

// -----

util.func public @storage(%t: tensor<4xf32>, %fence: !hal.fence) {
  // CHECK: [[# @LINE + 1]]:{{.*}}: error: expected one of !hal.buffer, !hal.buffer_view, got !hal.fence
  %0 = hal.tensor.alias %t : tensor<4xf32> to %fence : !hal.fence
  util.return
}

// -----

util.func public @element_type() {
  // CHECK: [[# @LINE + 1]]:{{.*}}: error: 'hal.element_type' op expected an integer, float or complex element type, got index
  %0 = hal.element_type<index> : i32
  util.return
}

// -----

util.func public @encoding_type() {
  // CHECK: [[# @LINE + 1]]:{{.*}}: error: 'hal.encoding_type' op expected no encoding (dense_row_major), got "x"
  %0 = hal.encoding_type<"x"> : i32
  util.return
}

// -----

util.func public @dim(%view: !hal.buffer_view) {
  // CHECK: [[# @LINE + 1]]:{{.*}}: error: 'hal.buffer_view.dim' op expected a dimension from 0, got -1
  %0 = hal.buffer_view.dim<%view : !hal.buffer_view>[-1] : index
  util.return
}

// -----

util.func public @select(%bits: i32) {
  // CHECK: [[# @LINE + 1]]:{{.*}}: error: 'hal.allocator.select' op expected at least one device to select from, got none
  %0:2 = "hal.allocator.select"(%bits, %bits) : (i32, i32) -> (!hal.device, i64)
  util.return
}

// -----

util.func public @default(%device: !hal.device) {
  // CHECK: [[# @LINE + 1]]:{{.*}}: error: 'hal.device.query' op expected a default of type i32, got 1 : i64
  %ok, %value = hal.device.query<%device : !hal.device> key("a" :: "b") : i1, i32 = 1 : i64
  util.return
}

// -----

util.func public @resolve() {
  // CHECK: [[# @LINE + 1]]:{{.*}}: error: expected one of !hal.device, !hal.allocator, i64, got i32
  %0 = hal.device.resolve : i32
  util.return
}

// -----

util.func public @memoize(%device: !hal.device, %queue: i64) {
  // CHECK: [[# @LINE + 1]]:{{.*}}: error: 'hal.device.memoize' op expected the memoized region to return (i32), got (i64)
  %0 = hal.device.memoize<%device : !hal.device> affinity(%queue) -> i32 {
    %c0 = arith.constant 0 : i64
    hal.return %c0 : i64
  }
  util.return
}
