// RUN: zc-opt --split-input-file %s -p stream-to-hal | filecheck %s
// RUN: zc-opt --split-input-file %s -p stream-to-hal --remarks -o %t 2>&1 | filecheck %s --check-prefix=REMARK

// Commands without a dependence share a step, whatever stands between them in the text: two
// chains of two commands have one barrier, where one after each command would be four (IR-55).
util.global private @a = #hal.device.target<"local", [#hal.executable.target<"vmvx", "vmvx-bytecode-fb">]> : !hal.device
// REMARK: remark: 4 commands recorded with 1 barriers where one after each command would be 4
// CHECK-LABEL: util.func public @chains
util.func public @chains(%r: !stream.resource<transient>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  %0 = stream.cmd.execute on(#hal.device.affinity<@a>) with(%r as %x: !stream.resource<transient>{%c128}) {
    // CHECK: hal.command_buffer.fill_buffer<{{.+}}> target(%c0 : index)[%c0, %c64]
    // CHECK-NEXT: hal.command_buffer.fill_buffer<{{.+}}> target(%c0 : index)[%c64, %c64]
    // CHECK-NEXT: hal.command_buffer.execution_barrier<{{.+}}> source(Transfer) target("Dispatch|Transfer")
    // CHECK-NEXT: hal.command_buffer.flush_buffer<{{.+}}> target(%c0 : index)[%c0, %c64]
    // CHECK-NEXT: hal.command_buffer.flush_buffer<{{.+}}> target(%c0 : index)[%c64, %c64]
    // CHECK-NEXT: hal.command_buffer.finalize
    stream.cmd.fill %one, %x[%c0 for %c64] : i32 -> !stream.resource<transient>{%c128}
    stream.cmd.flush %x[%c0 for %c64] : !stream.resource<transient>{%c128}
    stream.cmd.fill %one, %x[%c64 for %c64] : i32 -> !stream.resource<transient>{%c128}
    stream.cmd.flush %x[%c64 for %c64] : !stream.resource<transient>{%c128}
  } => !stream.timepoint
  util.return
}

// -----

// What drops a line comes after writes elsewhere on the line: the second range starts within it.
util.global private @a = #hal.device.target<"local", [#hal.executable.target<"vmvx", "vmvx-bytecode-fb">]> : !hal.device
// REMARK: remark: 2 commands recorded with 1 barriers
// CHECK-LABEL: util.func public @line
util.func public @line(%v: !hal.buffer_view) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  %r = stream.tensor.import on(#hal.device.affinity<@a>) %v : !hal.buffer_view -> tensor<32xi32> in !stream.resource<external>{%c128}
  %0 = stream.cmd.execute on(#hal.device.affinity<@a>) with(%r as %x: !stream.resource<external>{%c128}) {
    stream.cmd.fill %one, %x[%c0 for %c32] : i32 -> !stream.resource<external>{%c128}
    stream.cmd.invalidate %x[%c32 for %c32] : !stream.resource<external>{%c128}
  } => !stream.timepoint
  util.return
}

// -----

// Two lines of one import are independent.
util.global private @a = #hal.device.target<"local", [#hal.executable.target<"vmvx", "vmvx-bytecode-fb">]> : !hal.device
// REMARK: remark: 2 commands recorded with 0 barriers
// CHECK-LABEL: util.func public @two_lines
util.func public @two_lines(%v: !hal.buffer_view) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  %r = stream.tensor.import on(#hal.device.affinity<@a>) %v : !hal.buffer_view -> tensor<32xi32> in !stream.resource<external>{%c128}
  %0 = stream.cmd.execute on(#hal.device.affinity<@a>) with(%r as %x: !stream.resource<external>{%c128}) {
    stream.cmd.fill %one, %x[%c0 for %c64] : i32 -> !stream.resource<external>{%c128}
    stream.cmd.invalidate %x[%c64 for %c64] : !stream.resource<external>{%c128}
  } => !stream.timepoint
  util.return
}

// -----

// The start of an argument's lines is not known: its second line may hold bytes of the first.
util.global private @a = #hal.device.target<"local", [#hal.executable.target<"vmvx", "vmvx-bytecode-fb">]> : !hal.device
// REMARK: remark: 2 commands recorded with 1 barriers
// CHECK-LABEL: util.func public @unknown_start
util.func public @unknown_start(%r: !stream.resource<external>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  %0 = stream.cmd.execute on(#hal.device.affinity<@a>) with(%r as %x: !stream.resource<external>{%c128}) {
    stream.cmd.fill %one, %x[%c0 for %c64] : i32 -> !stream.resource<external>{%c128}
    stream.cmd.invalidate %x[%c64 for %c64] : !stream.resource<external>{%c128}
  } => !stream.timepoint
  util.return
}

// -----

// Two arguments may be one storage: commands on them are ordered, disjoint ranges or not.
util.global private @a = #hal.device.target<"local", [#hal.executable.target<"vmvx", "vmvx-bytecode-fb">]> : !hal.device
// REMARK: remark: 2 commands recorded with 1 barriers
// CHECK-LABEL: util.func public @same_storage
util.func public @same_storage(%r: !stream.resource<external>, %s: !stream.resource<external>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  %0 = stream.cmd.execute on(#hal.device.affinity<@a>) with(%r as %x: !stream.resource<external>{%c128}, %s as %y: !stream.resource<external>{%c128}) {
    stream.cmd.fill %one, %x[%c0 for %c64] : i32 -> !stream.resource<external>{%c128}
    stream.cmd.fill %one, %y[%c64 for %c64] : i32 -> !stream.resource<external>{%c128}
  } => !stream.timepoint
  util.return
}

// -----

// A region without commands is a barrier of the queue; `once` is recorded for one submission.
util.global private @a = #hal.device.target<"local", [#hal.executable.target<"vmvx", "vmvx-bytecode-fb">]> : !hal.device
// CHECK-LABEL: util.func public @empty_and_once
util.func public @empty_and_once(%r: !stream.resource<external>, %t: !stream.timepoint) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  // CHECK: hal.device.queue.barrier<{{.+}}> affinity({{.+}}) wait(%{{.+}}) signal(%[[F:.+]]) flags("None")
  %0 = stream.cmd.execute on(#hal.device.affinity<@a>) await(%t) => with() {
  } => !stream.timepoint
  // CHECK-NOT: hal.device.memoize
  // CHECK: hal.command_buffer.create {{.+}} mode(OneShot)
  // CHECK: hal.device.queue.execute.indirect<{{.+}}> affinity({{.+}}) wait(%[[F]])
  %1 = stream.cmd.execute once on(#hal.device.affinity<@a>) await(%0) => with(%r as %x: !stream.resource<external>{%c64}) {
    stream.cmd.flush %x[%c0 for %c64] : !stream.resource<external>{%c64}
  } => !stream.timepoint
  util.return
}
