"""The types shellvar, pam, mounttab and kernel_parameter with the real library, and swap_file."""

from __future__ import annotations

from pathlib import Path

import pytest

from bunraku import PuppetError
from bunraku.catalog.catalog import Catalog
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.pam.augeas import PamEntries
from bunraku.world.augeas import is_installed
from bunraku.world.host import Host
from bunraku.world.linux import LinuxHost
from support.applying import Applied, apply, run_on
from support.augeas import MemoryTree
from support.host import Expected, MemoryHost

with_library = pytest.mark.skipif(not is_installed(), reason="libaugeas.so.0 is not installed")
SWAPS = "Filename Type Size Used Priority\n"


def applied(host: Host, type_: str, title: str, **parameters: object) -> Applied:
    """Apply one resource."""
    resource = {"type": type_, "title": title, "parameters": parameters}
    return apply(host, Catalog({"name": "node", "resources": [resource], "edges": []}))


@with_library
def test_words_are_added_to_a_variable(tmp_path: Path) -> None:
    file = tmp_path / "app"
    file.write_text('A="x   y"\n')
    run = applied(
        LinuxHost(), "Shellvar", f"A in {file}", value=["y", "z"], array_append=True, comment="why"
    )
    assert run.changes == [
        f"Shellvar[A in {file}]/value: value changed ['x   y'] to ['y', 'z']",
        f"Shellvar[A in {file}]/comment: comment changed '' to 'why'",
    ]
    assert file.read_text().strip() == '# A: why\nA="x   y z"'


@with_library
def test_secret_values_of_variables_are_hidden(tmp_path: Path) -> None:
    file = tmp_path / "app"
    file.write_text("A=old\n")
    secret = {"__ptype": "Sensitive", "__pvalue": "correct horse"}
    run = applied(LinuxHost(), "Shellvar", f"A in {file}", value=secret)
    assert run.changes == [f"Shellvar[A in {file}]/value: changed [redacted] to [redacted]"]
    assert file.read_text() == 'A="correct horse"\n'
    assert not any("horse" in line for line in run.lines)


@with_library
def test_an_entry_of_pam_is_moved(tmp_path: Path) -> None:
    file = tmp_path / "app"
    file.write_text("auth required a.so\nauth required b.so\n")
    place = {"position": "before module a.so", "ensure": "positioned", "control": "required"}
    run = applied(LinuxHost(), "Pam", "b", type="auth", module="b.so", target=str(file), **place)
    assert run.changes == ["Pam[b]/ensure: ensure changed 'present' to 'positioned'"]
    assert [line.split()[2] for line in file.read_text().splitlines()] == ["b.so", "a.so"]


@with_library
def test_options_of_an_entry_for_a_file_system_keep_their_order(tmp_path: Path) -> None:
    file = tmp_path / "fstab"
    file.write_text("/dev/a   /srv  ext4  ro,uid=1  0 0 # data\n")
    entry = {"target": str(file), "options": ["user", "acl"]}
    run = applied(LinuxHost(), "Mounttab", "/srv", **entry)
    assert run.changes == ["Mounttab[/srv]/options: options changed ro,uid=1 to 'acl,user'"]
    assert file.read_text() == "/dev/a   /srv  ext4  user,acl  0 0 # data\n"


@pytest.mark.parametrize(
    ("type_", "parameters", "reason"),
    [
        ("Mounttab", {"options": "a,b"}, "have to be specified as an array"),
        ("Pam", {"position": "under first"}, "under is not a valid placement in position"),
        ("Pam", {"position": "after module"}, "Value must be set if you are matching on module"),
        ("Swap_file", {"file": "swap"}, "file parameter must be a valid absolute path"),
        ("Kernel_parameter", {"bootmode": "fast"}, 'Invalid value "fast"'),
    ],
)
def test_wrong_values_are_refused(type_: str, parameters: dict[str, object], reason: str) -> None:
    with pytest.raises(PuppetError, match=reason):
        applied(MemoryHost(), type_, "one", **parameters)


def test_a_swap_file_is_used() -> None:
    programs = ["swapon", "swapoff", "mkswap"]
    commands = [
        Expected(("/usr/bin/swapon", "-s"), SWAPS),
        Expected(("/usr/bin/mkswap", "/swap")),
        Expected(("/usr/bin/swapon", "/swap")),
    ]
    host = MemoryHost(installed=programs, commands=commands)
    assert applied(host, "Swap_file", "/swap", ensure="present").changes == [
        "Swap_file[/swap]/ensure: created"
    ]
    assert not host.expected


@with_library
def test_several_entries_of_a_new_file(tmp_path: Path) -> None:
    file = tmp_path / "new"
    resources = [
        {"type": "Shellvar", "title": f"{name} in {file}", "parameters": {"value": "1"}}
        for name in ("A", "B", "C")
    ]
    run = apply(LinuxHost(), Catalog({"name": "node", "resources": resources, "edges": []}))
    assert len(run.changes) == 3
    assert file.read_text() == "A=1\nB=1\nC=1\n"


@with_library
def test_values_that_are_no_texts_are_written_as_ruby_spells_them(tmp_path: Path) -> None:
    file = tmp_path / "app"
    file.write_text("")
    title = f"A in {file}"
    applied(LinuxHost(), "Shellvar", title, value=[True, 2.5], comment=True)
    assert file.read_text().strip() == '# A: true\nA="true 2.5"'
    run = applied(LinuxHost(), "Shellvar", title, value=[True, 2.5], comment=7)
    assert "Error: undefined method `empty?' for 7:Integer" in run.lines
    file.write_text("auth required a.so\n")
    entry = {"type": "auth", "module": "a.so", "control": "required", "target": str(file)}
    run = applied(LinuxHost(), "Pam", "a", arguments=[True], **entry)
    assert "Error: no implicit conversion of true into String" in run.lines
    assert file.read_text() == "auth required a.so\n"


@with_library
def test_a_type_that_cannot_list_its_resources_is_not_purged() -> None:
    run = applied(LinuxHost(), "Resources", "shellvar", purge=True)
    assert any(
        "Resources[shellvar]: Failed to generate additional resources using 'generate': " in line
        and "the 'augeas' provider needs to implement an 'instances' class method" in line
        for line in run.lines
    )


@with_library
def test_entries_of_pam_have_no_names_to_list(tmp_path: Path) -> None:
    class Elsewhere(PamEntries):
        default_target = str(tmp_path / "system-auth")

    entries = Elsewhere(run_on(LinuxHost()))
    assert entries.instances(None) == {}
    (tmp_path / "system-auth").write_text("auth required pam_env.so\n")
    entries = Elsewhere(run_on(LinuxHost()))
    with pytest.raises(ResourceFailure, match="No resource and no name in property hash"):
        entries.instances(None)


def test_the_file_pam_conf_is_read_with_the_usual_lens() -> None:
    """As in the module: the lens of that file is never used, so its entries cannot be read."""
    host = MemoryHost({"/etc/pam.conf": "web auth required a.so\n"}, tree=MemoryTree({}))
    entry = {"type": "auth", "module": "a.so", "control": "required", "target": "/etc/pam.conf"}
    run = applied(host, "Pam", "a", **entry)
    expected = "Error: /Pam[a]: Could not evaluate: Augeas didn't load /etc/pam.conf with pam.lns: "
    assert run.lines == [expected]
