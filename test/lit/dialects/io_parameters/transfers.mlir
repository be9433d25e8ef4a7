// RUN: ROUNDTRIP
// RUN: GENERIC_ROUNDTRIP

// CHECK-LABEL: util.func public @load
util.func public @load(%device: !hal.device, %wait: !hal.fence, %signal: !hal.fence, %scope: !util.buffer, %key: !util.buffer, %queues: i64, %type: i32, %n: index) {
  // CHECK: io_parameters.load<%device : !hal.device> affinity(%queues) wait(%wait) signal(%signal) type(%type) usage(%type) {
  // CHECK-NEXT: %scope::%key[%queues] : !hal.buffer{%n},
  // CHECK-NEXT: %scope::%key[%queues] : !hal.buffer{%n}
  // CHECK-NEXT: }
  %0:2 = io_parameters.load<%device : !hal.device> affinity(%queues) wait(%wait) signal(%signal) type(%type) usage(%type) {
    %scope::%key[%queues] : !hal.buffer{%n},
    %scope::%key[%queues] : !hal.buffer{%n}
  }
  util.return
}

// CHECK-LABEL: util.func public @gather_and_scatter
util.func public @gather_and_scatter(%device: !hal.device, %wait: !hal.fence, %signal: !hal.fence, %key: !util.buffer, %queues: i64, %buffer: !hal.buffer, %n: index) {
  // CHECK: io_parameters.gather<%device : !hal.device> affinity(%queues) wait(%wait) signal(%signal) {
  // CHECK-NEXT: %key[%queues] -> %buffer[%n for %n] : !hal.buffer,
  // CHECK-NEXT: %key[%queues] -> %buffer[%n for %n] : !hal.buffer
  // CHECK-NEXT: } attributes {note}
  io_parameters.gather<%device : !hal.device> affinity(%queues) wait(%wait) signal(%signal) {
    %key[%queues] -> %buffer[%n for %n] : !hal.buffer,
    %key[%queues] -> %buffer[%n for %n] : !hal.buffer
  } attributes {note}
  // CHECK: io_parameters.scatter<%device : !hal.device> affinity(%queues) wait(%wait) signal(%signal) {
  // CHECK-NEXT: %buffer[%n for %n] : !hal.buffer -> %key::%key[%queues]
  // CHECK-NEXT: }
  io_parameters.scatter<%device : !hal.device> affinity(%queues) wait(%wait) signal(%signal) {
    %buffer[%n for %n] : !hal.buffer -> %key::%key[%queues]
  }
  util.return
}
