// RUN: not --code 2 zc-opt --split-input-file %s -p hal-verify-coherence 2>&1 | filecheck %s

// What is not followed is an error and not silence.
// CHECK: error: 'hal.device.queue.execute.indirect' op executes one of 2 command buffers; which one is not followed, execute each on its own path
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.func public @either(%n: i1) {
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
    hal.command_buffer.finalize<%p : !hal.command_buffer>
    %q = hal.command_buffer.create device(%a : !hal.device) mode("None") categories("Transfer|Dispatch") affinity(%any) bindings(%c1) : !hal.command_buffer
    hal.command_buffer.fill_buffer<%q : !hal.command_buffer> target(%c0 : index)[%c0, %c64] pattern(%byte : i8) flags("None")
    hal.command_buffer.fill_buffer<%q : !hal.command_buffer> target(%c0 : index)[%c0, %c64] pattern(%byte : i8) flags("None")
    hal.command_buffer.finalize<%q : !hal.command_buffer>
    %either = arith.select %n, %p, %q : !hal.command_buffer
    %f1 = hal.fence.create device(%a : !hal.device) flags("None") : !hal.fence
    hal.device.queue.execute.indirect<%a : !hal.device> affinity(%any) wait(%fy) signal(%f1) commands(%either) bindings([(%x : !hal.buffer)[%c0, %c64]]) flags("None")
    util.return
  }
}

// -----

// CHECK: error: 'hal.command_buffer.fill_buffer' op is recorded in another block than its command buffer is created in; all paths of a recording with control flow are not followed
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.func public @two_blocks() {
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
    cf.br ^bb1
  ^bb1:
    hal.command_buffer.fill_buffer<%p : !hal.command_buffer> target(%c0 : index)[%c0, %c64] pattern(%byte : i8) flags("None")
    hal.command_buffer.finalize<%p : !hal.command_buffer>
    %f1 = hal.fence.create device(%a : !hal.device) flags("None") : !hal.fence
    hal.device.queue.execute.indirect<%a : !hal.device> affinity(%any) wait(%fy) signal(%f1) commands(%p) bindings([(%x : !hal.buffer)[%c0, %c64]]) flags("None")
    util.return
  }
}

// -----

// CHECK: error: 'hal.device.queue.execute' op executes a command buffer whose recording is not in this module
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.func public @foreign(%p: !hal.command_buffer) {
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
    %f1 = hal.fence.create device(%a : !hal.device) flags("None") : !hal.fence
    hal.device.queue.execute<%a : !hal.device> affinity(%any) wait(%null) signal(%f1) commands(%p) flags("None")
    util.return
  }
}

// -----

// CHECK: error: 'hal.device.queue.barrier' op runs on a device that is not known; load it from its global
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.func public @unknown(%d: !hal.device) {
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
    %f1 = hal.fence.create device(%a : !hal.device) flags("None") : !hal.fence
    hal.device.queue.barrier<%d : !hal.device> affinity(%any) wait(%null) signal(%f1) flags("None")
    util.return
  }
}

// -----

// CHECK: error: 'hal.device.queue.alloca' op takes memory of a device that is not known; load it from its global
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.func public @unknown_pool(%d: !hal.device) {
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
    %f1 = hal.fence.create device(%a : !hal.device) flags("None") : !hal.fence
    %x = hal.device.queue.alloca<%d : !hal.device> affinity(%any) wait(%null) signal(%f1) pool(%pool) type(%m) usage(%m) flags("None") : !hal.buffer{%c64}
    util.return
  }
}

// -----

// CHECK: error: 'hal.device.queue.barrier' op runs on one of @b, @a, by the path that is taken; name one device
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.func public @either_device(%n: i1) {
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
    %f1 = hal.fence.create device(%a : !hal.device) flags("None") : !hal.fence
    %d = arith.select %n, %a, %b : !hal.device
    hal.device.queue.barrier<%d : !hal.device> affinity(%any) wait(%null) signal(%f1) flags("None")
    util.return
  }
}

// -----

// CHECK: error: 'hal.command_buffer.fill_buffer' op names a slot of the binding table that is not a constant, or not bound
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.func public @slot(%s: index) {
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
    hal.command_buffer.fill_buffer<%p : !hal.command_buffer> target(%s : index)[%c0, %c64] pattern(%byte : i8) flags("None")
    hal.command_buffer.finalize<%p : !hal.command_buffer>
    %f1 = hal.fence.create device(%a : !hal.device) flags("None") : !hal.fence
    hal.device.queue.execute.indirect<%a : !hal.device> affinity(%any) wait(%fy) signal(%f1) commands(%p) bindings([(%x : !hal.buffer)[%c0, %c64]]) flags("None")
    util.return
  }
}

// -----

// CHECK: error: 'arith.select' op gives a buffer that is not followed; cache maintenance of it is not known
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.func public @either_buffer(%n: i1) {
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
    %z = arith.select %n, %x, %y : !hal.buffer
    util.return
  }
}

// -----

// CHECK: error: 'stream.timepoint.immediate' op is not legal once the program is at hal level (hal-verify-coherence); run zc-to-hal
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}), (@b -> @a = {unified_memory = true})]>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.func public @stream() {
    %t = stream.timepoint.immediate => !stream.timepoint
    util.return
  }
}
