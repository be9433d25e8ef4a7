// RUN: zc-opt --split-input-file %s -p stream-to-hal | filecheck %s

// Maintenance becomes commands, with a barrier where a command depends on another (IR-16, IR-55);
// buffers are slots of the binding table (IR-57).
// CHECK-LABEL: util.func public @commands
// CHECK: hal.device.memoize
// CHECK: hal.command_buffer.create {{.+}} bindings(%c2)
// CHECK: hal.command_buffer.invalidate_buffer<{{.+}}> target(%c0 : index)[%c0, %c64]
// CHECK-NEXT: hal.command_buffer.execution_barrier<{{.+}}> source(Transfer) target("Dispatch|Transfer")
// CHECK: hal.command_buffer.dispatch
// CHECK: hal.command_buffer.execution_barrier<{{.+}}> source(Dispatch) target("Dispatch|Transfer")
// CHECK-NEXT: hal.command_buffer.flush_buffer<{{.+}}> target(%c1 : index)[%c0, %c64]
// CHECK-NEXT: hal.command_buffer.finalize
// CHECK: hal.device.queue.execute.indirect
// CHECK: hal.fence.await
// CHECK: util.status.check_ok
// CHECK: hal.buffer_view.create
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a = #hal.device.target<"local", [#hal.executable.target<"vmvx", "vmvx-bytecode-fb">]> : !hal.device
  util.global private @b = #hal.device.target<"local", [#hal.executable.target<"vmvx", "vmvx-bytecode-fb">]> : !hal.device
  stream.executable private @ex {
    stream.executable.export public @f
    stream.executable.export public @g
    builtin.module {
      func.func @f(%0: !stream.binding, %1: !stream.binding) {
        func.return
      }
      func.func @g(%0: !stream.binding, %1: !stream.binding) {
        func.return
      }
    }
  }
  util.func public @commands(%x: !hal.buffer_view) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %0 = stream.tensor.import on(#hal.device.affinity<@a>) %x : !hal.buffer_view -> tensor<16xf32> in !stream.resource<external>{%c64}
    %t, %t0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) : !stream.resource<transient>{%c64} => !stream.timepoint
    %1 = stream.cmd.execute on(#hal.device.affinity<@a>) await(%t0) => with(%0 as %i: !stream.resource<external>{%c64}, %t as %o: !stream.resource<transient>{%c64}) {
      stream.cmd.invalidate %i[%c0 for %c64] : !stream.resource<external>{%c64}
      stream.cmd.dispatch @ex::@f {
        ro %i[%c0 for %c64] : !stream.resource<external>{%c64},
        wo %o[%c0 for %c64] : !stream.resource<transient>{%c64}
      }
      stream.cmd.flush to(#hal.device.affinity<@b>) %o[%c0 for %c64] : !stream.resource<transient>{%c64}
    } => !stream.timepoint
    %r, %r0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@b>) await(%1) => !stream.resource<external>{%c64} => !stream.timepoint
    %2 = stream.cmd.execute on(#hal.device.affinity<@b>) await(%r0) => with(%t as %i: !stream.resource<transient>{%c64}, %r as %o: !stream.resource<external>{%c64}) {
      stream.cmd.invalidate from(#hal.device.affinity<@a>) %i[%c0 for %c64] : !stream.resource<transient>{%c64}
      stream.cmd.dispatch @ex::@g {
        ro %i[%c0 for %c64] : !stream.resource<transient>{%c64},
        wo %o[%c0 for %c64] : !stream.resource<external>{%c64}
      }
    } => !stream.timepoint
    %3 = stream.resource.dealloca on(#hal.device.affinity<@a>) await(%2) => %t : !stream.resource<transient>{%c64} => !stream.timepoint
    %4 = stream.timepoint.await %2 => %r : !stream.resource<external>{%c64}
    %5 = stream.tensor.export on(#hal.device.affinity<@b>) %4 : tensor<16xf32> in !stream.resource<external>{%c64} -> !hal.buffer_view
    util.return %5 : !hal.buffer_view
  }
}

// -----

// A region of one copy, without maintenance, is a queue operation (IR-38); whose transfer's it is, is
// kept (IR-21).
module {
  util.global private @a = #hal.device.target<"local", [#hal.executable.target<"vmvx", "vmvx-bytecode-fb">]> : !hal.device
  // CHECK-LABEL: util.func public @one_copy
  util.func public @one_copy(%x: !hal.buffer_view) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %0 = stream.tensor.import on(#hal.device.affinity<@a>) %x : !hal.buffer_view -> tensor<16xf32> in !stream.resource<external>{%c64}
    %t, %t0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) : !stream.resource<transient>{%c64} => !stream.timepoint
    // CHECK: hal.device.queue.copy
    // CHECK-SAME: attributes {stream.transfer_kind = "copy"}
    // CHECK-NOT: hal.command_buffer
    %1 = stream.cmd.execute on(#hal.device.affinity<@a>) await(%t0) => with(%0 as %i: !stream.resource<external>{%c64}, %t as %o: !stream.resource<transient>{%c64}) {
      stream.cmd.copy %i[%c0], %o[%c0], %c64 : !stream.resource<external>{%c64} -> !stream.resource<transient>{%c64} attributes {stream.transfer_kind = "copy"}
    } => !stream.timepoint
    util.return
  }
}

