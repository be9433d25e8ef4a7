// RUN: zc-opt %s -p hal-elide-redundant-commands | filecheck %s
// RUN: zc-opt %s -p hal-elide-redundant-commands --remarks 2>&1 | filecheck %s --check-prefix=REMARK

// A flush is a command like any other: the barriers around it stay (IR-55).
// CHECK-LABEL: util.func public @around_a_flush
util.func public @around_a_flush(%cmd: !hal.command_buffer, %buffer: !hal.buffer, %n: index) {
  // CHECK-NEXT: hal.command_buffer.execution_barrier
  // CHECK-NEXT: hal.command_buffer.flush_buffer
  // CHECK-NEXT: hal.command_buffer.execution_barrier
  // CHECK-NEXT: util.return
  hal.command_buffer.execution_barrier<%cmd : !hal.command_buffer> source("Dispatch|Transfer") target("Dispatch|Transfer") flags("None")
  hal.command_buffer.flush_buffer<%cmd : !hal.command_buffer> target(%buffer : !hal.buffer)[%n, %n] flags("None")
  hal.command_buffer.execution_barrier<%cmd : !hal.command_buffer> source("Dispatch|Transfer") target("Dispatch|Transfer") flags("None")
  util.return
}

// Of two with nothing recorded between them one is left, which is the wider (IR-55).
// CHECK-LABEL: util.func public @next_to_each_other
// REMARK: :[[# @LINE + 1]]:1: remark: 3 barriers erased, between which nothing is recorded
util.func public @next_to_each_other(%cmd: !hal.command_buffer, %n: index) -> index {
  // CHECK-NEXT: %[[SUM:.+]] = arith.addi
  // CHECK-NEXT: hal.command_buffer.execution_barrier<{{.+}}> source("Dispatch|Transfer") target("Dispatch|Transfer")
  // CHECK-NEXT: util.return %[[SUM]]
  hal.command_buffer.execution_barrier<%cmd : !hal.command_buffer> source("Transfer") target("Dispatch") flags("None")
  hal.command_buffer.execution_barrier<%cmd : !hal.command_buffer> source("Transfer") target("Dispatch") flags("None")
  %sum = arith.addi %n, %n : index
  hal.command_buffer.execution_barrier<%cmd : !hal.command_buffer> source("Dispatch|Transfer") target("Dispatch|Transfer") flags("None")
  hal.command_buffer.execution_barrier<%cmd : !hal.command_buffer> source("Transfer") target("Transfer") flags("None")
  util.return %sum : index
}

// Neither orders all that the other does; another command buffer's is another matter; a call may
// record.
// CHECK-LABEL: util.func public @kept
util.func public @kept(%cmd: !hal.command_buffer, %other: !hal.command_buffer) {
  // CHECK-COUNT-5: hal.command_buffer.execution_barrier
  // CHECK: util.return
  hal.command_buffer.execution_barrier<%cmd : !hal.command_buffer> source("Transfer") target("Dispatch") flags("None")
  hal.command_buffer.execution_barrier<%cmd : !hal.command_buffer> source("Dispatch") target("Transfer") flags("None")
  hal.command_buffer.execution_barrier<%other : !hal.command_buffer> source("Dispatch") target("Transfer") flags("None")
  hal.command_buffer.execution_barrier<%cmd : !hal.command_buffer> source("Dispatch") target("Transfer") flags("None")
  util.call @record(%cmd) : (!hal.command_buffer) -> ()
  hal.command_buffer.execution_barrier<%cmd : !hal.command_buffer> source("Dispatch") target("Transfer") flags("None")
  util.return
}
util.func private @record(%cmd: !hal.command_buffer)
