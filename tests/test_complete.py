"""Nothing is forgotten: every node is emitted, every issue used, every function shown by example."""

from __future__ import annotations

import ast
import inspect
import re
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

import bunraku
from bunraku.base.errors import Issue
from bunraku.compiler import code
from bunraku.compiler.emitter import EXPRESSIONS, STATEMENTS
from bunraku.compiler.rules import CompilerRules
from bunraku.dialects.dialect import Dialect
from bunraku.functions.registry import PUPPET_8
from bunraku.runtime.rules import RuntimeRules
from bunraku.syntax import nodes
from bunraku.syntax.rules import LexicalRules, SyntaxRules
from support.issues import issue_modules
from support.source_trees import source_trees

SRC = Path(bunraku.__file__).parent

# Nodes that stand inside others, whose emitters take care of them.
PARTS = {
    "Attribute": "of a resource",
    "AttributeSplat": "of a resource",
    "CaseOption": "of a case",
    "Entry": "of a hash",
    "Interpolation": "of a concatenation",
    "Lambda": "of a call",
    "Parameter": "of a definition",
    "Query": "of a collector",
    "ResourceBody": "of a resource",
    "SelectorEntry": "of a selector",
    "ClassDefinition": "a definition",
    "DefineDefinition": "a definition",
    "FunctionDefinition": "a definition",
    "NodeDefinition": "a definition",
    "TypeAlias": "a definition",
    "Epp": "the body of a template",
    "NamedAccess": "of the parser alone",
    "ReservedWord": "refused by the checker",
    "Unfold": "of a list or of arguments",
}
# Functions whose value hangs on files, data, or a program, or that have none.
WITHOUT_EXAMPLE = frozenset(
    [
        "annotate",
        "binary_file",
        "epp",
        "eyaml_lookup_key",
        "fail",
        "file",
        "generate",
        "hiera",
        "hiera_array",
        "hiera_hash",
        "hiera_include",
        "hocon_data",
        "import",
        "json_data",
        "puppetdb_query",
        "tag",
        "template",
        "yaml_data",
    ]
)
EXAMPLE = re.compile(r"```puppet\n(.*?)```", re.DOTALL)


def node_classes():
    return {
        name: one
        for name, one in vars(nodes).items()
        if inspect.isclass(one) and issubclass(one, nodes.Node) and one is not nodes.Node
    }


def test_every_node_has_an_emitter():
    assert code.EMITTERS  # importing them registers
    emitted = {kind.__name__ for kind in (*EXPRESSIONS, *STATEMENTS)}
    assert set(node_classes()) - emitted - set(PARTS) == set()
    assert set(PARTS) <= set(node_classes())


def module_name(path):
    name = ".".join(("bunraku", *path.relative_to(SRC).with_suffix("").parts))
    return name.removesuffix(".__init__")


COMPARED = frozenset(["code", "hint", "puppet"])
"""Attributes of an issue by which it is recognised: reading them does not raise it."""
ISSUES = {
    (module.__name__, name): value
    for module in issue_modules()
    for name, value in vars(module).items()
    if isinstance(value, Issue)
}


@cache
def nodes_about_issues():
    """Files that mention issues: the relevant nodes of each, and the meanings of its imported names."""
    files = []
    for path, tree in source_trees().items():
        if "issues" not in path.read_text(encoding="utf-8"):
            continue
        imported = {}
        found = []
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("bunraku"):
                for alias in node.names:
                    imported[alias.asname or alias.name] = (node.module, alias.name)
            elif isinstance(node, ast.Attribute | ast.Name | ast.Call):
                found.append(node)
        files.append((module_name(path), imported, found))
    return files


def issue_of(node, own, imported):
    """Module and name of the issue that an expression is, if it is one."""
    match node:
        case ast.Attribute(value=ast.Name(id=module), attr=name) if module in imported:
            return ".".join(imported[module]), name
        case ast.Attribute(value=ast.Call(args=[ast.Constant(value=module), *_]), attr=name):
            return module, name  # import_module("…").NAME
        case ast.Name(id=name, ctx=ast.Load()):
            return imported.get(name, (own, name))
    return None


