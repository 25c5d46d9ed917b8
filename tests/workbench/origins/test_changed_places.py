"""The named place is where the value comes from: change what stands there, and the value changes.

Some parameters of many small catalogs are tried. Classes of Debian's modules are compiled with data for some of their
parameters, then public sites: ``EXPLAINED_SITES`` names their directories. ``make explained`` tries 300 parameters.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from bunraku.base.errors import PuppetError
from bunraku.base.source import Source
from bunraku.engine.compile import compile_resolved
from bunraku.engine.request import Request, resolve
from bunraku.jobs.context import Context
from bunraku.project.options import CompileOptions
from bunraku.syntax import nodes
from bunraku.syntax.parser.parser import parse
from bunraku.workbench.origins.origin import Origin
from bunraku.workbench.origins.origins import Origins
from bunraku.world.machine import Machine
from support.debian_classes import (
    SETTINGS,
    class_names,
    facts,
    installed_versions,
    lay_out_modules,
    packages,
)
from support.ruby import HAS_RUBY

PARAMETERS = int(os.environ.get("EXPLAINED_PARAMETERS", "12"))
SEED = int(os.environ.get("EXPLAINED_SEED", "7"))
SITES = os.environ.get("EXPLAINED_SITES", "").split()
OF_ONE_CATALOG = 3
"""As many parameters of one catalog are tried."""
LITERALS = (nodes.String, nodes.Integer, nodes.Boolean, nodes.Name, nodes.Undef)
RIGHT = ("changed", "refused", "title")
"""A change makes another value, or one that a type refuses; the title of a class cannot change."""
Key = tuple[str, str]
Explained = tuple[Key, str, Origin]


# -- catalogs ------------------------------------------------------------------------------------


def explained(request: Request, chance: random.Random) -> list[Explained]:
    """Some parameters of a catalog, each with its value and its origin."""

    def action(scope):
        origins = Origins(scope.compilation)
        every = [
            (one, name)
            for one in sorted(scope.compilation.catalog.resources, key=lambda one: one.reference)
            for name, value in sorted(one.parameters.items())
            if value is not None
        ]
        chance.shuffle(every)
        found = []
        for one, name in every:
            origin = origins.parameter(one, name)
            if origin.kind not in {"title", "arrow"}:
                found.append(((one.reference, name), str(one.parameters[name]), origin))
            if len(found) == OF_ONE_CATALOG:
                break
        return found

    _catalog, found = compile_resolved(resolve(request, lambda _entry: None), then=action)
    return found


def value_at(request: Request, key: Key) -> str | None:
    """The value of one parameter of a catalog; None without it."""

    def action(scope):
        for one in scope.compilation.catalog.resources:
            if one.reference == key[0] and key[1] in one.parameters:
                return str(one.parameters[key[1]])
        return None

    _catalog, found = compile_resolved(resolve(request, lambda _entry: None), then=action)
    return found


def of_class(name: str, modules: Path, scratch: Path) -> Request:
    """The request for a class of Debian's modules, with data for each of its plain parameters."""
    request = Request(
        code=f"include {name}\n",
        node="bench.example.org",
        facts=facts(),
        modulepath=[str(modules)],
        settings=SETTINGS,
        hiera_config=str(scratch / "hiera.yaml"),
    )

    def action(scope):
        for one in scope.compilation.catalog.resources:
            if one.type == "Class" and one.title.lower() == name:
                yield from one.parameters.items()

    data = scratch / "data/common.yaml"
    data.parent.mkdir(parents=True, exist_ok=True)
    data.write_text("{}\n")
    (scratch / "hiera.yaml").write_text("version: 5\n")
    _catalog, found = compile_resolved(
        resolve(request, lambda _entry: None), then=lambda scope: list(action(scope))
    )
    plain = [one for one in found if isinstance(one[1], str | int)]
    data.write_text("".join(f"{name}::{key}: {json.dumps(value)}\n" for key, value in plain))
    return request


