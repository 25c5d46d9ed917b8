"""The resource type debconf."""

from __future__ import annotations

import pytest

from bunraku.base.errors import PuppetError
from support.applying import apply, declared
from support.host import Expected, MemoryHost, file

READ = ("/usr/bin/debconf-communicate", "mine")
SET = ("/usr/bin/debconf-set-selections",)


def machine(*commands: Expected) -> MemoryHost:
    """Return a Debian with debconf."""
    files = {"/etc/os-release": "ID=debian\n", READ[0]: file("", 0o755)}
    return MemoryHost(files, commands=commands)


def test_answers_of_a_package_are_read_with_one_program() -> None:
    host = machine(Expected(READ, "0 a\n0 true\n10 mine/b doesn't exist\n10 x\n"), Expected(SET))

    wanted = {"type": "string", "value": "a"}
    done = apply(host, declared("debconf", {"mine/a": wanted, "mine/b": wanted}))

    assert done.changes == ["Debconf[mine/b]/ensure: created"]
    assert host.ran[0].content == b"GET mine/a\nFGET mine/a seen\nGET mine/b\nFGET mine/b seen\n"
    assert host.ran[1].content == b"mine mine/b string a\n"


def test_secret_is_only_in_the_standard_input_of_the_program() -> None:
    host = machine(Expected(READ, "0 old-s3cret\n0 false\n"), Expected(SET))

    wanted = {"mine/a": {"type": "password", "value": "new-s3cret"}}
    done = apply(host, declared("debconf", wanted, secret=["value"]), level="debug")

    assert host.ran[1].content == b"mine mine/a password new-s3cret\n"
    assert "s3cret" not in "".join(done.lines + done.changes)
    assert all("s3cret" not in str(command.words) for command in host.ran)


def test_answer_of_debconf_that_is_an_error_fails_one_resource() -> None:
    host = machine(Expected(READ, "20 bad\n20 bad\n0 b\n0 true\n"))

    wanted = {"type": "string", "value": "b"}
    done = apply(host, declared("debconf", {"mine/a": wanted, "mine/b": wanted}))

    assert "Error: /Debconf[mine/a]: Could not evaluate: " in "\n".join(done.lines)
    assert [one.failed for one in done.report.statuses.values() if "mine" in one.reference] == [
        True,
        False,
    ]


@pytest.mark.parametrize(
    "attributes",
    [{"value": "x"}, {"type": "x"}, {"type": "string", "seen": "x"}, {"type": "text", "item": "x"}],
)
def test_wrong_values(attributes: dict[str, object]) -> None:
    with pytest.raises(PuppetError):
        apply(MemoryHost(), declared("debconf", {"mine/a": attributes}))
