"""Ops that compute whole transforms: attention, Fourier, Winograd."""

from xdsl.dialects.builtin import AffineMapAttr, AnyFloatConstr, ArrayAttr, DictionaryAttr
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    var_result_def,
)

from ..format_properties import PropDict2
from .base import I64_ARRAY, I64_ATTR, RANKED, SHAPED


@irdl_op_definition
class AttentionOp(IRDLOperation):
    """softmax(Q K scale + mask) V, with the loops that index each operand."""

    name = "iree_linalg_ext.attention"

    query = operand_def(SHAPED)
    key = operand_def(SHAPED)
    value = operand_def(SHAPED)
    scale = operand_def(AnyFloatConstr)
    mask = opt_operand_def(SHAPED)
    output = operand_def(SHAPED)

    indexing_maps = prop_def(ArrayAttr[AffineMapAttr])
    decomposition_config = opt_prop_def(DictionaryAttr)
    """Hints for code generation."""

    region = region_def("single_block")
    """Takes a score and gives it, changed."""

    res = var_result_def(RANKED)

    custom_directives = (PropDict2,)

    assembly_format = (
        "custom<PropDict2>($indexing_maps, $decomposition_config) attr-dict "
        "`ins` `(` $query `,` $key `,` $value `,` $scale (`,` $mask^)? `:` "
        "type($query) `,` type($key) `,` type($value) `,` type($scale) (`,` type($mask)^)? `)` "
        "`outs` `(` $output `:` type($output) `)` $region (`->` type($res)^)?"
    )


@irdl_op_definition
class FftOp(IRDLOperation):
    """One stage of a fast Fourier transform along the last dimension."""

    name = "iree_linalg_ext.fft"

    stage = operand_def()
    """From 1; blocks of 2^stage elements are combined."""
    real_coeff = opt_operand_def(SHAPED)
    imag_coeff = opt_operand_def(SHAPED)
    real = operand_def(SHAPED)
    imag = operand_def(SHAPED)

    res = var_result_def(RANKED)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    assembly_format = (
        "attr-dict `ins` `(` $stage (`,` $real_coeff^ `,` $imag_coeff)? `:` type($stage) "
        "(`,` type($real_coeff)^ `,` type($imag_coeff))? `)` "
        "`outs` `(` $real `,` $imag `:` type($real) `,` type($imag) `)` (`:` type($res)^)?"
    )


class _WinogradOp(IRDLOperation):
    """A step of a convolution by Winograd's algorithm."""

    input = operand_def(SHAPED)
    output = operand_def(SHAPED)

    output_tile_size = prop_def(I64_ATTR)
    kernel_size = prop_def(I64_ATTR)

    res = var_result_def(RANKED)


class _WinogradImageOp(_WinogradOp):
    """A step on images."""

    image_dimensions = prop_def(I64_ARRAY)
    """Height and width: [1, 2] in NHWC, [2, 3] in NCHW."""

    assembly_format = (
        "attr-dict `output_tile_size` `(` $output_tile_size `)` `kernel_size` `(` $kernel_size "
        "`)` `image_dimensions` `(` $image_dimensions `)` `ins` `(` $input `:` type($input) `)` "
        "`outs` `(` $output `:` type($output) `)` (`->` type($res)^)?"
    )


@irdl_op_definition
class WinogradInputTransformOp(_WinogradImageOp):
    """Bᵀ I B of each overlapping tile I of an image; tiles come first in the output."""

    name = "iree_linalg_ext.winograd.input_transform"


@irdl_op_definition
class WinogradOutputTransformOp(_WinogradImageOp):
    """Aᵀ O A of each tile O; the image that the tiles make."""

    name = "iree_linalg_ext.winograd.output_transform"


@irdl_op_definition
class WinogradFilterTransformOp(_WinogradOp):
    """G F Gᵀ of each filter F."""

    name = "iree_linalg_ext.winograd.filter_transform"

    kernel_dimensions = prop_def(I64_ARRAY)
    """Height and width: [0, 1] in HWCF, [2, 3] in FCHW."""

    assembly_format = (
        "attr-dict `output_tile_size` `(` $output_tile_size `)` `kernel_size` `(` $kernel_size "
        "`)` `kernel_dimensions` `(` $kernel_dimensions `)` `ins` `(` $input `:` type($input) `)` "
        "`outs` `(` $output `:` type($output) `)` (`->` type($res)^)?"
    )
