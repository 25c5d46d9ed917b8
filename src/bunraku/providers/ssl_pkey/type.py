"""The resource type ``ssl_pkey``."""

from __future__ import annotations

from bunraku.providers.attributes import Parameter, SecretParameter
from bunraku.providers.openssl_file import PATH, PERMISSIONS, OpensslFileType


class SslPkey(OpensslFileType):
    """Private keys that `openssl` makes. An existing file stays as it is."""

    name = "ssl_pkey"
    module = "puppet-openssl 4.2"
    attributes = (
        *PATH,
        Parameter(
            "authentication", words=("rsa", "ec"), default="rsa", about="The kind of the key."
        ),
        Parameter("size", pattern=r"\d+", default=2048, about="The size of an RSA key in bits."),
        Parameter("curve", default="secp384r1", about="The elliptic curve of a key of kind `ec`."),
        SecretParameter("password", about="The password that encrypts the key."),
        *PERMISSIONS,
    )


resource_type = SslPkey
