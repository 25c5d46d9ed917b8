"""What ``bunraku explain`` can explain: the name at a cursor as its subject."""

from __future__ import annotations

from bunraku.workbench.editor.mentions import PuppetSymbol
from bunraku.workbench.editor.snapshot import Snapshot


def explained_subject(snapshot: Snapshot, path: str, offset: int) -> str | None:
    """Return the class, the parameter of a class, the resource or the key at a cursor; None for other names."""
    mention = snapshot.mention_at(path, offset)
    symbol = None if mention is None else snapshot.symbol(mention)
    match symbol:
        case PuppetSymbol("class" | "key", name):
            return name
        case PuppetSymbol("resource", name):
            type_name, _, title = name.partition("[")
            segments = (one.capitalize() for one in type_name.split("::"))
            return f"{'::'.join(segments)}[{title}"
        case PuppetSymbol("variable", name, owner) if snapshot.index.definitions("class", owner):
            return f"{owner}::{name}"
        case _:
            return None
