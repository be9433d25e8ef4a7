// What is refused of executables and of what kernels see.

// RUN: INVALID

// Exports: regions and fallbacks.
hal.executable @ex {
  hal.executable.variant @v target(<"a", "b">) {
    // CHECK: [[# @LINE + 1]]:5: error: 'hal.executable.export' op expected the workgroup count region to take (!hal.device, index, …), got (index)
    hal.executable.export @k layout(#hal.pipeline.layout<bindings = []>) count(%n: index) -> (index, index, index) {
      hal.return %n, %n, %n : index, index, index
    }
  }
}

// -----

hal.executable @ex {
  hal.executable.variant @v target(<"a", "b">) {
    // CHECK: [[# @LINE + 1]]:5: error: 'hal.executable.export' op expected the workgroup count region to return (index, index, index), got (index)
    hal.executable.export @k layout(#hal.pipeline.layout<bindings = []>) count(%device: !hal.device, %n: index) -> (index, index, index) {
      hal.return %n : index
    }
  }
}

// -----

hal.executable @ex {
  hal.executable.variant @v target(<"a", "b">) {
    // CHECK: [[# @LINE + 1]]:5: error: 'hal.executable.export' op expected one block in the workgroup count region, got 2
    hal.executable.export @k layout(#hal.pipeline.layout<bindings = []>) count(%device: !hal.device, %n: index) -> (index, index, index) {
      cf.br ^next
    ^next:
      hal.return %n, %n, %n : index, index, index
    }
  }
}

// -----

hal.executable @ex {
  hal.executable.variant @v target(<"a", "b">) {
    // CHECK: [[# @LINE + 1]]:5: error: 'hal.executable.export' op expected a condition region and a fallback, or neither
    hal.executable.export @k layout(#hal.pipeline.layout<bindings = []>) condition(%device: !hal.device) -> i1 {
      %yes = arith.constant true
      hal.return %yes : i1
    }
  }
}

// -----

hal.executable @ex {
  hal.executable.variant @v target(<"a", "b">) {
    // CHECK: [[# @LINE + 1]]:5: error: 'hal.executable.export' op expected a fallback among the exports, got @none
    hal.executable.export @k layout(#hal.pipeline.layout<bindings = []>) condition(%device: !hal.device) -> i1 {
      %yes = arith.constant true
      hal.return %yes : i1
    } fallback(@none)
  }
}

// -----

