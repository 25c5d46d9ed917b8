"""The node whose values an editor shows, and what data says for it."""

from __future__ import annotations

from bunraku.base.lazy_typing import Protocol
from bunraku.base.records import record


@record(frozen=True)
class ChosenNode:
    """A node with the facts of a file or of a source, or a sample system (``system``) with any name."""

    name: str = ""
    system: str = ""

    def __str__(self) -> str:
        return self.name or self.system


@record(frozen=True)
class SetPlace:
    """A place where data sets a value: a file and a line (from 1), or a level without a file."""

    level: str
    path: str | None = None
    line: int | None = None


@record(frozen=True)
class DataValue:
    """The value that data has for a key: Puppet code, empty for a secret.

    ``wrong`` is why it cannot be looked up.
    """

    text: str
    places: tuple[SetPlace, ...] = ()
    is_secret: bool = False
    wrong: str = ""


class NodeData(Protocol):
    """What a project knows of its nodes."""

    def nodes(self) -> list[ChosenNode]:
        """Return the nodes that have facts, then the sample systems."""

    def value(self, node: ChosenNode, key: str) -> DataValue | None:
        """Return the value of a key on a node; None if no data has it."""

    def fact(self, node: ChosenNode, name: str) -> str | None:
        """Return the value of a fact of a node as Puppet code; None if the node has no such fact."""