def of_site(directory: Path, modules: Path) -> Iterator[Request]:
    """The requests for the nodes of a control repository, named by its data."""
    context = Context(CompileOptions())
    project = context.project_in(str(directory), Machine())
    given = context.fields_of(project)
    given |= {"modulepath": [*given.get("modulepath", ()), str(modules)], "facts": facts()}
    for path in sorted(directory.glob("**/node*/*.yaml")):
        yield Request(**{**given, "node": path.stem})


# -- changes -------------------------------------------------------------------------------------


def named(origin: Origin) -> list[Origin]:
    """An origin and all below it; those that read nothing are first."""
    every = [origin]
    for one in every:
        every += one.reads
    return sorted(every, key=lambda one: bool(one.reads))


def literals(text: str, line: int) -> list[nodes.Node]:
    """The texts, numbers and words that stand in the attribute, parameter or assignment of a line."""
    source = Source(text)
    found: dict[int, nodes.Node] = {}
    waiting = [parse(source).program.body]
    held = (nodes.Attribute, nodes.Parameter, nodes.Assignment, nodes.Call, nodes.MethodCall)
    holders = []
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, held) and source.line(node.start) == line:
            holders.append(node)
        waiting += nodes.children(node)
    waiting = [value for one in holders if (value := value_of(one)) is not None]
    while waiting:
        node = waiting.pop(0)
        empty = isinstance(node, nodes.List | nodes.Hash) and not nodes.children(node)
        if empty or isinstance(node, LITERALS):
            found[node.start] = node
        waiting += nodes.children(node)
    return list(found.values())


def value_of(holder):
    return (
        holder.right if isinstance(holder, nodes.Assignment) else getattr(holder, "value", holder)
    )


def changed_manifest(text: str, line: int) -> str | None:
    """A manifest with every literal of a place changed."""
    found = literals(text, line)
    for node in sorted(found, key=lambda one: -one.start):
        old = text[node.start : node.end]
        match node:
            case nodes.Integer():
                new = "0" if node.value else "1"
            case nodes.List():
                new = "['changed']"
            case nodes.Hash():
                new = "{ 'changed' => 'x' }"
            case nodes.Boolean():
                new = "false" if node.value else "true"
            case nodes.Undef():
                new = "'changed'"
            case nodes.Name():
                new = f"{old}x"
            case _:
                new = f"{old[:-1]}x{old[-1]}" if old[-1:] in "'\"" else f"{old}x"
        text = text[: node.start] + new + text[node.end :]
    return text if found else None


def changed_data(text: str, line: int) -> str:
    """Data in YAML with another value of the key on a line, of the same type if it is plain."""
    lines = text.split("\n")
    head, _, old = lines[line - 1].rpartition(": ")
    head = head or lines[line - 1].rstrip().rstrip(":")
    indent = len(lines[line - 1]) - len(lines[line - 1].lstrip())
    rest = lines[line:]
    while rest and (
        not rest[0].strip()
        or len(rest[0]) - len(rest[0].lstrip()) > indent
        or rest[0].lstrip().startswith("- ")
    ):
        rest.pop(0)
    return "\n".join([*lines[: line - 1], f"{head}: {changed_plain(old.strip())}", *rest])


def changed_plain(text: str) -> str:
    """Another plain value in YAML of the same type."""
    if text in ("true", "false"):
        return "false" if text == "true" else "true"
    if re.fullmatch(r"\d+", text):
        return str(int(text) + 1)
    return "[changed]" if text.startswith("[") else "changed"


def changed_fact(value: object) -> object:
    """Another value of a fact."""
    if isinstance(value, bool):
        return not value
    return value + 1 if isinstance(value, int) else "changed"


