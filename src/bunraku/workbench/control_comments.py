"""Comments that suppress findings: ``# lint:ignore:NAME [reason]`` and ``# lint:endignore``.

The rules are those of puppet-lint 3.0.1 (README, "Control Comments"). A comment after code is for
its own line. A comment on a line of its own begins a block, which ``lint:endignore`` ends. One
comment may name several checks; the words after the last name are the reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bunraku.base.errors import Diagnostic
from bunraku.base.records import field, record
from bunraku.base.source import Source
from bunraku.syntax.nodes import Program
from bunraku.syntax.tokens import comments_in

MARK, IGNORE, END = "lint:", "lint:ignore:", "lint:endignore"


@record()
class ControlComments:
    """The lines on which checks are suppressed, with the reasons.

    ``unmatched`` has the line and the text of each comment that opens or closes no block.
    """

    reasons: dict[str, dict[int, str]] = field(default_factory=dict)
    unmatched: list[tuple[int, str]] = field(default_factory=list)

    def reason(self, check: str, line: int | None) -> str | None:
        """Return the reason for which a check is suppressed on a line; None if it is not."""
        return self.reasons[check].get(line or 0) if check in self.reasons else None

    def ignore(self, check: str, lines: Iterable[int], reason: str) -> None:
        """Suppress a check on some lines."""
        self.reasons.setdefault(check, {}).update(dict.fromkeys(lines, reason))


def control_comments(source: Source, runs: Iterable[tuple[int, int]]) -> ControlComments:
    """Return what the comments of a source suppress; ``runs`` are those of the lexer.

    >>> source = Source("$a = 1 # lint:ignore:140chars a long name\\n")
    >>> control_comments(source, [(7, 41)]).reason("140chars", 1)
    'a long name'
    """
    found = ControlComments()
    if MARK not in source.text:
        return found
    blocks: list[list[tuple[int, str, str]]] = []
    for start, end in comments_in(runs, source.text):
        if source.text.find(MARK, start, end) < 0:
            continue
        names, ends, reason = words_of(source.text[start:end])
        line = source.line(start)
        before = source.text[source.line_starts[line - 1] : start]
        if before.strip():
            for name in names:
                found.ignore(name, [line], reason)
            names = []
        for _ in range(ends):
            if blocks:
                for first, name, why in blocks.pop():
                    found.ignore(name, range(first, line + 1), why)
            else:
                found.unmatched.append((line, f"{END} without a {IGNORE}CHECK before it"))
        if names:
            blocks.append([(line, name, reason) for name in names])
    for (line, name, _), *_ in blocks:
        found.unmatched.append((line, f"{IGNORE}{name} without a {END} after it"))
    return found


def words_of(comment: str) -> tuple[list[str], int, str]:
    """Return the checks that a comment names, the number of its ``endignore``, and the reason.

    >>> words_of("# lint:ignore:80chars lint:ignore:140chars a URL")
    (['80chars', '140chars'], 0, 'a URL')
    """
    text = comment.removeprefix("#")
    if comment.startswith("/*"):
        text = comment[2:].removesuffix("*/")
    names: list[str] = []
    ends = 0
    words = text.split()
    for number, word in enumerate(words):
        if word.startswith(IGNORE) and len(word) > len(IGNORE):
            names.append(word[len(IGNORE) :])
        elif word == END:
            ends += 1
        else:
            return names, ends, " ".join(words[number:])
    return names, ends, ""


def without_suppressed(
    findings: Iterable[Diagnostic], programs: Sequence[Program]
) -> list[Diagnostic]:
    """Return the findings that no control comment suppresses; names of rules in any letter case."""
    comments = {
        one.source.path: control_comments(one.source, one.comment_runs)
        for one in programs
        if "lint:" in one.source.text
    }
    found = []
    for finding in findings:
        known = comments.get(finding.file or "")
        codes = (finding.code, finding.code.lower())
        if known is None or all(known.reason(code, finding.line) is None for code in codes):
            found.append(finding)
    return found


def without_suppressed_warnings(
    findings: Iterable[Diagnostic], programs: list[Program]
) -> list[Diagnostic]:
    """Return the findings of the syntax less the warnings that control comments suppress."""
    found = list(findings)
    kept = without_suppressed((one for one in found if one.severity != "error"), programs)
    return [*(one for one in found if one.severity == "error"), *kept]
