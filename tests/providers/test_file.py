"""The resource type file."""

from __future__ import annotations

import pytest

from bunraku import PuppetError
from support.applying import Applied, apply
from support.host import Account, Expected, MemoryHost, directory, file, link

HELLO = "{sha256}2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
OLD = "{sha256}cba06b5736faf67e54b07b561eae94395e774c517a7d910a54369e1263ccfbd4"


def changes(done: Applied) -> list[str]:
    """Return the changes without the type of the resource."""
    return [text.replace("File[", "").replace("]/", " ") for text in done.changes]


# -- contents ----------------------------------------------------------------------------------------


def test_a_new_file_has_the_default_mode_and_the_second_run_changes_nothing() -> None:
    host = MemoryHost({"/etc": directory()})
    manifest = "file { '/etc/motd': content => 'hello' }"

    assert changes(apply(host, manifest)) == [f"/etc/motd ensure: defined content as '{HELLO}'"]
    assert (host.text("/etc/motd"), host.entry("/etc/motd").mode) == ("hello", 0o644)
    assert changes(apply(host, manifest)) == []


def test_a_new_content_keeps_owner_and_mode() -> None:
    host = MemoryHost({"/etc/motd": file("old", 0o600, 1, 60)})

    done = apply(host, "file { '/etc/motd': content => 'hello' }")

    assert changes(done) == [f"/etc/motd content: content changed '{OLD}' to '{HELLO}'"]
    entry = host.entry("/etc/motd")
    assert (entry.mode, entry.uid, entry.gid) == (0o600, 1, 60)


def test_replace_false_keeps_the_content_and_sets_the_mode() -> None:
    host = MemoryHost({"/etc/motd": "old"})

    done = apply(host, "file { '/etc/motd': content => 'new', replace => false, mode => '0600' }")

    assert changes(done) == ["/etc/motd mode: mode changed '0644' to '0600'"]
    assert host.text("/etc/motd") == "old"


def test_an_empty_content_is_checked_and_written_as_any_other() -> None:
    check = Expected("/bin/check /etc/.bunraku-1.new")
    host = MemoryHost({"/etc/motd": file("old", 0o600)}, commands=[check])

    apply(host, "file { '/etc/motd': content => '', validate_cmd => '/bin/check %' }")

    assert (host.text("/etc/motd"), host.entry("/etc/motd").mode) == ("", 0o600)
    assert host.expected == []


def test_content_replaces_a_link() -> None:
    host = MemoryHost({"/etc/motd": link("/etc/other"), "/etc/other": "other"})

    apply(host, "file { '/etc/motd': ensure => file, content => 'hello' }")

    assert host.entry("/etc/motd", follow=False).kind == "file"
    assert host.text("/etc/other") == "other"


def test_present_accepts_a_directory_and_warns() -> None:
    host = MemoryHost({"/etc/motd": directory()})

    done = apply(host, "file { '/etc/motd': ensure => present, content => 'x' }")

    assert changes(done) == []
    assert any("file type is directory so no content will be synced" in one for one in done.lines)


@pytest.mark.parametrize(
    ("kind", "start"),
    [("md5", "{md5}5d4140"), ("sha256lite", "{sha256lite}2cf24d"), ("sha512", "{sha512}9b71d2")],
)
def test_messages_have_the_checksum_of_the_wanted_kind(kind: str, start: str) -> None:
    done = apply(
        MemoryHost({"/etc": directory()}),
        f"file {{ '/etc/motd': content => 'hello', checksum => {kind} }}",
    )

    assert f"defined content as '{start}" in done.changes[0]


def test_nothing_is_made_without_ensure_and_content() -> None:
    host = MemoryHost({"/etc": directory()})

    assert changes(apply(host, "file { '/etc/motd': mode => '0600' }")) == []
    assert host.status("/etc/motd") is None


def test_a_secret_content_is_redacted() -> None:
    host = MemoryHost({"/etc/motd": "old"}, installed=["diff"])

    done = apply(
        host,
        "file { ['/etc/motd', '/etc/new']: content => Sensitive('secret'), backup => '.bak' }",
        settings={"show_diff": True},
    )

    assert changes(done) == [
        "/etc/motd content: changed [redacted] to [redacted]",
        "/etc/new ensure: changed [redacted] to [redacted]",
    ]
    assert "secret" not in repr(done)
    assert "Notice: /Stage[main]/Main/File[/etc/motd]/content: [diff redacted]" in done.lines


