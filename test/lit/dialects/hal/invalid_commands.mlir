// What can be refused of commands and submissions before they run.

// RUN: INVALID

// A slot that the command buffer does not declare (B57); the one below is declared.
util.func public @slot(%device: !hal.device, %queue: i64, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %cmd = hal.command_buffer.create device(%device : !hal.device) mode("None") categories(Transfer) affinity(%queue) bindings(%c1) : !hal.command_buffer
  hal.command_buffer.fill_buffer<%cmd : !hal.command_buffer> target(%c0 : index)[%c0, %c0] pattern(%v : i32) flags("None")
  // CHECK: [[# @LINE + 1]]:3: error: 'hal.command_buffer.fill_buffer' op expected one of the 1 binding slots of the command buffer, got slot 1; declare more with bindings(…) or name the buffer
  hal.command_buffer.fill_buffer<%cmd : !hal.command_buffer> target(%c1 : index)[%c0, %c0] pattern(%v : i32) flags("None")
  util.return
}

// -----

// Maintenance of a slot where none is declared.
util.func public @no_slots(%device: !hal.device, %queue: i64) {
  %c0 = arith.constant 0 : index
  %cmd = hal.command_buffer.create device(%device : !hal.device) mode("None") categories(Transfer) affinity(%queue) : !hal.command_buffer
  // CHECK: [[# @LINE + 1]]:3: error: 'hal.command_buffer.flush_buffer' op expected one of the 0 binding slots of the command buffer, got slot 0; declare more with bindings(…) or name the buffer
  hal.command_buffer.flush_buffer<%cmd : !hal.command_buffer> target(%c0 : index)[%c0, %c0] flags("None")
  util.return
}

// -----

// A slot is never negative, whatever is declared.
util.func public @negative(%cmd: !hal.command_buffer, %exe: !hal.executable, %f: i64) {
  %c0 = arith.constant 0 : index
  %m1 = arith.constant -1 : index
  // CHECK: [[# @LINE + 1]]:3: error: 'hal.command_buffer.dispatch' op expected a binding slot of the command buffer, got slot -1; declare more with bindings(…) or name the buffer
  hal.command_buffer.dispatch<%cmd : !hal.command_buffer> target(%exe : !hal.executable)[%f] workgroups([%c0, %c0, %c0]) bindings([(%m1 : index)[%c0, %c0]]) flags("None")
  util.return
}

// -----

util.func public @capacity(%device: !hal.device, %queue: i64) {
  %m1 = arith.constant -1 : index
  // CHECK: [[# @LINE + 1]]:3: error: 'hal.command_buffer.create' op expected a number of binding slots, got -1
  %cmd = hal.command_buffer.create device(%device : !hal.device) mode("None") categories(Transfer) affinity(%queue) bindings(%m1) : !hal.command_buffer
  util.return
}

// -----

util.func public @bindings(%cmd: !hal.command_buffer, %exe: !hal.executable, %f: i64, %n: index, %buffer: !hal.buffer) {
  // CHECK: [[# @LINE + 1]]:3: error: 'hal.command_buffer.dispatch' op expected an offset and a length for each of the 1 binding buffers, got 1 offsets and 0 lengths
  "hal.command_buffer.dispatch"(%cmd, %exe, %f, %n, %n, %n, %buffer, %n) <{flags = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 0, 1, 1, 0>}> : (!hal.command_buffer, !hal.executable, i64, index, index, index, !hal.buffer, index) -> ()
  util.return
}

// -----

// Ranges outside of a buffer of constant size.
util.func public @outside(%cmd: !hal.command_buffer, %allocator: !hal.allocator, %queue: i64, %bits: i32) {
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %buffer = hal.allocator.allocate<%allocator : !hal.allocator> affinity(%queue) type(%bits) usage(%bits) : !hal.buffer{%c64}
  hal.command_buffer.invalidate_buffer<%cmd : !hal.command_buffer> target(%buffer : !hal.buffer)[%c32, %c32] flags("None")
  // CHECK: [[# @LINE + 1]]:3: error: 'hal.command_buffer.invalidate_buffer' op expected a maintained range within [0, 64), got [32, 96); shorten it or enlarge the resource
  hal.command_buffer.invalidate_buffer<%cmd : !hal.command_buffer> target(%buffer : !hal.buffer)[%c32, %c64] flags("None")
  util.return
}

