"""What enumerations of the `hal` dialect share: their integers and how their text looks.

On ops these are plain integers (`i32` or `i64`): that is what the generic form shows and what
`IntegerAttr` properties hold. In custom syntax a value stands as its name, bare where one name
says it and quoted otherwise (`Transfer`, `"None"`, `"Transfer|Dispatch"`).
"""

from enum import IntEnum, IntFlag
from functools import cache

from xdsl.dialects.builtin import IntegerAttr, IntegerType, i32, i64


def camel_case(name: str) -> str:
    """`HOST_VISIBLE` as IREE spells it: `HostVisible`."""
    return "".join(part.capitalize() for part in name.split("_"))


class HalFlags(IntFlag):
    """A set of bits. Its text names every member that it contains, in order of declaration."""

    @classmethod
    def width(cls) -> IntegerType:
        """The integer type that ops keep it in."""
        return i64

    @classmethod
    def words(cls) -> tuple[tuple[str, int], ...]:
        """All names with their values, in order of declaration."""
        return _flag_words(cls)

    @classmethod
    def from_text(cls, text: str) -> int:
        """The value that `A|B` stands for; raises ValueError naming what is expected."""
        table = dict(cls.words())
        value = 0
        for word in text.split("|"):
            if word.strip() not in table:
                raise ValueError(f"expected one of {', '.join(table)}, got '{word.strip()}'")
            value |= table[word.strip()]
        return value

    @classmethod
    def to_text(cls, value: int) -> tuple[str, bool]:
        """The text of `value`, and whether it may stand without quotes."""
        return _flag_text(cls, value)

    @classmethod
    def all_bits(cls) -> int:
        """The union of all members."""
        union = 0
        for _, value in cls.words():
            union |= value
        return union

    @classmethod
    def expectation(cls, value: int) -> str | None:
        """Why `value` is none of this enumeration, or None when it is."""
        unknown = value & ~cls.all_bits()
        return f"bits of {cls.__name__} within {cls.all_bits():#x}" if unknown else None


@cache
def _flag_words(enum: type[HalFlags]) -> tuple[tuple[str, int], ...]:
    return tuple((camel_case(name), int(member)) for name, member in enum.__members__.items())


@cache
def _flag_text(enum: type[HalFlags], value: int) -> tuple[str, bool]:
    if value == 0:
        return next((name for name, bits in enum.words() if bits == 0), ""), False
    names = [name for name, bits in enum.words() if bits and bits & value == bits]
    return "|".join(names), value > 0 and value.bit_count() == 1


class HalFlags32(HalFlags):
    """A set of bits that ops keep as `i32`."""

    @classmethod
    def width(cls) -> IntegerType:
        """The integer type that ops keep it in."""
        return i32


class HalEnum(IntEnum):
    """One of several values, kept as `i32`; its text is the member's name in lower case."""

    @classmethod
    def width(cls) -> IntegerType:
        """The integer type that ops keep it in."""
        return i32

    @classmethod
    def words(cls) -> tuple[tuple[str, int], ...]:
        """All names with their values, in order of declaration."""
        return tuple((member.spelling, int(member)) for member in cls)

    @classmethod
    def from_text(cls, text: str) -> int:
        """The value that a name stands for; raises ValueError naming what is expected."""
        table = dict(cls.words())
        if text not in table:
            raise ValueError(f"expected one of {', '.join(table)}, got '{text}'")
        return table[text]

    @classmethod
    def to_text(cls, value: int) -> tuple[str, bool]:
        """The name of `value`, and whether it may stand without quotes."""
        text = cls(value).spelling
        return text, text.isidentifier()

    @classmethod
    def expectation(cls, value: int) -> str | None:
        """Why `value` is none of this enumeration, or None when it is."""
        if any(value == bits for _, bits in cls.words()):
            return None
        known = ", ".join(f"{bits} ({name})" for name, bits in cls.words())
        return f"a {cls.__name__}: {known}"

    @property
    def spelling(self) -> str:
        """How IREE writes the member."""
        return self.name.lower()


HalEnumType = type[HalFlags] | type[HalEnum]


def enum_attr(enum: HalEnumType, value: int) -> IntegerAttr[IntegerType]:
    """`value` as an op keeps it."""
    return IntegerAttr(value, enum.width())
