"""Equal changes of many nodes, listed once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, get_args

from bunraku.base.excerpt import visible
from bunraku.base.paths import where
from bunraku.base.records import record, replace
from bunraku.catalog.compare import ABSENT, OPEN, Change, ResourceChange
from bunraku.catalog.text import value_text
from bunraku.jobs.change_text import spelled, text_changes
from bunraku.jobs.comparison import NodeComparison
from bunraku.workbench.origins.causes import because, one_of_inputs

Line = tuple[str, str]
"""A line of a difference: its mark (``+``, ``-``, ``@``, or blank) and its text."""
Kind = Literal["failed", "missing", "added", "removed", "changed", "edge", "class"]
RESOURCE_KINDS: tuple[Kind, ...] = ("added", "removed", "changed")
MOST_NAMES = 10
"""Nodes that a headline names."""
MOST_SENTENCES = 10
"""Sentences about the causes of one change."""


@record(frozen=True)
class Item:
    """A change in its printed form; items of several nodes are equal when their text is.

    ``because`` has the sentences about causes, which are added when the items of nodes are grouped.
    """

    kind: Kind
    lines: tuple[Line, ...]
    resource: str = ""
    """The reference of the resource, of a change of one."""
    place: str = ""
    """The file and line of a failure, as they are in its text."""
    exposes: bool = False
    """Whether a secret became public."""
    because: tuple[str, ...] = ()

    @property
    def all_lines(self) -> Iterator[Line]:
        """The lines of the change, and those about its causes."""
        yield from self.lines
        yield from (("", f"    {text}") for text in self.because)


@record(frozen=True)
class Group:
    """Nodes, and the changes that exactly these nodes have; ``every`` means all nodes."""

    nodes: tuple[str, ...]
    items: tuple[Item, ...]
    every: bool = False

    @property
    def exposes(self) -> bool:
        """Whether a secret became public."""
        return any(item.exposes for item in self.items)

    @property
    def failed(self) -> bool:
        """Whether these are nodes that did not compile."""
        return self.items[0].kind == "failed"

    def lines(self) -> Iterator[Line]:
        """Yield the lines of all changes."""
        for item in self.items:
            yield from item.all_lines

    @property
    def headline(self) -> str:
        """How many nodes, and how many resources; the name of a single node."""
        summary = counts(self.items)
        suffix = f" ({summary})" if summary else ""
        verb = "failed" if self.failed else "differs" if len(self.nodes) == 1 else "differ"
        if len(self.nodes) == 1:
            return f"{self.nodes[0]}: {verb}{suffix}"
        every = "all " if self.every else ""
        return f"{every}{len(self.nodes)} nodes {verb}{suffix}"

    @property
    def title(self) -> str:
        """The headline with the names of the nodes."""
        if len(self.nodes) == 1 or self.every:
            return self.headline
        names = ", ".join(self.nodes[:MOST_NAMES])
        more = len(self.nodes) - MOST_NAMES
        rest = f" and {more} more" if more > 0 else ""
        return f"{self.headline}: {names}{rest}"


def groups_of(nodes: Sequence[NodeComparison]) -> list[Group]:
    """Return the changes of all nodes, grouped by the nodes that have them.

    Failures come first, then secrets that became public, then the differences that most nodes have.
    """
    having: dict[Item, list[str]] = {}
    for one in nodes:
        for item in dict.fromkeys(items_of(one)):
            having.setdefault(item, []).append(one.node)
    grouped: dict[tuple[bool, tuple[str, ...]], list[Item]] = {}
    for item, names in having.items():
        grouped.setdefault((item.kind == "failed", tuple(names)), []).append(item)
    order = {kind: at for at, kind in enumerate(get_args(Kind))}
    by_name = {one.node: one for one in nodes}
    found = [
        Group(
            names,
            tuple(
                with_causes(item, [by_name[name] for name in names])
                for item in sorted(items, key=lambda item: (not item.exposes, order[item.kind]))
            ),
            len(names) == len(nodes) > 1,
        )
        for (_failed, names), items in grouped.items()
    ]
    return sorted(
        found, key=lambda one: (not one.failed, not one.exposes, -len(one.nodes), one.nodes)
    )


def with_causes(item: Item, nodes: Sequence[NodeComparison]) -> Item:
    """Return a change with the sentences about its causes, those of different nodes one after the other."""
    if item.kind not in RESOURCE_KINDS:
        return item
    found: dict[str, None] = {}
    for node in nodes:
        found |= dict.fromkeys(sentences(node, item))
    texts = list(found)
    if len(texts) > MOST_SENTENCES:
        more = len(texts) - MOST_SENTENCES
        texts[MOST_SENTENCES:] = [f"and {more} other {'cause' if more == 1 else 'causes'}"]
    return replace(item, because=tuple(texts))


def sentences(node: NodeComparison, item: Item) -> Iterator[str]:
    """Yield the sentences about the causes of a change: one, or one for each of its parameters."""
    reference = item.resource
    changed = node.difference.changed if item.kind == "changed" else ()
    changes = [part.name for one in changed if one.reference == reference for part in one.changes]
    texts = {
        name: because(causes)
        for name in changes or [""]
        if (causes := node.causes.get((reference, name)))
    }
    if len(texts) < len(changes or [""]) and node.inputs:
        rest = one_of_inputs(node.inputs)
        texts = {name: texts.get(name, rest) for name in changes or [""]}
    if len(texts) == len(changes or [""]) and len(set(texts.values())) == 1:
        yield next(iter(texts.values()))
        return
    for name, text in texts.items():
        yield f"{name}: {text}"


def items_of(one: NodeComparison) -> Iterator[Item]:
    """Yield the changes of a node."""
    for side, finding in one.findings:
        file, line = finding.file, finding.line
        place = where(file, line, None) if file else ""
        before = f"{place}: " if place else ""
        # Titles name the nodes: with a name in the message, each node would be a group of its own.
        message = finding.message.replace(f" for {one.node}", "")
        text = f"does not compile in {side}: {before}{message} [{finding.code}]"
        yield Item("failed", tuple(("", part) for part in text.split("\n")), place=place)
    if one.missing:
        yield Item("missing", (("", f"only in {one.missing}"),))
    found = one.difference
    for resource in found.added:
        yield Item("added", tuple(whole_lines(resource, "+")), resource.reference)
    for resource in found.removed:
        yield Item("removed", tuple(whole_lines(resource, "-")), resource.reference)
    for resource in found.changed:
        lines = [("@", heading(resource))]
        for change in resource.changes:
            lines += change_lines(change)
        exposes = any(change.secrecy == "lost" for change in resource.changes)
        yield Item("changed", tuple(lines), resource.reference, exposes=exposes)
    for mark, edges in (("+", found.edges_added), ("-", found.edges_removed)):
        yield from (Item("edge", ((mark, f"edge {edge}"),)) for edge in edges)
    for mark, classes in (("+", found.classes_added), ("-", found.classes_removed)):
        yield from (Item("class", ((mark, f"class {name}"),)) for name in classes)


def whole_lines(resource: ResourceChange, mark: str) -> Iterator[Line]:
    """Yield the lines of a resource that only one side has."""
    yield mark, heading(resource)
    for change in resource.changes:
        value = change.new if mark == "+" else change.old
        for text in f"{change.name} => {value_text(value)}".split("\n"):
            yield mark, f"    {text}"


def heading(resource: ResourceChange) -> str:
    """Return the reference and the place of a resource."""
    return resource.reference + (f"   # {resource.place}" if resource.place else "")


def change_lines(change: Change) -> Iterator[Line]:
    """Yield a parameter's change; of texts with several lines, the lines that differ."""
    old, new = change.old, change.new
    if isinstance(old, str) and isinstance(new, str) and "\n" in old + new:
        yield "", f"    {change.name}:"
        yield from ((mark, f"        {text}") for mark, text in text_changes(old, new))
        return
    if change.hidden:
        for text in f"{change.name} => {value_text(new)} (changed)".split("\n"):
            yield "@", f"    {text}"
        return
    sides = [("-", old), ("+", new)]
    texts = [(mark, printed_value(value)) for mark, value in sides if value is not ABSENT]
    for mark, value in zip(
        [mark for mark, _ in texts], spelled([one for _, one in texts]), strict=True
    ):
        for text in f"{change.name} => {value}".split("\n"):
            yield mark, f"    {text}"


