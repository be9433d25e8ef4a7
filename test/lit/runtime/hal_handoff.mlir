// A hal program written by hand hands a buffer from one device to another (IR-15, IR-63).

// Right on caches that are not coherent, under any schedule.
// RUN: zc-run %S/../../data/hal/handoff.mlir --input=16xf32=3 --check | filecheck %s
// RUN: zc-run %S/../../data/hal/handoff.mlir --input=16xf32=3 --check --schedule=adversarial:1 | filecheck %s
// CHECK: 16xf32=7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7

// Each execution maintains caches, once for each range; one input is imported, nothing is copied.
// RUN: zc-run %S/../../data/hal/handoff.mlir --input=16xf32=3 --stats | filecheck %s --check-prefix=STATS
// STATS: dispatches 0 1 1 2
// STATS-NOT: copy_cmds
// STATS: flush_cmds 1 1 1 3
// STATS: invalidate_cmds 1 1 1 3
// STATS: imports 1 0 0 1
// STATS: recordings 0 1 1 2

// Without the producer's flush the consumer may read old bytes: the report names the buffer, the
// write, the missing flush and the read.
// RUN: sed "/flush_buffer<%cmd/d" %S/../../data/hal/handoff.mlir > %t.noflush.mlir
// RUN: not --code 1 zc-check %t.noflush.mlir 2>&1 | filecheck %s --check-prefix=STALE
// STALE: noflush.mlir:99:5: error: stale read of bytes [0,64) of %mid
// STALE-SAME: for want of a flush by @a
// STALE-NEXT: noflush.mlir:85:7: note: written here by @a (hal.command_buffer.dispatch @kernels::@double)
// STALE-NEXT: note: insert a flush of bytes [0,64) of %mid
// STALE: noflush.mlir:99:5: note: read here by @b (hal.command_buffer.dispatch @kernels::@increment)

// On coherent memory neither matters.
// RUN: sed "/flush_buffer/d;/invalidate_buffer/d" %S/../../data/hal/handoff.mlir > %t.bare.mlir
// RUN: zc-run %t.bare.mlir --memory=coherent --input=16xf32=3 --check | filecheck %s
