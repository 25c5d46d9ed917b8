"""Breakpoints: what a user asks for, and when each stops."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from bunraku.base.records import field, record
from bunraku.runtime.state import DeclaredResource
from bunraku.types.text.display import capitalize
from bunraku.workbench.debugging.evaluation import Expression

HIT_CONDITION = re.compile(r"\s*(==|>=|<=|>|<|=|%)?\s*(\d+)\s*\Z")
REFERENCE = re.compile(r"((?:::)?[A-Z][\w:]*)\s*(?:\[\s*(.*?)\s*\])?\s*\Z", re.DOTALL)
LEVELS = {
    "warning": frozenset({"warning"}),
    "error": frozenset({"err", "crit", "alert", "emerg"}),
}
"""Filter → the levels of log messages that it stops at."""
PLACEHOLDER = re.compile(r"\{([^{}]*(?:\{[^{}]*\}[^{}]*)*)\}")
"""An expression in the message of a log point; it may have braces itself."""


@record(eq=False)
class Breakpoint:
    """What all kinds of breakpoints have: conditions, and the number of times that they were reached.

    ``condition`` is an expression of the Puppet language, ``hit_condition`` a number of hits with an operator,
    such as ``5``, ``>= 3`` or ``% 2``. With a ``message`` it is a log point, which does not stop.
    ``problem`` is the reason why it never stops.
    """

    identity: int
    condition: str | None = None
    hit_condition: str | None = None
    message: str | None = None
    hits: int = 0
    problem: str | None = None
    expressions: dict[str, Expression] = field(default_factory=dict)

    def counts(self) -> bool:
        """Count a hit; return whether it is one that stops.

        >>> one = Breakpoint(1, hit_condition=">= 2")
        >>> one.counts(), one.counts()
        (False, True)
        """
        self.hits += 1
        return hit_matches(self.hit_condition, self.hits)


@record(eq=False)
class LineBreakpoint(Breakpoint):
    """A breakpoint on a line of a file; ``column`` (from 1) chooses among several places on the line.

    ``stops_on`` is the line where it stops. ``announced`` is set while the default value of a
    parameter has stopped already, before the beginning of its class.
    """

    path: str = ""
    line: int = 0
    column: int | None = None
    stops_on: int | None = None
    announced: bool = False


@record(eq=False)
class NameBreakpoint(Breakpoint):
    """A breakpoint on what has a name: ``apache::vhost``, ``File[/etc/x]``, ``$ntp::servers``, ``ntp.conf.epp``."""

    name: str = ""

    @property
    def kind(self) -> Literal["resource", "variable", "template", "definition"]:
        """What the name is of."""
        if self.name.startswith("$"):
            return "variable"
        if self.name.endswith(".epp"):
            return "template"
        return "resource" if REFERENCE.match(self.name) else "definition"

    @property
    def definition(self) -> str:
        """The class, defined type or function that the name is of, in small letters.

        >>> (
        ...     NameBreakpoint(1, name="$ntp::servers").definition,
        ...     NameBreakpoint(1, name="class Ntp").definition,
        ... )
        ('ntp', 'ntp')
        """
        if self.kind == "variable":
            return self.name.removeprefix("$").removeprefix("::").rpartition("::")[0].lower()
        return self.name.rpartition(" ")[2].removeprefix("::").removesuffix("()").lower()

    @property
    def variable(self) -> str:
        """The variable, with ``$`` and without the name of its class."""
        return "$" + self.name.removeprefix("$").rpartition("::")[2]

    def accepts(self, resource: DeclaredResource) -> bool:
        """Return whether a resource is one that the name refers to; without a title, all of the type are."""
        match = REFERENCE.match(self.name)
        if match is None or capitalize(match[1].lower().removeprefix("::")) != resource.type:
            return False
        if match[2] is None:
            return True
        title = match[2].strip("'\"")
        if resource.type == "Class":
            return title.lower().removeprefix("::") == resource.title.lower()
        return title == resource.title


def hit_matches(condition: str | None, hits: int) -> bool:
    """Return whether a number of hits is one that a condition names.

    >>> [hit_matches("% 2", 2), hit_matches("3", 2), hit_matches("3", 3), hit_matches(None, 1)]
    [True, False, True, True]
    """
    if not condition or not condition.strip():
        return True
    match = HIT_CONDITION.match(condition)
    if match is None:
        return True
    number = int(match[2])
    match match[1]:
        case ">":
            return hits > number
        case ">=":
            return hits >= number
        case "<":
            return hits < number
        case "<=":
            return hits <= number
        case "%":
            return number > 0 and hits % number == 0
    return hits == number


def hit_condition_problem(condition: str | None) -> str | None:
    """Return the problem of a hit condition; None if it can be used."""
    if not condition or not condition.strip() or HIT_CONDITION.match(condition):
        return None
    return f"hit condition: expected a number such as 5, >= 5 or % 5, not {condition.strip()!r}"


def message_parts(message: str) -> Iterator[tuple[str, bool]]:
    """Yield the parts of a log message: text, or an expression in braces.

    >>> list(message_parts("port {$port}!"))
    [('port ', False), ('$port', True), ('!', False)]
    """
    end = 0
    for match in PLACEHOLDER.finditer(message):
        if match.start() > end:
            yield message[end : match.start()], False
        yield match[1], True
        end = match.end()
    if end < len(message):
        yield message[end:], False
