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
What always comes to a slot as one storage that is there anyway is only another name of that one
(`analysis/same_storage.py`, case B41).

```mlir
%1 = scf.if %p { scf.yield %0 } else { %2 = …; scf.yield %2 }
// %0 is not used after this: the branch that does not pass it on frees it
```

A storage that only some branches pass on belongs, from the op on, to each branch, if nothing
uses it afterwards. An `scf.for` that starts with storage that is somebody else's frees what it
took in each iteration but the first. Where all this fails (two slots for one storage, a storage
that is used after a branch may have passed it on, one of unknown ownership that goes through two
loops), the slots that share storage with it and all that is passed to them are left to the
reference counts of the runtime, as all that is handed out is.

Does not handle: branches of `cf`, and calls that keep what they take or may give it back; what
they carry counts as handed out.
"""

from collections.abc import Mapping

from xdsl.dialects import scf
from xdsl.ir import Block, SSAValue

from ..analysis.same_storage import names_in
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
    for plan in plans.values():
        for storage in plan.storages():
            _leave_to_branches(storage, plan, plans)
            _start_loops(storage, plan, plans)
    spoilt = {
        sets.find(storage.name)
        for plan in plans.values()
        for storage in plan.storages()
        if (storage.passed or storage.passed_within)
        and storage.name is not None
        and not (storage.heirs or _handed_on_once(storage) or _only_starts_loops(storage))
    }
    return {
        storage
        for plan in plans.values()
        for storage in plan.storages()
        if _is_owned(storage)
        and not (storage.kept or storage.passed or storage.passed_within)
        and not (storage.slot and storage.name is not None and sets.find(storage.name) in spoilt)
    }


def _is_owned(storage: Storage) -> bool:
    made = storage.given is None and storage.escapes and storage.constant is None
    return storage.slot or made


def _only_starts_loops(storage: Storage) -> bool:
    """Whether `storage`, somebody else's, is handed on to loops that know it by their first."""
    return (
        not _is_owned(storage)
        and not storage.passed_within
        and all(isinstance(op, scf.ForOp) for op in storage.passed)
    )


def _start_loops(storage: Storage, plan: Plan, plans: Mapping[Block, Plan]) -> None:
    """Tell the slots of loops that start with `storage` if that is not theirs to free."""
    if _is_owned(storage):
        return
    for op in dict.fromkeys(op for op in storage.passed if isinstance(op, scf.ForOp)):
        body = plans[op.body.block]
        for init, argument, result in zip(
            op.iter_args, op.body.block.args[1:], op.results, strict=True
        ):
            if plan.storage_of.get(init) is storage and argument not in plan.same.root:
                body.storage_of[argument].starts = op
                plan.storage_of[result].starts = op


def _handed_on_once(storage: Storage) -> bool:
    """Whether passing `storage` on ends the block's own use of it."""
    return (
        _is_owned(storage)
        and not (storage.kept or storage.passed_within or storage.starts)
        and len(storage.passed) == 1
        and storage.last_user is storage.passed[0]
        and storage.passed[0] not in storage.nested
    )


def _link(plan: Plan, plans: Mapping[Block, Plan]) -> None:
    """Tell the blocks around `plan` what it does to theirs; those nested in it have told."""
    for value, storage in plan.outside.items():
        op = plan.block.parent_op()
        while op is not None and (block := op.parent) is not None and block in plans:
            theirs = plans[block].storage_of.get(value)
            if theirs is not None:
                theirs.leaves = True
                theirs.kept = theirs.kept or storage.kept
                if storage.passed:
                    theirs.passed_within[op] = None
                if value not in plans[block].outside:
                    break
            op = block.parent_op()
        else:
            _keep(value, plans)


def _keep(value: SSAValue, plans: Mapping[Block, Plan]) -> None:
    """What defines `value` is not around its user: another block of the function."""
    defining = value.owner if isinstance(value.owner, Block) else value.owner.parent
    owner = None if defining is None else plans.get(defining)
    if owner is not None:
        owner.storage_of[value].kept = owner.storage_of[value].leaves = True


def _leave_to_branches(storage: Storage, plan: Plan, plans: Mapping[Block, Plan]) -> None:
    """Let the branches of the op that passes `storage` on own it, where that is its last use."""
    ops = list(storage.passed_within)
    if storage.kept or storage.passed or len(ops) != 1:
        return
    if storage.starts or not _is_owned(storage):
        return
    op = ops[0]
    if not isinstance(op, scf.IfOp) or storage.last_user is not op:
        return
    blocks = [region.block for region in op.regions if region.blocks]
    heirs = [_heir(storage, plan, plans[block]) for block in blocks]
    if len(blocks) == len(op.regions):
        storage.heirs = [heir for heir in heirs if heir is not None]
        if len(storage.heirs) < len(heirs):
            storage.heirs = []
        for heir in storage.heirs:
            heir.slot = True


def _heir(storage: Storage, plan: Plan, branch: Plan) -> Storage | None:
    """What `storage` of `plan` is in a block nested in that; None where it has two names there."""
    names = [value for value, named in plan.storage_of.items() if named is storage]
    known = {branch.outside[name]: None for name in names if name in branch.outside}
    if not known:
        here = {*names_in(plan.block, names), *plan.outside}
        visible = [name for name in names if name in here and name not in plan.offsets]
        return branch.inherit(visible[-1], storage.size) if visible else None
    (first, *others) = known
    return None if others or first.given in plan.offsets else first