hal.executable @ex {
  hal.executable.variant @v target(<"a", "b">) {
    // CHECK: [[# @LINE + 1]]:5: error: 'hal.executable.export' op expected the fallback @other to have layout #hal.pipeline.layout<bindings = []>, got #hal.pipeline.layout<constants = 1, bindings = []>
    hal.executable.export @k layout(#hal.pipeline.layout<bindings = []>) condition(%device: !hal.device) -> i1 {
      %yes = arith.constant true
      hal.return %yes : i1
    } fallback(@other)
    hal.executable.export @other layout(#hal.pipeline.layout<constants = 1, bindings = []>)
  }
}

// -----

hal.executable @ex {
  hal.executable.variant @v target(<"a", "b">) {
    // CHECK: [[# @LINE + 1]]:5: error: 'hal.executable.export' op expected the workgroup_count region of the fallback @other to take (!hal.device, index), got (!hal.device)
    hal.executable.export @k layout(#hal.pipeline.layout<bindings = []>) condition(%device: !hal.device) -> i1 {
      %yes = arith.constant true
      hal.return %yes : i1
    } fallback(@other) count(%device: !hal.device, %n: index) -> (index, index, index) {
      hal.return %n, %n, %n : index, index, index
    }
    hal.executable.export @other layout(#hal.pipeline.layout<bindings = []>) count(%device: !hal.device) -> (index, index, index) {
      %c1 = arith.constant 1 : index
      hal.return %c1, %c1, %c1 : index, index, index
    }
  }
}

// -----

// Conditions and constants of a variant.
hal.executable @ex {
  // CHECK: [[# @LINE + 1]]:3: error: 'hal.executable.variant' op expected at most one hal.executable.condition in it, got 2
  hal.executable.variant @v target(<"a", "b">) {
    hal.executable.condition(%device: !hal.device) -> i1 {
      %yes = arith.constant true
      hal.return %yes : i1
    }
    hal.executable.condition(%device: !hal.device) -> i1 {
      %yes = arith.constant true
      hal.return %yes : i1
    }
  }
}

// -----

hal.executable @ex {
  hal.executable.variant @v target(<"a", "b">) {
    // CHECK: [[# @LINE + 1]]:5: error: 'hal.executable.condition' op expected the condition to take (!hal.device), got (i32)
    hal.executable.condition(%device: i32) -> i1 {
      %yes = arith.constant true
      hal.return %yes : i1
    }
  }
}

// -----

hal.executable @ex {
  hal.executable.variant @v target(<"a", "b">) {
    // CHECK: [[# @LINE + 1]]:5: error: 'hal.executable.condition' op expected the signature (!hal.device) -> i1, got (!hal.device) -> i32
    "hal.executable.condition"() <{function_type = (!hal.device) -> i32}> ({
    ^bb0(%device: !hal.device):
      %c0 = arith.constant 0 : i32
      hal.return %c0 : i32
    }) : () -> ()
  }
}

// -----

hal.executable @ex {
  hal.executable.variant @v target(<"a", "b">) {
    // CHECK: [[# @LINE + 1]]:5: error: 'hal.executable.constant.block' op expected to take a !hal.device or nothing, got (i32)
    hal.executable.constant.block(%x: i32) -> i32 as "a" {
      hal.return %x : i32
    }
  }
}

// -----

hal.executable @ex {
  hal.executable.variant @v target(<"a", "b">) {
    // CHECK: [[# @LINE + 1]]:5: error: 'hal.executable.constant.block' op expected i32 results only, got (f32)
    hal.executable.constant.block() -> f32 as "a" {
      %c0 = arith.constant 0.0 : f32
      hal.return %c0 : f32
    }
  }
}

// -----

hal.executable @ex {
  hal.executable.variant @v target(<"a", "b">) {
    // CHECK: [[# @LINE + 1]]:5: error: 'hal.executable.constant.block' op expected one key for each of the 2 results, got 1
    hal.executable.constant.block() -> (i32, i32) as ("a") {
      %c0 = arith.constant 0 : i32
      hal.return %c0, %c0 : i32, i32
    }
  }
}

// -----

hal.executable @ex {
  hal.executable.variant @v target(<"a", "b">) {
    hal.executable.constant.block() -> (i32, i32) as ("a", "b") {
      %c0 = arith.constant 0 : i32
      // CHECK: [[# @LINE + 1]]:7: error: 'hal.return' op expected the signature's results (i32, i32), got (i32)
      hal.return %c0 : i32
    }
  }
}

// -----

// Kernels: bindings, constants, dimensions.
func.func @binding() {
  // CHECK: [[# @LINE + 1]]:{{.*}}: error: 'hal.interface.binding.subspan' op expected one of the layout's 1 bindings, got 1
  %0 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer>]>) binding(1) : memref<4xf32>
  func.return
}

// -----

func.func @dims(%n: index) {
  // CHECK: [[# @LINE + 1]]:{{.*}}: error: 'hal.interface.binding.subspan' op expected a value for each of 2 dynamic dimensions of the result, got 1
  %0 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer>]>) binding(0) : memref<?x?xf32>{%n}
  func.return
}

// -----

func.func @constant() {
  // CHECK: [[# @LINE + 1]]:{{.*}}: error: 'hal.interface.constant.load' op expected one of the layout's 0 constants, got ordinal 0
  %0 = hal.interface.constant.load layout(<bindings = []>) ordinal(0) : i32
  func.return
}

// -----

func.func @grid() {
  // CHECK: [[# @LINE + 1]]:{{.*}}: error: 'hal.interface.workgroup.id' op expected a dimension in 0..2, got 3
  %0 = hal.interface.workgroup.id[3] : index
  func.return
}

