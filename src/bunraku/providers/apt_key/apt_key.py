"""Keys in the keyring of ``apt-key``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from bunraku.providers.apt_key.sources import key_from
from bunraku.providers.attributes import ABSENT
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import Provider, State
from bunraku.providers.systems import is_debian
from bunraku.types.ruby_semantics.values import to_s

GPG = "/usr/bin/gpg"
LIST = ("adv", "--no-tty", "--list-keys", "--with-colons", "--fingerprint", "--fixed-list-mode")
KINDS = {"1": "rsa", "17": "dsa", "18": "ecc", "19": "ecdsa"}
"""The numbers of algorithms in the output of gpg (``/usr/share/doc/gnupg/DETAILS.gz``)."""
BY_LENGTH = {40: "fingerprint", 16: "long", 8: "short"}
READ_ONLY = frozenset({"created", "expired", "expiry", "size", "type"})
FULL, FINGERPRINT_FIELD = 40, 9


class AptKeys(Provider):
    """Runs ``apt-key``."""

    name = "apt_key"
    programs = ("apt-key",)

    def suitable(self) -> bool:
        """Return whether the machine has Debian, apt-key and gpg."""
        return is_debian(self.host) and self.host.is_executable(GPG) and super().suitable()

    @property
    def program(self) -> str:
        """The path of apt-key."""
        return self.host.find_program("apt-key") or "apt-key"

    # -- reading ---------------------------------------------------------------------------------

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return the keys by fingerprint; for resources, by their identifiers."""
        output = self.execute(self.program, *LIST).output
        keys = [listed_key(lines) for lines in blocks(output.splitlines()) if lines["fpr"]]
        if wanted is None:
            return {key["fingerprint"]: key for key in keys}
        found = {}
        for resource in wanted:
            kind = BY_LENGTH.get(len(resource.name))
            key = next((key for key in keys if kind and key[kind] == resource.name), None)
            if key is not None:
                found[resource.name] = dict(key)
        return found

    def exists(self, resource: ManagedResource) -> bool:
        """Return whether the key exists; with ``refresh``, an expired one does not."""
        expired = self.state(resource).get("expired") and resource.is_true("refresh")
        return super().exists(resource) and not expired

    # -- changing --------------------------------------------------------------------------------

    def create(self, resource: ManagedResource) -> None:
        """Add the key: its content, its source, or what the key server has."""
        content, source = resource["content"], resource["source"]
        if content is not None:
            self.add(resource, str(content).encode("utf-8", "surrogateescape"))
        elif source is None:
            self.receive(resource)
        elif source.startswith("/"):
            if self.host.status(source, follow=True) is None:
                raise ResourceFailure(f"The file {source} does not exist")
            self.execute(self.program, "add", source)
        else:
            self.add(resource, key_from(resource))

    def receive(self, resource: ManagedResource) -> None:
        """Add the key of a key server. gpg accepts options for it only as arguments, as apt-key calls it."""
        if resource.is_private("options"):
            raise ResourceFailure(
                "other users could see the password in options among the arguments of gpg; "
                "set content or source instead"
            )
        options = resource["options"]
        more = () if options is None else ("--keyserver-options", to_s(options))
        server = ("adv", "--no-tty", "--keyserver", resource["server"], *more)
        self.execute(self.program, *server, "--recv-keys", resource["id"])

    def add(self, resource: ManagedResource, key: bytes) -> None:
        """Add a key from a file that only root can read, after a check of its fingerprint."""
        with self.host.temporary_file(key) as path:
            if len(resource.name) == FULL:
                self.check(resource, path)
            self.execute(self.program, "add", path)

    def check(self, resource: ManagedResource, path: str) -> None:
        """Raise ResourceFailure unless a file has the key of a resource."""
        output = self.attempt((GPG, "--no-tty", "--with-fingerprint", "--with-colons", path)).output
        lines = (line.split(":") for line in output.splitlines() if line.startswith("fpr:"))
        if resource.name not in [field_of(line, FINGERPRINT_FIELD) for line in lines]:
            raise ResourceFailure(
                f"The id in your manifest {resource.name} and the fingerprint from content/source "
                "don't match. Check for an error in the id and content/source is legitimate."
            )

    def destroy(self, resource: ManagedResource) -> None:
        """Remove the key, as often as it is in the keyring."""
        short = self.state(resource)["short"]
        listed = re.compile(rf"/{short}\s")
        while True:
            self.execute(self.program, "del", short)
            if not listed.search(self.attempt((self.program, "list")).output):
                return

    def set(self, resource: ManagedResource, name: str, value: Any) -> None:
        """Refuse to change what only the key itself decides."""
        if name in READ_ONLY:
            raise ResourceFailure("This is a read-only property.")


def blocks(lines: Sequence[str]) -> Iterator[dict[str, list[str]]]:
    """Yield the lines of each public key by their kind."""
    found: dict[str, list[str]] | None = None
    for line in lines:
        kind = line[:3]
        if kind == "pub":
            if found is not None:
                yield found
            found = {"pub": [line], "fpr": [], "sub": []}
        elif found is not None and kind in found:
            found[kind].append(line)
    if found is not None:
        yield found


def listed_key(lines: Mapping[str, Sequence[str]]) -> State:
    """Return the state of a key from gpg's lines about it."""
    fields = lines["pub"][0].split(":")
    fingerprint = lines["fpr"][0].rstrip(":").split(":")[-1]
    expiry = field_of(fields, 6)
    states = [field_of(line.split(":"), 1) for line in lines["sub"]]
    return {
        "ensure": "present",
        "fingerprint": fingerprint,
        "long": fingerprint[-16:],
        "short": fingerprint[-8:],
        "expired": fields[1] == "e" or (bool(states) and "-" not in states),
        "expiry": day(expiry) if expiry else ABSENT,
        "size": fields[2],
        "type": KINDS.get(fields[3], ABSENT),
        "created": day(fields[5]),
    }


def field_of(fields: Sequence[str], number: int) -> str:
    """Return a field of a line, empty if the line is shorter."""
    return fields[number] if number < len(fields) else ""


def day(seconds: str) -> str:
    """Return the date of a time in this machine's zone."""
    return datetime.fromtimestamp(int(seconds)).astimezone().strftime("%Y-%m-%d")


provider = AptKeys
