"""The settings of a site's authority and of its server's own files, from ``puppet.conf``."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from bunraku.base.file_reading import read_whole
from bunraku.base.records import record, replace
from bunraku.base.source import Place
from bunraku.ca import issues
from bunraku.ca.hosts import Host
from bunraku.ca.locations import default_cadir
from bunraku.ca.settings import PATHS, AuthoritySettings, of_ca_conf, settings_in
from bunraku.formats.hocon import HoconError, read_hocon
from bunraku.modules.settings import (
    DEFAULTS,
    USER_DIRECTORIES,
    read_configuration,
    resolve,
)
from bunraku.world.machine import Machine

CA_TTL = "15y"
"""The time of validity of certificates that are made where the authority is, as in its program."""
OF_AUTHORITY = (
    *(name for name in PATHS if not name.startswith(("infra", "root"))),
    "ca_name",
    "keylength",
    "autosign",
    "allow_duplicate_certs",
)
"""Settings of ``puppet.conf`` that the authority uses, besides ``ca_ttl``."""


@record(frozen=True)
class Site:
    """The settings of an authority, the files of its server, and all settings of Puppet.

    ``ttl`` is the time of validity of what is made where the authority is, in seconds.
    """

    settings: AuthoritySettings
    host: Host
    values: Mapping[str, object]
    ttl: int

    def text(self, name: str) -> str:
        """Return a setting of Puppet as text."""
        return str(self.values[name])

    def node(self, certname: str) -> Host:
        """Return the files of another node's certificate beside those of the server."""
        file = f"{certname}.pem"
        return replace(
            self.host,
            certname=certname,
            hostcert=os.path.join(self.text("certdir"), file),
            hostprivkey=os.path.join(self.text("privatekeydir"), file),
            hostpubkey=os.path.join(self.text("publickeydir"), file),
        )


def default_confdir() -> str:
    """Return Puppet's directory of settings for the user of this process."""
    return (
        str(DEFAULTS["confdir"])
        if os.geteuid() == 0
        else os.path.expanduser(USER_DIRECTORIES["confdir"])
    )


def read_site(
    config: str | None, given: Mapping[str, object], machine_name: Callable[[], str]
) -> Site:
    """Return the settings in ``puppet.conf`` (of ``confdir`` by default), with others over them.

    ``machine_name`` returns the name of the machine; it is called if no setting names it. Raises PuppetError for a file that cannot be read and
    for settings that are wrong.
    """
    confdir = str(given.get("confdir", default_confdir()))
    path = config or os.path.join(confdir, "puppet.conf")
    found = (
        read_configuration(path, Machine()) if config is not None or os.path.exists(path) else {}
    )
    settings = {"confdir": confdir, **found, **given}
    return site_of(settings, "" if settings.get("certname") else machine_name())


def site_of(given: Mapping[str, object], certname: str) -> Site:
    """Return the settings of an authority for settings of Puppet; raise PuppetError."""
    found = dict(given)
    confdir = str(found["confdir"])
    found.setdefault("cadir", default_cadir(confdir, str(found.get("ssldir", ""))))
    values = resolve(found, certname)
    values["certname"] = str(values["certname"]).lower()
    used = {name: values[name] for name in OF_AUTHORITY}
    if "ca_ttl" in given:
        used["ca_ttl"] = values["ca_ttl"]
    beside = of_ca_conf(read_ca_conf(os.path.join(os.path.dirname(confdir), CA_CONF)))
    settings = settings_in(str(values["cadir"]), {**used, **beside})
    long = "ca_ttl" in used or "ca_ttl" in beside
    ttl = settings.ca_ttl if long else settings_in("/", {"ca_ttl": CA_TTL}).ca_ttl
    return Site(settings, host_of(values), values, ttl)


CA_CONF = "puppetserver/conf.d/ca.conf"


def read_ca_conf(path: str) -> object:
    """Return the content of a ``ca.conf``, empty without one; raise PuppetError."""
    try:
        text = read_whole(path).decode("utf-8", "replace")
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise issues.BAD_FILE(path=path, reason=error.strerror or error) from None
    try:
        return read_hocon(text)
    except HoconError as error:
        raise issues.BAD_FILE(path=path, reason=error).at(Place(path)) from None


def host_of(values: Mapping[str, object]) -> Host:
    """Return the paths of the server's own files."""
    names = ("certname", "hostcert", "hostprivkey", "hostpubkey", "localcacert", "hostcrl")
    return Host(*[str(values[name]) for name in names])