def printed_value(value: object) -> str:
    """Return a value of a change as text."""
    return OPEN if value is OPEN else value_text(value)


def marked(lines: Iterable[Line]) -> Iterator[Line]:
    """Return lines with each mark in front of its text."""
    return ((mark, f"{mark or ' '} {visible(text)}") for mark, text in lines)


def counts(items: Sequence[Item]) -> str:
    """Return how many resources changed.

    >>> counts([Item("added", ()), Item("added", ()), Item("edge", ())])
    '2 added'
    """
    found = {kind: sum(item.kind == kind for item in items) for kind in RESOURCE_KINDS}
    parts = [f"{count} {kind}" for kind, count in found.items() if count]
    kinds = {item.kind for item in items}
    if not parts and kinds <= {"edge", "class"}:
        return (
            " and ".join({"edge": "edges", "class": "classes"}[one] for one in sorted(kinds))
            + " only"
        )
    return ", ".join(parts)


@record(frozen=True)
class Totals:
    """The numbers of nodes and of changes of resources."""

    differ: int
    failed: int
    same: int
    added: int
    removed: int
    changed: int

    def text(self) -> str:
        """Return the totals in one line; a resource counts once for each node."""
        nodes = f"{self.differ} differ, {self.failed} failed, {self.same} same"
        resources = [f"{count} {kind}" for kind in RESOURCE_KINDS if (count := getattr(self, kind))]
        return f"{nodes}; resources: {', '.join(resources)}" if resources else nodes


def totals(nodes: Sequence[NodeComparison]) -> Totals:
    """Return the totals of a comparison."""
    statuses = [one.status for one in nodes]
    return Totals(
        *(statuses.count(status) for status in ("differs", "failed", "same")),
        *(sum(len(getattr(one.difference, kind)) for one in nodes) for kind in RESOURCE_KINDS),
    )
