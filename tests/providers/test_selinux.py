"""The types for the policy of SELinux."""

from __future__ import annotations

import pytest

from bunraku.base.errors import PuppetError
from support.applying import apply, declared
from support.host import Expected, MemoryHost, file

GET, SET = "/usr/sbin/getsebool", "/usr/sbin/setsebool"


def test_booleans_are_listed_once_until_something_changes() -> None:
    programs = {GET: file("", 0o755), SET: file("", 0o755)}
    commands = [
        Expected((GET, "-a"), "a --> on\nb --> off\nc --> off pending: on\n"),
        Expected((SET, "-P", "b", "on")),
        Expected((GET, "c"), "c --> off pending: on\n"),
    ]
    wanted = {
        "a": {"value": "on"},
        "b": {"value": True, "persistent": True},
        "c": {"value": "true"},
    }

    done = apply(MemoryHost(programs, commands=commands), declared("selboolean", wanted))

    assert done.changes == ["Selboolean[b]/value: value changed 'off' to 'on'"]


@pytest.mark.parametrize(
    ("type_", "attributes"),
    [
        ("selboolean", {"value": "enabled"}),
        ("selboolean", {"persistent": "yes"}),
        ("selmodule", {"ensure": "loaded"}),
        ("selmodule", {"syncversion": "yes"}),
    ],
)
def test_wrong_values(type_: str, attributes: dict[str, object]) -> None:
    with pytest.raises(PuppetError):
        apply(MemoryHost(), declared(type_, {"x": attributes}))
