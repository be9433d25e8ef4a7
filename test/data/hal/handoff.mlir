// Device a doubles its input into a buffer that both devices reach, device b adds 1 to that. Their
// caches are not coherent: a flushes, b invalidates, and the host sees the result after b's flush.
#target = #hal.executable.target<"vmvx", "vmvx-bytecode-fb">
#layout = #hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>
#map = affine_map<(d0) -> (d0)>
module attributes {stream.topology = #hal.device.topology<links = [
    (@a -> @b = {unified_memory = true, transparent_access = true}),
    (@b -> @a = {unified_memory = true, transparent_access = true})]>} {
  util.global private @a = #hal.device.target<"local", {ordinal = 0 : index}> : !hal.device
  util.global private @b = #hal.device.target<"local", {ordinal = 1 : index}> : !hal.device
  hal.executable private @kernels {
    hal.executable.variant public @vmvx target(#target) {
      hal.executable.export public @double ordinal(0) layout(#layout)
          count(%device: !hal.device, %n: index) -> (index, index, index) {
        %c1 = arith.constant 1 : index
        hal.return %n, %c1, %c1 : index, index, index
      }
      hal.executable.export public @increment ordinal(1) layout(#layout)
      builtin.module {
        func.func @double() {
          %c0 = arith.constant 0 : index
          %in = hal.interface.binding.subspan layout(#layout) binding(0) alignment(64) offset(%c0) flags(ReadOnly) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<16xf32>>
          %out = hal.interface.binding.subspan layout(#layout) binding(1) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16xf32>>
          %x = iree_tensor_ext.dispatch.tensor.load %in, offsets = [0], sizes = [16], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<16xf32>> -> tensor<16xf32>
          %empty = tensor.empty() : tensor<16xf32>
          %y = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%x : tensor<16xf32>) outs(%empty : tensor<16xf32>) {
          ^bb0(%e: f32, %o: f32):
            %r = arith.addf %e, %e : f32
            linalg.yield %r : f32
          } -> tensor<16xf32>
          iree_tensor_ext.dispatch.tensor.store %y, %out, offsets = [0], sizes = [16], strides = [1] : tensor<16xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16xf32>>
          return
        }
        func.func @increment() {
          %c0 = arith.constant 0 : index
          %one = arith.constant 1.0 : f32
          %in = hal.interface.binding.subspan layout(#layout) binding(0) alignment(64) offset(%c0) flags(ReadOnly) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<16xf32>>
          %out = hal.interface.binding.subspan layout(#layout) binding(1) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16xf32>>
          %x = iree_tensor_ext.dispatch.tensor.load %in, offsets = [0], sizes = [16], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<16xf32>> -> tensor<16xf32>
          %empty = tensor.empty() : tensor<16xf32>
          %y = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%x : tensor<16xf32>) outs(%empty : tensor<16xf32>) {
          ^bb0(%e: f32, %o: f32):
            %r = arith.addf %e, %one : f32
            linalg.yield %r : f32
          } -> tensor<16xf32>
          iree_tensor_ext.dispatch.tensor.store %y, %out, offsets = [0], sizes = [16], strides = [1] : tensor<16xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16xf32>>
          return
        }
      }
    }
  }
  util.func public @f(%arg0: !hal.buffer_view) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %pool = arith.constant 0 : i64
    %queues = arith.constant -1 : i64
    %forever = arith.constant -1 : i32
    %a = util.global.load immutable @a : !hal.device
    %b = util.global.load immutable @b : !hal.device
    %f32 = hal.element_type<f32> : i32
    %dense = hal.encoding_type<dense_row_major> : i32
    hal.buffer_view.assert<%arg0 : !hal.buffer_view> message("input") shape([%c16]) type(%f32) encoding(%dense)
    %in = hal.buffer_view.buffer<%arg0 : !hal.buffer_view> : !hal.buffer
    %allocator = hal.device.allocator<%a : !hal.device> : !hal.allocator
    hal.buffer.assert<%in : !hal.buffer> message("input") allocator(%allocator : !hal.allocator) minimum_length(%c64) type(DeviceVisible) usage("TransferSource|DispatchStorageRead")
    %types, %usage = hal.allocator.resolve_memory_properties for(#hal.device.optimal<[#hal.device.affinity<@a>, #hal.device.affinity<@b>]>) lifetime(transient) : i32, i32
    %owner, %owner_queues = hal.allocator.select from([(%a, %queues : !hal.device, i64), (%b, %queues : !hal.device, i64)]) type(%types) usage(%usage) : !hal.device, i64
    %null = util.null : !hal.fence
    %allocated = hal.fence.create device(%owner : !hal.device) flags("None") : !hal.fence
    %mid = hal.device.queue.alloca<%owner : !hal.device> affinity(%owner_queues) wait(%null) signal(%allocated) pool(%pool) type(%types) usage(%usage) flags("None") : !hal.buffer{%c64}
    %allocated2 = hal.fence.create device(%b : !hal.device) flags("None") : !hal.fence
    %out = hal.device.queue.alloca<%b : !hal.device> affinity(%queues) wait(%null) signal(%allocated2) pool(%pool) type(%types) usage(%usage) flags("None") : !hal.buffer{%c64}
    %ready = hal.fence.join at([%allocated, %allocated2]) flags("None") -> !hal.fence
    %produce = hal.device.memoize<%a : !hal.device> affinity(%queues) -> !hal.command_buffer {
      %c2 = arith.constant 2 : index
      %cmd = hal.command_buffer.create device(%a : !hal.device) mode("None") categories("Transfer|Dispatch") affinity(%queues) bindings(%c2) : !hal.command_buffer
      %exe = hal.executable.lookup device(%a : !hal.device) executable(@kernels) : !hal.executable
      %function = hal.executable.lookup.function target(%exe : !hal.executable) function(@kernels::@vmvx::@double) : i64
      %x, %y, %z = hal.executable.calculate_workgroups device(%a : !hal.device) target(@kernels::@vmvx::@double) workload([%c16]) : index, index, index
      hal.command_buffer.begin_debug_group<%cmd : !hal.command_buffer> label("produce")
      hal.command_buffer.invalidate_buffer<%cmd : !hal.command_buffer> target(%c0 : index)[%c0, %c64] flags("None")
      hal.command_buffer.execution_barrier<%cmd : !hal.command_buffer> source(Transfer) target(Dispatch) flags("None")
      hal.command_buffer.dispatch<%cmd : !hal.command_buffer> target(%exe : !hal.executable)[%function] workgroups([%x, %y, %z]) bindings([(%c0 : index)[%c0, %c64], (%c1 : index)[%c0, %c64]]) flags("None")
      hal.command_buffer.execution_barrier<%cmd : !hal.command_buffer> source(Dispatch) target(Transfer) flags("None")
      hal.command_buffer.flush_buffer<%cmd : !hal.command_buffer> target(%c1 : index)[%c0, %c64] flags("None")
      hal.command_buffer.end_debug_group<%cmd : !hal.command_buffer>
      hal.command_buffer.finalize<%cmd : !hal.command_buffer>
      hal.return %cmd : !hal.command_buffer
    }
    %produced = hal.fence.create device(%a : !hal.device) flags("None") : !hal.fence
    hal.device.queue.execute.indirect<%a : !hal.device> affinity(%queues) wait(%ready) signal(%produced) commands(%produce) bindings([(%in : !hal.buffer)[%c0, %c64], (%mid : !hal.buffer)[%c0, %c64]]) flags("None")
    %exe_b = hal.executable.lookup device(%b : !hal.device) executable(@kernels) : !hal.executable
    %ordinal = hal.executable.export.ordinal target(@kernels::@vmvx::@increment) : index
    %ordinal_i64 = arith.index_cast %ordinal : index to i64
    %consume = hal.command_buffer.create device(%b : !hal.device) mode(OneShot) categories("Transfer|Dispatch") affinity(%queues) : !hal.command_buffer
    hal.command_buffer.invalidate_buffer<%consume : !hal.command_buffer> target(%mid : !hal.buffer)[%c0, %c64] flags("None")
    hal.command_buffer.execution_barrier<%consume : !hal.command_buffer> source(Transfer) target(Dispatch) flags("None")
    hal.command_buffer.dispatch<%consume : !hal.command_buffer> target(%exe_b : !hal.executable)[%ordinal_i64] workgroups([%c1, %c1, %c1]) bindings([(%mid : !hal.buffer)[%c0, %c64], (%out : !hal.buffer)[%c0, %c64]]) flags("None")
    hal.command_buffer.execution_barrier<%consume : !hal.command_buffer> source(Dispatch) target(Transfer) flags("None")
    hal.command_buffer.flush_buffer<%consume : !hal.command_buffer> target(%out : !hal.buffer)[%c0, %c64] flags("None")
    hal.command_buffer.finalize<%consume : !hal.command_buffer>
    %consumed = hal.fence.create device(%b : !hal.device) flags("None") : !hal.fence
    hal.device.queue.execute<%b : !hal.device> affinity(%queues) wait(%produced) signal(%consumed) commands(%consume) flags("None")
    %status = hal.fence.await until([%consumed]) timeout_millis(%forever) flags("None") : i32
    util.status.check_ok %status, "failed to wait"
    %view = hal.buffer_view.create buffer(%out : !hal.buffer)[%c0, %c64] shape([%c16]) type(%f32) encoding(%dense) : !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}
