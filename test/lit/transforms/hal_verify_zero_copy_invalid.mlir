// RUN: not --code 1 zc-opt --split-input-file %s -p hal-verify-zero-copy 2>&1 | filecheck %s

// A copy of a queue between what a wrote and b reads, in memory that both reach (IR-21).
// CHECK: [[FILE:.+]]:29:5: error: copy of 256 bytes at [[FILE]]:29:5 on alias transfer from @a to @b; let both use one storage, or state stream.transfer_kind = "copy" where a copy is meant
// CHECK-NEXT: note: written here by @a (hal.device.queue.fill)
// CHECK-NEXT: note: read here by @b (hal.command_buffer.dispatch)
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.func public @of_queue(%exe: !hal.executable, %function: i64) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c256 = arith.constant 256 : index
    %any = arith.constant -1 : i64
    %pool = arith.constant 0 : i64
    %m = arith.constant 0 : i32
    %byte = arith.constant 1 : i8
    %null = util.null : !hal.fence
    %a = util.global.load @a : !hal.device
    %b = util.global.load @b : !hal.device
    %fx = hal.fence.create device(%a : !hal.device) flags("None") : !hal.fence
    %x = hal.device.queue.alloca<%a : !hal.device> affinity(%any) wait(%null) signal(%fx) pool(%pool) type(%m) usage(%m) flags("None") : !hal.buffer{%c256}
    %fy = hal.fence.create device(%a : !hal.device) flags("None") : !hal.fence
    %y = hal.device.queue.alloca<%a : !hal.device> affinity(%any) wait(%fx) signal(%fy) pool(%pool) type(%m) usage(%m) flags("None") : !hal.buffer{%c256}
    %f1 = hal.fence.create device(%a : !hal.device) flags("None") : !hal.fence
    hal.device.queue.fill<%a : !hal.device> affinity(%any) wait(%fy) signal(%f1) target(%x : !hal.buffer)[%c0] length(%c256) pattern(%byte : i8) flags("None")
    %f2 = hal.fence.create device(%b : !hal.device) flags("None") : !hal.fence
    hal.device.queue.copy<%b : !hal.device> affinity(%any) wait(%f1) signal(%f2) source(%x : !hal.buffer)[%c0] target(%y : !hal.buffer)[%c0] length(%c256) flags("None")
    %q = hal.command_buffer.create device(%b : !hal.device) mode("None") categories("Transfer|Dispatch") affinity(%any) bindings(%c0) : !hal.command_buffer
    hal.command_buffer.dispatch<%q : !hal.command_buffer> target(%exe : !hal.executable)[%function] workgroups([%c1, %c1, %c1]) bindings([(%y : !hal.buffer)[%c0, %c256]]) flags("None")
    hal.command_buffer.finalize<%q : !hal.command_buffer>
    %f3 = hal.fence.create device(%b : !hal.device) flags("None") : !hal.fence
    hal.device.queue.execute<%b : !hal.device> affinity(%any) wait(%f2) signal(%f3) commands(%q) flags("None")
    util.return
  }
}

// -----

// One recorded with slots: what is copied is bound when it is submitted.
// CHECK: error: copy of 256 bytes at {{.+}} on alias transfer from @a to @b
// CHECK-NEXT: note: written here by @a (hal.device.queue.fill)
// CHECK-NEXT: note: read here by @b (hal.command_buffer.dispatch)
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.func public @of_slots(%exe: !hal.executable, %function: i64) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c256 = arith.constant 256 : index
    %any = arith.constant -1 : i64
    %pool = arith.constant 0 : i64
    %m = arith.constant 0 : i32
    %byte = arith.constant 1 : i8
    %null = util.null : !hal.fence
    %a = util.global.load @a : !hal.device
    %b = util.global.load @b : !hal.device
    %fx = hal.fence.create device(%a : !hal.device) flags("None") : !hal.fence
    %x = hal.device.queue.alloca<%a : !hal.device> affinity(%any) wait(%null) signal(%fx) pool(%pool) type(%m) usage(%m) flags("None") : !hal.buffer{%c256}
    %fy = hal.fence.create device(%a : !hal.device) flags("None") : !hal.fence
    %y = hal.device.queue.alloca<%a : !hal.device> affinity(%any) wait(%fx) signal(%fy) pool(%pool) type(%m) usage(%m) flags("None") : !hal.buffer{%c256}
    %f1 = hal.fence.create device(%a : !hal.device) flags("None") : !hal.fence
    hal.device.queue.fill<%a : !hal.device> affinity(%any) wait(%fy) signal(%f1) target(%x : !hal.buffer)[%c0] length(%c256) pattern(%byte : i8) flags("None")
    %q = hal.command_buffer.create device(%b : !hal.device) mode("None") categories("Transfer|Dispatch") affinity(%any) bindings(%c2) : !hal.command_buffer
    hal.command_buffer.copy_buffer<%q : !hal.command_buffer> source(%c0 : index)[%c0] target(%c1 : index)[%c0] length(%c256) flags("None")
    hal.command_buffer.execution_barrier<%q : !hal.command_buffer> source(Transfer) target(Dispatch) flags("None")
    hal.command_buffer.dispatch<%q : !hal.command_buffer> target(%exe : !hal.executable)[%function] workgroups([%c1, %c1, %c1]) bindings([(%c1 : index)[%c0, %c256]]) flags("None")
    hal.command_buffer.finalize<%q : !hal.command_buffer>
    %f3 = hal.fence.create device(%b : !hal.device) flags("None") : !hal.fence
    hal.device.queue.execute.indirect<%b : !hal.device> affinity(%any) wait(%f1) signal(%f3) commands(%q) bindings([(%x : !hal.buffer)[%c0, %c256], (%y : !hal.buffer)[%c0, %c256]]) flags("None")
    util.return
  }
}
