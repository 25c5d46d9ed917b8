"""Read and change single resources of a machine, without a manifest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from bunraku.apply.coverage import remedy
from bunraku.apply.harness import FAILURES, reason_of
from bunraku.apply.log import Destination, RunLog
from bunraku.apply.resources import AppliedCatalog
from bunraku.apply.state import State
from bunraku.apply.system_values import SystemValues
from bunraku.apply.transaction import Options, Transaction
from bunraku.base.errors import PuppetError
from bunraku.base.metaparameters import METAPARAMETER_NAMES
from bunraku.base.suggestions import suggestion
from bunraku.catalog.catalog import Catalog
from bunraku.providers.installed_puppet import type_of_module
from bunraku.providers.issues import (
    NO_PROVIDER_OF_TYPE,
    UNKNOWN_ATTRIBUTE,
    UNKNOWN_RESOURCE_TYPE,
    UNREADABLE_RESOURCES,
)
from bunraku.providers.listing import Observed, every_resource, one_resource, resulting_resource
from bunraku.providers.managed_resource import capitalised
from bunraku.providers.registry import BUILTIN_TYPES, all_type_names, resource_type
from bunraku.providers.resource_api import has_ruby_type
from bunraku.providers.resource_type import ResourceType
from bunraku.providers.run import Run
from bunraku.world.host import Host

Found = TypeVar("Found")


class Direct:
    """The resources of a machine. Nothing is cached between two calls.

    ``modules`` are directories of modules, which may define types. Errors are PuppetError.
    """

    def __init__(
        self,
        host: Host,
        settings: Mapping[str, Any],
        *,
        modules: Sequence[str] = (),
        destinations: Sequence[Destination] = (),
        level: str = "notice",
    ) -> None:
        self.host = host
        self.settings = settings
        self.modules = modules
        self.log = RunLog(level, host.now, destinations)

    def run(self) -> Run:
        """Return a new run, which has not read anything."""
        run = Run(self.host, self.log, self.settings, BUILTIN_TYPES)
        run.modules = self.modules
        return run

    def types(self) -> list[str]:
        """Return the names of all types."""
        return all_type_names(self.run())

    def type(self, name: str) -> ResourceType:
        """Return a type for a new run."""
        run = self.run()
        found = resource_type(name.lower(), run) or type_of_module(name.lower(), run)
        if found is not None:
            return found
        if has_ruby_type(name.lower(), run):
            what, reason = f"resources of type {name}", "bunraku does not have the type"
            raise NO_PROVIDER_OF_TYPE(what=what, reason=reason, hint=remedy(run))
        near = suggestion(name, all_type_names(run))
        raise UNKNOWN_RESOURCE_TYPE(type=name, near=near)

    def every(self, type_name: str, extra: Sequence[str] = ()) -> list[Observed]:
        """Return all resources of a type; ``extra`` names parameters to show besides properties."""
        kind = self.type(type_name)
        if kind.name == "file":
            reason = "all files cannot be listed; name a file or a directory, such as /etc"
            raise UNREADABLE_RESOURCES(type=kind.name, reason=reason)
        return reading(kind, lambda: every_resource(kind, extra))

    def one(self, type_name: str, title: str, extra: Sequence[str] = ()) -> Observed:
        """Return one resource, which may be absent."""
        kind = self.type(type_name)
        return reading(kind, lambda: one_resource(kind, title, extra))

    def change(
        self, type_name: str, title: str, wanted: Mapping[str, Any], extra: Sequence[str] = ()
    ) -> tuple[Observed, bool]:
        """Change one resource; return its new state, and whether this succeeded."""
        kind = self.type(type_name)
        check_attribute_names(kind, wanted)
        try:
            succeeded = self.changed(kind, title, wanted)
        finally:
            kind.run.end()
        kind = self.type(type_name)
        return reading(kind, lambda: resulting_resource(kind, title, wanted, extra)), succeeded

    def changed(self, kind: ResourceType, title: str, wanted: Mapping[str, Any]) -> bool:
        """Change one resource; return whether this succeeded."""
        data = {
            "type": capitalised(kind.name),
            "title": title,
            "parameters": dict(wanted),
            "exported": False,
            "tags": [kind.name],
        }
        applied = AppliedCatalog(Catalog({"name": "", "resources": [data], "edges": []}), kind.run)
        applied.complete()
        applied.generate()
        transaction = Transaction(
            applied, kind.run, State(), SystemValues({}, enabled=False), Options()
        )
        transaction.evaluate(applied.graph())
        statuses = transaction.statuses.values()
        return not any(one.failed or one.failed_to_restart for one in statuses)


def check_attribute_names(kind: ResourceType, names: Iterable[str]) -> None:
    """Raise PuppetError for an attribute that a type does not have."""
    if not kind.is_native:
        return  # Puppet checks them
    known = {*kind.by_name, *METAPARAMETER_NAMES, kind.namevar}
    if kind.providers:
        known.add("provider")
    for name in names:
        if name not in known:
            raise UNKNOWN_ATTRIBUTE(type=kind.name, name=name, near=suggestion(name, known))


def reading(kind: ResourceType, read: Callable[[], Found]) -> Found:
    """Return the result of a read; raise PuppetError with the reason if it fails."""
    try:
        return read()
    except PuppetError:
        raise
    except FAILURES as error:
        raise UNREADABLE_RESOURCES(type=kind.name, reason=reason_of(error)) from error
    finally:
        kind.run.end()
