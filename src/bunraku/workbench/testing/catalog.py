"""The catalog of a test: questions about it have answers that explain themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from typing import Any

from bunraku.apply.validate import wrong_values
from bunraku.base.source import Place
from bunraku.catalog.catalog import Catalog
from bunraku.catalog.resource import Resource
from bunraku.engine.request import Request
from bunraku.runtime.log import LogEntry
from bunraku.workbench.testing.match import Check, Match
from bunraku.workbench.testing.missing import Missing
from bunraku.workbench.testing.order import Order
from bunraku.workbench.testing.stored import CatalogContents
from bunraku.workbench.testing.subject import plain_reference
from bunraku.workbench.testing.values import ABSENT, difference, is_expected

MOST_LISTED = 8
"""Resources that a count lists."""


class Count(int):
    """A number of resources; printed, it lists them.

    >>> Count([Resource({"type": "File", "title": "/a"})])
    1 (File[/a])
    """

    resources: Sequence[Resource]

    def __new__(cls, resources: Sequence[Resource]) -> Count:
        """Return the number of resources."""
        made = super().__new__(cls, len(resources))
        made.resources = resources
        return made

    def __repr__(self) -> str:
        names = [one.reference for one in self.resources[:MOST_LISTED]]
        more = ["…"] if self > MOST_LISTED else []
        return f"{int(self)} ({', '.join([*names, *more])})" if names else "0"


class CatalogUnderTest(Catalog):
    """A compiled catalog with questions for ``assert``.

    ``contents`` are what the compile made, ``matches`` the answers that were given. ``root`` is the directory
    of the code under test.
    """

    def __init__(
        self,
        contents: CatalogContents,
        request: Request,
        matches: list[Match],
        root: str,
    ) -> None:
        super().__init__(contents.data)
        self.contents = contents
        self.request = request
        self.matches = matches
        self.root = root

    def stored_data(self) -> dict[str, Any]:
        """Return the catalog as a server stores it, with the resources that the node only exports."""
        return dict(self.contents.stored())

    @property
    def log(self) -> Sequence[LogEntry]:
        """The messages of the compile."""
        return self.contents.log

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
        resource = self.find_reference(reference)
        others = () if resource is None else resource.parameters.keys() - params.keys()
        return self.ask(reference, {**params, **dict.fromkeys(sorted(others))})

    def exports(self, reference: str, /, **params: Any) -> Match:
        """Return whether the node exports a resource with some parameters, collected by itself or not."""
        wanted = plain_reference(reference)
        found = [Resource(one) for one in self.contents.stored()["resources"] if one["exported"]]
        resource = next((one for one in found if plain_reference(one.reference) == wanted), None)
        match = self.answer(resource, reference)
        if resource is None:
            names = ", ".join(one.reference for one in found) or "nothing"
            return match.add(f"{reference} is not exported", lambda: f"  the node exports {names}")
        return compare(match, resource, params)

    def lacks(self, reference: str, /) -> Match:
        """Return whether a resource is not in the catalog."""
        resource = self.find_reference(reference)
        match = self.answer(resource, f"no {reference}")
        if resource is not None:
            match.add(f"{reference} is in the catalog", lambda: self.declared(resource))
        return match

    def ask(self, reference: str, params: Mapping[str, Any]) -> Match:
        """Return the answer about a resource and some of its parameters."""
        resource = self.find_reference(reference)
        match = self.answer(resource, reference, self.check_related)
        if resource is None:
            return match.add(f"{reference} is not in the catalog", lambda: self.missing(reference))
        match.present = partial(self.declared, resource)
        return compare(match, resource, params)

    def compiles(self) -> Match:
        """Return whether an agent could apply the catalog: no cycles, and no values that types refuse.

        The relationships that types add count. Values are those of types that bunraku can apply; they
        are not checked for Windows.
        """
        match = self.answer(None, "the catalog")
        cycle = self.order.cycle()
        if cycle is not None:
            match.add("the catalog has a dependency cycle", lambda: f"  {' -> '.join(cycle)}")
        windows = self.request.facts.get("kernel") == "windows"
        for finding in () if windows else wrong_values(self):
            place = f"  at {finding.place}" if finding.place.file else ""
            match.add(finding.message, partial(str, place))
        return match

    def count(self, type_: str | None = None) -> Count:
        """Return the number of resources of a type; without one all, but not classes.

        Printed, it lists the resources.
        """
        if type_ is not None:
            return Count(self.by_type(type_))
        left_out = {"Class", "Stage"}
        return Count([one for one in self.resources if one.type not in left_out])

    @cached_property
    def order(self) -> Order:
        """The order of the resources."""
        return Order(self)

    def check_related(self, match: Match, verb: str, reference: str) -> None:
        """Add a reason to an answer if its resource does not have a relationship."""
        resource, other = match.found, self.find_reference(reference)
        if resource is None:
            return
        if other is None:
            summary = f"{resource} cannot be related to {reference}, which is not in the catalog"
            match.add(summary, lambda: self.missing(reference))
        elif not self.order.holds(resource, verb, other):
            verbs = {"requires": "require", "comes before": "come before", "notifies": "notify"}
            summary = f"{resource} does not {verbs.get(verb, 'subscribe to')} {other}"
            match.add(summary, lambda: self.order.explanation(resource, verb, other))

    def answer(self, resource: Resource | None, subject: str, check: Check | None = None) -> Match:
        """Return a new answer, which the test has to read."""
        match = Match(resource, subject, check)
        self.matches.append(match)
        return match

    def missing(self, reference: str) -> str:
        """Return the explanation for a resource that is not in the catalog."""
        return Missing(self, self.request, self.root).explanation(reference)

    def declared(self, resource: Resource) -> str:
        """Return where a resource is declared, and what contains it, for a message."""
        file = (resource.file or "the code of the test").removeprefix(f"{self.root}/")
        lines = [f"  declared at {Place(file, resource.line)}"]
        containers = [self[one] for one in self.order.containers_of(resource.reference)]
        lines += [f"  in {container}" for container in containers]
        classes = [one for one in (resource, *containers) if one.type == "Class"]
        if classes:
            way = Missing(self, self.request, self.root).way_from_top(classes[-1].title.lower())
            lines += [f"  the way there: {way}"] if way else []
        return "\n".join(lines)

    def find_reference(self, reference: str) -> Resource | None:
        """Return a resource; ValueError for a text that is not a reference."""
        return self.find(*plain_reference(reference))


def compare(match: Match, resource: Resource, params: Mapping[str, Any]) -> Match:
    """Add a reason to an answer if parameters of a resource have other values than expected."""
    wrong = {
        name: (resource.parameters.get(name, ABSENT), expected)
        for name, expected in params.items()
        if not is_expected(resource.parameters.get(name, ABSENT), expected)
    }
    if wrong:
        *first, last = wrong
        names = " and ".join(filter(None, [", ".join(first), last]))
        lines = [difference(name, *values) for name, values in wrong.items()]
        match.add(f"{resource} has another {names}", lambda: "\n".join(lines))
    return match
