// RUN: ROUNDTRIP
// RUN: GENERIC_ROUNDTRIP

// A region that captures values, with dynamic results and a count of workgroups.
// CHECK-LABEL: util.func public @region(%t: tensor<?xf32>, %d: index) {
util.func public @region(%t: tensor<?xf32>, %d: index) {
  // CHECK: flow.dispatch.region[%d] -> (tensor<?xf32>{%d}) {
  %0 = flow.dispatch.region[%d] -> (tensor<?xf32>{%d}) {
    // CHECK: flow.return %t : tensor<?xf32>
    flow.return %t : tensor<?xf32>
  } count(%arg0: index) -> (index, index, index) {
    // CHECK: flow.return %arg0, %arg0, %arg0 : index, index, index
    flow.return %arg0, %arg0, %arg0 : index, index, index
  }
  // CHECK: flow.dispatch.region -> (tensor<?xf32>{%d}) attributes {tag} {
  %1 = flow.dispatch.region -> (tensor<?xf32>{%d}) attributes {tag} {
    // CHECK: flow.return %t : tensor<?xf32>
    flow.return %t : tensor<?xf32>
  }
  util.return
}

// A body that sees only its arguments, one of which is updated.
// CHECK-LABEL: util.func public @workgroups(%t: tensor<?xf32>, %d: index) {
util.func public @workgroups(%t: tensor<?xf32>, %d: index) {
  // CHECK: flow.dispatch.workgroups[%d](%t, %d) : (tensor<?xf32>{%d}, index) -> %t{%d} attributes {tag} =
  %0 = flow.dispatch.workgroups[%d](%t, %d) : (tensor<?xf32>{%d}, index) -> %t{%d} attributes {tag} =
      (%arg0: !iree_tensor_ext.dispatch.tensor<readwrite:tensor<?xf32>>, %arg1: index) {
    // CHECK: flow.dispatch.tie_shape %arg0 : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<?xf32>>{%arg1}
    %1 = flow.dispatch.tie_shape %arg0 : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<?xf32>>{%arg1}
    // CHECK: flow.dispatch.workgroup.id[0] : index
    %id = flow.dispatch.workgroup.id[0] : index
    // CHECK: flow.dispatch.workgroup.count[1] : index
    %count = flow.dispatch.workgroup.count[1] : index
    // CHECK: flow.dispatch.workgroup.size[2] {tag} : index
    %size = flow.dispatch.workgroup.size[2] {tag} : index
    // CHECK: flow.return
    flow.return
  } count(%arg2: index) -> (index, index, index) {
    // CHECK: flow.return %arg2, %arg2, %arg2 : index, index, index
    flow.return %arg2, %arg2, %arg2 : index, index, index
  }
  util.return
}
