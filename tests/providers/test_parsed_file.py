"""Resource types whose resources are lines of a file."""

from __future__ import annotations

import hashlib

import pytest

from bunraku.base.errors import PuppetError
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.mailalias.aliases import Aliases
from bunraku.providers.parsed_file import FilePart
from bunraku.providers.registry import BUILTIN_TYPES
from bunraku.providers.run import Run
from bunraku.providers.ssh_authorized_key.parsed import WRITE
from bunraku.world.host import Account
from support.applying import apply
from support.host import ACCOUNTS, Expected, MemoryHost, file, link

HOSTS = "127.0.0.1 localhost\n# kept\n\n192.0.2.1 one  uno # note\njunk\n"
LEA = Account("lea", 1001, 1001, "/home/lea")


def no_log(*_: object, **__: object) -> None:
    """Drop a message."""


def body(host: MemoryHost, path: str) -> list[str]:
    """Return the lines of a written file; its header comes first."""
    lines = host.text(path).splitlines()
    assert [line.startswith("# HEADER: ") for line in lines[:4]] == [True, True, True, False]
    return lines[3:]


def test_other_lines_are_kept_and_resources_written_again() -> None:
    host = MemoryHost({"/etc/hosts": file(HOSTS, mode=0o640, uid=1)})

    done = apply(
        host, "host { 'one': ip => '192.0.2.9' } host { 'two': ip => '::1', comment => 'c' }"
    )

    assert body(host, "/etc/hosts") == [
        *("127.0.0.1\tlocalhost", "# kept", "", "192.0.2.9\tone\tuno\t# note", "junk"),
        "::1\ttwo\t# c",
    ]
    assert (host.entry("/etc/hosts").mode, host.entry("/etc/hosts").uid) == (0o640, 1)
    assert done.changes == [
        "Host[one]/ip: ip changed '192.0.2.1' to '192.0.2.9'",
        "Host[two]/ensure: created",
    ]


def test_a_second_run_writes_nothing() -> None:
    host = MemoryHost({"/etc/hosts": HOSTS})
    manifest = "host { 'one': ip => '192.0.2.9', host_aliases => ['a', 'b'] }"
    apply(host, manifest)
    before = host.entry("/etc/hosts")

    assert apply(host, manifest).changes == []
    assert host.entry("/etc/hosts") is before


def test_a_file_is_stored_in_the_filebucket_before_its_first_change() -> None:
    host = MemoryHost({"/etc/hosts": HOSTS})

    apply(host, "host { 'one': ip => '192.0.2.9' } host { 'two': ip => '192.0.2.8' }")

    digest = hashlib.sha256(HOSTS.encode()).hexdigest()
    bucket = "/var/bucket/" + "/".join(digest[:8])
    stored = [path for path in host.entries if path.endswith("/contents")]
    assert stored == [f"{bucket}/{digest}/contents"]
    assert host.text(stored[0]) == HOSTS


def test_a_link_stays_a_link() -> None:
    host = MemoryHost({"/etc/hosts": link("../srv/hosts"), "/srv/hosts": HOSTS})

    apply(host, "host { 'one': ensure => absent }")

    assert host.entry("/etc/hosts", follow=False).kind == "link"
    assert "one" not in host.text("/srv/hosts")


def test_a_line_without_a_required_field_fails_when_it_is_written() -> None:
    host = MemoryHost({"/etc/hosts": HOSTS})

    done = apply(host, "host { 'new': ensure => present }")

    assert done.changes[1] == "Host[new]/None: ip is a required attribute for hosts"
    assert host.text("/etc/hosts") == HOSTS


@pytest.mark.parametrize(
    ("parameters", "reason"),
    [
        ("ip => '300.1.1.1'", 'Invalid IP address "300.1.1.1"'),
        ("host_aliases => 'a b'", "Host aliases cannot include whitespace"),
        ('comment => "a\\nb"', "Comment cannot include newline"),
    ],
)
def test_wrong_values_are_refused_before_anything_is_applied(parameters: str, reason: str) -> None:
    with pytest.raises(PuppetError, match=reason):
        apply(MemoryHost({"/etc/hosts": HOSTS}), f"host {{ 'a': {parameters} }}")


