// RUN: zc-opt --split-input-file %s -p hal-verify-coherence | filecheck %s

// A producer recorded once in an initializer, with a slot for its buffer, hands over to a recording
// that names the buffer: right as it is. IR-30, IR-32, IR-33.
// CHECK-LABEL: @handover
// CHECK: hal.device.queue.execute.indirect
// CHECK: hal.command_buffer.invalidate_buffer
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.global private @produce : !hal.command_buffer
  util.initializer {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %any = arith.constant -1 : i64
    %pool = arith.constant 0 : i64
    %m = arith.constant 0 : i32
    %forever = arith.constant -1 : i32
    %byte = arith.constant 1 : i8
    %null = util.null : !hal.fence
    %a = util.global.load @a : !hal.device
    %b = util.global.load @b : !hal.device
    %cmd = hal.command_buffer.create device(%a : !hal.device) mode("None") categories("Transfer|Dispatch") affinity(%any) bindings(%c1) : !hal.command_buffer
    hal.command_buffer.fill_buffer<%cmd : !hal.command_buffer> target(%c0 : index)[%c0, %c64] pattern(%byte : i8) flags("None")
    hal.command_buffer.execution_barrier<%cmd : !hal.command_buffer> source(Transfer) target(Transfer) flags("None")
    hal.command_buffer.flush_buffer<%cmd : !hal.command_buffer> target(%c0 : index)[%c0, %c64] flags("None")
    hal.command_buffer.finalize<%cmd : !hal.command_buffer>
    util.global.store %cmd, @produce : !hal.command_buffer
    util.return
  }
  util.func public @handover() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %any = arith.constant -1 : i64
    %pool = arith.constant 0 : i64
    %m = arith.constant 0 : i32
    %forever = arith.constant -1 : i32
    %byte = arith.constant 1 : i8
    %null = util.null : !hal.fence
    %a = util.global.load @a : !hal.device
    %b = util.global.load @b : !hal.device
    %fx = hal.fence.create device(%a : !hal.device) flags("None") : !hal.fence
    %x = hal.device.queue.alloca<%a : !hal.device> affinity(%any) wait(%null) signal(%fx) pool(%pool) type(%m) usage(%m) flags("None") : !hal.buffer{%c64}
    %fy = hal.fence.create device(%a : !hal.device) flags("None") : !hal.fence
    %y = hal.device.queue.alloca<%a : !hal.device> affinity(%any) wait(%fx) signal(%fy) pool(%pool) type(%m) usage(%m) flags("None") : !hal.buffer{%c64}
    %p = util.global.load @produce : !hal.command_buffer
    %f1 = hal.fence.create device(%a : !hal.device) flags("None") : !hal.fence
    hal.device.queue.execute.indirect<%a : !hal.device> affinity(%any) wait(%fy) signal(%f1) commands(%p) bindings([(%x : !hal.buffer)[%c0, %c64]]) flags("None")
    %q = hal.command_buffer.create device(%b : !hal.device) mode("None") categories("Transfer|Dispatch") affinity(%any) bindings(%c0) : !hal.command_buffer
    hal.command_buffer.invalidate_buffer<%q : !hal.command_buffer> target(%x : !hal.buffer)[%c0, %c64] flags("None")
    hal.command_buffer.execution_barrier<%q : !hal.command_buffer> source(Transfer) target(Transfer) flags("None")
    hal.command_buffer.copy_buffer<%q : !hal.command_buffer> source(%x : !hal.buffer)[%c0] target(%y : !hal.buffer)[%c0] length(%c64) flags("None")
    hal.command_buffer.finalize<%q : !hal.command_buffer>
    %f2 = hal.fence.create device(%b : !hal.device) flags("None") : !hal.fence
    hal.device.queue.execute<%b : !hal.device> affinity(%any) wait(%f1) signal(%f2) commands(%q) flags("None")
    util.return
  }
}

// -----

