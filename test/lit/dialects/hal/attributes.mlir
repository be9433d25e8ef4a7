// RUN: ROUNDTRIP
// RUN: GENERIC_ROUNDTRIP

// Attributes that name devices keep their dialect prefix everywhere (B63), queues and all.
// CHECK: any = #hal.device.affinity<@d>
// CHECK-SAME: some = #hal.device.affinity<@d, [0, 3, 63]>
// CHECK-SAME: later = #hal.device.promise<@d, [1]>
// CHECK-SAME: choice = #hal.device.optimal<[#hal.device.affinity<@d>, #hal.device.promise<@e>]>
"test.affinities"() {
  any = #hal.device.affinity<@d>,
  some = #hal.device.affinity<@d, [63, 3, 0]>,
  later = #hal.device.promise<@d, [1]>,
  choice = #hal.device.optimal<[#hal.device.affinity<@d>, #hal.device.promise<@e>]>
} : () -> ()

// -----

// Device attributes print their type; empty parts of a target are left out.
// CHECK: alias = #hal.device.alias<"x"[2], {flag}> : !hal.device
// CHECK-SAME: plain = #hal.device.target<"local"> : !hal.device
// CHECK-SAME: full = #hal.device.target<"local", {ordinal = 1 : index}, [#hal.executable.target<"vmvx", "fb">]> : !hal.device
// CHECK-SAME: only_targets = #hal.device.target<"local", [#hal.executable.target<"vmvx", "fb", {k = 1 : i32}>]> : !hal.device
// CHECK-SAME: untyped = #hal.device.ordinal<1>
// CHECK-SAME: select = #hal.device.select<[#hal.device.ordinal<0> : !hal.device, #hal.device.fallback<@d> : !hal.device]> : !hal.device
"test.devices"() {
  alias = #hal.device.alias<"x"[2], {flag}>,
  plain = #hal.device.target<"local", {}>,
  full = #hal.device.target<"local", {ordinal = 1 : index}, [#hal.executable.target<"vmvx", "fb">]>,
  only_targets = #hal.device.target<"local", [#hal.executable.target<"vmvx", "fb", {k = 1 : i32}>]>,
  untyped = #hal.device.ordinal<1>,
  select = #hal.device.select<[#hal.device.ordinal<0> : !hal.device, #hal.device.fallback<@d> : !hal.device]> : !hal.device
} : () -> ()

// -----

// Attributes of executables; several flags stand in quotes, one does not.
// CHECK: binding = #hal.pipeline.binding<uniform_buffer>
// CHECK-SAME: layout = #hal.pipeline.layout<constants = 2, bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>
// CHECK-SAME: no_bindings = #hal.pipeline.layout<bindings = []>
// CHECK-SAME: object = #hal.executable.object<{path = "a.o", data = dense<[1, 2]> : vector<2xi8>}>
// CHECK-SAME: objects = #hal.executable.objects<{#hal.executable.target<"llvm-cpu", "a"> = [#hal.executable.object<{path = "a.o"}>]}>
// CHECK-SAME: reduce = #hal.collective<all_reduce with sum : f8E5M2>
// CHECK-SAME: send = #hal.collective<send : bf16>
// CHECK-SAME: convention = #hal.abi.convention<coarse_fences>
"test.executables"() {
  binding = #hal.pipeline.binding<uniform_buffer>,
  layout = #hal.pipeline.layout<constants = 2, bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>,
  no_bindings = #hal.pipeline.layout<bindings = []>,
  object = #hal.executable.object<{path = "a.o", data = dense<[1, 2]> : vector<2xi8>}>,
  objects = #hal.executable.objects<{#hal.executable.target<"llvm-cpu", "a"> = [#hal.executable.object<{path = "a.o"}>]}>,
  reduce = #hal.collective<all_reduce with sum : f8E5M2>,
  send = #hal.collective<send : bf16>,
  convention = #hal.abi.convention<coarse_fences>
} : () -> ()

// -----

// All types of the dialect.
// CHECK: types = [!hal.allocator, !hal.buffer, !hal.buffer_view, !hal.channel, !hal.command_buffer, !hal.device, !hal.event, !hal.executable, !hal.fence, !hal.file, !hal.semaphore]
"test.types"() {
  types = [!hal.allocator, !hal.buffer, !hal.buffer_view, !hal.channel, !hal.command_buffer, !hal.device, !hal.event, !hal.executable, !hal.fence, !hal.file, !hal.semaphore]
} : () -> ()
