"""Which storages a function frees, and where: ownership, as control flow hands it on.

```mlir
%1 = scf.for … iter_args(%arg = %0) { %2 = … reads %arg …; scf.yield %2 }
// %0 belongs to the loop from here on; an iteration frees %arg and hands on %2; who uses %1 last
// frees it
```

A storage that a region makes belongs to its block. It is freed after its last use there, unless
the block passes it on: then it belongs to the slots (arguments of the loop's body, results) that
it may come to, each freed after its own last use. That takes one owner at all times: whatever
comes to a slot is passed once, belongs to the block that passes it and is used by nobody after.
Where this fails (a loop that starts with an import, two slots for one storage, a value passed
out of one branch only), the slots that share storage with it and all that is passed to them are
left to the reference counts of the runtime, as all that is handed out is.

Does not handle: branches of `cf` and calls; what they carry counts as handed out.
"""

from collections.abc import Mapping

from xdsl.ir import Block

from ..analysis.storage import StorageSets
from .plan import Plan, Storage


def freed_storages(plans: Mapping[Block, Plan], sets: StorageSets) -> set[Storage]:
    """The storages that their blocks free after the last use.

    Args:
        plans: of the blocks of a function, each before those nested in it.
        sets: of the same function.
    """
    for plan in list(plans.values())[::-1]:
        _link(plan, plans)
    spoilt = {
        sets.find(storage.name)
        for plan in plans.values()
        for storage in plan.storages()
        if storage.passed and storage.name is not None and not _handed_on_once(storage)
    }
    return {
        storage
        for plan in plans.values()
        for storage in plan.storages()
        if _is_owned(storage)
        and not (storage.kept or storage.passed)
        and not (storage.slot and storage.name is not None and sets.find(storage.name) in spoilt)
    }


def _is_owned(storage: Storage) -> bool:
    made = storage.given is None and storage.escapes and storage.constant is None
    return storage.slot or made


def _handed_on_once(storage: Storage) -> bool:
    """Whether passing `storage` on ends the block's own use of it."""
    return (
        _is_owned(storage)
        and not storage.kept
        and len(storage.passed) == 1
        and storage.last_user is storage.passed[0]
        and storage.passed[0] not in storage.nested
    )


def _link(plan: Plan, plans: Mapping[Block, Plan]) -> None:
    """Tell the blocks that define what `plan` uses from outside; those nested in it have told."""
    for value, storage in plan.outside.items():
        defining = value.owner if isinstance(value.owner, Block) else value.owner.parent
        owner = None if defining is None else plans.get(defining)
        if owner is None:
            continue
        theirs = owner.storage_of[value]
        theirs.leaves = True
        if storage.kept or storage.passed or not _is_within(plan.block, owner.block):
            theirs.kept = True


def _is_within(block: Block, ancestor: Block) -> bool:
    """Whether `block` lies in a region of an op of `ancestor`."""
    current: Block | None = block
    while current is not None and current is not ancestor:
        op = current.parent_op()
        current = None if op is None else op.parent
    return current is ancestor
