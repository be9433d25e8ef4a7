// RUN: INVALID

// A dynamic dimension without its value.
util.func public @f(%t: tensor<?xf32>) {
  %0 = flow.tensor.clone %t : tensor<?xf32>
  // CHECK: error: 'flow.tensor.clone' op expected a value for each of 1 dynamic dimensions of the operand, got 0
  util.return
}

// -----

// A value for a dimension that is static.
util.func public @f(%d: index) {
  %0 = flow.tensor.empty : tensor<4xf32>{%d}
  // CHECK: error: 'flow.tensor.empty' op expected a value for each of 0 dynamic dimensions of the result, got 1
  util.return
}

// -----

// A reshape to fewer elements.
util.func public @f(%t: tensor<4xf32>) {
  %0 = flow.tensor.reshape %t : tensor<4xf32> -> tensor<3xf32>
  // CHECK: error: 'flow.tensor.reshape' op expected as many elements in both shapes, got tensor<4xf32> and tensor<3xf32>
  util.return
}

// -----

// A reshape to another element type.
util.func public @f(%t: tensor<4xf32>) {
  %0 = flow.tensor.reshape %t : tensor<4xf32> -> tensor<4xi32>
  // CHECK: error: 'flow.tensor.reshape' op expected elements of one type, got tensor<4xf32> and tensor<4xi32>; use flow.tensor.bitcast
  util.return
}

// -----

// A bitcast to fewer bytes.
util.func public @f(%t: tensor<4xf32>) {
  %0 = flow.tensor.bitcast %t : tensor<4xf32> -> tensor<4xi16>
  // CHECK: error: 'flow.tensor.bitcast' op expected tensors of one size, got tensor<4xf32> of 16 bytes and tensor<4xi16> of 8 bytes
  util.return
}

// -----

// An element of a row.
util.func public @f(%t: tensor<4x4xf32>, %i: index) {
  %0 = flow.tensor.load %t[%i] : tensor<4x4xf32>
  // CHECK: error: 'flow.tensor.load' op expected 2 indices, one for each dimension of the source, got 1
  util.return
}

// -----

// An element behind the last.
util.func public @f(%t: tensor<4xf32>, %v: f32) {
  %c4 = arith.constant 4 : index
  %0 = flow.tensor.store %v, %t[%c4] : tensor<4xf32>
  // CHECK: error: 'flow.tensor.store' op expected an index within dimension 0 of the target, got 4 in tensor<4xf32>
  util.return
}

// -----

// An encoding that changes the shape.
util.func public @f(%t: tensor<4xf32>) {
  %0 = flow.tensor.encode %t : tensor<4xf32> -> tensor<5xf32>
  // CHECK: error: 'flow.tensor.encode' op expected operand and result of one shape, got tensor<4xf32> and tensor<5xf32>
  util.return
}

// -----

// A transfer to a number (IR-10).
util.func public @f(%t: tensor<4xf32>) {
  %0 = flow.tensor.transfer %t : tensor<4xf32> to 5 : i32
  // CHECK: error: 'flow.tensor.transfer' op expected device affinity as target, got 5 : i32; write #hal.device.affinity<@device>
  util.return
}

// -----

// A transfer to a device that no global declares, in a module that declares devices (IR-10, B47).
builtin.module {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.func public @f(%t: tensor<4xf32>) {
    %0 = flow.tensor.transfer %t : tensor<4xf32> to #hal.device.affinity<@nowhere>
    // CHECK: error: 'flow.tensor.transfer' op expected a device that a util.global declares, got @nowhere; declare it or use #hal.device.promise
    util.return
  }
}

// -----

// A barrier on one of two devices, of which one is not declared.
builtin.module {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.func public @f(%t: tensor<4xf32>) {
    %0 = flow.tensor.barrier %t : tensor<4xf32> on #hal.device.optimal<[#hal.device.affinity<@a>, #hal.device.affinity<@b>]>
    // CHECK: error: 'flow.tensor.barrier' op expected a device that a util.global declares, got @b; declare it or use #hal.device.promise
    util.return
  }
}

// -----

// A transfer of an unknown kind (IR-22).
util.func public @f(%t: tensor<4xf32>) {
  %0 = flow.tensor.transfer %t : tensor<4xf32> to #hal.device.affinity<@a> attributes {stream.transfer_kind = "move"}
  // CHECK: error: 'flow.tensor.transfer' op expected copy or alias as stream.transfer_kind, got "move"
  util.return
}

// -----

// A slice without a length for each dimension.
util.func public @f(%t: tensor<4x4xf32>, %i: index) {
  %0 = flow.tensor.slice %t[%i, %i for %i] : tensor<4x4xf32> -> tensor<2x2xf32>
  // CHECK: error: 'flow.tensor.slice' op expected 2 lengths, one for each dimension of the source, got 1
  util.return
}

