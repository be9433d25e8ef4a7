// RUN: ROUNDTRIP
// RUN: GENERIC_ROUNDTRIP

// A command buffer with a binding table is recorded, with each kind of command.
// CHECK-LABEL: @record
util.func public @record(%device: !hal.device, %queue: i64, %buffer: !hal.buffer, %exe: !hal.executable, %function: i64, %x: index, %bytes: !util.buffer) -> !hal.command_buffer {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %pattern = arith.constant 7 : i16
  %constant = arith.constant 9 : i32
  // CHECK: hal.command_buffer.create device(%{{.*}} : !hal.device) mode("OneShot|AllowInlineExecution") categories("Transfer|Dispatch") affinity(%{{.*}}) bindings(%{{.*}}) : !hal.command_buffer
  %cmd = hal.command_buffer.create device(%device : !hal.device) mode("OneShot|AllowInlineExecution") categories("Transfer|Dispatch") affinity(%queue) bindings(%c2) : !hal.command_buffer
  // CHECK: hal.command_buffer.device<%{{.*}} : !hal.command_buffer> : !hal.device
  %same = hal.command_buffer.device<%cmd : !hal.command_buffer> : !hal.device
  // CHECK: hal.command_buffer.begin_debug_group<%{{.*}} : !hal.command_buffer> label("step")
  hal.command_buffer.begin_debug_group<%cmd : !hal.command_buffer> label("step")
  // CHECK: hal.command_buffer.fill_buffer<%{{.*}} : !hal.command_buffer> target(%{{.*}} : index)[%{{.*}}, %{{.*}}] pattern(%{{.*}} : i16) flags("None")
  hal.command_buffer.fill_buffer<%cmd : !hal.command_buffer> target(%c1 : index)[%c0, %c64] pattern(%pattern : i16) flags("None")
  // CHECK: hal.command_buffer.update_buffer<%{{.*}} : !hal.command_buffer> source(%{{.*}} : !util.buffer{%{{.*}}})[%{{.*}}] target(%{{.*}} : !hal.buffer)[%{{.*}}] length(%{{.*}}) flags("None")
  hal.command_buffer.update_buffer<%cmd : !hal.command_buffer> source(%bytes : !util.buffer{%c64})[%c0] target(%buffer : !hal.buffer)[%c0] length(%c64) flags("None")
  // CHECK: hal.command_buffer.execution_barrier<%{{.*}} : !hal.command_buffer> source("Dispatch|Transfer") target(CommandIssue) flags("None")
  hal.command_buffer.execution_barrier<%cmd : !hal.command_buffer> source("Dispatch|Transfer") target(CommandIssue) flags("None")
  // CHECK: hal.command_buffer.copy_buffer<%{{.*}} : !hal.command_buffer> source(%{{.*}} : index)[%{{.*}}] target(%{{.*}} : !hal.buffer)[%{{.*}}] length(%{{.*}}) flags("None")
  hal.command_buffer.copy_buffer<%cmd : !hal.command_buffer> source(%c0 : index)[%c0] target(%buffer : !hal.buffer)[%c0] length(%c64) flags("None")
  // CHECK: hal.command_buffer.dispatch<%{{.*}} : !hal.command_buffer> target(%{{.*}} : !hal.executable)[%{{.*}}] workgroups([%{{.*}}, %{{.*}}, %{{.*}}]) constants([%{{.*}}, %{{.*}}]) bindings([
  // CHECK-NEXT: (%{{.*}} : index)[%{{.*}}, %{{.*}}],
  // CHECK-NEXT: (%{{.*}} : !hal.buffer)[%{{.*}}, %{{.*}}]
  // CHECK-NEXT: ]) flags("None") attributes {tag}
  hal.command_buffer.dispatch<%cmd : !hal.command_buffer> target(%exe : !hal.executable)[%function] workgroups([%x, %c1, %c1]) constants([%constant, %constant]) bindings([(%c0 : index)[%c0, %c64], (%buffer : !hal.buffer)[%c0, %c64]]) flags("None") attributes {tag}
  // CHECK: hal.command_buffer.dispatch.indirect<%{{.*}} : !hal.command_buffer> target(%{{.*}} : !hal.executable)[%{{.*}}] workgroups(%{{.*}} : !hal.buffer)[%{{.*}}] bindings([
  // CHECK-NEXT: (%{{.*}} : !hal.buffer)[%{{.*}}, %{{.*}}]
  // CHECK-NEXT: ]) flags("None")
  hal.command_buffer.dispatch.indirect<%cmd : !hal.command_buffer> target(%exe : !hal.executable)[%function] workgroups(%buffer : !hal.buffer)[%c0] bindings([(%buffer : !hal.buffer)[%c0, %c64]]) flags("None")
  // CHECK: hal.command_buffer.end_debug_group<%{{.*}} : !hal.command_buffer>
  hal.command_buffer.end_debug_group<%cmd : !hal.command_buffer>
  // CHECK: hal.command_buffer.finalize<%{{.*}} : !hal.command_buffer>
  hal.command_buffer.finalize<%cmd : !hal.command_buffer>
  util.return %cmd : !hal.command_buffer
}

