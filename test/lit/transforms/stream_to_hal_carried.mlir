// RUN: zc-opt --split-input-file %s -p stream-to-hal | filecheck %s

// Blocks carry buffers and fences; a view becomes a buffer of its own where it is carried.
util.global private @a = #hal.device.target<"local", [#hal.executable.target<"vmvx", "vmvx-bytecode-fb">]> : !hal.device
// CHECK-LABEL: util.func public @blocks
// CHECK-SAME: (%{{.+}}: !hal.buffer, %{{.+}}: !hal.fence, %{{.+}}: i1) -> (!hal.buffer, !hal.fence)
util.func public @blocks(%r: !stream.resource<transient>, %t: !stream.timepoint, %c: i1) -> (!stream.resource<transient>, !stream.timepoint) {
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  // CHECK: %[[VIEW:.+]] = hal.buffer.subspan<%{{.+}} : !hal.buffer>[%c32, %c16] : !hal.buffer
  // CHECK: cf.cond_br %{{.+}}, ^{{.+}}(%[[VIEW]], %{{.+}} : !hal.buffer, !hal.fence), ^{{.+}}(%{{.+}}, %{{.+}} : !hal.buffer, !hal.fence)
  %v = stream.resource.subview %r[%c32] : !stream.resource<transient>{%c64} -> !stream.resource<transient>{%c16}
  cf.cond_br %c, ^bb1(%v, %t : !stream.resource<transient>, !stream.timepoint), ^bb1(%r, %t : !stream.resource<transient>, !stream.timepoint)
// CHECK: ^{{.+}}(%{{.+}}: !hal.buffer, %{{.+}}: !hal.fence):
^bb1(%x: !stream.resource<transient>, %xt: !stream.timepoint):
  // CHECK-NEXT: util.return %{{.+}}, %{{.+}} : !hal.buffer, !hal.fence
  util.return %x, %xt : !stream.resource<transient>, !stream.timepoint
}

// -----

// So do loops, conditions, selects and calls.
util.func private @g(%r: !stream.resource<transient>) -> !stream.resource<transient>
// CHECK: util.func private @g(%{{.+}}: !hal.buffer) -> !hal.buffer
// CHECK-LABEL: util.func public @loops
util.func public @loops(%r: !stream.resource<transient>, %s: !stream.resource<transient>, %c: i1) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[NULL:.+]] = util.null : !hal.fence
  %now = stream.timepoint.immediate => !stream.timepoint
  // CHECK: scf.for {{.+}} iter_args(%{{.+}} = %{{.+}}, %{{.+}} = %[[NULL]]) -> (!hal.buffer, !hal.fence)
  %0:2 = scf.for %i = %c0 to %c1 step %c1 iter_args(%x = %r, %t = %now) -> (!stream.resource<transient>, !stream.timepoint) {
    // CHECK: util.call @g(%{{.+}}) : (!hal.buffer) -> !hal.buffer
    %1 = util.call @g(%x) : (!stream.resource<transient>) -> !stream.resource<transient>
    // CHECK: scf.yield %{{.+}}, %{{.+}} : !hal.buffer, !hal.fence
    scf.yield %1, %t : !stream.resource<transient>, !stream.timepoint
  }
  // CHECK: arith.select %{{.+}}, %{{.+}}, %{{.+}} : !hal.buffer
  %2 = arith.select %c, %0#0, %s : !stream.resource<transient>
  // CHECK: scf.if %{{.+}} -> (!hal.fence)
  %3 = scf.if %c -> (!stream.timepoint) {
    scf.yield %0#1 : !stream.timepoint
  } else {
    scf.yield %now : !stream.timepoint
  }
  // CHECK: util.return %{{.+}} : !hal.fence
  util.return %3 : !stream.timepoint
}

// -----

// Globals hold buffers and fences; a fence without a value is reached.
// CHECK: util.global private mutable @r : !hal.buffer
util.global private mutable @r : !stream.resource<variable>
// CHECK: util.global private mutable @t : !hal.fence
util.global private mutable @t = #stream.timepoint<immediate> : !stream.timepoint
// CHECK-LABEL: util.func public @globals
util.func public @globals(%t: !stream.timepoint) -> !stream.resource<variable> {
  // CHECK: util.global.store %{{.+}}, @t : !hal.fence
  util.global.store %t, @t : !stream.timepoint
  // CHECK: %[[R:.+]] = util.global.load @r : !hal.buffer
  %0 = util.global.load @r : !stream.resource<variable>
  // CHECK: util.return %[[R]] : !hal.buffer
  util.return %0 : !stream.resource<variable>
}

// -----

