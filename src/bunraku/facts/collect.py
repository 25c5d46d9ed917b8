"""This machine's facts, under Facter 4's names and in its structure.

The sources are files below ``/proc``, ``/sys`` and ``/etc``, and a few programs for facts that no
file contains. Facts about Ruby itself are omitted.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cached_property
from typing import Any

from bunraku.base.errors import Diagnostic
from bunraku.facts import hardware, network, system, virtual
from bunraku.facts.collectors import COLLECTORS
from bunraku.facts.custom import NO_PUPPET, FactFiles, PuppetForFacts, custom_facts, fact_files
from bunraku.facts.declaration import PATIENCE
from bunraku.facts.external import FOLDERS, external_facts, variable_facts
from bunraku.facts.legacy import PATHS, legacy_facts
from bunraku.facts.probe import Probe
from bunraku.facts.values import over, with_valid_text
from bunraku.world.protocol import World

Facts = dict[str, Any]
FACTER_VERSION = "4.3.0"
"""The version of Facter whose names and structure these facts have."""
DECLARING = (hardware, network, system, virtual)
"""The files that declare collectors."""
ALL = frozenset().union(*COLLECTORS.values())
OF_NODE_NAME = frozenset({"networking"})
"""The facts that give this machine its certname: see :func:`bunraku.jobs.facts_files.node_name`."""


def collect_facts(
    world: World,
    warn: Callable[[Diagnostic], None],
    external_folders: Sequence[str] | None = FOLDERS,
    *,
    legacy: bool = False,
    names: Collection[str] | None = None,
    modules: Sequence[str] = (),
    files: FactFiles | None = None,
    patience: float = PATIENCE,
    puppet: PuppetForFacts = NO_PUPPET,
) -> Facts:
    """Return the facts of a machine, sorted by name.

    Custom facts of modules, given by their directories, win over the machine's own, external facts
    over those, and variables ``FACTER_…`` over all. Facts in Ruby may have a greater weight than
    external ones. With ``names``, only the sources of these facts are run; the result may have other
    facts too. ``files`` are used instead of those of modules. Without ``external_folders`` (None)
    there are no external facts. ``patience`` is the time limit of a custom fact in seconds. Custom
    facts can read what ``puppet`` has.
    """
    files = files or fact_files(world, modules)
    custom = bool(files.python or files.ruby)
    wanted = None if names is None or custom else wanted_facts(names)
    folders = None if external_folders is None else [*external_folders, *files.folders]
    machine = MachineFacts(world, warn, folders)
    found = machine.facts(wanted, legacy=legacy)
    if not custom:
        return found
    roots = None if names is None else with_roots(names)
    known = machine.own_facts(wanted, legacy=legacy)
    more = custom_facts(world, files, known, warn, patience, machine.external, puppet, roots)
    return sorted_facts({**found, **{name: sorted_fact(value) for name, value in more.items()}})


class MachineFacts:
    """The facts of a machine, collected in steps: each collector runs once, when it is needed.

    >>> from bunraku.world.dictionary import DictionaryWorld
    >>> machine = MachineFacts(DictionaryWorld({"/proc/loadavg": b"0.5 0.4 0.3"}), print, [])
    >>> sorted(machine.facts({"load_averages"}))
    ['facterversion', 'load_averages']
    """

    def __init__(
        self,
        world: World,
        warn: Callable[[Diagnostic], None],
        external_folders: Sequence[str] | None = FOLDERS,
    ) -> None:
        self.world = world
        self.warn = warn
        self.external_folders = external_folders
        self._probe = Probe(world)
        self._waiting = dict(COLLECTORS)
        self._found: Facts = {"facterversion": FACTER_VERSION}

    def facts(self, wanted: Collection[str] | None, *, legacy: bool = False) -> Facts:
        """Return all that is known once the wanted structured facts are collected; None for all.

        External facts are always among the result.
        """
        return sorted_facts(over(self.own_facts(wanted, legacy=legacy), self.external))

    def own_facts(self, wanted: Collection[str] | None, *, legacy: bool = False) -> Facts:
        """Return what :meth:`facts` does, without external facts."""
        for collector, provided in list(self._waiting.items()):
            if wanted is None or not provided.isdisjoint(wanted):
                del self._waiting[collector]
                self._found.update(with_valid_text(collector(self._probe)))
        known = {**self._found, **(legacy_facts(self._found) if legacy else {})}
        return {name: sorted_fact(value) for name, value in known.items()}

    @cached_property
    def external(self) -> Facts:
        """The external facts and those of variables."""
        if self.external_folders is None:
            return {}
        found = external_facts(self.world, self.external_folders, self.warn)
        return over(found, variable_facts(self.world, self.warn))


def wanted_facts(names: Iterable[str]) -> frozenset[str] | None:
    """Return the structured facts that names such as ``os.family`` need; None for all of them.

    >>> sorted(wanted_facts(["os.family", "hostname"]))
    ['networking', 'os']
    """
    wanted: set[str] = set()
    for name in names:
        root = name.partition(".")[0]
        if root not in ALL:
            root = PATHS.get(root, "").partition(".")[0]
        if root not in ALL:
            return None
        wanted.add(root)
    return frozenset(wanted)


def with_roots(names: Iterable[str]) -> frozenset[str]:
    """Return names of facts in lower case, and those of the facts that they may be parts of.

    >>> sorted(with_roots(["a.B"]))
    ['a', 'a.b']
    """
    parts = (name.lower().split(".") for name in names)
    return frozenset(".".join(one[:end]) for one in parts for end in range(1, len(one) + 1))


def sorted_facts(facts: Facts) -> Facts:
    """Return facts in the order of their names."""
    return {name: facts[name] for name in sorted(facts)}


def sorted_fact(value: Any) -> Any:
    """Return a fact whose hashes are sorted by name, except those in arrays."""
    if isinstance(value, dict):
        return {name: sorted_fact(value[name]) for name in sorted(value, key=str)}
    return value
