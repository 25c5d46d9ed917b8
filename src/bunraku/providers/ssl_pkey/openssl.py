"""The provider of ``ssl_pkey``: keys that ``openssl`` prints."""

from __future__ import annotations

from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.openssl_file import OpensslFile, leading_number
from bunraku.types.ruby_semantics.values import to_s

CIPHER = "-aes-256-cbc"


class PrivateKeys(OpensslFile):
    """Makes private keys in the form of their kind, as the module does: not in PKCS #8."""

    def content(self, resource: ManagedResource) -> str:
        """Return a new key, encrypted if there is a password."""
        if resource["authentication"] == "ec":
            curve = to_s(resource["curve"])
            key = self.openssl("ecparam", "-name", curve, "-genkey", "-noout")
        else:
            key = self.openssl("genrsa", str(leading_number(resource["size"])))
        password = resource["password"]
        cipher = () if password is None else (CIPHER,)
        return self.openssl("pkey", "-traditional", *cipher, content=key, new_password=password)


provider = PrivateKeys
