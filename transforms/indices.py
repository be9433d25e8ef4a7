"""Index arithmetic that folds constants and makes each constant once."""

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType
from xdsl.ir import Block, Operation, SSAValue

from .build import constant_value

INDEX = IndexType()


class IndexBuilder:
    """Makes index values for a function; `take` gives the ops to insert where they are used."""

    def __init__(self, entry: Block) -> None:
        """Constants go to the start of `entry`; those of it that are used move there."""
        self._entry = entry
        self._constants: dict[int, SSAValue] = {}
        self._pending: list[Operation] = []
        self._late: set[SSAValue] = set()
        leading = True
        for op in entry.ops:
            leading = leading and op.name == "arith.constant"
            if op.name == "arith.constant" and op.results[0].type == INDEX:
                value = constant_value(op.results[0])
                if value is not None and value not in self._constants:
                    self._constants[value] = op.results[0]
                    if not leading:
                        self._late.add(op.results[0])
        self._front: list[Operation] = []

    def constant(self, value: int, like: Operation | None = None) -> SSAValue:
        """The constant `value`, at the start of the entry block."""
        if value not in self._constants:
            op = arith.ConstantOp(IntegerAttr(value, INDEX))
            op.result.name_hint = f"c{value}" if value >= 0 else None
            self._set_location(op, like)
            self._front.append(op)
            self._constants[value] = op.result
        found = self._constants[value]
        if found in self._late:
            self._late.discard(found)
            assert isinstance(found.owner, Operation)
            found.owner.detach()
            self._front.append(found.owner)
        return found

    def integer(self, value: int, type: IntegerType, like: Operation) -> SSAValue:
        """The constant `value` of `type` (its bits, without a sign)."""
        op = arith.ConstantOp(IntegerAttr(value, type, truncate_bits=True))
        op.location = like.location
        self._front.append(op)
        return op.result

    def add(self, left: SSAValue, right: SSAValue, like: Operation | None = None) -> SSAValue:
        """`left + right`."""
        folded = self._folded_sum(left, right, like)
        return folded or self._emit(arith.AddiOp(left, right), like)

    def _folded_sum(
        self, left: SSAValue, right: SSAValue, like: Operation | None
    ) -> SSAValue | None:
        a, b = constant_value(left), constant_value(right)
        if a is not None and b is not None:
            return self.constant(a + b, like)
        if a == 0:
            return right
        return left if b == 0 else None

    def replace(self, old: SSAValue, new: SSAValue) -> None:
        """Use `new` for `old`, and fold the sums that this makes constant or trivial."""
        sums = [use.operation for use in old.uses if isinstance(use.operation, arith.AddiOp)]
        old.replace_all_uses_with(new)
        for op in dict.fromkeys(sums):
            folded = self._folded_sum(op.lhs, op.rhs, op)
            if folded is not None:
                self.replace(op.result, folded)
                op.detach()
                op.erase()

    def align(self, value: SSAValue, alignment: int, like: Operation | None = None) -> SSAValue:
        """`value` rounded up to a multiple of `alignment` (a power of two)."""
        constant = constant_value(value)
        if constant is not None:
            return self.constant((constant + alignment - 1) & -alignment, like)
        raised = self.add(value, self.constant(alignment - 1, like), like)
        return self._emit(arith.AndIOp(raised, self.constant(-alignment, like)), like)

    def multiply(self, value: SSAValue, factor: int, like: Operation | None = None) -> SSAValue:
        """`value * factor`."""
        constant = constant_value(value)
        if constant is not None:
            return self.constant(constant * factor, like)
        if factor == 0:
            return self.constant(0, like)
        if factor == 1:
            return value
        return self._emit(arith.MuliOp(value, self.constant(factor, like)), like)

    def take(self) -> list[Operation]:
        """The ops made since the last call, to be inserted before their first use."""
        pending, self._pending = self._pending, []
        return pending

    def finish(self) -> None:
        """Insert the constants made."""
        first = self._entry.first_op
        if first is None:
            self._entry.add_ops(self._front)
        else:
            self._entry.insert_ops_before(self._front, first)
        self._front = []

    def _emit(
        self, op: arith.AddiOp | arith.AndIOp | arith.MuliOp, like: Operation | None
    ) -> SSAValue:
        self._set_location(op, like)
        self._pending.append(op)
        return op.result

    def _set_location(self, op: Operation, like: Operation | None) -> None:
        if like is not None:
            op.location = like.location
