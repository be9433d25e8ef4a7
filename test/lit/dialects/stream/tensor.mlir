// RUN: ROUNDTRIP
// RUN: GENERIC_ROUNDTRIP

// Tensors cross the border to other dialects with their encodings.
// CHECK-LABEL: @border
func.func @border(%tensor: tensor<?x4xf32>, %d: index, %size: index) {
  // CHECK: stream.tensor.import on(#hal.device.affinity<@npu>) consume %{{.*}} : tensor<?x4xf32> -> tensor<?x4xf32>{%{{.*}}} in !stream.resource<external>{%{{.*}}}
  %in = stream.tensor.import on(#hal.device.affinity<@npu>) consume %tensor : tensor<?x4xf32> -> tensor<?x4xf32>{%d} in !stream.resource<external>{%size}
  // CHECK: stream.tensor.export on(#hal.device.affinity<@npu>) %{{.*}} : tensor<?x4xf32>{%{{.*}}} in !stream.resource<external>{%{{.*}}} -> tensor<?x4xf32>
  %out = stream.tensor.export on(#hal.device.affinity<@npu>) %in : tensor<?x4xf32>{%d} in !stream.resource<external>{%size} -> tensor<?x4xf32>
  // CHECK: stream.tensor.sizeof on(#hal.device.affinity<@npu>) tensor<?x4xf32>{%{{.*}}} : index
  %bytes = stream.tensor.sizeof on(#hal.device.affinity<@npu>) tensor<?x4xf32>{%d} : index
  func.return
}

// Tensors are made whole, and in parts of others.
// CHECK-LABEL: @values
func.func @values(%x: i32, %d: index, %i: index, %size: index) {
  // CHECK: stream.tensor.empty : tensor<?x4xi32>{%{{.*}}} in !stream.resource<*>{%{{.*}}}
  %empty = stream.tensor.empty : tensor<?x4xi32>{%d} in !stream.resource<*>{%size}
  // CHECK: stream.tensor.constant on(#hal.device.affinity<@npu>) : tensor<2xi32> in !stream.resource<constant> = dense<[1, 2]> : tensor<2xi32>
  %constant = stream.tensor.constant on(#hal.device.affinity<@npu>) : tensor<2xi32> in !stream.resource<constant> = dense<[1, 2]> : tensor<2xi32>
  // CHECK: stream.tensor.splat %{{.*}} : i32 -> tensor<?x4xi32>{%{{.*}}} in !stream.resource<*>{%{{.*}}}
  %splat = stream.tensor.splat %x : i32 -> tensor<?x4xi32>{%d} in !stream.resource<*>{%size}
  // CHECK: stream.tensor.clone on(#hal.device.affinity<@npu>) %{{.*}} : tensor<?x4xi32>{%{{.*}}} in !stream.resource<*>{%{{.*}}} -> tensor<?xi32>{%{{.*}}} in !stream.resource<*>{%{{.*}}}
  %clone = stream.tensor.clone on(#hal.device.affinity<@npu>) %splat : tensor<?x4xi32>{%d} in !stream.resource<*>{%size} -> tensor<?xi32>{%d} in !stream.resource<*>{%size}
  // CHECK: stream.tensor.encode %{{.*}} : tensor<?xi32>{%{{.*}}} in !stream.resource<*>{%{{.*}}} -> tensor<?xi32>{%{{.*}}} in !stream.resource<*>{%{{.*}}} attributes {tag}
  %encoded = stream.tensor.encode %clone : tensor<?xi32>{%d} in !stream.resource<*>{%size} -> tensor<?xi32>{%d} in !stream.resource<*>{%size} attributes {tag}
  // CHECK: stream.tensor.slice %{{.*}}[%{{.*}}, %{{.*}} for %{{.*}}, %{{.*}}] : tensor<?x4xi32>{%{{.*}}} in !stream.resource<*>{%{{.*}}} -> tensor<2x2xi32> in !stream.resource<*>{%{{.*}}}
  %slice = stream.tensor.slice %splat[%i, %i for %d, %d] : tensor<?x4xi32>{%d} in !stream.resource<*>{%size} -> tensor<2x2xi32> in !stream.resource<*>{%size}
  // CHECK: stream.tensor.fill %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}} for %{{.*}}, %{{.*}}] : i32 -> tensor<?x4xi32>{%{{.*}}} in %{{.*}} as !stream.resource<*>{%{{.*}}}
  %filled = stream.tensor.fill %x, %splat[%i, %i for %d, %d] : i32 -> tensor<?x4xi32>{%d} in %splat as !stream.resource<*>{%size}
  // CHECK: stream.tensor.fill %{{.*}}, %{{.*}} : i32 -> tensor<?x4xi32>{%{{.*}}} in %{{.*}} as !stream.resource<*>{%{{.*}}}
  %cleared = stream.tensor.fill %x, %filled : i32 -> tensor<?x4xi32>{%d} in %filled as !stream.resource<*>{%size}
  // CHECK: stream.tensor.update %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] : tensor<2x2xi32> in !stream.resource<*>{%{{.*}}} -> tensor<?x4xi32>{%{{.*}}} in %{{.*}} as !stream.resource<*>{%{{.*}}}
  %updated = stream.tensor.update %slice, %cleared[%i, %i] : tensor<2x2xi32> in !stream.resource<*>{%size} -> tensor<?x4xi32>{%d} in %cleared as !stream.resource<*>{%size}
  func.return
}

// The host looks at elements.
// CHECK-LABEL: @elements
func.func @elements(%staging: !stream.resource<staging>, %i: index, %x: f32, %size: index) {
  // CHECK: stream.tensor.load %{{.*}} : tensor<f32> in !stream.resource<staging>{%{{.*}}} -> f32
  %scalar = stream.tensor.load %staging : tensor<f32> in !stream.resource<staging>{%size} -> f32
  // CHECK: stream.tensor.load %{{.*}}[%{{.*}}] : tensor<?xf32>{%{{.*}}} in !stream.resource<staging>{%{{.*}}} -> f32
  %element = stream.tensor.load %staging[%i] : tensor<?xf32>{%i} in !stream.resource<staging>{%size} -> f32
  // CHECK: stream.tensor.store %{{.*}}, %{{.*}}[%{{.*}}] : f32 -> tensor<?xf32>{%{{.*}}} in %{{.*}} as !stream.resource<staging>{%{{.*}}}
  %stored = stream.tensor.store %x, %staging[%i] : f32 -> tensor<?xf32>{%i} in %staging as !stream.resource<staging>{%size}
  // CHECK: stream.tensor.trace "seen" = [
  // CHECK-NEXT: %{{.*}} : tensor<?xf32>{%{{.*}}} in !stream.resource<staging>{%{{.*}}},
  // CHECK-NEXT: %{{.*}} : tensor<4xi8> in !stream.resource<staging>{%{{.*}}}
  // CHECK-NEXT: ]
  stream.tensor.trace "seen" = [
    %stored : tensor<?xf32>{%i} in !stream.resource<staging>{%size},
    %staging : tensor<4xi8> in !stream.resource<staging>{%size}
  ]
  func.return
}

// Dispatches on tensors and primitives; results in place, in place under another type, or new.
// CHECK-LABEL: @dispatches
func.func @dispatches(%a: !stream.resource<external>, %x: i32, %d: index, %size: index) {
  // CHECK: stream.tensor.dispatch on(#hal.device.affinity<@npu>) @ex::@fn[%{{.*}}](%{{.*}}, %{{.*}}) : (tensor<?xf32>{%{{.*}}} in !stream.resource<external>{%{{.*}}}, i32) -> tensor<?xf32>{%{{.*}}} in %{{.*}}{%{{.*}}}
  %r = stream.tensor.dispatch on(#hal.device.affinity<@npu>) @ex::@fn[%d](%a, %x) : (tensor<?xf32>{%d} in !stream.resource<external>{%size}, i32) -> tensor<?xf32>{%d} in %a{%size}
  // CHECK: stream.tensor.dispatch {@ex::@fn, @ex::@fn2}(%{{.*}}) {tag} : (tensor<4xf32> in !stream.resource<external>{%{{.*}}}) -> (tensor<4xf32> in %{{.*}} as !stream.resource<*>{%{{.*}}}, tensor<?xi8>{%{{.*}}} in !stream.resource<*>{%{{.*}}})
  %s:2 = stream.tensor.dispatch {@ex::@fn, @ex::@fn2}(%r) {tag} : (tensor<4xf32> in !stream.resource<external>{%size}) -> (tensor<4xf32> in %r as !stream.resource<*>{%size}, tensor<?xi8>{%d} in !stream.resource<*>{%size})
  func.return
}
