"""Names for tests of Puppet code, beside the fixtures of the pytest plugin.

>>> from bunraku.testing import reference
>>> reference("Package[ntp]")
Code(text="Package['ntp']")

Importing the module is cheap: a name is loaded on its first use.
"""

from __future__ import annotations

from importlib import import_module

HOMES = {
    "CatalogUnderTest": "bunraku.workbench.testing.catalog",
    "Compiler": "bunraku.workbench.testing.compiling",
    "Match": "bunraku.workbench.testing.match",
    "PuppetError": "bunraku.base.errors",
    "Sensitive": "bunraku.values.sensitive",
    "deferred": "bunraku.workbench.testing.subject",
    "reference": "bunraku.workbench.testing.subject",
}

__all__ = sorted(HOMES)  # noqa: PLE0605, the names are loaded on their first use


def __getattr__(name: str) -> object:
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(HOMES[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
