"""The provider of ``java_ks``: ``keytool`` changes a copy of the keystore, which then replaces it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.java_ks.certificates import certificates_in
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import Provider, successful
from bunraku.providers.rewriting import rewrite
from bunraku.providers.ruby_classes import ruby_class
from bunraku.providers.run import Run
from bunraku.types.ruby_semantics.values import to_s
from bunraku.world.host import CommandTimeout

NEW_MODE = 0o644
"""The mode of a new keystore, which is that of keytool."""
FOR_KEY = "BUNRAKU_KEY"
FOR_SOURCE = "BUNRAKU_SOURCE"
FOR_STORE = "BUNRAKU_STORE"
"""The environment variables with the passwords of a key, a keystore to read, and the keystore."""
LINE_END = re.compile(r"(?:\r\n|\r|\n)\Z")
ENTRY = re.compile(r"^Alias name: (.*)$", re.MULTILINE)
FINGERPRINTS = re.compile(r"^Certificate fingerprints:(.*?)Signature", re.MULTILINE | re.DOTALL)
FINGERPRINT = re.compile(r"^\s+\S+:\s+(\S+)", re.MULTILINE)
WRONG_PASSWORD = re.compile(r"password was incorrect", re.IGNORECASE)
Step = Callable[[ManagedResource, str], None]
"""A change of a keystore, which is at a path."""


class Keytool(Provider):
    """Reads and changes keystores. Their passwords come on standard input, others in the environment."""

    name = "keytool"

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.outputs: dict[tuple[Any, ...], tuple[str, str | None]] = {}
        """What keytool printed of files, or why it failed, by arguments, state and passwords."""

    # -- reading -----------------------------------------------------------------------------------

    def exists(self, resource: ManagedResource) -> bool:
        """Return whether the keystore has the entry; one that cannot be read has none.

        One that is to be given up counts as having an entry that is to be absent.
        """
        if self.is_given_up(resource):
            return bool(resource["ensure"] == "absent")
        with suppress(ResourceFailure, OSError):
            return resource["name"] in self.entries(resource)
        return False

    def is_given_up(self, resource: ManagedResource) -> bool:
        """Return whether the keystore has another password, and the resource gives it up then."""
        if not resource.is_true("password_fail_reset"):
            return False
        with suppress(OSError):
            try:
                self.entries(resource)
            except ResourceFailure as error:
                return WRONG_PASSWORD.search(str(error)) is not None
        return False

    def entries(self, resource: ManagedResource) -> Mapping[str, str]:
        """Return the text about each entry of the keystore by alias; ResourceFailure, OSError."""
        target = target_of(resource)
        words = ("-list", "-v", "-keystore", target, *kind_words(resource))
        return keystore_entries(self.look(resource, target, *words, is_new=False))

    def look(self, resource: ManagedResource, path: str, *words: str, is_new: bool | None) -> str:
        """Return what keytool prints of a file; it is asked once for each state of the file.

        Raise ResourceFailure if it fails, OSError for a password that cannot be read.
        """
        status = self.host.status(path, follow=True)
        if status is None or status.size == 0:
            raise ResourceFailure(f"{path} does not exist or is empty")
        state = (status.device, status.inode, status.size, status.modified, status.changed)
        source = resource["source_password"]
        secrets = {} if source is None else {FOR_SOURCE: to_s(source)}
        key = (*words, *state, self.password(resource), source, *(resource["path"] or ()))
        if key not in self.outputs:
            try:
                output = self.keytool(resource, *words, is_new=is_new, secrets=secrets)
                self.outputs[key] = output, None
            except ResourceFailure as error:
                self.outputs[key] = "", str(error)
        output, failure = self.outputs[key]
        if failure is not None:
            raise ResourceFailure(failure)
        return output

    def is_latest(self, resource: ManagedResource) -> bool:
        """Return whether the entry has all certificates of the resource."""
        with self.file_of(resource, "certificate") as certificate:
            assert certificate is not None
            if self.run.settings["noop"] and self.host.status(certificate, follow=True) is None:
                return False
            wanted = fingerprints(self.printed(resource, certificate))
        return wanted <= fingerprints(self.entries(resource)[resource["name"]])

    def printed(self, resource: ManagedResource, certificate: str) -> str:
        """Return what keytool prints of the certificates of the resource."""
        if resource["storetype"] == "pkcs12":
            words = ("-v", "-list", "-keystore", certificate, "-storetype", "PKCS12")
            secret = ("-storepass:env", FOR_SOURCE)
            return self.look(resource, certificate, *words, *secret, is_new=None)
        files = [certificate, *([] if resource["chain"] is None else [to_s(resource["chain"])])]
        printed = (
            self.look(resource, one, "-v", "-printcert", "-file", one, is_new=None) for one in files
        )
        return "".join(printed)

    # -- changing ----------------------------------------------------------------------------------

    def create(self, resource: ManagedResource) -> None:
        """Add the entry."""
        self.change(resource, self.add)

    def destroy(self, resource: ManagedResource) -> None:
        """Remove the entry, or a keystore that is given up."""
        if self.is_given_up(resource):
            self.host.remove_file(target_of(resource))
        else:
            self.change(resource, self.remove)

    def update(self, resource: ManagedResource) -> None:
        """Replace the entry."""
        self.change(resource, self.remove, self.add)

    def change(self, resource: ManagedResource, *steps: Step) -> None:
        """Change a copy of the keystore, and replace the keystore by it."""
        target = target_of(resource)
        is_old = self.host.status(target, follow=True) is not None
        content = self.host.read(target) if is_old and not self.is_given_up(resource) else b""
        with self.host.temporary_file(content) as path:
            if not content:
                self.host.remove_file(path)  # keytool refuses an empty keystore
            try:
                for step in steps:
                    step(resource, path)
            except ResourceFailure as error:
                raise ResourceFailure(str(error).replace(path, target)) from None
            rewrite(self.host, target, self.host.read(path), new_mode=NEW_MODE)

    def remove(self, resource: ManagedResource, store: str) -> None:
        """Remove the entry from a keystore."""
        words = ("-delete", "-alias", resource["name"], "-keystore", store)
        self.keytool(resource, *words, *kind_words(resource), is_new=False)

    def add(self, resource: ManagedResource, store: str) -> None:
        """Add the entry to a keystore."""
        with (
            self.file_of(resource, "certificate") as certificate,
            self.file_of(resource, "private_key") as key,
        ):
            assert certificate is not None
            if key is not None:
                self.add_key(resource, store, certificate, key)
            elif resource["storetype"] == "pkcs12":
                self.import_store(resource, store, certificate, *alias_words(resource))
            else:
                self.add_certificate(resource, store, certificate)

    def add_certificate(self, resource: ManagedResource, store: str, certificate: str) -> None:
        """Add a certificate that is trusted."""
        words = ["-importcert", "-noprompt", "-alias", resource["name"], "-file", certificate]
        words += ["-keystore", store, *kind_words(resource), *trust_words(resource)]
        self.keytool(resource, *words, is_new=self.is_new(store))

    def add_key(self, resource: ManagedResource, store: str, certificate: str, key: str) -> None:
        """Add a private key with its certificates, which keytool takes from a keystore only."""
        words = ["-alias", resource["name"], *trust_words(resource)]
        if resource["storetype"] is not None:
            words += ["-deststoretype", resource["storetype"]]
        with self.host.temporary_file(b"") as source:
            self.write_pair(resource, certificate, key, source)
            self.import_store(resource, store, source, *words)

    def import_store(
        self, resource: ManagedResource, store: str, source: str, *further: str
    ) -> None:
        """Add what another keystore has."""
        words = ["-importkeystore", "-srcstoretype", "PKCS12", "-destkeystore", store]
        words += ["-srckeystore", source, *further]
        secrets: dict[str, str] = {}
        if resource["destkeypass"] is not None:
            words += ["-destkeypass:env", FOR_KEY]
            secrets = {FOR_KEY: to_s(resource["destkeypass"])}
        self.keytool(resource, *words, is_new=self.is_new(store), secrets=secrets)

    def is_new(self, store: str) -> bool:
        """Return whether a keystore is yet to be made."""
        return self.host.status(store) is None

    def write_pair(self, resource: ManagedResource, certificate: str, key: str, path: str) -> None:
        """Write a key and its certificates to a keystore, which the password protects."""
        kind = resource["private_key_type"]
        self.openssl(resource, kind, "-in", key, "-noout", "-passin", f"env:{FOR_STORE}")
        first, *others = certificates_in(self.host.read(certificate))
        if resource["chain"] is not None:
            others = certificates_in(self.host.read(to_s(resource["chain"])))
        words = ["pkcs12", "-export", "-inkey", key, "-name", resource["name"], "-out", path]
        for option in ("-passin", "-passout"):
            words += [option, f"env:{FOR_STORE}"]
        with (
            self.host.temporary_file(first) as leaf,
            self.host.temporary_file(b"\n".join(others)) as chain,
        ):
            further = ("-certfile", chain) if others else ()
            self.openssl(resource, *words, "-in", leaf, *further)

    # -- programs ----------------------------------------------------------------------------------

    def openssl(self, resource: ManagedResource, *words: str) -> None:
        """Run ``openssl`` with the password of the keystore; ResourceFailure if it fails."""
        self.program(resource, "openssl", *words, secrets={FOR_STORE: self.password(resource)})

    def keytool(
        self,
        resource: ManagedResource,
        *words: str,
        is_new: bool | None = None,
        secrets: Mapping[str, str] | None = None,
    ) -> str:
        """Return the output of ``keytool``; ResourceFailure if it fails.

        ``is_new`` says whether it makes the keystore, whose password it asks for twice; None if it does not
        ask.
        """
        lines: list[str] = []
        if is_new is not None:
            password, source = self.password(resource), resource["source_password"]
            lines = [password] * (2 if is_new else 1)
            lines.append(password if source is None else to_s(source))
        content = "\n".join(lines).encode("utf-8", "surrogateescape")
        return self.program(resource, "keytool", *words, content=content, secrets=secrets)

    def program(
        self,
        resource: ManagedResource,
        name: str,
        *words: str,
        content: bytes = b"",
        secrets: Mapping[str, str] | None = None,
    ) -> str:
        """Return the output of a program of the search path; ResourceFailure if it fails."""
        search = None if resource["path"] is None else ":".join(resource["path"])
        command = (self.host.find_program(name, search) or name, *words)
        environment: dict[str, str | None] = {**(secrets or {})}
        if search is not None:
            environment["PATH"] = search
        self.timeout = time_limit(resource)
        try:
            done = self.attempt(command, content=content, environment=environment)
        except CommandTimeout:
            text = f"Timed out waiting for '{resource['name']}' to run {name}"
            raise ResourceFailure(text) from None
        return successful(command, done).output

    # -- values ------------------------------------------------------------------------------------

    def password(self, resource: ManagedResource) -> str:
        """Return the password of the keystore; OSError if its file cannot be read."""
        path = resource["password_file"]
        if path is None:
            return to_s(resource["password"])
        text = self.host.read(to_s(path)).decode("utf-8", "surrogateescape")
        return LINE_END.sub("", text)

    @contextmanager
    def file_of(self, resource: ManagedResource, name: str) -> Iterator[str | None]:
        """Yield the file with a certificate or a key, or a private one with its content."""
        path, content = resource[name], resource[f"{name}_content"]
        if path is not None or content is None:
            yield None if path is None else to_s(path)
            return
        with self.host.temporary_file(to_s(content).encode("utf-8", "surrogateescape")) as made:
            yield made


def target_of(resource: ManagedResource) -> str:
    """Return the keystore of a resource; ResourceFailure if it has none."""
    if resource["target"] is None:
        raise ResourceFailure("the title has no keystore; set target")
    return to_s(resource["target"])


def kind_words(resource: ManagedResource) -> tuple[str, ...]:
    """Return the option with the kind of a keystore that keytool does not recognise itself."""
    return ("-storetype", "jceks") if resource["storetype"] == "jceks" else ()


def trust_words(resource: ManagedResource) -> tuple[str, ...]:
    """Return the option that trusts the authorities of Java."""
    return ("-trustcacerts",) if resource.is_true("trustcacerts") else ()


def alias_words(resource: ManagedResource) -> tuple[str, ...]:
    """Return the options that give an entry of another keystore the alias of the resource."""
    source = resource["source_alias"]
    return ("-srcalias", to_s(source), "-destalias", resource["name"]) if source else ()


def time_limit(resource: ManagedResource) -> float | None:
    """Return the limit of a call in seconds; None without one, ResourceFailure for another value."""
    value = resource["keytool_timeout"]
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ResourceFailure(f"keytool_timeout must be a number, not {ruby_class(value)}")
    return value or None


def keystore_entries(output: str) -> Mapping[str, str]:
    """Return what keytool prints of each entry, by alias in lower case.

    >>> keystore_entries("2 entries\\n\\nAlias name: a\\nof a\\nAlias name: B\\nof b\\n")
    {'a': '\\nof a\\n', 'b': '\\nof b\\n'}
    """
    _, *parts = ENTRY.split(output.replace("\r\n", "\n"))
    return {
        alias.strip().lower(): text for alias, text in zip(parts[::2], parts[1::2], strict=True)
    }


def fingerprints(output: str) -> set[str]:
    """Return the fingerprints of the certificates that keytool prints.

    >>> sorted(
    ...     fingerprints("Certificate fingerprints:\\n\\t SHA1: 0A\\n\\t SHA256: 0B\\nSignature")
    ... )
    ['0A', '0B']
    """
    return {one for part in FINGERPRINTS.findall(output) for one in FINGERPRINT.findall(part)}


provider = Keytool
