// RUN: INVALID

// A type that is no resource where one is needed.
func.func @f(%n: index) {
  %a = "stream.resource.alloc"(%n) : (index) -> index
  func.return
}
// CHECK: error: 'stream.resource.alloc' op result 'result' at position 0 does not verify: expected !stream.resource<*|external|staging|transient|variable|constant>, got index

// -----

// Work on devices does not take staging resources.
func.func @f(%n: index) {
  %a = "stream.async.alloca"(%n) : (index) -> !stream.resource<staging>
  func.return
}
// CHECK: error: 'stream.async.alloca' op result 'result' at position 0 does not verify: expected !stream.resource<*|external|transient|variable|constant>, got !stream.resource<staging>

// -----

// A pattern of a width that is no power of two bytes.
func.func @f(%n: index) {
  %v = arith.constant 1 : i24
  %a = "stream.async.splat"(%v, %n) : (i24, index) -> !stream.resource<*>
  func.return
}
// CHECK: error: 'stream.async.splat' op operand 'value' at position 0 does not verify: expected a type of i8, i16, i32 or i64, got i24

// -----

// Commands fill with four bytes at most.
func.func @f(%t: !stream.resource<transient>, %n: index) {
  %v = arith.constant 1 : i64
  %d = stream.cmd.execute with(%t as %x: !stream.resource<transient>{%n}) {
    "stream.cmd.fill"(%x, %n, %n, %n, %v) : (!stream.resource<transient>, index, index, index, i64) -> ()
  } => !stream.timepoint
  func.return
}
// CHECK: error: 'stream.cmd.fill' op operand 'value' at position 4 does not verify: expected a type of i8, i16 or i32, got i64

// -----

// A load of a type that is no value.
func.func @f(%s: !stream.resource<staging>, %n: index) {
  %a = "stream.resource.load"(%s, %n, %n) : (!stream.resource<staging>, index, index) -> tensor<4xf32>
  func.return
}
// CHECK: error: 'stream.resource.load' op result 'result' at position 0 does not verify: expected a primitive or vector type, got tensor<4xf32>

// -----

// A parameter's key is a buffer.
func.func @f(%n: index) {
  %o = arith.constant 0 : i64
  %a, %b = "stream.async.parameter.load"(%n, %o, %n) <{operandSegmentSizes = array<i32: 0, 0, 1, 1, 1>}> : (index, i64, index) -> (!stream.resource<*>, !stream.timepoint)
  func.return
}
// CHECK: error: 'stream.async.parameter.load' op operand 'source_key' at position 0 does not verify: expected !util.buffer, got index

// -----

// A range that leaves its resource (IR-12).
func.func @f(%t: !stream.resource<transient>) {
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %d = stream.cmd.execute with(%t as %x: !stream.resource<transient>{%c64}) {
    stream.cmd.flush %x[%c32 for %c64] : !stream.resource<transient>{%c64}
  } => !stream.timepoint
  func.return
}
// CHECK: error: 'stream.cmd.flush' op expected a target range within [0, 64), got [32, 96); shorten it or enlarge the resource

// -----

// The same for an invalidate (IR-13).
func.func @f(%t: !stream.resource<transient>) {
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %d = stream.cmd.execute with(%t as %x: !stream.resource<transient>{%c64}) {
    stream.cmd.invalidate %x[%c32 for %c64] : !stream.resource<transient>{%c64}
  } => !stream.timepoint
  func.return
}
// CHECK: error: 'stream.cmd.invalidate' op expected a target range within [0, 64), got [32, 96); shorten it or enlarge the resource

// -----

// And for a discard (IR-14).
func.func @f(%t: !stream.resource<transient>) {
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %d = stream.cmd.execute with(%t as %x: !stream.resource<transient>{%c64}) {
    stream.cmd.discard %x[%c64 for %c16] : !stream.resource<transient>{%c64}
  } => !stream.timepoint
  func.return
}
// CHECK: error: 'stream.cmd.discard' op expected a target range within [0, 64), got [64, 80); shorten it or enlarge the resource

// -----

// A fill that leaves its resource.
func.func @f(%t: !stream.resource<transient>) {
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %v = arith.constant 0 : i8
  %d = stream.cmd.execute with(%t as %x: !stream.resource<transient>{%c64}) {
    stream.cmd.fill %v, %x[%c64 for %c16] : i8 -> !stream.resource<transient>{%c64}
  } => !stream.timepoint
  func.return
}
// CHECK: error: 'stream.cmd.fill' op expected a target range within [0, 64), got [64, 80); shorten it or enlarge the resource

