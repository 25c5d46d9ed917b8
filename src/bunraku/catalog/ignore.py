"""Patterns of changes that a comparison of catalogs leaves out, as octocatalog-diff writes them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.records import record
from bunraku.catalog.compare import ABSENT, Change, Difference, ResourceChange
from bunraku.catalog.issues import BAD_IGNORE

PATTERN = lazy_pattern(
    r"(?P<type>[^\[\]]+)\[(?P<title>.*?)\](?P<signs>\+-|-\+|\+|-)?"
    r"(?:::(?:parameters::)?(?P<name>\(?[\w*]+\)?)(?:(?P<operator>=[~+\-]?>)(?P<value>.*))?)?",
    re.DOTALL,
)
SIDES = {"=>": ("old", "new"), "=~>": ("old", "new"), "=->": ("old",), "=+>": ("new",)}


@record(frozen=True)
class Ignore:
    """A pattern of changes to leave out: resources, parameters, kinds of changes.

    ``signs`` is ``+`` for additions, ``-`` for removals, both for either; empty for all changes.
    ``value`` tests the values on ``sides``.
    """

    type: re.Pattern[str]
    title: re.Pattern[str]
    name: re.Pattern[str] | None = None
    signs: str = ""
    value: Callable[[str], bool] | None = None
    sides: tuple[str, ...] = ()

    def takes(self, reference: str) -> bool:
        """Return whether the pattern is about a resource.

        >>> parse_ignore("file[/etc/*]").takes("File[/etc/motd]")
        True
        """
        type_, _, title = reference.partition("[")
        return bool(self.type.fullmatch(type_) and self.title.fullmatch(title[:-1]))

    def takes_change(self, change: Change) -> bool:
        """Return whether the pattern is about a change of a parameter."""
        if self.name is None or not self.name.fullmatch(change.name):
            return False
        if self.signs:
            added, removed = change.old is ABSENT, change.new is ABSENT
            if not (added and "+" in self.signs) and not (removed and "-" in self.signs):
                return False
        if self.value is None:
            return True
        values = [getattr(change, side) for side in self.sides]
        return any(self.value(as_text(one)) for one in values if one is not ABSENT)


def parse_ignore(text: str) -> Ignore:
    """Return the pattern that a text writes; raise BAD_IGNORE when it does not write one.

    >>> parse_ignore("Package[*]::parameters::ensure").takes_change(Change("ensure", "1", "2"))
    True
    """
    found = PATTERN.fullmatch(text)
    if found is None:
        raise BAD_IGNORE(text=text)
    operator, value = found["operator"], found["value"]
    test: Callable[[str], bool] | None = None
    if operator == "=~>":
        try:
            pattern = re.compile(value)
        except re.error as error:
            raise BAD_IGNORE(text=f"{text} ({error})") from None
        test = pattern_test(pattern)
    elif operator:
        test = value.__eq__
    return Ignore(
        glob(found["type"]),
        glob(found["title"]),
        glob(found["name"]) if found["name"] else None,
        found["signs"] or "",
        test,
        SIDES.get(operator, ()),
    )


def pattern_test(pattern: re.Pattern[str]) -> Callable[[str], bool]:
    """Return a test whether a text has a part that matches."""
    return lambda text: pattern.search(text) is not None


def glob(text: str) -> re.Pattern[str]:
    """Return the pattern in which ``*`` matches any text, letter case ignored."""
    parts = map(re.escape, text.split("*"))
    return re.compile(".*".join(parts), re.DOTALL | re.IGNORECASE)


def as_text(value: Any) -> str:
    """Return a value as a condition compares it: strings as they are."""
    return value if isinstance(value, str) else repr(value)


def without_ignored(found: Difference, ignores: Iterable[Ignore]) -> Difference:
    """Return a difference without the changes that patterns match.

    With a resource that is ignored as a whole, its edges are ignored, and for a class its name.
    """
    ignores = list(ignores)
    if not ignores:
        return found
    whole = [one for one in ignores if one.name is None and not one.signs]

    def left(resources: list[ResourceChange], sign: str) -> list[ResourceChange]:
        kept = (resource_left(one, ignores, sign) for one in resources)
        return [one for one in kept if one is not None]

    added, removed = left(found.added, "+"), left(found.removed, "-")
    dropped = {one.reference for one in (*found.added, *found.removed)}
    dropped -= {one.reference for one in (*added, *removed)}

    def gone(reference: str) -> bool:
        return reference in dropped or any(one.takes(reference) for one in whole)

    def edges_left(edges: list[str]) -> list[str]:
        return [edge for edge in edges if not any(map(gone, edge.split(" -> ")))]

    def classes_left(names: list[str]) -> list[str]:
        return [name for name in names if not gone(f"Class[{name}]")]

    return Difference(
        added,
        removed,
        left(found.changed, ""),
        edges_left(found.edges_added),
        edges_left(found.edges_removed),
        classes_left(found.classes_added),
        classes_left(found.classes_removed),
    )


def resource_left(
    resource: ResourceChange, ignores: Iterable[Ignore], sign: str
) -> ResourceChange | None:
    """Return the changes of a resource that are not ignored; None if all are."""
    taking = [one for one in ignores if one.takes(resource.reference)]
    for one in taking:
        if one.name is None and (not one.signs or (sign and sign in one.signs)):
            return None
    if sign:
        return resource  # added or removed as a whole: changes of parameters do not apply
    changes = tuple(
        change for change in resource.changes if not any(one.takes_change(change) for one in taking)
    )
    if not changes:
        return None
    return ResourceChange(resource.reference, changes, resource.place)
