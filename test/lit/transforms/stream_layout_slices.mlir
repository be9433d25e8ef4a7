// RUN: zc-opt --split-input-file %s -p stream-layout-slices | filecheck %s

// Slices that are never alive together share bytes; all start and end at a multiple of 64.
// CHECK-LABEL: @reuse
util.func public @reuse() -> (index, index, index, index) {
  %c100 = arith.constant 100 : index
  %c64 = arith.constant 64 : index
  // CHECK-DAG: %[[TOTAL:.+]] = arith.constant 192 : index
  // CHECK-DAG: %[[ZERO:.+]] = arith.constant 0 : index
  // CHECK-DAG: %[[SECOND:.+]] = arith.constant 128 : index
  %0:4 = stream.resource.pack on(#hal.device.affinity<@a>) slices({
    [0, 1] = %c100,
    [1, 2] = %c64,
    [2, 3] = %c100
  }) : index
  // CHECK: util.return %[[TOTAL]], %[[ZERO]], %[[SECOND]], %[[ZERO]]
  util.return %0#0, %0#1, %0#2, %0#3 : index, index, index, index
}

// -----

// A larger cache line of the slab's device is the alignment.
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @a = {}, {cache_line = 256 : i64})]>} {
  util.global private @a : !hal.device
  // CHECK-LABEL: @cache_line
  util.func public @cache_line() -> (index, index, index) {
    %c100 = arith.constant 100 : index
    // CHECK-DAG: %[[TOTAL:.+]] = arith.constant 512 : index
    // CHECK-DAG: %[[SECOND:.+]] = arith.constant 256 : index
    %0:3 = stream.resource.pack on(#hal.device.affinity<@a>) slices({
      [0, 1] = %c100,
      [1, 2] = %c100
    }) : index
    // CHECK: util.return %[[TOTAL]], {{.+}}, %[[SECOND]]
    util.return %0#0, %0#1, %0#2 : index, index, index
  }
}

// -----

// Of several devices that use the slab the largest line counts: no two slices share one (IR-54).
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @a = {}, {cache_line = 64 : i64}), (@b -> @b = {}, {cache_line = 128 : i64})]>} {
  util.global private @a : !hal.device
  util.global private @b : !hal.device
  // CHECK-LABEL: @two_lines
  util.func public @two_lines() -> (index, index, index) {
    %c16 = arith.constant 16 : index
    // CHECK-DAG: %[[TOTAL:.+]] = arith.constant 256 : index
    // CHECK-DAG: %[[SECOND:.+]] = arith.constant 128 : index
    %0:3 = stream.resource.pack on(#hal.device.optimal<[#hal.device.affinity<@a>, #hal.device.affinity<@b>]>) slices({
      [0, 1] = %c16,
      [0, 1] = %c16
    }) : index
    // CHECK: util.return %[[TOTAL]], {{.+}}, %[[SECOND]]
    util.return %0#0, %0#1, %0#2 : index, index, index
  }
  // The smaller line, where its device alone uses the slab.
  // CHECK-LABEL: @one_line
  util.func public @one_line() -> (index, index, index) {
    %c16 = arith.constant 16 : index
    // CHECK-DAG: %[[TOTAL:.+]] = arith.constant 128 : index
    // CHECK-DAG: %[[SECOND:.+]] = arith.constant 64 : index
    %0:3 = stream.resource.pack on(#hal.device.affinity<@a>) slices({
      [0, 1] = %c16,
      [0, 1] = %c16
    }) : index
    // CHECK: util.return %[[TOTAL]], {{.+}}, %[[SECOND]]
    util.return %0#0, %0#1, %0#2 : index, index, index
  }
}

// -----

// Slices of one dynamic size share bytes among themselves, behind the constant ones.
// CHECK-LABEL: @dynamic
// CHECK-SAME: (%[[N:.+]]: index)
util.func public @dynamic(%n: index) -> (index, index, index, index, index) {
  %c64 = arith.constant 64 : index
  // CHECK: %[[RAISED:.+]] = arith.addi %[[N]], %c63
  // CHECK: %[[STRIDE:.+]] = arith.andi %[[RAISED]], %[[MASK:.+]] : index
  // CHECK: %[[SECOND:.+]] = arith.addi %c64, %[[STRIDE]]
  // CHECK: %[[BOTH:.+]] = arith.muli %[[STRIDE]], %c2
  // CHECK: %[[TOTAL:.+]] = arith.addi %c64, %[[BOTH]]
  %0:5 = stream.resource.pack slices({
    [0, 1] = %n,
    [1, 2] = %n,
    [2, 3] = %n,
    [0, 3] = %c64
  }) : index
  // CHECK: util.return %[[TOTAL]], %c64, %[[SECOND]], %c64, %c0
  util.return %0#0, %0#1, %0#2, %0#3, %0#4 : index, index, index, index, index
}

// -----

// A stated offset moves every slice; without slices there are no bytes.
// CHECK-LABEL: @offset
// CHECK-SAME: (%[[AT:.+]]: index)
util.func public @offset(%at: index) -> (index, index, index) {
  %c64 = arith.constant 64 : index
  // CHECK-NOT: arith.addi
  %0:2 = stream.resource.pack offset(%at) slices({
    [0, 1] = %c64
  }) : index
  %1 = stream.resource.pack slices({}) : index
  // CHECK: util.return %c64, %[[AT]], %c0
  util.return %0#0, %0#1, %1 : index, index, index
}

// -----

// What is no slab does not change.
// CHECK-LABEL: @untouched
util.func public @untouched(%n: index) -> index {
  // CHECK-NEXT: %[[C:.+]] = arith.constant 64 : index
  // CHECK-NEXT: %[[R:.+]] = arith.addi
  // CHECK-NEXT: util.return %[[R]]
  %c64 = arith.constant 64 : index
  %0 = arith.addi %n, %c64 : index
  util.return %0 : index
}
