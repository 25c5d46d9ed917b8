"""Runs over the resources of :mod:`support.attributes` with a value, and with Deferred calls that return it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bunraku.apply.run import apply_catalog
from bunraku.apply.validate import run_without_machine
from bunraku.base.errors import PuppetError
from bunraku.base.metaparameters import METAPARAMETER_NAMES
from bunraku.base.records import record
from bunraku.catalog.catalog import Catalog
from bunraku.providers.registry import resource_type
from bunraku.providers.resource_type import ResourceType
from bunraku.types.builtin import make_deferred
from bunraku.world.host import Command, Finished
from support.applying import SETTINGS
from support.attribute_runs import resolved
from support.attributes import REQUIRED, Machine, Trial

Value = Any
USUAL: tuple[Value, ...] = (
    "/srv/place", "text", "root", "0644", 5, True, ["text", "/srv/place"], {"a": 1}, "absent",
    "/bin/true", "http://example.com/a", "a b", "2 - 4", "a=b",
)  # fmt: skip
"""Values of which most attributes accept one; the fast tests try the first ones."""
FAST = 3
STORED = "/var/bucket"
"""The place of the filebucket, whose files have the time in them."""


@record(frozen=True)
class Effect:
    """What a run did: the outcome of each resource, the files and the commands; or why it was refused."""

    refusal: str
    failed: bool
    statuses: Value
    entries: Value
    commands: Value


class WatchedMachine(Machine):
    """A machine that keeps the commands that are run on it."""

    def execute(self, command: Command) -> Finished:
        """Run a command."""
        self.ran.append(command)
        return super().execute(command)


def effect(catalog: Catalog, *, early: bool) -> Effect:
    """Apply a catalog on a new machine; only PuppetError may be raised."""
    machine = WatchedMachine()
    settings = {**SETTINGS, "preprocess_deferred": early, "ruby_providers": False}
    try:
        report = apply_catalog(catalog, machine, settings, resolve=resolved)
    except PuppetError as error:
        return Effect(str(error), True, None, None, None)
    statuses = [
        (one.failed, one.skipped, [(event.property, event.status) for event in one.events])
        for one in report.statuses.values()
    ]
    entries = {
        path: (one.kind, one.mode, one.uid, one.gid, one.content)
        for path, one in machine.entries.items()
        if not path.startswith(STORED)
    }
    commands = [(one.words, dict(one.environment), one.content) for one in machine.ran]
    failed = any(status[0] for status in statuses)
    return Effect("", failed, statuses, entries, commands)


def values_of(kind: ResourceType, name: str, parameters: Mapping[str, Value]) -> Iterator[Value]:
    """Yield values for an attribute, those that it is likely to accept first."""
    if name == "provider":
        yield from kind.providers
        return
    if name in parameters:
        yield parameters[name]
    attribute = kind.by_name.get(name)
    yield from attribute.words if attribute is not None else ()
    yield from USUAL


def forms(value: Value) -> Iterator[Value]:
    """Yield the ways to write a value with Deferred calls: as a whole, and its parts."""
    yield make_deferred("identity", [value])
    if isinstance(value, list):
        yield [make_deferred("identity", [one]) for one in value]
    if isinstance(value, dict):
        yield {key: make_deferred("identity", [one]) for key, one in value.items()}


def differences(type_: str, *, every: bool) -> list[str]:
    """Return the attributes of a type with values that do something else when they are Deferred.

    A value that is refused before the run fails its resource when it is computed later.
    """
    kind = resource_type(type_, run_without_machine())
    assert kind is not None
    _title, parameters = REQUIRED[type_]
    found = []
    for name in dict.fromkeys([*kind.by_name, "provider", *sorted(METAPARAMETER_NAMES)]):
        values = list(values_of(kind, name, parameters))
        for value in values if every else values[:FAST]:
            trial = Trial(type_, name, "value")
            now = effect(trial.catalog(value), early=False)
            for form in forms(value):
                for early in (True, False):
                    later = effect(trial.catalog(form), early=early)
                    if later != now and not (now.failed and later.failed and not early):
                        found.append(f"{type_}.{name} = {value!r}, early: {early}")
    return found
