"""The resource type apt_key."""

from __future__ import annotations

import pytest

from bunraku.base.errors import PuppetError
from bunraku.values.sensitive import Sensitive
from bunraku.world.dictionary import TEMPORARY_FILE
from support.applying import apply, declared
from support.host import Expected, MemoryHost, file

FINGERPRINT = "EFEBC26E6DE6E29002F74B64242293C4CEE7A5DE"
OTHER = "C312A7E01E6F6393AA2FF529A225434EBB93E318"
LIST = (
    *("/usr/bin/apt-key", "adv", "--no-tty", "--list-keys"),
    *("--with-colons", "--fingerprint", "--fixed-list-mode"),
)
KEYS = f"""Warning: apt-key is deprecated
pub:-:255:22:242293C4CEE7A5DE:1577836800:::-:::scSC:::::ed25519:::0:
fpr:::::::::{FINGERPRINT}:
uid:-::::1577836800::AB::A <a@example.com>::::::::::0:
pub:e:1024:1:A225434EBB93E318:1577836800:1580428800::-:::sc::::::::0:
fpr:::::::::{OTHER}:
sub:e:1024:1:AAAAAAAAAAAAAAAA:1577836800:1580428800:::::e::::::23:
fpr:::::::::{"A" * 40}:
"""


def machine(*commands: Expected) -> MemoryHost:
    """Return a Debian with two keys, one of them expired."""
    files = {"/etc/os-release": "ID=debian\n", "/usr/bin/gpg": file("", 0o755), "/srv/key": "key"}
    listed = Expected(LIST, KEYS)
    return MemoryHost(files, commands=(listed, *commands), installed=["apt-key"])


@pytest.mark.parametrize("name", [FINGERPRINT, f"0x{FINGERPRINT.lower()}", FINGERPRINT[-8:]])
def test_key_is_found_by_each_form_of_its_identifier(name: str) -> None:
    host = machine()

    done = apply(host, declared("apt_key", {name: {"ensure": "present", "source": "/srv/key"}}))

    assert done.changes == []


def test_expired_key_is_added_again_with_refresh() -> None:
    host = machine(Expected(("/usr/bin/apt-key", "add", "/srv/key")))
    wanted = {"ensure": "present", "source": "/srv/key", "refresh": True}

    apply(host, declared("apt_key", {OTHER: wanted}))

    assert host.expected == []


def test_key_with_another_fingerprint_is_not_added() -> None:
    colons = f"pub:-:\nfpr:::::::::{OTHER}:\n"
    host = machine()
    host.expected[0].output = ""
    found = ("/usr/bin/gpg", "--no-tty", "--with-fingerprint", "--with-colons", TEMPORARY_FILE)
    host.expected.append(Expected(found, colons))

    done = apply(
        host, declared("apt_key", {FINGERPRINT: {"ensure": "present", "content": "other"}})
    )

    assert "don't match" in done.changes[0]
    assert len(host.ran) == 2


@pytest.mark.parametrize(
    ("attributes", "reason"),
    [
        ({"ensure": "absent", "refresh": True}, "mutually exclusive"),
        ({"content": "a", "source": "/srv/key"}, "mutually exclusive"),
        ({"source": "gopher://x"}, "Valid values match"),
        ({"server": "-x"}, "Valid values match"),
        ({"id": "abc"}, "Valid values match"),
    ],
)
def test_wrong_values(attributes: dict[str, object], reason: str) -> None:
    with pytest.raises(PuppetError, match=reason):
        apply(MemoryHost(), declared("apt_key", {FINGERPRINT: attributes}))


@pytest.mark.parametrize(
    "options", ["http-proxy=http://anna:S3CR3T@proxy:80", Sensitive("http-proxy=http://proxy:80")]
)
def test_options_with_a_password_are_refused(options: object) -> None:
    """They would be arguments of gpg."""
    host = machine()
    host.expected[0].output = ""
    done = apply(
        host, declared("apt_key", {FINGERPRINT: {"ensure": "present", "options": options}})
    )
    assert "among the arguments of gpg; set content or source instead" in done.changes[0]
    assert "S3CR3T" not in str(done.lines)
    assert len(host.ran) == 1
