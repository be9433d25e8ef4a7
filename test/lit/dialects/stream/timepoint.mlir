// RUN: ROUNDTRIP
// RUN: GENERIC_ROUNDTRIP

// Timepoints come from another dialect and go back; resources are joined with them.
// CHECK-LABEL: @timepoints
func.func @timepoints(%fence: !stream.test.fence, %resource: !stream.resource<external>, %staging: !stream.resource<staging>, %size: index) {
  // CHECK: stream.timepoint.immediate => !stream.timepoint
  %now = stream.timepoint.immediate => !stream.timepoint
  // CHECK: stream.timepoint.import on(#hal.device.affinity<@npu>) %{{.*}} : (!stream.test.fence) => !stream.timepoint
  %in = stream.timepoint.import on(#hal.device.affinity<@npu>) %fence : (!stream.test.fence) => !stream.timepoint
  // CHECK: stream.timepoint.export on(#hal.device.affinity<@npu>) %{{.*}} => (!stream.test.fence)
  %out = stream.timepoint.export on(#hal.device.affinity<@npu>) %in => (!stream.test.fence)
  // CHECK: stream.timepoint.chain_external %{{.*}} => (%{{.*}} : !stream.test.fence) attributes {tag}
  stream.timepoint.chain_external %in => (%fence : !stream.test.fence) attributes {tag}
  // CHECK: stream.timepoint.join max(%{{.*}}, %{{.*}}) => !stream.timepoint
  %all = stream.timepoint.join max(%now, %in) => !stream.timepoint
  %same, %at = stream.timepoint.barrier on(#hal.device.affinity<@npu>) %resource : !stream.resource<external>{%size} => !stream.timepoint
  // CHECK: stream.timepoint.await %{{.*}} => %{{.*}}, %{{.*}} : !stream.resource<external>{%{{.*}}}, !stream.resource<staging>{%{{.*}}}
  %both:2 = stream.timepoint.await %all => %same, %staging : !stream.resource<external>{%size}, !stream.resource<staging>{%size}
  // CHECK: stream.timepoint.await sync %{{.*}} => %{{.*}} : !stream.resource<external>{%{{.*}}} attributes {tag}
  %one = stream.timepoint.await sync %at => %same : !stream.resource<external>{%size} attributes {tag}
  func.return
}

// Ops that stand for work on the timeline in tests.
// CHECK-LABEL: @test_ops
func.func @test_ops(%resource: !stream.resource<transient>, %fence: !stream.test.fence, %at: !stream.timepoint, %size: index) {
  %next, %done = stream.test.timeline_op await_limit(1) await(%at) => with(%resource) : (!stream.resource<transient>{%size}) -> %resource{%size} => !stream.timepoint
  // CHECK: stream.test.timeline_aware(%{{.*}}) waits(%{{.*}}) signals(%{{.*}}) : (index) -> i32
  %x = stream.test.timeline_aware(%size) waits(%fence) signals(%fence) : (index) -> i32
  func.return
}
