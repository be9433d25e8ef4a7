module attributes {stream.affinity.default = #hal.device.affinity<@__device_0>} {
  util.global private @__device_0 = #hal.device.target<"local", [#hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "generic", cpu_features = "", data_layout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128", iree.encoding.resolver = #iree_cpu.cpu_encoding_resolver<>, max_stack_allocation_size = 32768 : i64, native_vector_size = 16 : i64, target_triple = "x86_64-unknown-unknown-eabi-elf"}>]> : !hal.device
  flow.executable private @f_dispatch_0 {
    flow.executable.export public @f_dispatch_0_matvec_8x8_f32 workgroups(%arg0: index) -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%arg0)
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f_dispatch_0_matvec_8x8_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<12x8xf32>>, %arg1: index, %arg2: !iree_tensor_ext.dispatch.tensor<readonly:tensor<8x8xf32>>, %arg3: !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>>, %arg4: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8xf32>>) {
        %cst = arith.constant 0.000000e+00 : f32
        %0 = iree_tensor_ext.dispatch.workload.ordinal %arg1, 0 : index
        %1 = iree_tensor_ext.dispatch.tensor.load %arg2, offsets = [0, 0], sizes = [8, 8], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<8x8xf32>> -> tensor<8x8xf32>
        %2 = iree_tensor_ext.dispatch.tensor.load %arg3, offsets = [0], sizes = [8], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>> -> tensor<8xf32>
        %3 = tensor.empty() : tensor<8xf32>
        %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<8xf32>) -> tensor<8xf32>
        %5 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [%0, 0], sizes = [1, 8], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<12x8xf32>> -> tensor<8xf32>
        %6 = linalg.matvec ins(%1, %2 : tensor<8x8xf32>, tensor<8xf32>) outs(%4 : tensor<8xf32>) -> tensor<8xf32>
        %7 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%6, %5 : tensor<8xf32>, tensor<8xf32>) outs(%3 : tensor<8xf32>) {
        ^bb0(%in: f32, %in_0: f32, %out: f32):
          %8 = arith.addf %in, %in_0 : f32
          %9 = math.tanh %8 : f32
          linalg.yield %9 : f32
        } -> tensor<8xf32>
        iree_tensor_ext.dispatch.tensor.store %7, %arg4, offsets = [0], sizes = [8], strides = [1] : tensor<8xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8xf32>>
        return
      }
    }
  }
  flow.executable private @f_dispatch_1 {
    flow.executable.export public @f_dispatch_1_matvec_12x8_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f_dispatch_1_matvec_12x8_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<12x8xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>>, %arg2: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<12xf32>>) {
        %cst = arith.constant 0.000000e+00 : f32
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [12, 8], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<12x8xf32>> -> tensor<12x8xf32>
        %1 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [0], sizes = [8], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>> -> tensor<8xf32>
        %2 = tensor.empty() : tensor<12xf32>
        %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<12xf32>) -> tensor<12xf32>
        %4 = linalg.matvec ins(%0, %1 : tensor<12x8xf32>, tensor<8xf32>) outs(%3 : tensor<12xf32>) -> tensor<12xf32>
        iree_tensor_ext.dispatch.tensor.store %4, %arg2, offsets = [0], sizes = [12], strides = [1] : tensor<12xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<12xf32>>
        return
      }
    }
  }
  flow.executable private @f_dispatch_2 {
    flow.executable.export public @f_dispatch_2_reduction_12_f32xf32xi32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @f_dispatch_2_reduction_12_f32xf32xi32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<12xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<i32>>) {
        %cst = arith.constant 0xFF800000 : f32
        %c0_i32 = arith.constant 0 : i32
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0], sizes = [12], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<12xf32>> -> tensor<12xf32>
        %1 = tensor.empty() : tensor<i32>
        %2 = tensor.empty() : tensor<f32>
        %3 = linalg.fill ins(%c0_i32 : i32) outs(%1 : tensor<i32>) -> tensor<i32>
        %4 = linalg.fill ins(%cst : f32) outs(%2 : tensor<f32>) -> tensor<f32>
        %5:2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%0 : tensor<12xf32>) outs(%4, %3 : tensor<f32>, tensor<i32>) {
        ^bb0(%in: f32, %out: f32, %out_0: i32):
          %6 = linalg.index 0 : index
          %7 = arith.index_cast %6 : index to i32
          %8 = arith.cmpf ogt, %in, %out : f32
          %9 = arith.select %8, %in, %out : f32
          %10 = arith.select %8, %7, %out_0 : i32
          linalg.yield %9, %10 : f32, i32
        } -> (tensor<f32>, tensor<i32>)
        iree_tensor_ext.dispatch.tensor.store %5#1, %arg1, offsets = [], sizes = [], strides = [] : tensor<i32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<i32>>
        return
      }
    }
  }
  util.func public @f(%arg0: i32, %arg1: index, %arg2: !hal.buffer_view, %arg3: !hal.buffer_view) -> (!hal.buffer_view, !hal.buffer_view) attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "sync func @f(%input0: i32, %input1: index, %input2: tensor<12x8xf32>, %input3: tensor<8x8xf32>) -> (%output0: tensor<16xi32>, %output1: tensor<8xf32>)"}} {
    %cst = arith.constant dense<0.000000e+00> : tensor<8xf32>
    %cst_0 = arith.constant dense<-1> : tensor<16xi32>
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %0 = hal.tensor.import %arg2 "input2" : !hal.buffer_view -> tensor<12x8xf32>
    %1 = hal.tensor.import %arg3 "input3" : !hal.buffer_view -> tensor<8x8xf32>
    %2:3 = scf.for %arg4 = %c0 to %arg1 step %c1 iter_args(%arg5 = %arg0, %arg6 = %cst_0, %arg7 = %cst) -> (i32, tensor<16xi32>, tensor<8xf32>) {
      %5 = arith.index_cast %arg5 : i32 to index
      %6 = flow.dispatch @f_dispatch_0::@f_dispatch_0_matvec_8x8_f32[%5](%0, %5, %1, %arg7) : (tensor<12x8xf32>, index, tensor<8x8xf32>, tensor<8xf32>) -> tensor<8xf32>
      %7 = flow.dispatch @f_dispatch_1::@f_dispatch_1_matvec_12x8_f32(%0, %6) : (tensor<12x8xf32>, tensor<8xf32>) -> tensor<12xf32>
      %8 = flow.dispatch @f_dispatch_2::@f_dispatch_2_reduction_12_f32xf32xi32(%7) : (tensor<12xf32>) -> tensor<i32>
      %9 = flow.tensor.load %8 : tensor<i32>
      %10 = flow.tensor.reshape %8 : tensor<i32> -> tensor<1xi32>
      %11 = flow.tensor.update %10, %arg6[%arg4] : tensor<1xi32> -> %arg6 as tensor<16xi32>
      scf.yield %9, %11, %6 : i32, tensor<16xi32>, tensor<8xf32>
    }
    %3 = hal.tensor.export %2#1 "output0" : tensor<16xi32> -> !hal.buffer_view
    %4 = hal.tensor.export %2#2 "output1" : tensor<8xf32> -> !hal.buffer_view
    util.return %3, %4 : !hal.buffer_view, !hal.buffer_view
  }
}