// -----

// A view that leaves its source.
func.func @f(%r: !stream.resource<*>) {
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %a = stream.resource.subview %r[%c32] : !stream.resource<*>{%c64} -> !stream.resource<*>{%c64}
  func.return
}
// CHECK: error: 'stream.resource.subview' op expected a source range within [0, 64), got [32, 96); shorten it or enlarge the resource

// -----

// A negative offset.
func.func @f(%r: !stream.resource<*>) {
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %neg = arith.constant -8 : index
  %a = stream.resource.subview %r[%neg] : !stream.resource<*>{%c64} -> !stream.resource<*>{%c16}
  func.return
}
// CHECK: error: 'stream.resource.subview' op expected a source range of ascending bytes, got [-8, 8)

// -----

// A load past the end.
func.func @f(%s: !stream.resource<staging>) {
  %c64 = arith.constant 64 : index
  %a = stream.resource.load %s[%c64] : !stream.resource<staging>{%c64} -> i32
  func.return
}
// CHECK: error: 'stream.resource.load' op expected a source range within [0, 64), got [64, 68); shorten it or enlarge the resource

// -----

// A store past the end.
func.func @f(%s: !stream.resource<staging>, %i: i32) {
  %c64 = arith.constant 64 : index
  stream.resource.store %i, %s[%c64] : i32 -> !stream.resource<staging>{%c64}
  func.return
}
// CHECK: error: 'stream.resource.store' op expected a target range within [0, 64), got [64, 68); shorten it or enlarge the resource

// -----

// A load past the end in the async phase.
func.func @f(%s: !stream.resource<staging>) {
  %c64 = arith.constant 64 : index
  %a = stream.async.load %s[%c64] : !stream.resource<staging>{%c64} -> i32
  func.return
}
// CHECK: error: 'stream.async.load' op expected a source range within [0, 64), got [64, 68); shorten it or enlarge the resource

// -----

// A store past the end in the async phase.
func.func @f(%s: !stream.resource<staging>, %i: i32) {
  %c64 = arith.constant 64 : index
  %a = stream.async.store %i, %s[%c64] : i32 -> %s as !stream.resource<staging>{%c64}
  func.return
}
// CHECK: error: 'stream.async.store' op expected a target range within [0, 64), got [64, 68); shorten it or enlarge the resource

// -----

// An end that is not offset plus length (B08).
func.func @f(%r: !stream.resource<*>, %i: i32) {
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %a = stream.async.fill %i, %r[%c16 to %c32 for %c32] : i32 -> %r as !stream.resource<*>{%c64}
  func.return
}
// CHECK: error: 'stream.async.fill' op expected target end 48 = 16 + 32, got 32; state the end as offset + length

// -----

// A slice whose range is not as long as its result.
func.func @f(%r: !stream.resource<*>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %a = stream.async.slice %r[%c0 to %c32] : !stream.resource<*>{%c64} -> !stream.resource<*>{%c16}
  func.return
}
// CHECK: error: 'stream.async.slice' op expected source end 16 = 0 + 16, got 32; state the end as offset + length

// -----

// An update longer than its range.
func.func @f(%r: !stream.resource<*>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %a = stream.async.update %r, %r[%c0 to %c16] : !stream.resource<*>{%c32} -> %r as !stream.resource<*>{%c32}
  func.return
}
// CHECK: error: 'stream.async.update' op expected target end 32 = 0 + 32, got 16; state the end as offset + length

// -----

// Overlapping ranges of one resource (B10).
func.func @f(%r: !stream.resource<*>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c24 = arith.constant 24 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %a = stream.async.copy %r[%c0 to %c24], %r[%c8 to %c32], %c24 : !stream.resource<*>{%c64} -> %r as !stream.resource<*>{%c64}
  func.return
}
// CHECK: error: 'stream.async.copy' op expected ranges apart in one resource, got [0, 24) and [8, 32); copy by way of another resource

// -----

