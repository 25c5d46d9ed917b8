"""The facts of this machine."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bunraku.base.errors import Diagnostic
from bunraku.base.records import record
from bunraku.base.suggestions import suggestion
from bunraku.facts.collect import MachineFacts, collect_facts
from bunraku.facts.custom import PuppetForFacts
from bunraku.facts.external import FOLDERS
from bunraku.jobs.context import Context
from bunraku.jobs.observer import Observer
from bunraku.modules.settings import user_settings
from bunraku.runtime.log import LogEntry
from bunraku.world.machine import Machine


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


def machine_facts(context: Context, options: FactsOptions) -> dict[str, Any]:
    """Return facts of this machine, with those of the modules of the project."""
    return collect_facts(
        Machine(),
        warner(context.observer),
        [*options.external_dir, *FOLDERS] if options.external else None,
        legacy=options.legacy or bool(options.names),
        names=options.names or None,
        modules=context.module_directories,
        patience=options.fact_timeout,
        puppet=PuppetForFacts(
            {"puppetversion": context.dialect.version}, lambda: user_settings(context.settings)
        ),
    )


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
