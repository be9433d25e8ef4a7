// RUN: ROUNDTRIP
// RUN: GENERIC_ROUNDTRIP

// Storage is allocated, kept, asked about and freed, each op with all that it may state.
// CHECK-LABEL: @storage
func.func @storage(%size: index, %ready: !stream.timepoint) {
  // CHECK: stream.resource.alloc : !stream.resource<variable>{%{{.*}}}
  %a = stream.resource.alloc : !stream.resource<variable>{%size}
  // CHECK: stream.resource.alloc uninitialized on(#hal.device.affinity<@npu>) {tag} : !stream.resource<external>{%{{.*}}}
  %b = stream.resource.alloc uninitialized on(#hal.device.affinity<@npu>) {tag} : !stream.resource<external>{%size}
  %c, %c_ready = stream.resource.alloca uninitialized : !stream.resource<transient>{%size} => !stream.timepoint
  %d, %d_ready = stream.resource.alloca uninitialized indeterminate on(#hal.device.affinity<@npu>) await(%ready) => {tag} !stream.resource<transient>{%size} => !stream.timepoint
  // CHECK: stream.resource.dealloca %{{.*}} : !stream.resource<transient>{%{{.*}}} => !stream.timepoint
  %c_gone = stream.resource.dealloca %c : !stream.resource<transient>{%size} => !stream.timepoint
  // CHECK: stream.resource.dealloca origin on(#hal.device.affinity<@npu>) await(%{{.*}}) => %{{.*}} : !stream.resource<transient>{%{{.*}}} => !stream.timepoint {tag}
  %d_gone = stream.resource.dealloca origin on(#hal.device.affinity<@npu>) await(%d_ready) => %d : !stream.resource<transient>{%size} => !stream.timepoint {tag}
  // CHECK: stream.resource.retain %{{.*}} : !stream.resource<variable>{%{{.*}}}
  stream.resource.retain %a : !stream.resource<variable>{%size}
  // CHECK: stream.resource.is_terminal %{{.*}} : !stream.resource<variable>{%{{.*}}}
  %last = stream.resource.is_terminal %a : !stream.resource<variable>{%size}
  // CHECK: stream.resource.release %{{.*}} : !stream.resource<variable>{%{{.*}}}
  %freed = stream.resource.release %a : !stream.resource<variable>{%size}
  // CHECK: stream.resource.size %{{.*}} : !stream.resource<variable>
  %bytes = stream.resource.size %a : !stream.resource<variable>
  // CHECK: stream.resource.size %{{.*}} <affinity = #hal.device.affinity<@npu>> {tag} : !stream.resource<variable>
  %known = stream.resource.size %a <affinity = #hal.device.affinity<@npu>> {tag} : !stream.resource<variable>
  func.return
}

// The host maps memory, loads and stores values of all kinds, and uploads constants.
// CHECK-LABEL: @host
func.func @host(%buffer: !util.buffer, %staging: !stream.resource<staging>, %offset: index, %size: index, %value: i32, %vector: vector<4xf32>) {
  %mapped, %resource = stream.resource.try_map on(#hal.device.affinity<@npu>) %buffer[%offset] : !util.buffer -> i1, !stream.resource<constant>{%size}
  // CHECK: stream.resource.load %{{.*}}[%{{.*}}] : !stream.resource<staging>{%{{.*}}} -> complex<f32>
  %x = stream.resource.load %staging[%offset] : !stream.resource<staging>{%size} -> complex<f32>
  // CHECK: stream.resource.store %{{.*}}, %{{.*}}[%{{.*}}] : i32 -> !stream.resource<staging>{%{{.*}}}
  stream.resource.store %value, %staging[%offset] : i32 -> !stream.resource<staging>{%size}
  // CHECK: stream.resource.store %{{.*}}, %{{.*}}[%{{.*}}] : vector<4xf32> -> !stream.resource<staging>{%{{.*}}} attributes {tag}
  stream.resource.store %vector, %staging[%offset] : vector<4xf32> -> !stream.resource<staging>{%size} attributes {tag}
  %constants:2, %up = stream.resource.constants on(#hal.device.affinity<@npu>) :
    !stream.resource<constant>{%size} = dense<3> : tensor<4xi8>,
    !stream.resource<constant>{%size} = #stream.parameter.named<"model"::"weight"> : tensor<2xf32>
    => !stream.timepoint
  func.return
}

// Slices that live at different times share bytes of one slab; views name ranges of it.
// CHECK-LABEL: @layout
func.func @layout(%slab: !stream.resource<transient>, %size: index, %offset: index, %ready: !stream.timepoint) {
  // CHECK: stream.resource.pack slices({}) : index
  %none = stream.resource.pack slices({}) : index
  // CHECK: stream.resource.pack on(#hal.device.affinity<@npu>) offset(%{{.*}}) slices({
  // CHECK-NEXT: [0, 9] = %{{.*}},
  // CHECK-NEXT: [3, 8] = %{{.*}}
  // CHECK-NEXT: }) : index
  %total:3 = stream.resource.pack on(#hal.device.affinity<@npu>) offset(%offset) slices({
    [0, 9] = %size,
    [3, 8] = %size
  }) : index
  // CHECK: stream.resource.subview %{{.*}}[%{{.*}}] : !stream.resource<transient>{%{{.*}}} -> !stream.resource<transient>{%{{.*}}}
  %view = stream.resource.subview %slab[%offset] : !stream.resource<transient>{%size} -> !stream.resource<transient>{%size}
  %kept, %kept_ready = stream.resource.transients on(#hal.device.affinity<@npu>) await(%ready) => %slab : !stream.resource<transient>{%size} from %view : !stream.resource<transient>{%size} => !stream.timepoint
  func.return
}
