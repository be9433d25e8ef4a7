// The host stores 9 as the second element of what a kernel made, and loads the third one of what
// another kernel made of that. Both are in memory that host and device share, without a copy.
module {
  util.global private @a = #hal.device.target<"local", {ordinal = 0 : index}, [#hal.executable.target<"vmvx", "vmvx-bytecode-fb">]> : !hal.device
  flow.executable private @make {
    flow.executable.export public @f workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f(%a0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<16xi32>>, %k: i32, %o: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16xi32>>) {
        %x0 = iree_tensor_ext.dispatch.tensor.load %a0, offsets = [0], sizes = [16], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<16xi32>> -> tensor<16xi32>
        %init = tensor.empty() : tensor<16xi32>
        %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
            ins(%x0 : tensor<16xi32>) outs(%init : tensor<16xi32>) {
        ^bb0(%e0: i32, %old: i32):
        %m0 = linalg.index 0 : index
        %s0 = arith.index_cast %m0 : index to i32
        %t0 = arith.addi %s0, %k : i32
        %c0 = arith.constant 3 : i32
        %p0 = arith.muli %e0, %c0 : i32
        %t1 = arith.addi %t0, %p0 : i32
          linalg.yield %t1 : i32
        } -> tensor<16xi32>
        iree_tensor_ext.dispatch.tensor.store %r, %o, offsets = [0], sizes = [16], strides = [1]
            : tensor<16xi32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16xi32>>
        return
      }
    }
  }
  util.func public @main(%arg0: !hal.buffer_view) -> (i32, !hal.buffer_view) {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    %k = arith.constant 7 : i32
    %v = arith.constant 9 : i32
    %i = stream.tensor.import on(#hal.device.affinity<@a>) %arg0 : !hal.buffer_view -> tensor<16xi32> in !stream.resource<external>{%c64}
    %x = stream.async.cast on(#hal.device.affinity<@a>) %i : !stream.resource<external>{%c64} -> !stream.resource<*>{%c64}
    %0 = stream.async.dispatch on(#hal.device.affinity<@a>) @make::@f(%k, %x[%c0 to %c64 for %c64]) : (i32, !stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
    %1 = stream.async.transfer %0 : !stream.resource<*>{%c64} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@a>) !stream.resource<staging>{%c64} attributes {stream.transfer_kind = "alias"}
    %2 = stream.async.store %v, %1[%c4] : i32 -> %1 as !stream.resource<staging>{%c64}
    %3 = stream.async.transfer %2 : !stream.resource<staging>{%c64} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@a>) !stream.resource<*>{%c64} attributes {stream.transfer_kind = "alias"}
    %4 = stream.async.dispatch on(#hal.device.affinity<@a>) @make::@f(%k, %3[%c0 to %c64 for %c64]) : (i32, !stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
    %5 = stream.async.transfer %4 : !stream.resource<*>{%c64} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@a>) !stream.resource<staging>{%c64} attributes {stream.transfer_kind = "alias"}
    %6 = stream.async.load %5[%c8] : !stream.resource<staging>{%c64} -> i32
    %7 = stream.async.dispatch on(#hal.device.affinity<@a>) @make::@f(%k, %4[%c0 to %c64 for %c64]) : (i32, !stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
    %8 = stream.async.cast on(#hal.device.affinity<@a>) %7 : !stream.resource<*>{%c64} -> !stream.resource<external>{%c64}
    %9 = stream.tensor.export on(#hal.device.affinity<@a>) %8 : tensor<16xi32> in !stream.resource<external>{%c64} -> !hal.buffer_view
    util.return %6, %9 : i32, !hal.buffer_view
  }
}