def test_show_diff_logs_what_diff_prints() -> None:
    words = ("diff", "-u", "--label", "/m", "--label", "/m (new)", "/m", "-")
    host = MemoryHost({"/m": "a"}, commands=[Expected(words, "--- +++\n", 1)], installed=["diff"])

    done = apply(host, "file { '/m': content => 'b' }", settings={"show_diff": True})

    assert "Notice: /Stage[main]/Main/File[/m]/content: \n--- +++\n" in done.lines
    assert host.ran[0].content == b"b"


def test_a_refused_content_leaves_the_old_one() -> None:
    check = Expected("/bin/check /etc/.bunraku-1.new", "line 1: wrong\n", 3)
    host = MemoryHost({"/etc/motd": "old"}, commands=[check])

    done = apply(host, "file { '/etc/motd': content => 'hello', validate_cmd => '/bin/check %' }")

    reason = "Execution of '/bin/check /etc/.bunraku-1.new' returned 3: line 1: wrong"
    assert changes(done) == [
        f"/etc/motd content: change from '{OLD}' to '{HELLO}' failed: {reason}"
    ]
    assert host.text("/etc/motd") == "old"
    assert list(host.list_directory("/etc")) == ["motd"]


# -- owners and modes ----------------------------------------------------------------------------------


def test_owners_are_names_in_messages_and_numbers_in_events() -> None:
    host = MemoryHost({"/a": ""})

    done = apply(host, "file { '/a': owner => 'daemon', group => '777' }")

    assert changes(done) == [
        "/a owner: owner changed 'root' to 'daemon'",
        "/a group: group changed 'root' to 777",
    ]
    assert [(event.previous, event.desired) for event in done.report.events()] == [(0, 1), (0, 777)]


def test_an_unknown_owner_fails_after_the_content_was_written() -> None:
    host = MemoryHost({"/etc": directory()})

    done = apply(host, "file { '/etc/a': content => 'x', owner => 'nobodyhere' }")

    assert "Could not set 'file' on ensure: Could not find user nobodyhere" in done.changes[0]
    assert host.text("/etc/a") == "x"
    assert done.report.exit_code() == 4


def test_another_user_than_root_keeps_the_owner() -> None:
    host = MemoryHost({"/a": file("", uid=1), "/b": file("", uid=1)}, effective=1)

    done = apply(host, "file { ['/a', '/b']: owner => 'games' }")

    assert changes(done) == []
    assert sum("Cannot manage ownership unless running as root" in one for one in done.lines) == 1


def test_a_user_that_is_added_in_the_same_run_owns_the_file() -> None:
    added = Account("web", 33, 33)
    host = MemoryHost({"/a": ""})

    def add() -> None:
        host.accounts.append(added)

    host.add("/bin/add", file("", 0o755))
    host.expected = [Expected("/bin/add", effect=add)]
    done = apply(host, "exec { '/bin/add': } -> file { '/a': owner => 'web' }")

    assert changes(done)[1] == "/a owner: owner changed 'root' to 'web'"


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ("0755", "mode changed '0600' to '0755'"),
        ("755", "mode changed '0600' to '0755'"),
        ("u+x,g+r", "mode changed '0600' to '0740' (u+x,g+r)"),
        ("a=rX", ("change from '0600' to 'a=rX' failed: "
         "X only works with the '+' operator in symbolic mode \"a=rX\"")),
        ("+t", "mode changed '0600' to '1600' (+t)"),
        ("g=u,o=g", "mode changed '0600' to '0666' (g=u,o=g)"),
    ],
)  # fmt: skip
def test_modes(wanted: str, message: str) -> None:
    host = MemoryHost({"/a": file("", 0o600)})

    done = apply(host, f"file {{ '/a': mode => '{wanted}' }}")

    assert changes(done) == [f"/a mode: {message}"]


def test_a_directory_can_be_searched_by_those_who_may_read_it() -> None:
    host = MemoryHost({"/srv": directory()})

    apply(host, "file { '/srv/d': ensure => directory, mode => '0640' }")

    assert host.entry("/srv/d").mode == 0o750


