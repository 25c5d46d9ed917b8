"""The access to a route without an ``auth.conf``: the rules that puppetserver 8 is delivered with."""

from __future__ import annotations

import re

from bunraku.base.records import record
from bunraku.server.authorization.rules import Entry, Extensions, Names, Rule

ORDER = 500
ANY: tuple[Entry, ...] = (Names("*"),)
OWN: tuple[Entry, ...] = (Names("$1"),)
CLI: tuple[Entry, ...] = (Extensions({"pp_cli_auth": frozenset(["true"])}),)
NO_CALLERS: tuple[Entry, ...] = ()


@record(frozen=True)
class DefaultAccess:
    """Who may send some methods to paths below a route; no methods means all of them.

    ``rest`` is the expression that follows the start of the route. ``allowed`` is None for callers
    without a certificate, too.
    """

    name: str
    methods: str
    allowed: tuple[Entry, ...] | None
    rest: str = ""

    def rule(self, prefix: str) -> Rule:
        """Return the rule for a route."""
        return Rule(
            self.name,
            ORDER,
            re.compile(f"^{prefix}{self.rest}"),
            frozenset(self.methods.split()),
            unauthenticated=self.allowed is None,
            allowed=self.allowed or (),
        )
