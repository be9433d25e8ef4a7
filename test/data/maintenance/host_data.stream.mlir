// Data of the program, which the host writes and flushes: constants, mapped bytes, a staging
// buffer that it writes and reads element by element, and a file that a device reads. No
// maintenance is in the program yet.

#a = #hal.device.affinity<@a>
#b = #hal.device.affinity<@b>
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {unified_memory = true, transparent_access = true}, {coherent = false}), (@b -> @a = {unified_memory = true, transparent_access = true}, {coherent = false})]>} {
  util.global private @a = #hal.device.target<"local", {ordinal = 0 : index}, [#hal.executable.target<"vmvx", "vmvx-bytecode-fb">]> : !hal.device
  util.global private @b = #hal.device.target<"local", {ordinal = 1 : index}, [#hal.executable.target<"vmvx", "vmvx-bytecode-fb">]> : !hal.device

  util.global private @sevens : !stream.resource<constant>
  util.global private @mapped : !stream.resource<constant>

  util.initializer {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %sevens, %t = stream.resource.constants on(#a) :
      !stream.resource<constant>{%c64} = dense<7> : tensor<16xi32>
      => !stream.timepoint
    %0 = stream.timepoint.await %t => %sevens : !stream.resource<constant>{%c64}
    util.global.store %0, @sevens : !stream.resource<constant>
    %bytes = util.buffer.constant : !util.buffer = dense<9> : tensor<16xi32>
    %did, %mapped = stream.resource.try_map on(#a) %bytes[%c0] : !util.buffer -> i1, !stream.resource<constant>{%c64}
    util.global.store %mapped, @mapped : !stream.resource<constant>
    util.return
  }

  // Device b reads what the host wrote for a.
  util.func public @constants() -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %sevens = util.global.load @sevens : !stream.resource<constant>
    %out, %t0 = stream.resource.alloca uninitialized on(#b) : !stream.resource<external>{%c64} => !stream.timepoint
    %t1 = stream.cmd.execute on(#b) await(%t0) => with(%sevens as %x: !stream.resource<constant>{%c64}, %out as %y: !stream.resource<external>{%c64}) {
      stream.cmd.copy %x[%c0], %y[%c0], %c64 : !stream.resource<constant>{%c64} -> !stream.resource<external>{%c64}
    } => !stream.timepoint
    %0 = stream.timepoint.await %t1 => %out : !stream.resource<external>{%c64}
    %1 = stream.tensor.export on(#b) %0 : tensor<16xi32> in !stream.resource<external>{%c64} -> !hal.buffer_view
    util.return %1 : !hal.buffer_view
  }

  util.func public @mapped_bytes() -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %mapped = util.global.load @mapped : !stream.resource<constant>
    %out, %t0 = stream.resource.alloca uninitialized on(#b) : !stream.resource<external>{%c64} => !stream.timepoint
    %t1 = stream.cmd.execute on(#b) await(%t0) => with(%mapped as %x: !stream.resource<constant>{%c64}, %out as %y: !stream.resource<external>{%c64}) {
      stream.cmd.copy %x[%c0], %y[%c0], %c64 : !stream.resource<constant>{%c64} -> !stream.resource<external>{%c64}
    } => !stream.timepoint
    %0 = stream.timepoint.await %t1 => %out : !stream.resource<external>{%c64}
    %1 = stream.tensor.export on(#b) %0 : tensor<16xi32> in !stream.resource<external>{%c64} -> !hal.buffer_view
    util.return %1 : !hal.buffer_view
  }

  // The host writes an element, a device updates the next from it, the host reads that.
  util.func public @staging(%value: i32) -> i32 {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %staging = stream.resource.alloc uninitialized on(#a) : !stream.resource<staging>{%c8}
    stream.resource.store %value, %staging[%c0] : i32 -> !stream.resource<staging>{%c8}
    %t = stream.cmd.execute on(#a) with(%staging as %x: !stream.resource<staging>{%c8}) {
      stream.cmd.copy %x[%c0], %x[%c4], %c4 : !stream.resource<staging>{%c8} -> !stream.resource<staging>{%c8}
    } => !stream.timepoint
    %0 = stream.timepoint.await %t => %staging : !stream.resource<staging>{%c8}
    %1 = stream.resource.load %0[%c4] : !stream.resource<staging>{%c8} -> i32
    util.return %1 : i32
  }

  // A device reads a file into its memory and uses what it has read.
  util.func public @file() -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c0_i64 = arith.constant 0 : i64
    %c64 = arith.constant 64 : index
    %bytes = util.buffer.constant : !util.buffer = dense<5> : tensor<16xi32>
    %file = stream.file.constant on(#b) %bytes[%c0 for %c64] : !util.buffer{%c64} -> !stream.file
    %in, %t0 = stream.resource.alloca uninitialized on(#b) : !stream.resource<variable>{%c64} => !stream.timepoint
    %t1 = stream.file.read on(#b) await(%t0) => %file[%c0_i64], %in[%c0], %c64 : !stream.file -> !stream.resource<variable>{%c64} => !stream.timepoint
    %out, %t2 = stream.resource.alloca uninitialized on(#b) await(%t1) => !stream.resource<external>{%c64} => !stream.timepoint
    %t3 = stream.cmd.execute on(#b) await(%t2) => with(%in as %x: !stream.resource<variable>{%c64}, %out as %y: !stream.resource<external>{%c64}) {
      stream.cmd.copy %x[%c0], %y[%c0], %c64 : !stream.resource<variable>{%c64} -> !stream.resource<external>{%c64}
    } => !stream.timepoint
    %0 = stream.timepoint.await %t3 => %out : !stream.resource<external>{%c64}
    %1 = stream.tensor.export on(#b) %0 : tensor<16xi32> in !stream.resource<external>{%c64} -> !hal.buffer_view
    util.return %1 : !hal.buffer_view
  }
}
