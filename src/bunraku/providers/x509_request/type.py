"""The resource type ``x509_request``."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from bunraku.providers.attributes import Parameter, SecretParameter
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.openssl_file import (
    FORCE,
    PATH,
    PERMISSIONS,
    MadeOfKey,
    beside,
    read_path,
    without_ending,
)
from bunraku.providers.reading import boolean
from bunraku.providers.resource_type import Reference
from bunraku.types.ruby_semantics.values import to_s


class X509Request(MadeOfKey):
    """Requests for certificates, made of a configuration of `openssl` and a private key.

    A refresh makes the request again.
    """

    name = "x509_request"
    module = "puppet-openssl 4.2"
    attributes = (
        *PATH,
        boolean("force", about=FORCE),
        SecretParameter("password", about="The password of the private key."),
        Parameter(
            "template",
            read=read_path,
            default=partial(beside, ".cnf"),
            about="The configuration; by default the path with the ending `.cnf`.",
        ),
        Parameter(
            "private_key",
            read=read_path,
            default=partial(beside, ".key"),
            about="The file of the key; by default the path with the ending `.key`.",
        ),
        boolean("encrypted", default=True, about="Has no effect, as in the module."),
        *PERMISSIONS,
    )

    def requires(self, resource: ManagedResource) -> Iterator[Reference]:
        """Yield the certificate with the name of the key, the key, and the directory."""
        key = to_s(resource["private_key"])
        yield "x509_cert", without_ending(key)
        yield "file", key
        yield from super().requires(resource)


resource_type = X509Request
