"""What an examination finds: faults with a stable code, and what could not be checked."""

from __future__ import annotations

from typing import Literal

from bunraku.base.lazy_typing import Any
from bunraku.base.records import record

Severity = Literal["error", "warning"]


@record(frozen=True)
class FoundFault:
    """A fault at a place: a path, a URL or the name of a node. The hint has the command against it."""

    code: str
    severity: Severity
    message: str
    hint: str
    place: str


@record(frozen=True)
class Gap:
    """What was not checked, and why; ``absent`` if this machine does not have it."""

    subject: str
    reason: str
    absent: bool = False


@record(frozen=True)
class Fault:
    """A kind of fault; ``message`` and ``hint`` name values in braces, and ``{place}``."""

    code: str
    severity: Severity
    message: str
    hint: str

    def at(self, place: str, **values: Any) -> FoundFault:
        """Return the finding of this fault at a place."""
        message, hint = (text.format(place=place, **values) for text in (self.message, self.hint))
        return FoundFault(self.code, self.severity, message, hint, place)
