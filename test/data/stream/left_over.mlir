// A fill that waits for a fence which only a later call signals.
module {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private mutable @gate : !hal.fence
  util.func public @hold() {
    %c64 = arith.constant 64 : index
    %device = util.global.load @a : !hal.device
    %queue = arith.constant -1 : i64
    %pool = arith.constant 0 : i64
    %type = hal.memory_type<"DeviceVisible|DeviceLocal"> : i32
    %usage = hal.buffer_usage<"TransferTarget"> : i32
    %null = util.null : !hal.fence
    %gate = hal.fence.create device(%device : !hal.device) flags("None") : !hal.fence
    util.global.store %gate, @gate : !hal.fence
    %buffer = hal.device.queue.alloca<%device : !hal.device> affinity(%queue) wait(%null) signal(%null) pool(%pool) type(%type) usage(%usage) flags("None") : !hal.buffer{%c64}
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    hal.device.queue.fill<%device : !hal.device> affinity(%queue) wait(%gate) signal(%null) target(%buffer : !hal.buffer)[%c0] length(%c64) pattern(%one : i32) flags("None")
    util.return
  }
  util.func public @go() {
    %gate = util.global.load @gate : !hal.fence
    hal.fence.signal<%gate : !hal.fence>
    util.return
  }
}
