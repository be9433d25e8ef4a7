// Resources and timepoints where a host program may carry them, at the cmd phase. Each function
// takes 16 x i32 and gives 16 x i32.

#a = #hal.device.affinity<@a>
#b = #hal.device.affinity<@b>
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true}, {coherent = true}), (@b -> @a = {unified_memory = true}, {coherent = true}), (@a -> @a = {}, {host_coherent = true}), (@b -> @b = {}, {host_coherent = true})]>} {
  util.global private @a = #hal.device.target<"local", {ordinal = 0 : index}, [#hal.executable.target<"vmvx", "vmvx-bytecode-fb">]> : !hal.device
  util.global private @b = #hal.device.target<"local", {ordinal = 1 : index}, [#hal.executable.target<"vmvx", "vmvx-bytecode-fb">]> : !hal.device

  util.global private @table : !stream.resource<constant>
  util.global private mutable @state : !stream.resource<variable>
  util.global private mutable @ready = #stream.timepoint<immediate> : !stream.timepoint

  util.initializer {
    %c64 = arith.constant 64 : index
    %sevens, %t = stream.resource.constants on(#a) :
      !stream.resource<constant>{%c64} = dense<7> : tensor<16xi32>
      => !stream.timepoint
    %0 = stream.timepoint.await %t => %sevens : !stream.resource<constant>{%c64}
    util.global.store %0, @table : !stream.resource<constant>
    %state = stream.resource.alloc uninitialized on(#a) : !stream.resource<variable>{%c64}
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %filled = stream.cmd.execute on(#a) with(%state as %s: !stream.resource<variable>{%c64}) {
      stream.cmd.fill %one, %s[%c0 for %c64] : i32 -> !stream.resource<variable>{%c64}
    } => !stream.timepoint
    util.global.store %state, @state : !stream.resource<variable>
    util.global.store %filled, @ready : !stream.timepoint
    util.return
  }

  util.func private @copied(%from: !stream.resource<external>, %size: index, %when: !stream.timepoint) -> (!stream.resource<external>, !stream.timepoint) {
    %c0 = arith.constant 0 : index
    %to, %t0 = stream.resource.alloca uninitialized on(#b) await(%when) => !stream.resource<external>{%size} => !stream.timepoint
    %t1 = stream.cmd.execute on(#b) await(%t0) => with(%from as %x: !stream.resource<external>{%size}, %to as %y: !stream.resource<external>{%size}) {
      stream.cmd.copy %x[%c0], %y[%c0], %size : !stream.resource<external>{%size} -> !stream.resource<external>{%size}
    } => !stream.timepoint
    util.return %to, %t1 : !stream.resource<external>, !stream.timepoint
  }

  // A loop carries a resource and when it is ready; a call gives both.
  util.func public @loop(%in: !hal.buffer_view) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c64 = arith.constant 64 : index
    %0 = stream.tensor.import on(#a) %in : !hal.buffer_view -> tensor<16xi32> in !stream.resource<external>{%c64}
    %now = stream.timepoint.immediate => !stream.timepoint
    %r, %t = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %0, %xt = %now) -> (!stream.resource<external>, !stream.timepoint) {
      %y, %yt = util.call @copied(%x, %c64, %xt) : (!stream.resource<external>, index, !stream.timepoint) -> (!stream.resource<external>, !stream.timepoint)
      %value = arith.index_cast %i : index to i32
      %offset = arith.muli %i, %c3 : index
      %bytes = arith.constant 4 : index
      %at = arith.muli %offset, %bytes : index
      %zt = stream.cmd.execute on(#a) await(%yt) => with(%y as %z: !stream.resource<external>{%c64}) {
        stream.cmd.fill %value, %z[%at for %bytes] : i32 -> !stream.resource<external>{%c64}
      } => !stream.timepoint
      scf.yield %y, %zt : !stream.resource<external>, !stream.timepoint
    }
    %1 = stream.timepoint.await %t => %r : !stream.resource<external>{%c64}
    %2 = stream.tensor.export on(#a) %1 : tensor<16xi32> in !stream.resource<external>{%c64} -> !hal.buffer_view
    util.return %2 : !hal.buffer_view
  }

  // Blocks carry a view, which starts within its buffer, or a whole resource.
  util.func public @branch(%in: !hal.buffer_view) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %0 = stream.tensor.import on(#a) %in : !hal.buffer_view -> tensor<16xi32> in !stream.resource<external>{%c64}
    %half = stream.resource.subview %0[%c32] : !stream.resource<external>{%c64} -> !stream.resource<external>{%c32}
    %now = stream.timepoint.immediate => !stream.timepoint
    %yes = arith.constant true
    cf.cond_br %yes, ^bb1(%half, %now : !stream.resource<external>, !stream.timepoint), ^bb1(%0, %now : !stream.resource<external>, !stream.timepoint)
  ^bb2(%y: !stream.resource<external>, %yt: !stream.timepoint):
    %1 = stream.timepoint.await %yt => %y : !stream.resource<external>{%c64}
    %2 = stream.tensor.export on(#a) %1 : tensor<16xi32> in !stream.resource<external>{%c64} -> !hal.buffer_view
    util.return %2 : !hal.buffer_view
  ^bb1(%x: !stream.resource<external>, %xt: !stream.timepoint):
    %r, %rt = stream.resource.alloca uninitialized on(#a) await(%xt) => !stream.resource<external>{%c64} => !stream.timepoint
    %t = stream.cmd.execute on(#a) await(%rt) => with(%x as %i: !stream.resource<external>{%c32}, %r as %o: !stream.resource<external>{%c64}) {
      stream.cmd.concurrent {
        stream.cmd.copy %i[%c0], %o[%c0], %c32 : !stream.resource<external>{%c32} -> !stream.resource<external>{%c64}
        stream.cmd.copy %i[%c0], %o[%c32], %c32 : !stream.resource<external>{%c32} -> !stream.resource<external>{%c64}
      }
    } => !stream.timepoint
    cf.br ^bb2(%r, %t : !stream.resource<external>, !stream.timepoint)
  }

  // Globals keep resources and a timepoint between calls; a file and the host write too.
  util.func public @globals(%in: !hal.buffer_view) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %none = arith.constant 0 : i64
    %table = util.global.load immutable @table : !stream.resource<constant>
    %state = util.global.load @state : !stream.resource<variable>
    %ready = util.global.load @ready : !stream.timepoint
    %r, %rt = stream.resource.alloca uninitialized on(#a) await(%ready) => !stream.resource<external>{%c64} => !stream.timepoint
    %t = stream.cmd.execute on(#a) await(%rt) => with(%table as %i: !stream.resource<constant>{%c64}, %state as %s: !stream.resource<variable>{%c64}, %r as %o: !stream.resource<external>{%c64}) {
      stream.cmd.copy %i[%c0], %o[%c0], %c64 : !stream.resource<constant>{%c64} -> !stream.resource<external>{%c64}
      stream.cmd.copy %s[%c0], %o[%c16], %c8 : !stream.resource<variable>{%c64} -> !stream.resource<external>{%c64}
    } => !stream.timepoint
    %bytes = util.buffer.constant : !util.buffer = dense<[40, 41]> : tensor<2xi32>
    %size = util.buffer.size %bytes : !util.buffer
    %file = stream.file.constant on(#a) %bytes[%c0 for %c8] : !util.buffer{%size} -> !stream.file
    %rd = stream.file.read on(#a) await(%t) => %file[%none], %r[%c8], %c8 : !stream.file -> !stream.resource<external>{%c64} => !stream.timepoint
    %staging = stream.resource.alloc uninitialized on(#a) : !stream.resource<staging>{%c4}
    %nine = arith.constant 9 : i32
    stream.resource.store %nine, %staging[%c0] : i32 -> !stream.resource<staging>{%c4}
    %back = stream.resource.load %staging[%c0] : !stream.resource<staging>{%c4} -> i32
    %st = stream.cmd.execute on(#a) await(%rd) => with(%staging as %i: !stream.resource<staging>{%c4}, %r as %o: !stream.resource<external>{%c64}) {
      stream.cmd.copy %i[%c0], %o[%c0], %c4 : !stream.resource<staging>{%c4} -> !stream.resource<external>{%c64}
      stream.cmd.fill %back, %o[%c4 for %c4] : i32 -> !stream.resource<external>{%c64}
    } => !stream.timepoint
    %1 = stream.timepoint.await %st => %r : !stream.resource<external>{%c64}
    %2 = stream.tensor.export on(#a) %1 : tensor<16xi32> in !stream.resource<external>{%c64} -> !hal.buffer_view
    util.return %2 : !hal.buffer_view
  }
}
