// RUN: ROUNDTRIP
// RUN: GENERIC_ROUNDTRIP

// Everything that can be submitted to a queue.
// CHECK-LABEL: @queues
util.func public @queues(%device: !hal.device, %queue: i64, %wait: !hal.fence, %signal: !hal.fence, %bits: i32, %n: index, %buffer: !hal.buffer, %bytes: !util.buffer, %file: !hal.file, %cmd: !hal.command_buffer, %pattern: i8) {
  // CHECK: hal.device.queue.alloca<%{{.*}} : !hal.device> affinity(%{{.*}}) wait(%{{.*}}) signal(%{{.*}}) pool(%{{.*}}) type(%{{.*}}) usage(%{{.*}}) flags(IndeterminateLifetime) : !hal.buffer{%{{.*}}}
  %0 = hal.device.queue.alloca<%device : !hal.device> affinity(%queue) wait(%wait) signal(%signal) pool(%queue) type(%bits) usage(%bits) flags(IndeterminateLifetime) : !hal.buffer{%n}
  // CHECK: hal.device.queue.dealloca<%{{.*}} : !hal.device> affinity(%{{.*}}) wait(%{{.*}}) signal(%{{.*}}) buffer(%{{.*}} : !hal.buffer) flags(PreferOrigin)
  hal.device.queue.dealloca<%device : !hal.device> affinity(%queue) wait(%wait) signal(%signal) buffer(%0 : !hal.buffer) flags(PreferOrigin)
  // CHECK: hal.device.queue.fill<%{{.*}} : !hal.device> affinity(%{{.*}}) wait(%{{.*}}) signal(%{{.*}}) target(%{{.*}} : !hal.buffer)[%{{.*}}] length(%{{.*}}) pattern(%{{.*}} : i8) flags("None")
  hal.device.queue.fill<%device : !hal.device> affinity(%queue) wait(%wait) signal(%signal) target(%buffer : !hal.buffer)[%n] length(%n) pattern(%pattern : i8) flags("None")
  // CHECK: hal.device.queue.update<%{{.*}} : !hal.device> affinity(%{{.*}}) wait(%{{.*}}) signal(%{{.*}}) source(%{{.*}} : !util.buffer)[%{{.*}}] target(%{{.*}} : !hal.buffer)[%{{.*}}] length(%{{.*}}) flags("None")
  hal.device.queue.update<%device : !hal.device> affinity(%queue) wait(%wait) signal(%signal) source(%bytes : !util.buffer)[%n] target(%buffer : !hal.buffer)[%n] length(%n) flags("None")
  // CHECK: hal.device.queue.copy<%{{.*}} : !hal.device> affinity(%{{.*}}) wait(%{{.*}}) signal(%{{.*}}) source(%{{.*}} : !hal.buffer)[%{{.*}}] target(%{{.*}} : !hal.buffer)[%{{.*}}] length(%{{.*}}) flags("None")
  hal.device.queue.copy<%device : !hal.device> affinity(%queue) wait(%wait) signal(%signal) source(%buffer : !hal.buffer)[%n] target(%buffer : !hal.buffer)[%n] length(%n) flags("None")
  // CHECK: hal.device.queue.read<%{{.*}} : !hal.device> affinity(%{{.*}}) wait(%{{.*}}) signal(%{{.*}}) source(%{{.*}} : !hal.file)[%{{.*}}] target(%{{.*}} : !hal.buffer)[%{{.*}}] length(%{{.*}}) flags("None")
  hal.device.queue.read<%device : !hal.device> affinity(%queue) wait(%wait) signal(%signal) source(%file : !hal.file)[%queue] target(%buffer : !hal.buffer)[%n] length(%n) flags("None")
  // CHECK: hal.device.queue.write<%{{.*}} : !hal.device> affinity(%{{.*}}) wait(%{{.*}}) signal(%{{.*}}) source(%{{.*}} : !hal.buffer)[%{{.*}}] target(%{{.*}} : !hal.file)[%{{.*}}] length(%{{.*}}) flags("None")
  hal.device.queue.write<%device : !hal.device> affinity(%queue) wait(%wait) signal(%signal) source(%buffer : !hal.buffer)[%n] target(%file : !hal.file)[%queue] length(%n) flags("None")
  // CHECK: hal.device.queue.barrier<%{{.*}} : !hal.device> affinity(%{{.*}}) wait(%{{.*}}) signal(%{{.*}}) flags("None")
  hal.device.queue.barrier<%device : !hal.device> affinity(%queue) wait(%wait) signal(%signal) flags("None")
  // CHECK: hal.device.queue.execute<%{{.*}} : !hal.device> affinity(%{{.*}}) wait(%{{.*}}) signal(%{{.*}}) commands(%{{.*}}) flags("None")
  hal.device.queue.execute<%device : !hal.device> affinity(%queue) wait(%wait) signal(%signal) commands(%cmd) flags("None")
  // CHECK: hal.device.queue.execute.indirect<%{{.*}} : !hal.device> affinity(%{{.*}}) wait(%{{.*}}) signal(%{{.*}}) commands(%{{.*}}) bindings([
  // CHECK-NEXT: (%{{.*}} : !hal.buffer)[%{{.*}}, %{{.*}}],
  // CHECK-NEXT: (%{{.*}} : !hal.buffer)[%{{.*}}, %{{.*}}]
  // CHECK-NEXT: ]) flags("None")
  hal.device.queue.execute.indirect<%device : !hal.device> affinity(%queue) wait(%wait) signal(%signal) commands(%cmd) bindings([(%buffer : !hal.buffer)[%n, %n], (%0 : !hal.buffer)[%n, %n]]) flags("None")
  // CHECK: hal.device.queue.flush<%{{.*}} : !hal.device> affinity(%{{.*}})
  hal.device.queue.flush<%device : !hal.device> affinity(%queue)
  util.return
}

