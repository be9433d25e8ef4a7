// RUN: zc-opt %s -p stream-to-hal | filecheck %s

// Parameters are loaded into new buffers, and ranges of buffers gathered from them and scattered to
// them; a read is a gather of one range, a write a scatter. A view's offset is added.
util.global private @a = #hal.device.target<"local", [#hal.executable.target<"vmvx", "vmvx-bytecode-fb">]> : !hal.device
// CHECK-LABEL: util.func public @parameters
util.func public @parameters(%offset: i64) {
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %scope = util.buffer.constant : !util.buffer = "scope"
  %key = util.buffer.constant : !util.buffer = "key"
  // CHECK: %[[TYPES:.+]], %[[USAGE:.+]] = hal.allocator.resolve_memory_properties for(#hal.device.affinity<@a>) lifetime(constant)
  // CHECK: %[[LOADED:.+]] = hal.fence.create
  // CHECK: %[[FIRST:.+]], %[[SECOND:.+]] = io_parameters.load<%{{.+}} : !hal.device> affinity(%{{.+}}) wait(%{{.+}}) signal(%[[LOADED]]) type(%[[TYPES]]) usage(%[[USAGE]]) {
  // CHECK-NEXT: %scope::%key[%offset] : !hal.buffer{%c64},
  // CHECK-NEXT: %scope::%key[%offset] : !hal.buffer{%c32}
  // CHECK-NEXT: }
  %first, %second, %loaded = stream.cmd.parameter.load on(#hal.device.affinity<@a>) {
    %scope::%key[%offset] : !stream.resource<constant>{%c64},
    %scope::%key[%offset] : !stream.resource<constant>{%c32}
  } => !stream.timepoint
  %view = stream.resource.subview %first[%c16] : !stream.resource<constant>{%c64} -> !stream.resource<constant>{%c32}
  // CHECK: io_parameters.gather<{{.+}}> affinity(%{{.+}}) wait(%[[LOADED]]) signal(%[[READ:.+]]) {
  // CHECK-NEXT: %scope::%key[%offset] -> %[[FIRST]][%c32 for %c16] : !hal.buffer
  %read = stream.cmd.parameter.read on(#hal.device.affinity<@a>) await(%loaded) => %scope::%key[%offset] -> %view[%c16 for %c16] : !stream.resource<constant>{%c32} => !stream.timepoint
  // CHECK: io_parameters.gather<{{.+}}> affinity(%{{.+}}) wait(%[[READ]]) signal(%[[GATHERED:.+]]) {
  // CHECK-NEXT: %key[%offset] -> %[[SECOND]][%c16 for %c16] : !hal.buffer,
  // CHECK-NEXT: %key[%offset] -> %[[SECOND]][%{{.+}} for %c16] : !hal.buffer
  %c0 = arith.constant 0 : index
  %gathered = stream.cmd.parameter.gather on(#hal.device.affinity<@a>) await(%read) => {
    %key[%offset] -> %second[%c16 for %c16] : !stream.resource<constant>{%c32},
    %key[%offset] -> %second[%c0 for %c16] : !stream.resource<constant>{%c32}
  } => !stream.timepoint
  // CHECK: io_parameters.scatter<{{.+}}> affinity(%{{.+}}) wait(%[[GATHERED]]) signal(%[[WRITTEN:.+]]) {
  // CHECK-NEXT: %[[SECOND]][%{{.+}} for %c32] : !hal.buffer -> %scope::%key[%offset]
  %written = stream.cmd.parameter.write on(#hal.device.affinity<@a>) await(%gathered) => %second[%c0 for %c32] : !stream.resource<constant>{%c32} -> %scope::%key[%offset] => !stream.timepoint
  // CHECK: io_parameters.scatter<{{.+}}> affinity(%{{.+}}) wait(%[[WRITTEN]]) signal(%{{.+}}) {
  // CHECK-NEXT: %[[FIRST]][%c16 for %c16] : !hal.buffer -> %scope::%key[%offset]
  %scattered = stream.cmd.parameter.scatter on(#hal.device.affinity<@a>) await(%written) => {
    %view[%c0 for %c16] : !stream.resource<constant>{%c32} -> %scope::%key[%offset]
  } => !stream.timepoint
  util.return
}
