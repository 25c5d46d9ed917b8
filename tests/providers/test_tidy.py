"""The resource type tidy."""

from __future__ import annotations

import pytest

from bunraku import PuppetError
from support.applying import apply
from support.host import START, MemoryHost, file

DAY = 86_400


def aged(days: float, size: int = 1) -> MemoryHost:
    """Return a host with an old file and a new one."""
    host = MemoryHost({"/t/old": file(b"x" * size), "/t/new": "n", "/t/sub/old": "o"})
    for path in ("/t/old", "/t/sub/old"):
        host.entry(path).accessed = host.entry(path).modified = START - days * DAY
    return host


@pytest.mark.parametrize(
    ("parameters", "left"),
    [
        ("recurse => true, age => '2d'", ["/t/new", "/t/sub"]),
        ("recurse => 1, age => '2days'", ["/t/new", "/t/sub", "/t/sub/old"]),
        ("recurse => true, age => '1w'", ["/t/new", "/t/old", "/t/sub", "/t/sub/old"]),
        ("recurse => true, size => '1k'", ["/t/new", "/t/sub", "/t/sub/old"]),
        ("recurse => true, matches => ['o*']", ["/t/new", "/t/sub"]),
        ("recurse => true, age => '3d', size => '1b', rmdirs => true", ["/t/sub"]),
    ],
)
def test_files_are_removed_by_age_size_and_name(parameters: str, left: list[str]) -> None:
    host = aged(3, size=2000)

    apply(host, f"tidy {{ '/t': {parameters} }}")

    assert sorted(host.below("/t")) == left


def test_managed_files_stay_and_others_are_removed_before_their_directory() -> None:
    host = aged(3)

    done = apply(
        host,
        "tidy { '/t': recurse => true, rmdirs => true, matches => ['old', 'sub', 'new'] } file { '/t/old': ensure => file }",
    )

    assert [text.partition("/")[2].split("]")[0] for text in done.changes] == [
        "t/sub/old", "t/sub", "t/new",
    ]  # fmt: skip
    assert "Notice: /Stage[main]/Main/Tidy[/t]: Tidying 3 files" in done.lines
    assert sorted(host.below("/t")) == ["/t/old"]


@pytest.mark.parametrize(
    ("parameters", "reason"),
    [
        ("age => '5y'", "Parameter age failed on Tidy[/t]: Invalid age unit 'y'"),
        ("size => 'large'", "Parameter size failed on Tidy[/t]: Invalid tidy size large"),
        (
            "matches => '*'",
            (
                "Parameter matches failed on Tidy[/t]: "
                "Tidy can't use matches with recurse 0, false, or undef"
            ),
        ),
    ],
)
def test_wrong_values(parameters: str, reason: str) -> None:
    with pytest.raises(PuppetError) as refused:
        apply(MemoryHost(), f"tidy {{ '/t': {parameters} }}")

    assert refused.value.message == reason
