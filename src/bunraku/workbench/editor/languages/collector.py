"""Collects the names that a text mentions."""

from __future__ import annotations

from bunraku.workbench.editor.mentions import Kind, Mention, PuppetSymbol, Role, canonical
from bunraku.workbench.editor.places import TextRange


class MentionCollector:
    """The mentions in a text, in the order in which they are added."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.found: list[Mention] = []

    def add(self, symbol: PuppetSymbol, start: int, written: str, role: Role = "use") -> None:
        """Add a mention, if the text has the name there."""
        if written and self.text.startswith(written, start):
            piece = TextRange(start, start + len(written))
            self.found.append(Mention(symbol, piece, role))

    def add_name(self, kind: Kind, written: str, start: int, role: Role = "use") -> None:
        """Add the mention of a global name."""
        self.add(PuppetSymbol(kind, canonical(written)), start, written, role)

    def add_variable(self, written: str, start: int, owner: str = "") -> None:
        """Add a variable: a qualified one, or one of an owner."""
        around, _, name = written.removeprefix("::").rpartition("::")
        symbol = PuppetSymbol("variable", name, canonical(around) or owner)
        if self.text.startswith(written, start):
            piece = TextRange(start, start + len(written))
            settled = bool(around) or not owner
            self.found.append(Mention(symbol, piece, "use", "", settled))
