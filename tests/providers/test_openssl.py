"""The types of the module openssl: files are whole or absent, and passwords are in no argument."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from support.applying import apply, declared
from support.host import Expected, MemoryHost, directory, file

OPENSSL = "/usr/bin/openssl"
PARAMETERS = "-----BEGIN DH PARAMETERS-----\nMEYC\n-----END DH PARAMETERS-----\n"
PASSWORD = "s3cret-w0rd"


def test_parameters_are_written_when_openssl_has_made_all_of_them() -> None:
    commands = [
        Expected((OPENSSL, "dhparam", "-dsaparam", "512"), PARAMETERS),
        Expected((OPENSSL, "dhparam", "2048"), "-----BEGIN", code=1, errors="killed"),
    ]
    host = MemoryHost({"/srv": directory()}, commands=commands, installed=["openssl"])

    wanted = {
        "/srv/a": {"fastmode": True, "mode": "0600"},
        "/srv/b": {"ensure": "present", "size": 2048},
    }
    done = apply(host, declared("dhparam", wanted))

    assert done.changes[0] == "Dhparam[/srv/a]/ensure: created"
    assert done.changes[1].endswith("'/usr/bin/openssl dhparam 2048' returned 1: -----BEGINkilled")
    assert host.read("/srv/a") == PARAMETERS.encode()
    assert host.status("/srv/a").mode == 0o600
    assert host.status("/srv/b") is None


def test_a_password_is_only_in_the_environment_of_openssl() -> None:
    commands = [
        Expected((OPENSSL, "genrsa", "2048"), "plain key"),
        Expected(
            (OPENSSL, "pkey", "-traditional", "-aes-256-cbc", "-passout", "env:PASSPHRASE"), "key"
        ),
    ]
    host = MemoryHost({"/srv": directory()}, commands=commands, installed=["openssl"])

    done = apply(
        host, declared("ssl_pkey", {"/srv/a.key": {"ensure": "present", "password": PASSWORD}})
    )

    assert host.read("/srv/a.key") == b"key"
    assert host.ran[1].content == b"plain key"
    assert host.ran[1].environment["PASSPHRASE"] == PASSWORD
    assert PASSWORD not in repr(done.messages)


def test_a_certificate_of_another_key_is_replaced_and_its_owner_stays() -> None:
    commands = [
        Expected((OPENSSL, "pkey", "-in", "/srv/a.key", "-pubout"), "new"),
        Expected((OPENSSL, "x509", "-in", "/srv/a.crt", "-noout", "-pubkey"), "old"),
        Expected(
            (
                *(OPENSSL, "req", "-config", "/srv/a.cnf", "-new", "-x509"),
                *("-days", "3650", "-key", "/srv/a.key"),
            ),
            "certificate",
        ),
    ]
    old = file("old", 0o640, 7, 7)
    host = MemoryHost(
        {"/srv": directory(), "/srv/a.crt": old}, commands=commands, installed=["openssl"]
    )

    done = apply(host, declared("x509_cert", {"/srv/a.crt": {"ensure": "present", "force": True}}))

    assert done.changes == ["X509_cert[/srv/a.crt]/ensure: created"]
    status = host.status("/srv/a.crt")
    assert (host.read("/srv/a.crt"), status.mode, status.uid) == (b"certificate", 0o640, 7)


class WatchedHost(MemoryHost):
    """A host that notes the modes with which files are written."""

    modes: tuple[int, ...] = ()

    def replace_file(
        self,
        path: str,
        content: Iterable[bytes],
        *,
        mode: int,
        owner: tuple[int, int] | None = None,
        check: Callable[[str], None] | None = None,
        staging: str | None = None,
    ) -> None:
        """Note the mode, and write the file."""
        self.modes += (mode,)
        super().replace_file(path, content, mode=mode, owner=owner, check=check, staging=staging)


def test_others_can_read_a_hidden_key_at_no_moment() -> None:
    commands = [
        Expected((OPENSSL, "genrsa", "2048"), "plain key"),
        Expected((OPENSSL, "pkey", "-traditional"), "key"),
    ]
    host = WatchedHost({"/srv": directory()}, commands=commands, installed=["openssl"])

    apply(host, declared("ssl_pkey", {"/srv/a.key": {"ensure": "present", "mode": "0600"}}))

    assert host.modes == (0o600,)
    assert host.status("/srv/a.key").mode == 0o600
