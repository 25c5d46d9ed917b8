"""The files for TLS with which a PuppetDB is asked: those of its client tools, or of the agent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bunraku.formats.document import read_document
from bunraku.formats.shape import TEXT, Fields
from bunraku.modules.settings import resolve_one
from bunraku.puppetdb.site import issues
from bunraku.web.requests import TlsFiles
from bunraku.world.protocol import World

CLIENT_TOOLS = ".puppetlabs/client-tools/puppetdb.conf"
CONFIGURATION = Fields({"puppetdb": Fields(dict.fromkeys(("cacert", "cert", "key"), TEXT))})
SETTINGS = frozenset(["confdir", "ssldir", "certdir", "localcacert", "hostcert", "hostprivkey"])


def tls_files(settings: Mapping[str, Any], world: World) -> TlsFiles:
    """Return the files of the settings that are given, else of the client tools, else of the agent.

    ``settings`` are those given, not the defaults. Files that do not exist are not used.
    """
    if not SETTINGS & settings.keys():
        found = client_tools(world)
        if found is not None:
            return found
    certname = str(settings.get("certname") or machine_name(world))

    def existing(name: str) -> str | None:
        path = str(resolve_one(name, settings, certname))
        return path if name in settings or world.is_file(path) else None

    certificate, key = existing("hostcert"), existing("hostprivkey")
    if certificate is None or key is None:
        certificate = key = None
    return TlsFiles(existing("localcacert"), certificate, key)


def client_tools(world: World) -> TlsFiles | None:
    """Return the files that the configuration of the client tools names; None without one."""
    home = world.environment_variable("HOME")
    if not home:
        return None
    path = f"{home}/{CLIENT_TOOLS}"
    try:
        content = world.read(path)
    except OSError:
        return None
    document = read_document(content, path, issues.BAD_CONFIGURATION, "JSON")
    document.check(CONFIGURATION, issues.BAD_CONFIGURATION)
    found = document.data.get("puppetdb") or {}
    authority, certificate, key = (found.get(name) for name in ("cacert", "cert", "key"))
    return TlsFiles(authority, certificate, key) if authority or certificate or key else None


def machine_name(world: World) -> str:
    """Return the name of this machine, which is the agent's certname by default."""
    try:
        return world.read("/proc/sys/kernel/hostname").decode().strip().lower()
    except (OSError, ValueError):
        return "localhost"
