"""Cache maintenance on the cmd phase: what a function does to memory, which rules that leaves
open, and where a flush, invalidate or discard closes them.

`memory_events` reads a function into plain data, `rules` sweeps one byte interval, `plan` decides
all, and the passes insert and erase ops. The rules are those of docs/memory-model.md; the checker
of the runtime states them anew, on the events of a run.
"""
