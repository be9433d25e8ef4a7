// RUN: not zc-opt --split-input-file %s -p stream-schedule-execution 2>&1 | filecheck %s

// Neither device can copy between the two memories (case B44).
#a = #hal.device.affinity<@a>
#b = #hal.device.affinity<@b>
module attributes {stream.topology = #hal.device.topology<links = [(@a -> @b = {}, {buffer_write = "none"}), (@b -> @a = {}, {buffer_read = "none"})]>} {
  util.global private @a : !hal.device
  util.global private @b : !hal.device
  util.func public @nobody(%r: !stream.resource<external>) -> !stream.resource<transient> {
    %c64 = arith.constant 64 : index
    // CHECK: [[# @LINE + 1]]:5: error: 'stream.async.transfer' op expected a device that can copy from @a to @b, but @a or @b cannot reach both; state another with on(…), or a link that lets it
    %0 = stream.async.transfer %r : !stream.resource<external>{%c64} from(#a) -> to(#b) !stream.resource<transient>{%c64} attributes {stream.transfer_kind = "copy"}
    util.return %0 : !stream.resource<transient>
  }
}