// Devices are found, asked, and things computed once for each.
// CHECK-LABEL: @devices
util.func public @devices(%queue: i64) -> !hal.executable {
  // CHECK: hal.devices.count : index
  %count = hal.devices.count : index
  // CHECK: hal.devices.get %{{.*}} : !hal.device
  %device = hal.devices.get %count : !hal.device
  // CHECK: hal.device.resolve on(#hal.device.affinity<@d, [1]>) : !hal.device, !hal.allocator, i64
  %0:3 = hal.device.resolve on(#hal.device.affinity<@d, [1]>) : !hal.device, !hal.allocator, i64
  // CHECK: hal.device.query<%{{.*}} : !hal.device> key("sys" :: "cores") : i1, i32 = 4 : i32
  %ok, %cores = hal.device.query<%device : !hal.device> key("sys" :: "cores") : i1, i32 = 4 : i32
  // CHECK: hal.device.memoize<%{{.*}} : !hal.device> affinity(%{{.*}}) -> !hal.executable attributes {tag} {
  %exe = hal.device.memoize<%device : !hal.device> affinity(%queue) -> !hal.executable attributes {tag} {
    // CHECK: hal.executable.create device(%{{.*}} : !hal.device) affinity(%{{.*}}) target(@ex::@binary) constants([%{{.*}}]) : !hal.executable
    %made = hal.executable.create device(%device : !hal.device) affinity(%queue) target(@ex::@binary) constants([%cores]) : !hal.executable
    hal.return %made : !hal.executable
  }
  util.return %exe : !hal.executable
}

// Fences, and files made of host memory.
// CHECK-LABEL: @fences
util.func public @fences(%device: !hal.device, %queue: i64, %k: i32, %bytes: !util.buffer, %n: index) {
  // CHECK: hal.fence.create device(%{{.*}} : !hal.device) flags("None") : !hal.fence
  %fence = hal.fence.create device(%device : !hal.device) flags("None") : !hal.fence
  // CHECK: hal.fence.join at([%{{.*}}, %{{.*}}]) flags("None") -> !hal.fence
  %both = hal.fence.join at([%fence, %fence]) flags("None") -> !hal.fence
  // CHECK: hal.fence.query<%{{.*}} : !hal.fence> : i32
  %state = hal.fence.query<%fence : !hal.fence> : i32
  // CHECK: hal.fence.signal<%{{.*}} : !hal.fence>
  hal.fence.signal<%fence : !hal.fence>
  // CHECK: hal.fence.fail<%{{.*}} : !hal.fence> status(%{{.*}})
  hal.fence.fail<%fence : !hal.fence> status(%state)
  // CHECK: hal.fence.await until([%{{.*}}]) timeout_millis(%{{.*}}) flags("None") : i32
  %status = hal.fence.await until([%both]) timeout_millis(%k) flags("None") : i32
  // CHECK: hal.ex.file.from_memory device(%{{.*}} : !hal.device) affinity(%{{.*}}) access("Read|Write") buffer(%{{.*}} : !util.buffer)[%{{.*}} for %{{.*}}] flags(%{{.*}}) : !hal.file
  %file = hal.ex.file.from_memory device(%device : !hal.device) affinity(%queue) access("Read|Write") buffer(%bytes : !util.buffer)[%n for %n] flags(%k) : !hal.file
  util.return
}
