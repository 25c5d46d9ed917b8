"""The files of a new site: settings of the server, the PuppetDB and deployments, a first environment."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from urllib.parse import unquote, urlsplit

from bunraku.administration import site as places
from bunraku.administration.site import SiteDirectory
from bunraku.base.records import record
from bunraku.base.usage import UsageError
from bunraku.server.authorization.rules import Access, Names, Rule
from bunraku.server.authorization.writing import access_text
from bunraku.server.interface import DEFAULT_RULES
from bunraku.workbench.new.files import control_repository_files

SQLITE = "sqlite"
POSTGRESQL = "postgresql"
COMMAND = "site"
PUBLIC, PRIVATE = 0o644, 0o600
OWN_RULES = (
    ("metrics for the server itself", r"^/metrics", ("get", "post")),
    ("flushes by the server itself", r"^/puppet-admin-api/v1/environment-cache", ("delete",)),
)
"""What puppetserver's rules refuse to all, and the sample allows to the server's certificate."""
FROM_NEW = ("environment.conf", "hiera.yaml", "Puppetfile", ".gitignore")
SITE_MANIFEST = """\
# What nodes are. Each node gets the first definition that fits its name.
node default {
}
"""


@record(frozen=True)
class Database:
    """The parts of the URL of a PostgreSQL database, as PuppetDB's configuration has them."""

    subname: str
    username: str = ""
    password: str = ""


def postgresql_of(url: str, password: str = "") -> Database:
    """Return the parts of a URL; UsageError for one that cannot be used.

    The URL is in the list of processes, so the password may come another way.

    >>> postgresql_of("postgresql://puppetdb@db.example.com/puppetdb").subname
    '//db.example.com/puppetdb'
    """
    parts = urlsplit(url)
    if parts.scheme not in {"postgresql", "postgres"} or not parts.path.strip("/"):
        raise UsageError(f"--database: use postgresql://USER@HOST/NAME, not {url!r}", COMMAND)
    host = parts.netloc.rpartition("@")[2]
    query = f"?{parts.query}" if parts.query else ""
    subname = f"//{host}{parts.path}{query}"
    secret = unquote(parts.password) if parts.password else password
    return Database(subname, unquote(parts.username or ""), secret)


def site_files(
    site: SiteDirectory, names: Sequence[str], database: Database, remote: str
) -> Mapping[str, tuple[str, int]]:
    """Return the files of a new site below its directory: path → text and mode."""
    return {
        places.PUPPET_CONF: (puppet_conf(site, names), PUBLIC),
        places.PUPPETDB_CONF: (f"[main]\nserver_urls = {site.puppetdb_url}\n", PUBLIC),
        places.AUTH_CONF: (auth_conf(site), PUBLIC),
        places.DATABASE_CONF: (database_conf(site, database), PRIVATE),
        places.ALLOWED_NAMES: (f"{site.certname}\n", PUBLIC),
        places.SOURCES: (source_settings(site, remote), PRIVATE),
        places.RECORD: (json.dumps(site.data(), indent=2) + "\n", PUBLIC),
    }


def puppet_conf(site: SiteDirectory, names: Sequence[str]) -> str:
    """Return the settings of the server."""
    return f"""\
[main]
certname = {site.certname}
server = {site.certname}
serverport = {site.listen.rpartition(":")[2]}

[server]
dns_alt_names = {",".join(names)}
vardir = {site.path(places.SERVER_DATA)}
environmentpath = {site.path(places.ENVIRONMENTS)}
basemodulepath = {site.path(places.MODULES)}
reports = store,puppetdb
# Requests for certificates wait for 'bunraku ca sign'; docs/ca.md describes policies.
autosign = false
"""


def database_conf(site: SiteDirectory, database: Database) -> str:
    """Return the configuration of the PuppetDB, in the format of the real one."""
    host, port = split_address(site.dashboards)
    ssl_host, ssl_port = split_address(site.puppetdb)
    login = [f"{name} = {getattr(database, name)}" for name in ("username", "password")]
    lines = "".join(f"{line}\n" for line in login if not line.endswith("= "))
    return f"""\
[global]
vardir = {site.path(places.DATABASE_DATA)}

[database]
subname = {database.subname}
{lines}
[jetty]
# Without encryption, for dashboards on this machine: each of its users can read and change all.
host = {host}
port = {port}
# For the server, with certificates. Further servers need an address here that they can reach.
ssl-host = {ssl_host}
ssl-port = {ssl_port}
ssl-cert = {site.path(places.SSL)}/certs/{site.certname}.pem
ssl-key = {site.path(places.SSL)}/private_keys/{site.certname}.pem
ssl-ca-cert = {site.path(places.SSL)}/certs/ca.pem
ssl-crl-path = {site.path(places.SSL)}/crl.pem

[puppetdb]
certificate-allowlist = {site.path(places.ALLOWED_NAMES)}
"""


def split_address(address: str) -> tuple[str, str]:
    """Return the host and the port of an address."""
    host, _, port = address.rpartition(":")
    return host, port


def source_settings(site: SiteDirectory, remote: str) -> str:
    """Return the sources of deployments: the control repository of the site, or another one."""
    return f"""\
---
# Where environments come from: a branch of the repository is an environment (docs/deployments.md).
cachedir: {json.dumps(site.path(places.STORE))}
sources:
  control:
    remote: {json.dumps(remote or site.path(places.CONTROL))}
    basedir: {json.dumps(site.path(places.ENVIRONMENTS))}
"""


def auth_conf(site: SiteDirectory) -> str:
    """Return the rules that puppetserver is delivered with, and some for the server's own certificate."""
    own = tuple(
        Rule(name, 400, re.compile(path), frozenset(methods), allowed=(Names(site.certname),))
        for name, path, methods in OWN_RULES
    )
    return (
        "# Who may do what. The first rule that is about a request decides; the lowest number is first.\n"
        "# 'bunraku server auth-conf --auth-conf FILE' checks a file.\n"
        + access_text(Access((*own, *DEFAULT_RULES)))
    )


def control_files() -> Mapping[str, str]:
    """Return the files of the first environment."""
    new = control_repository_files(places.CONTROL)
    return {
        **{name: new[name] for name in FROM_NEW},
        "data/common.yaml": "--- {}\n",
        "site-modules/.gitkeep": "",
        "manifests/site.pp": SITE_MANIFEST,
    }
