"""The custom and external facts of modules, as Facter and bunraku find them, and the causes of differences."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bunraku.facts.collect import collect_facts
from bunraku.facts.custom import PuppetForFacts
from bunraku.world.machine import Machine
from support import facter

FILES = ("lib/facter/*.rb", "facts.d/*")
PATIENCE = 30.0
"""Seconds of processor time that a fact may take; real Facter has no limit."""
PUPPET = {"puppetversion": "7.23.0"}
PLACE = re.compile(r"^(?P<file>/\S+?)(?::\d+)*: (?P<what>the fact '[^']*'|the file|the program)")
QUOTED = re.compile(r"\b\d+\b|0x[0-9a-f]+|/\S+")
EXAMPLES = 3


@dataclass
class Figures:
    """The results of some modules; ``causes`` has what differs, with the modules behind it.

    ``defined`` counts the facts, with those without a value; ``facts`` counts those that Facter finds, ``identical`` the same values among these. ``unlike`` counts modules
    about which one side alone has messages. Facts that Facter finds differently twice are not compared.
    """

    modules: int = 0
    failed: int = 0
    defined: int = 0
    facts: int = 0
    identical: int = 0
    messages: int = 0
    unlike: int = 0
    not_repeatable: int = 0
    causes: dict[str, list[str]] = field(default_factory=dict)

    def note(self, cause: str, label: str) -> None:
        self.causes.setdefault(cause, []).append(label)

    def as_json(self) -> dict[str, Any]:
        numbers = {name: value for name, value in vars(self).items() if name != "causes"}
        ordered = sorted(self.causes.items(), key=lambda cause: (-len(cause[1]), cause[0]))
        return {**numbers, "causes": [[text, len(all_), all_[:EXAMPLES]] for text, all_ in ordered]}


def with_facts(modules: Iterable[Path]) -> list[Path]:
    """Return the directories of modules that have facts."""
    return [one for one in modules if any(any(one.glob(pattern)) for pattern in FILES)]


def request(
    modules: Sequence[Path], libraries: Sequence[Path], external: Sequence[str] = ()
) -> dict[str, Any]:
    """Return the question about the facts of modules; ``libraries`` are those of other modules.

    ``external`` are further directories of external facts.
    """
    return {
        "custom": [f"{one}/lib/facter" for one in modules],
        "external": [*external, *(f"{one}/facts.d" for one in modules)],
        "libraries": [f"{one}/lib" for one in (*modules, *libraries)],
        "puppet": True,
    }


def ours(
    modules: Sequence[Path], libraries: Sequence[Path], external: Sequence[str] = ()
) -> facter.Facts:
    """Return the facts of this machine with those of modules."""
    messages: list[str] = []
    machine = Machine()
    files = with_libraries(machine, modules, libraries)
    found = collect_facts(
        machine,
        lambda one: messages.append(one.message),
        external,
        legacy=True,
        files=files,
        patience=PATIENCE,
        puppet=PuppetForFacts(PUPPET),
    )
    return facter.Facts(json.loads(json.dumps(found)), messages)


def with_libraries(machine: Machine, modules: Sequence[Path], libraries: Sequence[Path]) -> Any:
    """Return the files of facts of modules, which may require code of others."""
    from bunraku.base.records import replace
    from bunraku.facts.custom import fact_files

    files = fact_files(machine, [str(one) for one in modules])
    more = [f"{one}/lib" for one in libraries if machine.is_directory(f"{one}/lib")]
    return replace(files, libraries=[*files.libraries, *more])


def compare(
    modules: Sequence[Path], libraries: Sequence[Path], external: Sequence[str] = ()
) -> Figures:
    """Compare the facts of modules that one agent has, and return the figures."""
    figures = Figures(modules=len(modules))
    label = ", ".join(one.name for one in modules[:EXAMPLES])
    question = request(modules, libraries, external)
    (theirs,) = facter.asked([question])
    if theirs is None:
        figures.failed += len(modules)
        figures.note("Facter itself fails", label)
        return figures
    theirs = without(theirs, external)
    mine = ours(modules, libraries, external)
    again = facter.asked([question])[0] if unlike(theirs, mine) else theirs
    count(figures, label, theirs, again or theirs, mine)
    return figures


def without(facts: facter.Facts, external: Sequence[str]) -> facter.Facts:
    """Return facts without those that prepare the machine."""
    paths = [path for directory in external for path in Path(directory).glob("*.json")]
    names = {name for path in paths for name in json.loads(path.read_text())}
    values = {name: value for name, value in facts.values.items() if name not in names}
    return facts._replace(values=values, defined=facts.defined - len(names))


def unlike(theirs: facter.Facts, mine: facter.Facts) -> list[str]:
    """Return the names of the facts that have other values, or are absent."""
    values = mine.values
    return [
        name for name, value in theirs.values.items() if name not in values or values[name] != value
    ]


def count(
    figures: Figures, label: str, first: facter.Facts, second: facter.Facts, mine: facter.Facts
) -> None:
    """Count what one module's facts have in common, and note what differs."""
    changing = set(unlike(first, second))
    different = set(unlike(first, mine)) - changing
    figures.not_repeatable += len(changing)
    figures.defined += first.defined
    figures.facts += len(first.values) - len(changing)
    figures.identical += len(first.values) - len(changing | different)
    for name in sorted(different):
        found = "has another value" if name in mine.values else "is absent"
        figures.note(f"{name} {found}", label)
    figures.messages += bool(first.messages)
    if bool(first.messages) != bool(mine.messages):
        figures.unlike += 1
        kind, texts = ("lacks", first.messages) if first.messages else ("has", mine.messages)
        figures.note(f"bunraku {kind} a message: {QUOTED.sub('…', texts[0])[:120]}", label)
    for text in mine.messages:
        if not PLACE.match(text):
            figures.note(f"a message without a place: {text[:120]}", label)


def merged(several: Iterable[Figures]) -> Figures:
    """Return the sums of figures."""
    whole = Figures()
    for one in several:
        for name, value in vars(one).items():
            if name == "causes":
                for cause, labels in value.items():
                    whole.causes.setdefault(cause, []).extend(labels)
            else:
                setattr(whole, name, getattr(whole, name) + value)
    return whole
