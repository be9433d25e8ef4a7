// A barrier waits for a fence that nobody signals, and the host waits for the barrier.
module attributes {stream.topology = #hal.device.topology<links = [(@d -> @d = {}, {cache_line = 64 : i64})]>} {
  util.global private @d = #hal.device.target<"local", {ordinal = 0 : index}, []> : !hal.device
  util.func public @f() -> i32 {
    %forever = arith.constant -1 : i32
    %any = arith.constant -1 : i64
    %device = util.global.load immutable @d : !hal.device
    %never = hal.fence.create device(%device : !hal.device) flags("None") : !hal.fence
    %done = hal.fence.create device(%device : !hal.device) flags("None") : !hal.fence
    hal.device.queue.barrier<%device : !hal.device> affinity(%any) wait(%never) signal(%done) flags("None")
    %status = hal.fence.await until([%done]) timeout_millis(%forever) flags("None") : i32
    util.return %status : i32
  }
}