// -----

// Dispatches of object files.
util.func public @dims(%t: tensor<?xi32>) {
  // CHECK: [[# @LINE + 1]]:{{.*}}: error: 'hal.dispatch.extern' op expected a value for each of 1 dynamic dimensions of arguments, got 0
  "hal.dispatch.extern"(%t) <{export_name = "k", layout = #hal.pipeline.layout<bindings = []>, targets = [], target_ordinals = [], target_objects = [], operandSegmentSizes = array<i32: 0, 1, 0, 0>}> ({}) : (tensor<?xi32>) -> ()
  util.return
}

// -----

util.func public @index(%t: tensor<4xindex>) {
  // CHECK: [[# @LINE + 1]]:{{.*}}: error: 'hal.dispatch.extern' op expected no tensors of index at a dispatch, got tensor<4xindex>
  "hal.dispatch.extern"(%t) <{export_name = "k", layout = #hal.pipeline.layout<bindings = []>, targets = [], target_ordinals = [], target_objects = [], operandSegmentSizes = array<i32: 0, 1, 0, 0>}> ({}) : (tensor<4xindex>) -> ()
  util.return
}

// -----

util.func public @workload(%t: tensor<4xi32>, %n: index) {
  // CHECK: [[# @LINE + 1]]:{{.*}}: error: 'hal.dispatch.extern' op expected 0 workload values as the workgroup count region takes, got 1
  %0 = hal.dispatch.extern "k"[%n](%t) : (tensor<4xi32>) -> tensor<4xi32> count(%device: !hal.device) -> (index, index, index) {
    %c1 = arith.constant 1 : index
    hal.return %c1, %c1, %c1 : index, index, index
  } layout(#hal.pipeline.layout<bindings = []>) objects({
    #hal.executable.target<"a", "b"> ordinal(0) = []
  })
  util.return
}

// -----

util.func public @targets(%t: tensor<4xi32>) {
  // CHECK: [[# @LINE + 1]]:{{.*}}: error: 'hal.dispatch.extern' op expected an ordinal, objects and a region for each of the 0 targets, got 1, 0 and 0
  "hal.dispatch.extern"(%t) <{export_name = "k", layout = #hal.pipeline.layout<bindings = []>, targets = [], target_ordinals = [0 : index], target_objects = [], operandSegmentSizes = array<i32: 0, 1, 0, 0>}> ({}) : (tensor<4xi32>) -> ()
  util.return
}

// -----

util.func public @condition(%t: tensor<4xi32>) {
  // CHECK: [[# @LINE + 1]]:{{.*}}: error: 'hal.dispatch.extern' op expected the target condition region to take (!hal.device), got (i1)
  %0 = hal.dispatch.extern "k"(%t) : (tensor<4xi32>) -> tensor<4xi32> count(%device: !hal.device) -> (index, index, index) {
    %c1 = arith.constant 1 : index
    hal.return %c1, %c1, %c1 : index, index, index
  } layout(#hal.pipeline.layout<bindings = []>) objects({
    #hal.executable.target<"a", "b"> if(%x: i1) -> i1 {
      hal.return %x : i1
    } ordinal(0) = []
  })
  util.return
}

// -----

util.func public @condition_result(%t: tensor<4xi32>) {
  %0 = hal.dispatch.extern "k"(%t) : (tensor<4xi32>) -> tensor<4xi32> count(%device: !hal.device) -> (index, index, index) {
    %c1 = arith.constant 1 : index
    hal.return %c1, %c1, %c1 : index, index, index
  } layout(#hal.pipeline.layout<bindings = []>) objects({
    // CHECK: [[# @LINE + 1]]:{{.*}}: error: expected a region that returns (i1), got (i32)
    #hal.executable.target<"a", "b"> if(%x: !hal.device) -> i32 {
      %c1 = arith.constant 1 : i32
      hal.return %c1 : i32
    } ordinal(0) = []
  })
  util.return
}