// -----

util.func public @backwards(%cmd: !hal.command_buffer, %buffer: !hal.buffer, %v: i8) {
  %c0 = arith.constant 0 : index
  %m8 = arith.constant -8 : index
  // CHECK: [[# @LINE + 1]]:3: error: 'hal.command_buffer.fill_buffer' op expected a written range of ascending bytes, got [0, -8)
  hal.command_buffer.fill_buffer<%cmd : !hal.command_buffer> target(%buffer : !hal.buffer)[%c0, %m8] pattern(%v : i8) flags("None")
  util.return
}

// -----

util.func public @host_source(%cmd: !hal.command_buffer, %bytes: !util.buffer, %buffer: !hal.buffer) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  // CHECK: [[# @LINE + 1]]:3: error: 'hal.command_buffer.update_buffer' op expected a source range within [0, 8), got [0, 16); shorten it or enlarge the resource
  hal.command_buffer.update_buffer<%cmd : !hal.command_buffer> source(%bytes : !util.buffer{%c8})[%c0] target(%buffer : !hal.buffer)[%c0] length(%c16) flags("None")
  util.return
}

// -----

// A copy within one slot overlaps; ranges that only touch do not.
util.func public @overlap(%cmd: !hal.command_buffer) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  hal.command_buffer.copy_buffer<%cmd : !hal.command_buffer> source(%c0 : index)[%c0] target(%c0 : index)[%c8] length(%c8) flags("None")
  // CHECK: [[# @LINE + 1]]:3: error: 'hal.command_buffer.copy_buffer' op expected ranges apart in one buffer, got [0, 16) and [8, 24); copy by way of another buffer
  hal.command_buffer.copy_buffer<%cmd : !hal.command_buffer> source(%c0 : index)[%c0] target(%c0 : index)[%c8] length(%c16) flags("None")
  util.return
}

// -----

util.func public @pattern(%device: !hal.device, %queue: i64, %wait: !hal.fence, %signal: !hal.fence, %buffer: !hal.buffer, %v: i32) {
  %c0 = arith.constant 0 : index
  %c6 = arith.constant 6 : index
  // CHECK: [[# @LINE + 1]]:3: error: 'hal.device.queue.fill' op expected a fill length that is a multiple of the pattern's 4 bytes, got 6
  hal.device.queue.fill<%device : !hal.device> affinity(%queue) wait(%wait) signal(%signal) target(%buffer : !hal.buffer)[%c0] length(%c6) pattern(%v : i32) flags("None")
  util.return
}

// -----

util.func public @pattern_type(%cmd: !hal.command_buffer, %buffer: !hal.buffer, %n: index, %v: i64) {
  // CHECK: [[# @LINE + 1]]:3: error: expected one of i8, i16, i32, got i64
  hal.command_buffer.fill_buffer<%cmd : !hal.command_buffer> target(%buffer : !hal.buffer)[%n, %n] pattern(%v : i64) flags("None")
  util.return
}

// -----

util.func public @reference(%cmd: !hal.command_buffer, %fence: !hal.fence, %n: index) {
  // CHECK: [[# @LINE + 1]]:3: error: expected one of !hal.buffer, index, got !hal.fence
  hal.command_buffer.discard_buffer<%cmd : !hal.command_buffer> target(%fence : !hal.fence)[%n, %n] flags("None")
  util.return
}

// -----

// One fence to wait for and to signal would never be reached.
util.func public @one_fence(%device: !hal.device, %queue: i64, %fence: !hal.fence) {
  // CHECK: [[# @LINE + 1]]:3: error: 'hal.device.queue.barrier' op expected two fences, got one to wait for and to signal; it would never start
  hal.device.queue.barrier<%device : !hal.device> affinity(%queue) wait(%fence) signal(%fence) flags("None")
  util.return
}

// -----

