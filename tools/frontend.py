"""The `mlir` frontend of zc-opt: our parser, which keeps the place of every op."""

from dataclasses import dataclass
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.frontend.mlir import MLIRFrontend

from ..dialects.parsing import LocatingParser, decoded


@dataclass(frozen=True)
class ZcFrontend(MLIRFrontend):
    """The `mlir` frontend of our tools."""

    line_offset: int = 0

    def parse(self, ctx: Context, input: IO[bytes], input_name: str = "input") -> ModuleOp:
        """Parse a module from UTF-8 text; raises ParseError, OpError where it is not UTF-8."""
        text = decoded(input.read(), input_name)
        parser = LocatingParser(ctx, text, input_name, self.line_offset)
        return parser.parse_module(not self.no_implicit_module)
