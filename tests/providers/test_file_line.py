"""The resource type file_line."""

from __future__ import annotations

import pytest

from bunraku.catalog.catalog import Catalog
from support.applying import apply
from support.host import MemoryHost, file, link


def edit(host: MemoryHost, **parameters: object) -> list[str]:
    """Apply a resource for one line of /f; return the changes."""
    resource = {"type": "File_line", "title": "l", "parameters": {"path": "/f", **parameters}}
    catalog = Catalog({"name": "host", "resources": [resource]})
    done = apply(host, catalog)
    return [event.message for event in done.report.events()]


@pytest.mark.parametrize(
    ("before", "parameters", "after"),
    [
        ("a\n", {"line": "b"}, "a\nb\n"),
        ("a", {"line": "b"}, "a\nb\n"),
        ("a\nb\n", {"line": "b"}, "a\nb\n"),
        ("x=1\ny\n", {"line": "x=2", "match": "^x="}, "x=2\ny\n"),
        ("y\n", {"line": "x=2", "match": "^x="}, "y\nx=2\n"),
        ("y\n", {"line": "x=2", "match": "^x=", "append_on_no_match": False}, "y\n"),
        ("x=1\n", {"line": "x=2", "match": "^x=", "replace": False}, "x=1\n"),
        ("a\nb\n", {"line": "n", "after": "^a"}, "a\nn\nb\n"),
        ("b\n", {"line": "n", "after": "^a"}, "b\nn\n"),
        ("a\nb\n", {"line": "n", "match": "^n", "after": "^a"}, "a\nn\nb\n"),
        ("x=1\nx=3\n", {"line": "x=2", "match": "^x=", "multiple": True}, "x=2\nx=2\n"),
        ("a\nb\na\n", {"line": "a", "ensure": "absent"}, "b\n"),
        (
            "x=1\ny\n",
            {"ensure": "absent", "match": "^x=", "match_for_absence": True},
            "y\n",
        ),
        ("a\r\nb\r\n", {"line": "a"}, "a\r\nb\r\n"),
    ],
)
def test_lines(before: str, parameters: dict[str, object], after: str) -> None:
    host = MemoryHost({"/f": file(before, 0o600, 1, 1)})

    edit(host, **parameters)

    assert host.text("/f") == after
    assert (host.entry("/f").mode, host.entry("/f").uid) == (0o600, 1)
    assert edit(host, **parameters) == []


def test_several_matches_are_refused() -> None:
    host = MemoryHost({"/f": "x=1\nx=2\n"})

    reason = "change from 'absent' to 'present' failed: More than one line in file '/f' matches pattern '^x='"
    assert edit(host, line="x=3", match="^x=")[0] == reason
    assert host.text("/f") == "x=1\nx=2\n"


def test_bytes_of_other_encodings_stay() -> None:
    host = MemoryHost({"/f": b"\xff\xe9\n"})

    edit(host, line="é")

    assert host.read("/f") == b"\xff\xe9\n\xc3\xa9\n"


def test_a_link_stays() -> None:
    host = MemoryHost({"/f": link("/g"), "/g": "a\n"})

    edit(host, line="b")

    assert host.text("/g") == "a\nb\n"
    assert host.entry("/f", follow=False).kind == "link"


def test_a_missing_file_fails() -> None:
    assert edit(MemoryHost(), line="b") == ["No such file or directory - /f"]
