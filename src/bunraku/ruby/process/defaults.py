"""Resource defaults that Ruby code computes.

A function can define ``lookupdefaults`` of a scope, as that of the module ``noop`` does: it has the last word on the
defaults of each resource that is declared there or below.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bunraku.runtime.state import Scope

Defaults = dict[str, Any]


class ComputedDefaults(dict[str, Defaults]):
    """The defaults of a scope by type; as a dictionary, those that its Puppet code states."""

    def __init__(self, scope: Scope, compute: Callable[[str], Defaults]) -> None:
        super().__init__(scope.defaults or {})
        self.scope = scope
        self.compute = compute

    def __bool__(self) -> bool:
        return True

    def __contains__(self, type_: object) -> bool:
        return True

    def __getitem__(self, type_: str) -> Defaults:
        return self.compute(type_)

    def stated(self, type_: str) -> Defaults:
        """Return the defaults in force without the Ruby code: what its ``super`` returns."""
        caller = self.scope.caller
        return {
            **(caller.find_defaults(type_) if caller is not None else {}),
            **self.get(type_, {}),
        }


class EveryType(set[str]):
    """The types that have defaults: all of them, if Ruby code computes defaults."""

    def __contains__(self, type_: object) -> bool:
        return True


def compute_defaults(scope: Scope, compute: Callable[[str], Defaults]) -> None:
    """Let Ruby code compute the defaults of a scope from now on."""
    scope.defaults = ComputedDefaults(scope, compute)
    scope.compilation.resource_types.with_defaults = EveryType()


def stated_defaults(scope: Scope, type_: str) -> Defaults:
    """Return the defaults in force in a scope, without Ruby code that it has itself."""
    defaults = scope.defaults
    if isinstance(defaults, ComputedDefaults):
        return defaults.stated(type_)
    return scope.find_defaults(type_)
