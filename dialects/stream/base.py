"""What the stream ops share: constraints, fields that recur, and op traits."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import get_args

from typing_extensions import TypeVar
from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayOfConstraint,
    ComplexType,
    DictionaryAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    UnregisteredAttr,
    VectorType,
    i8,
    i16,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, TypeAttribute
from xdsl.irdl import (
    AnyAttr,
    AnyOf,
    AttrConstraint,
    BaseAttr,
    EqAttrConstraint,
    InferenceContext,
    IntConstraint,
    VerificationContext,
)
from xdsl.traits import (
    OpTrait,
)
from xdsl.utils.exceptions import VerifyException

from ..canonicalized import CanonicalizedByTable, PatternTable
from .types import Lifetime, ResourceType, TimepointType

INDEX = IndexType()
TIMEPOINT = TimepointType()


@dataclass(frozen=True)
class ResourceConstraint(AttrConstraint[ResourceType]):
    """A `!stream.resource` with one of `lifetimes`."""

    lifetimes: frozenset[Lifetime]

    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        """Raises where `attr` is no resource or has another lifetime."""
        if not isinstance(attr, ResourceType) or attr.data not in self.lifetimes:
            wanted = "|".join(life.value for life in Lifetime if life in self.lifetimes)
            raise VerifyException(f"expected !stream.resource<{wanted}>, got {attr}")

    def get_bases(self) -> set[type[Attribute]]:
        """The one base class."""
        return {ResourceType}

    def mapping_type_vars(
        self, type_var_mapping: Mapping[TypeVar, AttrConstraint | IntConstraint]
    ) -> ResourceConstraint:
        """No type variables: itself."""
        return self


@dataclass(frozen=True)
class ClassConstraint(AttrConstraint[Attribute]):
    """An instance of one of `classes`, in words `wanted`."""

    classes: tuple[type[Attribute], ...]
    wanted: str

    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        """Raises where `attr` is of none of the classes."""
        if not isinstance(attr, self.classes):
            raise VerifyException(f"expected {self.wanted}, got {attr}")

    def get_bases(self) -> set[type[Attribute]]:
        """The classes."""
        return set(self.classes)

    def mapping_type_vars(
        self, type_var_mapping: Mapping[TypeVar, AttrConstraint | IntConstraint]
    ) -> ClassConstraint:
        """No type variables: itself."""
        return self


@dataclass(frozen=True)
class TypeSetConstraint(AttrConstraint[Attribute]):
    """One of `types`, in words `wanted`."""

    types: frozenset[Attribute]
    wanted: str

    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        """Raises where `attr` is none of the types."""
        if attr not in self.types:
            raise VerifyException(f"expected a type of {self.wanted}, got {attr}")

    def mapping_type_vars(
        self, type_var_mapping: Mapping[TypeVar, AttrConstraint | IntConstraint]
    ) -> TypeSetConstraint:
        """No type variables: itself."""
        return self


ANY_RESOURCE = ResourceConstraint(frozenset(Lifetime))
DEVICE_RESOURCE = ResourceConstraint(frozenset(Lifetime) - {Lifetime.STAGING})
"""Resources that work on devices may use: all but staging (IREE's AnyStreamResource)."""
STAGING_RESOURCE = ResourceConstraint(frozenset({Lifetime.STAGING}))
CONSTANT_RESOURCE = ResourceConstraint(frozenset({Lifetime.CONSTANT, Lifetime.VARIABLE}))

_PRIMITIVES = (IndexType, IntegerType, ComplexType, *get_args(AnyFloat))
PRIMITIVE = ClassConstraint(_PRIMITIVES, "an index, integer, float or complex type")
VALUE = ClassConstraint((*_PRIMITIVES, VectorType), "a primitive or vector type")
"""What loads give and stores take."""
RESOURCE_OR_PRIMITIVE = AnyOf((DEVICE_RESOURCE, PRIMITIVE))
FILL_PATTERN = TypeSetConstraint(frozenset({i8, i16, i32, i64}), "i8, i16, i32 or i64")
NATIVE_FILL_PATTERN = TypeSetConstraint(frozenset({i8, i16, i32}), "i8, i16 or i32")
"""Patterns that devices fill with."""

AFFINITY = AnyAttr()
"""An interface in IREE, so any attribute; its full `#hal.device.…` name is printed."""
ENCODING = BaseAttr(TypeAttribute)
"""The type of a tensor before it became a resource."""
ENCODINGS = ArrayOfConstraint(ENCODING)
TIED_OPERANDS = ArrayOfConstraint(BaseAttr(IntegerAttr))
DICTIONARIES = ArrayOfConstraint(BaseAttr(DictionaryAttr))
ACCESSES = ArrayOfConstraint(BaseAttr(IntegerAttr))
I64 = EqAttrConstraint(i64)
I32 = EqAttrConstraint(i32)


@dataclass(frozen=True)
class BufferConstraint(AttrConstraint[Attribute]):
    """A `!util.buffer`. The util dialect is loaded only where a type must be inferred."""

    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        """Raises where `attr` is another type."""
        name = attr.attr_name.data if isinstance(attr, UnregisteredAttr) else attr.name
        if name != "util.buffer":
            raise VerifyException(f"expected !util.buffer, got {attr}")

    def can_infer(self, var_constraint_names: Set[str]) -> bool:
        """Always: there is one such type."""
        return True

    def infer(self, context: InferenceContext) -> Attribute:
        """`!util.buffer`."""
        from ..util.types import BufferType

        return BufferType()

    def mapping_type_vars(
        self, type_var_mapping: Mapping[TypeVar, AttrConstraint | IntConstraint]
    ) -> BufferConstraint:
        """No type variables: itself."""
        return self


BUFFER = BufferConstraint()


@dataclass(frozen=True)
class Streamable(OpTrait):
    """Ops that may stand in an execution region (IREE's StreamableOpInterface).

    `metadata`: does no work on a device. `prefer_clone`: cheaper to repeat than to share.
    """

    metadata: bool = False
    prefer_clone: bool = False


class TensorPhase(OpTrait):
    """Ops on tensors with encodings, before `stream-encode-tensors`."""


class AsyncPhase(OpTrait):
    """Ops on resources with value semantics."""


def is_async_leaf(op: Operation) -> bool:
    """Whether `op` is of the async phase and without regions; ops that nobody knows are not."""
    return op.has_trait(AsyncPhase, value_if_unregistered=False) and not op.regions


class CmdPhase(OpTrait):
    """Ops on allocated resources, with effects on ranges."""


class Passthrough(OpTrait):
    """Ops whose tied results are their operands unchanged: they order or name, never access."""


@dataclass(frozen=True, init=False)
class ParentNamed(OpTrait):
    """Ops that stand directly in one of the ops named; names, since these import each other."""

    names: tuple[str, ...]

    def __init__(self, *names: str) -> None:
        object.__setattr__(self, "names", names)

    def verify(self, op: Operation) -> None:
        """Raises where the parent is another op; a detached op passes."""
        parent = op.parent_op()
        if parent is not None and parent.name not in self.names:
            wanted = " or ".join(self.names)
            raise VerifyException(f"expected to stand in {wanted}, got {parent.name}")


@dataclass(frozen=True)
class Canonicalized(CanonicalizedByTable):
    """Ops with rows in the table of the stream dialect."""

    @classmethod
    def table(cls) -> PatternTable:
        """The table."""
        from .canonicalization import PATTERNS

        return PATTERNS
