"""The resource type ``x509_cert``."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from bunraku.providers.attributes import Parameter, SecretParameter
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.openssl_file import FORCE, PATH, PERMISSIONS, MadeOfKey, beside, read_path
from bunraku.providers.reading import boolean
from bunraku.providers.resource_type import Reference
from bunraku.types.ruby_semantics.values import to_s


class X509Cert(MadeOfKey):
    """Certificates that `openssl` makes, signed by their own key or by that of an authority.

    A refresh makes the certificate again.
    """

    name = "x509_cert"
    module = "puppet-openssl 4.2"
    attributes = (
        *PATH,
        Parameter(
            "private_key",
            read=read_path,
            default=partial(beside, ".key"),
            about="The file of the key; by default the path with the ending `.key`.",
        ),
        Parameter("days", pattern=r"\d+", default=3650, about="The days for which it is valid."),
        boolean("force", about=FORCE),
        SecretParameter("password", about="The password of the private key."),
        Parameter(
            "req_ext",
            words=("true", "false", "yes", "no"),
            default="false",
            about="Whether the section `v3_req` of the configuration adds extensions.",
        ),
        Parameter(
            "template",
            read=read_path,
            default=partial(beside, ".cnf"),
            about="The configuration; by default the path with the ending `.cnf`.",
        ),
        Parameter("csr", about="The file of a request for the certificate."),
        Parameter(
            "ca", about="The file with the certificate of the authority that signs a request."
        ),
        Parameter("cakey", about="The file with the key of the authority."),
        SecretParameter("cakey_password", about="The password of the key of the authority."),
        *PERMISSIONS,
    )

    def requires(self, resource: ManagedResource) -> Iterator[Reference]:
        """Yield the configuration, the key and the directory."""
        yield "file", to_s(resource["template"])
        key = to_s(resource["private_key"])
        yield "ssl_pkey", key
        yield "file", key
        yield from super().requires(resource)


resource_type = X509Cert
