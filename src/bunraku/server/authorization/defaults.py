"""The rules of access without an ``auth.conf``: those that puppetserver 8 is delivered with."""

from __future__ import annotations

import re

from bunraku.server.authorization.rules import Entry, Extensions, Names, Rule, Rules

ORDER = 500
ANY: tuple[Entry, ...] = (Names("*"),)
OWN: tuple[Entry, ...] = (Names("$1"),)
CLI: tuple[Entry, ...] = (Extensions({"pp_cli_auth": frozenset(["true"])}),)
NO_CALLERS: tuple[Entry, ...] = ()


def rule(name: str, path: str, methods: str, allowed: tuple[Entry, ...] | None) -> Rule:
    """Return a rule for an expression; None allows callers without a certificate."""
    return Rule(
        name,
        ORDER,
        re.compile(path),
        frozenset(methods.split()),
        unauthenticated=allowed is None,
        allowed=allowed or (),
    )


DEFAULT_RULES: Rules = (
    rule("v3 catalog from agents", r"^/puppet/v3/catalog/([^/]+)$", "get post", OWN),
    rule("v4 catalog for services", r"^/puppet/v4/catalog/?$", "post", NO_CALLERS),
    rule("certificate", r"^/puppet-ca/v1/certificate/", "get", None),
    rule("crl", r"^/puppet-ca/v1/certificate_revocation_list/ca", "get", None),
    rule("csr", r"^/puppet-ca/v1/certificate_request", "get put", None),
    rule("certificate renewal", r"^/puppet-ca/v1/certificate_renewal", "post", ANY),
    rule("cert status", r"^/puppet-ca/v1/certificate_status/", "get put delete", CLI),
    rule("CRL update", r"^/puppet-ca/v1/certificate_revocation_list$", "put", CLI),
    rule("cert statuses", r"^/puppet-ca/v1/certificate_statuses", "get", CLI),
    rule("expirations", r"^/puppet-ca/v1/expirations", "get", ANY),
    rule("cert clean", r"^/puppet-ca/v1/clean", "put", CLI),
    rule("cert sign", r"^/puppet-ca/v1/sign(/all)?$", "post", CLI),
    rule("status service", r"^/status/v1/(services|simple)", "get", None),
    rule("environments", r"^/puppet/v3/environments", "get", ANY),
    rule("file bucket", r"^/puppet/v3/file_bucket_file", "head put", ANY),
    rule("file bucket read", r"^/puppet/v3/file_bucket_file", "get post", CLI),
    rule("file content", r"^/puppet/v3/file_content", "get post", ANY),
    rule("file metadata", r"^/puppet/v3/file_metadata", "get post", ANY),
    rule("node", r"^/puppet/v3/node/([^/]+)$", "get", OWN),
    rule("report", r"^/puppet/v3/report/([^/]+)$", "put", OWN),
    rule("facts", r"^/puppet/v3/facts/([^/]+)$", "put", OWN),
    rule("static file content", r"^/puppet/v3/static_file_content", "get", ANY),
    rule("tasks", r"^/puppet/v3/tasks", "", ANY),
)
"""All other requests are refused."""
