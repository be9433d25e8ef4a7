// RUN: not zc-opt --split-input-file %s -p stream-refine-usage 2>&1 >/dev/null | filecheck %s
// RUN: not zc-opt --split-input-file %s -p stream-materialize-copy-on-write 2>&1 >/dev/null | filecheck %s

// Later passes know host functions of the util dialect only.
// CHECK: error: 'func.func' op expected the host function to be a util.func; flow-to-stream makes it one
func.func @f(%x: !stream.resource<*>) -> !stream.resource<*> {
  %c64 = arith.constant 64 : index
  %0 = stream.async.clone on(#hal.device.affinity<@a>) %x : !stream.resource<*>{%c64} -> !stream.resource<*>{%c64}
  func.return %0 : !stream.resource<*>
}
