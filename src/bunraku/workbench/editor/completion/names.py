"""Classes, resource types, functions, data types, keywords and statements to complete."""

from __future__ import annotations

from collections.abc import Iterator

from bunraku.base.records import replace
from bunraku.functions.registry import function_names
from bunraku.runtime.suggest import as_reference
from bunraku.types.names import TYPES
from bunraku.workbench.editor.completion.items import CompletionItem
from bunraku.workbench.editor.mentions import Kind
from bunraku.workbench.editor.snapshot import Snapshot

KEYWORDS = ("undef", "true", "false", "default")
STATEMENTS = {
    "class": "class ${1:name} (\n  $2\n) {\n  $0\n}",
    "define": "define ${1:name} (\n  $2\n) {\n  $0\n}",
    "function": "function ${1:name}($2) >> ${3:Any} {\n  $0\n}",
    "node": "node '${1:name}' {\n  $0\n}",
    "type": "type ${1:Name} = $0",
    "if": "if ${1:condition} {\n  $0\n}",
    "elsif": "elsif ${1:condition} {\n  $0\n}",
    "else": "else {\n  $0\n}",
    "unless": "unless ${1:condition} {\n  $0\n}",
    "case": "case ${1:value} {\n  ${2:'option'}: {\n    $3\n  }\n  default: {\n    $0\n  }\n}",
}
RESOURCE = "{name} {{ '${{1:title}}':\n  $0\n}}"
CLASS_DECLARATION = "class { '${1:name}':\n  $0\n}"
WITH_LAMBDA = frozenset(
    {
        "all",
        "any",
        "each",
        "filter",
        "group_by",
        "map",
        "reduce",
        "reverse_each",
        "slice",
        "step",
        "then",
        "tree_each",
        "with",
    }
)


def statement_items(snapshot: Snapshot, path: str) -> Iterator[CompletionItem]:
    """Yield what can begin a statement."""
    for word, snippet in STATEMENTS.items():
        yield CompletionItem(word, "keyword", snippet, snippet=True, group=1)
    yield CompletionItem("class { … }", "snippet", CLASS_DECLARATION, snippet=True, group=2)
    for name in resource_types(snapshot, path):
        insert = RESOURCE.format(name=name)
        yield CompletionItem(
            name, "resource_type", insert, snippet=True, subject=("resource_type", name)
        )
    yield from functions(snapshot, group=5)
    yield from data_types(snapshot, path, group=6)
    for one in classes(snapshot):
        yield replace(one, insert=f"include {one.label}", group=8)


def expressions(snapshot: Snapshot, path: str) -> Iterator[CompletionItem]:
    """Yield what can stand in an expression."""
    for word in KEYWORDS:
        yield CompletionItem(word, "keyword", group=1)
    yield from functions(snapshot, group=5)
    yield from data_types(snapshot, path, group=6)


def classes(snapshot: Snapshot) -> Iterator[CompletionItem]:
    """Yield the classes of the workspace and its modules."""
    for name in defined(snapshot, "class"):
        yield CompletionItem(name, "class", subject=("class", name))


def defined(snapshot: Snapshot, kind: Kind) -> Iterator[str]:
    """Yield the names of all definitions of a kind."""
    return snapshot.index.names(kind)


def resource_types(snapshot: Snapshot, path: str) -> Iterator[str]:
    """Yield the names of defined types and of types in Ruby."""
    yield from defined(snapshot, "resource_type")
    types = snapshot.project_of(path).resource_types
    yield from () if types is None else types.names()


def functions(snapshot: Snapshot, group: int = 0) -> Iterator[CompletionItem]:
    """Yield the functions: built-in ones, and those of the workspace and its modules."""
    known = dict.fromkeys(sorted(function_names()))
    known.update(dict.fromkeys(defined(snapshot, "function")))
    for name in known:
        insert = f"{name}($1) |$2| {{ $0 }}" if name in WITH_LAMBDA else f"{name}($0)"
        yield CompletionItem(
            name, "function", insert, snippet=True, subject=("function", name), group=group
        )


def methods(snapshot: Snapshot) -> Iterator[CompletionItem]:
    """Yield the functions that can follow a point."""
    for one in functions(snapshot):
        insert = f"{one.label} |$1| {{ $0 }}" if one.label in WITH_LAMBDA else one.label
        yield CompletionItem(one.label, "function", insert, snippet=True, subject=one.subject)


def data_types(snapshot: Snapshot, path: str, group: int = 0) -> Iterator[CompletionItem]:
    """Yield the data types, their aliases, and references to resources."""
    for name in TYPES:
        yield CompletionItem(name, "data_type", group=group)
    for name in snapshot.index.names("data_type"):
        written = snapshot.index.definitions("data_type", name)[0].written
        yield CompletionItem(written, "data_type", subject=("data_type", name), group=group)
    yield from reference_items(snapshot, path, group=group + 1)


def reference_items(snapshot: Snapshot, path: str, group: int = 0) -> Iterator[CompletionItem]:
    """Yield references to resources of each type, with a title to fill in."""
    for name in ("class", *resource_types(snapshot, path)):
        reference = as_reference(name)
        yield CompletionItem(
            reference,
            "resource",
            f"{reference}['$0']",
            snippet=True,
            subject=("resource_type", name),
            group=group,
        )
