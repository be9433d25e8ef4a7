// RUN: ROUNDTRIP
// RUN: GENERIC_ROUNDTRIP

// Channels of collectives with and without what they may state.
// CHECK-LABEL: @channels
func.func @channels(%id: !util.buffer, %n: index) {
  // CHECK: stream.channel.create : !stream.channel
  %default = stream.channel.create : !stream.channel
  // CHECK: stream.channel.create on(#hal.device.affinity<@npu>) id(%{{.*}}) group("g") rank(%{{.*}}) count(%{{.*}}) : !stream.channel attributes {tag}
  %full = stream.channel.create on(#hal.device.affinity<@npu>) id(%id) group("g") rank(%n) count(%n) : !stream.channel attributes {tag}
  // CHECK: stream.channel.split %{{.*}}, %{{.*}}, %{{.*}} : !stream.channel -> !stream.channel
  %part = stream.channel.split %default, %n, %n : !stream.channel -> !stream.channel
  // CHECK: stream.channel.rank %{{.*}} : index
  %rank = stream.channel.rank %part : index
  // CHECK: stream.channel.count %{{.*}} : index
  %count = stream.channel.count %part : index
  // CHECK: stream.context.resolve on(#hal.device.affinity<@npu>) : index
  %device = stream.context.resolve on(#hal.device.affinity<@npu>) : index
  func.return
}

// Bytes between files and resources, behind a timepoint or not.
// CHECK-LABEL: @files
func.func @files(%buffer: !util.buffer, %resource: !stream.resource<transient>, %n: index, %at64: i64, %ready: !stream.timepoint) {
  // CHECK: stream.file.constant on(#hal.device.affinity<@npu>) %{{.*}}[%{{.*}} for %{{.*}}] : !util.buffer{%{{.*}}} -> !stream.file
  %file = stream.file.constant on(#hal.device.affinity<@npu>) %buffer[%n for %n] : !util.buffer{%n} -> !stream.file
  // CHECK: stream.file.read : %{{.*}}[%{{.*}}], %{{.*}}[%{{.*}}], %{{.*}} : !stream.file -> !stream.resource<transient>{%{{.*}}} => !stream.timepoint
  %read = stream.file.read : %file[%at64], %resource[%n], %n : !stream.file -> !stream.resource<transient>{%n} => !stream.timepoint
  // CHECK: stream.file.write on(#hal.device.affinity<@npu>) await(%{{.*}}) => %{{.*}}[%{{.*}}], %{{.*}}[%{{.*}}], %{{.*}} : !stream.resource<transient>{%{{.*}}} -> !stream.file => !stream.timepoint attributes {tag}
  %written = stream.file.write on(#hal.device.affinity<@npu>) await(%ready) => %resource[%n], %file[%at64], %n : !stream.resource<transient>{%n} -> !stream.file => !stream.timepoint attributes {tag}
  func.return
}
