"""Check the values of a catalog without a machine, as apply does before it changes anything."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from bunraku.apply.log import RunLog
from bunraku.apply.resources import AppliedCatalog
from bunraku.base.errors import Diagnostic, PuppetError
from bunraku.catalog.catalog import Catalog
from bunraku.catalog.resource import Resource
from bunraku.providers.managed_resource import WORDS_OF_METAPARAMETERS, ManagedResource
from bunraku.providers.registry import BUILTIN_TYPES, resource_type, type_names
from bunraku.providers.resource_type import ResourceType
from bunraku.providers.run import Run
from bunraku.world.unknown_host import MachineUnknown, unknown_host

SETTINGS = {"noop": False}
WINDOWS_PATH = re.compile(r"[A-Za-z]:[\\/]|\\\\")
"""The beginning of an absolute path on Windows, which bunraku does not manage."""


def wrong_values(catalog: Catalog) -> list[Diagnostic]:
    """Return the values that apply would refuse, at the places of their resources.

    Resources of types that bunraku cannot apply are skipped, as are those with paths on Windows, and the checks
    that depend on the machine: existing users and programs, and the features of providers.
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


def is_on_windows(values: Iterable[Any]) -> bool:
    """Return whether a value of a resource is a path on Windows.

    >>> is_on_windows(["C:/a"]), is_on_windows([1, "/a:/b"])
    (True, False)
    """
    return any(isinstance(one, str) and WINDOWS_PATH.match(one) for one in values)


def bundled_type(name: str, run: Run) -> ResourceType | None:
    """Return a type that comes with Puppet; None for those of other modules."""
    found = resource_type(name, run) if name in type_names() else None
    return None if found is None or (found.module and "_core " not in found.module) else found


class SingleValues:
    """The checks of single values of Puppet's own types, which need neither a machine nor other attributes."""

    def __init__(self) -> None:
        self.run = run_without_machine()

    def type_named(self, name: str) -> ResourceType | None:
        """Return a type that comes with Puppet; None for others, whose values depend on a release."""
        return bundled_type(name, self.run)

    def refusal(self, type_: ResourceType, title: str, name: str, value: Any) -> PuppetError | None:
        """Return the error of a value that no resource of the type accepts; None if one may."""
        if is_on_windows((title, value)):
            return None
        attribute = type_.by_name.get(name)
        resource = ManagedResource(type_, title, {name: value})
        try:
            if attribute is not None and attribute.read_for is None:
                resource.set(attribute, value)
            elif name in WORDS_OF_METAPARAMETERS:
                resource.check_metaparameter(name)
        except MachineUnknown:
            return None
        except PuppetError as error:
            return error
        return None


class CheckedCatalog(AppliedCatalog):
    """The resources of a catalog whose values can be checked."""

    def check_coverage(self) -> None:
        """Do nothing: what bunraku cannot apply is skipped."""

    def add(self, resource: Resource) -> None:
        """Add a container, or a resource whose attributes bunraku knows."""
        choice = self.choices.get(resource.reference)
        if choice is not None and bundled_type(choice.type, self.run) is not None:
            if is_on_windows((resource.title, *resource.parameters.values())):
                return
        if choice is None or choice.missing in {None, "provider"}:
            super().add(resource)
