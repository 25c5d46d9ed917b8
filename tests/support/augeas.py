"""A tree of Augeas in memory, for tests of providers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase

from bunraku.world.augeas import AugeasError

SAVED = "/augeas/events/saved"


class MemoryTree:
    """Nodes by path; paths are literal, or patterns of :mod:`fnmatch`.

    ``calls`` holds the calls that change the tree or files. A change of a node below ``/files/etc/NAME``
    counts for the file ``/etc/NAME``. Calls whose names are in ``failing`` fail.
    """

    def __init__(self, nodes: Mapping[str, str | None], *, failing: Iterable[str] = ()) -> None:
        self.nodes: dict[str, str | None] = {"/augeas/save": "overwrite", **nodes}
        self.failing = frozenset(failing)
        self.calls: list[tuple[str, ...]] = []
        self.dirty: set[str] = set()
        self.loaded = 0
        self.closed = False

    def act(self, name: str, path: str, *rest: str | None) -> bool:
        """Record a call; return whether it succeeds."""
        assert not self.closed
        self.calls.append((name, path, *(one or "" for one in rest)))
        if name in self.failing:
            return False
        if path.startswith("/files/"):
            self.dirty.add("/".join(path.split("/")[:4]))
        return True

    def get(self, path: str) -> str | None:
        """See :class:`AugeasTree`."""
        return self.nodes.get(path)

    def match(self, path: str) -> list[str]:
        """See :class:`AugeasTree`."""
        if "match" in self.failing:
            raise AugeasError("no match today")
        return [one for one in self.nodes if one == path or fnmatchcase(one, path)]

    def set(self, path: str, value: str | None) -> bool:
        """See :class:`AugeasTree`."""
        done = self.get(path) == value if path in self.nodes else False
        if done:
            return True
        if not self.act("set", path, value):
            return False
        self.nodes[path] = value
        return True

    def set_many(self, base: str, below: str, value: str | None) -> bool:
        """See :class:`AugeasTree`."""
        return self.act("set_many", base, below, value)

    def remove(self, path: str) -> bool:
        """See :class:`AugeasTree`."""
        if not self.act("remove", path):
            return False
        for one in self.match(path):
            del self.nodes[one]
        return True

    def move(self, path: str, target: str) -> bool:
        """See :class:`AugeasTree`."""
        return self.act("move", path, target)

    def relabel(self, path: str, label: str) -> bool:
        """See :class:`AugeasTree`."""
        return self.act("relabel", path, label)

    def insert(self, path: str, label: str, *, before: bool) -> bool:
        """See :class:`AugeasTree`."""
        return self.act("insert", path, label, "before" if before else "after")

    def define_variable(self, name: str, path: str) -> bool:
        """See :class:`AugeasTree`."""
        return self.act("define_variable", name, path)

    def define_node(self, name: str, path: str, value: str) -> bool:
        """See :class:`AugeasTree`."""
        return self.act("define_node", name, path, value)

    def parse(self, lens: str, text: str, path: str) -> bool:
        """See :class:`AugeasTree`."""
        return self.act("parse", path, lens, text)

    def text(self, lens: str, original: str, path: str) -> str | None:
        """See :class:`AugeasTree`."""
        return original + "changed\n"

    def load(self) -> bool:
        """See :class:`AugeasTree`."""
        self.loaded += 1
        return True

    def save(self) -> bool:
        """See :class:`AugeasTree`; saved changes are in the tree."""
        mode = self.nodes["/augeas/save"]
        self.calls.append(("save", str(mode)))
        for number, path in enumerate(sorted(self.dirty), 1):
            self.nodes[f"{SAVED}[{number}]" if number > 1 else SAVED] = path
        return "save" not in self.failing

    def reason(self) -> str:
        """See :class:`AugeasTree`."""
        return "it fails in this test"

    def close(self) -> None:
        """See :class:`AugeasTree`."""
        self.closed = True
