"""Types and attributes of the iree_tensor_ext dialect."""

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    IntAttr,
    IntegerType,
    MemRefLayoutAttr,
    TensorType,
)
from xdsl.dialects.utils.enum_attribute import EnumAttribute
from xdsl.ir import Attribute, ParametrizedAttribute, TypeAttribute
from xdsl.ir.affine import AffineMap
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.str_enum import StrEnum

from ..shapes import element_type_of, shape_of


class TensorAccess(StrEnum):
    """How a dispatch uses a tensor that it is given."""

    READ_ONLY = "readonly"
    READ_WRITE = "readwrite"
    WRITE_ONLY = "writeonly"

    @property
    def reads(self) -> bool:
        """Whether the dispatch may read."""
        return self is not TensorAccess.WRITE_ONLY

    @property
    def writes(self) -> bool:
        """Whether the dispatch may write."""
        return self is not TensorAccess.READ_ONLY


@irdl_attr_definition
class TensorAccessAttr(EnumAttribute[TensorAccess]):
    """An access, as part of a dispatch tensor type."""

    name = "iree_tensor_ext.tensor_access"


@irdl_attr_definition
class DispatchTensorType(ParametrizedAttribute, TypeAttribute):
    """A tensor outside of a dispatch, from within: `<readonly:tensor<4xf32>>`.

    Its contents are reached by loads and stores of slices, as far as `access` allows.
    """

    name = "iree_tensor_ext.dispatch.tensor"

    access: TensorAccessAttr
    bound_type: Attribute
    """The tensor, or one number."""

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parses `<access:type>`."""
        with parser.in_angle_brackets():
            access = TensorAccessAttr(TensorAccessAttr.parse_parameter(parser))
            parser.parse_punctuation(":")
            return [access, parser.parse_type()]

    def print_parameters(self, printer: Printer) -> None:
        """Prints `<access:type>`."""
        with printer.in_angle_brackets():
            self.access.print_parameter(printer)
            printer.print_string(":")
            printer.print_attribute(self.bound_type)

    def verify(self) -> None:
        """The bound type is a ranked tensor, an integer or a float."""
        if not isinstance(self.bound_type, TensorType | IntegerType | AnyFloat):
            raise VerifyException(
                f"expected a ranked tensor, an integer or a float as bound type, "
                f"got {self.bound_type}"
            )

    def get_shape(self) -> tuple[int, ...]:
        """The shape of the tensor; empty for one number."""
        return shape_of(self.bound_type)

    def get_element_type(self) -> Attribute:
        """The type of one element."""
        return element_type_of(self.bound_type)


@irdl_attr_definition
class RaggedShapeAttr(MemRefLayoutAttr, ParametrizedAttribute):
    """Marks two dimensions as rows of differing length: the row and the column after it."""

    name = "iree_tensor_ext.ragged_shape"

    ragged_row: IntAttr
    """The dimension of the rows."""

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parses `<dimension>`."""
        with parser.in_angle_brackets():
            return [IntAttr(parser.parse_integer())]

    def print_parameters(self, printer: Printer) -> None:
        """Prints `<dimension>`."""
        printer.print_string(f"<{self.ragged_row.data}>")

    def get_affine_map(self) -> AffineMap:
        """Refused: rows of differing length are not an affine layout."""
        raise NotImplementedError("a ragged layout is no affine map")

    def get_sparse_dimensions(self) -> tuple[int, int]:
        """The dimensions of rows and columns."""
        return self.ragged_row.data, self.ragged_row.data + 1


@irdl_attr_definition
class SparseIterationDimsAttr(ParametrizedAttribute):
    """The dimensions of a loop nest that are sparse: `<[0, 1]>`."""

    name = "iree_tensor_ext.sparse_iteration_dims"

    sparse_iteration_dims: ArrayAttr[IntAttr]

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parses `<[dimension, …]>`."""
        with parser.in_angle_brackets():
            dims = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)
        return [ArrayAttr(IntAttr(dim) for dim in dims)]

    def print_parameters(self, printer: Printer) -> None:
        """Prints `<[dimension, …]>`."""
        dims = ", ".join(str(dim.data) for dim in self.sparse_iteration_dims)
        printer.print_string(f"<[{dims}]>")
