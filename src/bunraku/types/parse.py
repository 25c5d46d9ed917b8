"""Types from text. The parser is imported with the first text that is not known yet."""

from __future__ import annotations

from bunraku.base.bounded_cache import BoundedCache
from bunraku.base.lazy_typing import TYPE_CHECKING
from bunraku.types.model import Type

if TYPE_CHECKING:
    from bunraku.types.parameters.parameters import TypeLoader

PARSED: BoundedCache[str, Type] = BoundedCache("types of texts", 20_000)
"""Types of texts that need no loader, such as those in the signatures of built-in functions."""


def parse_type(text: str, loader: TypeLoader | None = None) -> Type:
    """Return the type that a text spells; names unknown to the loader become TypeReference.

    >>> parse_type("Array[Integer[1, 5]]")
    ArrayType(element=IntegerType(low=1, high=5), low=None, high=None)
    """
    if loader is None:
        found = PARSED.get(text)
        if found is None:
            found = PARSED.keep(text, type_of_text(text, None))
        return found
    return type_of_text(text, loader)


def parse_written(text: str) -> Type:
    """Return the type that the text in a catalog spells: it may name types that no loader can find.

    >>> parse_written("Array[TypeReference['My::Alias']]")
    ArrayType(element=TypeReferenceType(text='My::Alias'), low=None, high=None)
    """
    return type_of_text(text, None, knows_references=True)


def type_of_text(text: str, loader: TypeLoader | None, *, knows_references: bool = False) -> Type:
    """Return the type that a text spells."""
    from bunraku.types.type_reader import parse_text

    return parse_text(text, loader, knows_references=knows_references)
