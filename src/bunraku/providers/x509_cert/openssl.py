"""The provider of ``x509_cert``: certificates that ``openssl`` prints."""

from __future__ import annotations

from collections.abc import Iterator

from bunraku.providers.managed_resource import ManagedResource, truth
from bunraku.providers.openssl_file import OfKey
from bunraku.types.ruby_semantics.values import to_s


class Certificates(OfKey):
    """Makes certificates."""

    kind = "x509"

    def exists(self, resource: ManagedResource) -> bool:
        """Return the same as for other files; ResourceFailure if the file is not a certificate."""
        if not super().exists(resource):
            return False
        self.read(resource)
        return True

    def content(self, resource: ManagedResource) -> str:
        """Return a new certificate."""
        password = resource["cakey_password"]
        password = resource["password"] if password is None else password
        return self.openssl(*certificate_words(resource), password=password)


def certificate_words(resource: ManagedResource) -> Iterator[str]:
    """Yield the arguments for a certificate."""
    key, template = to_s(resource["private_key"]), to_s(resource["template"])
    days, request = to_s(resource["days"]), resource["csr"]
    if request is None:
        yield from ("req", "-config", template, "-new", "-x509", "-days", days, "-key", key)
    else:
        yield from ("x509", "-req", "-days", days, "-in", to_s(request))
        if resource["ca"] is not None:
            yield from ("-extfile", template, "-CAcreateserial")
            yield from ("-CA", to_s(resource["ca"]), "-CAkey", to_s(resource["cakey"]))
        else:
            yield from ("-signkey", key)
            if truth(resource["req_ext"]):
                yield from ("-extensions", "v3_req", "-extfile", template)
    if truth(resource["req_ext"]):
        yield from ("-extensions", "v3_req")


provider = Certificates
