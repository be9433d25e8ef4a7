// RUN: zc-opt %s -p flow-to-stream | filecheck %s

// Memory holds an i1 as a byte, and so do bindings: what is loaded becomes i1 again, and what is
// stored becomes bytes before. Other elements stay as they are.
// CHECK: stream.executable private @ex
// CHECK: %[[OUT:.+]] = stream.binding.subspan %c[%{{.+}}] : {{.+}}<readwrite:tensor<4xi8>>
// CHECK: %[[OTHER:.+]] = stream.binding.subspan %b[%{{.+}}] : {{.+}}<readonly:tensor<4xi32>>
// CHECK: %[[IN:.+]] = stream.binding.subspan %a[%{{.+}}] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xi8>>{%n}
// CHECK: %[[BYTES:.+]] = iree_tensor_ext.dispatch.tensor.load %[[IN]], {{.+}} -> tensor<4xi8>
// CHECK-NEXT: %[[I1:.+]] = arith.trunci %[[BYTES]] : tensor<4xi8> to tensor<4xi1>
// CHECK: iree_tensor_ext.dispatch.tensor.load %[[OTHER]], {{.+}} -> tensor<4xi32>
// CHECK: %[[STORED:.+]] = arith.extui %[[I1]] : tensor<4xi1> to tensor<4xi8>
// CHECK-NEXT: iree_tensor_ext.dispatch.tensor.store %[[STORED]], %[[OUT]], {{.+}} : tensor<4xi8> ->
flow.executable private @ex {
  flow.executable.export public @f
  builtin.module {
    func.func @f(%a: !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xi1>>, %b: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xi32>>, %c: !iree_tensor_ext.dispatch.tensor<readwrite:tensor<4xi1>>, %n: index) {
      %0 = flow.dispatch.tie_shape %a : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xi1>>{%n}
      %1 = iree_tensor_ext.dispatch.tensor.load %0, offsets = [0], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xi1>>{%n} -> tensor<4xi1>
      %2 = iree_tensor_ext.dispatch.tensor.load %b, offsets = [0], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xi32>> -> tensor<4xi32>
      iree_tensor_ext.dispatch.tensor.store %1, %c, offsets = [0], sizes = [4], strides = [1] : tensor<4xi1> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<4xi1>>
      return
    }
  }
}
