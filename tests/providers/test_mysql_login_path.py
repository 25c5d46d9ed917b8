"""The type mysql_login_path: the file is whole, only its owner reads it, and nobody's link is followed."""

from __future__ import annotations

import sys

from bunraku.formats.mysql_login_file import (
    login_options,
    login_sections,
    read_login_file,
    write_login_file,
)
from bunraku.world.host import Account
from support.applying import apply, declared
from support.host import MemoryHost, directory, file, link

PATH = "/home/web/.mylogin.cnf"
USERS = (Account("root", 0, 0, "/root"), Account("web", 1000, 1000, "/home/web"))
PASSWORD = "s3cret-w0rd"
LOCAL = {"ensure": "present", "owner": "web", "user": "root", "password": PASSWORD, "port": 3306}


def machine(**entries: object) -> MemoryHost:
    """Return a machine with two homes."""
    return MemoryHost({"/root": directory(), "/home/web": directory(), **entries}, users=USERS)


def paths(host: MemoryHost, path: str = PATH) -> dict[str, dict[str, str]]:
    """Return the login paths of a file."""
    sections = login_sections(read_login_file(host.read(path))[1])
    return {name: login_options(lines) for name, lines in sections.items()}


def test_a_new_file_belongs_to_its_owner_alone() -> None:
    host = machine()

    done = apply(host, declared("mysql_login_path", {"local": LOCAL}, secret=["password"]))

    status = host.status(PATH)
    assert (status.mode, status.uid) == (0o600, 1000)
    assert paths(host) == {"local": {"user": "root", "password": PASSWORD, "port": "3306"}}
    assert done.changes == ["Mysql_login_path[local]/ensure: defined 'ensure' as 'present'"]
    assert PASSWORD not in repr(done.messages)
    assert (
        apply(host, declared("mysql_login_path", {"local": LOCAL}, secret=["password"])).changes
        == []
    )


def test_a_change_writes_the_options_of_the_resource_only_and_keeps_others() -> None:
    text = '[other]\nuser = a # comment\n[local]\nuser = "b"\nhost = "c"\n'
    before = file(write_login_file(bytes(20), text), 0o600, 1000, 7)
    host = machine(**{PATH: before})
    wanted = {"local-web": {"ensure": "present", "user": "root"}}

    done = apply(host, declared("mysql_login_path", wanted))

    assert done.changes == ["Mysql_login_path[local]/user: user changed 'b' to 'root'"]
    assert paths(host) == {"other": {"user": "a"}, "local": {"user": "root"}}
    status = host.status(PATH)
    assert (status.mode, status.uid, status.gid) == (0o600, 1000, 7)


def test_a_file_that_others_can_read_is_refused_as_programs_of_mysql_refuse_it() -> None:
    host = machine(**{PATH: file(write_login_file(bytes(20), "[local]\n"), 0o644, 1000, 7)})

    done = apply(host, declared("mysql_login_path", {"local": {"owner": "web", "user": "a"}}))

    assert done.changes == [
        f"Mysql_login_path[local]/None: {PATH} has the mode 0644; MySQL requires 0600"
    ]
    assert host.status(PATH).mode == 0o644


def test_a_link_is_not_followed() -> None:
    shadow = file("root:*:", 0o600)
    host = machine(**{"/etc/shadow": shadow, PATH: link("/etc/shadow")})

    done = apply(host, declared("mysql_login_path", {"local": LOCAL}, secret=["password"]))

    assert done.report.failures == 1
    assert host.text("/etc/shadow") == "root:*:"


def test_a_link_to_an_empty_file_is_not_followed() -> None:
    host = machine(**{"/etc/empty": file("", 0o600), PATH: link("/etc/empty")})

    done = apply(host, declared("mysql_login_path", {"local": LOCAL}, secret=["password"]))

    assert "is a link, not a file" in done.changes[0]
    assert host.text("/etc/empty") == ""


def test_a_machine_without_the_cipher_is_told_which_package_to_install(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "cryptography", None)
    host = machine()

    done = apply(host, declared("mysql_login_path", {"local": LOCAL}, secret=["password"]))

    assert done.changes == [
        f"Mysql_login_path[local]/None: {PATH} is encrypted: pip install cryptography"
    ]
    assert host.status(PATH) is None
