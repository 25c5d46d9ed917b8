"""Members of hashes that code and templates read, where the code shows all keys of the hash."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from bunraku.base.errors import Diagnostic
from bunraku.base.records import replace
from bunraku.base.source import Source
from bunraku.base.suggestions import did_you_mean
from bunraku.syntax import nodes
from bunraku.syntax.nodes import Node
from bunraku.types import model as m
from bunraku.types.model import Type
from bunraku.workbench.analysis.issues import UNKNOWN_MEMBER
from bunraku.workbench.analysis.names import written_name
from bunraku.workbench.analysis.state import Analysis

Members = Mapping[str, list[nodes.Access]]
"""Variable → the accesses of its members by written names."""


def check_access(analysis: Analysis, node: nodes.Access) -> None:
    """Report a member of a variable in a manifest, if its hash has another one with nearly that name."""
    if not isinstance(node.left, nodes.Variable) or (key := written_member(node)) is None:
        return
    keys = known_keys(analysis.inference.of(node.left))
    if keys is not None:
        finding = misspelt_member(analysis.program.source, node, key, node.left.name, keys)
        analysis.warnings += [] if finding is None else [finding]


def check_template(
    analysis: Analysis, source: Source, body: Node, given: Mapping[str, Node]
) -> None:
    """Report members that a template reads and that the hash of its call does not have.

    Another member with nearly that name is meant if the template reads it nowhere.
    """
    members = members_read(body)
    for name, value in given.items():
        keys = known_keys(analysis.inference.of(value))
        if keys is None:
            continue
        read = members.get(name, [])
        unread = keys - {str(written_member(one)) for one in read}
        for one in read:
            finding = misspelt_member(source, one, str(written_member(one)), name, keys, unread)
            if finding is not None and id(one) not in analysis.seen:
                analysis.seen.add(id(one))
                analysis.warnings.append(finding)


def misspelt_member(
    source: Source,
    node: nodes.Access,
    key: str,
    name: str,
    keys: set[str],
    meant: Iterable[str] | None = None,
) -> Diagnostic | None:
    """Return the finding about a member that a hash does not have; None if no other one can be meant."""
    if key in keys:
        return None
    hint = did_you_mean(key, keys if meant is None else meant)
    if hint is None:
        return None
    place = source.span(node.start, node.end).place
    return replace(UNKNOWN_MEMBER.diagnostic(place, "warning", name=name, key=key), hint=hint)


def known_keys(type_: Type) -> set[str] | None:
    """Return the keys of hashes of a type; None if others are possible."""
    if not isinstance(type_, m.StructType):
        return None
    return {one.name for one in type_.elements}


def members_read(body: Node) -> Members:
    """Return the members that code reads of its variables, except where lambdas hide these."""
    found: dict[str, list[nodes.Access]] = {}
    for node in read_nodes(body, frozenset()):
        if isinstance(node.left, nodes.Variable):
            found.setdefault(node.left.name, []).append(node)
    return found


def read_nodes(node: Node, hidden: frozenset[str]) -> Iterator[nodes.Access]:
    """Yield the accesses by written names whose variable is not that of a lambda."""
    if isinstance(node, nodes.Lambda):
        hidden |= {one.name for one in node.parameters}
    if isinstance(node, nodes.Access) and isinstance(node.left, nodes.Variable):
        if node.left.name not in hidden and written_member(node) is not None:
            yield node
    for child in nodes.children(node):
        yield from read_nodes(child, hidden)


def written_member(node: nodes.Access) -> str | None:
    """Return the name in ``$hash['name']``; None for other keys."""
    return written_name(node.keys[0]) if len(node.keys) == 1 else None
