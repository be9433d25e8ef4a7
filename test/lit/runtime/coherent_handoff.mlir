// RUN: zc-run %s --function=f --input=256xi8=3 --check --stats | filecheck %s

// On coherent shared memory a handoff is order alone: npu waits for cpu, and there are no copies,
// no maintenance, and no submission of its own (IR-41, IR-42). The two values are two allocations.
// CHECK: right under every schedule
// CHECK-NOT: copy_cmds
// CHECK-NOT: flush
// CHECK-NOT: invalidate
// CHECK: allocs {{.*}} 2
// CHECK: submits 0 1 1 2
// CHECK: waits 0 0 1 1
// CHECK: result[0]: hal.buffer_view
// CHECK-NEXT: 256xi8=8 8 8

#map = affine_map<(d0) -> (d0)>
module attributes {stream.topology = #hal.device.topology<links = [
  (@cpu -> @npu = {unified_memory = true}, {coherent = true}),
  (@npu -> @cpu = {unified_memory = true}, {coherent = true}),
  (@cpu -> @cpu = {}, {host_coherent = true})
]>, stream.affinity.default = #hal.device.affinity<@cpu>} {
  util.global private @cpu = #hal.device.target<"local", {ordinal = 0 : index}, [#hal.executable.target<"vmvx", "vmvx-bytecode-fb">]> : !hal.device
  util.global private @npu = #hal.device.target<"local", {ordinal = 1 : index}, [#hal.executable.target<"vmvx", "vmvx-bytecode-fb">]> : !hal.device
  flow.executable private @plus_one {
    flow.executable.export public @f workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<256xi8>>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<256xi8>>) {
        %c1 = arith.constant 1 : i8
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0], sizes = [256], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<256xi8>> -> tensor<256xi8>
        %1 = tensor.empty() : tensor<256xi8>
        %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%0 : tensor<256xi8>) outs(%1 : tensor<256xi8>) {
        ^bb0(%in: i8, %out: i8):
          %3 = arith.addi %in, %c1 : i8
          linalg.yield %3 : i8
        } -> tensor<256xi8>
        iree_tensor_ext.dispatch.tensor.store %2, %arg1, offsets = [0], sizes = [256], strides = [1] : tensor<256xi8> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<256xi8>>
        return
      }
    }
  }
  flow.executable private @twice {
    flow.executable.export public @f workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<256xi8>>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<256xi8>>) {
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0], sizes = [256], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<256xi8>> -> tensor<256xi8>
        %1 = tensor.empty() : tensor<256xi8>
        %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%0 : tensor<256xi8>) outs(%1 : tensor<256xi8>) {
        ^bb0(%in: i8, %out: i8):
          %3 = arith.addi %in, %in : i8
          linalg.yield %3 : i8
        } -> tensor<256xi8>
        iree_tensor_ext.dispatch.tensor.store %2, %arg1, offsets = [0], sizes = [256], strides = [1] : tensor<256xi8> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<256xi8>>
        return
      }
    }
  }
  util.func public @f(%arg0: !hal.buffer_view) -> !hal.buffer_view {
    %0 = hal.tensor.import %arg0 "input0" : !hal.buffer_view -> tensor<256xi8>
    %1 = flow.dispatch @plus_one::@f(%0) : (tensor<256xi8>) -> tensor<256xi8>
    %2 = flow.tensor.transfer %1 : tensor<256xi8> to #hal.device.affinity<@npu>
    %3 = flow.dispatch @twice::@f(%2) : (tensor<256xi8>) -> tensor<256xi8>
    %4 = hal.tensor.export on(#hal.device.affinity<@npu>) %3 "output0" : tensor<256xi8> -> !hal.buffer_view
    util.return %4 : !hal.buffer_view
  }
}
