"""Tables over the files of a workspace: records by path, definitions by name, files by word and by template."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence

from bunraku.base.records import field, record, replace
from bunraku.workbench.editor.index.records import FileRecord, IndexedDefinition
from bunraku.workbench.editor.mentions import Kind, template_name

NameKey = tuple[Kind, str]
"""The kind and the canonical name of a definition."""
Rendering = tuple[str, str]
"""The path of code that renders a template, and the owner of this code."""
TEMPLATES = "/templates/"


def no_words(_path: str) -> str:
    """Return the words of a file without any."""
    return "\n"


@record(eq=False)
class IndexTables:
    """What is found by name in the records of files.

    ``by_word`` can name files that had a word in an earlier record: a lookup asks the record. The words of the files in
    ``waiting`` are still to be added: see :meth:`files_by_word`. ``renderings`` and ``templates`` are by the names of
    templates. ``wordless`` are the files whose records still lack their words, which ``words_of`` returns:
    definitions are known earlier that way.
    """

    files: dict[str, FileRecord] = field(default_factory=dict)
    by_name: dict[NameKey, tuple[IndexedDefinition, ...]] = field(default_factory=dict)
    by_word: dict[str, list[str]] = field(default_factory=dict)
    renderings: dict[str, tuple[Rendering, ...]] = field(default_factory=dict)
    templates: dict[str, tuple[str, ...]] = field(default_factory=dict)
    waiting: deque[str] = field(default_factory=deque)
    wordless: set[str] = field(default_factory=set)
    words_of: Callable[[str], str] = no_words

    def add(self, one: FileRecord, *, has_words: bool = True) -> None:
        """Add the record of a file that the tables do not have yet."""
        path = one.path
        self.files[path] = one
        if not has_words:
            self.wordless.add(path)
        for found in one.definitions:
            key = (found.kind, found.name)
            self.by_name[key] = (*self.by_name.get(key, ()), found)
        for name, owner in one.renders:
            self.renderings[name] = (*self.renderings.get(name, ()), (path, owner))
        if TEMPLATES in path:
            name = template_name(path)
            self.templates[name] = (*self.templates.get(name, ()), path)
        self.waiting.append(path)

    def complete(self, path: str) -> FileRecord | None:
        """Return the record of a file with its words; None of one that the tables do not have."""
        found = self.files.get(path)
        if found is not None and path in self.wordless:
            found = self.files[path] = replace(found, words=self.words_of(path))
            self.wordless.discard(path)
        return found

    def files_by_word(self) -> Mapping[str, Sequence[str]]:
        """Return the paths of the files that have or had each word."""
        while self.waiting:
            self.add_waiting_words()
        return self.by_word

    def add_waiting_words(self) -> None:
        """Add the words of the file that waits longest.

        It waits until they are all added, because a step that needs them can be interrupted.
        """
        one = self.complete(self.waiting[0])
        if one is not None:
            self.add_words(one.path, record_words(one))
        self.waiting.popleft()

    def add_words(self, path: str, words: Iterable[str]) -> None:
        """Note that a file has some words."""
        by_word = self.by_word
        for word in words:
            known = by_word.get(word)
            if known is None:
                by_word[word] = [path]
            else:
                known.append(path)


def record_words(one: FileRecord) -> list[str]:
    """Return the words of a file.

    >>> record_words(FileRecord("a.pp", words="\\ninclude\\nntp\\n"))
    ['include', 'ntp']
    """
    return one.words[1:-1].split("\n") if len(one.words) > 1 else []
