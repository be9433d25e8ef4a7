// RUN: ROUNDTRIP
// RUN: GENERIC_ROUNDTRIP

// Resources are made: empty, constant, filled, copied, cut out, renamed.
// CHECK-LABEL: @values
func.func @values(%x: i16, %n: index, %ready: !stream.timepoint) {
  // CHECK: stream.async.alloca on(#hal.device.affinity<@npu>) {tag} : !stream.resource<transient>{%{{.*}}}
  %empty = stream.async.alloca on(#hal.device.affinity<@npu>) {tag} : !stream.resource<transient>{%n}
  // CHECK: stream.async.constant on(#hal.device.affinity<@npu>) await(%{{.*}}) : !stream.resource<constant>{%{{.*}}} = dense<1> : tensor<4xi8>
  %constant = stream.async.constant on(#hal.device.affinity<@npu>) await(%ready) : !stream.resource<constant>{%n} = dense<1> : tensor<4xi8>
  // CHECK: stream.async.splat await(%{{.*}}) %{{.*}} : i16 -> !stream.resource<*>{%{{.*}}}
  %splat = stream.async.splat await(%ready) %x : i16 -> !stream.resource<*>{%n}
  // CHECK: stream.async.clone on(#hal.device.affinity<@npu>) %{{.*}} : !stream.resource<*>{%{{.*}}} -> !stream.resource<transient>{%{{.*}}}
  %clone = stream.async.clone on(#hal.device.affinity<@npu>) %splat : !stream.resource<*>{%n} -> !stream.resource<transient>{%n}
  // CHECK: stream.async.slice %{{.*}}[%{{.*}} to %{{.*}}] : !stream.resource<transient>{%{{.*}}} -> !stream.resource<transient>{%{{.*}}}
  %slice = stream.async.slice %clone[%n to %n] : !stream.resource<transient>{%n} -> !stream.resource<transient>{%n}
  // CHECK: stream.async.barrier on(#hal.device.affinity<@npu>) %{{.*}} : !stream.resource<transient>{%{{.*}}}
  %barrier = stream.async.barrier on(#hal.device.affinity<@npu>) %slice : !stream.resource<transient>{%n}
  // CHECK: stream.async.cast on(#hal.device.affinity<@npu>) %{{.*}} : !stream.resource<transient>{%{{.*}}} -> !stream.resource<external>{%{{.*}}} {tag}
  %cast = stream.async.cast on(#hal.device.affinity<@npu>) %barrier : !stream.resource<transient>{%n} -> !stream.resource<external>{%n} {tag}
  func.return
}

// A transfer states up to three affinities, in full (B63), and its kind stays with it (IR-22).
// CHECK-LABEL: @transfers
func.func @transfers(%a: !stream.resource<*>, %staging: !stream.resource<staging>, %n: index) {
  // CHECK: stream.async.transfer %{{.*}} : !stream.resource<*>{%{{.*}}} -> !stream.resource<staging>{%{{.*}}}
  %bare = stream.async.transfer %a : !stream.resource<*>{%n} -> !stream.resource<staging>{%n}
  // CHECK: stream.async.transfer on(#hal.device.affinity<@cpu>) %{{.*}} : !stream.resource<*>{%{{.*}}} from(#hal.device.affinity<@npu, [0, 1]>) -> to(#hal.device.promise<@cpu>) !stream.resource<*>{%{{.*}}}
  %full = stream.async.transfer on(#hal.device.affinity<@cpu>) %a : !stream.resource<*>{%n} from(#hal.device.affinity<@npu, [0, 1]>) -> to(#hal.device.promise<@cpu>) !stream.resource<*>{%n}
  // CHECK: stream.async.transfer %{{.*}} : !stream.resource<*>{%{{.*}}} from(#hal.device.affinity<@npu>) -> to(#hal.device.affinity<@cpu>) !stream.resource<*>{%{{.*}}} attributes {stream.transfer_kind = "alias"}
  %alias = stream.async.transfer %a : !stream.resource<*>{%n} from(#hal.device.affinity<@npu>) -> to(#hal.device.affinity<@cpu>) !stream.resource<*>{%n} attributes {stream.transfer_kind = "alias"}
  // CHECK: stream.async.transfer %{{.*}} : !stream.resource<staging>{%{{.*}}} -> to(#hal.device.affinity<@cpu>) !stream.resource<*>{%{{.*}}} attributes {stream.transfer_kind = "copy", tag}
  %copy = stream.async.transfer %staging : !stream.resource<staging>{%n} -> to(#hal.device.affinity<@cpu>) !stream.resource<*>{%n} attributes {stream.transfer_kind = "copy", tag}
  func.return
}

// Ranges of a target are written; the result is the target's storage.
// CHECK-LABEL: @updates
func.func @updates(%a: !stream.resource<*>, %b: !stream.resource<*>, %staging: !stream.resource<staging>, %channel: !stream.channel, %x: i64, %rank: i32, %n: index) {
  // CHECK: stream.async.fill on(#hal.device.affinity<@npu>) %{{.*}}, %{{.*}}[%{{.*}} to %{{.*}} for %{{.*}}] : i64 -> %{{.*}} as !stream.resource<*>{%{{.*}}}
  %fill = stream.async.fill on(#hal.device.affinity<@npu>) %x, %a[%n to %n for %n] : i64 -> %a as !stream.resource<*>{%n}
  // CHECK: stream.async.update %{{.*}}, %{{.*}}[%{{.*}} to %{{.*}}] : !stream.resource<*>{%{{.*}}} -> %{{.*}} as !stream.resource<*>{%{{.*}}}
  %update = stream.async.update %b, %fill[%n to %n] : !stream.resource<*>{%n} -> %fill as !stream.resource<*>{%n}
  // CHECK: stream.async.copy %{{.*}}[%{{.*}} to %{{.*}}], %{{.*}}[%{{.*}} to %{{.*}}], %{{.*}} : !stream.resource<*>{%{{.*}}} -> %{{.*}} as !stream.resource<*>{%{{.*}}} attributes {tag}
  %copy = stream.async.copy %b[%n to %n], %update[%n to %n], %n : !stream.resource<*>{%n} -> %update as !stream.resource<*>{%n} attributes {tag}
  // CHECK: stream.async.collective<all_reduce with sum : f32>[%{{.*}}] on(#hal.device.affinity<@npu>) channel(%{{.*}}) %{{.*}}[%{{.*}} to %{{.*}} for %{{.*}}], %{{.*}}[%{{.*}} to %{{.*}} for %{{.*}}] : !stream.resource<*>{%{{.*}}} -> %{{.*}} as !stream.resource<*>{%{{.*}}}
  %reduced = stream.async.collective<all_reduce with sum : f32>[%n] on(#hal.device.affinity<@npu>) channel(%channel) %b[%n to %n for %n], %copy[%n to %n for %n] : !stream.resource<*>{%n} -> %copy as !stream.resource<*>{%n}
  // CHECK: stream.async.collective<send : bf16>[%{{.*}}] channel(%{{.*}}) target(%{{.*}}) %{{.*}}[%{{.*}} to %{{.*}} for %{{.*}}], %{{.*}}[%{{.*}} to %{{.*}} for %{{.*}}] : !stream.resource<*>{%{{.*}}} -> %{{.*}} as !stream.resource<*>{%{{.*}}}
  %sent = stream.async.collective<send : bf16>[%n] channel(%channel) target(%rank) %b[%n to %n for %n], %reduced[%n to %n for %n] : !stream.resource<*>{%n} -> %reduced as !stream.resource<*>{%n}
  // CHECK: stream.async.load %{{.*}}[%{{.*}}] : !stream.resource<staging>{%{{.*}}} -> vector<2xi32>
  %loaded = stream.async.load %staging[%n] : !stream.resource<staging>{%n} -> vector<2xi32>
  // CHECK: stream.async.store %{{.*}}, %{{.*}}[%{{.*}}] : i64 -> %{{.*}} as !stream.resource<staging>{%{{.*}}}
  %stored = stream.async.store %x, %staging[%n] : i64 -> %staging as !stream.resource<staging>{%n}
  func.return
}
