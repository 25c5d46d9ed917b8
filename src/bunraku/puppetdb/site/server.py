"""The PuppetDB that ``puppetdb.conf`` names."""

from __future__ import annotations

from collections.abc import Mapping

from bunraku.modules.ini import read_settings
from bunraku.puppetdb.client import server_url
from bunraku.world.protocol import World

DEFAULT_URL = "https://puppetdb:8081"
"""The PuppetDB without ``puppetdb.conf``."""


def configured_url(path: str, world: World) -> str:
    """Return the URL of the PuppetDB in a ``puppetdb.conf``, Puppet's default without the file; PuppetError if it is wrong."""
    return server_url(url_in(read_settings(path, world) if world.is_file(path) else {}))


def url_in(settings: Mapping[str, str]) -> str:
    """Return the first URL of ``puppetdb.conf``.

    >>> url_in({"server_urls": "https://db1:8081,https://db2:8081"}), url_in({})
    ('https://db1:8081', 'https://puppetdb:8081')
    """
    return settings.get("server_urls", DEFAULT_URL).partition(",")[0].strip()
