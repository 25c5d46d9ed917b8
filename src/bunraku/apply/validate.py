"""Check the values of a catalog without a machine, as apply does before it changes anything."""

from __future__ import annotations

from bunraku.apply.log import RunLog
from bunraku.apply.resources import AppliedCatalog
from bunraku.base.errors import Diagnostic, PuppetError
from bunraku.catalog.catalog import Catalog
from bunraku.catalog.resource import Resource
from bunraku.providers.registry import BUILTIN_TYPES
from bunraku.providers.run import Run
from bunraku.world.unknown_host import unknown_host

SETTINGS = {"noop": False}


def wrong_values(catalog: Catalog) -> list[Diagnostic]:
    """Return the values that apply would refuse, at the places of their resources.

    Resources of types that bunraku cannot apply are skipped, as are the checks that depend on the
    machine: existing users and programs, and the features of providers.
    """
    checked = CheckedCatalog(catalog, run_without_machine())
    checked.add_defaults()
    problems = [error for resource in checked.resources() for error in resource.problems()]
    problems += checked.unknown_schedules()
    return [error.diagnostic for error in problems]


def run_without_machine() -> Run:
    """Return a run that has no machine and drops its messages."""
    return Run(unknown_host(), RunLog("emerg", lambda: 0.0, ()), SETTINGS, BUILTIN_TYPES)


def check_values(catalog: Catalog) -> None:
    """Raise PuppetError with all wrong values of a catalog, if there are any."""
    if found := wrong_values(catalog):
        raise PuppetError(found[0], found[1:])


class CheckedCatalog(AppliedCatalog):
    """The resources of a catalog whose values can be checked."""

    def check_coverage(self) -> None:
        """Do nothing: what bunraku cannot apply is skipped."""

    def add(self, resource: Resource) -> None:
        """Add a container, or a resource whose attributes bunraku knows."""
        choice = self.choices.get(resource.reference)
        if choice is None or choice.missing in {None, "provider"}:
            super().add(resource)