// The same seen through two captures.
func.func @f(%t: !stream.resource<transient>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c24 = arith.constant 24 : index
  %c64 = arith.constant 64 : index
  %d = stream.cmd.execute with(%t as %x: !stream.resource<transient>{%c64}, %t as %y: !stream.resource<transient>{%c64}) {
    stream.cmd.copy %x[%c0], %y[%c8], %c24 : !stream.resource<transient>{%c64} -> !stream.resource<transient>{%c64}
  } => !stream.timepoint
  func.return
}
// CHECK: error: 'stream.cmd.copy' op expected ranges apart in one resource, got [0, 24) and [8, 32); copy by way of another resource

// -----

// A dispatch range that leaves its resource.
func.func @f(%r: !stream.resource<*>, %n: index) {
  %c32 = arith.constant 32 : index
  %c48 = arith.constant 48 : index
  %c64 = arith.constant 64 : index
  %a = stream.async.dispatch @e::@f(%r[%c32 to %c64 for %c32]) : (!stream.resource<*>{%c48}) -> !stream.resource<*>{%n}
  func.return
}
// CHECK: error: 'stream.async.dispatch' op expected a resource operand range within [0, 48), got [32, 64); shorten it or enlarge the resource

// -----

// A binding that leaves its resource.
func.func @f(%t: !stream.resource<transient>) {
  %c32 = arith.constant 32 : index
  %c48 = arith.constant 48 : index
  %d = stream.cmd.execute with(%t as %x: !stream.resource<transient>{%c48}) {
    stream.cmd.dispatch @e::@f {
      ro %x[%c32 for %c32] : !stream.resource<transient>{%c48}
    }
  } => !stream.timepoint
  func.return
}
// CHECK: error: 'stream.cmd.dispatch' op expected a resource range within [0, 48), got [32, 64); shorten it or enlarge the resource

// -----

// A resource without a size.
func.func @f(%r: !stream.resource<*>, %n: index) {
  "stream.async.dispatch"(%r, %n, %n, %n) <{entry_points = [@e::@f], operandSegmentSizes = array<i32: 0, 1, 0, 1, 1, 1, 0>}> : (!stream.resource<*>, index, index, index) -> ()
  func.return
}
// CHECK: error: 'stream.async.dispatch' op expected 1 resource operand sizes, got 0

// -----

// A resource operand without an end.
func.func @f(%r: !stream.resource<*>, %n: index) {
  "stream.async.dispatch"(%r, %n, %n, %n) <{entry_points = [@e::@f], operandSegmentSizes = array<i32: 0, 1, 1, 1, 0, 1, 0>}> : (!stream.resource<*>, index, index, index) -> ()
  func.return
}
// CHECK: error: 'stream.async.dispatch' op expected 1 resource operand ends, got 0

// -----

// A result without a size.
func.func @f() {
  %a = "stream.async.dispatch"() <{entry_points = [@e::@f], operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0>}> : () -> !stream.resource<*>
  func.return
}
// CHECK: error: 'stream.async.dispatch' op expected 1 result sizes, got 0

// -----

// No entry point.
func.func @f() {
  "stream.async.dispatch"() <{entry_points = [], operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0>}> : () -> ()
  func.return
}
// CHECK: error: 'stream.async.dispatch' op expected at least one entry point, got none

// -----

// A tie to an operand that is not there.
func.func @f(%n: index) {
  %a = "stream.async.dispatch"(%n) <{entry_points = [@e::@f], operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 1>, tied_operands = [2 : index]}> : (index) -> !stream.resource<*>
  func.return
}
// CHECK: error: 'stream.async.dispatch' op expected a tied operand within [0, 0) of the resource operands, or -1, got 2

// -----

// A tie too many.
func.func @f(%n: index) {
  %a = "stream.async.dispatch"(%n) <{entry_points = [@e::@f], operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 1>, tied_operands = [-1 : index, -1 : index]}> : (index) -> !stream.resource<*>
  func.return
}
// CHECK: error: 'stream.async.dispatch' op expected 1 tied operands, one for each result, got 2

// -----

// A transfer kind there is not (IR-22).
func.func @f(%r: !stream.resource<*>, %n: index) {
  %a = stream.async.transfer %r : !stream.resource<*>{%n} -> !stream.resource<*>{%n} attributes {stream.transfer_kind = "move"}
  func.return
}
// CHECK: error: 'stream.async.transfer' op expected stream.transfer_kind = "copy" or "alias", got "move"

