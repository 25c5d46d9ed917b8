"""The type java_ks: keystores are whole, entries are read once, and passwords are in no argument."""

from __future__ import annotations

from bunraku.world.dictionary import TEMPORARY_FILE
from bunraku.world.host import CommandTimeout
from support.applying import apply, declared
from support.host import Expected, MemoryHost, file

KEYTOOL = "/usr/bin/keytool"
STORE = "/srv/web.ks"
LIST = (KEYTOOL, "-list", "-v", "-keystore", STORE)
PASSWORD = "s3cret-w0rd"
OUTPUT = """Your keystore contains 2 entries

Alias name: web
Certificate fingerprints:
\t SHA1: 0A
\t SHA256: 0B
Signature algorithm name: SHA256withRSA

Alias name: Other
Certificate fingerprints:
\t SHA1: 0C
Signature algorithm name: SHA256withRSA
"""
PRINTED = "Certificate fingerprints:\n\t SHA1: {}\nSignature algorithm name: a\n"


def machine(*commands: Expected) -> MemoryHost:
    """Return a machine with a keystore and a certificate."""
    entries = {STORE: file("old", 0o640, 5, 60), "/srv/a.pem": file("certificate")}
    return MemoryHost(entries, commands=commands, installed=["keytool", "openssl"])


def entry(**attributes: object) -> dict[str, object]:
    """Return the attributes of an entry."""
    return {"certificate": "/srv/a.pem", "password": PASSWORD, **attributes}


def test_the_entries_of_a_keystore_are_read_once() -> None:
    host = machine(Expected(LIST, OUTPUT))

    done = apply(host, declared("java_ks", {f"WEB:{STORE}": entry(), f"other:{STORE}": entry()}))

    assert done.changes == []
    assert [command.content for command in host.ran] == [f"{PASSWORD}\n{PASSWORD}".encode()]
    assert PASSWORD not in repr(done.messages)


def test_a_new_entry_is_added_to_a_copy_of_the_keystore() -> None:
    def add() -> None:
        assert host.text(TEMPORARY_FILE) == "old"
        host.entries[TEMPORARY_FILE].content = b"new"

    words = ("-importcert", "-noprompt", "-alias", "new", "-file", "/srv/a.pem")
    added = Expected((KEYTOOL, *words, "-keystore", TEMPORARY_FILE, "-trustcacerts"), effect=add)
    host = machine(Expected(LIST, OUTPUT), added)

    done = apply(host, declared("java_ks", {f"New:{STORE}": entry(trustcacerts=True)}))

    assert done.changes == [f"Java_ks[New:{STORE}]/ensure: created"]
    status = host.status(STORE)
    assert (host.text(STORE), status.mode, status.uid, status.gid) == ("new", 0o640, 5, 60)


def test_nothing_is_left_of_a_change_that_fails() -> None:
    def spoil() -> None:
        host.entries[TEMPORARY_FILE].content = b"half of"

    words = (KEYTOOL, "-delete", "-alias", "web", "-keystore", TEMPORARY_FILE)
    fails = Expected(words, f"cannot write {TEMPORARY_FILE}", code=1, effect=spoil)
    host = machine(Expected(LIST, OUTPUT), fails)

    done = apply(host, declared("java_ks", {f"web:{STORE}": entry(ensure="absent")}))

    assert f"returned 1: cannot write {STORE}" in done.changes[0]
    assert host.text(STORE) == "old"


def test_latest_compares_the_certificates() -> None:
    printed = (KEYTOOL, "-v", "-printcert", "-file", "/srv/a.pem")
    host = machine(Expected(LIST, OUTPUT), Expected(printed, PRINTED.format("0A")))
    latest = {f"web:{STORE}": entry(ensure="latest")}

    assert apply(host, declared("java_ks", latest)).changes == []

    words = ("-alias", "web", "-keystore", TEMPORARY_FILE)
    host = machine(
        Expected(LIST, OUTPUT),
        Expected(printed, PRINTED.format("0D")),
        Expected((KEYTOOL, "-delete", *words)),
        Expected(
            (
                *(KEYTOOL, "-importcert", "-noprompt", "-alias", "web"),
                *("-file", "/srv/a.pem", "-keystore", TEMPORARY_FILE),
            )
        ),
    )
    done = apply(host, declared("java_ks", latest))
    assert done.changes == [f"Java_ks[web:{STORE}]/ensure: ensure changed 'present' to 'latest'"]


def test_a_keystore_with_another_password_stays_unless_it_is_given_up() -> None:
    refused = Expected(LIST, "keystore password was incorrect", code=1)
    reset = {f"web:{STORE}": entry(ensure="absent", password_fail_reset=True)}

    host = machine(refused)
    assert apply(host, declared("java_ks", reset), settings={"noop": True}).report.failures == 0
    assert host.text(STORE) == "old"

    host = machine(refused)
    done = apply(host, declared("java_ks", reset))
    assert done.changes == [f"Java_ks[web:{STORE}]/ensure: removed"]
    assert host.status(STORE) is None


def test_passwords_are_in_the_environment_or_on_standard_input() -> None:
    source = f"{TEMPORARY_FILE}.1"
    passwords = ("-passin", "env:BUNRAKU_STORE", "-passout", "env:BUNRAKU_STORE")
    pair = (
        *("/usr/bin/openssl", "pkcs12", "-export", "-inkey", "/srv/a.key", "-name", "new"),
        *("-out", source, *passwords, "-in", f"{TEMPORARY_FILE}.2"),
    )
    added = (
        *(KEYTOOL, "-importkeystore", "-srcstoretype", "PKCS12", "-destkeystore", TEMPORARY_FILE),
        *("-srckeystore", source, "-alias", "new", "-destkeypass:env", "BUNRAKU_KEY"),
    )
    host = machine(
        Expected(LIST, OUTPUT),
        Expected(
            (
                *("/usr/bin/openssl", "rsa", "-in", "/srv/a.key", "-noout"),
                *("-passin", "env:BUNRAKU_STORE"),
            )
        ),
        Expected(pair),
        Expected(added),
    )
    attributes = entry(private_key="/srv/a.key", destkeypass="another-word")

    done = apply(host, declared("java_ks", {f"new:{STORE}": attributes}))

    assert done.changes == [f"Java_ks[new:{STORE}]/ensure: created"]
    assert host.ran[2].environment["BUNRAKU_STORE"] == PASSWORD
    assert host.ran[3].environment["BUNRAKU_KEY"] == "another-word"
    assert host.ran[3].content == f"{PASSWORD}\n{PASSWORD}".encode()
    assert not any(PASSWORD in " ".join(command.words) for command in host.ran)


def test_a_program_that_takes_too_long_ends() -> None:
    def wait() -> None:
        raise CommandTimeout

    words = ("-importcert", "-noprompt", "-alias", "new", "-file", "/srv/a.pem")
    slow = Expected((KEYTOOL, *words, "-keystore", TEMPORARY_FILE), effect=wait)
    host = machine(Expected(LIST, OUTPUT), slow)

    done = apply(host, declared("java_ks", {f"new:{STORE}": entry(keytool_timeout=5)}))

    assert done.changes[0].endswith("Timed out waiting for 'new' to run keytool")
    assert host.ran[1].timeout == 5
