"""Kernel images: files that hold kernels (`aclrtBinaryLoadFromFile`).

Two kinds of file are images. A module in `.mlir` form holds executables, whose bodies are compiled;
a kernel is named by its export. Anything else is what `build_image` makes of a Python file with
`@kernel` functions, for one product name.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from xdsl.utils.exceptions import ParseError, VerifyException

from ...dialects.diagnostics import OpError
from ...dialects.parsing import make_context, parse_file
from ..kernels.api import Kernel
from ..kernels.library import KernelLibrary
from .block_kernel import BlockKernel

_FORMAT = "zcir kernel image 1"

SUPPORTED_SOCS = ("Ascend910B", "Ascend910_93", "Ascend950")
"""Beginnings of the product names that kernels can be built for (ZC-42)."""

HostKernel = BlockKernel | Kernel
"""A kernel that can be launched."""


class ImageError(Exception):
    """A file that is no kernel image, or a source that cannot become one."""


@dataclass(frozen=True, slots=True)
class Image:
    """The kernels of a file."""

    path: str
    target: str
    """The product name it was built for; "" for any."""
    kernels: dict[str, HostKernel]


def build_image(source: str | Path, target: str, output: str | Path) -> None:
    """Compile a Python file with `@kernel` functions to an image for the product `target`.

    Raises:
        ImageError: an unsupported product, a source that cannot be read or that has no kernels.
    """
    if not target.startswith(SUPPORTED_SOCS):
        listed = ", ".join(SUPPORTED_SOCS)
        raise ImageError(f"unsupported device {target}; expected a product of {listed}")
    try:
        text = Path(source).read_text()
    except OSError as error:
        raise ImageError(f"{source}: cannot read the source: {error.strerror}") from None
    if not _kernels_of(text, str(source)):
        raise ImageError(f"{source}: no function is a @kernel")
    image = {"format": _FORMAT, "target": target, "source": text}
    Path(output).parent.mkdir(parents=True, exist_ok=True)
    Path(output).write_text(json.dumps(image))


def load_image(path: str | Path) -> Image:
    """Read an image.

    Raises:
        OSError: the file cannot be read.
        ImageError: it is no image.
    """
    if str(path).endswith(".mlir"):
        return Image(str(path), "", _compiled(str(path)))
    try:
        content: Any = json.loads(Path(path).read_text())
        target, source = str(content["target"]), str(content["source"])
        known = content["format"] == _FORMAT
    except (ValueError, LookupError, TypeError):
        known, target, source = False, "", ""
    if not known:
        raise ImageError(f"{path} is not a kernel image; make one with build_image")
    return Image(str(path), target, dict(_kernels_of(source, str(path))))


def _kernels_of(text: str, path: str) -> dict[str, BlockKernel]:
    module = ModuleType("kernel_image")
    try:
        exec(compile(text, path, "exec"), module.__dict__)
    except Exception as error:
        raise ImageError(f"{path}: {type(error).__name__}: {error}") from error
    found = (value for value in vars(module).values() if isinstance(value, BlockKernel))
    return {entry.name: entry for entry in found}


def _compiled(path: str) -> dict[str, HostKernel]:
    """The kernels of all executables of a module, by export."""
    try:
        library = KernelLibrary(parse_file(make_context(), path))
        return {
            export: library.lookup(executable, export)
            for executable in library.executables
            for export in library.exports(executable)
        }
    except ParseError as error:
        place = error.span.get_location()
        message = f"{place.file}:{place.line}:{place.col}: {' '.join(error.msg.split())}"
        raise ImageError(message) from error
    except (OpError, VerifyException) as error:
        raise ImageError(f"{path}: {error}") from error
