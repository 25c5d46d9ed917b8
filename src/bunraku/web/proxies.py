"""Which proxy a request uses, from Puppet's settings and the environment."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote, urlsplit

from bunraku.web.requests import Network, Proxy

NONE = "none"
"""The value of Puppet's settings that means no value."""
REDIRECTS = 10
"""The redirects that Puppet's client follows (Puppet 8, ``redirect_limit``)."""


def proxy_of(network: Network, host: str, port: int) -> Proxy | None:
    """Return the proxy for a server; None if it is reached directly.

    >>> network = Network(Proxy("proxy", 3128), ("localhost", ".example.com"))
    >>> proxy_of(network, "web.example.com", 443), proxy_of(network, "example.org", 443).host
    (None, 'proxy')
    """
    return None if any(is_direct(one, host, port) for one in network.direct) else network.proxy


def is_direct(pattern: str, host: str, port: int) -> bool:
    """Return whether a server matches an entry of ``no_proxy``: the end of its name, ``*``, a port.

    >>> is_direct("*.example.com:8140", "web.example.com", 8140), is_direct("b.org", "b.net", 80)
    (True, False)
    """
    name, colon, of_port = pattern.partition(":")
    wanted = re.escape(name).replace(r"\*", ".*") + colon + re.escape(of_port)
    found = f"{host}:{port}" if colon else host
    return re.search(rf"{wanted}\Z", found) is not None


def network_of(settings: Mapping[str, Any], variables: Mapping[str, str]) -> Network:
    """Return what Puppet's settings, and the variables of the environment, say about requests.

    The variables ``http_proxy`` and ``no_proxy`` come before the settings (Puppet 8, setting
    ``http_proxy_host``). Raise ValueError for a variable that is not the URL of a proxy.

    >>> network_of({"http_proxy_host": "proxy", "http_proxy_port": 3128}, {}).proxy.port
    3128
    """
    excluded = variable(variables, "no_proxy")
    if excluded is None:
        excluded = text_of(settings, "no_proxy") or ""
    address = settings.get("sourceaddress")
    limit = settings.get("http_connect_timeout")
    return Network(
        proxy_of_variable(variables) or proxy_of_settings(settings),
        tuple(one for one in re.split(r"\s*,\s*", excluded.strip()) if one),
        None if address is None else str(address),
        None if limit is None else float(limit),
        REDIRECTS,
        settings.get("location_trusted") is True,
    )


def proxy_of_settings(settings: Mapping[str, Any]) -> Proxy | None:
    """Return the proxy of Puppet's settings; None without one."""
    host, user = text_of(settings, "http_proxy_host"), text_of(settings, "http_proxy_user")
    if host is None:
        return None
    password = None if user is None else text_of(settings, "http_proxy_password")
    return Proxy(host, int(settings["http_proxy_port"]), user, password)


def proxy_of_variable(variables: Mapping[str, str]) -> Proxy | None:
    """Return the proxy of the variable ``http_proxy``; None without one, ValueError for other text.

    >>> proxy_of_variable({"http_proxy": "http://anna:pass%20word@proxy:81"}).password
    'pass word'
    """
    text = variable(variables, "http_proxy")
    if not text:
        return None
    try:
        parts = urlsplit(text)
        host, port = parts.hostname, parts.port
    except ValueError:
        host = None
    if host is None:
        raise ValueError("the variable http_proxy is not a URL such as http://proxy:3128")
    user, password = (
        None if one is None else unquote(one) for one in (parts.username, parts.password)
    )
    return Proxy(host, port or 80, user, password)


def variable(variables: Mapping[str, str], name: str) -> str | None:
    """Return a variable, by its name in lower or upper case; None without one."""
    return variables.get(name, variables.get(name.upper()))


def text_of(settings: Mapping[str, Any], name: str) -> str | None:
    """Return a setting as text; None without one, or if it is ``none``."""
    value = settings.get(name)
    return None if value in (None, "", NONE) else str(value)
