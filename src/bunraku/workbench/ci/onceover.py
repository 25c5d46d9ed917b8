"""``spec/onceover.yaml``: the classes that onceover tests on fact sets, in control repositories."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.base.records import record, replace
from bunraku.base.source import Place
from bunraku.base.suggestions import did_you_mean
from bunraku.engine.nodes import StandIn
from bunraku.facts.facterdb import FactSet, fact_set
from bunraku.formats.document import Document, read_document
from bunraku.formats.shape import ANYTHING, TEXT, TEXTS, Array, Either, Fields, HashOf
from bunraku.workbench.ci.issues import BAD_ONCEOVER
from bunraku.workbench.ci.role_nodes import Systems
from bunraku.world.protocol import World

FILE = "spec/onceover.yaml"
FACT_SETS = "spec/factsets"
"""The directory of a control repository with fact sets: ``NAME.json``, as ``puppet facts`` prints them."""
ALL_CLASSES, ALL_NODES = "all_classes", "all_nodes"

NAMES = Either((TEXT, TEXTS))
GROUP = Either(
    (TEXT, TEXTS, Fields({"include": NAMES, "exclude": NAMES}, ("include",), closed=True))
)
SHAPE = Fields(
    {
        "classes": TEXTS,
        "nodes": TEXTS,
        "class_groups": HashOf(GROUP),
        "node_groups": HashOf(GROUP),
        "test_matrix": Array(HashOf()),
        "opts": ANYTHING,
        "functions": ANYTHING,
        "before": ANYTHING,
        "after": ANYTHING,
        "include_spec_files": ANYTHING,
    },
    required=("classes", "nodes", "test_matrix"),
)


@record(frozen=True)
class Names:
    """Names of classes or nodes, and the groups that stand for some of them."""

    kind: str
    all_name: str
    known: Sequence[str]
    groups: Mapping[str, Any]

    def chosen(self, value: Any, wrong: Callable[[str, str | None], PuppetError]) -> list[str]:
        """Return the names that a name, a group, ``/regular expression/`` or a list of these means."""
        found: dict[str, None] = {}
        for one in [value] if isinstance(value, str) else value:
            found.update(dict.fromkeys(self.meant(one, wrong)))
        return list(found)

    def meant(self, name: str, wrong: Callable[[str, str | None], PuppetError]) -> Iterable[str]:
        """Return the names that one name means."""
        if name == self.all_name:
            return self.known
        if name in self.groups:
            group = self.groups[name]
            if not isinstance(group, Mapping):
                return self.chosen(group, wrong)
            left_out = self.chosen(group.get("exclude", []), wrong)
            return [one for one in self.chosen(group["include"], wrong) if one not in left_out]
        if len(name) > 1 and name.startswith("/") and name.endswith("/"):
            return matching(name[1:-1], self.known, wrong)
        if name in self.known:
            return [name]
        near = did_you_mean(name, [*self.known, *self.groups, self.all_name])
        raise wrong(f"the {self.kind} or group '{name}' is not defined", near)


def matching(
    pattern: str, names: Iterable[str], wrong: Callable[[str, str | None], PuppetError]
) -> list[str]:
    """Return the names that a regular expression matches."""
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise wrong(f"invalid regular expression /{pattern}/: {error}", None) from None
    return [name for name in names if compiled.search(name)]


def onceover_nodes(
    root: str,
    classes: Sequence[str],
    facterdb: str | None,
    environment: str | None,
    world: World,
) -> dict[str, StandIn] | None:
    """Return the nodes that the test matrix of a control repository names; None without a file.

    ``classes`` are those of the repository, which regular expressions select. Facts are those of
    ``spec/factsets/NODE.json``, or of operating systems. Raises PuppetError for a wrong file, and for a node
    without facts.
    """
    path = os.path.join(root, FILE)
    if not world.is_file(path):
        return None
    document = read_document(world.read(path), path, BAD_ONCEOVER)
    document.check(SHAPE, BAD_ONCEOVER)

    def wrong(reason: str, hint: str | None) -> PuppetError:
        return BAD_ONCEOVER(reason=reason).at(Place(path)).hinted(hint)

    systems: dict[str, Systems] = {}
    found: dict[str, StandIn] = {}
    for node, class_ in pairs(document, classes, wrong):
        if node not in systems:
            systems[node] = Systems.of([facts_of_entry(root, node, facterdb, world)], environment)
        found |= systems[node].with_classes([class_])
    return found


def pairs(
    document: Document, classes: Sequence[str], wrong: Callable[[str, str | None], PuppetError]
) -> Iterator[tuple[str, str]]:
    """Yield each node with each class that the test matrix compiles on it."""
    data = document.data
    listed = [one for entry in data["classes"] for one in listed_classes(entry, classes, wrong)]
    of_classes = Names("class", ALL_CLASSES, listed, data.get("class_groups") or {})
    of_nodes = Names("node", ALL_NODES, data["nodes"], data.get("node_groups") or {})
    for entry in data["test_matrix"]:
        for name, test in entry.items():
            if not isinstance(test, Mapping) or "classes" not in test:
                raise wrong(f"test_matrix: '{name}' needs a Hash with 'classes'", None)
            if test.get("tests", "spec") == "acceptance":
                continue  # needs virtual machines
            for node in of_nodes.chosen(name, wrong):
                yield from ((node, one) for one in of_classes.chosen(test["classes"], wrong))


def listed_classes(
    entry: str, classes: Sequence[str], wrong: Callable[[str, str | None], PuppetError]
) -> list[str]:
    """Return the classes that an entry of ``classes`` lists."""
    if len(entry) > 1 and entry.startswith("/") and entry.endswith("/"):
        return matching(entry[1:-1], classes, wrong)
    return [entry]


def facts_of_entry(root: str, node: str, facterdb: str | None, world: World) -> FactSet:
    """Return the facts of a node of ``onceover.yaml``."""
    path = os.path.join(root, FACT_SETS, f"{node}.json")
    if world.is_file(path):
        return FactSet(node.lower(), "", path)
    return replace(fact_set(facterdb, node), name=node.lower())