util.func public @size(%device: !hal.device, %queue: i64, %wait: !hal.fence, %signal: !hal.fence, %bits: i32) {
  %m1 = arith.constant -1 : index
  // CHECK: [[# @LINE + 1]]:3: error: 'hal.device.queue.alloca' op expected a size in bytes, got -1
  %0 = hal.device.queue.alloca<%device : !hal.device> affinity(%queue) wait(%wait) signal(%signal) pool(%queue) type(%bits) usage(%bits) flags("None") : !hal.buffer{%m1}
  util.return
}

// -----

// A table must fill all slots (B57); the first submission has both buffers.
util.func public @table(%device: !hal.device, %queue: i64, %wait: !hal.fence, %signal: !hal.fence, %n: index, %buffer: !hal.buffer) {
  %c2 = arith.constant 2 : index
  %cmd = hal.command_buffer.create device(%device : !hal.device) mode("None") categories(Transfer) affinity(%queue) bindings(%c2) : !hal.command_buffer
  hal.device.queue.execute.indirect<%device : !hal.device> affinity(%queue) wait(%wait) signal(%signal) commands(%cmd) bindings([(%buffer : !hal.buffer)[%n, %n], (%buffer : !hal.buffer)[%n, %n]]) flags("None")
  // CHECK: [[# @LINE + 1]]:3: error: 'hal.device.queue.execute.indirect' op expected buffers for the 2 binding slots of the command buffer, got 1
  hal.device.queue.execute.indirect<%device : !hal.device> affinity(%queue) wait(%wait) signal(%signal) commands(%cmd) bindings([(%buffer : !hal.buffer)[%n, %n]]) flags("None")
  util.return
}

// -----

util.func public @no_table(%device: !hal.device, %queue: i64, %wait: !hal.fence, %signal: !hal.fence) {
  %c2 = arith.constant 2 : index
  %cmd = hal.command_buffer.create device(%device : !hal.device) mode("None") categories(Transfer) affinity(%queue) bindings(%c2) : !hal.command_buffer
  // CHECK: [[# @LINE + 1]]:3: error: 'hal.device.queue.execute' op expected buffers for the 2 binding slots of the command buffer, got 0
  hal.device.queue.execute<%device : !hal.device> affinity(%queue) wait(%wait) signal(%signal) commands(%cmd) flags("None")
  util.return
}

// -----

util.func public @bound_range(%device: !hal.device, %queue: i64, %wait: !hal.fence, %signal: !hal.fence, %cmd: !hal.command_buffer, %whole: !hal.buffer) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c9 = arith.constant 9 : index
  %part = hal.buffer.subspan<%whole : !hal.buffer>[%c0, %c8] : !hal.buffer
  // CHECK: [[# @LINE + 1]]:3: error: 'hal.device.queue.execute.indirect' op expected a bound range within [0, 8), got [0, 9); shorten it or enlarge the resource
  hal.device.queue.execute.indirect<%device : !hal.device> affinity(%queue) wait(%wait) signal(%signal) commands(%cmd) bindings([(%part : !hal.buffer)[%c0, %c9]]) flags("None")
  util.return
}

// -----

// Parts and views of a buffer lie within it.
util.func public @part(%whole: !hal.buffer) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c9 = arith.constant 9 : index
  %part = hal.buffer.subspan<%whole : !hal.buffer>[%c9, %c8] : !hal.buffer
  // CHECK: [[# @LINE + 1]]:3: error: 'hal.buffer.subspan' op expected a subspan range within [0, 8), got [0, 9); shorten it or enlarge the resource
  %too_long = hal.buffer.subspan<%part : !hal.buffer>[%c0, %c9] : !hal.buffer
  util.return
}

// -----

util.func public @view(%whole: !hal.buffer, %type: i32) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %part = hal.buffer.subspan<%whole : !hal.buffer>[%c0, %c8] : !hal.buffer
  // CHECK: [[# @LINE + 1]]:3: error: 'hal.buffer_view.create' op expected a viewed range within [0, 8), got [8, 16); shorten it or enlarge the resource
  %view = hal.buffer_view.create buffer(%part : !hal.buffer)[%c8, %c8] shape([%c8]) type(%type) encoding(%type) : !hal.buffer_view
  util.return
}