// The same submitted in the other order: what signals the fence comes later.
// CHECK-LABEL: @consumer_first
// CHECK: hal.device.queue.execute<
// CHECK: hal.device.queue.execute.indirect
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.global private @produce : !hal.command_buffer
  util.initializer {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %any = arith.constant -1 : i64
    %pool = arith.constant 0 : i64
    %m = arith.constant 0 : i32
    %forever = arith.constant -1 : i32
    %byte = arith.constant 1 : i8
    %null = util.null : !hal.fence
    %a = util.global.load @a : !hal.device
    %b = util.global.load @b : !hal.device
    %cmd = hal.command_buffer.create device(%a : !hal.device) mode("None") categories("Transfer|Dispatch") affinity(%any) bindings(%c1) : !hal.command_buffer
    hal.command_buffer.fill_buffer<%cmd : !hal.command_buffer> target(%c0 : index)[%c0, %c64] pattern(%byte : i8) flags("None")
    hal.command_buffer.execution_barrier<%cmd : !hal.command_buffer> source(Transfer) target(Transfer) flags("None")
    hal.command_buffer.flush_buffer<%cmd : !hal.command_buffer> target(%c0 : index)[%c0, %c64] flags("None")
    hal.command_buffer.finalize<%cmd : !hal.command_buffer>
    util.global.store %cmd, @produce : !hal.command_buffer
    util.return
  }
  util.func public @consumer_first() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %any = arith.constant -1 : i64
    %pool = arith.constant 0 : i64
    %m = arith.constant 0 : i32
    %forever = arith.constant -1 : i32
    %byte = arith.constant 1 : i8
    %null = util.null : !hal.fence
    %a = util.global.load @a : !hal.device
    %b = util.global.load @b : !hal.device
    %fx = hal.fence.create device(%a : !hal.device) flags("None") : !hal.fence
    %x = hal.device.queue.alloca<%a : !hal.device> affinity(%any) wait(%null) signal(%fx) pool(%pool) type(%m) usage(%m) flags("None") : !hal.buffer{%c64}
    %fy = hal.fence.create device(%a : !hal.device) flags("None") : !hal.fence
    %y = hal.device.queue.alloca<%a : !hal.device> affinity(%any) wait(%fx) signal(%fy) pool(%pool) type(%m) usage(%m) flags("None") : !hal.buffer{%c64}
    %p = util.global.load @produce : !hal.command_buffer
    %q = hal.command_buffer.create device(%b : !hal.device) mode("None") categories("Transfer|Dispatch") affinity(%any) bindings(%c0) : !hal.command_buffer
    hal.command_buffer.invalidate_buffer<%q : !hal.command_buffer> target(%x : !hal.buffer)[%c0, %c64] flags("None")
    hal.command_buffer.execution_barrier<%q : !hal.command_buffer> source(Transfer) target(Transfer) flags("None")
    hal.command_buffer.copy_buffer<%q : !hal.command_buffer> source(%x : !hal.buffer)[%c0] target(%y : !hal.buffer)[%c0] length(%c64) flags("None")
    hal.command_buffer.finalize<%q : !hal.command_buffer>
    %f1 = hal.fence.create device(%a : !hal.device) flags("None") : !hal.fence
    %f2 = hal.fence.create device(%b : !hal.device) flags("None") : !hal.fence
    hal.device.queue.execute<%b : !hal.device> affinity(%any) wait(%f1) signal(%f2) commands(%q) flags("None")
    hal.device.queue.execute.indirect<%a : !hal.device> affinity(%any) wait(%fy) signal(%f1) commands(%p) bindings([(%x : !hal.buffer)[%c0, %c64]]) flags("None")
    util.return
  }
}

// -----

// The caller waits for the fence that it gave and reads what is returned: right, since the flush is
// before the signal. IR-31, case B35.
// CHECK-LABEL: @caller_waits
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.global private @produce : !hal.command_buffer
  util.initializer {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %any = arith.constant -1 : i64
    %pool = arith.constant 0 : i64
    %m = arith.constant 0 : i32
    %forever = arith.constant -1 : i32
    %byte = arith.constant 1 : i8
    %null = util.null : !hal.fence
    %a = util.global.load @a : !hal.device
    %b = util.global.load @b : !hal.device
    %cmd = hal.command_buffer.create device(%a : !hal.device) mode("None") categories("Transfer|Dispatch") affinity(%any) bindings(%c1) : !hal.command_buffer
    hal.command_buffer.fill_buffer<%cmd : !hal.command_buffer> target(%c0 : index)[%c0, %c64] pattern(%byte : i8) flags("None")
    hal.command_buffer.execution_barrier<%cmd : !hal.command_buffer> source(Transfer) target(Transfer) flags("None")
    hal.command_buffer.flush_buffer<%cmd : !hal.command_buffer> target(%c0 : index)[%c0, %c64] flags("None")
    hal.command_buffer.finalize<%cmd : !hal.command_buffer>
    util.global.store %cmd, @produce : !hal.command_buffer
    util.return
  }
  util.func public @caller_waits(%done: !hal.fence) -> !hal.buffer {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %any = arith.constant -1 : i64
    %pool = arith.constant 0 : i64
    %m = arith.constant 0 : i32
    %forever = arith.constant -1 : i32
    %byte = arith.constant 1 : i8
    %null = util.null : !hal.fence
    %a = util.global.load @a : !hal.device
    %b = util.global.load @b : !hal.device
    %fx = hal.fence.create device(%a : !hal.device) flags("None") : !hal.fence
    %x = hal.device.queue.alloca<%a : !hal.device> affinity(%any) wait(%null) signal(%fx) pool(%pool) type(%m) usage(%m) flags("None") : !hal.buffer{%c64}
    %fy = hal.fence.create device(%a : !hal.device) flags("None") : !hal.fence
    %y = hal.device.queue.alloca<%a : !hal.device> affinity(%any) wait(%fx) signal(%fy) pool(%pool) type(%m) usage(%m) flags("None") : !hal.buffer{%c64}
    %p = util.global.load @produce : !hal.command_buffer
    hal.device.queue.execute.indirect<%a : !hal.device> affinity(%any) wait(%fy) signal(%done) commands(%p) bindings([(%x : !hal.buffer)[%c0, %c64]]) flags("None")
    util.return %x : !hal.buffer
  }
}

