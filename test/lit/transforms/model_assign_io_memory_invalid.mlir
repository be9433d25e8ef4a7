// RUN: not zc-opt --split-input-file %s -p model-assign-io-memory 2>&1 | filecheck %s
// RUN: not zc-opt --split-input-file %s -p model-record-io-offsets 2>&1 | filecheck %s --check-prefix=RECORD

// Both need what the pass before them found (GE-30).
// CHECK: [[# @LINE + 2]]:1: error: 'builtin.module' op has no I/O plan; run model-plan-io before it is lowered
// RECORD: [[# @LINE + 1]]:1: error: 'builtin.module' op has no memory assignment; run model-assign-io-memory before this pass
module {
  util.func public @f() {
    util.return
  }
}
