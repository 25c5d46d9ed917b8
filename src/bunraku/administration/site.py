"""The directory of a site: where its parts are, and what ``site.json`` says of it."""

from __future__ import annotations

import json
import os

from bunraku.administration import issues
from bunraku.base.file_reading import read_whole
from bunraku.base.lazy_typing import Any
from bunraku.base.records import names_of, record

RECORD = "site.json"
FORMAT = 1
CONFIGURATION = "etc/puppet"
PUPPET_CONF = "etc/puppet/puppet.conf"
PUPPETDB_CONF = "etc/puppet/puppetdb.conf"
SSL = "etc/puppet/ssl"
AUTHORITY = "etc/puppetserver/ca"
AUTH_CONF = "etc/puppetserver/auth.conf"
DATABASE_CONF = "etc/puppetdb/puppetdb.ini"
ALLOWED_NAMES = "etc/puppetdb/certificate-allowlist"
SOURCES = "etc/r10k/r10k.yaml"
ENVIRONMENTS = "code/environments"
MODULES = "code/modules"
CONTROL = "control"
SERVER_DATA = "data/server"
DATABASE_DATA = "data/puppetdb"
DATABASE_FILE = "data/puppetdb/puppetdb.sqlite"
STORE = "data/deploy"
CACHE = "data/cache"
LOGS = "log"
UNITS = "units"
PRIVATE = 0o700
"""The mode of the directory: keys, facts and catalogs have secrets."""


@record(frozen=True)
class SiteDirectory:
    """A site in a directory. ``database`` is ``sqlite`` or ``postgresql``; addresses have host and port."""

    root: str
    certname: str
    database: str
    listen: str
    puppetdb: str
    dashboards: str

    def path(self, name: str) -> str:
        """Return the path of a part."""
        return os.path.join(self.root, name)

    @property
    def puppetdb_url(self) -> str:
        """The URL at which the server reaches its PuppetDB."""
        return f"https://localhost:{self.puppetdb.rpartition(':')[2]}"

    def data(self) -> dict[str, Any]:
        """Return the content of ``site.json``."""
        return {"format": FORMAT, **{name: getattr(self, name) for name in names_of(self)}}


def read_site(root: str) -> SiteDirectory:
    """Return the site in a directory; PuppetError for a directory without one."""
    path = os.path.join(root, RECORD)
    try:
        return site_in(json.loads(read_whole(path)))
    except FileNotFoundError:
        raise issues.NO_SITE(directory=root) from None
    except OSError as error:
        raise issues.UNREADABLE_SITE(path=path, reason=error.strerror or error) from None
    except (KeyError, TypeError, ValueError):
        raise issues.UNREADABLE_SITE(
            path=path, reason="it is not what bunraku has written"
        ) from None


def site_in(data: Any) -> SiteDirectory:
    """Return a site; KeyError, TypeError or ValueError for other data."""
    if data["format"] != FORMAT:
        raise ValueError(data["format"])
    names = ("root", "certname", "database", "listen", "puppetdb", "dashboards")
    values = [data[name] for name in names]
    if not all(isinstance(value, str) for value in values):
        raise TypeError
    return SiteDirectory(*values)


def check_free(directory: str) -> None:
    """Raise PuppetError unless a directory is absent or empty."""
    try:
        entries = sorted(os.listdir(directory))
    except FileNotFoundError:
        return
    except OSError as error:
        raise issues.FAILED(action=f"use {directory}", reason=error.strerror) from None
    if entries:
        raise issues.OCCUPIED(directory=directory, entry=entries[0])