def test_unmanaged_resources_are_removed() -> None:
    host = MemoryHost({"/etc/hosts": HOSTS})

    done = apply(
        host, "resources { 'host': purge => true } host { 'localhost': ip => '127.0.0.1' }"
    )

    assert done.changes == ["Host[one]/ensure: removed"]
    assert body(host, "/etc/hosts") == ["127.0.0.1\tlocalhost", "# kept", "", "junk"]


def test_purged_resources_have_the_relationships_of_their_generator() -> None:
    code = """
    resources { 'host': purge => true, require => Notify['first'], notify => Exec['told'] }
    notify { 'first': }
    exec { 'told': command => '/bin/true', refreshonly => true }
    """
    done = apply(
        MemoryHost({"/etc/hosts": HOSTS}),
        code,
    )
    assert done.changes[0] == "Notify[first]/message: defined 'message' as 'first'"
    assert done.report.statuses["Exec[told]"].failed_to_restart  # the machine has no /bin/true


def test_aliases_of_mail() -> None:
    host = MemoryHost()
    aliases = Aliases(Run(host, no_log, {}, BUILTIN_TYPES))
    lines = ['a: b,"|/bin/x, y"', "f: :include: /l", "# comment", ""]

    entries = [aliases.parse(line) for line in lines]

    assert entries == [
        {"name": "a", "recipient": ["b", "|/bin/x, y"]},
        {"name": "f", "file": "/l"},
        *(None, None),
    ]
    again = [
        aliases.line(FilePart("", name=state["name"], state=state))
        for state in entries[:2]
        if state
    ]
    assert again == lines[:2]


def test_aliases_on_several_lines_are_not_managed() -> None:
    """Real Puppet fails with an error of Ruby."""
    aliases = Aliases(Run(MemoryHost(), no_log, {}, BUILTIN_TYPES))
    with pytest.raises(ResourceFailure, match='The line "  b,c" has no colon'):
        aliases.parse("  b,c")


def test_a_host_has_a_key_of_each_type() -> None:
    path = "/etc/ssh/ssh_known_hosts"
    host = MemoryHost({path: "a,b ssh-rsa AAA\na ssh-dss BBB\n"})

    done = apply(
        host, "sshkey { 'a@dsa': key => 'CCC' } sshkey { 'new': type => rsa, key => 'DDD' }"
    )

    assert body(host, path) == ["a,b ssh-rsa AAA", "a ssh-dss CCC", "new ssh-rsa DDD"]
    assert done.changes[0].startswith("Sshkey[a@ssh-dss]/key: ")


# -- keys that may log in --------------------------------------------------------------------------

KEYS = "/home/lea/.ssh/authorized_keys"
WRITE_AS_USER = ("/bin/sh", "-c", WRITE, "sh", "/home/lea/.ssh", KEYS)


def test_keys_are_written_as_their_user() -> None:
    host = MemoryHost({KEYS: "no-pty ssh-rsa AAA old\nssh-rsa BBB\n# c\n"}, users=(*ACCOUNTS, LEA))
    host.expected = [Expected(WRITE_AS_USER), Expected(WRITE_AS_USER)]

    apply(
        host,
        """ssh_authorized_key { 'new': user => 'lea', type => 'ed25519', key => 'CCC', options => 'no-pty' }
           ssh_authorized_key { 'old': ensure => absent, user => 'lea' }""",
    )

    assert [command.user for command in host.ran] == ["lea", "lea"]
    assert host.ran[-1].content.decode().splitlines()[3:] == [
        "ssh-rsa BBB ",
        "# c",
        "no-pty ssh-ed25519 CCC new",
    ]


