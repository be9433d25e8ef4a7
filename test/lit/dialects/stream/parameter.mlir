// RUN: ROUNDTRIP
// RUN: GENERIC_ROUNDTRIP

// Tensors and resources are read from archives and written to them.
// CHECK-LABEL: @values
func.func @values(%scope: !util.buffer, %key: !util.buffer, %at: i64, %d: index, %n: index, %ready: !stream.timepoint) {
  // CHECK: stream.tensor.parameter.load on(#hal.device.affinity<@npu>) %{{.*}}::%{{.*}}[%{{.*}}] : tensor<?xf32>{%{{.*}}} in !stream.resource<constant>{%{{.*}}}
  %t = stream.tensor.parameter.load on(#hal.device.affinity<@npu>) %scope::%key[%at] : tensor<?xf32>{%d} in !stream.resource<constant>{%n}
  // CHECK: stream.tensor.parameter.write %{{.*}} -> %{{.*}}[%{{.*}}] : tensor<?xf32>{%{{.*}}} in !stream.resource<constant>{%{{.*}}}
  %u = stream.tensor.parameter.write %t -> %key[%at] : tensor<?xf32>{%d} in !stream.resource<constant>{%n}
  %a, %a_ready = stream.async.parameter.load on(#hal.device.affinity<@npu>) await(%ready) %scope::%key[%at] : !stream.resource<transient>{%n} => !stream.timepoint
  %b, %b_ready = stream.async.parameter.read await(%a_ready) %key[%at] -> %a[%n to %n for %n] : !stream.resource<transient>{%n} => !stream.timepoint
  %c, %c_ready = stream.async.parameter.write %b[%n to %n for %n] -> %scope::%key[%at] : !stream.resource<transient>{%n} => !stream.timepoint
  %g, %g_ready = stream.async.parameter.gather await(%c_ready) {
    %scope::%key[%at] -> %c[%n to %n for %n] : !stream.resource<transient>{%n},
    %scope::%key[%at] -> %c[%n to %n for %n] : !stream.resource<transient>{%n}
  } : !stream.resource<transient> => !stream.timepoint
  %s, %s_ready = stream.async.parameter.scatter {
    %g[%n to %n for %n] : !stream.resource<transient>{%n} -> %key[%at]
  } : !stream.resource<transient> => !stream.timepoint attributes {tag}
  func.return
}

// The same on allocated storage.
// CHECK-LABEL: @commands
func.func @commands(%scope: !util.buffer, %key: !util.buffer, %at: i64, %n: index, %ready: !stream.timepoint) {
  %l:2, %l_ready = stream.cmd.parameter.load on(#hal.device.affinity<@npu>) await(%ready) => {
    %scope::%key[%at] : !stream.resource<constant>{%n},
    %scope::%key[%at] : !stream.resource<constant>{%n}
  } => !stream.timepoint
  // CHECK: stream.cmd.parameter.read await(%{{.*}}) => %{{.*}}[%{{.*}}] -> %{{.*}}[%{{.*}} for %{{.*}}] : !stream.resource<constant>{%{{.*}}} => !stream.timepoint
  %r = stream.cmd.parameter.read await(%l_ready) => %key[%at] -> %l#0[%n for %n] : !stream.resource<constant>{%n} => !stream.timepoint
  // CHECK: stream.cmd.parameter.write %{{.*}}[%{{.*}} for %{{.*}}] : !stream.resource<constant>{%{{.*}}} -> %{{.*}}::%{{.*}}[%{{.*}}] => !stream.timepoint
  %w = stream.cmd.parameter.write %l#0[%n for %n] : !stream.resource<constant>{%n} -> %scope::%key[%at] => !stream.timepoint
  // CHECK: stream.cmd.parameter.gather await(%{{.*}}) => {
  // CHECK-NEXT: %{{.*}}[%{{.*}}] -> %{{.*}}[%{{.*}} for %{{.*}}] : !stream.resource<constant>{%{{.*}}}
  // CHECK-NEXT: } => !stream.timepoint
  %g = stream.cmd.parameter.gather await(%w) => {
    %key[%at] -> %l#1[%n for %n] : !stream.resource<constant>{%n}
  } => !stream.timepoint
  // CHECK: stream.cmd.parameter.scatter {
  // CHECK-NEXT: %{{.*}}[%{{.*}} for %{{.*}}] : !stream.resource<constant>{%{{.*}}} -> %{{.*}}::%{{.*}}[%{{.*}}],
  // CHECK-NEXT: %{{.*}}[%{{.*}} for %{{.*}}] : !stream.resource<constant>{%{{.*}}} -> %{{.*}}::%{{.*}}[%{{.*}}]
  // CHECK-NEXT: } => !stream.timepoint attributes {tag}
  %s = stream.cmd.parameter.scatter {
    %l#1[%n for %n] : !stream.resource<constant>{%n} -> %scope::%key[%at],
    %l#1[%n for %n] : !stream.resource<constant>{%n} -> %scope::%key[%at]
  } => !stream.timepoint attributes {tag}
  func.return
}