@pytest.mark.parametrize(
    ("parameters", "reason"),
    [
        ("mode => 'u~x'", ('Parameter mode failed on File[/a]: The file mode specification is '
         'invalid: "u~x"')),
        ("mode => 644", ("Parameter mode failed on File[/a]: The file mode specification must be "
         "a string, not 'Integer'")),
        ("content => 'x', source => '/y'", ("Validation of File[/a] failed: You cannot specify "
         "more than one of content, source, target")),
        ("source => 'x'", "Parameter source failed on File[/a]: Cannot use relative URLs 'x'"),
        ("source => 'ftp:/x'", ("Parameter source failed on File[/a]: Cannot use URLs of type 'ftp' "
         "as source for fileserving")),
        ("recurse => remote", ("Validation of File[/a] failed: You cannot specify a remote "
         "recursion without a source")),
        ("content => 'x', checksum => mtime", ("Validation of File[/a] failed: You cannot specify "
         "content when using checksum 'mtime'")),
        ("backup => 'nowhere'", ("Could not find filebucket nowhere "
         "specified in backup")),
    ],
)  # fmt: skip
def test_wrong_values_stop_the_run_before_any_change(parameters: str, reason: str) -> None:
    host = MemoryHost()

    with pytest.raises(PuppetError) as refused:
        apply(host, f"file {{ '/b': content => 'b' }}\nfile {{ '/a': {parameters} }}")

    assert refused.value.message == reason
    assert host.status("/b") is None


# -- directories and links -----------------------------------------------------------------------------


def test_a_directory_is_removed_by_force_only() -> None:
    host = MemoryHost({"/srv/d/x": "x"})

    done = apply(host, "file { '/srv/d': ensure => absent }")
    assert any("Not removing directory; use 'force' to override" in one for one in done.lines)
    assert host.text("/srv/d/x") == "x"

    apply(host, "file { '/srv/d': ensure => absent, force => true }")
    assert host.status("/srv/d") is None


def test_links() -> None:
    host = MemoryHost({"/srv/a": link("/old"), "/srv/b": "file"})

    done = apply(
        host,
        "file { '/srv/a': ensure => link, target => '/new' }"
        "file { ['/srv/b', '/srv/c']: ensure => '/new' }",
    )

    assert changes(done) == [
        "/srv/a target: target changed '/old' to '/new'",
        "/srv/b ensure: ensure changed 'file' to 'link'",
        "/srv/c ensure: created",
    ]
    assert [host.link_target(f"/srv/{name}") for name in "abc"] == ["/new"] * 3


def test_a_missing_directory_is_named() -> None:
    done = apply(MemoryHost(), "file { '/no/x': ensure => directory }")

    assert changes(done) == [
        (
            "/no/x ensure: change from 'absent' to 'directory' failed: "
            "Cannot create /no/x; parent directory /no does not exist"
        )
    ]


# -- sources -------------------------------------------------------------------------------------------


def test_the_first_source_that_exists_is_copied() -> None:
    host = MemoryHost({"/m/web/files/a": "from the module", "/srv/b": "local", "/srv": directory()})
    manifest = (
        "file { '/srv/x': source => ['/srv/no', 'puppet:///modules/web/a'] }"
        "file { '/srv/y': source => 'file:///srv/b' }"
    )

    apply(host, manifest, modules=["/none", "/m"])

    assert (host.text("/srv/x"), host.text("/srv/y")) == ("from the module", "local")


def test_a_missing_source_fails_the_resource() -> None:
    done = apply(MemoryHost(), "file { '/x': source => ['/a', 'puppet:///modules/web/a'] }")

    assert done.lines[0] == (
        "Error: /Stage[main]/Main/File[/x]: Could not evaluate: Could not retrieve information "
        "from environment production source(s) file:///a, puppet:///modules/web/a"
    )


def test_a_source_is_copied_when_it_is_newer_by_mtime() -> None:
    host = MemoryHost({"/a": "new", "/x": "old"})
    manifest = "file { '/x': source => '/a', checksum => mtime }"

    assert changes(apply(host, manifest)) == []
    host.entry("/a").modified += 1000
    assert len(changes(apply(host, manifest))) == 1
    assert host.text("/x") == "new"


def test_recursion_copies_a_tree_and_leaves_other_files() -> None:
    host = MemoryHost({"/s/a": "a", "/s/b/c": "c", "/s/.git/x": "", "/t/extra": "extra"})
    manifest = (
        "file { '/t': ensure => directory, source => '/s', recurse => true, ignore => '.g*' }"
    )

    done = apply(host, manifest)

    assert [text.split()[0] for text in changes(done)] == ["/t/a", "/t/b", "/t/b/c"]
    assert sorted(host.below("/t")) == ["/t/a", "/t/b", "/t/b/c", "/t/extra"]
    assert changes(apply(host, manifest)) == []


