"""Imports point down: the architecture of the design as a test."""

from __future__ import annotations

import ast
from textwrap import dedent

import pytest

from support.import_graph import (
    Edge,
    circles,
    computed_imports,
    edges,
    edges_of,
    graph,
    modules,
    units,
)

# Bottom to top. A line imports itself and the lines below it; names after "|" are siblings that
# do not know each other.
LAYERS = """
base _version
limits web
world
values | syntax
ruby.syntax
formats
certificates
types
catalog
providers
apply
compiler | runtime
facts
modules
hiera
ruby.old_forms ruby.secrets
ruby.schema ruby.values
ruby.translate
ruby.run
ruby
puppetdb ca
functions.declaration functions.api_3 functions.issues
functions.core
functions
dialects
engine
project
deployment
server | agent | demonstration
checks
migrate
workbench
administration
jobs
api | debug
lsp
cli
__init__ __main__ testing
"""

LAZY_FOR = {
    "texts of errors: most runs have none": "base.errors limits.limits syntax.check.descriptions syntax.parser.state types.convert.convert types.mismatch",
    "--version imports little else": "base.version",
    "the cache on disk counts what it has when an entry is written": "base.disk_cache",
    "validate and check import the syntax alone until a file needs more": (
        "checks.checker dialects.dialect engine.programs"
    ),
    "most compiles do not need it: stored resources, coverage, names of node definitions, a table of"
    " releases, HTTP, SRV records, secrets in code that is written to the cache, data, functions and"
    " types in Ruby": (
        "engine.compile engine.loader engine.manifests engine.request engine.resource_types"
        " functions.stdlib.known_files runtime.rules world.linux world.machine"
    ),
    "the parser is imported with the first text of a type": "types.parse",
    "few modules have data types in Ruby, which need the type system": "workbench.docs.ruby.read",
    "a module has files of some kinds only, and few Ruby files are misread": (
        "workbench.docs.module workbench.docs.ruby.file"
    ),
    "plain data is written without the emitter": "formats.yaml_writer",
    "a template or function is translated, with the parser of Ruby, if the cache does not have it": (
        "ruby.process.computing ruby.process.templates ruby.run.functions"
    ),
    "a run of pytest loads the plugin in every project, hypothesis is not always installed": (
        "debug.pytest_plugin workbench.testing.compiling workbench.testing.pytest_plugin"
    ),
    "a lint of one file walks through no folders, and corrects nothing": "workbench.lint.run",
    "a server for editors answers before it has read a file, and reads YAML when it first needs a name in it": (
        "workbench.editor.languages.readers"
    ),
    "a module of an extra, which may not be installed": "puppetdb.databases.opening",
    "most deployments find all content in the store, and most sources have no patterns": (
        "deployment.contents deployment.environment_names deployment.environment_sources"
        " deployment.forge_modules deployment.purging deployment.site_contents project.puppetfile project.puppetfile_syntax"
    ),
    "a command or a job imports what its options ask for, and a server for editors what a request needs": "api cli jobs lsp",
    "a type that only the type checker needs": (
        "dialects.languages workbench.editor.project "
        "base.usage project.options providers.attributes providers.index providers.provider"
        " providers.resource_type providers.run syntax.parser.result world.protocol"
    ),
    "the public names: importing the package loads a module with the first use of a name": (
        "__init__ testing"
    ),
    "a function is loaded when it is first called": "functions.modules",
    "most runs need no type of a module in Ruby": "providers.registry",
    "the program of a process of its own, which no other process runs": "facts.custom",
}
"""Reason → files and folders with imports of the package in functions."""
LAZY = {name: reason for reason, names in LAZY_FOR.items() for name in names.split()}

BY_NAME = {
    "base.lazy_imports": "Imported itself: the names stand in dialects",
    "dialects": "a dialect registers its functions and tables; every command imports one",
    "engine.remote.executors": "the module of an executor is one of the user's",
    "ruby.syntax.grammar": "a compiled module of tree-sitter, without the package around it",
}
"""Files and folders with texts that name modules, or imports of computed names → the reason."""

CIRCLES = {
    "providers.attributes providers.managed_resource providers.provider providers.resource_type"
    " providers.run": "one model: methods of each class have a resource as an argument (annotations)",
}
"""Files and folders that import each other → the reason."""