// -----

// A copy with a flush is not: both are commands of one buffer (IR-38, IR-39).
module {
  util.global private @a = #hal.device.target<"local", [#hal.executable.target<"vmvx", "vmvx-bytecode-fb">]> : !hal.device
  // CHECK-LABEL: util.func public @copy_and_flush
  util.func public @copy_and_flush(%x: !hal.buffer_view) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %0 = stream.tensor.import on(#hal.device.affinity<@a>) %x : !hal.buffer_view -> tensor<16xf32> in !stream.resource<external>{%c64}
    %t, %t0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) : !stream.resource<transient>{%c64} => !stream.timepoint
    // CHECK-NOT: hal.device.queue.copy
    // CHECK: hal.command_buffer.copy_buffer
    // CHECK-SAME: attributes {stream.transfer_kind = "copy"}
    // CHECK-NEXT: hal.command_buffer.execution_barrier
    // CHECK-NEXT: hal.command_buffer.flush_buffer
    %1 = stream.cmd.execute on(#hal.device.affinity<@a>) await(%t0) => with(%0 as %i: !stream.resource<external>{%c64}, %t as %o: !stream.resource<transient>{%c64}) {
      stream.cmd.copy %i[%c0], %o[%c0], %c64 : !stream.resource<external>{%c64} -> !stream.resource<transient>{%c64} attributes {stream.transfer_kind = "copy"}
      stream.cmd.flush %o[%c0 for %c64] : !stream.resource<transient>{%c64}
    } => !stream.timepoint
    util.return
  }
}

// -----

// Maintenance alone keeps its submission, its wait and its signal (IR-40).
module {
  util.global private @a = #hal.device.target<"local", [#hal.executable.target<"vmvx", "vmvx-bytecode-fb">]> : !hal.device
  // CHECK-LABEL: util.func public @flush_alone
  util.func public @flush_alone(%x: !hal.buffer_view) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %t, %t0 = stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) : !stream.resource<transient>{%c64} => !stream.timepoint
    // CHECK: hal.command_buffer.flush_buffer
    // CHECK: hal.device.queue.execute.indirect<{{.+}}> affinity({{.+}}) wait({{.+}}) signal({{.+}})
    %1 = stream.cmd.execute on(#hal.device.affinity<@a>) await(%t0) => with(%t as %o: !stream.resource<transient>{%c64}) {
      stream.cmd.flush %o[%c0 for %c64] : !stream.resource<transient>{%c64}
    } => !stream.timepoint
    util.return
  }
}

// -----

// Nothing at stream level: nothing changes.
// CHECK-LABEL: util.func public @host
util.func public @host(%x: index) -> index {
  // CHECK-NEXT: util.return %x : index
  util.return %x : index
}

// -----

// At the top of a module, ops that nobody knows are no functions, and stay.
// CHECK: "test.op"() : () -> ()
"test.op"() : () -> ()
