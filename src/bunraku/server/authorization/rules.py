"""Rules of access: which requests a rule is about, and whom it allows."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from bunraku.base.records import field, record
from bunraku.web.http import Request

Texts: TypeAlias = "frozenset[str]"
BACK_REFERENCE = re.compile(r"\$(\d)")


@record(frozen=True)
class Names:
    """Certificates by the node's name: ``*``, a name, ``*.domain``, or ``/expression/``.

    A name may contain ``$1``: the text that a group of the rule's path has matched.
    """

    text: str

    def fit(self, caller: Caller, groups: Sequence[str]) -> bool:
        """Return whether a caller has the name; without a certificate it has none."""
        if caller.name is None:
            return False
        wanted, name = self.text, caller.name.lower()
        if wanted == "*":
            return True
        if len(wanted) > 1 and wanted[0] == wanted[-1] == "/":
            return re.search(wanted[1:-1], name) is not None
        if wanted.startswith("*."):
            return name.endswith(wanted[1:].lower())
        return name == with_groups(wanted, groups).lower()


@record(frozen=True)
class Extensions:
    """Certificates by extensions: each has one of the values."""

    values: Mapping[str, Texts]

    def fit(self, caller: Caller, _groups: Sequence[str]) -> bool:
        """Return whether the certificate of a caller has all the extensions."""
        return caller.name is not None and all(
            caller.extensions.get(name) in values for name, values in self.values.items()
        )


Entry: TypeAlias = "Names | Extensions | Both"


@record(frozen=True)
class Both:
    """Certificates that fit both entries."""

    first: Names
    second: Extensions

    def fit(self, caller: Caller, groups: Sequence[str]) -> bool:
        """Return whether a caller fits both entries."""
        return self.first.fit(caller, groups) and self.second.fit(caller, groups)


@record(frozen=True)
class Caller:
    """Who sends a request: the name and the extensions in a verified certificate.

    ``name`` is None without a certificate. ``trusted`` is what ``$trusted`` holds for the node.
    """

    name: str | None = None
    extensions: Mapping[str, str] = field(default_factory=dict)
    trusted: Mapping[str, object] = field(default_factory=dict)


@record(frozen=True)
class Rule:
    """A rule of access. An empty set of methods means all methods.

    ``parameters`` has, for parameters of the query, the values of which one must be given.
    """

    name: str
    order: int
    path: re.Pattern[str]
    methods: Texts = frozenset()
    parameters: Mapping[str, Texts] = field(default_factory=dict)
    unauthenticated: bool = False
    allowed: tuple[Entry, ...] = ()
    denied: tuple[Entry, ...] = ()

    def match(self, request: Request, path: str) -> tuple[str, ...] | None:
        """Return the groups of the path if the rule is about a request, otherwise None."""
        found = self.path.search(path)
        if found is None or (self.methods and request.method.lower() not in self.methods):
            return None
        for name, values in self.parameters.items():
            if not any(key == name and value in values for key, value in request.pairs):
                return None
        return tuple(group or "" for group in found.groups())

    def allows(self, caller: Caller, groups: Sequence[str]) -> bool:
        """Return whether the rule allows a caller; an entry that denies wins."""
        if self.unauthenticated:
            return True
        if any(entry.fit(caller, groups) for entry in self.denied):
            return False
        return any(entry.fit(caller, groups) for entry in self.allowed)


Rules: TypeAlias = "tuple[Rule, ...]"


@record(frozen=True)
class Access:
    """What ``auth.conf`` has: the rules, and whether the headers of a proxy say who a caller is."""

    rules: Rules
    header_cert_info: bool = False


def allowed(rules: Rules, request: Request, path: str, caller: Caller) -> bool:
    """Return whether a caller may send a request; ``path`` is decoded.

    The first rule that matches the request decides; a request that matches no rule is refused.
    """
    for rule in rules:
        groups = rule.match(request, path)
        if groups is not None:
            return rule.allows(caller, groups)
    return False


def with_groups(text: str, groups: Sequence[str]) -> str:
    """Return a text with ``$1`` replaced by the first group, and so on.

    >>> with_groups("$1.example.com", ("web",))
    'web.example.com'
    """

    def group(found: re.Match[str]) -> str:
        number = int(found[1])
        return groups[number - 1] if 0 < number <= len(groups) else ""

    return BACK_REFERENCE.sub(group, text)
