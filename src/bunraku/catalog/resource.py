"""A resource of a finished catalog, as an agent gets it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from bunraku.catalog.rich_data import from_data
from bunraku.values.sensitive import Sensitive

Value = Any
RelationshipKind = Literal["before", "notify", "require", "subscribe"]
RELATIONSHIP_PARAMETERS: tuple[RelationshipKind, ...] = ("before", "notify", "require", "subscribe")


class Resource:
    """One resource of a :class:`bunraku.Catalog`; reading it never changes it.

    ``type`` is the capitalised name of the type (``File``, ``Apache::Vhost``, ``Class``), ``title`` the
    title and ``reference`` both (``File[/etc/motd]``). ``tags`` are in the order of the catalog;
    ``file`` and ``line`` (from 1) are the place of the declaration, None if unknown. ``kind`` is
    ``compilable_type``, ``defined_type`` or ``class``, None in catalogs of Puppet before 7.

    >>> resource = Resource({"type": "File", "title": "/a", "parameters": {"mode": "0644"}})
    >>> resource["mode"], "owner" in resource, resource
    ('0644', False, File[/a])
    """

    __slots__ = (
        "exported",
        "file",
        "kind",
        "line",
        "parameters",
        "reference",
        "tags",
        "title",
        "type",
    )

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.type: str = data["type"]
        self.title: str = str(data["title"])
        self.reference = f"{self.type}[{self.title}]"
        self.tags: tuple[str, ...] = tuple(data.get("tags") or ())
        self.file: str | None = data.get("file")
        self.line: int | None = data.get("line")
        self.exported: bool = bool(data.get("exported"))
        self.kind: str | None = data.get("kind")
        secret = frozenset(data.get("sensitive_parameters") or ())
        self.parameters: dict[str, Value] = {
            name: concealed(from_data(value)) if name in secret else from_data(value)
            for name, value in (data.get("parameters") or {}).items()
        }
        """The parameters by name; the values of sensitive ones are :class:`bunraku.Sensitive`."""

    @property
    def sensitive(self) -> tuple[str, ...]:
        """The names of the parameters whose values are sensitive."""
        found = (name for name, value in self.parameters.items() if isinstance(value, Sensitive))
        return tuple(found)

    def references(self, parameter: str) -> list[str]:
        """Return the references in a relationship parameter: ``["Service[a]", "Class[B]"]``.

        >>> data = {"type": "File", "title": "/a", "parameters": {"notify": "Service[a]"}}
        >>> Resource(data).references("notify"), Resource(data).references("require")
        (['Service[a]'], [])
        """
        return list(texts_in(self.parameters.get(parameter)))

    def get(self, parameter: str, default: Value = None) -> Value:
        """Return the value of a parameter, or the default if it is not set."""
        return self.parameters.get(parameter, default)

    def __getitem__(self, parameter: str) -> Value:
        return self.parameters[parameter]

    def __contains__(self, parameter: object) -> bool:
        return parameter in self.parameters

    def __repr__(self) -> str:
        return self.reference


def concealed(value: Value) -> Sensitive:
    """Return the value wrapped in Sensitive, once."""
    return value if isinstance(value, Sensitive) else Sensitive(value)


def texts_in(value: Value) -> Iterator[str]:
    """Yield the texts in a value, in nested arrays too."""
    if isinstance(value, list):
        for item in value:
            yield from texts_in(item)
    elif isinstance(value, str):
        yield value
