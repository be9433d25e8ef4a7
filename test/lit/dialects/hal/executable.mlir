// RUN: ROUNDTRIP
// RUN: GENERIC_ROUNDTRIP

// An executable with all its parts; terminators are left out in custom syntax.
// CHECK-LABEL: hal.executable private lazy @ex {
hal.executable private lazy @ex {
  // CHECK: hal.executable.variant public @v target(<"llvm-cpu", "elf">) objects([#hal.executable.object<{path = "a.o"}>]) sources({a = 1 : i32}) attributes {tag} {
  hal.executable.variant public @v target(<"llvm-cpu", "elf">) objects([#hal.executable.object<{path = "a.o"}>]) sources({a = 1 : i32}) attributes {tag} {
    // CHECK: hal.executable.condition(%{{.*}}: !hal.device) -> i1 {
    hal.executable.condition(%device: !hal.device) -> i1 {
      %yes = arith.constant true
      hal.return %yes : i1
    }
    // CHECK: hal.executable.constant.block(%{{.*}}: !hal.device) -> (i32, i32) as ("a", "b") attributes {tag} {
    hal.executable.constant.block(%device: !hal.device) -> (i32, i32) as ("a", "b") attributes {tag} {
      %c1 = arith.constant 1 : i32
      hal.return %c1, %c1 : i32, i32
    }
    // CHECK: hal.executable.constant.block() -> i32 as "c" {
    hal.executable.constant.block() -> i32 as "c" {
      %c1 = arith.constant 1 : i32
      hal.return %c1 : i32
    }
    // CHECK: hal.executable.export public @fast ordinal(0) layout(#hal.pipeline.layout<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer>]>) condition(%{{.*}}: !hal.device, %{{.*}}: index) -> i1 {
    hal.executable.export public @fast ordinal(0) layout(#hal.pipeline.layout<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer>]>) condition(%device: !hal.device, %n: index) -> i1 {
      %yes = arith.constant true
      hal.return %yes : i1
      // CHECK: } fallback(@slow) count(%{{.*}}: !hal.device, %{{.*}}: index) -> (index, index, index) {
    } fallback(@slow) count(%device: !hal.device, %n: index) -> (index, index, index) {
      hal.return %n, %n, %n : index, index, index
      // CHECK: } <workgroup_size = [4 : index, 1 : index, 1 : index], subgroup_size = 2> attributes {tag}
    } <workgroup_size = [4 : index, 1 : index, 1 : index], subgroup_size = 2> attributes {tag}
    // CHECK: hal.executable.export public @slow layout(#hal.pipeline.layout<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer>]>){{$}}
    hal.executable.export @slow layout(#hal.pipeline.layout<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer>]>)
    builtin.module {
      func.func @fast() {
        %c0 = arith.constant 0 : index
        // CHECK: hal.executable.constant.load "a" : i32
        %a = hal.executable.constant.load "a" : i32
        // CHECK: hal.interface.constant.load layout(<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer>]>) ordinal(0) alignment(4) values([4 : i32, 8 : i32]) : i32
        %k = hal.interface.constant.load layout(<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer>]>) ordinal(0) alignment(4) values([4 : i32, 8 : i32]) : i32
        // CHECK: hal.interface.binding.subspan layout(<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer>]>) binding(0) alignment(64) offset(%{{.*}}) flags("ReadOnly|Indirect") : memref<?xf32>{%{{.*}}}
        %b = hal.interface.binding.subspan layout(<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer>]>) binding(0) alignment(64) offset(%c0) flags("ReadOnly|Indirect") : memref<?xf32>{%c0}
        // CHECK: hal.interface.binding.subspan layout(<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer>]>) binding(0) : memref<4xf32>
        %c = hal.interface.binding.subspan layout(#hal.pipeline.layout<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer>]>) binding(0) : memref<4xf32>
        // CHECK: hal.interface.workgroup.id[0] upper_bound 7 : index
        %x = hal.interface.workgroup.id[0] upper_bound 7 : index
        // CHECK: hal.interface.workgroup.count[1] : index
        %y = hal.interface.workgroup.count[1] : index
        // CHECK: hal.interface.workgroup.size[2] : index
        %z = hal.interface.workgroup.size[2] : index
        func.return
      }
    }
  }
  // CHECK: hal.executable.binary public @binary <format = "elf", data = dense<[1, 2]> : vector<2xi8>, mime_type = "application/x-elf"> attributes {tag}
  hal.executable.binary public @binary <format = "elf", data = dense<[1, 2]> : vector<2xi8>, mime_type = "application/x-elf"> attributes {tag}
}

// -----

// Kernels by hand, for all targets of the program.
// CHECK-LABEL: hal.executable.source private @source
// CHECK-SAME: <objects = <{#hal.executable.target<"llvm-cpu", "a"> = []}>> {
hal.executable.source private @source <objects = <{#hal.executable.target<"llvm-cpu", "a"> = []}>> {
  hal.executable.export public @k layout(#hal.pipeline.layout<bindings = []>)
}

// -----

// What the host asks of executables.
// CHECK-LABEL: @use
util.func public @use(%device: !hal.device, %n: index) {
  // CHECK: hal.executable.lookup device(%{{.*}} : !hal.device) executable(@ex) : !hal.executable
  %exe = hal.executable.lookup device(%device : !hal.device) executable(@ex) : !hal.executable
  // CHECK: hal.executable.lookup.function target(%{{.*}} : !hal.executable) function(@ex::@v::@k) : i64
  %f = hal.executable.lookup.function target(%exe : !hal.executable) function(@ex::@v::@k) : i64
  // CHECK: hal.executable.export.ordinal target(@ex::@v::@k) : index
  %ordinal = hal.executable.export.ordinal target(@ex::@v::@k) : index
  // CHECK: hal.executable.calculate_workgroups device(%{{.*}} : !hal.device) target(@ex::@v::@k) workload([%{{.*}}, %{{.*}}]) : index, index, index
  %x, %y, %z = hal.executable.calculate_workgroups device(%device : !hal.device) target(@ex::@v::@k) workload([%n, %n]) : index, index, index
  util.return
}

// -----

// Kernels report into a buffer of the host's.
// CHECK-LABEL: @instrument
func.func @instrument(%buffer: memref<?xi8>, %id: i32, %i: index, %v: f32, %m: memref<4xf32>) {
  // CHECK: hal.instrument.workgroup[%{{.*}} : memref<?xi8>] dispatch(%{{.*}}) : index
  %key = hal.instrument.workgroup[%buffer : memref<?xi8>] dispatch(%id) : index
  // CHECK: hal.instrument.print[%{{.*}} : memref<?xi8> for %{{.*}}] "x = {}" * (%{{.*}} : f32)
  hal.instrument.print[%buffer : memref<?xi8> for %key] "x = {}" * (%v : f32)
  // CHECK: hal.instrument.value[%{{.*}} : memref<?xi8> for %{{.*}}] 3 : i8 = %{{.*}} : f32
  %0 = hal.instrument.value[%buffer : memref<?xi8> for %key] 3 : i8 = %v : f32
  // CHECK: hal.instrument.memory.load[%{{.*}} : memref<?xi8> for %{{.*}}] %{{.*}}[%{{.*}}], %{{.*}} : memref<4xf32>, f32
  %1 = hal.instrument.memory.load[%buffer : memref<?xi8> for %key] %m[%i], %v : memref<4xf32>, f32
  // CHECK: hal.instrument.memory.store[%{{.*}} : memref<?xi8> for %{{.*}}] %{{.*}}[%{{.*}}], %{{.*}} : memref<4xf32>, f32
  %2 = hal.instrument.memory.store[%buffer : memref<?xi8> for %key] %m[%i], %v : memref<4xf32>, f32
  func.return
}

// -----

// An empty body holds the terminator.
// CHECK-LABEL: hal.executable private @empty
hal.executable private @empty {
  // CHECK: hal.executable.variant public @v target(<"a", "b">) {
  // CHECK-NEXT: }
  hal.executable.variant public @v target(<"a", "b">) {}
}
