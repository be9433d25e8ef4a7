// RUN: not zc-opt %s -p stream-pack-dispatch-operands 2>&1 | filecheck %s

// A scalar that does not fit two words.
util.func public @wide(%r: !stream.resource<external>, %n: index, %k: i128) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %t = stream.cmd.execute with(%r as %arg0: !stream.resource<external>{%n}) {
    // CHECK: [[# @LINE + 1]]:5: error: 'stream.cmd.dispatch' op passes a i128, and scalars of at most 64 bits can be passed
    stream.cmd.dispatch @ex::@f(%k : i128) {
      rw %arg0[%c0 for %n] : !stream.resource<external>{%n}
    }
  } => !stream.timepoint
  util.return %t : !stream.timepoint
}
