"""Writes a reference of each dialect as Markdown, from the definitions of its ops.

`python -m zcir.tools.dialect_docs FOLDER` writes `FOLDER/<dialect>.md`: what the dialect is for,
then by section each op with its syntax, operands, attributes, regions and results and what they
mean, then types and attributes. Meanings are the strings under the fields of the classes.
"""

import ast
import inspect
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from textwrap import dedent
from typing import Any, get_args

from xdsl.dialects.builtin import AnyFloat, ArrayOfConstraint, SymbolNameConstraint
from xdsl.ir import Attribute, Dialect, Operation, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import (
    AnyAttr,
    AnyOf,
    BaseAttr,
    EqAttrConstraint,
    IRDLOperation,
    OptionalDef,
    ParamAttrConstraint,
    VariadicDef,
)
from xdsl.traits import (
    IsTerminator,
    MemoryAllocEffect,
    MemoryFreeEffect,
    MemoryReadEffect,
    MemoryWriteEffect,
    NoMemoryEffect,
    Pure,
    RecursiveMemoryEffect,
)

from ..dialects import DIALECTS
from ..dialects.access import TiedResults
from ..dialects.hal.format import EnumConstraint, OneOf
from ..dialects.stream.base import (
    BufferConstraint,
    ClassConstraint,
    ResourceConstraint,
    TypeSetConstraint,
)
from ..dialects.stream.types import Lifetime
from ..dialects.symbols import VISIBILITIES, VisibilityConstraint

HIDDEN = ("operandSegmentSizes", "resultSegmentSizes")
"""Properties that say only how operands are grouped."""


@cache
def meanings(cls: type) -> dict[str, str]:
    """The strings under the fields of a class and of its bases, by field."""
    found: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        if base.__module__.startswith("zcir."):
            found.update(_own_meanings(base))
    return found


def _own_meanings(cls: type) -> Iterator[tuple[str, str]]:
    """The strings under the fields that the class itself has."""
    tree = ast.parse(dedent(inspect.getsource(cls))).body[0]
    assert isinstance(tree, ast.ClassDef)
    for statement, after in zip(tree.body, tree.body[1:], strict=False):
        text = after.value if isinstance(after, ast.Expr) else None
        if not isinstance(text, ast.Constant) or not isinstance(text.value, str):
            continue
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        if isinstance(statement, ast.AnnAssign):
            targets = [statement.target]
        for target in targets:
            if isinstance(target, ast.Name):
                yield target.id, " ".join(inspect.cleandoc(text.value).split())


def _words(constraint: OneOf | EnumConstraint | VisibilityConstraint) -> Iterable[object]:
    """What a constraint that lists its values takes."""
    match constraint:
        case OneOf(attributes=attributes):
            return attributes
        case EnumConstraint(enum=enum):
            return (word for word, _ in enum.words())
        case VisibilityConstraint():
            return VISIBILITIES


def described(constraint: Any) -> str:
    """A constraint in words; "" where it says nothing."""
    match constraint:
        case EqAttrConstraint(attr=attribute):
            return f"`{attribute}`"
        case BaseAttr(attr=cls) | ParamAttrConstraint(base_attr=cls):
            return _class_name(cls)
        case AnyOf(attr_constrs=parts):
            return _either(described(part) for part in parts)
        case OneOf() | EnumConstraint() | VisibilityConstraint():
            return _either(f"`{word}`" for word in _words(constraint))
        case ArrayOfConstraint(elem_range_constraint=elements):
            return f"array of {described(elements)}"
        case ResourceConstraint(lifetimes=lifetimes):
            names = "|".join(life.value for life in Lifetime if life in lifetimes)
            return f"`!stream.resource<{'*' if len(lifetimes) == len(Lifetime) else names}>`"
        case ClassConstraint(wanted=wanted) | TypeSetConstraint(wanted=wanted):
            return wanted
        case BufferConstraint():
            return "`!util.buffer`"
        case SymbolNameConstraint():
            return "symbol name"
        case AnyAttr():
            return "any"
        case _:
            # What constrains one value, a range or a variable wraps another constraint.
            inner = getattr(constraint, "constraint", None) or getattr(constraint, "constr", None)
            return described(inner) if inner is not None else ""


def _either(alternatives: Iterable[str]) -> str:
    """Several texts as one; the long list of float types as one word."""
    text = " or ".join(dict.fromkeys(filter(None, alternatives)))
    return text.replace(_FLOATS, "float")


WORDS = {
    "densearraybase": "numbers",
    "symbolref": "symbol",
    "typeattribute": "type",
    "unrankedtensor": "unranked tensor",
}
"""What classes of xDSL are called that have an unusual name."""


def _class_name(cls: Any) -> str:
    """An attribute or type as it starts in the text, or by its class where it is builtin."""
    name = getattr(cls, "name", cls.__name__)
    if "." not in name:
        word: str = cls.__name__.removesuffix("Attr").removesuffix("Type").lower()
        return WORDS.get(word, word)
    return f"`{'!' if issubclass(cls, TypeAttribute) else '#'}{name}`"


_FLOATS = " or ".join(_class_name(cls) for cls in get_args(AnyFloat))


def _count(definition: Any) -> str:
    """How many values a field has."""
    if isinstance(definition, OptionalDef):
        return "optional"
    return "any number" if isinstance(definition, VariadicDef) else ""


