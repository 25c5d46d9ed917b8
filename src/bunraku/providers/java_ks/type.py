"""The resource type ``java_ks``."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import Any, cast

from bunraku.providers.attributes import (
    ABSENT,
    Ensure,
    Parameter,
    Read,
    SecretParameter,
    SecretProperty,
)
from bunraku.providers.errors import InvalidSecret, InvalidValue
from bunraku.providers.java_ks.keytool import Keytool
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.reading import check_text, munging, refused_by_check, switch
from bunraku.providers.resource_type import Reference, ResourceType
from bunraku.providers.ruby_classes import ruby_class
from bunraku.types.ruby_semantics.values import inspect, to_s

Value = Any
SHORTEST = 6
"""The characters of a password, at least."""
TITLES = (
    re.compile(r"^([^:]+)$", re.MULTILINE),
    re.compile(r"^(.*):([a-z]:[/\\].*)$", re.MULTILINE | re.IGNORECASE),
    re.compile(r"^(.*):(.*)$", re.MULTILINE),
)
"""The forms of titles: an alias, or an alias and a keystore."""


def parse_title(title: str) -> tuple[str, str | None]:
    """Return the alias and the keystore in a title.

    >>> parse_title("web:/etc/web.ks"), parse_title("web")
    (('web', '/etc/web.ks'), ('web', None))
    """
    match = next(filter(None, (one.search(title) for one in TITLES)), None)
    if match is None:
        return title, None
    found = match.groups()
    return found[0], found[1] if len(found) > 1 else None


def target_of_title(resource: ManagedResource) -> str | None:
    """Return the keystore in the title of a resource; None without one."""
    return parse_title(resource.title)[1]


def read_alias(value: Value, resource: ManagedResource) -> str:
    """Return an alias in lower case; that of the title unless the resource sets another one."""
    if resource.original.get("name") is None:
        value = parse_title(resource.title)[0]
    if not isinstance(value, str):
        reason = f"undefined method `downcase' for {inspect(value)}:{ruby_class(value)}"
        raise munging("name", value, reason)
    return value.lower()


def password_reader(name: str, ending: str) -> Read:
    """Return the check of a password; the message for a short one ends with ``ending``."""

    def read(value: Value) -> Value:
        if not isinstance(value, str | list | dict):
            reason = f"undefined method `length' for {inspect(value)}:{ruby_class(value)}"
            raise refused_by_check(name, reason)
        if len(value) < SHORTEST:
            raise InvalidSecret(f"{name} is {len(value)} characters long; must be {ending}")
        return value

    return read


def read_search_path(value: Value) -> list[str]:
    """Return directories: an array of texts, or text with colons."""
    found: list[str] = []
    for one in value if isinstance(value, list) else [value]:
        check_text("path", one, "split")
        found += one.split(":")
    return found


class EntryEnsure(Ensure):
    """Whether the keystore has the entry, with ``latest`` also the certificates of now."""

    def in_sync(self, resource: ManagedResource, current: Value) -> bool:
        """Return whether the entry is as wanted."""
        wanted = resource.accepted(self.name)
        if current in wanted:
            return True
        provider = cast(Keytool, resource.provider)
        return "latest" in wanted and current != ABSENT and provider.is_latest(resource)

    def change(self, resource: ManagedResource, wanted: Value) -> None:
        """Add the entry, remove it, or replace it."""
        provider = cast(Keytool, resource.provider)
        if wanted == "latest" and provider.exists(resource):
            provider.update(resource)
        else:
            super().change(resource, wanted)


class KeystorePassword(SecretProperty):
    """The password of the keystore, a property in name only: it is never changed."""

    def retrieve(self, resource: ManagedResource) -> Value:
        """Return the password that the resource sets."""
        return resource[self.name]


class JavaKs(ResourceType):
    """Certificates and private keys in keystores of Java.

    The title is an alias, or an alias and a keystore: `web:/etc/web.ks`. `keytool` works on a private copy
    of the keystore, which then replaces it with owner and mode unchanged: a run that is interrupted
    leaves the old one or the new one. Passwords are never in an argument list or a file. The entries of a
    keystore are read once for all resources. A keystore that `password_fail_reset` gives up is replaced or
    removed by the change of the resource, and with `noop` it stays; in the module reading it removes it.
    """

    name = "java_ks"
    module = "puppetlabs-java_ks 5.1"
    providers = ("keytool",)
    attributes = (
        EntryEnsure(
            ("present", "absent", "latest"),
            default="present",
            about="Whether the keystore has the entry. With `latest`, it has all certificates of `certificate` and `chain`; otherwise it is replaced.",
        ),
        KeystorePassword(
            "password",
            read=password_reader("password", "6 characters or greater in length"),
            about="The password of the keystore, of six characters at least. Use a `Sensitive` value.",
        ),
        Parameter("name", read_for=read_alias, about="The alias, which becomes lower case."),
        Parameter("target", default=target_of_title, about="The file of the keystore."),
        Parameter(
            "certificate",
            about="A file with a certificate, and maybe those of intermediate authorities; with `storetype => pkcs12`, a keystore.",
        ),
        Parameter("certificate_content", about="The content of such a file."),
        Parameter("storetype", words=("jceks", "pkcs12", "jks"), about="The kind of the keystore."),
        Parameter("private_key", about="The file with the private key of the certificate."),
        SecretParameter("private_key_content", about="The content of such a file."),
        Parameter(
            "private_key_type",
            words=("rsa", "dsa", "ec"),
            default="rsa",
            about="The kind of the private key.",
        ),
        Parameter("chain", about="A file with the certificates of intermediate authorities."),
        Parameter("password_file", about="A file with the password of the keystore."),
        switch(
            "password_fail_reset",
            default=False,
            about="Whether a keystore with another password is given up for a new one.",
        ),
        SecretParameter(
            "destkeypass",
            read=password_reader("destkeypass", "of length 6 or greater"),
            about="The password of the private key in the keystore.",
        ),
        switch("trustcacerts", default=False, about="Whether authorities of Java are trusted."),
        Parameter(
            "path", read=read_search_path, about="The directories that have keytool and openssl."
        ),
        Parameter("keytool_timeout", default=120, about="The limit of a call in seconds."),
        SecretParameter("source_password", about="The password of a keystore in `certificate`."),
        Parameter("source_alias", about="The alias in that keystore."),
        Parameter("provider"),
    )

    def check(self, resource: ManagedResource) -> None:
        """Raise InvalidValue for values that are missing or exclude each other."""
        if resource["ensure"] != ABSENT:
            check_sources(resource)
        if resource["password"] and resource["password_file"]:
            raise InvalidValue("You must pass either 'password' or 'password_file', not both.")
        if not resource["password"] and not resource["password_file"]:
            raise InvalidValue("You must pass one of 'password' or 'password_file'.")
        if resource["storetype"] == "pkcs12" and resource["source_password"] is None:
            raise InvalidValue(
                "You must provide 'source_password' when using a 'pkcs12' storetype."
            )

    def requires(self, resource: ManagedResource) -> Iterator[Reference]:
        """Yield the files of the key and the certificates, and the directory of the keystore."""
        for name in ("private_key", "certificate", "chain"):
            if resource[name] is not None:
                yield "file", to_s(resource[name])
        if resource["target"] is not None:
            yield "file", posixpath.dirname(to_s(resource["target"]))


def check_sources(resource: ManagedResource) -> None:
    """Raise InvalidValue unless the resource has one certificate, and at most one key."""
    certificate, key = (
        [resource[name], resource[f"{name}_content"]] for name in ("certificate", "private_key")
    )
    if not any(certificate):
        raise InvalidValue("You must pass one of 'certificate' or 'certificate_content'")
    if all(certificate):
        raise InvalidValue("You must pass either 'certificate' or 'certificate_content', not both.")
    if all(key):
        raise InvalidValue("You must pass either 'private_key' or 'private_key_content', not both.")


resource_type = JavaKs
