"""Findings in the JSON of Code Climate, which GitLab shows in merge requests.

The fields are those that the Code Climate specification and GitLab's documentation, "Code Quality",
require.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from hashlib import sha256
from typing import Any

from bunraku.base.errors import Diagnostic
from bunraku.formats.json import clean_json_text
from bunraku.jobs.baseline import Identity, identity

SEVERITIES = {"error": "major", "warning": "minor", "deprecation": "info"}


def codeclimate_report(findings: Iterable[Diagnostic]) -> str:
    """Return a list with an entry for each finding; one without a file is about the whole project.

    A fingerprint depends on file, code and message, not on the line: a finding that moves stays the
    same one. Equal findings of a file are numbered.

    >>> from bunraku.base.source import Place
    >>> import json
    >>> (entry,) = json.loads(codeclimate_report([Diagnostic("X", "wrong", Place("a.pp", 2))]))
    >>> entry["check_name"], entry["severity"], entry["location"]
    ('X', 'major', {'path': 'a.pp', 'lines': {'begin': 2}})
    """
    seen: Counter[Identity] = Counter()
    entries = []
    for finding in findings:
        line = finding.line if finding.file else None
        key = identity(finding)
        seen[key] += 1
        entries.append(entry(finding, key, seen[key], line or 1))
    return clean_json_text(entries)


def entry(finding: Diagnostic, key: Identity, number: int, line: int) -> dict[str, Any]:
    """Return the entry of a finding."""
    content = "\0".join((*key, str(number))).encode("utf-8", "surrogateescape")
    return {
        "type": "issue",
        "description": finding.message,
        "categories": ["Bug Risk" if finding.severity == "error" else "Style"],
        "check_name": finding.code,
        "fingerprint": sha256(content).hexdigest(),
        "severity": SEVERITIES[finding.severity],
        "location": {"path": key[0] or ".", "lines": {"begin": line}},
    }
