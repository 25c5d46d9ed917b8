"""Both answers for the questions of a corpus, the figures of each part, and the causes of differences."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from rigs.modules.classes import classes, defines
from rigs.modules.corpus import Library, Module
from rigs.modules.functions import functions
from rigs.modules.questions import HOST, Question, Subject, subject
from rigs.modules.templates import templates
from rigs.modules.uses import uses
from rigs.sites.comparison import differences, short
from rigs.sites.outcomes import Kept, Program

PARTS: dict[str, Callable[[Subject], Iterator[Question]]] = {
    "class": classes,
    "define": defines,
    "function": functions,
    "template": templates,
    "type": uses,
}
ADDRESS = re.compile(r"0x[0-9a-fX]+")
SURROUNDINGS = re.compile(r"(?: at \[.*)?;?\s*\n   \((?:location|file & line).*", re.DOTALL)
EXAMPLES = 3


@dataclass
class Figures:
    """The results of a part: numbers, and the labels of the questions behind each cause of a difference.

    ``compiled`` counts what Puppet compiles, ``identical`` the same catalogs among these. ``refused_alike`` counts
    errors at the same place, ``same_text`` those with the same text too.
    """

    asked: int = 0
    compiled: int = 0
    identical: int = 0
    refused_alike: int = 0
    same_text: int = 0
    not_repeatable: int = 0
    second_run: int = 0
    causes: dict[str, list[str]] = field(default_factory=dict)

    @property
    def refused(self) -> int:
        return self.asked - self.compiled - self.not_repeatable

    def note(self, cause: str, label: str) -> None:
        self.causes.setdefault(cause, []).append(label)

    def as_json(self) -> dict[str, Any]:
        numbers = {name: value for name, value in vars(self).items() if name != "causes"}
        ordered = sorted(self.causes.items(), key=lambda cause: (-len(cause[1]), cause[0]))
        causes = [[text, len(labels), labels[:EXAMPLES]] for text, labels in ordered]
        return {**numbers, "causes": causes}


@dataclass
class Sides:
    """The programs that answer: Puppet with a cache of its answers, bunraku, and bunraku from its cache."""

    puppet: Kept
    again: Program
    first: Program
    second: Program | None = None


def compare(
    library: Library,
    modules: Iterable[Module],
    parts: Sequence[str],
    sides: Sides,
    most: int = 0,
    seed: int = 0,
) -> Iterator[tuple[Module, dict[str, Figures]]]:
    """Ask the questions about some modules; yield the figures of each module by part.

    ``most`` limits the questions of a part of a module; 0 asks all. ``seed`` chooses the questions and their values.
    """
    for module in modules:
        sides.puppet.content = " ".join(sorted(one.label for one in library.closure(module)))
        found = {part: Figures() for part in parts}
        for question in questions(library, module, parts, most, seed):
            one_question(found[question.part], question, sides)
        yield module, found


def questions(
    library: Library, module: Module, parts: Sequence[str], most: int = 0, seed: int = 0
) -> Iterator[Question]:
    """Yield the questions about a module, at most some of each part."""
    asked = subject(module, *library.environment(module), seed)
    for part in parts:
        yield from sample(list(PARTS[part](asked)), most, seed)


def sample(questions: list[Question], most: int, seed: int = 0) -> list[Question]:
    """Return at most some questions, spread over all; the same ones in each run with a seed.

    >>> sample([1, 2, 3, 4, 5, 6], 3), sample([1, 2, 3, 4, 5, 6], 3, 3), sample([1, 2], 0)
    ([1, 3, 5], [2, 4, 6], [1, 2])
    """
    size = len(questions)
    if not most or size <= most:
        return questions
    first = seed * 7919 % size
    return [questions[(number * size + first) // most] for number in range(most)]


def one_question(figures: Figures, question: Question, sides: Sides) -> None:
    """Ask one question on both sides and count the result."""
    label = question.request["id"]
    theirs = outcome(sides.puppet.ask(question.request))
    mine = outcome(sides.first.ask(question.request))
    figures.asked += 1
    found = list(dict.fromkeys(differences(theirs, mine, errors=False)))
    if found and is_random(theirs, outcome(sides.again.ask(question.request))):
        figures.not_repeatable += 1
        return
    if theirs["status"] == "ok":
        figures.compiled += 1
        figures.identical += not found
    elif not found:
        figures.refused_alike += 1
        text, expected = printed(mine), text_of(theirs)
        figures.same_text += text == expected
        if text != expected:
            figures.note(f"text: {short(text)} FOR {short(expected)}", label)
    if found:
        figures.note(f"{'' if theirs['status'] == 'ok' else 'refused: '}{found[0]}", label)
    if sides.second is not None and same_bytes(mine, outcome(sides.second.ask(question.request))):
        figures.second_run += 1
    elif sides.second is not None:
        figures.note("the second run differs", label)


def outcome(answer: Any) -> Any:
    """Return an answer in the form that is compared.

    All errors have one status, because an exception of Ruby code ends the program of Puppet. Log messages have no place
    and no stack of calls.
    """
    logs = [
        {**one, "message": SURROUNDINGS.sub("", one["message"]), "file": None, "line": None}
        for one in answer["logs"]
    ]
    status = answer["status"] if answer["status"] in {"ok", "timeout"} else "eval_error"
    return {**answer, "status": status, "logs": logs}


def is_random(one: Any, other: Any) -> bool:
    """Return whether two answers of Puppet to the same question differ."""
    return not same_bytes(one, other)


def text_of(answer: Any) -> str:
    """Return the whole text of an error of Puppet, without addresses of objects."""
    error = answer["error"]
    return ADDRESS.sub("0xX", error.get("full") or error["message"])


def printed(answer: Any) -> str:
    """Return the text that bunraku prints for programs that expect Puppet's."""
    text = answer["error"].get("text") or answer["error"]["message"]
    return ADDRESS.sub("0xX", text.removesuffix(f" on node {HOST}"))


def same_bytes(one: Any, other: Any) -> bool:
    """Return whether two answers are the same but for the time that they took."""
    return json.dumps({**one, "ms": 0}) == json.dumps({**other, "ms": 0})


def merged(all_figures: Iterable[Figures]) -> Figures:
    """Return the sums of some figures, with all causes."""
    total = Figures()
    for figures in all_figures:
        for name, value in vars(figures).items():
            if isinstance(value, int):
                setattr(total, name, getattr(total, name) + value)
        for cause, labels in figures.causes.items():
            total.causes.setdefault(cause, []).extend(labels)
    return total
