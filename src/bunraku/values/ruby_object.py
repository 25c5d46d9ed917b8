"""Objects of Ruby that Puppet code passes on: symbols, objects that stay in the Ruby process, and the
texts that represent undef and resources in Puppet 3 functions.
"""

from __future__ import annotations

from typing import Any


class RubyObject:
    """A value known by its two texts only: Ruby's ``to_s`` and its ``inspect``.

    ``value`` is the value of the object in Puppet code.

    >>> print(UNDEF, repr(UNDEF))
    undef :undef
    """

    __slots__ = ("shown", "text", "value")

    def __init__(self, text: str, shown: str, value: Any) -> None:
        self.text = text
        self.shown = shown
        self.value = value

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.shown


class Symbol:
    """A Ruby symbol; in Puppet code a value of ``Runtime['ruby', 'Symbol']``.

    >>> Symbol("a") == Symbol("a"), Symbol("a") == "a", str(Symbol("a"))
    (True, False, 'a')
    """

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __eq__(self, other: object) -> bool:
        return other.__class__ is Symbol and self.name == other.name

    def __hash__(self) -> int:
        return hash((Symbol, self.name))

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f":{self.name}"


class RubyReference:
    """An object that stays in the Ruby process; ``number`` returns it there.

    Two references are equal when Ruby's ``eql?`` finds their objects equal, the rule that ``group``
    stands for. ``class_name`` is None for an object of an unnamed class; ``is_class`` marks a
    class, which then is the class of that name itself.
    """

    __slots__ = ("class_name", "group", "is_class", "number", "text")

    def __init__(
        self, number: int, group: int, class_name: str | None, is_class: bool, text: str
    ) -> None:
        self.number = number
        self.group = group
        self.class_name = class_name
        self.is_class = is_class
        self.text = text

    def __eq__(self, other: object) -> bool:
        return other.__class__ is RubyReference and self.group == other.group

    def __hash__(self) -> int:
        return hash((RubyReference, self.group))

    def __str__(self) -> str:
        return self.text

    __repr__ = __str__


UNDEF = RubyObject("undef", ":undef", None)
"""undef inside an array or hash, in the form for the Ruby code of Puppet 3: a symbol."""
