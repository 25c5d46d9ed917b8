"""The SELinux context of the type file, and where new contents are written."""

from __future__ import annotations

import pytest

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.file.security import part_of
from support.applying import apply
from support.host import Expected, MemoryHost, directory, file

OLD = "system_u:object_r:tmp_t:s0"
POLICY = "system_u:object_r:etc_t:s0"


def machine(*, enabled: bool = True, system: str = "ext4") -> MemoryHost:
    """Return a host with a file that has a context."""
    host = MemoryHost({"/etc/x": file("x\n"), "/proc/mounts": f"/dev/a / {system} rw 0 0\n"})
    host.contexts["/etc/x"] = OLD
    if enabled:
        host.add("/sys/fs/selinux/enforce", file("1"))
    return host


def test_parts_of_the_context_are_set() -> None:
    host = machine()
    code = "file { '/etc/x': ensure => file, seluser => 'staff_u', seltype => 'etc_t' }"

    assert apply(host, code).changes == [
        "File[/etc/x]/seluser: seluser changed 'system_u' to 'staff_u'",
        "File[/etc/x]/seltype: seltype changed 'tmp_t' to 'etc_t'",
    ]
    assert host.contexts["/etc/x"] == "staff_u:object_r:etc_t:s0"
    assert apply(host, code).changes == []


def test_the_policy_has_the_defaults() -> None:
    host = machine()
    host.policy["/etc/x"] = POLICY

    assert apply(host, "file { '/etc/x': selinux_ignore_defaults => true }").changes == []
    assert apply(host, "file { '/etc/x': }").changes == [
        "File[/etc/x]/seltype: seltype changed 'tmp_t' to 'etc_t'"
    ]
    assert host.contexts["/etc/x"] == POLICY


def test_a_range_may_be_given_by_its_translation() -> None:
    host = machine()
    host.add("/etc/selinux/config", file("SELINUX=enforcing\nSELINUXTYPE=targeted\n"))
    host.add("/etc/selinux/targeted/setrans.conf", file("# all\ns0:c0.c1023 = SystemHigh\n"))

    apply(host, "file { '/etc/x': selrange => 'SystemHigh' }")

    assert host.contexts["/etc/x"] == "system_u:object_r:tmp_t:s0:c0.c1023"
    apply(host, "file { '/etc/x': selrange => 's0' }")
    assert host.contexts["/etc/x"] == OLD


@pytest.mark.parametrize("host", [machine(enabled=False), machine(system="nfs4")])
def test_contexts_are_ignored_where_there_are_none(host: MemoryHost) -> None:
    host.policy["/etc/x"] = POLICY

    assert apply(host, "file { '/etc/x': seltype => 'etc_t' }").changes == []
    assert host.contexts["/etc/x"] == OLD


def test_a_file_without_context_gets_none() -> None:
    host = machine()
    del host.contexts["/etc/x"]

    lines = apply(host, "file { '/etc/x': seltype => 'etc_t' }").lines

    assert any("unless the file already has some kind of context" in line for line in lines)
    assert host.contexts == {}


def test_invalid_contexts_are_refused() -> None:
    assert part_of("seltype", "unlabeled") is None
    with pytest.raises(ResourceFailure, match="Invalid context to parse: a:b"):
        part_of("seltype", "a:b")


def test_contents_are_checked_at_the_staging_location() -> None:
    host = MemoryHost(
        {"/etc/x": "old\n", "/stage": directory()},
        commands=[Expected("/bin/check /stage/.bunraku-1.new")],
    )

    apply(
        host,
        "file { '/etc/x': content => 'new', staging_location => '/stage', "
        "validate_cmd => '/bin/check %' }",
    )

    assert host.text("/etc/x") == "new"
    assert host.expected == []
