// RUN: not --code 1 zc-opt --split-input-file %s -p hal-verify-coherence 2>&1 | filecheck %s

// No barrier between the fill and its flush: the flush may come first. IR-16, IR-30.
// CHECK: {{[0-9]+}}:5: error: stale read of bytes [0,64) of %x by @b: it may not see the write by @a, for want of a flush by @a{{$}}
// CHECK-NEXT: {{[0-9]+}}:5: note: written here by @a (hal.command_buffer.fill_buffer)
// CHECK-NEXT: {{[0-9]+}}:5: note: insert a flush of bytes [0,64) of %x by @a after this (hal.command_buffer.fill_buffer)
// CHECK-NEXT: {{[0-9]+}}:5: note: read here by @b (hal.command_buffer.copy_buffer)
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.func public @no_barrier() {
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
    %p = hal.command_buffer.create device(%a : !hal.device) mode("None") categories("Transfer|Dispatch") affinity(%any) bindings(%c1) : !hal.command_buffer
    hal.command_buffer.fill_buffer<%p : !hal.command_buffer> target(%c0 : index)[%c0, %c64] pattern(%byte : i8) flags("None")
    hal.command_buffer.flush_buffer<%p : !hal.command_buffer> target(%c0 : index)[%c0, %c64] flags("None")
    hal.command_buffer.finalize<%p : !hal.command_buffer>
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

// A barrier for dispatches does not order a fill.
// CHECK: error: stale read of bytes [0,64) of %x by @b: it may not see the write by @a, for want of a flush by @a{{$}}
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.func public @other_stage() {
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
    %p = hal.command_buffer.create device(%a : !hal.device) mode("None") categories("Transfer|Dispatch") affinity(%any) bindings(%c1) : !hal.command_buffer
    hal.command_buffer.fill_buffer<%p : !hal.command_buffer> target(%c0 : index)[%c0, %c64] pattern(%byte : i8) flags("None")
    hal.command_buffer.execution_barrier<%p : !hal.command_buffer> source(Dispatch) target("Dispatch|Transfer") flags("None")
    hal.command_buffer.flush_buffer<%p : !hal.command_buffer> target(%c0 : index)[%c0, %c64] flags("None")
    hal.command_buffer.finalize<%p : !hal.command_buffer>
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

// Two barriers chain only where the first one's targets meet the second one's sources.
// CHECK: error: stale read of bytes [0,64) of %x by @b: it may not see the write by @a, for want of a flush by @a{{$}}
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.func public @chained() {
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
    %p = hal.command_buffer.create device(%a : !hal.device) mode("None") categories("Transfer|Dispatch") affinity(%any) bindings(%c1) : !hal.command_buffer
    hal.command_buffer.fill_buffer<%p : !hal.command_buffer> target(%c0 : index)[%c0, %c64] pattern(%byte : i8) flags("None")
    hal.command_buffer.execution_barrier<%p : !hal.command_buffer> source(Transfer) target(Dispatch) flags("None")
    hal.command_buffer.execution_barrier<%p : !hal.command_buffer> source(CommandIssue) target(Transfer) flags("None")
    hal.command_buffer.flush_buffer<%p : !hal.command_buffer> target(%c0 : index)[%c0, %c64] flags("None")
    hal.command_buffer.finalize<%p : !hal.command_buffer>
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

// The consumer waits for the allocation only. IR-47.
// CHECK: error: race on bytes [0,64) of %x: the read by @b and the write by @a are not ordered{{$}}
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.func public @no_wait() {
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
    %p = hal.command_buffer.create device(%a : !hal.device) mode("None") categories("Transfer|Dispatch") affinity(%any) bindings(%c1) : !hal.command_buffer
    hal.command_buffer.fill_buffer<%p : !hal.command_buffer> target(%c0 : index)[%c0, %c64] pattern(%byte : i8) flags("None")
    hal.command_buffer.execution_barrier<%p : !hal.command_buffer> source(Transfer) target(Transfer) flags("None")
    hal.command_buffer.flush_buffer<%p : !hal.command_buffer> target(%c0 : index)[%c0, %c64] flags("None")
    hal.command_buffer.finalize<%p : !hal.command_buffer>
    %f1 = hal.fence.create device(%a : !hal.device) flags("None") : !hal.fence
    hal.device.queue.execute.indirect<%a : !hal.device> affinity(%any) wait(%fy) signal(%f1) commands(%p) bindings([(%x : !hal.buffer)[%c0, %c64]]) flags("None")
    %q = hal.command_buffer.create device(%b : !hal.device) mode("None") categories("Transfer|Dispatch") affinity(%any) bindings(%c0) : !hal.command_buffer
    hal.command_buffer.invalidate_buffer<%q : !hal.command_buffer> target(%x : !hal.buffer)[%c0, %c64] flags("None")
    hal.command_buffer.execution_barrier<%q : !hal.command_buffer> source(Transfer) target(Transfer) flags("None")
    hal.command_buffer.copy_buffer<%q : !hal.command_buffer> source(%x : !hal.buffer)[%c0] target(%y : !hal.buffer)[%c0] length(%c64) flags("None")
    hal.command_buffer.finalize<%q : !hal.command_buffer>
    %f2 = hal.fence.create device(%b : !hal.device) flags("None") : !hal.fence
    hal.device.queue.execute<%b : !hal.device> affinity(%any) wait(%fy) signal(%f2) commands(%q) flags("None")
    util.return
  }
}

// -----

// The wait for the producer has a limit, and nobody asks how it ended: the host may go on early.
// CHECK: error: race on bytes [0,64) of %x: the read by @b and the write by @a are not ordered{{$}}
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.func public @limited_wait() {
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
    %p = hal.command_buffer.create device(%a : !hal.device) mode("None") categories("Transfer|Dispatch") affinity(%any) bindings(%c1) : !hal.command_buffer
    hal.command_buffer.fill_buffer<%p : !hal.command_buffer> target(%c0 : index)[%c0, %c64] pattern(%byte : i8) flags("None")
    hal.command_buffer.execution_barrier<%p : !hal.command_buffer> source(Transfer) target(Transfer) flags("None")
    hal.command_buffer.flush_buffer<%p : !hal.command_buffer> target(%c0 : index)[%c0, %c64] flags("None")
    hal.command_buffer.finalize<%p : !hal.command_buffer>
    %f1 = hal.fence.create device(%a : !hal.device) flags("None") : !hal.fence
    hal.device.queue.execute.indirect<%a : !hal.device> affinity(%any) wait(%fy) signal(%f1) commands(%p) bindings([(%x : !hal.buffer)[%c0, %c64]]) flags("None")
    %ten = arith.constant 10 : i32
    %status = hal.fence.await until([%f1]) timeout_millis(%ten) flags("None") : i32
    %q = hal.command_buffer.create device(%b : !hal.device) mode("None") categories("Transfer|Dispatch") affinity(%any) bindings(%c0) : !hal.command_buffer
    hal.command_buffer.invalidate_buffer<%q : !hal.command_buffer> target(%x : !hal.buffer)[%c0, %c64] flags("None")
    hal.command_buffer.execution_barrier<%q : !hal.command_buffer> source(Transfer) target(Transfer) flags("None")
    hal.command_buffer.copy_buffer<%q : !hal.command_buffer> source(%x : !hal.buffer)[%c0] target(%y : !hal.buffer)[%c0] length(%c64) flags("None")
    hal.command_buffer.finalize<%q : !hal.command_buffer>
    %f2 = hal.fence.create device(%b : !hal.device) flags("None") : !hal.fence
    hal.device.queue.execute<%b : !hal.device> affinity(%any) wait(%null) signal(%f2) commands(%q) flags("None")
    util.return
  }
}

// -----

// Only the second round of the loop reads what b wrote. The fault is not on every path.
// CHECK: error: stale read of bytes [0,64) of %x by @a: it may not see the write by @b, for want of a flush by @b and an invalidate by @a (may: not in every run)
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.func public @loop(%n: i1) {
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
    %p = hal.command_buffer.create device(%a : !hal.device) mode("None") categories("Transfer|Dispatch") affinity(%any) bindings(%c1) : !hal.command_buffer
    hal.command_buffer.fill_buffer<%p : !hal.command_buffer> target(%c0 : index)[%c0, %c64] pattern(%byte : i8) flags("None")
    hal.command_buffer.execution_barrier<%p : !hal.command_buffer> source(Transfer) target(Transfer) flags("None")
    hal.command_buffer.flush_buffer<%p : !hal.command_buffer> target(%c0 : index)[%c0, %c64] flags("None")
    hal.command_buffer.finalize<%p : !hal.command_buffer>
    %f1 = hal.fence.create device(%a : !hal.device) flags("None") : !hal.fence
    hal.device.queue.execute.indirect<%a : !hal.device> affinity(%any) wait(%fy) signal(%f1) commands(%p) bindings([(%x : !hal.buffer)[%c0, %c64]]) flags("None")
    %r = hal.command_buffer.create device(%a : !hal.device) mode("None") categories("Transfer|Dispatch") affinity(%any) bindings(%c0) : !hal.command_buffer
    hal.command_buffer.copy_buffer<%r : !hal.command_buffer> source(%x : !hal.buffer)[%c0] target(%y : !hal.buffer)[%c0] length(%c64) flags("None")
    hal.command_buffer.finalize<%r : !hal.command_buffer>
    %w = hal.command_buffer.create device(%b : !hal.device) mode("None") categories("Transfer|Dispatch") affinity(%any) bindings(%c1) : !hal.command_buffer
    hal.command_buffer.fill_buffer<%w : !hal.command_buffer> target(%c0 : index)[%c0, %c64] pattern(%byte : i8) flags("None")
    hal.command_buffer.finalize<%w : !hal.command_buffer>
    cf.br ^bb1(%f1 : !hal.fence)
  ^bb1(%t: !hal.fence):
    %f2 = hal.fence.create device(%a : !hal.device) flags("None") : !hal.fence
    hal.device.queue.execute<%a : !hal.device> affinity(%any) wait(%t) signal(%f2) commands(%r) flags("None")
    %f3 = hal.fence.create device(%b : !hal.device) flags("None") : !hal.fence
    hal.device.queue.execute.indirect<%b : !hal.device> affinity(%any) wait(%f2) signal(%f3) commands(%w) bindings([(%x : !hal.buffer)[%c0, %c64]]) flags("None")
    cf.cond_br %n, ^bb1(%f3 : !hal.fence), ^bb2
  ^bb2:
    util.return
  }
}
