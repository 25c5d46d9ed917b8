"""Questions about the resource types of a module, as manifests use them.

Attributes and titles are the parts of a type that a catalog depends on. Each question declares resources that
show one of them: attributes that do not exist, all attributes that do, titles of several shapes, and resources
that mean the same thing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

from bunraku.base.metaparameters import METAPARAMETER_NAMES
from bunraku.catalog.schema.model import ResourceTypeSchema
from bunraku.modules.files import FileTable
from bunraku.ruby.schema.cache import resource_types
from bunraku.ruby.schema.libraries import Libraries
from bunraku.ruby.schema.schema import own_library
from bunraku.workbench.testing.subject import puppet_text
from bunraku.world.machine import Machine
from rigs.modules.questions import Question, Subject

TITLES = (
    "corpus",
    "a b",
    "/srv/corpus/",
    "one/two",
    "one/two/three:four",
    "one:two",
    "a::b@c.example.org",
    "10.0.0.1/24 on eth0",
    "C:\\corpus\\x",
    "\ntwo lines\n",
)
UNKNOWN = (
    "{type} {{ 'corpus': no_such => 1 }}",
    "{type} {{ 'corpus':\n  no_such => undef,\n  nor_such => 1,\n}}",
    "{Type} {{ no_such => 1 }}\n{type} {{ 'corpus': }}",
    "@{type} {{ 'corpus': }}\n{Type} <| title == 'corpus' |> {{ no_such => 1 }}",
    "@{type} {{ 'corpus': }}\n{Type} <| no_such == 1 |>",
    "class a {{ {type} {{ 'corpus': }} }}\nclass b inherits a {{ {Type}['corpus'] {{ no_such => 1 }} }}\ninclude b",
    "{type} {{ 'corpus': * => {{ 'no_such' => 1 }} }}",
    "{type} {{ default: no_such => 1; 'corpus': }}",
    "create_resources({type}, {{ 'corpus' => {{ 'no_such' => 1 }} }})",
    "{type} {{ 'corpus': }}\nnotice({Type}['corpus']['no_such'])",
)
"""Manifests with attributes that no type has."""
SAME = (
    "{type} {{ 'one': {namevar} => 'corpus' }}\n{type} {{ 'two': {namevar} => 'corpus' }}",
    "{type} {{ 'one': {namevar} => 'corpus' }}\n{type} {{ 'corpus': }}",
    "{type} {{ 'corpus': }}\n{type} {{ 'one': {namevar} => 'corpus' }}",
    "{type} {{ 'one': {namevar} => 'corpus' }}\nnotify {{ 'x': require => {Type}['corpus'] }}",
    "{type} {{ 'one': {namevar} => ['corpus', 1] }}\n{type} {{ 'two': {namevar} => ['corpus', 1] }}",
    "{type} {{ 'one': {namevar} => undef, alias => 'corpus' }}\nnotify {{ 'x': require => {Type}['corpus'] }}",
    "@{type} {{ 'one': {namevar} => 'corpus' }}\n{Type} <| {namevar} == 'corpus' |>",
)
"""Manifests in which two resources, or a resource and a reference, name the same thing."""
MOST_NAMEVARS = 6


def uses(subject: Subject) -> Iterator[Question]:
    """Yield the questions about each type of a module whose attributes are known."""
    for schema in schemas(subject.modulepath.resolve(), subject.module.name):
        for number, code in enumerate(manifests(schema)):
            question = subject.question("type", f"{schema.name} {number}", code)
            yield replace(question, request={**question.request, "as_file": True})


def schemas(modulepath: Path, module: str) -> Iterator[ResourceTypeSchema]:
    """Yield the types of a module in a folder of modules, as bunraku reads them."""
    libraries = [f"{modulepath}/{one.name}/lib" for one in sorted(modulepath.iterdir())]
    world = Machine()
    for file in sorted(Path(modulepath, module, "lib/puppet/type").glob("*.rb")):
        path = str(file)
        known = Libraries(FileTable(world), libraries, own_library(path))
        for schema in resource_types(world.read(path), path, known, None):
            if schema.name == file.stem and schema.open is None:
                yield schema


def manifests(schema: ResourceTypeSchema) -> Iterator[str]:
    """Yield the manifests about a type."""
    name, reference = schema.name, "::".join(map(str.capitalize, schema.name.split("::")))
    for code in UNKNOWN:
        yield code.format(type=name, Type=reference)
    for title in TITLES:
        text = puppet_text(title)
        yield f"{name} {{ {text}: }}\nnotify {{ 'x': require => {reference}[{text}] }}"
    names = [*schema.parameters, *schema.properties]
    for value in ("'corpus'", "[1, 'two']", "undef", "{ 'a' => Sensitive('b') }"):
        lines = "".join(f"  {one} => {value},\n" for one in dict.fromkeys(names))
        yield f"{name} {{ 'corpus':\n{lines}}}"
    every = dict.fromkeys([*names, *sorted(METAPARAMETER_NAMES), "name", "title"])
    reads = "".join(f"notice({reference}['corpus']['{one}'])\n" for one in every)
    yield f"{name} {{ 'corpus': }}\n{reads}"
    for namevar in islice(dict.fromkeys([*schema.namevars, "name"]), MOST_NAMEVARS):
        for code in SAME:
            yield code.format(type=name, Type=reference, namevar=namevar)
    pairs = ", ".join(f"{one} => 'corpus'" for one in schema.namevars)
    if len(schema.namevars) > 1:
        yield f"{name} {{ 'one': {pairs} }}\n{name} {{ 'two': {pairs} }}"