def ranks() -> dict[str, tuple[int, int]]:
    """Part of the package → its line, and its side where a line has siblings."""
    found = {}
    for number, line in enumerate(LAYERS.split("\n")):
        for side, names in enumerate(line.split("|")):
            found.update(dict.fromkeys(names.split(), (number, side)))
    return found


RANKS = ranks()


def inside(module: str) -> str:
    """Return the name of a module inside of the package."""
    return module.removeprefix("bunraku.")


def part(module: str) -> str:
    """The part of the package that a module belongs to: ``bunraku.types.model`` is ``types``.

    A folder that several lines share is named more closely: ``functions.core``.
    """
    return entry(module, RANKS) or inside(module).split(".")[0]


def entry(module, table):
    """The longest key of a table that is the module or a folder above it."""
    names = inside(module).split(".")
    for length in range(len(names), 0, -1):
        name = ".".join(names[:length])
        if name in table:
            return name
    return None


def test_every_part_has_a_layer():
    assert {part(module) for module in modules()} <= set(RANKS)


def test_imports_of_every_kind_are_seen():
    code = """
        from bunraku.base import errors
        if 1:
            import bunraku.base.source
        def work(name):
            from bunraku.types.model import Type
            Imported("bunraku.runtime.log", "Log")
            import_module(f"bunraku.providers.{name}.type")
    """
    found = set(edges_of("bunraku.a", ast.parse(dedent(code))))
    assert found == {
        Edge("bunraku.a", "bunraku.base.errors", 2, "top"),
        Edge("bunraku.a", "bunraku.base.source", 4, "inner"),
        Edge("bunraku.a", "bunraku.types.model", 6, "inner"),
        Edge("bunraku.a", "bunraku.runtime.log", 7, "text"),
        Edge("bunraku.a", "bunraku.providers", 8, "text"),
    }
    pairs = {(edge.module, edge.target) for edge in edges()}
    assert ("bunraku.functions.modules", "bunraku.functions.core.numbers") in pairs
    assert ("bunraku.dialects.languages", "bunraku.dialects.puppet_8") in pairs


def test_imports_point_down():
    wrong = []
    for module, target, line, _ in edges():
        (here, side), (there, other) = RANKS[part(module)], RANKS[part(target)]
        if there > here or (here == there and side != other):
            wrong.append(f"{module}:{line} imports {target}")
    assert not wrong


def test_imports_in_functions_have_a_reason():
    inner = [edge for edge in edges() if edge.kind == "inner"]
    wrong = [edge for edge in inner if entry(edge.module, LAZY) is None]
    assert not wrong, "\n".join(f"{one.module}:{one.line} imports {one.target}" for one in wrong)
    assert {entry(edge.module, LAZY) for edge in inner} == set(LAZY)


def test_texts_that_name_modules_have_a_reason():
    texts = [edge for edge in edges() if edge.kind == "text"]
    wrong = [edge for edge in texts if entry(edge.module, BY_NAME) is None]
    lines = "\n".join(f"{one.module}:{one.line} names {one.target}" for one in wrong)
    assert not wrong, lines


def test_imports_of_computed_names_have_a_reason():
    found = {module: list(computed_imports(tree)) for module, tree in modules().items()}
    wrong = [
        f"{module}:{line} imports {argument}"
        for module, calls in found.items()
        for line, argument in calls
        if entry(module, BY_NAME) is None
    ]
    assert not wrong
    by_name = {edge.module for edge in edges() if edge.kind == "text"}
    by_name |= {module for module, calls in found.items() if calls}
    assert {entry(module, BY_NAME) for module in by_name} - {None} == set(BY_NAME)


def test_imports_are_absolute():
    wrong = [
        f"{module}:{node.lineno}"
        for module, tree in modules().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.level
    ]
    assert not wrong


@pytest.mark.parametrize("of", ["files", "folders"])
def test_no_import_circles(of):
    """No circle of files, and none of the files and folders that lie side by side in a folder."""
    pairs = [(edge.module, edge.target) for edge in edges()]
    found = circles(graph(pairs if of == "files" else (units(*pair) for pair in pairs)))
    wrong = [" ".join(map(inside, one)) for one in found]
    assert not [one for one in wrong if one not in CIRCLES]
    if of == "folders":
        assert set(CIRCLES) <= set(wrong)