// -----

// A slice that ends behind the tensor.
util.func public @f(%t: tensor<4xf32>) {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %0 = flow.tensor.slice %t[%c2 for %c3] : tensor<4xf32> -> tensor<3xf32>
  // CHECK: error: 'flow.tensor.slice' op expected a part within dimension 0 of the source, got [2, 5) in tensor<4xf32>
  util.return
}

// -----

// A slice of another length than its result.
util.func public @f(%t: tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %0 = flow.tensor.slice %t[%c0 for %c3] : tensor<4xf32> -> tensor<2xf32>
  // CHECK: error: 'flow.tensor.slice' op expected length 2 of dimension 0 as in the result, got 3
  util.return
}

// -----

// A slice that loses a dimension.
util.func public @f(%t: tensor<4x4xf32>, %i: index) {
  %0 = flow.tensor.slice %t[%i, %i for %i, %i] : tensor<4x4xf32> -> tensor<2xf32>
  // CHECK: error: 'flow.tensor.slice' op expected source and result of one rank, got tensor<4x4xf32> and tensor<2xf32>
  util.return
}

// -----

// An update that ends behind the target.
util.func public @f(%t: tensor<4xf32>, %u: tensor<3xf32>) {
  %c2 = arith.constant 2 : index
  %0 = flow.tensor.update %u, %t[%c2] : tensor<3xf32> -> %t as tensor<4xf32>
  // CHECK: error: 'flow.tensor.update' op expected a part within dimension 0 of the target, got [2, 5) in tensor<4xf32>
  util.return
}

// -----

// An update whose result is tied to the update.
util.func public @f(%t: tensor<4xf32>, %u: tensor<3xf32>, %i: index) {
  %0 = flow.tensor.update %u, %t[%i] : tensor<3xf32> -> %u as tensor<4xf32>
  // CHECK: error: expected a tied result to name an operand of the op, got %u
  util.return
}

// -----

// A constant without a type.
util.func public @f() {
  %0 = flow.tensor.constant [1]
  // CHECK: error: expected a value with a type, got [1 : i64]
  util.return
}

// -----

// A dispatch of nothing.
util.func public @f() {
  "flow.dispatch"() <{entry_points = [], operandSegmentSizes = array<i32: 0, 0, 0, 0>}> : () -> ()
  // CHECK: error: 'flow.dispatch' op expected at least one entry point, got none
  util.return
}

// -----

// An executable without such an entry point.
flow.executable private @ex {
  flow.executable.export public @a
}
util.func public @f() {
  flow.dispatch @ex::@b() : () -> ()
  // CHECK: error: 'flow.dispatch' op expected an entry point that the executable exports, got @ex::@b; export it
  util.return
}

// -----

// Another workload than the entry point takes.
flow.executable private @ex {
  flow.executable.export public @a workgroups(%arg0: index) -> (index, index, index) {
    flow.return %arg0, %arg0, %arg0 : index, index, index
  }
}
util.func public @f() {
  flow.dispatch @ex::@a() : () -> ()
  // CHECK: error: 'flow.dispatch' op expected the workload (index) of @ex::@a, got ()
  util.return
}

// -----

// Fewer arguments than the function takes.
flow.executable private @ex {
  flow.executable.export public @a
  builtin.module {
    func.func private @a(!iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>, !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>)
  }
}
util.func public @f(%t: tensor<4xf32>) {
  flow.dispatch @ex::@a(%t) : (tensor<4xf32>) -> ()
  // CHECK: error: 'flow.dispatch' op expected 2 arguments and results not tied, as @ex::@a takes, got 1
  util.return
}

// -----

// Another tensor than the function takes.
flow.executable private @ex {
  flow.executable.export public @a
  builtin.module {
    func.func private @a(!iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>)
  }
}
util.func public @f(%t: tensor<5xf32>) {
  flow.dispatch @ex::@a(%t) : (tensor<5xf32>) -> ()
  // CHECK: error: 'flow.dispatch' op expected tensor<4xf32> for argument 0 of @ex::@a, got tensor<5xf32>
  util.return
}

// -----

// A result tied to an argument that the function only reads.
flow.executable private @ex {
  flow.executable.export public @a
  builtin.module {
    func.func private @a(!iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>)
  }
}
util.func public @f(%t: tensor<4xf32>) {
  %0 = flow.dispatch @ex::@a(%t) : (tensor<4xf32>) -> %t
  // CHECK: error: 'flow.dispatch' op expected @ex::@a to write argument 0, which is a result, got !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>
  util.return
}

