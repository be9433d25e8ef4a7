"""Errors and remarks in MLIR's form: `file:line:col: error: …`, one line each, with notes.

Passes raise `OpError` (through `fail`) at the op at fault and report decisions with `remark`;
`verify_module` is xDSL's verification with the place of the op kept.
"""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import NoReturn

from xdsl.dialects.builtin import ModuleOp, StringAttr, UnregisteredOp
from xdsl.ir import Block, Operation
from xdsl.traits import IsTerminator, NoTerminator, SymbolTable
from xdsl.utils.exceptions import PassFailedException, VerifyException

from .dominance import undominated_use
from .foreign_errors import foreign_reason
from .location import location_text
from .plan_names import IS_ZERO_COPY_BLOCK, has_plan_attributes
from .topology_data import TOPOLOGY, ZC_HOST
from .walk import walk


@dataclass(frozen=True, slots=True)
class Note:
    """A remark or a further line under an error."""

    location: str
    """`file:line:col`, or ""."""
    message: str


class PlacedError(Exception):
    """What a tool tells in one line, with its place, before it ends."""

    message: str
    """One line, lower case, no final stop."""
    location: str
    """`file:line:col`, a file name, or ""."""

    def told(self) -> str:
        """What is said of it after the place."""
        return self.message


class OpError(PassFailedException):
    """What stops a pass or a tool, with its place.

    Args:
        location: `file:line:col`, or "".
        message: one line, lower case, no final stop.
        notes: further places.
    """

    def __init__(self, location: str, message: str, notes: tuple[Note, ...] = ()) -> None:
        super().__init__(message)
        self.location = location
        self.message = message
        self.notes = notes


class FaultyProgramError(OpError):
    """A program was judged and is wrong; tools end with exit code 1.

    Args:
        faults: one error for each fault, at least one.
    """

    def __init__(self, faults: Sequence[OpError]) -> None:
        super().__init__(faults[0].location, faults[0].message, faults[0].notes)
        self.faults = tuple(faults)


def fail(op: Operation, message: str, *notes: Note) -> NoReturn:
    """Raise an `OpError` at `op`, naming it: `'stream.async.transfer' op MESSAGE`."""
    raise OpError(location_text(op), f"'{op_name(op)}' op {message}", notes)


def op_name(op: Operation) -> str:
    """The name of an op, that in the text also where its dialect is not registered."""
    return op.op_name.data if isinstance(op, UnregisteredOp) else op.name


def note(op: Operation, message: str) -> Note:
    """A note at `op`."""
    return Note(location_text(op), message)


_LONGEST = 2000
"""Characters of a message that are shown."""


def render(location: str, severity: str, message: str) -> str:
    """One diagnostic line; without a location it starts with the severity."""
    text = " ".join(message.split())
    if len(text) > _LONGEST:
        # What is quoted of an input can be as long as the input.
        text = f"{text[:_LONGEST]}…"
    line = f"{severity}: {text}"
    return f"{location}: {line}" if location else line


def render_error(error: OpError) -> list[str]:
    """The lines of an error and its notes; of all faults of a wrong program."""
    if isinstance(error, FaultyProgramError):
        return [line for fault in error.faults for line in render_error(fault)]
    return [
        render(error.location, "error", error.message),
        *(render(note.location, "note", note.message) for note in error.notes),
    ]


_remarks: ContextVar[list[Note] | None] = ContextVar("remarks", default=None)


def remark(op: Operation, message: str) -> None:
    """Report a decision taken at `op`; kept only inside `collect_remarks`."""
    if (sink := _remarks.get()) is not None:
        sink.append(Note(location_text(op), message))


@contextmanager
def collect_remarks() -> Generator[list[Note]]:
    """Collect what `remark` reports while the context is open, in order."""
    sink: list[Note] = []
    token = _remarks.set(sink)
    try:
        yield sink
    finally:
        _remarks.reset(token)


def verify_module(root: Operation) -> None:
    """Verify `root` and all ops in it, dominance, and a module's topology against its devices.

    Raises:
        OpError: at the first op, in textual order of nesting, that does not verify.
    """
    for op in walk(root):
        try:
            _verify_op(op)
        except VerifyException as error:
            _verify_symbols(op)
            fail(op, str(error))
        except Exception as error:
            # Some of xDSL's verifiers raise a bare Exception.
            if (reason := foreign_reason(error)) is None:
                raise
            fail(op, reason)
        _verify_blocks(op)
        if IS_ZERO_COPY_BLOCK in op.attributes:
            fail(op, "zero-copy marker on internal value: it belongs to arguments of the model")
    _verify_dominance(root)
    if isinstance(root, ModuleOp) and not root.attributes.keys().isdisjoint((TOPOLOGY, ZC_HOST)):
        _verify_topology(root)
    if isinstance(root, ModuleOp) and any(map(has_plan_attributes, (root, *root.body.block.ops))):
        # Only models have plans: start-up is paid for by all.
        from .io_plan import verify_plan

        try:
            verify_plan(root)
        except VerifyException as error:
            fail(root, str(error))


def _verify_op(op: Operation) -> None:
    """`Operation.verify` without ops within.

    xDSL counts the blocks of a region at the end of each of them, so that the cost of many
    would be their square.
    """
    block = op.parent
    region = None if block is None else block.parent
    if (
        region is not None
        and region.first_block is not region.last_block
        and op.next_op is None
        and op.has_trait(IsTerminator)
        and all(successor.parent is region for successor in op.successors)
    ):
        op.verify_()
    else:
        op.verify(verify_nested_ops=False)


def _verify_symbols(table: Operation) -> None:
    """Tell at its second definition of a symbol what xDSL tells of the whole table."""
    if not table.has_trait(SymbolTable, value_if_unregistered=False):
        return
    known: dict[str, Operation] = {}
    for op in (op for region in table.regions for block in region.blocks for op in block.ops):
        symbol = op.properties.get("sym_name", op.attributes.get("sym_name"))
        if not isinstance(symbol, StringAttr):
            continue
        if (first := known.setdefault(symbol.data, op)) is not op:
            fail(
                op,
                f"defines the symbol @{symbol.data} a second time; rename one of the two",
                note(first, "the first is here"),
            )


def _verify_dominance(root: Operation) -> None:
    use = undominated_use(root)
    if use is None:
        return
    op, index = use
    owner = op.operands[index].owner
    where = owner.parent_op() if isinstance(owner, Block) else owner
    fail(
        op,
        f"operand #{index} is used before it is defined; define it on every path to this use",
        *(() if where is None else (note(where, "it is defined here"),)),
    )


def _verify_topology(module: ModuleOp) -> None:
    # Few modules have one, and it needs the hal dialect.
    from .topology import verify_topology

    try:
        verify_topology(module)
    except VerifyException as error:
        fail(module, str(error))


def _verify_blocks(op: Operation) -> None:
    """What `Block.verify` checks besides its ops: no empty block where a terminator is due."""
    if not op.regions or op.has_trait(NoTerminator):
        return
    for region in op.regions:
        block = region.first_block
        if block is not None and block is region.last_block and block.first_op is None:
            fail(op, "expected a terminator in its region, got an empty block")
