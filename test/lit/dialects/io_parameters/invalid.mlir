// RUN: INVALID

// A key without an offset.
util.func public @f(%device: !hal.device, %fence: !hal.fence, %key: !util.buffer, %queues: i64, %buffer: !hal.buffer, %n: index) {
  // CHECK: error: 'io_parameters.gather' op expected 1 source offsets, got 0
  "io_parameters.gather"(%device, %queues, %fence, %fence, %key, %buffer, %n, %n) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1, 0, 1, 1, 1>}> : (!hal.device, i64, !hal.fence, !hal.fence, !util.buffer, !hal.buffer, index, index) -> ()
  util.return
}

// -----

// Rows of two buffers.
util.func public @f(%device: !hal.device, %fence: !hal.fence, %key: !util.buffer, %queues: i64, %a: !hal.buffer, %b: !hal.buffer, %n: index) {
  io_parameters.scatter<%device : !hal.device> affinity(%queues) wait(%fence) signal(%fence) {
    %a[%n for %n] : !hal.buffer -> %key[%queues],
    // CHECK: [[# @LINE + 1]]:5: error: expected one resource in all rows, got two
    %b[%n for %n] : !hal.buffer -> %key[%queues]
  }
  util.return
}
