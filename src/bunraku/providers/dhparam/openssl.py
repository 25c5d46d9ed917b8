"""The provider of ``dhparam``: parameters that ``openssl`` prints."""

from __future__ import annotations

from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.openssl_file import OpensslFile
from bunraku.types.ruby_semantics.values import to_s


class DhParameters(OpensslFile):
    """Makes parameters of Diffie and Hellman."""

    def content(self, resource: ManagedResource) -> str:
        """Return new parameters."""
        fast = ("-dsaparam",) if resource["fastmode"] else ()
        return self.openssl("dhparam", *fast, to_s(resource["size"]))


provider = DhParameters