// -----

// A result tied to an argument that is not there.
util.func public @f(%t: tensor<4xf32>) {
  %0 = "flow.dispatch"(%t) <{entry_points = [@a::@b], tied_operands = [1 : index], operandSegmentSizes = array<i32: 0, 1, 0, 0>}> : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: error: 'flow.dispatch' op expected a tied operand within [0, 1) of the arguments, or -1, got 1
  util.return
}

// -----

// A call of what is not declared.
util.func public @f() {
  flow.call @missing() : () -> ()
  // CHECK: error: 'flow.call' op expected a declared flow.func as callee, got @missing
  util.return
}

// -----

// A call with another type.
flow.func private @g(%arg0: i32)
util.func public @f() {
  flow.call @g() : () -> ()
  // CHECK: error: 'flow.call' op expected to call @g of type (i32) -> (), got () -> ()
  util.return
}

// -----

// A declaration that all may see.
flow.func public @g()
// CHECK: error: 'flow.func' op expected a declaration to be private, got a public one

// -----

// A count region that returns one index.
flow.executable private @ex {
  flow.executable.export public @a workgroups(%arg0: index) -> (index, index, index) {
  // CHECK: error: 'flow.executable.export' op expected a workgroup count region that returns (index, index, index), got (index)
    flow.return %arg0 : index
  }
}

// -----

// A region that returns another type.
util.func public @f(%t: tensor<4xf32>) {
  %0 = flow.dispatch.region -> (tensor<5xf32>) {
  // CHECK: error: 'flow.dispatch.region' op expected a body that returns (tensor<5xf32>), got (tensor<4xf32>)
    flow.return %t : tensor<4xf32>
  }
  util.return
}

// -----

// A region that takes arguments.
util.func public @f() {
  flow.dispatch.region -> () {
  // CHECK: error: 'flow.dispatch.region' op expected a body without arguments, got 1
  ^bb0(%a: index):
    flow.return
  }
  util.return
}

// -----

// A region with a result that is no tensor.
util.func public @f(%a: i32) {
  %0 = flow.dispatch.region -> (i32) {
  // CHECK: error: 'flow.dispatch.region' op expected ranked tensors as results, got i32
    flow.return %a : i32
  }
  util.return
}

// -----

// A count region that takes another workload.
util.func public @f(%i: index) {
  flow.dispatch.region[%i] -> () {
  // CHECK: error: 'flow.dispatch.region' op expected a workgroup count region that takes (index), got (index, index)
    flow.return
  } count(%a: index, %b: index) -> (index, index, index) {
    flow.return %a, %a, %a : index, index, index
  }
  util.return
}

// -----

// A tensor of indices, whose width the device may not share.
util.func public @f(%t: tensor<4xindex>) {
  flow.dispatch.workgroups(%t) : (tensor<4xindex>) -> () =
  // CHECK: error: 'flow.dispatch.workgroups' op expected no index elements to cross the dispatch boundary, got tensor<4xindex>; cast them to i64
      (%a: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xindex>>) {
    flow.return
  }
  util.return
}

// -----

// A fourth dimension of the grid.
util.func public @f() {
  %0 = flow.dispatch.workgroup.id[3] : index
  // CHECK: error: 'flow.dispatch.workgroup.id' op expected dimension 0, 1 or 2, got 3
  util.return
}

// -----

// An element type that cannot be transmitted.
util.func public @f(%t: tensor<4xf32>, %c: !flow.channel) {
  %0 = flow.collective.all_gather i5, %t, %t, %c : (tensor<4xf32>, tensor<4xf32>, !flow.channel) -> %t as tensor<4xf32>
  // CHECK: error: expected one of si8, ui8, si16, ui16, si32, ui32, si64, ui64, f16, f32, f64, bf16, got i5
  util.return
}

// -----

// A reduction that has no number.
util.func public @f(%t: tensor<4xf32>, %c: !flow.channel) {
  %0 = "flow.collective.all_reduce"(%t, %t, %c) <{element_type = 9 : i32, reduction_op = 7 : i32}> : (tensor<4xf32>, tensor<4xf32>, !flow.channel) -> tensor<4xf32>
  // CHECK: error: 'flow.collective.all_reduce' op expected a reduction between 0 and 5, got 7
  util.return
}

// -----

// Fewer types than operands.
util.func public @f(%t: tensor<4xf32>) {
  // CHECK: [[# @LINE + 1]]:{{.*}}: error: expected 2 operand types, got 1
  %0 = flow.dispatch @ex::@f(%t, %t) : (tensor<4xf32>) -> tensor<4xf32>
  util.return
}
