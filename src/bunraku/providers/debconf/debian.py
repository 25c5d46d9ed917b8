"""Answers in the database of debconf."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from bunraku.providers.attributes import ABSENT
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import Provider, State
from bunraku.providers.systems import is_debian
from bunraku.types.ruby_semantics.values import to_s
from bunraku.world.host import Command

COMMUNICATE, SET = "/usr/bin/debconf-communicate", "/usr/bin/debconf-set-selections"
ANSWER = re.compile(r"([0-9]+)\s*(.*?)\s*")
UNKNOWN = 10
"""The code of debconf for a question that does not exist."""


class Selections(Provider):
    """Runs ``debconf-communicate`` once to read all answers of a package, and ``debconf-set-selections``."""

    name = "debian"

    def __init__(self, run: Any) -> None:
        super().__init__(run)
        self.pending: dict[ManagedResource, str] = {}
        """What the flush of a resource does: ``created``, ``changed`` or ``absent``."""
        self.known: dict[str, tuple[int, dict[str, State | ResourceFailure]]] = {}
        """Package → the number of changes in the run when its answers were read, and their states."""

    def suitable(self) -> bool:
        """Return whether the machine installs packages with apt."""
        return is_debian(self.host) and self.host.is_executable(COMMUNICATE)

    # -- reading ---------------------------------------------------------------------------------

    def prefetch(self, resources: Sequence[ManagedResource]) -> None:
        """Do nothing: a package that is installed in the run may add questions."""

    def state(self, resource: ManagedResource) -> State:
        """Return the state of an answer; a change of the machine makes what was read earlier outdated."""
        package = resource["package"]
        changes, found = self.known.get(package, (-1, {}))
        if changes != self.run.changes or resource["item"] not in found:
            found = self.answers(package, resource["item"])
            self.known[package] = self.run.changes, found
        state = found[resource["item"]]
        if isinstance(state, ResourceFailure):
            raise state
        return state

    def answers(self, package: str, item: str) -> dict[str, State | ResourceFailure]:
        """Return the states of an item and of the package's other items in the catalog."""
        listed = self.run.of_type("debconf")
        items = [item, *(one["item"] for one in listed if one["package"] == package)]
        items = [one for one in dict.fromkeys(items) if one is not None]
        questions = [line for one in items for line in (f"GET {one}", f"FGET {one} seen")]
        told = self.communicate(package, questions)
        pairs = zip(items, told[::2], told[1::2], strict=True)
        return {one: answer_state(one, got, seen) for one, got, seen in pairs}

    def communicate(self, package: str, questions: Sequence[str]) -> list[tuple[int, str]]:
        """Return the code and the text of debconf's answer to each question."""
        self.run.log("debug", f"Debconf: open pipe to debconf-communicate for {package}")
        text = "".join(f"{question}\n" for question in questions)
        done = self.host.execute(Command((COMMUNICATE, package), content=text.encode()))
        lines = done.output.splitlines()
        if len(lines) < len(questions):
            raise ResourceFailure("Debconf: debconf-communicate unexpectedly closed pipe")
        found = [ANSWER.fullmatch(line) for line in lines[: len(questions)]]
        for line, match in zip(lines, found, strict=False):
            if match is None:
                raise ResourceFailure(f"Debconf: debconf-communicate returned ({line})")
        return [(int(match[1]), match[2]) for match in found if match is not None]

    # -- changing --------------------------------------------------------------------------------

    def create(self, resource: ManagedResource) -> None:
        """Let the flush store the answer."""
        self.pending[resource] = "created"

    def destroy(self, resource: ManagedResource) -> None:
        """Let the flush remove the answer."""
        self.pending[resource] = ABSENT

    def set(self, resource: ManagedResource, name: str, value: Any) -> None:
        """Let the flush store the changed answer."""
        self.pending[resource] = "changed"

    def flush(self, resource: ManagedResource) -> None:
        """Store the answer, which only the standard input of the program has, or remove it."""
        what = self.pending.pop(resource, None)
        if what == ABSENT:
            item = resource["item"]
            code, text = self.communicate(resource["package"], [f"UNREGISTER {item}"])[0]
            if code:
                raise ResourceFailure(f"Debconf: 'UNREGISTER {item}' returned {code}: {text}")
        elif what is not None:
            text = "".join(f"{line}\n" for line in selections(resource, what))
            done = self.host.execute(Command((SET,), content=text.encode(), merged=True))
            if done.code:  # the module ignores the code, too
                resource.log("warning", f"{SET} returned {done.code}: {done.output.strip()}")


def selections(resource: ManagedResource, what: str) -> Iterator[str]:
    """Yield the lines that store the answer and the flag of a resource.

    As in the module, a known answer becomes empty if the resource sets only the flag.
    """
    begin, value = f"{to_s(resource['package'])} {to_s(resource['item'])}", resource["value"]
    if value is not None or what == "changed":
        yield f"{begin} {to_s(resource['type'])} {value or ''}"
    if resource["seen"] is not None:
        yield f"{begin} seen {to_s(resource['seen'])}"


def answer_state(item: str, got: tuple[int, str], seen: tuple[int, str]) -> State | ResourceFailure:
    """Return the state of an item from the codes and texts of debconf, or why there is none."""
    if got[0] == UNKNOWN:
        return {}
    if got[0]:
        return ResourceFailure(f"Debconf: 'GET {item}' returned {got[0]}: {got[1]}")
    shown = str(seen[0] == 0 and seen[1] == "true").lower()
    return {"ensure": "present", "value": got[1], "seen": shown}


provider = Selections
