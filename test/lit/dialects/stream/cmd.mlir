// RUN: ROUNDTRIP
// RUN: GENERIC_ROUNDTRIP

// Maintenance, with and without the other side (IR-12, IR-13, IR-14), fills and copies.
// CHECK-LABEL: @commands
func.func @commands(%a: !stream.resource<transient>, %b: !stream.resource<external>, %x: i8, %n: index, %ready: !stream.timepoint) {
  // CHECK: stream.cmd.execute once on(#hal.device.affinity<@npu>) await(%{{.*}}) => with(%{{.*}} as %{{.*}}: !stream.resource<transient>{%{{.*}}}, %{{.*}} as %{{.*}}: !stream.resource<external>{%{{.*}}}) {
  // CHECK-NEXT: stream.cmd.invalidate from(#hal.device.affinity<@cpu>) %{{.*}}[%{{.*}} for %{{.*}}] : !stream.resource<transient>{%{{.*}}}
  // CHECK-NEXT: stream.cmd.invalidate %{{.*}}[%{{.*}} for %{{.*}}] : !stream.resource<transient>{%{{.*}}}
  // CHECK-NEXT: stream.cmd.serial {
  // CHECK-NEXT: stream.cmd.fill %{{.*}}, %{{.*}}[%{{.*}} for %{{.*}}] : i8 -> !stream.resource<transient>{%{{.*}}}
  // CHECK-NEXT: stream.cmd.concurrent {
  // CHECK-NEXT: stream.cmd.copy %{{.*}}[%{{.*}}], %{{.*}}[%{{.*}}], %{{.*}} : !stream.resource<transient>{%{{.*}}} -> !stream.resource<external>{%{{.*}}}
  // CHECK-NEXT: stream.cmd.discard %{{.*}}[%{{.*}} for %{{.*}}] : !stream.resource<transient>{%{{.*}}} attributes {tag}
  // CHECK-NEXT: }
  // CHECK-NEXT: }
  // CHECK-NEXT: stream.cmd.flush to(#hal.device.affinity<@cpu>) %{{.*}}[%{{.*}} for %{{.*}}] : !stream.resource<external>{%{{.*}}}
  // CHECK-NEXT: stream.cmd.flush %{{.*}}[%{{.*}} for %{{.*}}] : !stream.resource<external>{%{{.*}}}
  // CHECK-NEXT: } => !stream.timepoint attributes {tag}
  %done = stream.cmd.execute once on(#hal.device.affinity<@npu>) await(%ready) => with(%a as %in: !stream.resource<transient>{%n}, %b as %out: !stream.resource<external>{%n}) {
    stream.cmd.invalidate from(#hal.device.affinity<@cpu>) %in[%n for %n] : !stream.resource<transient>{%n}
    stream.cmd.invalidate %in[%n for %n] : !stream.resource<transient>{%n}
    stream.cmd.serial {
      stream.cmd.fill %x, %in[%n for %n] : i8 -> !stream.resource<transient>{%n}
      stream.cmd.concurrent {
        stream.cmd.copy %in[%n], %out[%n], %n : !stream.resource<transient>{%n} -> !stream.resource<external>{%n}
        stream.cmd.discard %in[%n for %n] : !stream.resource<transient>{%n} attributes {tag}
      }
    }
    stream.cmd.flush to(#hal.device.affinity<@cpu>) %out[%n for %n] : !stream.resource<external>{%n}
    stream.cmd.flush %out[%n for %n] : !stream.resource<external>{%n}
  } => !stream.timepoint attributes {tag}
  func.return
}

// Dispatches and collectives bind ranges with their accesses.
// CHECK-LABEL: @bindings
func.func @bindings(%a: !stream.resource<transient>, %b: !stream.resource<external>, %x: i32, %channel: !stream.channel, %n: index) {
  // CHECK: stream.cmd.execute with(%{{.*}} as %{{.*}}: !stream.resource<transient>{%{{.*}}}, %{{.*}} as %{{.*}}: !stream.resource<external>{%{{.*}}}) {
  // CHECK-NEXT: stream.cmd.dispatch @ex::@fn[%{{.*}}, %{{.*}}](%{{.*}}, %{{.*}} : i32, index) {
  // CHECK-NEXT: ro %{{.*}}[%{{.*}} for %{{.*}}] : !stream.resource<transient>{%{{.*}}},
  // CHECK-NEXT: rw %{{.*}}[%{{.*}} for %{{.*}}] : !stream.resource<transient>{%{{.*}}},
  // CHECK-NEXT: wo %{{.*}}[%{{.*}} for %{{.*}}] : !stream.resource<external>{%{{.*}}}
  // CHECK-NEXT: } attributes {tag}
  // CHECK-NEXT: stream.cmd.dispatch {@ex::@fn, @ex::@fn2} {
  // CHECK-NEXT: wo %{{.*}}[%{{.*}} for %{{.*}}] : !stream.resource<external>{%{{.*}}}
  // CHECK-NEXT: }
  // CHECK-NEXT: stream.cmd.collective<all_gather : si32>[%{{.*}}] channel(%{{.*}}) {
  // CHECK-NEXT: ro %{{.*}}[%{{.*}} for %{{.*}}] : !stream.resource<transient>{%{{.*}}},
  // CHECK-NEXT: wo %{{.*}}[%{{.*}} for %{{.*}}] : !stream.resource<external>{%{{.*}}}
  // CHECK-NEXT: }
  // CHECK-NEXT: stream.cmd.collective<recv : ui8>[%{{.*}}] channel(%{{.*}}) param(%{{.*}} : i32) {
  // CHECK-NEXT: wo %{{.*}}[%{{.*}} for %{{.*}}] : !stream.resource<external>{%{{.*}}}
  // CHECK-NEXT: }
  // CHECK-NEXT: } => !stream.timepoint
  %done = stream.cmd.execute with(%a as %in: !stream.resource<transient>{%n}, %b as %out: !stream.resource<external>{%n}) {
    stream.cmd.dispatch @ex::@fn[%n, %n](%x, %n : i32, index) {
      ro %in[%n for %n] : !stream.resource<transient>{%n},
      rw %in[%n for %n] : !stream.resource<transient>{%n},
      wo %out[%n for %n] : !stream.resource<external>{%n}
    } attributes {tag}
    stream.cmd.dispatch {@ex::@fn, @ex::@fn2} {
      wo %out[%n for %n] : !stream.resource<external>{%n}
    }
    stream.cmd.collective<all_gather : si32>[%n] channel(%channel) {
      ro %in[%n for %n] : !stream.resource<transient>{%n},
      wo %out[%n for %n] : !stream.resource<external>{%n}
    }
    stream.cmd.collective<recv : ui8>[%n] channel(%channel) param(%x : i32) {
      wo %out[%n for %n] : !stream.resource<external>{%n}
    }
  } => !stream.timepoint
  func.return
}

// A declared argument that is a resource stands for its range too.
// CHECK: stream.cmd.func private @callee(%{{.*}}[%{{.*}} for %{{.*}}]: !stream.resource<*> {arg.tag}, %{{.*}}: i32) -> i32
stream.cmd.func private @callee(%arg0[%arg1 for %arg2]: !stream.resource<*> {arg.tag}, %arg3: i32) -> i32
// CHECK-LABEL: @calls
func.func @calls(%a: !stream.resource<*>, %x: i32, %n: index) {
  // CHECK: stream.cmd.execute with(%{{.*}} as %{{.*}}: !stream.resource<*>{%{{.*}}}) {
  // CHECK-NEXT: stream.cmd.call @callee(rw %{{.*}}[%{{.*}} for %{{.*}}], %{{.*}}) {tag} : (!stream.resource<*>{%{{.*}}}, i32) -> i32
  // CHECK-NEXT: } => !stream.timepoint
  %done = stream.cmd.execute with(%a as %in: !stream.resource<*>{%n}) {
    %r = stream.cmd.call @callee(rw %in[%n for %n], %x) {tag} : (!stream.resource<*>{%n}, i32) -> i32
  } => !stream.timepoint
  func.return
}
