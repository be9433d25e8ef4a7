"""The flow dialect: every tensor op gives a new value; transfers and barriers give the same one.

Does not handle: parameters and imported functions; these are refused.
"""

from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.interpreter import (
    Interpreter,
    InterpreterFunctions,
    PythonValues,
    ReturnedValues,
    TerminatorValue,
    impl,
    impl_terminator,
    register_impls,
)
from xdsl.ir import Operation

from ...dialects import flow
from ...dialects.access import operand_offset, tied_operand_index
from ..element_types import InputError
from .control import single
from .dispatch import Kernel, run_kernel, seen_as
from .interpreter import NamedEvaluation, ReferenceInterpreter, unchanged
from .tensor import dynamic_shape, gather, reassociated, slice_of
from .values import constant, element_dtype, undefined


@register_impls
class ReferenceFlow(InterpreterFunctions):
    """Tensor ops, dispatches and their regions."""

    @impl(flow.DispatchOp)
    def run_dispatch(
        self, interpreter: Interpreter, op: flow.DispatchOp, _: PythonValues
    ) -> PythonValues:
        """Run the kernel behind an entry point."""
        assert isinstance(interpreter, ReferenceInterpreter)
        export = interpreter.symbols.lookup(op, op.entry_points.data[0])
        if not isinstance(export, flow.ExecutableExportOp):
            raise InputError(f"no entry point {op.entry_points.data[0]}")
        function = _kernel_function(interpreter, export)
        return run_kernel(
            interpreter,
            Kernel(
                function.regions[0],
                export.workgroup_count,
                interpreter.get_values(op.workload),
                [*zip(op.arguments, interpreter.get_values(op.arguments), strict=True)],
                op.res,
                _tied_arguments(op),
                interpreter.get_values(op.result_dims),
            ),
        )

    @impl(flow.DispatchWorkgroupsOp)
    def run_dispatch_workgroups(
        self, interpreter: Interpreter, op: flow.DispatchWorkgroupsOp, _: PythonValues
    ) -> PythonValues:
        """Run the kernel in the op itself."""
        assert isinstance(interpreter, ReferenceInterpreter)
        return run_kernel(
            interpreter,
            Kernel(
                op.workgroup_body,
                op.workgroup_count,
                interpreter.get_values(op.workload),
                [*zip(op.arguments, interpreter.get_values(op.arguments), strict=True)],
                op.res,
                _tied_arguments(op),
                interpreter.get_values(op.result_dims),
            ),
        )

    @impl(flow.DispatchRegionOp)
    def run_dispatch_region(
        self, interpreter: Interpreter, op: flow.DispatchRegionOp, _: PythonValues
    ) -> PythonValues:
        """Run the region, which sees the values around it."""
        return interpreter.run_ssacfg_region(op.body, (), "dispatch")

    @impl_terminator(flow.ReturnOp)
    def run_return(
        self, _: Interpreter, op: flow.ReturnOp, args: PythonValues
    ) -> tuple[TerminatorValue, PythonValues]:
        """Give the operands back."""
        return ReturnedValues(args), ()

    @impl(flow.TensorConstantOp)
    def run_constant(
        self, _: Interpreter, op: flow.TensorConstantOp, args: PythonValues
    ) -> PythonValues:
        """The constant."""
        return (constant(op.value, op.result.type),)

    @impl(flow.TensorDynamicConstantOp)
    def run_dynamic_constant(
        self, _: Interpreter, op: flow.TensorDynamicConstantOp, args: PythonValues
    ) -> PythonValues:
        """The constant; its type alone is dynamic."""
        return (constant(op.value, op.result.type),)

    @impl(flow.TensorTieShapeOp)
    def run_tie_shape(
        self, interpreter: Interpreter, op: flow.TensorTieShapeOp, args: PythonValues
    ) -> PythonValues:
        """The same tensor, checked to have the dimensions that are stated."""
        shape = dynamic_shape(op.result, interpreter.get_values(op.dynamic_dims))
        if list(np.shape(args[0])) != shape:
            raise InputError(f"expected a tensor of {shape}, got {list(np.shape(args[0]))}")
        return args[:1]

    @impl(flow.TensorReshapeOp)
    def run_reshape(
        self, interpreter: Interpreter, op: flow.TensorReshapeOp, args: PythonValues
    ) -> PythonValues:
        """The same elements in row-major order in another shape."""
        shape = dynamic_shape(op.result, interpreter.get_values(op.result_dims))
        if element_dtype(op.result.type) != args[0].dtype:
            return (seen_as(args[0], op.result, interpreter.get_values(op.result_dims)),)
        return (reassociated(args[0], shape),)

    @impl(flow.TensorBitCastOp)
    def run_bitcast(
        self, interpreter: Interpreter, op: flow.TensorBitCastOp, args: PythonValues
    ) -> PythonValues:
        """The same bytes as another type."""
        return (seen_as(args[0], op.result, interpreter.get_values(op.result_dims)),)

    @impl(flow.TensorLoadOp)
    def run_load(
        self, interpreter: Interpreter, op: flow.TensorLoadOp, args: PythonValues
    ) -> PythonValues:
        """One element."""
        assert isinstance(interpreter, ReferenceInterpreter)
        return (gather(interpreter, args[0], interpreter.get_values(op.indices)),)

    @impl(flow.TensorStoreOp)
    def run_store(
        self, interpreter: Interpreter, op: flow.TensorStoreOp, args: PythonValues
    ) -> PythonValues:
        """The tensor with one element replaced."""
        target = args[1].copy()
        at = [single(index, "an index") for index in interpreter.get_values(op.indices)]
        target[slice_of(target.shape, at, [1] * len(at), [1] * len(at))] = args[0]
        return (target,)

    @impl(flow.TensorAllocaOp)
    def run_alloca(
        self, _: Interpreter, op: flow.TensorAllocaOp, args: PythonValues
    ) -> PythonValues:
        """A tensor whose contents are undefined."""
        return (undefined(dynamic_shape(op.result, args), element_dtype(op.result.type)),)

    @impl(flow.TensorEmptyOp)
    def run_empty(self, _: Interpreter, op: flow.TensorEmptyOp, args: PythonValues) -> PythonValues:
        """A tensor whose contents are undefined."""
        return (undefined(dynamic_shape(op.result, args), element_dtype(op.result.type)),)

    @impl(flow.TensorSplatOp)
    def run_splat(self, _: Interpreter, op: flow.TensorSplatOp, args: PythonValues) -> PythonValues:
        """A tensor of one value."""
        return (np.full(dynamic_shape(op.result, args[1:]), args[0]),)

    @impl(flow.TensorSliceOp)
    def run_slice(
        self, interpreter: Interpreter, op: flow.TensorSliceOp, args: PythonValues
    ) -> PythonValues:
        """A contiguous part of a tensor."""
        starts, lengths = (
            [single(value, "a bound") for value in interpreter.get_values(values)]
            for values in (op.start_indices, op.lengths)
        )
        source = args[0]
        return (source[slice_of(source.shape, starts, lengths, [1] * len(starts))].copy(),)

    @impl(flow.TensorUpdateOp)
    def run_update(
        self, interpreter: Interpreter, op: flow.TensorUpdateOp, _: PythonValues
    ) -> PythonValues:
        """The target with a contiguous part replaced."""
        old, update = interpreter.get_values([op.target, op.update])
        starts = [single(at, "an index") for at in interpreter.get_values(op.start_indices)]
        target = old.copy()
        target[slice_of(target.shape, starts, update.shape, [1] * len(starts))] = update
        return (target,)


def _tied_arguments(op: flow.DispatchOp | flow.DispatchWorkgroupsOp) -> list[int | None]:
    """For each result the number of the argument that it updates."""
    first = operand_offset(op, "arguments")
    tied = [tied_operand_index(result) for result in op.results]
    return [None if index is None else index - first for index in tied]


def _kernel_function(
    interpreter: ReferenceInterpreter, export: flow.ExecutableExportOp
) -> Operation:
    """The function that an entry point names, in the module of its executable."""
    block = export.parent_block()
    modules = [] if block is None else [op for op in block.ops if isinstance(op, ModuleOp)]
    name = export.function_ref
    for module in modules:
        function: Any = interpreter.symbols.lookup_in(module, name)
        if function is not None and function.regions and function.regions[0].blocks:
            return function
    raise InputError(f"no function {name} with a body in the executable")


BY_NAME: dict[str, NamedEvaluation] = dict.fromkeys(
    (
        "flow.tensor.barrier",
        "flow.tensor.clone",
        # An encoding says how elements are laid out in memory, which a value has none of.
        "flow.tensor.encode",
        "flow.tensor.trace",
        "flow.tensor.transfer",
    ),
    unchanged,
)
