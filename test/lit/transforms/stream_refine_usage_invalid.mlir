// RUN: not zc-opt --split-input-file %s -p stream-refine-usage 2>&1 >/dev/null | filecheck %s

// A signature that leaves a lifetime open cannot be refined from within one function.
// CHECK: error: 'util.func' op leaves the lifetime of a resource in its signature open; state it instead of !stream.resource<*>
util.func public @open(%x: !stream.resource<*>) {
  util.return
}
