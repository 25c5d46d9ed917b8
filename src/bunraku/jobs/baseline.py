"""Baselines: the findings that a project accepts so that only new ones are reported."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable

from bunraku.base.errors import Diagnostic
from bunraku.base.paths import relative
from bunraku.formats.json import clean_json_text

Identity = tuple[str, str, str]
"""File, code and message: a finding that moves to another line stays the same one."""
SCHEMA = 1


class InvalidBaseline(Exception):
    """A file that is not a baseline."""


def identity(finding: Diagnostic) -> Identity:
    """Return what a finding has in common with the same one in another state of its file."""
    return relative(finding.file) if finding.file else "", finding.code, finding.message


def baseline_text(findings: Iterable[Diagnostic]) -> str:
    """Return a baseline of findings: each with the number of its occurrences."""
    counts = sorted(Counter(map(identity, findings)).items())
    entries = [
        {"file": file, "code": code, "message": message, "count": count}
        for (file, code, message), count in counts
    ]
    return clean_json_text({"schema": SCHEMA, "findings": entries})


def read_baseline(text: str) -> Counter[Identity]:
    """Return the accepted findings and how often each occurs; raise InvalidBaseline.

    >>> read_baseline(baseline_text([Diagnostic("X", "wrong")]))
    Counter({('', 'X', 'wrong'): 1})
    """
    try:
        data = json.loads(text)
        if data["schema"] != SCHEMA:
            raise InvalidBaseline(f"unknown schema {data['schema']!r}")
        return Counter(
            {
                (str(one["file"]), str(one["code"]), str(one["message"])): int(one["count"])
                for one in data["findings"]
            }
        )
    except (ValueError, KeyError, TypeError) as error:
        raise InvalidBaseline(f"{type(error).__name__}: {error}") from error


def without_accepted(
    findings: Iterable[Diagnostic], accepted: Counter[Identity]
) -> list[Diagnostic]:
    """Return the findings that a baseline does not have; of equal ones, those beyond its number.

    >>> found = [Diagnostic("X", "wrong"), Diagnostic("X", "wrong"), Diagnostic("Y", "new")]
    >>> [one.code for one in without_accepted(found, read_baseline(baseline_text(found[:1])))]
    ['X', 'Y']
    """
    left, new = Counter(accepted), []
    for finding in findings:
        key = identity(finding)
        if left[key] > 0:
            left[key] -= 1
        else:
            new.append(finding)
    return new
