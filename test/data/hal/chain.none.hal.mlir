module @test {
  hal.executable private @test_linked_vmvx {
    hal.executable.binary public @vmvx_bytecode_fb <format = "vmvx-bytecode-fb", data = dense<"0x504B03042D000000000000002100BF3F52FEFFFFFFFFFFFFFFFF090019006D6F64756C652E6662CAFE01000001001000BC06000000000000BC06000000000000BC060000080000004952454594F9FFFF2400000009000000EC010000000200000C020000000400000000110038040000180000000D0000006C696E6B65645F6D6F64756C65000000DAF9FFFF0C000000140000003400000008000000000202010201020108000000000000005C0100004801000038010000240100001401000000010000F0000000010000000400000030FAFFFF08000000280000001F000000665F64697370617463685F325F656C656D656E74776973655F31365F663332001600000001000000000000000400000000000000070000000300000012000000000000001D0000000000000024000000030000002B0000000300000032000000050000003D000000070000004800000003000000530000000300000058000000030000006100000003000000680000000300000079000000030000008100000003000000890000000300000091000000030000009900000003000000A000000003000000A900000003000000B20000000300000014FBFFFF060000000200000012FBFFFF54000000030000000800000030FBFFFF04000000020000002EFBFFFF3800000006000000090000004CFBFFFF01000000020000004AFBFFFF1C00000002000000010000005AFBFFFF0C0000000700000008000000250000002F776F726B2F7368617265642F70726F6772616D732F636861696E2E6E6F6E652E6D6C697200000005000000900000007C000000680000004C0000002400000003000000E8000000B40000008000000003000000A401000050010000FC000000D4FBFFFF040000001400000021766D2E6C6973743C21766D2E6275666665723E00000000F8FBFFFF040000000A00000021766D2E627566666572000010FCFFFF04000000030000006936340020FCFFFF04000000030000006933320030FCFFFF04000000030000006633320048FCFFFF08000000020000001F000000665F64697370617463685F325F656C656D656E74776973655F31365F6633320078FCFFFF08000000010000001F000000665F64697370617463685F315F656C656D656E74776973655F31365F66333200A0FCFFFF040000001F000000665F64697370617463685F305F656C656D656E74776973655F31365F66333200D4FCFFFF08000000180000000F000000307272726969696969696969695F76000100000004000000FCFCFFFF08000000180000000D00000062696E64696E675F636F756E74000000010000003300000024FDFFFF08000000180000000F000000307272726969696969696969695F760001000000040000004CFDFFFF08000000180000000D00000062696E64696E675F636F756E74000000010000003200000074FDFFFF08000000180000000F000000307272726969696969696969695F760001000000040000009CFDFFFF08000000180000000D00000062696E64696E675F636F756E74000000010000003200000003000000000000009C00000009000000000004000A000300A00000009C00000009000000000004000A00030040010000B600000009000000000004000A000400F8010000790C09000E00000F100000000000000002000F010000000000000004000D01000000060085000200008001801A028009000300000000801A02800600030000000180850001000280565000000000000079500000020006005706006800000000000090000000000079E033008000000600E00A060006000600E0340180000006002A000004000000565000000000000079850200008001805A00000000000000790C09000E00000F100000000000000002000F010000000000000004000D01000000060085000200008001801A028009000300000000801A02800600030000000180850001000280565000000000000079500000020006005706006800000000000090000000000079E033008000000600E00C060006000600E0340180000006002A000004000000565000000000000079850200008001805A00000000000000790C09000E00000F100000000000000002000F010000000000000004000D0100000006000D020000000700850200008001801A028009000300000000801A028006000300000001801A0280070003000000038085010002805660000000000000795000000200060057060078000000000000A8000000000079E033008000000600E033018000000700E00B060007000700E0340380000007002A0000040000005660000000000000798503000080018003805A000000000008000C00040008000600080004000A001000040008000C002400280004000000080000000C00000000001000140000000000000018001C0020002400000000000000000000000000000000000000000000000000000000000000000000000000504B01021E032D000000000000002100BF3F52FEFFFFFFFFFFFFFFFF09001C0000000000000000000000FFFFFFFF6D6F64756C652E666201001800BC06000000000000BC060000000000000000000000000000504B06062C000000000000002D002D0000000000000000000100000000000000010000000000000053000000000000000007000000000000504B060700000000530700000000000001000000504B0506000000000100010053000000FFFFFFFF0000"> : vector<1973xi8>, mime_type = "application/x-flatbuffers">
  }
  util.global private @device_a : !hal.device
  util.initializer {
    %c18_i32 = arith.constant 18 : i32
    %false = arith.constant false
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = util.null : !hal.device
    %device_count = hal.devices.count : index
    cf.br ^bb1(%c0, %c0, %0 : index, index, !hal.device)
  ^bb1(%1: index, %2: index, %3: !hal.device):  // 2 preds: ^bb0, ^bb4
    %4 = util.cmp.eq %3, %0 : !hal.device
    %5 = arith.cmpi slt, %1, %device_count : index
    %6 = arith.andi %4, %5 : i1
    cf.cond_br %6, ^bb2, ^bb5
  ^bb2:  // pred: ^bb1
    %device_n = hal.devices.get %1 : !hal.device
    %ok, %value = hal.device.query<%device_n : !hal.device> key("hal.device.id" :: "local*") : i1, i1 = false
    cf.cond_br %value, ^bb3, ^bb4(%false : i1)
  ^bb3:  // pred: ^bb2
    %ok_0, %value_1 = hal.device.query<%device_n : !hal.device> key("hal.executable.format" :: "vmvx-bytecode-fb") : i1, i1 = false
    cf.br ^bb4(%value_1 : i1)
  ^bb4(%7: i1):  // 2 preds: ^bb2, ^bb3
    %8 = arith.cmpi eq, %2, %c0 : index
    %9 = arith.select %7, %c1, %c0 : index
    %10 = arith.addi %2, %9 : index
    %11 = arith.andi %7, %8 : i1
    %12 = arith.select %11, %device_n, %0 : !hal.device
    %13 = arith.addi %1, %c1 : index
    cf.br ^bb1(%13, %10, %12 : index, index, !hal.device)
  ^bb5:  // pred: ^bb1
    cf.cond_br %4, ^bb6, ^bb7
  ^bb6:  // pred: ^bb5
    util.status.check_ok %c18_i32, "HAL device `device_a` not found or unavailable: #hal.device.target<\22local\22, {ordinal = 0 : index}, [#hal.executable.target<\22vmvx\22, \22vmvx-bytecode-fb\22, {iree.encoding.resolver = #iree_cpu.vmvx_encoding_resolver<>, ukernels = \22none\22}>]>"
    cf.br ^bb7
  ^bb7:  // 2 preds: ^bb5, ^bb6
    util.global.store %3, @device_a : !hal.device
    util.return
  }
  util.global private @__device_a_query_0_hal_executable_format_vmvx_bytecode_fb : i1
  util.initializer {
    %device_a = util.global.load @device_a : !hal.device
    %ok, %value = hal.device.query<%device_a : !hal.device> key("hal.executable.format" :: "vmvx-bytecode-fb") : i1, i1 = false
    util.global.store %value, @__device_a_query_0_hal_executable_format_vmvx_bytecode_fb : i1
    util.return
  }
  util.global private @__device_a_executable_0_test_linked_vmvx : !hal.executable
  util.initializer {
    %c-1_i64 = arith.constant -1 : i64
    %c-1 = arith.constant -1 : index
    %c0 = arith.constant 0 : index
    %c14_i32 = arith.constant 14 : i32
    %0 = util.null : !hal.executable
    %device_a = util.global.load @device_a : !hal.device
    %__device_a_query_0_hal_executable_format_vmvx_bytecode_fb = util.global.load @__device_a_query_0_hal_executable_format_vmvx_bytecode_fb : i1
    %1 = arith.select %__device_a_query_0_hal_executable_format_vmvx_bytecode_fb, %c0, %c-1 : index
    %2 = arith.cmpi eq, %1, %c0 : index
    cf.cond_br %2, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    %executable = hal.executable.create device(%device_a : !hal.device) affinity(%c-1_i64) target(@test_linked_vmvx::@vmvx_bytecode_fb) : !hal.executable
    cf.br ^bb3(%executable : !hal.executable)
  ^bb2:  // pred: ^bb0
    util.status.check_ok %c14_i32, "HAL device `device_a` does not support any variant of executable `test_linked_vmvx`; available formats: [vmvx-bytecode-fb]"
    cf.br ^bb3(%0 : !hal.executable)
  ^bb3(%3: !hal.executable):  // 2 preds: ^bb1, ^bb2
    util.global.store %3, @__device_a_executable_0_test_linked_vmvx : !hal.executable
    util.return
  }
  util.global private @device_b : !hal.device
  util.initializer {
    %c18_i32 = arith.constant 18 : i32
    %false = arith.constant false
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = util.null : !hal.device
    %device_count = hal.devices.count : index
    cf.br ^bb1(%c0, %c0, %0 : index, index, !hal.device)
  ^bb1(%1: index, %2: index, %3: !hal.device):  // 2 preds: ^bb0, ^bb4
    %4 = util.cmp.eq %3, %0 : !hal.device
    %5 = arith.cmpi slt, %1, %device_count : index
    %6 = arith.andi %4, %5 : i1
    cf.cond_br %6, ^bb2, ^bb5
  ^bb2:  // pred: ^bb1
    %device_n = hal.devices.get %1 : !hal.device
    %ok, %value = hal.device.query<%device_n : !hal.device> key("hal.device.id" :: "local*") : i1, i1 = false
    cf.cond_br %value, ^bb3, ^bb4(%false : i1)
  ^bb3:  // pred: ^bb2
    %ok_0, %value_1 = hal.device.query<%device_n : !hal.device> key("hal.executable.format" :: "vmvx-bytecode-fb") : i1, i1 = false
    cf.br ^bb4(%value_1 : i1)
  ^bb4(%7: i1):  // 2 preds: ^bb2, ^bb3
    %8 = arith.cmpi eq, %2, %c1 : index
    %9 = arith.select %7, %c1, %c0 : index
    %10 = arith.addi %2, %9 : index
    %11 = arith.andi %7, %8 : i1
    %12 = arith.select %11, %device_n, %0 : !hal.device
    %13 = arith.addi %1, %c1 : index
    cf.br ^bb1(%13, %10, %12 : index, index, !hal.device)
  ^bb5:  // pred: ^bb1
    cf.cond_br %4, ^bb6, ^bb7
  ^bb6:  // pred: ^bb5
    util.status.check_ok %c18_i32, "HAL device `device_b` not found or unavailable: #hal.device.target<\22local\22, {ordinal = 1 : index}, [#hal.executable.target<\22vmvx\22, \22vmvx-bytecode-fb\22, {iree.encoding.resolver = #iree_cpu.vmvx_encoding_resolver<>, ukernels = \22none\22}>]>"
    cf.br ^bb7
  ^bb7:  // 2 preds: ^bb5, ^bb6
    util.global.store %3, @device_b : !hal.device
    util.return
  }
  util.global private @__device_b_query_0_hal_executable_format_vmvx_bytecode_fb : i1
  util.initializer {
    %device_b = util.global.load @device_b : !hal.device
    %ok, %value = hal.device.query<%device_b : !hal.device> key("hal.executable.format" :: "vmvx-bytecode-fb") : i1, i1 = false
    util.global.store %value, @__device_b_query_0_hal_executable_format_vmvx_bytecode_fb : i1
    util.return
  }
  util.global private @__device_b_executable_0_test_linked_vmvx : !hal.executable
  util.initializer {
    %c-1_i64 = arith.constant -1 : i64
    %c-1 = arith.constant -1 : index
    %c0 = arith.constant 0 : index
    %c14_i32 = arith.constant 14 : i32
    %0 = util.null : !hal.executable
    %device_b = util.global.load @device_b : !hal.device
    %__device_b_query_0_hal_executable_format_vmvx_bytecode_fb = util.global.load @__device_b_query_0_hal_executable_format_vmvx_bytecode_fb : i1
    %1 = arith.select %__device_b_query_0_hal_executable_format_vmvx_bytecode_fb, %c0, %c-1 : index
    %2 = arith.cmpi eq, %1, %c0 : index
    cf.cond_br %2, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    %executable = hal.executable.create device(%device_b : !hal.device) affinity(%c-1_i64) target(@test_linked_vmvx::@vmvx_bytecode_fb) : !hal.executable
    cf.br ^bb3(%executable : !hal.executable)
  ^bb2:  // pred: ^bb0
    util.status.check_ok %c14_i32, "HAL device `device_b` does not support any variant of executable `test_linked_vmvx`; available formats: [vmvx-bytecode-fb]"
    cf.br ^bb3(%0 : !hal.executable)
  ^bb3(%3: !hal.executable):  // 2 preds: ^bb1, ^bb2
    util.global.store %3, @__device_b_executable_0_test_linked_vmvx : !hal.executable
    util.return
  }
  util.func private @__f_memoize_apply() -> !hal.command_buffer attributes {inlining_policy = #util.inline.never} {
    %c-1_i64 = arith.constant -1 : i64
    %c3 = arith.constant 3 : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c2 = arith.constant 2 : index
    %device_a = util.global.load immutable @device_a : !hal.device
    %__device_a_executable_0_test_linked_vmvx = util.global.load immutable @__device_a_executable_0_test_linked_vmvx : !hal.executable
    %cmd = hal.command_buffer.create device(%device_a : !hal.device) mode("None") categories("Transfer|Dispatch") affinity(%c-1_i64) bindings(%c3) : !hal.command_buffer
    %function_id = hal.executable.lookup.function target(%__device_a_executable_0_test_linked_vmvx : !hal.executable) function(@test_linked_vmvx::@vmvx_bytecode_fb::@f_dispatch_0_elementwise_16_f32) : i64
    hal.command_buffer.dispatch<%cmd : !hal.command_buffer> target(%__device_a_executable_0_test_linked_vmvx : !hal.executable)[%function_id] workgroups([%c1, %c1, %c1]) bindings([
      (%c0 : index)[%c0, %c64], 
      (%c1 : index)[%c0, %c64]
    ]) flags("None")
    hal.command_buffer.execution_barrier<%cmd : !hal.command_buffer> source("Dispatch|Transfer|CommandRetire") target("CommandIssue|Dispatch|Transfer") flags("None")
    hal.command_buffer.copy_buffer<%cmd : !hal.command_buffer> source(%c1 : index)[%c0] target(%c2 : index)[%c0] length(%c64) flags("None")
    hal.command_buffer.execution_barrier<%cmd : !hal.command_buffer> source("Dispatch|Transfer|CommandRetire") target("CommandIssue|Dispatch|Transfer") flags("None")
    hal.command_buffer.finalize<%cmd : !hal.command_buffer>
    util.return %cmd : !hal.command_buffer
  }
  util.global private @__f_memoize_result_0_device_a : !hal.command_buffer
  util.initializer {
    %0 = util.call @__f_memoize_apply() : () -> !hal.command_buffer
    util.global.store %0, @__f_memoize_result_0_device_a : !hal.command_buffer
    util.return
  }
  util.func private @__f_memoize_apply_0() -> !hal.command_buffer attributes {inlining_policy = #util.inline.never} {
    %c-1_i64 = arith.constant -1 : i64
    %c3 = arith.constant 3 : index
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c64 = arith.constant 64 : index
    %c1 = arith.constant 1 : index
    %device_b = util.global.load immutable @device_b : !hal.device
    %__device_b_executable_0_test_linked_vmvx = util.global.load immutable @__device_b_executable_0_test_linked_vmvx : !hal.executable
    %cmd = hal.command_buffer.create device(%device_b : !hal.device) mode("None") categories("Transfer|Dispatch") affinity(%c-1_i64) bindings(%c3) : !hal.command_buffer
    %function_id = hal.executable.lookup.function target(%__device_b_executable_0_test_linked_vmvx : !hal.executable) function(@test_linked_vmvx::@vmvx_bytecode_fb::@f_dispatch_1_elementwise_16_f32) : i64
    hal.command_buffer.dispatch<%cmd : !hal.command_buffer> target(%__device_b_executable_0_test_linked_vmvx : !hal.executable)[%function_id] workgroups([%c1, %c1, %c1]) bindings([
      (%c0 : index)[%c0, %c64], 
      (%c2 : index)[%c0, %c64]
    ]) flags("None")
    hal.command_buffer.execution_barrier<%cmd : !hal.command_buffer> source("Dispatch|Transfer|CommandRetire") target("CommandIssue|Dispatch|Transfer") flags("None")
    hal.command_buffer.copy_buffer<%cmd : !hal.command_buffer> source(%c2 : index)[%c0] target(%c1 : index)[%c0] length(%c64) flags("None")
    hal.command_buffer.execution_barrier<%cmd : !hal.command_buffer> source("Dispatch|Transfer|CommandRetire") target("CommandIssue|Dispatch|Transfer") flags("None")
    hal.command_buffer.finalize<%cmd : !hal.command_buffer>
    util.return %cmd : !hal.command_buffer
  }
  util.global private @__f_memoize_result_0_device_b : !hal.command_buffer
  util.initializer {
    %0 = util.call @__f_memoize_apply_0() : () -> !hal.command_buffer
    util.global.store %0, @__f_memoize_result_0_device_b : !hal.command_buffer
    util.return
  }
  util.func private @__f_memoize_apply_2() -> !hal.command_buffer attributes {inlining_policy = #util.inline.never} {
    %c-1_i64 = arith.constant -1 : i64
    %c3 = arith.constant 3 : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c64 = arith.constant 64 : index
    %device_a = util.global.load immutable @device_a : !hal.device
    %__device_a_executable_0_test_linked_vmvx = util.global.load immutable @__device_a_executable_0_test_linked_vmvx : !hal.executable
    %cmd = hal.command_buffer.create device(%device_a : !hal.device) mode("None") categories("Transfer|Dispatch") affinity(%c-1_i64) bindings(%c3) : !hal.command_buffer
    %function_id = hal.executable.lookup.function target(%__device_a_executable_0_test_linked_vmvx : !hal.executable) function(@test_linked_vmvx::@vmvx_bytecode_fb::@f_dispatch_2_elementwise_16_f32) : i64
    hal.command_buffer.dispatch<%cmd : !hal.command_buffer> target(%__device_a_executable_0_test_linked_vmvx : !hal.executable)[%function_id] workgroups([%c1, %c1, %c1]) bindings([
      (%c0 : index)[%c0, %c64], 
      (%c1 : index)[%c0, %c64], 
      (%c2 : index)[%c0, %c64]
    ]) flags("None")
    hal.command_buffer.execution_barrier<%cmd : !hal.command_buffer> source("Dispatch|Transfer|CommandRetire") target("CommandIssue|Dispatch|Transfer") flags("None")
    hal.command_buffer.finalize<%cmd : !hal.command_buffer>
    util.return %cmd : !hal.command_buffer
  }
  util.global private @__f_memoize_result_0_device_a_3 : !hal.command_buffer
  util.initializer {
    %0 = util.call @__f_memoize_apply_2() : () -> !hal.command_buffer
    util.global.store %0, @__f_memoize_result_0_device_a_3 : !hal.command_buffer
    util.return
  }
  util.global private @__allocator_select_device : !hal.device
  util.initializer {
    %c-1_i64 = arith.constant -1 : i64
    %memory_type = hal.memory_type<"DeviceVisible|DeviceLocal"> : i32
    %buffer_usage = hal.buffer_usage<"TransferSource|TransferTarget|Transfer|DispatchStorageRead|DispatchStorageWrite|DispatchStorage"> : i32
    %device_b = util.global.load @device_b : !hal.device
    %device_a = util.global.load @device_a : !hal.device
    %device, %queue_affinity = hal.allocator.select from([
      (%device_a, %c-1_i64 : !hal.device, i64),
      (%device_b, %c-1_i64 : !hal.device, i64)
    ]) type(%memory_type) usage(%buffer_usage) : !hal.device, i64
    util.global.store %device, @__allocator_select_device : !hal.device
    util.return
  }
  util.func public @f(%arg0: !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "sync func @f(%input0: tensor<16xf32>) -> (%output0: tensor<16xf32>)"}} {
    %c-1_i32 = arith.constant -1 : i32
    %c0_i64 = arith.constant 0 : i64
    %0 = util.null : !hal.fence
    %c-1_i64 = arith.constant -1 : i64
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c16 = arith.constant 16 : index
    %memory_type = hal.memory_type<"DeviceVisible|DeviceLocal"> : i32
    %buffer_usage = hal.buffer_usage<"TransferSource|TransferTarget|Transfer|DispatchStorageRead|DispatchStorageWrite|DispatchStorage"> : i32
    %device_a = util.global.load immutable @device_a : !hal.device
    %device_b = util.global.load immutable @device_b : !hal.device
    %__allocator_select_device = util.global.load immutable @__allocator_select_device : !hal.device
    %__f_memoize_result_0_device_a = util.global.load immutable @__f_memoize_result_0_device_a : !hal.command_buffer
    %__f_memoize_result_0_device_b = util.global.load immutable @__f_memoize_result_0_device_b : !hal.command_buffer
    %__f_memoize_result_0_device_a_3 = util.global.load immutable @__f_memoize_result_0_device_a_3 : !hal.command_buffer
    %element_type_f32 = hal.element_type<f32> : i32
    %dense_row_major = hal.encoding_type<dense_row_major> : i32
    hal.buffer_view.assert<%arg0 : !hal.buffer_view> message("input0") shape([%c16]) type(%element_type_f32) encoding(%dense_row_major)
    %buffer = hal.buffer_view.buffer<%arg0 : !hal.buffer_view> : !hal.buffer
    %allocator = hal.device.allocator<%device_a : !hal.device> : !hal.allocator
    hal.buffer.assert<%buffer : !hal.buffer> message("tensor") allocator(%allocator : !hal.allocator) minimum_length(%c64) type(DeviceVisible) usage("TransferSource|TransferTarget|Transfer|DispatchStorageRead|DispatchStorageWrite|DispatchStorage")
    %fence = hal.fence.create device(%device_a : !hal.device) flags("None") : !hal.fence
    %transient_buffer = hal.device.queue.alloca<%device_a : !hal.device> affinity(%c-1_i64) wait(%0) signal(%fence) pool(%c0_i64) type(%memory_type) usage(%buffer_usage) flags("None") : !hal.buffer{%c64}
    %fence_0 = hal.fence.create device(%__allocator_select_device : !hal.device) flags("None") : !hal.fence
    %transient_buffer_1 = hal.device.queue.alloca<%__allocator_select_device : !hal.device> affinity(%c-1_i64) wait(%0) signal(%fence_0) pool(%c0_i64) type(%memory_type) usage(%buffer_usage) flags("None") : !hal.buffer{%c64}
    %fence_2 = hal.fence.join at([%fence, %fence_0]) flags("None") -> !hal.fence
    %fence_3 = hal.fence.create device(%device_a : !hal.device) flags("None") : !hal.fence
    hal.device.queue.execute.indirect<%device_a : !hal.device> affinity(%c-1_i64) wait(%fence_2) signal(%fence_3) commands(%__f_memoize_result_0_device_a) bindings([
      (%buffer : !hal.buffer)[%c0, %c64], 
      (%transient_buffer : !hal.buffer)[%c0, %c64], 
      (%transient_buffer_1 : !hal.buffer)[%c0, %c64]
    ]) flags("None")
    %fence_4 = hal.fence.create device(%__allocator_select_device : !hal.device) flags("None") : !hal.fence
    %transient_buffer_5 = hal.device.queue.alloca<%__allocator_select_device : !hal.device> affinity(%c-1_i64) wait(%fence_3) signal(%fence_4) pool(%c0_i64) type(%memory_type) usage(%buffer_usage) flags("None") : !hal.buffer{%c64}
    %fence_6 = hal.fence.create device(%device_b : !hal.device) flags("None") : !hal.fence
    %transient_buffer_7 = hal.device.queue.alloca<%device_b : !hal.device> affinity(%c-1_i64) wait(%fence_3) signal(%fence_6) pool(%c0_i64) type(%memory_type) usage(%buffer_usage) flags("None") : !hal.buffer{%c64}
    %fence_8 = hal.fence.join at([%fence_4, %fence_6]) flags("None") -> !hal.fence
    %fence_9 = hal.fence.create device(%device_b : !hal.device) flags("None") : !hal.fence
    hal.device.queue.execute.indirect<%device_b : !hal.device> affinity(%c-1_i64) wait(%fence_8) signal(%fence_9) commands(%__f_memoize_result_0_device_b) bindings([
      (%transient_buffer_1 : !hal.buffer)[%c0, %c64], 
      (%transient_buffer_5 : !hal.buffer)[%c0, %c64], 
      (%transient_buffer_7 : !hal.buffer)[%c0, %c64]
    ]) flags("None")
    %fence_10 = hal.fence.create device(%__allocator_select_device : !hal.device) flags("None") : !hal.fence
    hal.device.queue.dealloca<%__allocator_select_device : !hal.device> affinity(%c-1_i64) wait(%fence_9) signal(%fence_10) buffer(%transient_buffer_1 : !hal.buffer) flags("None")
    %fence_11 = hal.fence.create device(%device_b : !hal.device) flags("None") : !hal.fence
    hal.device.queue.dealloca<%device_b : !hal.device> affinity(%c-1_i64) wait(%fence_9) signal(%fence_11) buffer(%transient_buffer_7 : !hal.buffer) flags("None")
    %fence_12 = hal.fence.join at([%fence_10, %fence_11]) flags("None") -> !hal.fence
    %fence_13 = hal.fence.create device(%device_a : !hal.device) flags("None") : !hal.fence
    %transient_buffer_14 = hal.device.queue.alloca<%device_a : !hal.device> affinity(%c-1_i64) wait(%fence_12) signal(%fence_13) pool(%c0_i64) type(%memory_type) usage(%buffer_usage) flags("None") : !hal.buffer{%c64}
    %fence_15 = hal.fence.create device(%device_a : !hal.device) flags("None") : !hal.fence
    hal.device.queue.execute.indirect<%device_a : !hal.device> affinity(%c-1_i64) wait(%fence_13) signal(%fence_15) commands(%__f_memoize_result_0_device_a_3) bindings([
      (%transient_buffer_5 : !hal.buffer)[%c0, %c64], 
      (%transient_buffer : !hal.buffer)[%c0, %c64], 
      (%transient_buffer_14 : !hal.buffer)[%c0, %c64]
    ]) flags("None")
    %fence_16 = hal.fence.create device(%device_a : !hal.device) flags("None") : !hal.fence
    hal.device.queue.dealloca<%device_a : !hal.device> affinity(%c-1_i64) wait(%fence_15) signal(%fence_16) buffer(%transient_buffer : !hal.buffer) flags("None")
    %fence_17 = hal.fence.create device(%__allocator_select_device : !hal.device) flags("None") : !hal.fence
    hal.device.queue.dealloca<%__allocator_select_device : !hal.device> affinity(%c-1_i64) wait(%fence_15) signal(%fence_17) buffer(%transient_buffer_5 : !hal.buffer) flags("None")
    %fence_18 = hal.fence.join at([%fence_16, %fence_17]) flags("None") -> !hal.fence
    %status = hal.fence.await until([%fence_18]) timeout_millis(%c-1_i32) flags("None") : i32
    util.status.check_ok %status, "failed to wait on timepoint"
    %view = hal.buffer_view.create buffer(%transient_buffer_14 : !hal.buffer)[%c0, %c64] shape([%c16]) type(%element_type_f32) encoding(%dense_row_major) : !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}