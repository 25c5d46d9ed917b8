"""The types flatpak and flatpak_remote."""

from __future__ import annotations

from typing import Any

import pytest

from bunraku.values.sensitive import Sensitive
from support.applying import apply, declared
from support.host import Expected, MemoryHost

FLATPAK = "/usr/bin/flatpak"
URL = "https://anna:s3cret-w0rd@example.com/repo"


@pytest.mark.parametrize("location", [URL, Sensitive("https://example.com/s3cret-w0rd")])
def test_a_secret_location_is_no_argument(location: Any) -> None:
    host = MemoryHost(commands=[Expected((FLATPAK, "remotes"))], installed=[FLATPAK])

    wanted = {"example": {"ensure": "present", "location": location}}
    done = apply(host, declared("flatpak_remote", wanted))

    assert done.report.failures == 1
    assert any("the secret of location among the arguments" in line for line in done.lines)
    assert "s3cret-w0rd" not in "\n".join(done.lines)
    assert [one.words for one in host.ran] == [(FLATPAK, "remotes")]


def test_the_name_of_a_remote_is_a_whole_word() -> None:
    listed = "example-beta\tsystem\nmy.example\tsystem\n"
    add = (FLATPAK, "remote-add", "--from", "example", "/srv/example.flatpakrepo")
    commands = [Expected((FLATPAK, "remotes"), listed), Expected(add)]
    host = MemoryHost(commands=commands, installed=[FLATPAK])

    wanted = {"example": {"ensure": "present", "from": True, "location": add[-1]}}
    done = apply(host, declared("flatpak_remote", wanted))

    assert done.changes == ["Flatpak_remote[example]/ensure: created"]
