"""Archives of parameters, which a caller gives as arrays."""

from collections.abc import Mapping

import numpy as np

from .element_types import Array, InputError
from .hal.file import File
from .hal.flags import MemoryAccess

Archives = Mapping[str, Mapping[str, Array]]
"""Arrays by scope, "" for none, and key."""


def parameter_files(archives: Archives) -> dict[tuple[str, str], File]:
    """The bytes of all arrays as files, by scope and key; those of a read-only array may only be
    read. InputError for an array that is not contiguous."""
    files: dict[tuple[str, str], File] = {}
    for scope, arrays in archives.items():
        for key, array in arrays.items():
            if not array.flags.c_contiguous:
                name = "::".join(filter(None, (scope, key)))
                raise InputError(f"parameter {name} is not contiguous; give np.ascontiguousarray")
            access = MemoryAccess.READ
            if array.flags.writeable:
                access |= MemoryAccess.WRITE
            files[scope, key] = File(array.reshape(-1).view(np.uint8), access)
    return files