def with_change(request: Request, origin: Origin) -> tuple[Request, tuple[Path, str] | None] | None:
    """Change what an origin names; return the request afterwards and what undoes it. None if nothing can change."""
    if origin.kind == "fact":
        path = origin.text.removeprefix("the fact ").split(".")
        changed = json.loads(json.dumps(dict(request.facts)))
        below = changed
        for name in path[:-1]:
            below = below.setdefault(name, {})
        below[path[-1]] = changed_fact(below.get(path[-1]))
        given = {name: getattr(request, name) for name in Request.__match_args__}
        return Request(**{**given, "facts": changed}), None
    if origin.place is None or not os.path.isfile(origin.place.path):
        return None
    file = Path(origin.place.path)
    before = file.read_text(encoding="utf-8")
    if file.suffix == ".pp":
        after = changed_manifest(before, origin.place.line)
    elif file.suffix in (".yaml", ".yml", ".eyaml"):
        after = changed_data(before, origin.place.line)
    else:
        after = "changed " + before
    if after is None or after == before:
        return None
    file.write_text(after, encoding="utf-8")
    return request, (file, before)


def outcome(request: Request, one: Explained) -> str:
    """What happens to a value when the places of its origins change: the best of all."""
    key, before, origin = one
    outcomes = set()
    for place in named(origin):
        outcomes.add(outcome_of(request, place, key, before))
        if "changed" in outcomes:
            break
    order = ("changed", "refused", "same", "title", "nothing to change")
    return next(one for one in order if one in outcomes)


def outcome_of(request: Request, origin: Origin, key: Key, before: str) -> str:
    """What happens to a value when the place of one origin changes."""
    change = with_change(request, origin)
    if change is None:
        return "title" if origin.kind == "title" else "nothing to change"
    changed, undo = change
    try:
        return "same" if value_at(changed, key) == before else "changed"
    except PuppetError:
        return "refused"
    finally:
        if undo is not None:
            undo[0].write_text(undo[1], encoding="utf-8")


# -- the trial -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def modules(tmp_path_factory):
    """A copy of Debian's modules, which tests may edit."""
    if len(installed_versions()) != len(packages()):
        pytest.skip("the Debian packages of tests/debian-packages.txt are not all installed")
    if not HAS_RUBY:
        pytest.skip("the modules' templates need Ruby, which is not installed")
    links = lay_out_modules(tmp_path_factory.mktemp("links"))
    copy = tmp_path_factory.mktemp("modules") / "modules"
    shutil.copytree(links, copy, ignore=shutil.ignore_patterns("spec"))
    return copy


def catalogs(chance: random.Random, modules: Path, scratch: Path) -> Iterator[Request]:
    """Requests whose catalogs compile: those of the sites, and of Debian's classes, in turn."""
    names = class_names()
    chance.shuffle(names)
    classes = (
        (lambda name=name, at=at: of_class(name, modules, scratch / str(at)))
        for at, name in enumerate(names)
    )
    nodes_of_sites = []
    for directory in SITES:
        copy = scratch / "sites" / Path(directory).name
        shutil.copytree(directory, copy, symlinks=True, ignore=shutil.ignore_patterns(".git"))
        nodes_of_sites += list(of_site(copy, modules))
    chance.shuffle(nodes_of_sites)
    for make in classes:
        if nodes_of_sites:
            yield nodes_of_sites.pop()
        try:
            yield make()
        except PuppetError:  # a class that needs parameters, or another system
            continue


def test_the_value_changes_with_what_stands_at_its_place(modules, tmp_path):
    chance = random.Random(SEED)
    counts: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    wrong = []
    for request in catalogs(chance, modules, tmp_path):
        try:
            found = explained(request, chance)
        except PuppetError:
            continue
        counts["catalogs"] += 1
        for one in found:
            result = outcome(request, one)
            counts[result] += 1
            kinds[one[2].kind] += 1
            if result not in RIGHT:
                key, value, origin = one
                places = [(leaf.kind, leaf.text, leaf.place) for leaf in named(origin)]
                wrong.append(
                    (result, request.code or request.node, key, value, origin.text, places)
                )
        if sum(kinds.values()) >= PARAMETERS:
            break
    print(f"seed {SEED}: {dict(counts)}, {dict(kinds)}")
    assert not wrong, "\n".join(map(str, wrong))
