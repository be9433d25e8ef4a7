// RUN: ROUNDTRIP
// RUN: GENERIC_ROUNDTRIP

// What the host does with buffers.
// CHECK-LABEL: @buffers
util.func public @buffers(%buffer: !hal.buffer, %allocator: !hal.allocator, %i: index, %v: i32) {
  // CHECK: hal.buffer.assert<%{{.*}} : !hal.buffer> message("m") allocator(%{{.*}} : !hal.allocator) minimum_length(%{{.*}}) type(DeviceVisible) usage("TransferSource|TransferTarget|Transfer")
  hal.buffer.assert<%buffer : !hal.buffer> message("m") allocator(%allocator : !hal.allocator) minimum_length(%i) type(DeviceVisible) usage(Transfer)
  // CHECK: hal.buffer.allocation.preserve<%{{.*}} : !hal.buffer>
  hal.buffer.allocation.preserve<%buffer : !hal.buffer>
  // CHECK: hal.buffer.allocation.discard<%{{.*}} : !hal.buffer> : i1
  %last = hal.buffer.allocation.discard<%buffer : !hal.buffer> : i1
  // CHECK: hal.buffer.allocation.is_terminal<%{{.*}} : !hal.buffer> : i1
  %only = hal.buffer.allocation.is_terminal<%buffer : !hal.buffer> : i1
  // CHECK: hal.buffer.subspan<%{{.*}} : !hal.buffer>[%{{.*}}, %{{.*}}] : !hal.buffer
  %part = hal.buffer.subspan<%buffer : !hal.buffer>[%i, %i] : !hal.buffer
  // CHECK: hal.buffer.length<%{{.*}} : !hal.buffer> : index
  %length = hal.buffer.length<%buffer : !hal.buffer> : index
  // CHECK: hal.buffer.load<%{{.*}} : !hal.buffer>[%{{.*}}] : i32
  %loaded = hal.buffer.load<%buffer : !hal.buffer>[%i] : i32
  // CHECK: hal.buffer.store<%{{.*}} : !hal.buffer>[%{{.*}}] value(%{{.*}} : i32) attributes {tag}
  hal.buffer.store<%buffer : !hal.buffer>[%i] value(%v : i32) attributes {tag}
  util.return
}

// Bits as values: every name whose bits are all there is printed.
// CHECK-LABEL: @bits
util.func public @bits() {
  // CHECK: hal.memory_type<"None"> : i32
  %0 = hal.memory_type<"None"> : i32
  // CHECK: hal.memory_type<"HostVisible|HostCoherent|HostLocal|DeviceVisible|DeviceLocal"> : i32
  %1 = hal.memory_type<"HostLocal|DeviceLocal"> : i32
  // CHECK: hal.buffer_usage<MappingScoped> : i32
  %2 = hal.buffer_usage<MappingScoped> : i32
  // CHECK: hal.buffer_usage<"DispatchStorageRead|DispatchStorageWrite|DispatchStorage"> : i32
  %3 = hal.buffer_usage<"DispatchStorage"> : i32
  util.return
}

