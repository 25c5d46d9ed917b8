"""The named place is where the value comes from: change what stands there, and the value changes."""

from __future__ import annotations

import json
import os
import random
import shutil
from collections import Counter
from pathlib import Path

import pytest

from bunraku.base.errors import PuppetError
from bunraku.base.source import Source
from bunraku.engine.compile import compile_resolved
from bunraku.engine.request import Request, resolve
from bunraku.syntax import nodes
from bunraku.syntax.parser.parser import parse
from bunraku.workbench.origins.origin import Origin
from bunraku.workbench.origins.origins import Origins
from support.debian_classes import SETTINGS, facts, installed_versions, lay_out_modules, packages
from support.ruby import HAS_RUBY

SAMPLE = int(os.environ.get("EXPLAINED_PARAMETERS", "5"))
"""Parameters of each workload; ``EXPLAINED_PARAMETERS=300`` tries as many as the issue asks for."""
LITERALS = (nodes.String, nodes.Integer, nodes.Boolean, nodes.Name, nodes.Undef)
WORKLOADS = Path(__file__).parents[3] / "benchmarks/workloads"


def explained(request: Request) -> dict[tuple[str, str], tuple[object, Origin]]:
    """The value and the origin of each parameter of a catalog, by reference and name."""

    def action(scope):
        origins = Origins(scope.compilation)
        return {
            (one.reference, name): (str(value), origins.parameter(one, name))
            for one in scope.compilation.catalog.resources
            for name, value in list(one.parameters.items())
        }

    _catalog, found = compile_resolved(resolve(request, lambda _entry: None), then=action)
    return found


def value_at(request: Request, key: tuple[str, str]) -> str | None:
    """The value of one parameter of a catalog; None without it."""

    def action(scope):
        for one in scope.compilation.catalog.resources:
            if one.reference == key[0] and key[1] in one.parameters:
                return str(one.parameters[key[1]])
        return None

    _catalog, found = compile_resolved(resolve(request, lambda _entry: None), then=action)
    return found


def leaves(origin: Origin):
    """The origins below one that read nothing."""
    if not origin.reads:
        yield origin
    for one in origin.reads:
        yield from leaves(one)


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
    """Data in YAML with another value of the key on a line."""
    lines = text.split("\n")
    key, _, _value = (
        lines[line - 1].rpartition(": ")
        if ": " in lines[line - 1]
        else (
            lines[line - 1].rstrip().rstrip(":"),
            "",
            "",
        )
    )
    indent = len(lines[line - 1]) - len(lines[line - 1].lstrip())
    rest = lines[line:]
    while rest and (
        not rest[0].strip()
        or len(rest[0]) - len(rest[0].lstrip()) > indent
        or rest[0].lstrip().startswith("- ")
    ):
        rest.pop(0)
    return "\n".join([*lines[: line - 1], f"{key}: changed", *rest])


def changes(request: Request, origin: Origin):
    """Each way to change what an origin names: what undoes it, and the request afterwards."""
    if origin.kind == "fact":
        path = origin.text.removeprefix("the fact ").split(".")
        facts = json.loads(json.dumps(dict(request.facts)))
        below = facts
        for name in path[:-1]:
            below = below.setdefault(name, {})
        below[path[-1]] = "changed"
        yield None, Request(**{**fields(request), "facts": facts})
        return
    if origin.place is None:
        return
    path = Path(origin.place.path)
    before = path.read_text(encoding="utf-8")
    if path.suffix == ".pp":
        after = changed_manifest(before, origin.place.line)
    elif path.suffix in (".yaml", ".yml"):
        after = changed_data(before, origin.place.line)
    else:
        after = "changed " + before
    if after is not None and after != before:
        path.write_text(after, encoding="utf-8")
        yield (path, before), request


def fields(request: Request) -> dict[str, object]:
    return {name: getattr(request, name) for name in Request.__match_args__}


def outcome(request: Request, origin: Origin, key: tuple[str, str], before: object) -> str:
    """What happens to a value when the place of one of its origins changes."""
    tried = False
    for undo, changed in changes(request, origin):
        tried = True
        try:
            after = value_at(changed, key)
        except PuppetError:
            return "changed"
        finally:
            if undo is not None:
                path, text = undo
                path.write_text(text, encoding="utf-8")
        if after != before:
            return "changed"
    return "same" if tried else "nothing to change"


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


@pytest.mark.parametrize("name", ["roles.pp", "openstack.pp"])
def test_the_value_changes_with_what_stands_at_its_place(name, modules, tmp_path):
    manifest = tmp_path / "site.pp"
    shutil.copy(WORKLOADS / name, manifest)
    request = Request(
        path=str(manifest),
        node="bench.example.org",
        facts=facts(),
        modulepath=[str(modules)],
        settings=SETTINGS,
    )
    known = explained(request)
    chosen = [
        (key, value, origin)
        for key, (value, origin) in sorted(known.items())
        if origin.kind not in {"title", "arrow"} and value != "None"
    ]
    counts: Counter[str] = Counter()
    wrong = []
    for key, value, origin in random.Random(7).sample(chosen, min(SAMPLE, len(chosen))):
        found = [outcome(request, one, key, value) for one in leaves(origin)]
        counts.update(found)
        if "changed" not in found:
            wrong.append((key, value, [(one.kind, one.text, one.place) for one in leaves(origin)]))
    print(counts)
    assert not wrong, "\n".join(map(str, wrong))
