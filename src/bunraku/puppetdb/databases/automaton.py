"""Search with regular expressions in time that grows with the text alone.

A pattern becomes a nondeterministic automaton; the sets of its states that a text leads to are the
states of a deterministic one, which is made while texts are read, and kept. No text makes it go back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypeAlias

from bunraku.base.records import record

MOST_STATES = 4_000
MOST_WORK = 3_000_000
"""Steps that one search may need, about a second."""
MOST_KEPT = 5_000
"""Sets of states that are kept for later texts."""

PlaceName = Literal["start", "end", "word start", "word end", "word boundary", "no boundary"]
Side = Literal["none", "word", "other"]
"""What is before or after a place: nothing, a character of a word, or another one."""


class TooComplex(Exception):
    """The pattern has too many states, or the search takes too long."""


# -- trees -------------------------------------------------------------------------------------------


@record(frozen=True)
class Atom:
    """One character; ``pattern`` is a regular expression of Python for it."""

    pattern: str


@record(frozen=True)
class Anchor:
    """A condition on a place between characters."""

    name: PlaceName


@record(frozen=True)
class Sequential:
    """One thing after the other."""

    items: tuple[Tree, ...]


@record(frozen=True)
class Alternatives:
    """One of several things."""

    options: tuple[Tree, ...]


@record(frozen=True)
class Repeat:
    """A thing several times; ``most`` is None without a limit."""

    item: Tree
    least: int
    most: int | None


Tree: TypeAlias = "Atom | Anchor | Sequential | Alternatives | Repeat"

PLACES: Mapping[PlaceName, frozenset[tuple[Side, Side]]] = {
    "start": frozenset([("none", "none"), ("none", "word"), ("none", "other")]),
    "end": frozenset([("none", "none"), ("word", "none"), ("other", "none")]),
    "word start": frozenset([("none", "word"), ("other", "word")]),
    "word end": frozenset([("word", "none"), ("word", "other")]),
    "word boundary": frozenset(
        [("none", "word"), ("other", "word"), ("word", "none"), ("word", "other")]
    ),
    "no boundary": frozenset(
        [
            ("none", "none"),
            ("none", "other"),
            ("other", "none"),
            ("other", "other"),
            ("word", "word"),
        ]
    ),
}
WORD = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")


def side_of(character: str) -> Side:
    """Return which kind of character one is."""
    return "word" if character in WORD else "other"


# -- automata ----------------------------------------------------------------------------------------


class State:
    """A state: read a character that ``test`` accepts, or go on at once where ``place`` holds."""

    __slots__ = ("following", "place", "test")

    def __init__(
        self,
        following: Sequence[int],
        test: re.Pattern[str] | None = None,
        place: PlaceName | None = None,
    ) -> None:
        self.following = following
        self.test = test
        self.place = place


Marks: TypeAlias = "frozenset[int]"


class Automaton:
    """The states of a pattern; the first is the end."""

    def __init__(self, tree: Tree, *, ignore_case: bool) -> None:
        self.flags = re.ASCII | (re.IGNORECASE if ignore_case else 0)
        self.states: list[State] = [State(())]
        self.first = self.build(tree, 0)
        self.start: Marks = frozenset([self.first])
        self.steps: dict[tuple[Marks, Side, str], Marks | None] = {}
        self.work = 0

    def add(self, state: State) -> int:
        """Add a state; TooComplex if there are too many."""
        if len(self.states) >= MOST_STATES:
            raise TooComplex
        self.states.append(state)
        return len(self.states) - 1

    def build(self, tree: Tree, exit_: int) -> int:
        """Return the state where a tree begins that goes on at ``exit_``."""
        match tree:
            case Atom(pattern):
                return self.add(State((exit_,), test=re.compile(pattern, self.flags)))
            case Anchor(name):
                return self.add(State((exit_,), place=name))
            case Sequential(items):
                for item in reversed(items):
                    exit_ = self.build(item, exit_)
                return exit_
            case Alternatives(options):
                return self.add(State([self.build(option, exit_) for option in options]))
            case Repeat(item, least, most):
                return self.build_repeat(item, least, most, exit_)

    def build_repeat(self, item: Tree, least: int, most: int | None, exit_: int) -> int:
        """Return the state where a repetition begins."""
        entry = exit_
        if most is None:
            entry = self.add(State(()))
            self.states[entry].following = (self.build(item, entry), exit_)
        for _ in range((most or least) - least):
            entry = self.add(State((self.build(item, entry), exit_)))
        for _ in range(least):
            entry = self.build(item, entry)
        return entry

    def search(self, text: str) -> bool:
        """Return whether the pattern matches somewhere; TooComplex if that takes too long."""
        self.work = 0
        marks: Marks = self.start
        before: Side = "none"
        for character in text:
            key = (marks, before, character)
            found = self.steps[key] if key in self.steps else self.kept_step(key)
            if found is None:
                return True
            marks, before = found, side_of(character)
        return 0 in self.reached(marks, before, "none")

    def kept_step(self, key: tuple[Marks, Side, str]) -> Marks | None:
        """Return the states after a character, which are kept for the next time."""
        if len(self.steps) >= MOST_KEPT:
            self.steps.clear()
        found = self.steps[key] = self.step(*key)
        return found

    def step(self, marks: Marks, before: Side, character: str) -> Marks | None:
        """Return the states after a character; None if the pattern has matched before it."""
        reached = self.reached(marks, before, side_of(character))
        if 0 in reached:
            return None
        found = [self.first]
        for number in reached:
            state = self.states[number]
            if state.test is not None and state.test.match(character):
                found += state.following
        return frozenset(found)

    def reached(self, marks: Iterable[int], before: Side, after: Side) -> set[int]:
        """Return the states that can be reached without reading a character."""
        pending = list(marks)
        found = set(pending)
        while pending:
            state = self.states[pending.pop()]
            self.work += 1
            if state.test is not None or not anchor_holds(state.place, before, after):
                continue
            new = [number for number in state.following if number not in found]
            found.update(new)
            pending += new
        if self.work > MOST_WORK:
            raise TooComplex
        return found


def anchor_holds(place: PlaceName | None, before: Side, after: Side) -> bool:
    """Return whether a condition on a place holds."""
    return place is None or (before, after) in PLACES[place]