def test_every_issue_is_raised():
    raised = set()
    for own, imported, found in nodes_about_issues():
        compared = set()
        for node in found:
            match node:
                case ast.Call(func=ast.Attribute(attr="is_a")):
                    compared.update(map(id, node.args))
                case ast.Attribute(value=inner, attr=attr) if attr in COMPARED:
                    compared.add(id(inner))
        raised |= {issue_of(node, own, imported) for node in found if id(node) not in compared}
    assert " ".join(f"{module}.{name}" for module, name in ISSUES.keys() - raised) == ""


def fields(issue):
    """The names of the values in the message and the hint of an issue."""
    return {
        name
        for text in (issue.text, issue.hint or "")
        for _, name, *_ in Formatter().parse(text)
        if name
    }


def test_every_issue_gets_the_values_of_its_message():
    wrong = []
    calls = 0
    for own, imported, found in nodes_about_issues():
        for node in found:
            match node:
                case ast.Call(func=ast.Attribute(value=made, attr="diagnostic"), keywords=given):
                    issue = ISSUES.get(issue_of(made, own, imported))
                case ast.Call(func=made, keywords=given):
                    issue = ISSUES.get(issue_of(made, own, imported))
                case _:
                    continue
            names = {keyword.arg for keyword in given}
            if issue is not None and None not in names:
                calls += 1
                if not fields(issue) <= names:
                    wrong.append(f"{own}:{node.lineno}: {fields(issue) - names}")
    assert calls > 500
    assert wrong == []


@cache
def attributes_read():
    """Names of all attributes that the package reads, and texts that may name one."""
    found = set()
    for tree in source_trees().values():
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
                found.add(node.attr)
    return found


@pytest.mark.parametrize("kind", [Dialect, SyntaxRules, LexicalRules, CompilerRules, RuntimeRules])
def test_every_switch_of_a_dialect_is_read(kind):
    switches = set(kind.__rules__)
    assert len(switches) > 1
    assert switches - attributes_read() == set()


def functions():
    """Puppet name → function, of the core."""
    for name in sorted(PUPPET_8.core):
        yield name, PUPPET_8.builtin(name)


FUNCTIONS = dict(functions())


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function_has_an_example(name):
    documentation = inspect.cleandoc(FUNCTIONS[name].documentation)
    assert documentation
    assert bool(EXAMPLE.search(documentation)) != (name in WITHOUT_EXAMPLE)


def test_every_example_is_true():
    wrong = []
    for name, function in FUNCTIONS.items():
        for dispatch in function.dispatches:
            for block in EXAMPLE.findall(inspect.cleandoc(dispatch.implementation.__doc__ or "")):
                wrong += [f"{name}: {text}" for text in statements(block) if not holds(text)]
    assert wrong == []


def statements(block):
    """The expressions of an example: one a line, where an indented line goes on."""
    return re.split(r"\n(?!\s|[}\])|])", block.strip())


def holds(text):
    """Whether an example is true, or shows an assignment or a statement that runs."""
    value = bunraku.evaluate(text)
    return value is not False


def test_no_module_says_that_it_is_unfinished():
    word = re.compile(r"\b(TO" r"DO|FIX" r"ME|XXX|NotImplementedError)\b")
    found = {p.relative_to(SRC).as_posix() for p in SRC.rglob("*.py") if word.search(p.read_text())}
    assert found == {"ruby/syntax/pure_names.py"}  # the names of Ruby's classes of errors


def test_every_public_thing_has_a_docstring():
    missing = []
    for path, tree in source_trees().items():
        if path == SRC / "lsp" / "protocol.py":
            continue  # generated: the structures of the protocol, for the type checker
        for node in tree.body:
            named = isinstance(node, ast.FunctionDef | ast.ClassDef)
            if named and not node.name.startswith("__") and not ast.get_docstring(node):
                missing.append(f"{path.name}: {node.name}")
    assert missing == []
