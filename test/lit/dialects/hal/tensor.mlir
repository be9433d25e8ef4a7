// RUN: ROUNDTRIP
// RUN: GENERIC_ROUNDTRIP

// Tensors come in with every clause that an import may have, and go out.
// CHECK-LABEL: @boundary
util.func public @boundary(%view: !hal.buffer_view, %fence: !hal.fence, %n: index) -> !hal.buffer {
  // CHECK: hal.tensor.import %{{.*}} : !hal.buffer_view -> tensor<4xf32>
  %0 = hal.tensor.import %view : !hal.buffer_view -> tensor<4xf32>
  // CHECK: hal.tensor.import on(#hal.device.affinity<@d>) wait(%{{.*}}) => consume %{{.*}} offset(%{{.*}}) "x" : !hal.buffer_view -> tensor<?x2xf32> as tensor<?x2xi32>{%{{.*}}}
  %1 = hal.tensor.import on(#hal.device.affinity<@d>) wait(%fence) => consume %view offset(%n) "x" : !hal.buffer_view -> tensor<?x2xf32> as tensor<?x2xi32>{%n}
  // CHECK: hal.tensor.export on(#hal.device.promise<@d>) %{{.*}} "y" : tensor<?x2xf32> as tensor<?x2xi32>{%{{.*}}} -> !hal.buffer
  %2 = hal.tensor.export on(#hal.device.promise<@d>) %1 "y" : tensor<?x2xf32> as tensor<?x2xi32>{%n} -> !hal.buffer {tag}
  util.return %2 : !hal.buffer
}

// Results are written into given storage, transients taken from it, fences signaled.
// CHECK-LABEL: @storage
util.func public @storage(%t: tensor<?xf32>, %n: index, %storage: !hal.buffer, %fence: !hal.fence) -> (tensor<?xf32>, tensor<?xf32>) {
  // CHECK: hal.tensor.alias on(#hal.device.affinity<@d>) wait(%{{.*}}) => %{{.*}} : tensor<?xf32>{%{{.*}}} to %{{.*}} : !hal.buffer
  %0 = hal.tensor.alias on(#hal.device.affinity<@d>) wait(%fence) => %t : tensor<?xf32>{%n} to %storage : !hal.buffer
  // CHECK: hal.tensor.transients %{{.*}} : tensor<?xf32>{%{{.*}}} from %{{.*}} : !hal.buffer
  %1 = hal.tensor.transients %0 : tensor<?xf32>{%n} from %storage : !hal.buffer
  // CHECK: hal.tensor.barrier join(%{{.*}}, %{{.*}} : tensor<?xf32>, tensor<?xf32>) => %{{.*}} : !hal.fence
  %2:2 = hal.tensor.barrier join(%0, %1 : tensor<?xf32>, tensor<?xf32>) => %fence : !hal.fence
  util.return %2#0, %2#1 : tensor<?xf32>, tensor<?xf32>
}

// A kernel of object files, with a condition for one of its targets.
// CHECK-LABEL: @extern
util.func public @extern(%t: tensor<?xi32>, %u: tensor<8xi32>, %n: index) -> (tensor<8xi32>, tensor<?xi32>) {
  // CHECK: hal.dispatch.extern "k"[%{{.*}}](%{{.*}}, %{{.*}}) : (tensor<?xi32>{%{{.*}}}, tensor<8xi32>) -> (%{{.*}}, tensor<?xi32>{%{{.*}}}) count(%{{.*}}: !hal.device, %{{.*}}: index) -> (index, index, index) {
  %0:2 = hal.dispatch.extern "k"[%n](%t, %u) : (tensor<?xi32>{%n}, tensor<8xi32>) -> (%u, tensor<?xi32>{%n}) count(%device: !hal.device, %x: index) -> (index, index, index) {
    hal.return %x, %x, %x : index, index, index
    // CHECK: } layout(<bindings = [#hal.pipeline.binding<storage_buffer>]>) objects({
  } layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>]>) objects({
    // CHECK: #hal.executable.target<"llvm-cpu", "a"> ordinal(0) = [#hal.executable.object<{path = "a.o"}>],
    #hal.executable.target<"llvm-cpu", "a"> ordinal(0) = [#hal.executable.object<{path = "a.o"}>],
    // CHECK: #hal.executable.target<"llvm-cpu", "b"> if(%{{.*}}: !hal.device) -> i1 {
    #hal.executable.target<"llvm-cpu", "b"> if(%device: !hal.device) -> i1 {
      %yes = arith.constant true
      hal.return %yes : i1
      // CHECK: } ordinal(1) = [#hal.executable.object<{path = "b.o"}>]
    } ordinal(1) = [#hal.executable.object<{path = "b.o"}>]
    // CHECK: }) <subgroup_size = 4>
  }) <subgroup_size = 4>
  util.return %0#0, %0#1 : tensor<8xi32>, tensor<?xi32>
}
