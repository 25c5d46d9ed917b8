"""Files of Portage: lines are read and written as the module does."""

from __future__ import annotations

import pytest

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.portage_atoms import Atom, read_atom
from support.applying import apply, declared
from support.host import MemoryHost, directory, file

USE = "/etc/portage/package.use/default"
ATOMS = {
    "app-admin/puppet": Atom("app-admin/puppet"),
    "=app-admin/puppet-7.1_rc2-r3": Atom("app-admin/puppet", "=7.1_rc2-r3"),
    "<=app-admin/puppet-agent-7": Atom("app-admin/puppet-agent", "<=7"),
    "app-admin/puppet:0/1": Atom("app-admin/puppet", slot="0/1"),
    "~dev-lang/ruby-3.1.2:3.1": Atom("dev-lang/ruby", "~3.1.2", "3.1"),
    "=dev-lang/ruby-3*": Atom("dev-lang/ruby", "=3*"),
}


@pytest.mark.parametrize(("text", "atom"), ATOMS.items())
def test_an_atom_is_read_and_written(text: str, atom: Atom) -> None:
    assert read_atom(text) == atom
    assert str(atom) == text


@pytest.mark.parametrize("text", ["puppet", "*/*", "=app-admin/puppet", "@set"])
def test_other_text_is_no_atom(text: str) -> None:
    with pytest.raises(ResourceFailure):
        read_atom(text)


def test_lines_are_changed_and_others_stay() -> None:
    host = MemoryHost({USE: file("# flags\na/b x  -y\n\n>=a/c-1:2 z\na/d\n", 0o600)})
    wanted = {"a/b": {"use": ["x"]}, "a/c": {"ensure": "absent"}, "a/e": {"slot": "0"}}

    done = apply(host, declared("package_use", wanted))

    assert done.changes == [
        "Package_use[a/b]/use: use changed x -y to x",
        "Package_use[a/c]/ensure: removed",
        "Package_use[a/e]/ensure: created",
    ]
    _, _, _, *lines = host.text(USE).splitlines()
    assert lines == ["# flags", "a/b x", "", "a/d", "a/e:0 "]
    assert host.status(USE).mode == 0o644
    assert apply(host, declared("package_use", wanted)).changes == []


def test_a_file_gets_a_directory() -> None:
    host = MemoryHost({"/etc/portage": directory()})

    done = apply(host, declared("package_mask", {"a/b": {"version": "1.2", "target": "b"}}))

    assert done.report.failures == 0
    assert host.text("/etc/portage/package.mask/b").splitlines()[-1] == "=a/b-1.2"


def test_a_line_that_is_no_atom_stops_the_resources_of_the_file() -> None:
    text = "*/* x\n"
    host = MemoryHost({USE: file(text)})

    done = apply(host, declared("package_use", {"a/b": {"use": ["x"]}}))

    assert done.report.failures == 1
    assert host.text(USE) == text