// -----

// A function that is called signals the fence it is given; the caller's next submission waits for it.
// CHECK-LABEL: @calls
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.global private @produce : !hal.command_buffer
  util.initializer {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %any = arith.constant -1 : i64
    %pool = arith.constant 0 : i64
    %m = arith.constant 0 : i32
    %forever = arith.constant -1 : i32
    %byte = arith.constant 1 : i8
    %null = util.null : !hal.fence
    %a = util.global.load @a : !hal.device
    %b = util.global.load @b : !hal.device
    %cmd = hal.command_buffer.create device(%a : !hal.device) mode("None") categories("Transfer|Dispatch") affinity(%any) bindings(%c1) : !hal.command_buffer
    hal.command_buffer.fill_buffer<%cmd : !hal.command_buffer> target(%c0 : index)[%c0, %c64] pattern(%byte : i8) flags("None")
    hal.command_buffer.execution_barrier<%cmd : !hal.command_buffer> source(Transfer) target(Transfer) flags("None")
    hal.command_buffer.flush_buffer<%cmd : !hal.command_buffer> target(%c0 : index)[%c0, %c64] flags("None")
    hal.command_buffer.finalize<%cmd : !hal.command_buffer>
    util.global.store %cmd, @produce : !hal.command_buffer
    util.return
  }
  util.func private @produce_into(%x: !hal.buffer, %ready: !hal.fence, %done: !hal.fence) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %any = arith.constant -1 : i64
    %pool = arith.constant 0 : i64
    %m = arith.constant 0 : i32
    %forever = arith.constant -1 : i32
    %byte = arith.constant 1 : i8
    %null = util.null : !hal.fence
    %a = util.global.load @a : !hal.device
    %b = util.global.load @b : !hal.device
    %p = util.global.load @produce : !hal.command_buffer
    hal.device.queue.execute.indirect<%a : !hal.device> affinity(%any) wait(%ready) signal(%done) commands(%p) bindings([(%x : !hal.buffer)[%c0, %c64]]) flags("None")
    util.return
  }
  util.func public @calls() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %any = arith.constant -1 : i64
    %pool = arith.constant 0 : i64
    %m = arith.constant 0 : i32
    %forever = arith.constant -1 : i32
    %byte = arith.constant 1 : i8
    %null = util.null : !hal.fence
    %a = util.global.load @a : !hal.device
    %b = util.global.load @b : !hal.device
    %fx = hal.fence.create device(%a : !hal.device) flags("None") : !hal.fence
    %x = hal.device.queue.alloca<%a : !hal.device> affinity(%any) wait(%null) signal(%fx) pool(%pool) type(%m) usage(%m) flags("None") : !hal.buffer{%c64}
    %fy = hal.fence.create device(%a : !hal.device) flags("None") : !hal.fence
    %y = hal.device.queue.alloca<%a : !hal.device> affinity(%any) wait(%fx) signal(%fy) pool(%pool) type(%m) usage(%m) flags("None") : !hal.buffer{%c64}
    %f1 = hal.fence.create device(%a : !hal.device) flags("None") : !hal.fence
    util.call @produce_into(%x, %fy, %f1) : (!hal.buffer, !hal.fence, !hal.fence) -> ()
    %q = hal.command_buffer.create device(%b : !hal.device) mode("None") categories("Transfer|Dispatch") affinity(%any) bindings(%c0) : !hal.command_buffer
    hal.command_buffer.invalidate_buffer<%q : !hal.command_buffer> target(%x : !hal.buffer)[%c0, %c64] flags("None")
    hal.command_buffer.execution_barrier<%q : !hal.command_buffer> source(Transfer) target(Transfer) flags("None")
    hal.command_buffer.copy_buffer<%q : !hal.command_buffer> source(%x : !hal.buffer)[%c0] target(%y : !hal.buffer)[%c0] length(%c64) flags("None")
    hal.command_buffer.finalize<%q : !hal.command_buffer>
    %f2 = hal.fence.create device(%b : !hal.device) flags("None") : !hal.fence
    hal.device.queue.execute<%b : !hal.device> affinity(%any) wait(%f1) signal(%f2) commands(%q) flags("None")
    util.return
  }
}
