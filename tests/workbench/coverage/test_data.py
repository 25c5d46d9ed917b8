"""Damaged coverage data."""

from __future__ import annotations

import json

import pytest

from bunraku.workbench.coverage.data import (
    BadData,
    CoverageData,
    Version,
    data_from_text,
    data_text,
)


def document() -> dict[str, object]:
    data = CoverageData()
    data.add(Version("manifests/init.pp", "0c", "8"), (0, 1), ["web1"])
    found: dict[str, object] = json.loads(data_text(data))
    return found


@pytest.mark.parametrize(
    ("part", "value", "reason"),
    [
        ("runs", 5, "runs: expected an Array of Strings, got an Integer"),
        ("runs", [], "a run has no name"),
        ("files", [5], r"files\[0\]: expected a Hash, got an Integer"),
        ("files", [{"path": "a\0", "digest": "", "language": "8", "runs": []}], r"path: expected"),
        ("files", [{"path": "a", "digest": "", "language": "8", "runs": [[[1.5], []]]}], "got a"),
        (
            "files",
            [{"path": "a", "digest": "", "language": "8", "runs": [[[-1], []]]}],
            "at least 0",
        ),
        ("bunraku_coverage", [], "it does not have coverage data"),
    ],
)
def test_damaged_data_are_refused(part: str, value: object, reason: str) -> None:
    with pytest.raises(BadData, match=reason):
        data_from_text(json.dumps({**document(), part: value}))


@pytest.mark.parametrize("text", ["", "[" * 100_000, "5", "null", '{"bunraku_coverage": '])
def test_other_texts_are_no_coverage_data(text: str) -> None:
    with pytest.raises(BadData):
        data_from_text(text)