def test_all_sources_are_merged_and_the_earliest_wins() -> None:
    host = MemoryHost({"/1/a": "1", "/2/a": "2", "/2/b": "2", "/t": directory()})

    apply(
        host,
        "file { '/t': source => ['/1', '/2'], recurse => remote, sourceselect => all }",
    )

    assert (host.text("/t/a"), host.text("/t/b")) == ("1", "2")


def test_purge_removes_what_nothing_manages() -> None:
    host = MemoryHost({"/t/keep": "k", "/t/drop": "d", "/t/d/x": "x"})

    done = apply(
        host,
        "file { '/t': ensure => directory, recurse => true, purge => true }"
        "file { '/t/keep': content => 'k' }",
    )

    assert sorted(host.below("/t")) == ["/t/d", "/t/keep"]
    assert "/t/drop ensure: removed" in changes(done)


def test_too_many_entries_fail_the_recursion_but_not_the_directory() -> None:
    host = MemoryHost({f"/t/{number}": "" for number in range(5)})

    done = apply(host, "file { '/t': recurse => true, mode => '0700', max_files => 4 }")

    assert "contains 5 entries, which exceeds the limit of 4" in done.lines[0]
    assert changes(done) == ["/t mode: mode changed '0755' to '0700'"]
    assert done.report.status == "failed"


# -- backups -------------------------------------------------------------------------------------------


def test_the_old_content_goes_into_the_bucket_of_the_run() -> None:
    host = MemoryHost({"/etc/motd": "old"})

    apply(host, "file { '/etc/motd': content => 'new', backup => 'puppet' }")

    digest = OLD.removeprefix("{sha256}")
    kept = f"/var/bucket/{'/'.join(digest[:8])}/{digest}"
    assert host.text(f"{kept}/contents") == "old"
    assert host.text(f"{kept}/paths") == "/etc/motd\n"
    assert host.entry(f"{kept}/contents").mode == 0o440


def test_a_content_can_be_taken_from_a_bucket() -> None:
    host = MemoryHost({"/etc/motd": "old"})
    apply(host, "file { '/etc/motd': content => 'new', backup => 'puppet' }")

    apply(host, f"file {{ '/etc/motd': content => '{OLD}', backup => 'puppet' }}")

    assert host.text("/etc/motd") == "old"


def test_a_suffix_keeps_the_old_content_beside_the_file() -> None:
    host = MemoryHost({"/etc/motd": file("old", 0o600, 1, 1), "/etc/motd.bak": "older"})

    apply(host, "file { '/etc/motd': ensure => absent, backup => '.bak' }")

    entry = host.entry("/etc/motd.bak")
    assert (entry.content, entry.mode, entry.uid) == (b"old", 0o600, 1)
    assert host.status("/etc/motd") is None


# -- order -------------------------------------------------------------------------------------------


def test_a_file_waits_for_its_directory_and_a_link_for_its_target() -> None:
    host = MemoryHost()

    done = apply(
        host,
        "file { '/d/l': ensure => link, target => '/d/x/a' }"
        "file { '/d/x/a': content => '' } file { '/d/x/': ensure => directory }"
        "file { '/d': ensure => directory }",
    )

    assert [text.split()[0] for text in changes(done)] == ["/d", "/d/x/", "/d/x/a", "/d/l"]


def test_noop_changes_nothing() -> None:
    host = MemoryHost({"/a": file("a", 0o600)})

    done = apply(host, "file { '/a': mode => '0644', noop => true, owner => 'nobodyhere' }")

    assert changes(done) == [
        "/a owner: current_value 'root', should be 'nobodyhere' (noop)",
        "/a mode: current_value '0600', should be '0644' (noop)",
    ]
    assert host.entry("/a").mode == 0o600


def test_the_last_content_of_an_array_is_written() -> None:
    host = MemoryHost({"/srv": directory()})
    apply(host, "file { '/srv/a': content => ['b', 'c'] }")
    assert host.text("/srv/a") == "c"


@pytest.mark.parametrize("value", ["{'a' => 1}", "[['a'], 'b']", "Timestamp('2026-01-01')"])
def test_content_that_is_no_text_is_refused(value: str) -> None:
    """Puppet computes a checksum of it, which needs a text."""
    with pytest.raises(PuppetError, match=r"no implicit conversion of \S+ into String"):
        apply(MemoryHost({"/srv": directory()}), f"file {{ '/srv/a': content => {value} }}")
