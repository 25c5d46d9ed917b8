"""Flush the caches of servers after a deployment, by the interface of puppetserver for its administration."""

from __future__ import annotations

import os
from collections.abc import Sequence
from urllib.parse import urlencode, urlsplit

from bunraku.base.records import record
from bunraku.base.usage import UsageError
from bunraku.deployment import issues
from bunraku.deployment.site_contents import Log
from bunraku.jobs.deploy import DeployResult
from bunraku.modules.settings import resolve_one
from bunraku.puppetdb.client import connection_failure
from bunraku.puppetdb.site.tls import machine_name, tls_files
from bunraku.web.requests import HttpRequest, TlsFiles
from bunraku.world.machine import Machine

PATH = "/puppet-admin-api/v1/environment-cache"
SECONDS = 30.0
LONGEST = 200
"""Characters of a refusal that an error shows."""


@record(frozen=True)
class Flushing:
    """The URLs of servers to flush, and the files for TLS; those of the agent by default."""

    urls: Sequence[str] = ()
    cacert: str | None = None
    cert: str | None = None
    key: str | None = None


def check_server_urls(
    urls: Sequence[str], option: str = "--flush", command: str = "deploy"
) -> None:
    """Raise UsageError for a URL that is not that of a server."""
    for url in urls:
        try:
            parts = urlsplit(url)
            is_right = (
                parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
            )
        except ValueError:
            is_right = False
        if not is_right or parts.username or parts.path.strip("/") or parts.query or parts.fragment:
            example = "https://puppet.example.com:8140"
            raise UsageError(f"{option} needs the URL of a server, such as {example}", command)


def flush_servers(result: DeployResult, flushing: Flushing, log: Log) -> None:
    """Flush each environment that was switched or removed on each server; errors go to the result."""
    names = [one.environment.directory_name for one in result.environments if one.changed]
    names += [os.path.basename(path) for path in result.removed]
    if not names or not flushing.urls:
        return
    tls = flushing_files(flushing)
    for url in flushing.urls:
        for name in dict.fromkeys(names):
            reason = flush_one(url.rstrip("/"), name, tls)
            if reason is None:
                log("info", f"Flushed environment {name} on {url}")
            else:
                error = issues.FLUSH_FAILED(name=name, url=url, reason=reason)
                result.flushes.append(error)
                log("error", error.message)


def flush_one(url: str, name: str, tls: TlsFiles) -> str | None:
    """Flush one environment on a server; return the reason if that fails."""
    target = f"{url}{PATH}?{urlencode({'environment': name})}"
    request = HttpRequest("DELETE", target, tls=tls, seconds=SECONDS)
    try:
        with Machine().http(request) as response:
            if response.status == 204:
                return None
            text = " ".join(response.read(4 * LONGEST).decode("utf-8", "replace").split())
    except OSError as error:
        return connection_failure(error)
    if response.status == 403:
        return (
            "the rules of access there (auth.conf) do not allow this certificate to do that (403)"
        )
    return f"it answered with status {response.status}: {text[:LONGEST]}"


def flushing_files(flushing: Flushing) -> TlsFiles:
    """Return the files for TLS: those that are named, else the agent's."""
    machine = Machine()
    confdir = str(resolve_one("confdir", {}, machine_name(machine)))
    own = tls_files({"confdir": confdir}, machine)
    authority = flushing.cacert or own.authority
    if flushing.cert is not None:
        return TlsFiles(authority, flushing.cert, flushing.key or flushing.cert)
    return TlsFiles(authority, own.certificate, own.key)
