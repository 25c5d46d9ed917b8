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
from bunraku.facts.issues import UNKNOWN_FACT_SET
from bunraku.formats.document import Document, read_document
from bunraku.formats.json import as_json
from bunraku.formats.shape import ANYTHING, NULL, TEXT, TEXTS, Array, Either, Fields, HashOf
from bunraku.project.reading import manifests_in, text_of
from bunraku.values.literal import literal
from bunraku.workbench.ci.issues import BAD_ONCEOVER
from bunraku.workbench.ci.role_nodes import Systems
from bunraku.world.protocol import World

FILE = "spec/onceover.yaml"
FACT_SETS = "spec/factsets"
"""The directory of a control repository with fact sets: ``NAME.json``, as ``puppet facts`` prints them."""
PRE_CONDITIONS = "spec/pre_conditions"
"""The directory with code that runs before each class."""
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
        "functions": Either((NULL, HashOf(Fields({"type": TEXT, "returns": ANYTHING})))),
        "before": ANYTHING,
        "after": ANYTHING,
        "include_spec_files": ANYTHING,
    },
)

REQUIRED = ("classes", "nodes", "test_matrix")
"""Keys that the file must have; their values may be empty."""


@record(frozen=True)
class Names:
    """Names of classes or nodes, and the groups that stand for some of them."""

    kind: str
    all_name: str
    known: Sequence[str]
    groups: Mapping[str, Any]

    def chosen(self, value: Any, wrong: Callable[[str, str | None], PuppetError]) -> list[str]:
        """Return the names that a name, a group, ``/regular expression/`` or a list of these means.

        A hash has those that count, less others.
        """
        if isinstance(value, Mapping):
            left_out = self.chosen(value.get("exclude", []), wrong)
            return [one for one in self.chosen(value["include"], wrong) if one not in left_out]
        found: dict[str, None] = {}
        for one in [value] if isinstance(value, str) else value:
            found.update(dict.fromkeys(self.meant(one, wrong)))
        return list(found)

    def meant(self, name: str, wrong: Callable[[str, str | None], PuppetError]) -> Iterable[str]:
        """Return the names that one name means."""
        if name == self.all_name:
            return self.known
        if name in self.groups:
            return self.chosen(self.groups[name], wrong)
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


@record(frozen=True)
class Onceover:
    """What the files of onceover say: the nodes, and the definitions of functions that replace others.

    ``unknown`` are the nodes without facts.
    """

    nodes: Mapping[str, StandIn]
    functions: Sequence[tuple[str, str]]
    unknown: Sequence[str]


def read_onceover(
    root: str,
    classes: Sequence[str],
    facterdb: str | None,
    environment: str | None,
    world: World,
) -> Onceover | None:
    """Return the nodes that the test matrix of a control repository names; None without a file.

    ``classes`` are those of the repository, which regular expressions select. Facts are those of
    ``spec/factsets/NODE.json``, or of operating systems. As in onceover, ``spec/pre_conditions/*.pp`` run after the
    main manifest, with the variables ``$onceover_class`` and ``$onceover_node``. Raises PuppetError for a wrong file.
    """
    path = os.path.join(root, FILE)
    if not world.is_file(path):
        return None
    document = read_document(world.read(path), path, BAD_ONCEOVER)
    document.check(SHAPE, BAD_ONCEOVER)

    def wrong(reason: str, hint: str | None) -> PuppetError:
        return BAD_ONCEOVER(reason=reason).at(Place(path)).hinted(hint)

    if absent := [key for key in REQUIRED if key not in document.data]:
        raise wrong(f"'{absent[0]}' is missing", None)
    mocked = code_of_functions(document.data.get("functions") or {})
    functions = [(f"{path}: functions", mocked)] if mocked else []
    manifests = [*functions, *pre_conditions(root, world)]
    tests = list(pairs(document, classes, wrong))
    sets = {node: entry_facts(root, node, facterdb, world) for node, _class in tests}
    systems = {node: Systems.of([one], environment) for node, one in sets.items() if one}
    found: dict[str, StandIn] = {}
    for node, class_ in tests:
        if node not in systems:
            continue
        variables = f"$onceover_class = {literal(class_)}\n$onceover_node = {literal(node)}\n"
        for name, one in systems[node].with_classes([class_]).items():
            found[name] = replace(
                one,
                trusted=trusted_fact(one.facts),
                manifests=[(f"{path}: variables", variables), *manifests] if manifests else (),
            )
    return Onceover(found, functions, [node for node, one in sets.items() if one is None])


def trusted_fact(facts: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the trusted data that a fact set has among its facts."""
    found = facts.get("trusted")
    return found if isinstance(found, Mapping) else None


def code_of_functions(functions: Mapping[str, Any]) -> str:
    """Return the definitions of functions that return the values of ``functions``.

    >>> code_of_functions({"query_it": {"type": "rvalue", "returns": ["x"]}})
    "function query_it(*$_arguments) { ['x'] }\\n"
    """
    return "".join(
        f"function {name}(*$_arguments) {{ {literal(as_json(one.get('returns')))} }}\n"
        for name, one in functions.items()
    )


def pre_conditions(root: str, world: World) -> list[tuple[str, str]]:
    """Return the paths and texts of the manifests that run before each class."""
    directory = os.path.join(root, PRE_CONDITIONS)
    paths = [os.path.join(directory, name) for name in manifests_in(world, directory)]
    return [(path, text_of(world, path)) for path in paths]


def pairs(
    document: Document, classes: Sequence[str], wrong: Callable[[str, str | None], PuppetError]
) -> Iterator[tuple[str, str]]:
    """Yield each node with each class that the test matrix compiles on it."""
    data = document.data
    listed = [
        one for entry in data["classes"] or () for one in listed_classes(entry, classes, wrong)
    ]
    of_classes = Names("class", ALL_CLASSES, listed, data.get("class_groups") or {})
    of_nodes = Names("node", ALL_NODES, data["nodes"] or (), data.get("node_groups") or {})
    for entry in data["test_matrix"] or ():
        for name, test in entry.items():
            if not isinstance(test, Mapping) or "classes" not in test:
                raise wrong(f"test_matrix: '{name}' needs a Hash with 'classes'", None)
            if mismatch := GROUP.mismatch(test["classes"]):
                raise wrong(f"test_matrix: classes of '{name}': {mismatch}", None)
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


def entry_facts(root: str, node: str, facterdb: str | None, world: World) -> FactSet | None:
    """Return the facts of a node of ``onceover.yaml``; None if there are none."""
    path = os.path.join(root, FACT_SETS, f"{node}.json")
    if world.is_file(path):
        return FactSet(node.lower(), "", path)
    for name in (node, system_of(node)):
        try:
            return replace(fact_set(facterdb, name), name=node.lower())
        except PuppetError as error:
            if not error.is_a(UNKNOWN_FACT_SET):
                raise
    return None


def system_of(node: str) -> str:
    """Return the operating system of a fact set that comes with onceover.

    >>> (
    ...     system_of("CentOS-7.0-64"),
    ...     system_of("Ubuntu-22.04-64"),
    ...     system_of("Windows_Server-2012r2-64"),
    ... )
    ('centos-7', 'ubuntu-22.04', 'windows-2012 r2')
    """
    name, _, rest = node.lower().partition("-")
    release = rest.partition("-")[0]
    name = {"rhel": "redhat", "windows_server": "windows"}.get(name, name)
    if name == "windows":
        release = release.replace("r2", " r2")
    elif name != "ubuntu":
        release = release.partition(".")[0]
    return f"{name}-{release}"
