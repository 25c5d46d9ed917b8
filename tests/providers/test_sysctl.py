"""The types sysctl and sysctl_runtime: which module's provider manages a resource, and its files."""

from __future__ import annotations

from pathlib import Path

import pytest

from bunraku import PuppetError
from bunraku.apply.direct import Direct
from bunraku.catalog.catalog import Catalog
from bunraku.providers.registry import BUILTIN_TYPES
from bunraku.providers.run import Run
from bunraku.providers.sysctl.augeas import KernelSettings
from bunraku.world.augeas import is_installed
from bunraku.world.linux import LinuxHost
from support.applying import Applied, apply
from support.augeas import MemoryTree
from support.host import Expected, MemoryHost

NAME = "net.ipv4.ip_forward"
FILE = "/etc/sysctl.conf"
FORWARD = "/proc/sys/net/ipv4/ip_forward"


def applied(host: MemoryHost | LinuxHost, type_: str, **parameters: object) -> Applied:
    """Apply one resource."""
    resource = {"type": type_, "title": NAME, "parameters": parameters}
    return apply(host, Catalog({"name": "node", "resources": [resource], "edges": []}))


def test_values_of_one_module_are_lines() -> None:
    host = MemoryHost({FILE: "a=b = c\nnet.ipv4.ip_forward = 0\n", FORWARD: "0\n"})
    run = applied(host, "Sysctl", val="1")
    assert run.changes == ["Sysctl[net.ipv4.ip_forward]/val: val changed '0' to '1'"]
    assert host.text(FILE).endswith("\na=b=c\nnet.ipv4.ip_forward=1\n")


def test_a_provider_without_an_attribute_is_refused() -> None:
    with pytest.raises(PuppetError, match="provider parsed does not have the attribute apply"):
        applied(MemoryHost({FILE: ""}), "Sysctl", val="1", apply=False, provider="parsed")


def test_live_values_are_read_from_proc() -> None:
    command = Expected(("/usr/bin/sysctl", "net.ipv4.ip_forward=1"))
    host = MemoryHost({FORWARD: "0\n"}, installed=["sysctl"], commands=[command])
    run = applied(host, "Sysctl_runtime", val="1")
    assert run.changes == ["Sysctl_runtime[net.ipv4.ip_forward]/val: val changed '0' to '1'"]


@pytest.mark.skipif(not is_installed(), reason="libaugeas.so.0 is not installed")
def test_values_of_the_other_module_are_nodes(tmp_path: Path) -> None:
    file = tmp_path / "x.conf"
    file.write_text("# keep\nnet.ipv4.ip_forward=  0\n")
    run = applied(LinuxHost(), "Sysctl", value=1, target=str(file), apply=False, comment="why")
    assert run.changes == [
        "Sysctl[net.ipv4.ip_forward]/value: changed configuration value from '0' to '1'",
        "Sysctl[net.ipv4.ip_forward]/comment: comment changed '' to 'why'",
    ]
    assert file.read_text() == "# keep\n# net.ipv4.ip_forward: why\nnet.ipv4.ip_forward=  1\n"


@pytest.mark.skipif(not is_installed(), reason="libaugeas.so.0 is not installed")
def test_a_value_that_the_file_lacks_is_empty_in_messages(tmp_path: Path) -> None:
    target = str(tmp_path / "x.conf")
    run = applied(LinuxHost(), "Sysctl", value=1, target=target, apply=False, noop=True)
    assert run.changes == [f"Sysctl[{NAME}]/value: current_value , should be '1' (noop)"]


def test_settings_of_files_and_of_the_kernel_are_listed() -> None:
    nodes = {f"/files{FILE}": None, "$target/a.b": "1", "$target/#comment[1]": "x"}
    command = Expected(("/usr/bin/sysctl", "-a"), "k.l = 1\na.b = 1\n")
    host = MemoryHost(
        {FILE: "a.b=1\n"}, tree=MemoryTree(nodes), installed=["sysctl"], commands=[command]
    )
    run = Run(host, lambda *_, **__: None, {"noop": False}, BUILTIN_TYPES)
    assert list(KernelSettings(run).instances(None)) == ["a.b", "k.l"]


def test_the_settings_of_the_file_are_listed() -> None:
    machine = Direct(MemoryHost({FILE: f"{NAME} = 0\n"}), {"noop": False})
    shown = {"ensure": "present", "provider": "parsed", "target": FILE, "val": "0"}
    assert [(one.title, one.attributes) for one in machine.every("sysctl")] == [(NAME, shown)]
    assert machine.one("sysctl", NAME).attributes == shown
    assert machine.one("sysctl", "a.b").attributes == {"ensure": "absent", "provider": "parsed"}


def test_the_settings_of_the_kernel_are_listed_for_the_other_module() -> None:
    other = "/proc/sys/kernel/x"
    files = {FILE: "", FORWARD: "0\n", other: "1\n", "/modules/augeasproviders_sysctl/": ""}
    listed = Expected(("/usr/bin/sysctl", "-a"), f"kernel.x = 1\n{NAME} = 0\n")
    tree = MemoryTree({"/files/etc/sysctl.conf": ""})
    host = MemoryHost(files, installed=["sysctl"], commands=[listed], tree=tree)
    found = Direct(host, {"noop": False}, modules=["/modules"]).every("sysctl")
    shown = {"ensure": "present", "provider": "augeas"}
    assert [(one.title, one.attributes) for one in found] == [("kernel.x", shown), (NAME, shown)]
