"""Reading modules: xDSL's parser with the place of every op kept, and a context of all dialects."""

import re
from bisect import bisect_right
from collections.abc import Callable
from itertools import accumulate
from typing import Any, NoReturn

from xdsl.context import Context
from xdsl.dialects.builtin import (
    FileLineColLoc,
    IntAttr,
    ModuleOp,
    StringAttr,
    UnknownLoc,
    UnregisteredOp,
)
from xdsl.ir import Block, Data, Dialect, Operation, ParametrizedAttribute
from xdsl.parser import Parser, ParserState
from xdsl.universe import Universe
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.lexer import Input, Position
from xdsl.utils.mlir_lexer import MLIRLexer, MLIRTokenKind

from . import DIALECTS, FOREIGN_DIALECTS, dialect_factories
from .diagnostics import OpError
from .foreign_errors import FOREIGN_ERRORS, foreign_reason
from .topology_data import TOPOLOGY, ZC_HOST


class EmptyBody(str):
    """The body of an opaque attribute `#a.b<>`: true, unlike that of `#a.b`, so it is printed."""

    __slots__ = ()

    def __bool__(self) -> bool:
        return True


class _Lexer(MLIRLexer):
    """xDSL's, whose search for the end of a string takes exponential time where there is none."""

    _unescaped_characters_regex = re.compile(r'"(?:[^"\\\n\v\f]++|\\(?:["nt\\]|[0-9A-Fa-f]{2}))*+"')


class LocatingParser(Parser):
    """Gives each op the line and column where its text starts; an explicit `loc(…)` wins.

    Args:
        line_offset: lines before this text in its file, for split input.
    """

    def __init__(self, ctx: Context, text: str, name: str, line_offset: int = 0) -> None:
        super().__init__(ctx, "", name)
        self._parser_state = ParserState(_Lexer(Input(text, name)))
        # start position of each line
        self._line_starts = [0, *accumulate(len(line) for line in text.splitlines(keepends=True))]
        self._file = StringAttr(name)
        self._line_offset = line_offset
        self._op_start = 0

    def parse_module(self, allow_implicit_module: bool = True) -> ModuleOp:
        """Parse the whole text; raises ParseError, whatever xDSL itself raises."""
        try:
            if self._current_token.kind == MLIRTokenKind.EOF:
                # Nothing but comments, which xDSL does not take for an empty module.
                module = ModuleOp([])
            else:
                module = super().parse_module(allow_implicit_module)
        except FOREIGN_ERRORS as error:
            self._refuse_foreign(error, self._current_token.span.start)
        if isinstance(module.location, UnknownLoc):
            module.location = self._place(0)
        return module

    def parse_operation(self) -> Operation:
        """Parse one op; raises ParseError."""
        self._op_start = start = self._current_token.span.start
        try:
            op = super().parse_operation()
        except VerifyException as error:
            self._refuse(error, start)
        except FOREIGN_ERRORS as error:
            self._refuse_foreign(error, start)
        if isinstance(op.location, UnknownLoc):
            op.location = self._place(start)
        return op

    def _parse_block(self) -> Block:
        # xDSL names only the context here, and this is where most typing errors end.
        if self._current_token.kind != MLIRTokenKind.CARET_IDENT:
            self.raise_error("expected an op, a block label or the end of the region")
        return super()._parse_block()

    def _place(self, position: Position) -> FileLineColLoc:
        line = bisect_right(self._line_starts, position)
        column = position - self._line_starts[line - 1] + 1
        return FileLineColLoc(self._file, IntAttr(line + self._line_offset), IntAttr(column))

    def _parse_dialect_type_or_attribute_body(
        self,
        attr_name: str,
        is_type: bool,
        is_opaque: bool,
        starting_opaque_pos: Position | None,
    ) -> ParametrizedAttribute | Data[Any]:
        start = self._current_token.span.start
        try:
            return super()._parse_dialect_type_or_attribute_body(
                attr_name, is_type, is_opaque, starting_opaque_pos
            )
        except VerifyException as error:
            self._refuse(error, start)

    def _refuse(self, error: VerifyException, start: Position) -> NoReturn:
        """A verification error met while parsing, at its place."""
        self.raise_error(" ".join(str(error).split()), start, start + 1)

    def _refuse_foreign(self, error: Exception, start: Position) -> NoReturn:
        """An error of xDSL's own code, at its place; others are raised again."""
        reason = foreign_reason(error)
        if reason is None:
            raise error
        self.raise_error(reason, start, start + 1)

    def _parse_dialect_symbol_body(self) -> str:
        # An empty body, `#a.b<>`, is kept apart from none at all, `#a.b`.
        return super()._parse_dialect_symbol_body() or EmptyBody()

    def _get_op_by_name(self, name: str) -> type[Operation]:
        op_type = super()._get_op_by_name(name)
        if issubclass(op_type, UnregisteredOp):
            # Called for the custom form only; the generic form is read without it.
            def refuse(_: Parser) -> NoReturn:
                self.raise_error(
                    f"unknown op '{name}' in custom syntax; print with --mlir-print-op-generic",
                    self._op_start,
                    self._op_start + 1,
                )

            setattr(op_type, "parse", refuse)  # noqa: B010
        return op_type


def dialects() -> dict[str, Callable[[], Dialect]]:
    """All dialects by name: ours first, then xDSL's and plugins' as far as their names are free."""
    factories = dict(Universe.get_multiverse().all_dialects)
    factories.update(dialect_factories(FOREIGN_DIALECTS))
    factories.update(dialect_factories(DIALECTS))
    return factories


def make_context() -> Context:
    """A context that knows all dialects; ops and attributes of others pass through."""
    context = Context(allow_unregistered=True)
    for name, factory in dialects().items():
        context.register_dialect(name, factory)
    return context


def parse_file(context: Context, path: str) -> ModuleOp:
    """The module in a file; raises OSError, OpError where it is not UTF-8, ParseError."""
    with open(path, "rb") as file:
        text = decoded(file.read(), path)
    return parse_text(context, text, path)


def decoded(content: bytes, name: str) -> str:
    """The text of a file `name`; raises OpError where it is not UTF-8."""
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise OpError(name, f"input is not UTF-8 text: bad byte at {error.start}") from error


def parse_text(context: Context, text: str, name: str) -> ModuleOp:
    """The module in a text, whose places are given as in a file `name`; raises ParseError."""
    return LocatingParser(context, text, name).parse_module()


def replace_topology(context: Context, module: ModuleOp, path: str) -> None:
    """Put the topology of the module in `path`, and its `zc.host`, in the place of `module`'s.

    The file may describe more devices than the program has, if it declares them by globals of
    its own: their links are left out.

    Raises:
        OpError: it is not UTF-8, or its module carries no well-formed `stream.topology`.
        OSError, ParseError: it cannot be read.
    """
    # These need the hal dialect, which most runs of a tool need not load.
    from .topology import verify_topology
    from .topology_reading import device_names, topology_attribute, without_devices

    source = parse_file(context, path)
    try:
        verify_topology(source)
        topology = topology_attribute(source)
    except VerifyException as error:
        raise OpError(path, str(error)) from error
    if topology is None:
        raise OpError(path, f"expected a module with the attribute {TOPOLOGY}, got none")
    if known := device_names(module):
        topology = without_devices(topology, frozenset(device_names(source)).difference(known))
    for name, attribute in ((TOPOLOGY, topology), (ZC_HOST, source.attributes.get(ZC_HOST))):
        module.attributes.pop(name, None)
        if attribute is not None:
            module.attributes[name] = attribute