// Ownership, sizes and elements (IR-48); offsets of views add up.
// CHECK-LABEL: util.func public @storage
util.func public @storage(%r: !stream.resource<staging>) -> (i1, i1, index, i32) {
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  // CHECK: hal.buffer.allocation.preserve<%{{.+}} : !hal.buffer>
  stream.resource.retain %r : !stream.resource<staging>{%c64}
  // CHECK: %[[LAST:.+]] = hal.buffer.allocation.discard<%{{.+}} : !hal.buffer> : i1
  %0 = stream.resource.release %r : !stream.resource<staging>{%c64}
  // CHECK: %[[ONE:.+]] = hal.buffer.allocation.is_terminal<%{{.+}} : !hal.buffer> : i1
  %1 = stream.resource.is_terminal %r : !stream.resource<staging>{%c64}
  // CHECK: %[[SIZE:.+]] = hal.buffer.length<%{{.+}} : !hal.buffer> : index
  %2 = stream.resource.size %r : !stream.resource<staging>
  %v = stream.resource.subview %r[%c8] : !stream.resource<staging>{%c64} -> !stream.resource<staging>{%c16}
  // CHECK: %[[X:.+]] = hal.buffer.load<%{{.+}} : !hal.buffer>[%c12] : i32
  %3 = stream.resource.load %v[%c4] : !stream.resource<staging>{%c16} -> i32
  // CHECK: hal.buffer.store<%{{.+}} : !hal.buffer>[%c8] value(%[[X]] : i32)
  %c0 = arith.constant 0 : index
  stream.resource.store %3, %v[%c0] : i32 -> !stream.resource<staging>{%c16}
  // CHECK: util.return %[[LAST]], %[[ONE]], %[[SIZE]], %[[X]] : i1, i1, index, i32
  util.return %0, %1, %2, %3 : i1, i1, index, i32
}

// -----