// -----

// A cast that changes the size.
func.func @f(%r: !stream.resource<*>, %n: index, %m: index) {
  %a = stream.async.cast %r : !stream.resource<*>{%n} -> !stream.resource<transient>{%m}
  func.return
}
// CHECK: error: 'stream.async.cast' op expected one size for source and result, which share storage, got two values

// -----

// A collective without the rank it names.
func.func @f(%r: !stream.resource<*>, %n: index, %ch: !stream.channel) {
  %a = "stream.async.collective"(%r, %n, %n, %n, %n, %r, %n, %n, %n, %n, %n, %ch) <{op = #stream.collective<broadcast : f32>}> : (!stream.resource<*>, index, index, index, index, !stream.resource<*>, index, index, index, index, index, !stream.channel) -> !stream.resource<*>
  func.return
}
// CHECK: error: 'stream.async.collective' op expected a source parameter for broadcast

// -----

// A collective with a rank where none is named.
func.func @f(%r: !stream.resource<*>, %n: index, %i: i32, %ch: !stream.channel) {
  %a = "stream.async.collective"(%r, %n, %n, %n, %n, %r, %n, %n, %n, %n, %n, %ch, %i) <{op = #stream.collective<all_gather : f32>}> : (!stream.resource<*>, index, index, index, index, !stream.resource<*>, index, index, index, index, index, !stream.channel, i32) -> !stream.resource<*>
  func.return
}
// CHECK: error: 'stream.async.collective' op expected no parameter for all_gather

// -----

// A collective that is given one range of two.
func.func @f(%t: !stream.resource<transient>, %n: index, %ch: !stream.channel) {
  %d = stream.cmd.execute with(%t as %x: !stream.resource<transient>{%n}) {
    stream.cmd.collective<all_gather : f32>[%n] channel(%ch) {
      ro %x[%n for %n] : !stream.resource<transient>{%n}
    }
  } => !stream.timepoint
  func.return
}
// CHECK: error: 'stream.cmd.collective' op expected 2 resources for all_gather, got 1

// -----

// A collective that cannot write what it receives.
func.func @f(%t: !stream.resource<transient>, %n: index, %ch: !stream.channel) {
  %d = stream.cmd.execute with(%t as %x: !stream.resource<transient>{%n}) {
    stream.cmd.collective<recv : f32>[%n] channel(%ch) {
      ro %x[%n for %n] : !stream.resource<transient>{%n}
    }
  } => !stream.timepoint
  func.return
}
// CHECK: error: 'stream.cmd.collective' op expected access WRITE for resource 0, got READ

// -----

// A binding without its access.
func.func @f(%t: !stream.resource<transient>, %n: index) {
  %d = stream.cmd.execute with(%t as %x: !stream.resource<transient>{%n}) {
    "stream.cmd.dispatch"(%x, %n, %n, %n) <{entry_points = [@e::@f], operandSegmentSizes = array<i32: 0, 0, 1, 1, 1, 1>, resource_accesses = []}> : (!stream.resource<transient>, index, index, index) -> ()
  } => !stream.timepoint
  func.return
}
// CHECK: error: 'stream.cmd.dispatch' op expected 1 resource accesses, got 0

// -----

// An op that is no command.
func.func @f(%t: !stream.resource<transient>, %n: index) {
  %d = stream.cmd.execute with(%t as %x: !stream.resource<transient>{%n}) {
    %k = arith.constant 0 : index
  } => !stream.timepoint
  func.return
}
// CHECK: error: 'stream.cmd.execute' op expected commands in the region, got arith.constant; move it out

// -----

// A resource from outside that is not captured.
func.func @f(%t: !stream.resource<transient>, %n: index) {
  %d = stream.cmd.execute with(%t as %x: !stream.resource<transient>{%n}) {
    stream.cmd.flush %t[%n for %n] : !stream.resource<transient>{%n}
  } => !stream.timepoint
  func.return
}
// CHECK: error: 'stream.cmd.execute' op expected resources that the region captures, got one from outside in stream.cmd.flush; capture it with `%resource as %argument`

// -----

// A region argument of another type than the capture.
func.func @f(%t: !stream.resource<transient>, %n: index) {
  %d = "stream.cmd.execute"(%t, %n) <{operandSegmentSizes = array<i32: 1, 1, 0>}> ({
  ^bb0(%x: !stream.resource<external>):
    stream.yield
  }) : (!stream.resource<transient>, index) -> !stream.timepoint
  func.return
}
// CHECK: error: 'stream.cmd.execute' op expected a region argument of type !stream.resource<transient>, got !stream.resource<external>

// -----

// A capture without a region argument.
func.func @f(%t: !stream.resource<transient>, %n: index) {
  %d = "stream.cmd.execute"(%t, %n) <{operandSegmentSizes = array<i32: 1, 1, 0>}> ({
  ^bb0:
    stream.yield
  }) : (!stream.resource<transient>, index) -> !stream.timepoint
  func.return
}
// CHECK: error: 'stream.cmd.execute' op expected 1 region arguments, got 0

// -----

// Too little is yielded.
func.func @f(%r: !stream.resource<*>, %n: index) {
  %a, %d = stream.async.execute with(%r as %x: !stream.resource<*>{%n}) -> !stream.resource<*>{%n} {
    stream.yield
  } => !stream.timepoint
  func.return
}
// CHECK: error: 'stream.async.execute' op expected 1 yielded resources, got 0

// -----

// Another lifetime is yielded.
func.func @f(%t: !stream.resource<transient>, %n: index) {
  %a, %d = stream.async.execute with(%t as %x: !stream.resource<transient>{%n}) -> !stream.resource<*>{%n} {
    stream.yield %x : !stream.resource<transient>{%n}
  } => !stream.timepoint
  func.return
}
// CHECK: error: 'stream.async.execute' op expected to yield !stream.resource<*>, got !stream.resource<transient>

// -----

// Another size is yielded.
func.func @f(%r: !stream.resource<*>, %n: index, %m: index) {
  %a, %d = stream.async.execute with(%r as %x: !stream.resource<*>{%n}) -> !stream.resource<*>{%n} {
    stream.yield %x : !stream.resource<*>{%m}
  } => !stream.timepoint
  func.return
}
// CHECK: error: 'stream.async.execute' op expected to yield a resource with the size that the op states, got another value

// -----

// A yield outside of an execution.
func.func @f() {
  stream.yield
  func.return
}
// CHECK: error: 'stream.yield' op expected to stand in stream.async.execute or stream.async.concurrent or stream.cmd.execute or stream.cmd.serial or stream.cmd.concurrent, got func.func

// -----

// Groups of commands stand in executions.
func.func @f() {
  stream.cmd.serial {
  }
  func.return
}
// CHECK: error: 'stream.cmd.serial' op expected to stand in stream.cmd.execute or stream.cmd.serial or stream.cmd.concurrent, got func.func

// -----

// A callee that nobody declares.
func.func @f(%n: index) {
  %a = stream.async.call @nowhere() : () -> !stream.resource<*>{%n}
  func.return
}
// CHECK: error: 'stream.async.call' op expected a declared callee, got @nowhere; declare it

// -----

// A callee that nobody declares, in the cmd phase.
func.func @f(%t: !stream.resource<transient>, %n: index) {
  %d = stream.cmd.execute with(%t as %x: !stream.resource<transient>{%n}) {
    stream.cmd.call @nowhere() : () -> ()
  } => !stream.timepoint
  func.return
}
// CHECK: error: 'stream.cmd.call' op expected a declared callee, got @nowhere; declare it

// -----

// A callee of another type.
stream.async.func private @g(%arg0: i32)
func.func @f() {
  stream.async.call @g() : () -> ()
  func.return
}
// CHECK: error: 'stream.async.call' op expected callee type (i32) -> (), got () -> ()

// -----

// Results of calls on the timeline are resources.
stream.async.func private @g() -> i32
func.func @f() {
  %a = stream.async.call @g() : () -> i32
  func.return
}
// CHECK: error: 'stream.async.call' op expected results that are resources, got i32

// -----

// One dictionary for each argument.
"stream.async.func"() <{sym_name = "g", function_type = (i32) -> (), arg_attrs = []}> ({}) : () -> ()
// CHECK: error: 'stream.async.func' op expected 1 argument dictionaries, got 0

// -----

// One dictionary for each result.
"stream.cmd.func"() <{sym_name = "g", function_type = () -> i32, res_attrs = []}> ({}) : () -> ()
// CHECK: error: 'stream.cmd.func' op expected 1 result dictionaries, got 0

// -----

// Slices need two bounds each.
func.func @f(%n: index) {
  %a:2 = "stream.resource.pack"(%n) <{lifetime_intervals = [1 : index], operandSegmentSizes = array<i32: 0, 1>}> : (index) -> (index, index)
  func.return
}
// CHECK: error: 'stream.resource.pack' op expected 2 lifetime bounds, got 1

// -----

// Slices need an offset each.
func.func @f(%n: index) {
  %a = "stream.resource.pack"(%n) <{lifetime_intervals = [1 : index, 2 : index], operandSegmentSizes = array<i32: 0, 1>}> : (index) -> index
  func.return
}
// CHECK: error: 'stream.resource.pack' op expected 1 packed offsets, got 0

// -----

// A lifetime that ends before it starts.
func.func @f(%n: index) {
  %a:2 = stream.resource.pack slices({
    [4, 2] = %n
  }) : index
  func.return
}
// CHECK: error: 'stream.resource.pack' op expected a lifetime that ends at or after its start, got [4, 2]

// -----

// Constants of two lifetimes.
func.func @f(%n: index) {
  %a:3 = stream.resource.constants :
    !stream.resource<constant>{%n} = 1 : i32,
    !stream.resource<variable>{%n} = 1 : i32
    => !stream.timepoint
  func.return
}
// CHECK: error: 'stream.resource.constants' op expected results of one type, got !stream.resource<constant>, !stream.resource<variable>

// -----

// A constant without a value.
func.func @f(%n: index) {
  %a:2 = "stream.resource.constants"(%n) <{values = []}> : (index) -> (!stream.resource<constant>, !stream.timepoint)
  func.return
}
// CHECK: error: 'stream.resource.constants' op expected 1 values, got 0

// -----

// A dynamic dimension without a value.
func.func @f() {
  %a = "stream.tensor.sizeof"() <{encoding = tensor<?xf32>}> : () -> index
  func.return
}
// CHECK: error: 'stream.tensor.sizeof' op expected 1 dynamic dimensions of the sizeof encoding, got 0

// -----

// A start for each dimension.
func.func @f(%r: !stream.resource<*>, %n: index) {
  %a = stream.tensor.slice %r[%n for %n] : tensor<4x4xf32> in !stream.resource<*>{%n} -> tensor<4xf32> in !stream.resource<*>{%n}
  func.return
}
// CHECK: error: 'stream.tensor.slice' op expected 2 start indices, got 1

// -----

// A clone that drops an encoding.
func.func @f(%r: !stream.resource<*>, %n: index) {
  %a = stream.tensor.clone %r : tensor<4xf32, #iree_encoding.testing<>> in !stream.resource<*>{%n} -> tensor<4xf32> in !stream.resource<*>{%n}
  func.return
}
// CHECK: error: 'stream.tensor.clone' op expected an encoding on both source and result or on none, got #iree_encoding.testing<{{.*}}> on one; encode instead of clone

// -----

// A tied result with another encoding.
func.func @f(%r: !stream.resource<*>, %n: index) {
  %a = stream.tensor.dispatch @e::@f(%r) : (tensor<4xf32> in !stream.resource<*>{%n}) -> tensor<8xf32> in %r{%n}
  func.return
}
// CHECK: error: 'stream.tensor.dispatch' op expected result encoding tensor<4xf32> of the tied operand, got tensor<8xf32>

// -----

// Awaited resources keep their types.
func.func @f(%r: !stream.resource<*>, %n: index, %tp: !stream.timepoint) {
  %a = "stream.timepoint.await"(%r, %n, %tp) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (!stream.resource<*>, index, !stream.timepoint) -> !stream.resource<transient>
  func.return
}
// CHECK: error: 'stream.timepoint.await' op expected result types (!stream.resource<*>), got (!stream.resource<transient>)

// -----

// Parameters loaded together have one type.
func.func @f(%n: index, %k: !util.buffer) {
  %o = arith.constant 0 : i64
  %a:3 = stream.cmd.parameter.load {
    %k[%o] : !stream.resource<constant>{%n},
    %k[%o] : !stream.resource<variable>{%n}
  } => !stream.timepoint
  func.return
}
// CHECK: error: 'stream.cmd.parameter.load' op expected results of one type, got !stream.resource<constant>, !stream.resource<variable>

// -----

// A gather that leaves its target.
func.func @f(%r: !stream.resource<*>, %k: !util.buffer) {
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %o = arith.constant 0 : i64
  %a = stream.cmd.parameter.gather {
    %k[%o] -> %r[%c32 for %c64] : !stream.resource<*>{%c64}
  } => !stream.timepoint
  func.return
}
// CHECK: error: 'stream.cmd.parameter.gather' op expected a target range within [0, 64), got [32, 96); shorten it or enlarge the resource

// -----

// A scatter with a wrong end.
func.func @f(%r: !stream.resource<*>, %k: !util.buffer) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %o = arith.constant 0 : i64
  %a, %b = stream.async.parameter.scatter {
    %r[%c0 to %c32 for %c16] : !stream.resource<*>{%c64} -> %k[%o]
  } : !stream.resource<*> => !stream.timepoint
  func.return
}
// CHECK: error: 'stream.async.parameter.scatter' op expected source end 16 = 0 + 16, got 32; state the end as offset + length

// -----

// The export's count region takes another workload.
stream.executable private @e {
  stream.executable.export public @f workgroups(%w: index) -> (index, index, index) {
    stream.return %w, %w, %w : index, index, index
  }
  builtin.module {
    func.func @f(%b: !stream.binding, %x: i32) {
      func.return
    }
  }
}
func.func @f() {
  stream.async.dispatch @e::@f() : () -> ()
  func.return
}
// CHECK: error: 'stream.async.dispatch' op expected workload (index) for @e::@f, got ()

// -----

// The exported function takes another primitive.
stream.executable private @e {
  stream.executable.export public @f workgroups(%w: index) -> (index, index, index) {
    stream.return %w, %w, %w : index, index, index
  }
  builtin.module {
    func.func @f(%b: !stream.binding, %x: i32) {
      func.return
    }
  }
}
func.func @f(%t: !stream.resource<transient>, %n: index) {
  %d = stream.cmd.execute with(%t as %x: !stream.resource<transient>{%n}) {
    stream.cmd.dispatch @e::@f[%n](%n : index) {
      ro %x[%n for %n] : !stream.resource<transient>{%n}
    }
  } => !stream.timepoint
  func.return
}
// CHECK: error: 'stream.cmd.dispatch' op expected uniform operands (i32) for @e::@f, got (index)

// -----

// The exported function takes fewer bindings.
stream.executable private @e {
  stream.executable.export public @f workgroups(%w: index) -> (index, index, index) {
    stream.return %w, %w, %w : index, index, index
  }
  builtin.module {
    func.func @f(%b: !stream.binding, %x: i32) {
      func.return
    }
  }
}
func.func @f(%t: !stream.resource<transient>, %n: index, %i: i32) {
  %d = stream.cmd.execute with(%t as %x: !stream.resource<transient>{%n}) {
    stream.cmd.dispatch @e::@f[%n](%i : i32) {
      ro %x[%n for %n] : !stream.resource<transient>{%n},
      ro %x[%n for %n] : !stream.resource<transient>{%n}
    }
  } => !stream.timepoint
  func.return
}
// CHECK: error: 'stream.cmd.dispatch' op expected 1 resources for the bindings of @e::@f, got 2

// -----

// A count region that gives one count.
stream.executable private @e {
  "stream.executable.export"() <{sym_name = "f", function_ref = @f}> ({
  ^bb0(%w: index):
    stream.return %w : index
  }) : () -> ()
}
// CHECK: error: 'stream.executable.export' op expected the workgroup count region to return (index, index, index), got (index)

// -----

// A count region that does not return.
stream.executable private @e {
  "stream.executable.export"() <{sym_name = "f", function_ref = @f}> ({
  ^bb0(%w: index):
    "test.termop"() : () -> ()
  }) : () -> ()
}
// CHECK: error: 'stream.executable.export' op expected the workgroup count region to end in stream.return

// -----

// A fourth dimension of the grid.
func.func @f() {
  %a = stream.dispatch.workgroup.id[3] : index
  func.return
}
// CHECK: error: 'stream.dispatch.workgroup.id' op expected a dimension within [0, 3), got 3

// -----

// A lifetime there is not.
func.func @f() {
  %a = "test.op"() : () -> !stream.resource<eternal>
  func.return
}
// CHECK: error: expected a lifetime of *, external, staging, transient, variable, constant, got eternal

// -----

// A favour there is not.
func.func @f() {
  "test.op"() {a = #stream.partitioning_config<favor-speed>} : () -> ()
  func.return
}
// CHECK: error: expected a favor of debug, min-peak-memory, max-concurrency, got speed

// -----

// A key there is not.
func.func @f() {
  "test.op"() {a = #stream.resource_config<{alignment = 4}>} : () -> ()
  func.return
}
// CHECK: error: expected a key of max_allocation_size, min_buffer_offset_alignment, max_buffer_range, min_buffer_range_alignment, index_bits, alias_mutable_bindings, memory_model, got alignment

// -----

// A bool there is not.
func.func @f() {
  "test.op"() {a = #stream.resource_config<{alias_mutable_bindings = 2}>} : () -> ()
  func.return
}
// CHECK: error: expected true, false, 1 or 0

// -----

// A timepoint attribute of another type.
func.func @f() {
  "test.op"() {a = #stream.timepoint<immediate> : i32} : () -> ()
  func.return
}
// CHECK: error: expected type !stream.timepoint, got i32

// -----

// A reduction there is not.
func.func @f() {
  "test.op"() {a = #stream.collective<all_reduce with xor : f32>} : () -> ()
  func.return
}
// CHECK: error: expected a collective reduction of none, sum, product, minimum, maximum, average, got xor

// -----

// A tie to a value that is no operand.
func.func @f(%r: !stream.resource<*>, %t: !stream.resource<transient>, %n: index, %i: i32) {
  %a = stream.async.fill %i, %r[%n to %n for %n] : i32 -> %t as !stream.resource<*>{%n}
  func.return
}
// CHECK: error: expected a tied result to name an operand of the op, got %t

// -----

// Two scopes in one load.
func.func @f(%n: index, %k: !util.buffer) {
  %o = arith.constant 0 : i64
  %a:3 = stream.cmd.parameter.load {
    %k::%k[%o] : !stream.resource<constant>{%n},
    %k[%o] : !stream.resource<constant>{%n}
  } => !stream.timepoint
  func.return
}
// CHECK: error: expected one scope in all rows, got two

// -----

// Two resources in one gather.
func.func @f(%r: !stream.resource<*>, %t: !stream.resource<transient>, %n: index, %k: !util.buffer) {
  %o = arith.constant 0 : i64
  %a = stream.cmd.parameter.gather {
    %k[%o] -> %r[%n for %n] : !stream.resource<*>{%n},
    %k[%o] -> %t[%n for %n] : !stream.resource<transient>{%n}
  } => !stream.timepoint
  func.return
}
// CHECK: error: expected one resource in all rows, got two

// -----

// Fewer types than operands.
util.func public @f(%a: !stream.resource<external>, %s: index) {
  // CHECK: [[# @LINE + 1]]:{{.*}}: error: expected 2 operand types, got 1
  %0 = stream.tensor.dispatch @ex::@fn(%a, %a) : (tensor<4xf32> in !stream.resource<external>{%s}) -> tensor<4xf32> in !stream.resource<*>{%s}
  util.return
}

// -----

// An op that nobody knows is no command.
util.func public @unknown_command() {
  // CHECK: invalid.mlir:[[# @LINE + 1]]:3: error: 'stream.cmd.execute' op expected commands in the region, got test.op; move it out
  %0 = stream.cmd.execute with() {
    "test.op"() : () -> ()
  } => !stream.timepoint
  util.return
}

// -----

// Of a flush beside an invalidate of the same bytes either may come first (IR-56).
util.func public @overlap(%r: !stream.resource<transient>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %0 = stream.cmd.execute with(%r as %x: !stream.resource<transient>{%c64}) {
    // CHECK: [[# @LINE + 1]]:{{.*}}: error: 'stream.cmd.concurrent' op concurrent maintenance of overlapping range: bytes [32,64) of %x are flushed and dropped in no order; put both into a stream.cmd.serial
    stream.cmd.concurrent {
      stream.cmd.serial {
        stream.cmd.flush %x[%c0 for %c64] : !stream.resource<transient>{%c64}
      }
      stream.cmd.invalidate %x[%c32 for %c32] : !stream.resource<transient>{%c64}
    }
  } => !stream.timepoint
  util.return
}
