"""SRV records of DNS, read with dnspython (the extra ``srv``)."""

from __future__ import annotations

from collections.abc import Sequence

from bunraku.world.host import ServiceRecord

SECONDS = 10.0
"""The time limit of a lookup."""


def service_records(name: str, servers: Sequence[str] = (), port: int = 53) -> list[ServiceRecord]:
    """Return the SRV records of a name, none if it does not exist; OSError if the lookup fails.

    ``servers`` are the addresses of the name servers to ask, by default those of the machine.
    """
    try:
        import dns.exception
        import dns.resolver
    except ImportError:
        reason = "the package dnspython is not installed: pip install dnspython"
        raise OSError(reason) from None
    try:
        resolver = dns.resolver.Resolver(configure=not servers)
        if servers:
            resolver.nameservers, resolver.port = list(servers), port
        found = resolver.resolve(f"{name}.", "SRV", lifetime=SECONDS, raise_on_no_answer=False)
    except dns.resolver.NXDOMAIN:
        return []
    except dns.exception.DNSException as error:
        raise OSError(str(error)) from None
    answers = found.rrset or ()
    return [
        ServiceRecord(one.priority, one.weight, one.target.to_text(omit_final_dot=True), one.port)
        for one in answers
    ]
