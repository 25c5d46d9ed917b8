"""What the index has of each file."""

from __future__ import annotations

from bunraku.base.records import record
from bunraku.workbench.editor.mentions import Kind
from bunraku.workbench.editor.places import TextRange


@record(frozen=True)
class IndexedDefinition:
    """A definition in a file.

    ``name`` is canonical (lower case, without leading ``::``), ``written`` is the name as the text has
    it. ``place`` is the place of the name, ``whole`` that of the definition. ``parent`` is the class
    that a class inherits.
    """

    kind: Kind
    name: str
    written: str
    path: str
    place: TextRange
    whole: TextRange
    parent: str | None = None


@record(frozen=True)
class FileRecord:
    """What a file defines, and the words in it.

    ``renders`` are the templates that its code renders, each with the owner of the code around.
    ``words`` has each word once, in lower case, between line ends: also qualified names as a whole.
    """

    path: str
    definitions: tuple[IndexedDefinition, ...] = ()
    words: str = "\n"
    renders: tuple[tuple[str, str], ...] = ()

    def has_word(self, word: str) -> bool:
        """Return whether the text has a word.

        >>> FileRecord("a.pp", (), "\\nntp\\nntp::server\\n").has_word("ntp::server")
        True
        """
        return f"\n{word}\n" in self.words
