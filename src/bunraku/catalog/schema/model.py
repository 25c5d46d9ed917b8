"""Schemas of resource types: their attributes, and the keys by which two resources are the same.

Schemas contain no code that changes a machine. The same form serves Puppet's own types
(``catalog/schema/builtin.py``) and those that modules write in Ruby (``ruby/schema/schema.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from bunraku.base.metaparameters import METAPARAMETER_NAMES
from bunraku.base.records import field, record

RELATIONSHIPS: tuple[str, ...] = ("require", "subscribe", "before", "notify")
"""The metaparameters that order resources."""

EVERYWHERE = METAPARAMETER_NAMES | {"name"}
"""Attributes that every type accepts; ``name`` means the namevar, regardless of its name."""


ReadTitle = Callable[[str], Mapping[str, str | None]]


class TitlePattern(NamedTuple):
    """One way to read a title: a Ruby pattern, its flags, and the attribute each group gives.

    ``computed`` names the attributes that Ruby code derives from the group's text, which reading
    the schema cannot follow.
    """

    pattern: str
    flags: str
    attributes: tuple[str, ...]
    computed: tuple[str, ...] = ()


@record(frozen=True)
class ResourceTypeSchema:
    """The parts of a resource type that can be read without running its code.

    ``namevars`` are Puppet's key attributes in its order. ``title_patterns`` is None if the whole
    title is the one namevar. ``titles_known`` is False if Ruby code that cannot be evaluated splits
    titles. ``old_call`` tells types that are made with ``Puppet.newtype``. Two resources of a type that is not ``isomorphic`` may name the same thing. ``open`` is
    the reason why the attributes may be incomplete; such a type accepts any attribute. ``failure`` says why
    Ruby cannot load the file of the type, at ``file`` and ``line``.

    >>> anchor = ResourceTypeSchema("anchor", parameters=("name",), namevars=("name",))
    >>> anchor.has_attribute("name"), anchor.has_attribute("require"), anchor.has_attribute("owner")
    (True, True, False)
    """

    name: str
    parameters: tuple[str, ...] = ()
    properties: tuple[str, ...] = ()
    namevars: tuple[str, ...] = ()
    title_patterns: tuple[TitlePattern, ...] | None = None
    titles_known: bool = True
    isomorphic: bool = True
    features: tuple[str, ...] = ()
    providers: tuple[str, ...] = ()
    applies_to: str = "host"
    old_call: bool = False
    open: str | None = None
    failure: str | None = None
    file: str | None = None
    line: int | None = None
    attributes: frozenset[str] = field(init=False, shown=False, compared=False)
    read: ReadTitle | None = field(init=False, shown=False, compared=False)

    def __post_init__(self) -> None:
        """Gather the names once: the check of an attribute is a set look-up."""
        names = EVERYWHERE.union(self.parameters, self.properties)
        object.__setattr__(self, "attributes", names)
        object.__setattr__(self, "read", None)  # see bunraku.catalog.schema.titles.read_title

    @property
    def ensurable(self) -> bool:
        """Whether the type has an ``ensure`` property."""
        return "ensure" in self.properties

    def has_attribute(self, name: str) -> bool:
        """Return whether this type accepts the attribute; metaparameters included."""
        return name in self.attributes or self.open is not None

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> ResourceTypeSchema:
        """Return the schema of JSON data, in which default values are left out.

        >>> ResourceTypeSchema.from_dict({"name": "a", "parameters": ["name"]}).has_attribute(
        ...     "name"
        ... )
        True
        """
        patterns = data.get("title_patterns")
        return cls(
            name=data["name"],
            parameters=tuple(data.get("parameters", ())),
            properties=tuple(data.get("properties", ())),
            namevars=tuple(data.get("namevars", ())),
            title_patterns=None if patterns is None else tuple(map(read_pattern, patterns)),
            titles_known=data.get("titles_known", True),
            isomorphic=data.get("isomorphic", True),
            features=tuple(data.get("features", ())),
            providers=tuple(data.get("providers", ())),
            applies_to=data.get("applies_to", "host"),
            old_call=data.get("old_call", False),
            open=data.get("open"),
            file=data.get("file"),
            line=data.get("line"),
        )


def read_pattern(data: Sequence[Any]) -> TitlePattern:
    """Return the title pattern of its JSON form."""
    pattern, flags, attributes, *computed = data
    return TitlePattern(pattern, flags, tuple(attributes), tuple(computed[0]) if computed else ())
