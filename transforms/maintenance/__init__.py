"""Cache maintenance: what host programs do to memory, which rules that leaves open, and where a
flush, invalidate or discard closes them.

* `program` cuts the host programs of a module into straight segments; `stream_reader` or
  `hal_reader` read each into plain data (`memory_events`), with the order that its timepoints
  or fences and barriers give.
* `visits` follows one storage from its making along all paths: loops, branches, calls, globals.
* `byte_state` holds the history of one byte and the rules; `items` keeps up what befalls each piece
  of a storage; `walk` takes its bytes along all visits.
* `plan` decides what is missing and what is redundant; the passes insert and erase ops.
* `verify` reports what is broken on which paths.

The rules are those of docs/memory-model.md; the checker of the runtime states them anew, on the
events of a run.
"""
