"""The resource types alternatives and alternative_entry."""

from __future__ import annotations

import pytest

from bunraku.base.errors import PuppetError
from support.applying import apply, declared
from support.host import Expected, MemoryHost

PROGRAM = "/usr/bin/update-alternatives"
SELECTIONS = "editor auto /bin/vim\npager manual /bin/less\n"
QUERY = """Name: editor
Link: /usr/bin/editor
Status: auto
Best: /bin/vim
Value: /bin/vim

Alternative: /bin/ed
Priority: -100

Alternative: /bin/vim
Priority: 30
Slaves:
 editor.1 /m
"""


def machine(*commands: Expected) -> MemoryHost:
    """Return a Debian with alternatives."""
    return MemoryHost(
        {"/etc/os-release": "ID=debian\n"}, commands=commands, installed=["update-alternatives"]
    )


def test_one_program_reads_all_alternatives() -> None:
    listed = Expected((PROGRAM, "--get-selections"), SELECTIONS)
    host = machine(listed, Expected((PROGRAM, "--set", "pager", "/bin/more")))

    wanted = {"editor": {"path": "/bin/vim"}, "pager": {"path": "/bin/more", "mode": "manual"}}
    done = apply(host, declared("alternatives", wanted))

    assert done.changes == ["Alternatives[pager]/path: path changed '/bin/less' to '/bin/more'"]


def test_entry_with_another_priority_is_installed_again() -> None:
    install = ("--install", "/usr/bin/editor", "editor", "/bin/ed", "5")
    host = machine(
        Expected((PROGRAM, "--query", "editor"), QUERY),
        Expected((PROGRAM, "--remove", "editor", "/bin/ed")),
        Expected((PROGRAM, *install)),
    )

    wanted = {"/bin/ed:/usr/bin/editor": {"altname": "editor", "priority": 5}}
    done = apply(host, declared("alternative_entry", wanted))

    name = "Alternative_entry[/bin/ed:/usr/bin/editor]"
    assert done.changes == [f"{name}/priority: priority changed '-100' to 5"]


@pytest.mark.parametrize(
    ("type_", "attributes"),
    [
        ("alternatives", {"path": "vim"}),
        ("alternatives", {"mode": "manual"}),
        ("alternatives", {"mode": "auto", "path": "/bin/vim"}),
        ("alternative_entry", {"name": "vim"}),
        ("alternative_entry", {"name": "/vim", "priority": "x"}),
    ],
)
def test_wrong_values(type_: str, attributes: dict[str, object]) -> None:
    with pytest.raises(PuppetError):
        apply(machine(), declared(type_, {"x": attributes}))
