// A buffer is filled after its dealloca.
module {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.func public @f() {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %seven = arith.constant 7 : i32
    %r, %t = stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) : !stream.resource<external>{%c16} => !stream.timepoint
    %0 = stream.resource.dealloca on(#hal.device.affinity<@a>) await(%t) => %r : !stream.resource<external>{%c16} => !stream.timepoint
    %1 = stream.cmd.execute on(#hal.device.affinity<@a>) await(%0) => with(%r as %o: !stream.resource<external>{%c16}) {
      stream.cmd.fill %seven, %o[%c0 for %c16] : i32 -> !stream.resource<external>{%c16}
    } => !stream.timepoint
    %2 = stream.timepoint.await sync %1 => %r : !stream.resource<external>{%c16}
    util.return
  }
}
