"""Names for tests of Puppet code, beside the fixtures of the pytest plugin.

>>> from bunraku.testing import reference
>>> reference("Package[ntp]")
Code(text="Package['ntp']")

Importing the module is cheap: a name is loaded on its first use.
"""

from __future__ import annotations

from bunraku.base.lazy_typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bunraku.base.errors import PuppetError
    from bunraku.values.sensitive import Sensitive
    from bunraku.workbench.testing.catalog import CatalogUnderTest
    from bunraku.workbench.testing.compiling import Compiler
    from bunraku.workbench.testing.match import Match
    from bunraku.workbench.testing.subject import deferred, reference

__all__ = [
    "CatalogUnderTest",
    "Compiler",
    "Match",
    "PuppetError",
    "Sensitive",
    "deferred",
    "reference",
]


def __getattr__(name: str) -> object:
    match name:
        case "CatalogUnderTest":
            from bunraku.workbench.testing import catalog as home
        case "Compiler":
            from bunraku.workbench.testing import compiling as home
        case "Match":
            from bunraku.workbench.testing import match as home
        case "PuppetError":
            from bunraku.base import errors as home
        case "Sensitive":
            from bunraku.values import sensitive as home
        case "deferred" | "reference":
            from bunraku.workbench.testing import subject as home
        case _:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(home, name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
