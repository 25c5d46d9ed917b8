"""Nothing is forgotten: every node is emitted, every issue used, every function shown by example."""

from __future__ import annotations

import ast
import inspect
import re
from importlib import import_module
from pathlib import Path

import pytest

import bunraku
from bunraku.compiler import code
from bunraku.compiler.emit import EXPRESSIONS, STATEMENTS
from bunraku.errors import Issue
from bunraku.functions import index, library
from bunraku.syntax import nodes
from support.issues import issue_modules

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


def test_every_issue_is_used():
    sources = {path: path.read_text(encoding="utf-8") for path in SRC.rglob("*.py")}
    unused = []
    for module in issue_modules():
        own = Path(module.__file__)
        for name, value in vars(module).items():
            if isinstance(value, Issue) and name.isupper():
                used = re.compile(rf"\b{name}\b")
                elsewhere = any(used.search(text) for path, text in sources.items() if path != own)
                if not elsewhere and len(used.findall(sources[own])) < 2:
                    unused.append(f"{own.name}: {name}")
    assert unused == []


def functions():
    """Puppet name → function, of the core."""
    families = {**index.INDEX, **library.FAMILIES}
    for name, family in sorted(families.items()):
        yield name, import_module(f"bunraku.functions.{family}").function[name]


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
    assert [str(p) for p in SRC.rglob("*.py") if word.search(p.read_text(encoding="utf-8"))] == []


def test_every_public_thing_has_a_docstring():
    missing = []
    for path in SRC.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in tree.body:
            named = isinstance(node, ast.FunctionDef | ast.ClassDef)
            if named and not node.name.startswith("__") and not ast.get_docstring(node):
                missing.append(f"{path.name}: {node.name}")
    assert missing == []
