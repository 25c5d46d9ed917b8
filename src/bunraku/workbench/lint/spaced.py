"""The tokens of a manifest with the blanks and line ends between them, for checks of whitespace."""

from __future__ import annotations

from collections.abc import Iterator

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.records import field, record
from bunraku.syntax.tokens import comments_in
from bunraku.workbench.lint.manifest import COMMENT, Manifest

LINE_END, INDENT, BLANKS = "LINE_END", "INDENT", "BLANKS"
BLOCK_COMMENT = "BLOCK_COMMENT"
HEREDOC_TEXT = "HEREDOC_TEXT"
SPACES = frozenset({LINE_END, INDENT, BLANKS})
PIECES = lazy_pattern("\r\n|[\r\n]|[ \t\v\f\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+")
NO_TOKEN = ""


@record()
class Spaced:
    """Parallel lists of kinds and offsets, in the order of the text.

    Blanks after a line end are ``INDENT``, others ``BLANKS``. The index behind a variable is a part
    of it, as in puppet-lint, and a heredoc's text to its first interpolation is a ``HEREDOC_TEXT``.
    ``tokens`` has the index of each token in the manifest, -1 for pieces that have none;
    ``heredocs`` has the index of each ``HEREDOC_TEXT`` and the offset at which the heredoc ends.
    """

    text: str
    kinds: list[str]
    starts: list[int]
    ends: list[int]
    tokens: list[int]
    heredocs: dict[int, int] = field(default_factory=dict)

    def kind(self, at: int) -> str:
        """Return a kind; an empty text outside of the manifest."""
        return self.kinds[at] if 0 <= at < len(self.kinds) else NO_TOKEN

    def of_kind(self, *kinds: str) -> Iterator[int]:
        """Yield the indexes of some kinds."""
        return (at for at, kind in enumerate(self.kinds) if kind in kinds)

    def before(self, at: int) -> int:
        """Return the index of the last token, text or comment before; -1 if there is none."""
        at -= 1
        while at >= 0 and self.kinds[at] in SPACES:
            at -= 1
        return at

    def after(self, at: int) -> int:
        """Return the index of the next token, text or comment; the number of all without one."""
        at += 1
        while at < len(self.kinds) and self.kinds[at] in SPACES:
            at += 1
        return at

    def is_single_space(self, at: int) -> bool:
        """Return whether a piece is one space within a line."""
        return self.kind(at) is BLANKS and self.text[self.starts[at] : self.ends[at]] == " "

    def one_space_between(self, first: int, last: int) -> bool:
        """Return whether one space and nothing else is between two tokens."""
        return last == first + 2 and self.is_single_space(first + 1)

    def has_line_end(self, first: int, last: int) -> bool:
        """Return whether a line ends between two tokens."""
        return LINE_END in self.kinds[first:last]

    def add(self, kind: str, start: int, end: int, token: int = -1) -> None:
        """Add a piece."""
        self.kinds.append(kind)
        self.starts.append(start)
        self.ends.append(end)
        self.tokens.append(token)

    def add_spaces(self, start: int, end: int) -> None:
        """Add the blanks and line ends between two offsets."""
        for match in PIECES.finditer(self.text, start, end):
            first, last = match.span()
            if self.text[first] in "\r\n":
                self.add(LINE_END, first, last)
            else:
                after_line = bool(self.kinds) and self.kinds[-1] is LINE_END
                self.add(INDENT if after_line else BLANKS, first, last)


def spaced(manifest: Manifest) -> Spaced:
    """Return the tokens of a manifest with what is between them; computed once."""
    found = manifest.views.get(Spaced)
    if found is None:
        found = manifest.views[Spaced] = read(manifest)
    return found


def read(manifest: Manifest) -> Spaced:
    """Return the tokens of a manifest with what is between them."""
    found = Spaced(manifest.text, [], [], [], [])
    heredocs = list(manifest.tokens.heredocs)
    end, at = 0, 0
    while at < manifest.size:
        start = manifest.starts[at]
        while heredocs and heredocs[0][0] <= start:
            first, last = heredocs.pop(0)
            found.add_spaces(end, first)
            at = add_heredoc(found, manifest, at, (first, last))
            end = line_end_before(manifest.text, last)
            start = manifest.starts[at] if at < manifest.size else len(manifest.text)
        if at == manifest.size:
            break
        found.add_spaces(end, start)
        last_token = last_of_variable(manifest, at)
        end = manifest.ends[last_token]
        add_token(found, manifest, at, end)
        at = last_token + 1
    found.add_spaces(end, len(manifest.text))
    return found


def add_token(found: Spaced, manifest: Manifest, at: int, last: int) -> None:
    """Add a token that ends at an offset; for a run of comments, each of them.

    Comments of several lines have their own kind.
    """
    kind, end = manifest.kinds[at], manifest.starts[at]
    if kind is not COMMENT:
        found.add(kind, end, last, at)
        return
    kind = BLOCK_COMMENT if manifest.text[end] == "/" else COMMENT
    for start, stop in comments_in([(end, last)], manifest.text):
        found.add_spaces(end, start)
        found.add(kind, start, stop, at)
        end = stop


def line_end_before(text: str, offset: int) -> int:
    """Return the offset of the line end right before another offset, or that offset."""
    for ending in ("\r\n", "\n"):
        if text.endswith(ending, 0, offset):
            return offset - len(ending)
    return offset


def add_heredoc(found: Spaced, manifest: Manifest, at: int, place: tuple[int, int]) -> int:
    """Add the text of a heredoc and return the index of the token after it.

    Without interpolations it is one piece, otherwise a piece and the tokens behind it.
    """
    start, last = place
    end = line_end_before(manifest.text, last)
    found.heredocs[len(found.kinds)] = end
    if manifest.kinds[at] != "DQPRE":
        found.add(HEREDOC_TEXT, start, end, at)
        return at + 1
    found.add(HEREDOC_TEXT, start, manifest.ends[at], at)
    at += 1
    while at < manifest.size and manifest.starts[at] < last:
        found.add_spaces(found.ends[-1], manifest.starts[at])
        add_token(found, manifest, at, manifest.ends[at])
        at += 1
    found.ends[-1] = end
    return at


def last_of_variable(manifest: Manifest, at: int) -> int:
    """Return the index of the last token of a variable with ``$`` and the indexes behind it."""
    if manifest.kinds[at] != "VARIABLE" or manifest.text[manifest.starts[at]] != "$":
        return at
    while manifest.kind(at + 1) == "[" and manifest.starts[at + 1] == manifest.ends[at]:
        closing = manifest.partner.get(at + 1)
        if closing is None or "\n" in manifest.text[manifest.ends[at] : manifest.starts[closing]]:
            return at
        at = closing
    return at
