// RUN: ROUNDTRIP
// RUN: GENERIC_ROUNDTRIP

// An executable with exports under their own and other names, with and without counts.
// CHECK-LABEL: stream.executable private @ex attributes {tag} {
stream.executable private @ex attributes {tag} {
  // CHECK: stream.executable.export public @fn as("entry") workgroups(%{{.*}}: index) -> (index, index, index) {
  stream.executable.export public @fn as("entry") workgroups(%w: index) -> (index, index, index) {
    // CHECK: stream.return %{{.*}}, %{{.*}}, %{{.*}} : index, index, index
    stream.return %w, %w, %w : index, index, index
  }
  // CHECK: stream.executable.export public @fn{{$}}
  stream.executable.export public @fn
  builtin.module {
    func.func @fn(%binding: !stream.binding, %n: index) {
      // CHECK: stream.binding.subspan %{{.*}}[%{{.*}}] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>{%{{.*}}}
      %t = stream.binding.subspan %binding[%n] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>{%n}
      // CHECK: stream.dispatch.workgroup.id[0] : index
      %id = stream.dispatch.workgroup.id[0] : index
      // CHECK: stream.dispatch.workgroup.count[1] {tag} : index
      %count = stream.dispatch.workgroup.count[1] {tag} : index
      // CHECK: stream.dispatch.workgroup.size[2] : index
      %size = stream.dispatch.workgroup.size[2] : index
      func.return
    }
  }
}
