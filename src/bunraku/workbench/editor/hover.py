"""What is known about the name at a cursor, as Markdown."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator

from bunraku.base.records import record
from bunraku.syntax import nodes
from bunraku.types.names import TYPES
from bunraku.types.text.display import display_expanded
from bunraku.workbench.docs.manifests import thing_of
from bunraku.workbench.docs.model import Function, ModuleDocs, Thing
from bunraku.workbench.docs.ruby.read import read_ruby_file
from bunraku.workbench.editor.built_in_variables import BUILT_IN_VARIABLES
from bunraku.workbench.editor.definition import SETS, definitions_of
from bunraku.workbench.editor.described_types import described_attribute, described_type
from bunraku.workbench.editor.index.records import IndexedDefinition
from bunraku.workbench.editor.mentions import Kind, Mention, PuppetSymbol
from bunraku.workbench.editor.nodes import definition_node
from bunraku.workbench.editor.places import FilePlace, TextRange
from bunraku.workbench.editor.resolution import OWNERS
from bunraku.workbench.editor.shown_values import data_value_text, fact_text
from bunraku.workbench.editor.snapshot import Snapshot
from bunraku.workbench.functions.listing import find as find_function

WORDS = {"class": "class", "resource_type": "define", "function": "function", "plan": "plan"}
WORDS_OF_VALUES = nodes.Name | nodes.String | nodes.Boolean | nodes.Undef | nodes.Default
MOST_CODE = 400
"""Characters of code that are shown for a variable."""


@record(frozen=True)
class Hover:
    """Markdown about the name in a piece of the text."""

    markdown: str
    range: TextRange


def hover(snapshot: Snapshot, path: str, offset: int) -> Hover | None:
    """Return what is known about the name at a cursor; None if nothing is."""
    found = snapshot.mentions_at(path, offset)
    if not found:
        return hover_on_word(snapshot, path, offset)
    symbols = [*map(snapshot.symbol, found), *facts_read(snapshot, path, found[0])]
    return hover_about(snapshot, symbols, path, found[0].range)


def hover_about(
    snapshot: Snapshot, symbols: Iterable[PuppetSymbol], path: str, piece: TextRange
) -> Hover | None:
    """Return what is known about symbols, for a piece of the text; None if nothing is."""
    texts = [described(snapshot, one, path) for one in symbols]
    shown = "\n".join(dict.fromkeys(filter(None, texts)))
    return Hover(shown, piece) if shown else None


def facts_read(snapshot: Snapshot, path: str, mention: Mention) -> Iterator[PuppetSymbol]:
    """Yield the fact that is read through a mention of ``$facts``."""
    if mention.symbol.kind == "variable" and mention.symbol.name == "facts":
        key = mention.range.end + len("['")
        for one in snapshot.mentions_at(path, key):
            if one.symbol.kind == "fact" and one.range.start == key:
                yield one.symbol


def hover_on_word(snapshot: Snapshot, path: str, offset: int) -> Hover | None:
    """Return what is known about the attribute whose value is the word at a cursor."""
    parsed = snapshot.parsed(path)
    around = parsed.path_to(offset) if parsed is not None else []
    if len(around) < 2 or not isinstance(around[-1], WORDS_OF_VALUES):
        return None
    attribute, word = around[-2:]
    if not isinstance(attribute, nodes.Attribute):
        return None
    symbols = map(snapshot.symbol, snapshot.mentions_at(path, attribute.start))
    return hover_about(snapshot, symbols, path, TextRange(word.start, word.end))


def described(snapshot: Snapshot, symbol: PuppetSymbol, path: str) -> str | None:
    """Return Markdown about a symbol that a file mentions."""
    for one in snapshot.index.definitions(symbol.kind, symbol.name):
        thing = documented(snapshot, one)
        if thing is not None:
            return thing_text(thing, one)
    describe = DESCRIBE.get(symbol.kind)
    return None if describe is None else describe(snapshot, symbol, path)


# -- definitions ---------------------------------------------------------------------------------


def documented(snapshot: Snapshot, one: IndexedDefinition) -> Thing | None:
    """Return a definition in Puppet code with its documentation."""
    node = definition_node(snapshot, one)
    parsed = snapshot.parsed(one.path)
    if node is None or parsed is None:
        return None
    return thing_of(node, parsed.source, one.path)


def thing_text(thing: Thing, one: IndexedDefinition) -> str:
    """Return the signature and the comment of a definition."""
    text = code_block(signature(thing, one))
    return text + (f"\n{thing.comment.text}\n" if thing.comment.text else "")


def signature(thing: Thing, one: IndexedDefinition) -> str:
    """Return the head of a definition: its parameters with types and defaults."""
    word = WORDS.get(one.kind)
    if word is None:
        return thing.source
    lines = [
        f"  {parameter_code(item.type, item.name, item.value or None)},"
        for item in thing.parameters
    ]
    parent = f" inherits {one.parent}" if one.parent else ""
    result = getattr(thing, "return_type", None) if isinstance(thing, Function) else None
    parent += f" >> {result}" if result else ""
    if not lines:
        return f"{word} {one.written}{parent}"
    return "\n".join([f"{word} {one.written} (", *lines, f"){parent}"])


def parameter_code(kind: str | None, name: str, value: str | None) -> str:
    """Return the declaration of a parameter; the default of a Sensitive one is not shown."""
    prefix = f"{kind} " if kind else ""
    if value is not None and "Sensitive" in f"{kind}{value}":
        value = "…"
    return f"{prefix}${name}{'' if value is None else f' = {value}'}"


# -- variables and data --------------------------------------------------------------------------


def about_variable(snapshot: Snapshot, symbol: PuppetSymbol, path: str) -> str | None:
    """Return a parameter with its comment and its value, or the code that sets a variable."""
    for kind in OWNERS:
        for one in snapshot.index.definitions(kind, symbol.owner):
            text = parameter_text(snapshot, one, symbol)
            if text is not None:
                key = f"{symbol.owner}::{symbol.name}"
                return text + (data_value_text(snapshot, key, path) if kind == "class" else "")
    places = list(snapshot.places(symbol, path, SETS))
    if not places and not symbol.owner:
        return fact_text(snapshot, symbol.name, path) or about_built_in(symbol)
    places = places or definitions_of(snapshot, symbol, path)
    shown = [code_block(text) for one in places if (text := assignment_code(snapshot, one))]
    return shown[0] if shown else about_built_in(symbol)


def about_built_in(symbol: PuppetSymbol) -> str | None:
    """Return what a variable is that Puppet sets; None for others."""
    meaning = BUILT_IN_VARIABLES.get(symbol.name)
    return None if meaning is None else f"{code_block(f'${symbol.name}')}\n{meaning}\n"


def parameter_text(snapshot: Snapshot, one: IndexedDefinition, symbol: PuppetSymbol) -> str | None:
    """Return the declaration and the comment of a parameter; None if a definition lacks it."""
    thing = documented(snapshot, one)
    for item in thing.parameters if thing is not None else ():
        if thing is not None and item.name == symbol.name:
            tags = (tag for tag in thing.comment.named("param") if tag.subject == item.name)
            text = next((tag.text for tag in tags if tag.text), "")
            shown = code_block(parameter_code(item.type, item.name, item.value or None))
            return shown + (f"\n{text}\n" if text else "")
    return None


def assignment_code(snapshot: Snapshot, place: FilePlace) -> str:
    """Return the code that sets a variable at a place; what makes a Sensitive is not shown."""
    parsed = snapshot.parsed(place.path)
    for node in reversed(parsed.path_to(place.range.start) if parsed else []):
        if parsed is not None and isinstance(node, nodes.Assignment | nodes.Parameter):
            text = parsed.source.text[node.start : node.end]
            if "Sensitive" in text:
                return f"{text.partition('=')[0].rstrip()} = …"
            return text if len(text) <= MOST_CODE else f"{text[:MOST_CODE]}…"
    return ""


def about_key(snapshot: Snapshot, symbol: PuppetSymbol, path: str) -> str | None:
    """Return the value of a key of Hiera, and where data sets it."""
    return f"Hiera key `{symbol.name}`\n{data_value_text(snapshot, symbol.name, path)}"


def about_fact(snapshot: Snapshot, symbol: PuppetSymbol, path: str) -> str | None:
    """Return a fact with its value on the chosen node."""
    return fact_text(snapshot, symbol.name, path)


# -- what is not in Puppet code ------------------------------------------------------------------


def about_type(snapshot: Snapshot, symbol: PuppetSymbol, _path: str) -> str | None:
    """Return a resource type with its attributes."""
    found = described_type(snapshot, symbol.name)
    if found is None:
        return core_type_text(symbol.name)
    lines = [
        f"- `{one.name}` {first_sentence(one.about)}".rstrip() for one in found.attributes.values()
    ]
    head = code_block(f"{found.name} {{ … }}") + (f"\n{found.about}\n" if found.about else "")
    return head + ("\n" + "\n".join(lines) + "\n" if lines else "")


def core_type_text(name: str) -> str | None:
    """Return a data type of Puppet with its limits as they are without parameters; None for other names."""
    for written, known in TYPES.items():
        if written.lower() == name:
            shown = display_expanded(known)
            meaning = "" if shown == written else f"\nIt means `{shown}`.\n"
            return f"{code_block(written)}\nA data type of Puppet.\n{meaning}"
    return None


def about_resource(snapshot: Snapshot, symbol: PuppetSymbol, path: str) -> str | None:
    """Return the type of a resource that is declared by a title."""
    return described(snapshot, PuppetSymbol("resource_type", symbol.name.partition("[")[0]), path)


def about_attribute(snapshot: Snapshot, symbol: PuppetSymbol, _path: str) -> str | None:
    """Return an attribute of a resource type."""
    found = described_attribute(snapshot, symbol.owner, symbol.name)
    if found is None:
        return None
    words = ", ".join(f"`{one}`" for one in found.words)
    parts = [code_block(f"{symbol.owner} {{ {found.name} => … }}"), found.about]
    parts += [f"Accepted: {words}." if words else ""]
    return "\n\n".join(filter(None, parts)) + "\n"


def about_function(snapshot: Snapshot, symbol: PuppetSymbol, _path: str) -> str | None:
    """Return a function in Ruby of a module, or one of Puppet or stdlib."""
    for one in snapshot.index.definitions("function", symbol.name):
        source = snapshot.source(one.path) if one.path.endswith(".rb") else None
        if source is not None:
            docs = ModuleDocs()
            read_ruby_file(docs, source.text, one.path)
            for thing in docs.things["puppet_functions"]:
                return code_block("\n".join(ruby_signatures_of(thing))) + comment_of(thing)
    return known_function(symbol.name)


def known_function(name: str) -> str | None:
    """Return a function of Puppet or of stdlib."""
    for entry in find_function(name):
        origin = "Puppet" if entry.library == "core" else "stdlib"
        since = f"{origin}, since {entry.first}" if entry.first else origin
        return f"{code_block(chr(10).join(entry.signatures))}\n{entry.documentation}\n\n*{since}*\n"
    return None


def ruby_signatures_of(thing: Function) -> Iterator[str]:
    """Yield the signatures of a function in Ruby."""
    found = thing.signatures or thing.overloads
    for one in [one.parameters for one in found] or [thing.parameters]:
        given = (parameter_code(item.type, item.name, None) for item in one)
        yield f"{thing.name}({', '.join(given)})"


def comment_of(thing: Thing) -> str:
    """Return the comment of a thing as a paragraph."""
    return f"\n{thing.comment.text}\n" if thing.comment.text else ""


def about_file(snapshot: Snapshot, symbol: PuppetSymbol, path: str) -> str | None:
    """Return the path of the file of a module."""
    places = definitions_of(snapshot, symbol, path)
    return "\n".join(f"`{one.path}`" for one in places) or None


def about_module(snapshot: Snapshot, symbol: PuppetSymbol, _path: str) -> str | None:
    """Return the directories of a module."""
    found = snapshot.index.definitions("module", symbol.name)
    return "\n".join(f"module `{os.path.dirname(one.path)}`" for one in found) or None


DESCRIBE: dict[Kind, Callable[[Snapshot, PuppetSymbol, str], str | None]] = {
    "variable": about_variable,
    "key": about_key,
    "fact": about_fact,
    "resource": about_resource,
    "resource_type": about_type,
    "data_type": about_type,
    "attribute": about_attribute,
    "function": about_function,
    "template": about_file,
    "file": about_file,
    "module": about_module,
}
"""What describes the symbols that are no definition in Puppet code."""


def first_sentence(text: str) -> str:
    """Return the first sentence of a text.

    >>> first_sentence("One. Two.")
    'One.'
    """
    line = " ".join(text.split())
    head, point, _ = line.partition(". ")
    return head + point.strip()


def code_block(text: str) -> str:
    """Return code as a block of Markdown."""
    return f"```puppet\n{text}\n```\n"
