"""Findings of a migration, and the edits that keep the old meaning."""

from __future__ import annotations

from collections.abc import Iterable

from bunraku.base.records import field, record
from bunraku.base.source import Source, Span
from bunraku.base.text_edits import Edit, edited
from bunraku.migrate.rules import Rule


@record()
class Finding:
    """A construct whose meaning differs: its place, the rule, the observation, and the safe edits.

    ``values`` are the values that were seen, ``old`` and ``new`` the results in both languages, all as
    text. ``edits`` is empty where no edit is safe. ``copied`` are files whose text the edits insert.
    """

    rule: Rule
    span: Span
    old: str = ""
    new: str = ""
    values: tuple[str, ...] = ()
    edits: tuple[Edit, ...] = ()
    fixed: bool = False
    copied: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[str, int, str]:
        """Place and rule: the same construct is reported once."""
        return self.span.source.path, self.span.start, self.rule.id


@record()
class Findings:
    """All findings of a run, each construct once."""

    found: dict[tuple[str, int, str], Finding] = field(default_factory=dict)

    def add(self, finding: Finding) -> None:
        """Keep a finding; prefer one with values to the same without."""
        known = self.found.get(finding.key)
        if known is None or (not known.new and finding.new):
            self.found[finding.key] = finding

    def add_all(self, others: Findings) -> None:
        """Keep the findings of another run."""
        for finding in others.found.values():
            self.add(finding)

    def in_order(self) -> list[Finding]:
        """Return the findings by file and place."""
        return [self.found[key] for key in sorted(self.found)]


def apply(text: str, findings: Iterable[Finding]) -> str:
    """Return the text with the edits of findings; overlapping edits are left for the next run.

    >>> source = Source("$a = 1")
    >>> finding = Finding(Rule("x", "", "", ""), source.span(5, 6), edits=(Edit(5, 6, "'1'"),))
    >>> apply(source.text, [finding]), finding.fixed
    ("$a = '1'", True)
    """
    taken: list[Edit] = []
    for finding in findings:
        if finding.edits and not any(
            clash(edit, other) for edit in finding.edits for other in taken
        ):
            finding.fixed = True
            taken += finding.edits
    return edited(text, taken)


def clash(edit: Edit, other: Edit) -> bool:
    """Return whether two edits are about the same text; insertions side by side do not clash."""
    if edit.start == edit.end:
        return other.start < edit.start < other.end
    if other.start == other.end:
        return edit.start < other.start < edit.end
    return edit.start < other.end and other.start < edit.end


def line_after(edits: Iterable[Edit], source: Source, text: str, line: int) -> int:
    """Return the line of the source for a line of its edited text."""
    offset = Source(text).offset(line, 0)
    for edit in sorted(edits, key=lambda item: item.start, reverse=True):
        if edit.start < offset:
            offset = max(edit.start, offset - len(edit.text) + (edit.end - edit.start))
    return source.line(min(offset, len(source.text)))