def field_lines(title: str, rows: Iterable[tuple[str, Any, str]]) -> Iterator[str]:
    """A list of fields: name, definition and meaning."""
    rows = list(rows)
    if not rows:
        return
    yield f"{title}:\n"
    for name, definition, meaning in rows:
        notes = (_count(definition), described(getattr(definition, "constr", None)))
        kind = ", ".join(note for note in notes if note)
        yield f"- `{name}`" + (f" ({kind})" if kind else "") + (f": {meaning}" if meaning else "")
    yield ""


def syntax(op: type[IRDLOperation]) -> str:
    """How the op is written: its assembly format, its example or what its parser reads."""
    definition = op.get_irdl_definition()
    if definition.assembly_format is not None:
        return f"```\n{op.name} {definition.assembly_format}\n```\n"
    if "```mlir" in (inspect.getdoc(op) or ""):
        return "Written as in the example.\n"
    return f"{re.sub('^Parses? ', 'Written ', _first_paragraph(inspect.getdoc(op.parse)))}\n"


def _first_paragraph(text: str | None) -> str:
    return " ".join((text or "").partition("\n\n")[0].split())


EFFECTS = {
    Pure: "no effects",
    NoMemoryEffect: "no effects on memory",
    RecursiveMemoryEffect: "the effects of its regions",
    MemoryAllocEffect: "allocates",
    MemoryFreeEffect: "frees",
    MemoryReadEffect: "reads",
    MemoryWriteEffect: "writes",
}
"""What traits say of an op's effects."""


def behaviour(op: type[IRDLOperation]) -> str:
    """Effects, terminators and ties, as one line; "" where the traits state none."""
    traits = op.traits.traits
    notes = [text for trait, text in EFFECTS.items() if any(type(t) is trait for t in traits)]
    if any(isinstance(trait, IsTerminator) for trait in traits):
        notes.append("ends a block")
    notes += [
        f"`{trait.results}` {'may share' if trait.stored else 'shares'} the storage of "
        f"`{trait.operands}`"
        for trait in traits
        if isinstance(trait, TiedResults)
    ]
    return f"Behaviour: {', '.join(notes)}.\n" if notes else ""


def op_lines(op: type[IRDLOperation]) -> Iterator[str]:
    """The reference of one op."""
    definition = op.get_irdl_definition()
    known = meanings(op)
    fields = {ir_name: field for field, (ir_name, _) in definition.accessor_names.items()}
    yield f"### `{op.name}`\n"
    yield f"{inspect.getdoc(op)}\n"
    yield syntax(op)
    if text := behaviour(op):
        yield text
    properties = [
        (name, value, known.get(fields.get(name, name), ""))
        for name, value in definition.properties.items()
        if name not in HIDDEN
    ]
    for title, rows in (
        ("Operands", definition.operands),
        ("Regions", definition.regions),
        ("Results", definition.results),
    ):
        if title == "Regions":
            yield from field_lines("Attributes", properties)
        yield from field_lines(title, ((name, value, known.get(name, "")) for name, value in rows))


def attribute_lines(attribute: type[Attribute]) -> Iterator[str]:
    """The reference of one type or attribute."""
    sign = "!" if issubclass(attribute, TypeAttribute) else "#"
    yield f"### `{sign}{attribute.name}`\n"
    yield f"{inspect.getdoc(attribute)}\n"
    if issubclass(attribute, ParametrizedAttribute):
        known = meanings(attribute)
        parameters = attribute.get_irdl_definition().parameters
        yield from field_lines(
            "Parameters", ((name, value, known.get(name, "")) for name, value in parameters)
        )


def sections(ops: Sequence[type[Operation]]) -> Iterator[tuple[str, list[type[Operation]]]]:
    """The ops of a dialect by the module that defines them, with what the module says it is."""
    modules = dict.fromkeys(op.__module__ for op in ops)
    for name in modules:
        title = _first_paragraph(inspect.getdoc(import_module(name))).rstrip(".")
        yield title, sorted((op for op in ops if op.__module__ == name), key=lambda op: op.name)


def reference(dialect: Dialect, module: str) -> str:
    """The whole reference of a dialect, whose package is `module`."""
    lines = [f"# The `{dialect.name}` dialect\n", f"{inspect.getdoc(import_module(module))}\n"]
    ops = sorted(dialect.operations, key=lambda op: (op.__module__, op.name))
    for title, members in sections(ops):
        lines.append(f"## {title}\n")
        for op in members:
            if issubclass(op, IRDLOperation):
                lines.extend(op_lines(op))
    attributes = sorted(dialect.attributes, key=lambda a: (issubclass(a, TypeAttribute), a.name))
    if attributes:
        lines.append("## Types and attributes\n")
        for attribute in attributes:
            lines.extend(attribute_lines(attribute))
    return "\n".join(lines).rstrip() + "\n"


def write_references(folder: Path) -> list[Path]:
    """Write the reference of every dialect of this project; gives the files, in order."""
    folder.mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    for name, path in DIALECTS.items():
        module, attribute = path.split(":")
        package = f"zcir.dialects{module}"
        dialect: Dialect = getattr(import_module(package), attribute)
        file = folder / f"{name}.md"
        file.write_text(reference(dialect, package), encoding="utf-8")
        written.append(file)
    return written


def main() -> int:
    """The command line: one folder."""
    if len(sys.argv) != 2:
        print("usage: python -m zcir.tools.dialect_docs FOLDER", file=sys.stderr)
        return 2
    for file in write_references(Path(sys.argv[1])):
        print(file)
    return 0


if __name__ == "__main__":
    sys.exit(main())
