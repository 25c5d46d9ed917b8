"""Objects of Ruby's own that Puppet 3 functions meet: symbols, and resources as Ruby shows them."""

from __future__ import annotations

from typing import Any


class RubyObject:
    """A value known by its two texts only: Ruby's ``to_s`` and its ``inspect``.

    ``value`` is what the object stands for in Puppet code.

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


UNDEF = RubyObject("undef", ":undef", None)
"""What undef inside an array or hash is to the Ruby code of Puppet 3: a symbol."""
