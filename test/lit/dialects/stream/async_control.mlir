// RUN: ROUNDTRIP
// RUN: GENERIC_ROUNDTRIP

// Dispatches with ranges for resources only, with several entry points, without results.
// CHECK-LABEL: @dispatches
func.func @dispatches(%a: !stream.resource<external>, %b: !stream.resource<*>, %x: i32, %n: index) {
  // CHECK: stream.async.dispatch on(#hal.device.affinity<@npu>) @ex::@fn[%{{.*}}, %{{.*}}](%{{.*}}[%{{.*}} to %{{.*}} for %{{.*}}], %{{.*}}) : (!stream.resource<external>{%{{.*}}}, i32) -> %{{.*}}{%{{.*}}}
  %r = stream.async.dispatch on(#hal.device.affinity<@npu>) @ex::@fn[%n, %n](%a[%n to %n for %n], %x) : (!stream.resource<external>{%n}, i32) -> %a{%n}
  // CHECK: stream.async.dispatch {@ex::@fn, @ex::@fn2}(%{{.*}}[%{{.*}} to %{{.*}} for %{{.*}}], %{{.*}}[%{{.*}} to %{{.*}} for %{{.*}}]) {tag} : (!stream.resource<external>{%{{.*}}}, !stream.resource<*>{%{{.*}}}) -> (%{{.*}} as !stream.resource<transient>{%{{.*}}}, !stream.resource<transient>{%{{.*}}})
  %s:2 = stream.async.dispatch {@ex::@fn, @ex::@fn2}(%r[%n to %n for %n], %b[%n to %n for %n]) {tag} : (!stream.resource<external>{%n}, !stream.resource<*>{%n}) -> (%b as !stream.resource<transient>{%n}, !stream.resource<transient>{%n})
  // CHECK: stream.async.dispatch @ex::@sink(%{{.*}}) : (i32) -> ()
  stream.async.dispatch @ex::@sink(%x) : (i32) -> ()
  func.return
}

// Functions on the timeline are declared and called; attributes of arguments stay.
// CHECK: stream.async.func private @callee(%{{.*}}: !stream.resource<*> {arg.tag}, %{{.*}}: i32) -> (%{{.*}}, !stream.resource<*> {res.tag})
stream.async.func private @callee(%arg0: !stream.resource<*> {arg.tag}, %arg1: i32) -> (%arg0, !stream.resource<*> {res.tag})
// CHECK: stream.async.func private @other(%{{.*}}: !stream.resource<*>) -> %{{.*}} as !stream.resource<transient> attributes {tag}
stream.async.func private @other(%arg0: !stream.resource<*>) -> %arg0 as !stream.resource<transient> attributes {tag}
// CHECK-LABEL: @calls
func.func @calls(%a: !stream.resource<*>, %x: i32, %n: index) {
  // CHECK: stream.async.call on(#hal.device.affinity<@npu>) @callee(%{{.*}}[%{{.*}} to %{{.*}} for %{{.*}}], %{{.*}}) : (!stream.resource<*>{%{{.*}}}, i32) -> (%{{.*}}{%{{.*}}}, !stream.resource<*>{%{{.*}}})
  %r:2 = stream.async.call on(#hal.device.affinity<@npu>) @callee(%a[%n to %n for %n], %x) : (!stream.resource<*>{%n}, i32) -> (%a{%n}, !stream.resource<*>{%n})
  func.return
}

// Regions name what they capture anew; results may be what was captured.
// CHECK-LABEL: @regions
func.func @regions(%a: !stream.resource<transient>, %x: i32, %n: index, %ready: !stream.timepoint) {
  %r:2, %at = stream.async.execute on(#hal.device.affinity<@npu>) await(%ready) => with(%a as %in: !stream.resource<transient>{%n}) -> (%a{%n}, !stream.resource<transient>{%n}) {
    // CHECK: stream.async.concurrent with(%{{.*}} as %{{.*}}: !stream.resource<transient>{%{{.*}}}) -> (%{{.*}}{%{{.*}}}, !stream.resource<transient>{%{{.*}}}) {
    // CHECK-NEXT: stream.async.splat %{{.*}} : i32 -> !stream.resource<transient>{%{{.*}}}
    // CHECK-NEXT: stream.yield %{{.*}}, %{{.*}} : !stream.resource<transient>{%{{.*}}}, !stream.resource<transient>{%{{.*}}}
    // CHECK-NEXT: }
    %s:2 = stream.async.concurrent with(%in as %inner: !stream.resource<transient>{%n}) -> (%in{%n}, !stream.resource<transient>{%n}) {
      %f = stream.async.splat %x : i32 -> !stream.resource<transient>{%n}
      stream.yield %inner, %f : !stream.resource<transient>{%n}, !stream.resource<transient>{%n}
    }
    // CHECK: stream.yield %{{.*}}, %{{.*}} : !stream.resource<transient>{%{{.*}}}, !stream.resource<transient>{%{{.*}}}
    stream.yield %s#0, %s#1 : !stream.resource<transient>{%n}, !stream.resource<transient>{%n}
  } => !stream.timepoint
  // CHECK: stream.async.execute with() {
  // CHECK-NEXT: stream.yield
  // CHECK-NEXT: } => !stream.timepoint attributes {tag}
  %none = stream.async.execute with() {
    stream.yield
  } => !stream.timepoint attributes {tag}
  func.return
}
