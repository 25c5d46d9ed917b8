"""The settings of requests for files on web servers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bunraku.web.proxies import network_of
from bunraku.web.requests import HttpRequest, TlsFiles
from bunraku.world.host import Host


def web_request(values: Mapping[str, Any], host: Host, version: str) -> HttpRequest:
    """Return the request for files on web servers, without its URL; ValueError for a wrong proxy.

    ``values`` are Puppet's settings. The authorities of the system, that of the node and those of
    ``ssl_trust_store`` are trusted; the node's certificate is offered.
    """
    own = [str(values[name]) for name in ("hostcert", "hostprivkey")]
    has_own = all(host.is_file(path) for path in own)
    store = values.get("ssl_trust_store")
    others = [str(values["localcacert"])] if host.is_file(str(values["localcacert"])) else []
    tls = TlsFiles(
        certificate=own[0] if has_own else None,
        key=own[1] if has_own else None,
        others=tuple(others + ([str(store)] if store else [])),
    )
    headers = {"X-Puppet-Version": version, "User-Agent": str(values["http_user_agent"])}
    network = network_of(values, host.environment_variables())
    seconds = float(values["http_read_timeout"])
    return HttpRequest("GET", "", headers, b"", tls, seconds, network)