// Host memory becomes buffers by import, files are read and written by the queue.
util.global private @a = #hal.device.target<"local", [#hal.executable.target<"vmvx", "vmvx-bytecode-fb">]> : !hal.device
// CHECK-LABEL: util.func public @host_memory
util.func public @host_memory(%b: !util.buffer, %r: !stream.resource<variable>, %t: !stream.timepoint) -> (i1, !stream.timepoint) {
  %none = arith.constant 0 : i64
  %c16 = arith.constant 16 : index
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  // CHECK: hal.memory_type<"DeviceVisible|DeviceLocal"> : i32
  // CHECK: hal.buffer_usage<"{{.+}}DispatchStorage|SharingImmutable"> : i32
  // CHECK: %[[DID:.+]], %{{.+}} = hal.allocator.import<%{{.+}} : !hal.allocator> source(%{{.+}} : !util.buffer)[%c0, %c8]
  %0, %1 = stream.resource.try_map on(#hal.device.affinity<@a>) %b[%c0] : !util.buffer -> i1, !stream.resource<constant>{%c8}
  // CHECK: %[[BYTES:.+]] = util.buffer.constant : !util.buffer = dense<3> : tensor<2xi32>
  // CHECK: %[[MAPPED:.+]], %{{.+}} = hal.allocator.import<%{{.+}}> source(%[[BYTES]] : !util.buffer)[%c0, %c8]
  // CHECK: %[[STATUS:.+]] = arith.select %[[MAPPED]]
  // CHECK: util.status.check_ok %[[STATUS]], "the device cannot map constants of the program"
  %2, %3 = stream.resource.constants on(#hal.device.affinity<@a>) :
    !stream.resource<constant>{%c8} = dense<3> : tensor<2xi32>
    => !stream.timepoint
  // CHECK: %[[FILE:.+]] = hal.ex.file.from_memory device(%{{.+}} : !hal.device) affinity(%{{.+}}) access(Read) buffer(%{{.+}} : !util.buffer)[%c0 for %c8]
  %f = stream.file.constant on(#hal.device.affinity<@a>) %b[%c0 for %c8] : !util.buffer{%c8} -> !stream.file
  // CHECK: hal.device.queue.read<{{.+}}> affinity({{.+}}) wait(%{{.+}}) signal(%[[READ:.+]]) source(%[[FILE]] : !hal.file)[%{{.+}}] target(%{{.+}} : !hal.buffer)[%c8] length(%c8)
  %4 = stream.file.read on(#hal.device.affinity<@a>) await(%t) => %f[%none], %r[%c8], %c8 : !stream.file -> !stream.resource<variable>{%c16} => !stream.timepoint
  // CHECK: hal.device.queue.write<{{.+}}> affinity({{.+}}) wait(%[[READ]]) signal(%[[WRITTEN:.+]]) source(%{{.+}} : !hal.buffer)[%c0] target(%[[FILE]] : !hal.file)[%{{.+}}] length(%c8)
  %5 = stream.file.write on(#hal.device.affinity<@a>) await(%4) => %r[%c0], %f[%none], %c8 : !stream.resource<variable>{%c16} -> !stream.file => !stream.timepoint
  // CHECK: util.return %[[DID]], %[[WRITTEN]] : i1, !hal.fence
  util.return %0, %5 : i1, !stream.timepoint
}

// -----

// The caller's fences are waited for and signaled.
util.global private @a = #hal.device.target<"local", [#hal.executable.target<"vmvx", "vmvx-bytecode-fb">]> : !hal.device
// CHECK-LABEL: util.func public @fences(%{{.+}}: !hal.fence, %{{.+}}: !hal.fence) -> !hal.fence
util.func public @fences(%wait: !hal.fence, %signal: !hal.fence) -> !hal.fence {
  %0 = stream.timepoint.import on(#hal.device.affinity<@a>) %wait : (!hal.fence) => !stream.timepoint
  // CHECK: hal.device.queue.barrier<{{.+}}> affinity({{.+}}) wait(%wait) signal(%signal) flags("None")
  stream.timepoint.chain_external on(#hal.device.affinity<@a>) %0 => (%signal : !hal.fence)
  %1 = stream.timepoint.export on(#hal.device.affinity<@a>) %0 => (!hal.fence)
  // CHECK: util.return %wait : !hal.fence
  util.return %1 : !hal.fence
}

// -----

// A function of commands takes the command buffer, and slot, buffer, offset and length for a range.
util.global private @a = #hal.device.target<"local", [#hal.executable.target<"vmvx", "vmvx-bytecode-fb">]> : !hal.device
// CHECK: util.func private @record(%{{.+}}: !hal.command_buffer, %{{.+}}: index, %{{.+}}: !hal.buffer, %{{.+}}: index, %{{.+}}: index, %{{.+}}: i32) -> {{.*}}i32
stream.cmd.func private @record(%arg0[%arg1 for %arg2]: !stream.resource<*>, %arg3: i32) -> i32
// CHECK-LABEL: util.func public @calls
util.func public @calls(%r: !stream.resource<transient>, %v: i32) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  // CHECK: %[[CMD:.+]] = hal.command_buffer.create {{.+}} mode(OneShot) categories("Transfer|Dispatch")
  %0 = stream.cmd.execute on(#hal.device.affinity<@a>) with(%r as %x: !stream.resource<transient>{%c64}) {
    // CHECK: %[[VALUE:.+]] = util.call @record(%[[CMD]], %c0, %{{.+}}, %c0, %c64, %{{.+}}) : (!hal.command_buffer, index, !hal.buffer, index, index, i32) -> i32
    %1 = stream.cmd.call @record(rw %x[%c0 for %c64], %v) : (!stream.resource<transient>{%c64}, i32) -> i32
    // CHECK: hal.command_buffer.execution_barrier<%[[CMD]] : !hal.command_buffer> source("Dispatch|Transfer")
    // CHECK: hal.command_buffer.fill_buffer<%[[CMD]] : !hal.command_buffer> target(%c0 : index)[%c0, %c64] pattern(%[[VALUE]] : i32)
    stream.cmd.fill %1, %x[%c0 for %c64] : i32 -> !stream.resource<transient>{%c64}
  } => !stream.timepoint
  util.return
}

// -----

// Collectives are recorded with what is sent and what is received, channels with them.
util.global private @a = #hal.device.target<"local", [#hal.executable.target<"vmvx", "vmvx-bytecode-fb">]> : !hal.device
// CHECK-LABEL: util.func public @collectives
util.func public @collectives(%r: !stream.resource<transient>, %s: !stream.resource<transient>) -> index {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  // CHECK: %[[CHANNEL:.+]] = hal.channel.create device(%{{.+}} : !hal.device) affinity(%{{.+}}) flags("None")
  %channel = stream.channel.create on(#hal.device.affinity<@a>) : !stream.channel
  // CHECK: %[[RANK:.+]], %{{.+}} = hal.channel.rank_and_count<%[[CHANNEL]] : !hal.channel> : i32, i32
  // CHECK: arith.index_cast %[[RANK]] : i32 to index
  %rank = stream.channel.rank %channel : index
  %0 = stream.cmd.execute on(#hal.device.affinity<@a>) with(%r as %x: !stream.resource<transient>{%c64}, %s as %y: !stream.resource<transient>{%c64}) {
    // CHECK: hal.command_buffer.collective<%{{.+}}> channel(%[[CHANNEL]] : !hal.channel) op(<all_reduce with sum : f32>) send(%c0 : index)[%c0, %c64] recv(%c1 : index)[%c0, %c64] count(%c16)
    stream.cmd.collective<all_reduce with sum : f32>[%c16] channel(%channel) {
      ro %x[%c0 for %c64] : !stream.resource<transient>{%c64},
      wo %y[%c0 for %c64] : !stream.resource<transient>{%c64}
    }
  } => !stream.timepoint
  util.return %rank : index
}
