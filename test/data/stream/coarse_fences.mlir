// A function of the asynchronous ABI: it waits for one fence of the caller and signals another.
module {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.func public @f(%x: !hal.buffer_view, %wait: !hal.fence, %signal: !hal.fence) -> !hal.buffer_view attributes {iree.abi.model = "coarse-fences"} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %seven = arith.constant 7 : i32
    %0 = stream.tensor.import on(#hal.device.affinity<@a>) %x : !hal.buffer_view -> tensor<4xi32> in !stream.resource<external>{%c16}
    %1 = stream.timepoint.import on(#hal.device.affinity<@a>) %wait : (!hal.fence) => !stream.timepoint
    %r, %t = stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) await(%1) => !stream.resource<external>{%c16} => !stream.timepoint
    %2 = stream.cmd.execute on(#hal.device.affinity<@a>) await(%t) => with(%0 as %i: !stream.resource<external>{%c16}, %r as %o: !stream.resource<external>{%c16}) {
      stream.cmd.invalidate %i[%c0 for %c16] : !stream.resource<external>{%c16}
      stream.cmd.copy %i[%c0], %o[%c0], %c16 : !stream.resource<external>{%c16} -> !stream.resource<external>{%c16}
      stream.cmd.fill %seven, %o[%c0 for %c8] : i32 -> !stream.resource<external>{%c16}
      stream.cmd.flush %o[%c0 for %c16] : !stream.resource<external>{%c16}
    } => !stream.timepoint
    stream.timepoint.chain_external on(#hal.device.affinity<@a>) %2 => (%signal : !hal.fence)
    %3 = stream.tensor.export on(#hal.device.affinity<@a>) %r : tensor<4xi32> in !stream.resource<external>{%c16} -> !hal.buffer_view
    util.return %3 : !hal.buffer_view
  }
}