// Cache maintenance of a buffer and of a slot, in the shape of a fill (IR-15).
// CHECK-LABEL: @maintain
util.func public @maintain(%cmd: !hal.command_buffer, %buffer: !hal.buffer, %slot: index, %offset: index, %length: index) {
  // CHECK: hal.command_buffer.flush_buffer<%{{.*}} : !hal.command_buffer> target(%{{.*}} : !hal.buffer)[%{{.*}}, %{{.*}}] flags("None")
  hal.command_buffer.flush_buffer<%cmd : !hal.command_buffer> target(%buffer : !hal.buffer)[%offset, %length] flags("None")
  // CHECK: hal.command_buffer.invalidate_buffer<%{{.*}} : !hal.command_buffer> target(%{{.*}} : index)[%{{.*}}, %{{.*}}] flags("None")
  hal.command_buffer.invalidate_buffer<%cmd : !hal.command_buffer> target(%slot : index)[%offset, %length] flags("None")
  // CHECK: hal.command_buffer.discard_buffer<%{{.*}} : !hal.command_buffer> target(%{{.*}} : !hal.buffer)[%{{.*}}, %{{.*}}] flags("None") attributes {tag}
  hal.command_buffer.discard_buffer<%cmd : !hal.command_buffer> target(%buffer : !hal.buffer)[%offset, %length] flags("None") attributes {tag}
  util.return
}

// Collectives with each of their optional clauses.
// CHECK-LABEL: @collectives
util.func public @collectives(%device: !hal.device, %queue: i64, %bytes: !util.buffer, %cmd: !hal.command_buffer, %buffer: !hal.buffer, %n: index, %k: i32) {
  // CHECK: hal.channel.create device(%{{.*}} : !hal.device) affinity(%{{.*}}) flags("None") id(%{{.*}}) group(%{{.*}}) rank(%{{.*}}) count(%{{.*}}) : !hal.channel
  %channel = hal.channel.create device(%device : !hal.device) affinity(%queue) flags("None") id(%bytes) group(%bytes) rank(%k) count(%k) : !hal.channel
  // CHECK: hal.channel.split<%{{.*}} : !hal.channel> color(%{{.*}}) key(%{{.*}}) flags("None") : !hal.channel
  %part = hal.channel.split<%channel : !hal.channel> color(%k) key(%k) flags("None") : !hal.channel
  // CHECK: hal.channel.rank_and_count<%{{.*}} : !hal.channel> : i32, i32
  %rank, %count = hal.channel.rank_and_count<%part : !hal.channel> : i32, i32
  // CHECK: hal.command_buffer.collective<%{{.*}} : !hal.command_buffer> channel(%{{.*}} : !hal.channel) op(<all_reduce with maximum : ui8>) send(%{{.*}} : !hal.buffer)[%{{.*}}, %{{.*}}] recv(%{{.*}} : index)[%{{.*}}, %{{.*}}] count(%{{.*}})
  hal.command_buffer.collective<%cmd : !hal.command_buffer> channel(%part : !hal.channel) op(<all_reduce with maximum : ui8>) send(%buffer : !hal.buffer)[%n, %n] recv(%n : index)[%n, %n] count(%n)
  // CHECK: hal.command_buffer.collective<%{{.*}} : !hal.command_buffer> channel(%{{.*}} : !hal.channel) op(<recv : f64>) param(%{{.*}} : i32) recv(%{{.*}} : !hal.buffer)[%{{.*}}, %{{.*}}] count(%{{.*}})
  hal.command_buffer.collective<%cmd : !hal.command_buffer> channel(%part : !hal.channel) op(<recv : f64>) param(%k : i32) recv(%buffer : !hal.buffer)[%n, %n] count(%n)
  util.return
}
