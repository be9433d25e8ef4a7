// RUN: zc-opt --split-input-file %s -p hal-memoize-command-buffers | filecheck %s
// RUN: zc-opt --split-input-file %s -p hal-memoize-command-buffers --remarks -o %t 2>&1 | filecheck %s --check-prefix=REMARK

// An initializer before the function records; the function loads what it stored (IR-57).
util.global private @a : !hal.device
// CHECK: util.global private @__f_memoize_0 : !hal.command_buffer
// CHECK-NEXT: util.initializer {
// CHECK: %[[A:.+]] = util.global.load immutable @a : !hal.device
// CHECK: %[[CMD:.+]] = hal.command_buffer.create device(%[[A]] : !hal.device)
// CHECK: hal.command_buffer.finalize<%[[CMD]] : !hal.command_buffer>
// CHECK-NEXT: util.global.store %[[CMD]], @__f_memoize_0 : !hal.command_buffer
// CHECK-NEXT: util.return
// CHECK-LABEL: util.func public @f
util.func public @f() -> !hal.command_buffer {
  %queues = arith.constant -1 : i64
  %c1 = arith.constant 1 : index
  %a = util.global.load immutable @a : !hal.device
  // CHECK: %[[LOADED:.+]] = util.global.load immutable @__f_memoize_0 : !hal.command_buffer
  // CHECK-NOT: hal.device.memoize
  %0 = hal.device.memoize<%a : !hal.device> affinity(%queues) -> !hal.command_buffer {
    %cmd = hal.command_buffer.create device(%a : !hal.device) mode(None) categories(Transfer) affinity(%queues) bindings(%c1) : !hal.command_buffer
    hal.command_buffer.finalize<%cmd : !hal.command_buffer>
    hal.return %cmd : !hal.command_buffer
  }
  // CHECK: util.return %[[LOADED]]
  util.return %0 : !hal.command_buffer
}

// -----

// A value of the call is not known before it: nothing changes.
util.global private @a : !hal.device
// REMARK: remark: recorded when it is first needed, not before: it takes %slots of the caller
// CHECK-LABEL: util.func public @differs
util.func public @differs(%slots: index) -> !hal.command_buffer {
  %queues = arith.constant -1 : i64
  %a = util.global.load immutable @a : !hal.device
  // CHECK: hal.device.memoize
  %0 = hal.device.memoize<%a : !hal.device> affinity(%queues) -> !hal.command_buffer {
    %cmd = hal.command_buffer.create device(%a : !hal.device) mode(None) categories(Transfer) affinity(%queues) bindings(%slots) : !hal.command_buffer
    hal.command_buffer.finalize<%cmd : !hal.command_buffer>
    hal.return %cmd : !hal.command_buffer
  }
  util.return %0 : !hal.command_buffer
}

// -----

// Nor is it where an initializer calls the function, however far up it stands.
util.global private @a : !hal.device
util.initializer {
  %0 = util.call @outer() : () -> !hal.command_buffer
  util.return
}
util.func private @outer() -> !hal.command_buffer {
  %0 = util.call @early() : () -> !hal.command_buffer
  util.return %0 : !hal.command_buffer
}
// REMARK: remark: recorded when it is first needed, not before: an initializer calls @early
// CHECK-LABEL: util.func private @early
util.func private @early() -> !hal.command_buffer {
  %queues = arith.constant -1 : i64
  %a = util.global.load immutable @a : !hal.device
  // CHECK: hal.device.memoize
  %0 = hal.device.memoize<%a : !hal.device> affinity(%queues) -> !hal.command_buffer {
    %cmd = hal.command_buffer.create device(%a : !hal.device) mode(None) categories(Transfer) affinity(%queues) : !hal.command_buffer
    hal.command_buffer.finalize<%cmd : !hal.command_buffer>
    hal.return %cmd : !hal.command_buffer
  }
  util.return %0 : !hal.command_buffer
}

// -----

// Nor what an initializer further on has still to set.
util.global private @a : !hal.device
util.global private @exe : !hal.executable
// REMARK: remark: recorded when it is first needed, not before: @exe is set by an initializer further on
// CHECK-LABEL: util.func public @waits
util.func public @waits() -> !hal.executable {
  %queues = arith.constant -1 : i64
  %a = util.global.load immutable @a : !hal.device
  // CHECK: hal.device.memoize
  %0 = hal.device.memoize<%a : !hal.device> affinity(%queues) -> !hal.executable {
    %exe = util.global.load immutable @exe : !hal.executable
    hal.return %exe : !hal.executable
  }
  util.return %0 : !hal.executable
}
util.initializer {
  %null = util.null : !hal.executable
  util.global.store %null, @exe : !hal.executable
  util.return
}