// Host-ordered allocation and import.
// CHECK-LABEL: @allocators
util.func public @allocators(%device: !hal.device, %queue: i64, %bits: i32, %size: index, %bytes: !util.buffer) {
  // CHECK: hal.allocator.select from([(%{{.*}}, %{{.*}} : !hal.device, i64), (%{{.*}}, %{{.*}} : !hal.device, i64)]) type(%{{.*}}) usage(%{{.*}}) : !hal.device, i64
  %0, %1 = hal.allocator.select from([(%device, %queue : !hal.device, i64), (%device, %queue : !hal.device, i64)]) type(%bits) usage(%bits) : !hal.device, i64
  // CHECK: hal.device.allocator<%{{.*}} : !hal.device> : !hal.allocator
  %allocator = hal.device.allocator<%0 : !hal.device> : !hal.allocator
  // CHECK: hal.allocator.allocate<%{{.*}} : !hal.allocator> affinity(%{{.*}}) type(%{{.*}}) usage(%{{.*}}) : !hal.buffer{%{{.*}}}
  %2 = hal.allocator.allocate<%allocator : !hal.allocator> affinity(%1) type(%bits) usage(%bits) : !hal.buffer{%size}
  // CHECK: hal.allocator.import<%{{.*}} : !hal.allocator> source(%{{.*}} : !util.buffer)[%{{.*}}, %{{.*}}] affinity(%{{.*}}) type(%{{.*}}) usage(%{{.*}}) : i1, !hal.buffer
  %3, %4 = hal.allocator.import<%allocator : !hal.allocator> source(%bytes : !util.buffer)[%size, %size] affinity(%1) type(%bits) usage(%bits) : i1, !hal.buffer
  // CHECK: hal.allocator.resolve_memory_properties for(#hal.device.optimal<[#hal.device.affinity<@a>, #hal.device.affinity<@b>]>) lifetime(transient) : i32, i32
  %5, %6 = hal.allocator.resolve_memory_properties for(#hal.device.optimal<[#hal.device.affinity<@a>, #hal.device.affinity<@b>]>) lifetime(transient) : i32, i32
  // CHECK: hal.allocator.resolve_memory_properties lifetime("*") : i32, i32
  %7, %8 = hal.allocator.resolve_memory_properties lifetime("*") : i32, i32
  util.return
}

// Buffer views: what they are made of and what they tell.
// CHECK-LABEL: @views
util.func public @views(%buffer: !hal.buffer, %n: index) {
  // CHECK: hal.element_type<complex<f32>> : i32
  %type = hal.element_type<complex<f32>> : i32
  // CHECK: hal.encoding_type<dense_row_major> : i32
  %encoding = hal.encoding_type<dense_row_major> : i32
  // CHECK: hal.buffer_view.create buffer(%{{.*}} : !hal.buffer)[%{{.*}}, %{{.*}}] shape([%{{.*}}, %{{.*}}]) type(%{{.*}}) encoding(%{{.*}}) : !hal.buffer_view
  %view = hal.buffer_view.create buffer(%buffer : !hal.buffer)[%n, %n] shape([%n, %n]) type(%type) encoding(%encoding) : !hal.buffer_view
  // CHECK: hal.buffer_view.assert<%{{.*}} : !hal.buffer_view> message("m") shape([]) type(%{{.*}}) encoding(%{{.*}})
  hal.buffer_view.assert<%view : !hal.buffer_view> message("m") shape([]) type(%type) encoding(%encoding)
  // CHECK: hal.buffer_view.buffer<%{{.*}} : !hal.buffer_view> : !hal.buffer
  %0 = hal.buffer_view.buffer<%view : !hal.buffer_view> : !hal.buffer
  // CHECK: hal.buffer_view.element_type<%{{.*}} : !hal.buffer_view> : i32
  %1 = hal.buffer_view.element_type<%view : !hal.buffer_view> : i32
  // CHECK: hal.buffer_view.encoding_type<%{{.*}} : !hal.buffer_view> : i32
  %2 = hal.buffer_view.encoding_type<%view : !hal.buffer_view> : i32
  // CHECK: hal.buffer_view.rank<%{{.*}} : !hal.buffer_view> : index
  %3 = hal.buffer_view.rank<%view : !hal.buffer_view> : index
  // CHECK: hal.buffer_view.dim<%{{.*}} : !hal.buffer_view>[1] : index
  %4 = hal.buffer_view.dim<%view : !hal.buffer_view>[1] : index
  // CHECK: hal.buffer_view.trace "k" = %{{.*}}, %{{.*}} : !hal.buffer_view, !hal.buffer_view
  hal.buffer_view.trace "k" = %view, %view : !hal.buffer_view, !hal.buffer_view
  util.return
}
