"""What a server counts: requests by route and status, compiles and the time that they took."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Mapping
from threading import Lock

from bunraku.base.records import record

TOTAL = "total"
REUSED = "reused"
MOST_NODES = 100_000
BELOW = "/puppet/"
"""The paths whose routes puppetserver has metrics for."""


@record(frozen=True)
class RouteCount:
    """The requests of a route: how many, and how many milliseconds all of them took."""

    number: int
    milliseconds: float

    @property
    def mean(self) -> float:
        """The milliseconds of one request."""
        return self.milliseconds / self.number if self.number else 0.0


@record(frozen=True)
class CatalogExplanation:
    """Why the last catalog of a node was compiled or not; ``depends`` counts what it depends on, by kind.

    ``cause`` is the kind of the reason, ``time`` in seconds since the epoch.
    """

    environment: str
    time: float
    reused: bool
    cause: str
    reason: str
    depends: Mapping[str, int]


class Counts:
    """Counts that several threads add to, and the explanation of the last catalog of each node."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.requests: Counter[tuple[str, str, int]] = Counter()
        self.seconds: dict[str, float] = {}
        self.active = 0
        self.elsewhere: dict[object, int] = {}
        """The active requests of front processes."""
        self.catalogs: Counter[str] = Counter()
        self.explanations: OrderedDict[str, CatalogExplanation] = OrderedDict()

    def count_catalog(self, cause: str) -> None:
        """Count a catalog by why it was compiled; ``reused`` is for one that was not."""
        with self.lock:
            self.catalogs[cause] += 1

    def explain(self, node: str, explanation: CatalogExplanation) -> bool:
        """Keep the explanation of a node's catalog; return whether it has another reason than the one before."""
        with self.lock:
            before = self.explanations.pop(node, None)
            self.explanations[node] = explanation
            if len(self.explanations) > MOST_NODES:
                del self.explanations[next(iter(self.explanations))]
            return before is None or before.reason != explanation.reason

    def explanation(self, node: str) -> CatalogExplanation | None:
        """Return the explanation of the last catalog of a node; None if it got none."""
        with self.lock:
            return self.explanations.get(node)

    def begin(self) -> None:
        """Count a request that begins."""
        with self.lock:
            self.active += 1

    def end(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request that has been answered."""
        with self.lock:
            self.active -= 1
            self.requests[method, route, status] += 1
            self.seconds[route] = self.seconds.get(route, 0.0) + seconds

    def add(
        self,
        requests: Counter[tuple[str, str, int]],
        seconds: Mapping[str, float],
        catalogs: Counter[str],
    ) -> None:
        """Add the counts of a front process."""
        with self.lock:
            self.requests += requests
            self.catalogs += catalogs
            for route, time in seconds.items():
                self.seconds[route] = self.seconds.get(route, 0.0) + time

    def snapshot(self) -> tuple[dict[tuple[str, str, int], int], dict[str, float], int]:
        """Return the requests by method, route and status, the seconds by route, and the active."""
        with self.lock:
            active = self.active + sum([*self.elsewhere.values()])
            return dict(self.requests), dict(self.seconds), active

    def routes(self) -> dict[str, RouteCount]:
        """Return the counts of the routes by puppetserver's names, and of all of them as ``total``."""
        requests, seconds, _active = self.snapshot()
        numbers: Counter[str] = Counter()
        for (_method, route, _status), number in requests.items():
            if route.startswith(BELOW):
                numbers[route] += number
        found = {
            route_name(route): RouteCount(number, seconds[route] * 1000)
            for route, number in sorted(numbers.items())
        }
        total = sum(one.milliseconds for one in found.values())
        return {TOTAL: RouteCount(sum(numbers.values()), total), **found}


def route_name(prefix: str) -> str:
    """Return the name of a route in the metrics of puppetserver.

    >>> route_name("/puppet/v3/catalog")
    'puppet-v3-catalog-/*/'
    """
    return f"{prefix.strip('/').replace('/', '-')}-/*/"
