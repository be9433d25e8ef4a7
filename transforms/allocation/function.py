"""What the blocks of a function share while storage is allocated for them."""

from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects import stream
from ...dialects.diagnostics import OpError
from ...dialects.location import location_text
from ...dialects.topology import Topology
from ..analysis.call_summaries import CallSummaries
from ..analysis.loop_times import LoopTimes
from ..analysis.nested_ops import NestedOps
from ..analysis.same_storage import SameStorage
from ..analysis.storage import StorageSets
from ..functions import host_blocks
from ..indices import IndexBuilder
from .ownership import freed_storages
from .plan import Plan, Storage
from .pools import NoPoolError, allocation_affinity
from .users import ModuleUsers


class FunctionAllocation:
    """Plans and names of one function."""

    module_users: ModuleUsers | None = None
    """Who uses storages that leave a block; else only its block is asked."""

    def __init__(self, function: Operation, topology: Topology, calls: CallSummaries) -> None:
        """Plan all blocks of `function`, which is not rewritten yet."""
        entry = function.regions[0].first_block
        assert entry is not None
        self.function = function
        self.topology = topology
        same = SameStorage(function)
        self.sets = StorageSets(function)
        self.nested = NestedOps(function, self.sets)
        self.plans = {
            block: Plan(block, same, calls, self.nested) for block in host_blocks(function)
        }
        self.freed = freed_storages(self.plans, self.sets)
        self.indices = IndexBuilder(entry)
        self.loops = LoopTimes()
        """What loops imply; asked once storage is allocated in them."""
        self.inherited: dict[Storage, list[SSAValue] | None] = {}
        """What must be reached before a branch frees what was left to it; None: nobody knows."""
        self.renamed: dict[SSAValue, SSAValue] = {}
        """Values to the resources that hold them, and timepoints to those that replace them."""
        self.replaced: list[Operation] = []
        """Ops that nothing needs any more, in the order of the text."""

    def shares_storage(self) -> bool:
        """Whether some storage may be used in other blocks or functions than its own."""
        return any(
            _leaves_block(storage) for plan in self.plans.values() for storage in plan.storages()
        )

    def name(self, value: SSAValue) -> SSAValue:
        """What `value` is called now."""
        return self.renamed.get(value, value)

    def affinity(self, storage: Storage) -> Attribute | None:
        """The affinity to allocate `storage` on; None where no use of it has one.

        Raises:
            OpError: no pool serves all users (IR-26).
        """
        users = storage.users
        if self.module_users is not None and _leaves_block(storage) and storage.name is not None:
            users = self.module_users.of(storage.name)
        try:
            return allocation_affinity(users, self.topology)
        except NoPoolError as error:
            location = "" if storage.source is None else location_text(storage.source)
            raise OpError(
                location,
                f"cannot resolve memory properties for [{error}]: no pool {error.missing}; make a "
                "transfer between them a copy",
            ) from None

    def finish(self) -> None:
        """Let everything use the new names, and remove what is replaced."""
        for value, new in self.renamed.items():
            value.replace_all_uses_with(new)
        for op in reversed(self.replaced):
            op.detach()
            op.erase()
        for block in host_blocks(self.function):
            for op in reversed(list(block.ops)):
                unused = isinstance(op, stream.TimepointJoinOp | stream.ResourceSubviewOp)
                if unused and op.results[0].first_use is None:
                    op.detach()
                    op.erase()
        self.indices.finish()


def _leaves_block(storage: Storage) -> bool:
    return bool(storage.leaves or storage.slot or storage.passed or storage.nested)
