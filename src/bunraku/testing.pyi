from bunraku.base.errors import PuppetError as PuppetError
from bunraku.values.sensitive import Sensitive as Sensitive
from bunraku.workbench.testing.catalog import CatalogUnderTest as CatalogUnderTest
from bunraku.workbench.testing.compiling import Compiler as Compiler
from bunraku.workbench.testing.match import Match as Match
from bunraku.workbench.testing.subject import deferred as deferred
from bunraku.workbench.testing.subject import reference as reference

__all__ = [
    "CatalogUnderTest",
    "Compiler",
    "Match",
    "PuppetError",
    "Sensitive",
    "deferred",
    "reference",
]
