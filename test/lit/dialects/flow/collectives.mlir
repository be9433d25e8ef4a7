// RUN: ROUNDTRIP
// RUN: GENERIC_ROUNDTRIP

// Channels: the default one, a named one, a part of one, and what is known of them.
// CHECK-LABEL: util.func public @channels(%i: index) {
util.func public @channels(%i: index) {
  // CHECK: flow.channel.default : !flow.channel
  %0 = flow.channel.default : !flow.channel
  // CHECK: flow.channel.default "group" : !flow.channel
  %1 = flow.channel.default "group" : !flow.channel
  // CHECK: flow.channel.split %0, %i, %i : !flow.channel -> !flow.channel
  %2 = flow.channel.split %0, %i, %i : !flow.channel -> !flow.channel
  // CHECK: flow.channel.rank %0 : index
  %rank = flow.channel.rank %0 : index
  // CHECK: flow.channel.count %0 : index attributes {tag}
  %count = flow.channel.count %0 : index attributes {tag}
  util.return
}

// Exchanges; the result is the target, updated.
// CHECK-LABEL: util.func public @exchanges(%t: tensor<4xf32>, %u: tensor<?xf32>, %d: index, %c: !flow.channel) {
util.func public @exchanges(%t: tensor<4xf32>, %u: tensor<?xf32>, %d: index, %c: !flow.channel) {
  // CHECK: flow.collective.all_gather f32, %t, %t, %c : (tensor<4xf32>, tensor<4xf32>, !flow.channel) -> %t as tensor<4xf32>
  %0 = flow.collective.all_gather f32, %t, %t, %c : (tensor<4xf32>, tensor<4xf32>, !flow.channel) -> %t as tensor<4xf32>
  // CHECK: flow.collective.all_to_all f32, %u, %t, %c : (tensor<?xf32>, tensor<4xf32>, !flow.channel) -> %u as tensor<?xf32>{%d}
  %1 = flow.collective.all_to_all f32, %u, %t, %c : (tensor<?xf32>, tensor<4xf32>, !flow.channel) -> %u as tensor<?xf32>{%d}
  // CHECK: flow.collective.all_reduce sum, f32, %t, %t, %c : (tensor<4xf32>, tensor<4xf32>, !flow.channel) -> %t as tensor<4xf32>
  %2 = flow.collective.all_reduce sum, f32, %t, %t, %c : (tensor<4xf32>, tensor<4xf32>, !flow.channel) -> %t as tensor<4xf32>
  // CHECK: flow.collective.reduce_scatter maximum, f32, %t, %t, %c : (tensor<4xf32>, tensor<4xf32>, !flow.channel) -> %t as tensor<4xf32>
  %3 = flow.collective.reduce_scatter maximum, f32, %t, %t, %c : (tensor<4xf32>, tensor<4xf32>, !flow.channel) -> %t as tensor<4xf32>
  // CHECK: flow.collective.send_recv f32, %t, %t, %c, %d, %d : (tensor<4xf32>, tensor<4xf32>, !flow.channel, index, index) -> %t as tensor<4xf32> attributes {tag}
  %4 = flow.collective.send_recv f32, %t, %t, %c, %d, %d : (tensor<4xf32>, tensor<4xf32>, !flow.channel, index, index) -> %t as tensor<4xf32> attributes {tag}
  util.return
}

// Parameters with and without a scope.
// CHECK-LABEL: util.func public @parameters(%scope: !util.buffer, %key: !util.buffer, %o: i64, %d: index, %t: tensor<4xf32>) {
util.func public @parameters(%scope: !util.buffer, %key: !util.buffer, %o: i64, %d: index, %t: tensor<4xf32>) {
  // CHECK: flow.parameter.load %scope::%key[%o] : tensor<?xf32>{%d}
  %0 = flow.parameter.load %scope::%key[%o] : tensor<?xf32>{%d}
  // CHECK: flow.parameter.load %key[%o] : tensor<4xf32>
  %1 = flow.parameter.load %key[%o] : tensor<4xf32>
  // CHECK: flow.parameter.write %t -> %scope::%key[%o] : tensor<4xf32>
  %2 = flow.parameter.write %t -> %scope::%key[%o] : tensor<4xf32>
  // CHECK: flow.parameter.write %t -> %key[%o] : tensor<4xf32> attributes {tag}
  %3 = flow.parameter.write %t -> %key[%o] : tensor<4xf32> attributes {tag}
  util.return
}
