// RUN: zc-opt --split-input-file %s -p stream-pack-dispatch-operands | filecheck %s

// An index is passed as two words and joined in the kernel; the workload stays as it is.
// CHECK-LABEL: stream.executable private @ex
stream.executable private @ex {
  stream.executable.export public @f workgroups(%n: index) -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%n)
    stream.return %x, %y, %z : index, index, index
  }
  builtin.module {
    // CHECK: func.func @f(%{{.+}}: !stream.binding, %[[LOW:.+]]: i32, %[[HIGH:.+]]: i32, %[[K:.+]]: i32, %[[B:.+]]: i32)
    func.func @f(%b: !stream.binding, %n: index, %k: i32, %s: i8) {
      // CHECK: %[[L:.+]] = arith.extui %[[LOW]] : i32 to i64
      // CHECK: %[[H:.+]] = arith.extui %[[HIGH]] : i32 to i64
      // CHECK: %[[S:.+]] = arith.shli %[[H]]
      // CHECK: %[[W:.+]] = arith.ori %[[L]], %[[S]]
      // CHECK: %[[N:.+]] = arith.index_cast %[[W]] : i64 to index
      // CHECK: %[[BYTE:.+]] = arith.trunci %[[B]] : i32 to i8
      // CHECK: "test.use"(%[[N]], %[[K]], %[[BYTE]])
      "test.use"(%n, %k, %s) : (index, i32, i8) -> ()
      func.return
    }
  }
}
// CHECK-LABEL: @dispatch
util.func public @dispatch(%r: !stream.resource<external>, %n: index, %k: i32, %s: i8) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  // CHECK: %[[W:.+]] = arith.index_cast %n : index to i64
  // CHECK: %[[HIGH64:.+]] = arith.shrui %[[W]]
  // CHECK: %[[LOW:.+]] = arith.trunci %[[W]] : i64 to i32
  // CHECK: %[[HIGH:.+]] = arith.trunci %[[HIGH64]] : i64 to i32
  // CHECK: %[[BYTE:.+]] = arith.extui %{{.+}} : i8 to i32
  // CHECK-NEXT: stream.cmd.execute
  // CHECK-NEXT: stream.cmd.dispatch @ex::@f[%n](%[[LOW]], %[[HIGH]], %k, %[[BYTE]] : i32, i32, i32, i32)
  %t = stream.cmd.execute with(%r as %arg0: !stream.resource<external>{%n}) {
    stream.cmd.dispatch @ex::@f[%n](%n, %k, %s : index, i32, i8) {
      rw %arg0[%c0 for %n] : !stream.resource<external>{%n}
    }
  } => !stream.timepoint
  util.return %t : !stream.timepoint
}

// -----

// Words already: nothing changes.
// CHECK-LABEL: @words
util.func public @words(%r: !stream.resource<external>, %n: index, %k: i32) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  // CHECK: %c0 = arith.constant 0 : index
  // CHECK-NEXT: stream.cmd.execute
  // CHECK-NEXT: stream.cmd.dispatch @ex::@f(%k : i32)
  %t = stream.cmd.execute with(%r as %arg0: !stream.resource<external>{%n}) {
    stream.cmd.dispatch @ex::@f(%k : i32) {
      rw %arg0[%c0 for %n] : !stream.resource<external>{%n}
    }
  } => !stream.timepoint
  util.return %t : !stream.timepoint
}
