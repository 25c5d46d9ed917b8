"""What is known about the name at a cursor, as Markdown."""

from __future__ import annotations

from bunraku.base.records import record
from bunraku.workbench.docs.manifests import thing_of
from bunraku.workbench.docs.model import Thing
from bunraku.workbench.editor.index.records import IndexedDefinition
from bunraku.workbench.editor.mentions import Kind, PuppetSymbol
from bunraku.workbench.editor.nodes import definition_node
from bunraku.workbench.editor.places import TextRange
from bunraku.workbench.editor.snapshot import Snapshot

OWNERS: tuple[Kind, ...] = ("class", "resource_type")
WORDS = {"class": "class", "resource_type": "define", "function": "function", "plan": "plan"}


@record(frozen=True)
class Hover:
    """Markdown about the name in a piece of the text."""

    markdown: str
    range: TextRange


def hover(snapshot: Snapshot, path: str, offset: int) -> Hover | None:
    """Return what is known about the name at a cursor; None if nothing is."""
    mention = snapshot.mention_at(path, offset)
    if mention is None:
        return None
    text = described(snapshot, snapshot.symbol(mention))
    return None if text is None else Hover(text, mention.range)


def described(snapshot: Snapshot, symbol: PuppetSymbol) -> str | None:
    """Return Markdown about a symbol."""
    for one in snapshot.index.definitions(symbol.kind, symbol.name):
        thing = documented(snapshot, one)
        if thing is not None:
            return thing_text(thing, one)
    if symbol.kind == "variable" and symbol.owner:
        return parameter_text(snapshot, symbol)
    return None


def documented(snapshot: Snapshot, one: IndexedDefinition) -> Thing | None:
    """Return a definition with its documentation."""
    node = definition_node(snapshot, one)
    parsed = snapshot.parsed(one.path)
    if node is None or parsed is None:
        return None
    return thing_of(node, parsed.source, one.path)


def thing_text(thing: Thing, one: IndexedDefinition) -> str:
    """Return the signature and the comment of a definition."""
    return code(signature(thing, one)) + documentation(thing)


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
    if not lines:
        return f"{word} {one.written}{parent}"
    return "\n".join([f"{word} {one.written} (", *lines, f"){parent}"])


def parameter_code(kind: str | None, name: str, value: str | None) -> str:
    """Return the declaration of a parameter."""
    prefix = f"{kind} " if kind else ""
    return f"{prefix}${name}{'' if value is None else f' = {value}'}"


def parameter_text(snapshot: Snapshot, symbol: PuppetSymbol) -> str | None:
    """Return the declaration and the comment of a parameter of a class or defined type."""
    for kind in OWNERS:
        for one in snapshot.index.definitions(kind, symbol.owner):
            thing = documented(snapshot, one)
            for item in thing.parameters if thing else ():
                if item.name == symbol.name and thing is not None:
                    tag = next(
                        (tag for tag in thing.comment.named("param") if tag.subject == item.name),
                        None,
                    )
                    text = "" if tag is None else tag.text
                    shown = parameter_code(item.type, item.name, item.value or None)
                    return code(shown) + (f"\n{text}\n" if text else "")
    return None


def documentation(thing: Thing) -> str:
    """Return the comment of a definition as Markdown."""
    text = thing.comment.text
    return f"\n{text}\n" if text else ""


def code(text: str) -> str:
    """Return code as a block of Markdown."""
    return f"```puppet\n{text}\n```\n"
