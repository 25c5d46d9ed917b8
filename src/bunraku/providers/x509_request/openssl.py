"""The provider of ``x509_request``: requests that ``openssl`` prints."""

from __future__ import annotations

from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.openssl_file import OfKey
from bunraku.types.ruby_semantics.values import to_s


class CertificateRequests(OfKey):
    """Makes requests for certificates."""

    kind = "req"

    def content(self, resource: ManagedResource) -> str:
        """Return a new request."""
        key, template = to_s(resource["private_key"]), to_s(resource["template"])
        words = ("req", "-new", "-key", key, "-config", template)
        return self.openssl(*words, password=resource["password"])


provider = CertificateRequests