def test_root_writes_keys_only_where_no_other_user_can_change_a_directory() -> None:
    host = MemoryHost(users=(*ACCOUNTS, LEA))
    manifest = """ssh_authorized_key { 'k': user => 'lea', type => 'rsa', key => 'A',
                    target => '/etc/keys/lea', drop_privileges => false }"""
    host.make_directory("/etc", 0o755)
    host.make_directory("/etc/keys", 0o775)
    assert "is not trusted" in apply(host, manifest).changes[1]

    host.set_mode("/etc/keys", 0o755)
    apply(host, manifest)

    assert (host.entry("/etc/keys/lea").uid, host.entry("/etc/keys/lea").mode) == (1001, 0o600)


# -- jobs ------------------------------------------------------------------------------------------


def crontab(text: str, *commands: Expected) -> MemoryHost:
    """Return a machine whose root has a crontab."""
    read = Expected(("crontab", "-l"), text)
    return MemoryHost(commands=[read, *commands], installed=["crontab"])


WRITTEN = Expected(("crontab", "-"))


def test_a_job_is_found_by_its_name_and_its_settings_belong_to_it() -> None:
    text = "MAILTO=a\n# Puppet Name: job\nA=1\n1 2 * * * /bin/x\n@daily /bin/hand\n"
    host = crontab(text, WRITTEN)

    done = apply(
        host,
        "cron { 'job': command => '/bin/x', minute => [1, 31], weekday => 'Sun', environment => 'A=1' }",
    )

    assert [change.partition(": ")[2] for change in done.changes] == [
        "minute changed ['1'] to ['1', '31']",
        "defined 'weekday' as ['0']",
    ]
    assert host.ran[1].content.decode().splitlines()[4:] == [
        *("MAILTO=a", "# Puppet Name: job", "A=1", "1,31 2 * * 0 /bin/x", "@daily /bin/hand"),
    ]


def test_a_job_without_a_name_that_does_the_same_is_left_alone() -> None:
    host = crontab("5 5 * * * /bin/hand\n")

    done = apply(host, "cron { 'mine': command => '/bin/hand', minute => 5, hour => 5 }")

    assert done.changes == []


def test_a_word_and_a_field_exclude_each_other() -> None:
    with pytest.raises(PuppetError, match="cannot specify both a special schedule"):
        apply(crontab(""), "cron { 'a': command => 'x', special => 'daily', minute => 1 }")


def test_a_wrong_field_is_refused() -> None:
    with pytest.raises(PuppetError, match="60 is not a valid minute"):
        apply(crontab(""), "cron { 'a': command => 'x', minute => 60 }")


# -- file systems ----------------------------------------------------------------------------------

MOUNTS = "tmpfs /srv/in tmpfs rw 0 0\ntmpfs /srv/a\\040b tmpfs rw 0 0\n"


def mounts(*commands: Expected) -> MemoryHost:
    """Return a machine with two mounted file systems, one of them in the table."""
    files = {"/etc/fstab": "# c\ntmpfs /srv/in tmpfs size=1m 0 0\n", "/proc/self/mounts": MOUNTS}
    return MemoryHost(files, commands=commands, installed=["mount", "umount"])


def test_a_new_file_system_is_written_then_mounted_then_mounted_again() -> None:
    host = mounts(
        Expected(("/usr/bin/mount", "/srv/new")),
        Expected(("/usr/bin/mount", "-o", "remount", "/srv/new")),
    )

    done = apply(
        host, "mount { '/srv/new/': ensure => mounted, device => 'tmpfs', fstype => 'tmpfs' }"
    )

    assert body(host, "/etc/fstab")[-1] == "tmpfs\t/srv/new\ttmpfs\tdefaults\t0\t0"
    assert done.changes[0] == "Mount[/srv/new/]/ensure: defined 'ensure' as 'mounted'"


def test_a_file_system_is_unmounted_before_it_leaves_the_table() -> None:
    host = mounts(Expected(("/usr/bin/umount", "/srv/in")))

    apply(host, "mount { '/srv/in': ensure => absent }")

    assert body(host, "/etc/fstab") == ["# c"]


def test_what_is_mounted_and_in_the_table_is_present() -> None:
    assert apply(mounts(), "mount { '/srv/in': ensure => present }").changes == []
