"""The catalog of a test: questions about it have answers that explain themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bunraku.base.source import Place
from bunraku.base.suggestions import suggestion
from bunraku.catalog.catalog import Catalog
from bunraku.catalog.compiled import CompiledCatalog
from bunraku.catalog.resource import Resource
from bunraku.catalog.wire import catalog_to_data
from bunraku.engine.request import Request
from bunraku.runtime.log import LogEntry
from bunraku.workbench.testing.match import Match
from bunraku.workbench.testing.values import ABSENT, difference, fits


class CatalogUnderTest(Catalog):
    """A compiled catalog with questions for ``assert``.

    ``log`` has the messages of the compile, ``matches`` the answers that were given.
    """

    def __init__(
        self,
        compiled: CompiledCatalog,
        log: Sequence[LogEntry],
        request: Request,
        matches: list[Match],
    ) -> None:
        super().__init__(catalog_to_data(compiled))
        self.compiled = compiled
        self.log = log
        self.request = request
        self.matches = matches

    def stored_data(self) -> dict[str, Any]:
        """Return the catalog as a server stores it, with the resources that the node only exports."""
        return catalog_to_data(self.compiled, with_exported=True)

    @property
    def warnings(self) -> list[str]:
        """The texts of the warnings of the compile."""
        return [one.message for one in self.log if one.level in {"warning", "err"}]

    # -- questions -------------------------------------------------------------------------------

    def contains(self, reference: str, /, **params: Any) -> Match:
        """Return whether a resource is in the catalog and has some parameters.

        A parameter's value is the expected value, a pattern of :mod:`re` that must be found in it, a
        function that returns true for it, or None for a parameter that is not set. Values of other
        kinds differ: ``'123'`` is not ``123``.
        """
        return self.ask(reference, params)

    def contains_only(self, reference: str, /, **params: Any) -> Match:
        """Return whether a resource is in the catalog and has these parameters and no others."""
        match = self.ask(reference, params)
        if match.resource is not None:
            for name in match.resource.parameters.keys() - params.keys():
                wrong_value(match, match.resource, name, None)
        return match

    def lacks(self, reference: str, /) -> Match:
        """Return whether a resource is not in the catalog."""
        resource = self.find_reference(reference)
        match = self.answer(resource, f"no {reference}")
        if resource is not None:
            match.add(f"{reference} is in the catalog", lambda: declared_at(resource))
        return match

    def ask(self, reference: str, params: Mapping[str, Any]) -> Match:
        """Return the answer about a resource and some of its parameters."""
        resource = self.find_reference(reference)
        match = self.answer(resource, reference)
        if resource is None:
            return match.add(f"{reference} is not in the catalog", lambda: self.missing(reference))
        for name, expected in params.items():
            wrong_value(match, resource, name, expected)
        return match

    def answer(self, resource: Resource | None, subject: str) -> Match:
        """Return a new answer, which the test has to read."""
        match = Match(resource, subject)
        self.matches.append(match)
        return match

    def missing(self, reference: str) -> str:
        """Return the explanation for a resource that is not in the catalog."""
        near = suggestion(reference, [one.reference for one in self.resources])
        return f"  {near.strip(' ()')}" if near else ""

    def find_reference(self, reference: str) -> Resource | None:
        """Return a resource; ValueError for a text that is not a reference."""
        type_, bracket, rest = reference.partition("[")
        if not bracket or not rest.endswith("]") or not type_:
            raise ValueError(f"not a reference: {reference!r}; expected a text such as 'File[/a]'")
        return self.find(type_, rest[:-1].strip("'\""))


def wrong_value(match: Match, resource: Resource, name: str, expected: Any) -> None:
    """Add a reason to an answer if a parameter has another value than the expected one."""
    actual = resource.parameters.get(name, ABSENT)
    if fits(actual, expected):
        return
    match.add(f"{resource} has another {name}", lambda: difference(name, actual, expected))


def declared_at(resource: Resource) -> str:
    """Return where a resource is declared, for a message."""
    return f"  declared at {Place(resource.file, resource.line)}" if resource.file else ""
