// RUN: ROUNDTRIP
// RUN: GENERIC_ROUNDTRIP

// Exports with and without a workload, under their own name and another.
// CHECK-LABEL: builtin.module @executables {
builtin.module @executables {
  // CHECK: flow.executable private @ex attributes {tag} {
  flow.executable private @ex attributes {tag} {
    // CHECK: flow.executable.export public @plain
    flow.executable.export public @plain
    // CHECK: flow.executable.export private @function as("entry") attributes {tag}
    flow.executable.export private @function as("entry") attributes {tag}
    // CHECK: flow.executable.export public @counted workgroups(%arg0: index, %arg1: index) -> (index, index, index) {
    flow.executable.export public @counted workgroups(%arg0: index, %arg1: index) -> (index, index, index) {
      // CHECK: iree_tensor_ext.dispatch.workgroup_count_from_slice(%arg0, %arg1)
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%arg0, %arg1)
      // CHECK: flow.return %x, %y, %z : index, index, index
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      // CHECK: func.func @plain(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>) {
      func.func @plain(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>) {
        // CHECK: func.return
        func.return
      }
    }
  }
  // CHECK: util.func public @f(%t: tensor<4xf32>, %u: tensor<?xf32>, %d: index) {
  util.func public @f(%t: tensor<4xf32>, %u: tensor<?xf32>, %d: index) {
    // CHECK: flow.dispatch @ex::@plain(%t) : (tensor<4xf32>) -> tensor<4xf32>
    %0 = flow.dispatch @ex::@plain(%t) : (tensor<4xf32>) -> tensor<4xf32>
    // CHECK: flow.dispatch @ex::@counted[%d, %d](%u, %d) {tag} : (tensor<?xf32>{%d}, index) -> %u{%d}
    %1 = flow.dispatch @ex::@counted[%d, %d](%u, %d) {tag} : (tensor<?xf32>{%d}, index) -> %u{%d}
    // CHECK: flow.dispatch {@ex::@plain, @ex::@entry}(%t) : (tensor<4xf32>) -> tensor<4xf32>
    %2 = flow.dispatch {@ex::@plain, @ex::@entry}(%t) : (tensor<4xf32>) -> tensor<4xf32>
    // CHECK: flow.dispatch @elsewhere::@none() : () -> ()
    flow.dispatch @elsewhere::@none() : () -> ()
    util.return
  }
}

// -----

// Functions outside of the program, and their calls.
// CHECK: flow.func private @declared(%arg0: tensor<?xf32> {a.b}, %arg1: i32) -> (%arg0 as tensor<2xf32>, i32 {c.d = 1 : i32}) attributes {tag}
flow.func private @declared(%arg0: tensor<?xf32> {a.b}, %arg1: i32) -> (%arg0 as tensor<2xf32>, i32 {c.d = 1 : i32}) attributes {tag}

// CHECK: flow.func private @none()
flow.func private @none()

// CHECK-LABEL: util.func public @calls(%t: tensor<?xf32>, %d: index, %i: i32) {
util.func public @calls(%t: tensor<?xf32>, %d: index, %i: i32) {
  // CHECK: flow.call @declared(%t, %i) <arg_attrs = [{a.b}, {}]> {tag} : (tensor<?xf32>{%d}, i32) -> (%t as tensor<2xf32>, i32)
  %0, %1 = flow.call @declared(%t, %i) <arg_attrs = [{a.b}, {}]> {tag} : (tensor<?xf32>{%d}, i32) -> (%t as tensor<2xf32>, i32)
  // CHECK: flow.call @none() : () -> ()
  flow.call @none() : () -> ()
  util.return
}
