"""The resource types user and group."""

from __future__ import annotations

import pytest

from bunraku import PuppetError
from bunraku.providers.user.useradd import UserAdd
from bunraku.world.host import Account, AccountGroup
from support.applying import apply
from support.host import ACCOUNTS, Expected, MemoryHost, file

PROGRAMS = (
    "useradd",
    "userdel",
    "usermod",
    "chage",
    "chpasswd",
    "groupadd",
    "groupdel",
    "groupmod",
)
SHADOW = "root:*:1:0:99999:7:::\nann:$6$old:1:0:90:7::22405:\n"
ANN = Account("ann", 1000, 1000, "/home/ann", "/bin/sh", "Ann")
GROUPS = (AccountGroup("ann", 1000), AccountGroup("adm", 4, ("ann",)), AccountGroup("audio", 29))


def host_with(*commands: Expected) -> MemoryHost:
    files = {"/etc/shadow": SHADOW, "/bin/sh": file(mode=0o755)}
    return MemoryHost(
        files, commands=commands, installed=PROGRAMS, users=(*ACCOUNTS, ANN), groups=GROUPS
    )


def test_a_user_is_made_with_all_properties_in_one_command() -> None:
    made = ("/usr/bin/useradd", "-c", "B", "-g", "4", "-G", "audio", "-u", "7", "-m", "bob")
    host = host_with(Expected(made))

    done = apply(
        host,
        "user { 'bob': uid => '7', gid => 4, comment => 'B', groups => 'audio', managehome => true }",
    )

    assert done.changes == ["User[bob]/ensure: created"]


def test_the_hash_of_a_password_is_never_an_argument_nor_in_a_report() -> None:
    host = host_with(
        Expected(("/usr/bin/useradd", "-M", "bob")), Expected(("/usr/bin/chpasswd", "-e"))
    )

    done = apply(host, "user { 'bob': ensure => present, password => '$6$secret' }")

    assert [command.content for command in host.ran] == [b"", b"bob:$6$secret\n"]
    assert "secret" not in repr((done, [command.words for command in host.ran]))


def test_a_changed_password_is_redacted_without_being_sensitive() -> None:
    done = apply(
        host_with(Expected(("/usr/bin/chpasswd", "-e"))), "user { 'ann': password => '$6$new' }"
    )

    assert done.changes == ["User[ann]/password: changed [redacted] to [redacted]"]
    assert "$6$" not in repr(done)


def test_properties_in_their_wanted_state_run_nothing() -> None:
    done = apply(
        host_with(),
        """user { 'ann': uid => 1000, gid => 'ann', comment => 'Ann', shell => '/bin/sh', groups => 'adm',
             password => '$6$old', password_max_age => 90, expiry => '2031-05-06', home => '/home/ann' }
           group { 'adm': gid => '4' }""",
    )

    assert done.changes == []


def test_groups_are_added_unless_the_list_is_complete() -> None:
    added = ("/usr/bin/usermod", "-G", "adm,audio", "ann")
    replaced = ("/usr/bin/usermod", "-G", "audio", "ann")

    apply(host_with(Expected(added)), "user { 'ann': groups => 'audio' }")
    done = apply(
        host_with(Expected(replaced)), "user { 'ann': groups => 'audio', membership => inclusive }"
    )

    assert done.changes == ["User[ann]/groups: groups changed adm to ['audio']"]


def test_a_shell_must_be_a_program() -> None:
    done = apply(host_with(), "user { 'ann': shell => '/bin/none' }")

    assert done.changes == [
        "User[ann]/shell: change from '/bin/sh' to '/bin/none' failed: Shell /bin/none must exist"
    ]


def test_local_accounts_are_ignored_without_libuser() -> None:
    host = host_with(Expected(("/usr/bin/userdel", "ann")))

    done = apply(host, "user { 'ann': ensure => absent, forcelocal => true }", level="debug")

    text = "does not support features manages_local_users_and_groups; not managing attribute"
    assert any(text in line for line in done.lines)


@pytest.mark.parametrize("value", ["true", "yes"])
def test_local_accounts_are_those_of_the_files_with_libuser(value: str) -> None:
    call = ("/usr/bin/luseradd", "-M", "ann")
    host = host_with(Expected(call))
    host.installed |= {"luseradd", "lgroupadd"}
    for path in ("/usr/sbin/luseradd", "/usr/sbin/lgroupadd"):
        host.add(path, file(mode=0o755))
    host.add("/etc/passwd", file("root:x:0:0::/root:/bin/sh\n"))
    host.account_groups = []

    done = apply(host, f"user {{ 'ann': ensure => present, forcelocal => {value} }}")

    assert done.changes == ["User[ann]/ensure: created"]
    assert host.ran[0].environment["LIBUSER_CONF"]


def test_a_failed_program_is_named_with_its_output() -> None:
    call = ("/usr/bin/groupdel", "adm")

    done = apply(host_with(Expected(call, "busy\n", 8)), "group { 'adm': ensure => absent }")

    reason = "Could not delete group adm: Execution of '/usr/bin/groupdel adm' returned 8: busy"
    failed = f"Group[adm]/ensure: change from 'present' to 'absent' failed: {reason}"
    assert done.changes == [failed]


def test_unmanaged_users_are_removed_but_for_system_users() -> None:
    host = host_with(Expected(("/usr/bin/userdel", "ann")))
    host.add("/etc/login.defs", file("UID_MIN  999\n"))

    done = apply(host, "resources { 'user': purge => true }")

    assert done.changes == ["User[ann]/ensure: removed"]


@pytest.mark.parametrize("groups", ["5", "{'a' => 1}", "[['a']]", "[Sensitive('a')]"])
def test_groups_that_are_no_texts_are_refused(groups: str) -> None:
    """Puppet's check asks each group whether it contains a comma."""
    with pytest.raises(PuppetError, match="groups: undefined method `include\\?' for "):
        apply(MemoryHost(installed=[*UserAdd.programs]), f"user {{ 'a': groups => {groups} }}")
