"""Single resources of a machine: listed, shown and changed without a manifest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from tests.support.host import MemoryHost, file

from bunraku.apply.direct import Direct
from bunraku.apply.log import Message, console_line
from bunraku.base.errors import PuppetError
from bunraku.jobs.resource_text import hiera_data, manifest

HOSTS = "127.0.0.1 localhost\n192.0.2.10 rig.example.test rig\n"
TYPE = """
TYPE = {
    "attributes": {
        "ensure": {"type": "Enum[present, absent]", "default": "present"},
        "name": {"type": "String", "behaviour": "namevar"},
        "value": {"type": "String"},
    },
}


class Provider:
    def get(self, context, names):
        lines = context.host.read("/app.conf").decode().splitlines()
        return [dict(zip(("name", "value"), line.split("=", 1))) for line in lines]

    def set(self, context, changes):
        context.fail("read only")
"""


def direct(host: MemoryHost, lines: list[str] | None = None, **settings: Any) -> Direct:
    def line(message: Message) -> None:
        (lines if lines is not None else []).append(console_line(message))

    values: Mapping[str, Any] = {"noop": False, **settings}
    return Direct(host, values, modules=["/modules"], destinations=[line])


def test_lists_resources_as_puppet_prints_them() -> None:
    machine = direct(MemoryHost({"/etc/hosts": HOSTS}))
    assert manifest(machine.every("host")) == (
        "host { 'localhost':\n"
        "  ensure   => 'present',\n"
        "  ip       => '127.0.0.1',\n"
        "  provider => 'parsed',\n"
        "  target   => '/etc/hosts',\n"
        "}\n"
        "host { 'rig.example.test':\n"
        "  ensure       => 'present',\n"
        "  host_aliases => ['rig'],\n"
        "  ip           => '192.0.2.10',\n"
        "  provider     => 'parsed',\n"
        "  target       => '/etc/hosts',\n"
        "}\n"
    )


def test_shows_one_resource_as_yaml() -> None:
    machine = direct(MemoryHost({"/etc/hosts": HOSTS}))
    assert hiera_data([machine.one("host", "rig.example.test")], "host") == (
        "---\nhost:\n  rig.example.test:\n    ensure: present\n    host_aliases:\n    - rig\n"
        '    ip: 192.0.2.10\n    provider: parsed\n    target: "/etc/hosts"\n'
    )


def test_an_absent_resource_has_ensure_and_provider_only() -> None:
    found = direct(MemoryHost({"/etc/hosts": HOSTS})).one("host", "nix")
    assert found.attributes == {"ensure": "absent", "provider": "parsed"}


def test_files_show_no_target_and_whole_seconds() -> None:
    found = direct(MemoryHost({"/etc/motd": file("hello", 0o600)})).one("file", "/etc/motd")
    assert list(found.attributes)[:2] == ["ensure", "content"]
    assert found.attributes["mode"] == "0600"
    assert found.attributes["mtime"] == "2001-09-09 01:46:40 +0000"
    assert "target" not in found.attributes


def test_a_change_is_logged_and_shown() -> None:
    host, lines = MemoryHost({"/etc/hosts": HOSTS}), list[str]()
    found, succeeded = direct(host, lines).change("host", "localhost", {"ip": "127.0.0.2"})
    assert succeeded
    assert lines == [
        "Notice: /Host[localhost]/ip: ip changed '127.0.0.1' to '127.0.0.2'",
    ]
    assert found.attributes["ip"] == "127.0.0.2"
    assert "127.0.0.2\tlocalhost" in host.text("/etc/hosts")


def test_noop_changes_nothing() -> None:
    host, lines = MemoryHost({"/etc/hosts": HOSTS}), list[str]()
    found, _ = direct(host, lines, noop=True).change("host", "localhost", {"ensure": "absent"})
    assert lines == [
        "Notice: /Host[localhost]/ensure: current_value 'present', should be 'absent' (noop)"
    ]
    assert found.attributes["ensure"] == "present"
    assert host.text("/etc/hosts") == HOSTS


def test_a_change_that_fails_is_reported() -> None:
    entries = {"/modules/app/lib/bunraku/providers/app_setting.py": TYPE, "/app.conf": "a=1\n"}
    lines: list[str] = []
    _, succeeded = direct(MemoryHost(entries), lines).change("app_setting", "a", {"value": "2"})
    assert not succeeded
    assert lines[0].startswith("Error: ")
    assert lines[-1].endswith("change from '1' to '2' failed: read only")


def test_types_of_modules() -> None:
    entries = {"/modules/app/lib/bunraku/providers/app_setting.py": TYPE, "/app.conf": "a=1\nb=2\n"}
    machine = direct(MemoryHost(entries))
    assert "app_setting" in machine.types()
    assert [one.title for one in machine.every("app_setting")] == ["a", "b"]
    assert machine.one("app_setting", "b").attributes == {
        "ensure": "present", "provider": "module", "value": "2",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("type_name", "words"),
    [
        ("usr", "Could not find type usr (did you mean 'user'?)"),
        ("file", "Could not read file resources: all files cannot be listed; name a file or"),
        ("notify", "Could not read notify resources: notify has no providers that list"),
        (
            "file_line",
            "Could not read file_line resources: To support listing resources of this type",
        ),
    ],
)
def test_what_cannot_be_listed(type_name: str, words: str) -> None:
    with pytest.raises(PuppetError) as caught:
        direct(MemoryHost()).every(type_name)
    assert caught.value.message.startswith(words)


def test_a_type_in_ruby_without_a_puppet_names_the_package() -> None:
    ruby = "Puppet::Type.newtype(:app_thing) { newparam(:name) }\n"
    machine = direct(MemoryHost({"/modules/app/lib/puppet/type/app_thing.rb": ruby}))
    with pytest.raises(PuppetError) as caught:
        machine.every("app_thing")
    text = "bunraku cannot apply resources of type app_thing: bunraku does not have the type"
    assert caught.value.message == text
    assert "install the package openvox-agent" in str(caught.value.diagnostic.hint)


def test_types_that_are_known_by_name_only_list_nothing() -> None:
    assert manifest(direct(MemoryHost()).every("exec")) == "\n"


def test_an_unknown_attribute_is_refused() -> None:
    with pytest.raises(PuppetError) as caught:
        direct(MemoryHost()).change("host", "a", {"ipp": "::1"})
    assert caught.value.message == "host has no parameter named 'ipp' (did you mean 'ip'?)"


def test_parameters_are_shown_on_request() -> None:
    machine = direct(MemoryHost({"/bin/true": file("", 0o755)}))
    found = machine.one("exec", "/bin/true", ["tries", "refreshonly", "command", "nix"])
    assert found.attributes == {"provider": "posix", "returns": "notrun", "tries": 1}


def test_data_shows_the_name_if_the_title_differs() -> None:
    machine = direct(MemoryHost({"/etc/motd": file("hello")}))
    found = machine.one("file", "/etc/")
    assert "path" not in manifest([found])
    assert '    owner: 0\n    path: "/etc"\n    provider: posix\n' in hiera_data([found], "file")


def test_parameters_that_are_false_by_default() -> None:
    machine = direct(MemoryHost({"/etc/motd": file("hello")}))
    names = ["backup", "force", "purge", "replace", "recurse", "selinux_ignore_defaults"]
    found = machine.one("file", "/etc/motd", names).attributes
    assert {name: found.get(name) for name in names} == {
        "backup": None, "force": None, "purge": False, "replace": True, "recurse": None,
        "selinux_ignore_defaults": "false",
    }  # fmt: skip


def test_mounts_outside_the_table_show_its_path() -> None:
    entries = {"/etc/fstab": "", "/proc/self/mounts": "tmpfs /run tmpfs rw 0 0\n"}
    host = MemoryHost(entries, installed=["mount", "umount"])
    assert [one.attributes for one in direct(host).every("mount")] == [
        {"ensure": "ghost", "provider": "parsed", "target": "/etc/fstab"}
    ]


@pytest.mark.parametrize(
    ("type_", "title"),
    [("mysql_user", "app@localhost"), ("zfs", "a/b"), ("selinux_port", "22"), ("rvm_gem", "3.1/a")],
)
def test_a_type_without_a_provider_that_works_cannot_be_changed(type_: str, title: str) -> None:
    lines: list[str] = []
    machine = direct(MemoryHost(), lines, noop=True)
    with pytest.raises(PuppetError, match=f"No ability to determine if {type_} exists"):
        machine.change(type_, title, {"ensure": "present"})
    assert lines == [f"Error: Could not find a suitable provider for {type_}"]
