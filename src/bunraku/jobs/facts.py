"""The facts of this machine."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bunraku.base.errors import Diagnostic
from bunraku.base.records import record
from bunraku.base.suggestions import suggestion
from bunraku.facts.collect import MachineFacts, collect_facts, with_roots
from bunraku.facts.custom import PuppetForFacts
from bunraku.facts.external import FOLDERS
from bunraku.facts.issues import (
    CUSTOM_FACT_DROPPED,
    EXTERNAL_FACTS_DROPPED,
    RUBY_FACTS_MISSING,
)
from bunraku.facts.legacy import dig
from bunraku.jobs.context import Context
from bunraku.jobs.observer import Observer
from bunraku.jobs.paths import existing_directory
from bunraku.modules.settings import user_settings
from bunraku.runtime.log import LogEntry
from bunraku.world.machine import Machine

DROPPED = {CUSTOM_FACT_DROPPED.code, EXTERNAL_FACTS_DROPPED.code}
"""The warnings about facts that are left out."""


@record()
class FactsOptions:
    """Which facts are collected: by ``names`` (default: all), with ``legacy`` ones.

    ``external_dir`` are directories of external facts besides the usual ones; ``external`` is False for
    none at all. ``fact_timeout`` is the time limit of a custom fact in seconds.
    """

    names: Sequence[str] = ()
    legacy: bool = False
    external: bool = True
    external_dir: Sequence[str] = ()
    fact_timeout: float = 10.0


@record()
class FoundFacts:
    """The facts of a machine, and the names of those that are left out because of an error."""

    values: dict[str, Any]
    left_out: frozenset[str]

    def missing(self, name: str) -> str:
        """Return why a fact has no value; empty if it has one."""
        if self.values.get(name, dig(self.values, name)) is not None:
            return ""
        if self.is_left_out(name):
            return f"the fact {name!r} is left out, as the warning says"
        if name in self.values:
            return ""
        return f"unknown fact {name!r}{near_fact(self.values, name)}"

    def is_left_out(self, name: str) -> bool:
        """Return whether a fact, or one that it is a part of, is left out."""
        return not self.left_out.isdisjoint(with_roots([name]))


def machine_facts(context: Context, options: FactsOptions) -> FoundFacts:
    """Return facts of this machine, with those of the modules of the project; UsageError."""
    for directory in options.external_dir:
        existing_directory(directory, "--external-dir")
    left_out: set[str] = set()
    log = warner(context.observer)

    def warn(finding: Diagnostic) -> None:
        if finding.code in DROPPED:
            left_out.add(str(finding.arguments["name"]).lower())
        elif finding.code == RUBY_FACTS_MISSING.code:
            left_out.update(str(finding.arguments["names"]).lower().split(", "))
        log(finding)

    found = collect_facts(
        Machine(),
        warn,
        [*options.external_dir, *FOLDERS] if options.external else None,
        legacy=options.legacy or bool(options.names),
        names=options.names or None,
        modules=context.module_directories,
        patience=options.fact_timeout,
        puppet=PuppetForFacts(
            {"puppetversion": context.dialect.version}, lambda: user_settings(context.settings)
        ),
    )
    return FoundFacts(found, frozenset(left_out))


def near_fact(facts: Mapping[str, Any], name: str) -> str:
    """Return the question with the fact that is most similar to an unknown one, or empty text.

    >>> near_fact({"os": {"family": "Debian"}}, "os.famly")
    " (did you mean 'os.family'?)"
    """
    known: Any = facts
    before = ""
    for part in name.split("."):
        if not isinstance(known, Mapping) or part not in known:
            break
        known, before = known[part], f"{before}{part}."
    else:
        return ""
    if not isinstance(known, Mapping):
        return suggestion(name, facts)
    return suggestion(before + part, [f"{before}{key}" for key in known])


def this_machine(observer: Observer) -> MachineFacts:
    """Return the facts of this machine, collected when they are asked for."""
    return MachineFacts(Machine(), warner(observer))


def warner(observer: Observer) -> Callable[[Diagnostic], None]:
    """Return what reports the problems of facts as warnings."""

    def warn(finding: Diagnostic) -> None:
        observer.log(LogEntry("warning", finding.message))

    return warn
