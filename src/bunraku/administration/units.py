"""The units of a site for systemd: those of the packages, with the program and the paths of the site."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from bunraku.administration import site as places
from bunraku.administration.site import SiteDirectory
from bunraku.base.file_reading import read_whole

SOURCE = os.path.join(os.path.dirname(__file__), "units")
HOMES = ("/home", "/root", "/run/user")
TEMPORARY = ("/tmp", "/var/tmp")  # noqa: S108 (compared, not used)
LEFT_OUT = frozenset(
    {"ConditionPathExists", "ExecStartPre", "StateDirectory", "StateDirectoryMode"}
)
"""What is about directories of the packages."""
BACKUP = "bunraku-backup.service"
TIMERS = ("bunraku-deploy.timer", "bunraku-backup.timer")
ORDER = ("bunraku-puppetdb.service", "bunraku-server.service", *TIMERS)
"""The units to enable, in the order of their start."""
KEEP = 14
"""The number of backups that the timer leaves."""


def site_units(
    site: SiteDirectory, program: Sequence[str], owner: tuple[str, str], backups: str
) -> Mapping[str, str]:
    """Return the units of a site: name → text.

    ``owner`` is the user and the group that run it, ``backups`` the directory of the daily backups.
    """
    commands = unit_commands(site, backups)
    values = {BACKUP: backup_values(site, owner, backups)}
    own = {
        name: adapted(name, site, [*program, *words], owner, values.get(name, {}))
        for name, words in commands.items()
    }
    return {**own, **{name: packaged_unit(name) for name in TIMERS}}


def unit_commands(site: SiteDirectory, backups: str) -> Mapping[str, Sequence[str]]:
    """Return the commands of a site, by the names of their units."""
    return {
        "bunraku-puppetdb.service": puppetdb_command(site),
        "bunraku-server.service": server_command(site),
        "bunraku-deploy.service": deploy_command(site),
        BACKUP: backup_command(site, backups),
    }


def puppetdb_command(site: SiteDirectory) -> tuple[str, ...]:
    """Return the arguments that serve the PuppetDB."""
    return ("puppetdb", "--config", site.path(places.DATABASE_CONF))


def server_command(site: SiteDirectory) -> tuple[str, ...]:
    """Return the arguments that serve catalogs."""
    return (
        *("server", "--confdir", site.path(places.CONFIGURATION)),
        *("--listen", site.listen, "--auth-conf", site.path(places.AUTH_CONF)),
        *("--puppetdb", site.puppetdb_url),
        *("--access-log", site.path(f"{places.LOGS}/access.log")),
    )


def deploy_command(site: SiteDirectory) -> tuple[str, ...]:
    """Return the arguments that deploy all environments."""
    return ("deploy", "environment", "--config", site.path(places.SOURCES))


def backup_command(site: SiteDirectory, backups: str) -> tuple[str, ...]:
    """Return the arguments that back the site up and keep some of the backups before."""
    return ("site", "backup", backups, "--site", site.root, "--keep", str(KEEP))


def packaged_unit(name: str) -> str:
    """Return the text of a unit of the packages."""
    return read_whole(os.path.join(SOURCE, name)).decode()


def adapted(
    name: str,
    site: SiteDirectory,
    command: Sequence[str],
    owner: tuple[str, str],
    more: Mapping[str, str],
) -> str:
    """Return a unit of the packages with the command, the user and the directories of a site.

    ``more`` are further values, which count more.
    """
    values = {
        "User": owner[0],
        "Group": owner[1],
        "Environment": f"{quoted(f'XDG_CACHE_HOME={site.path(places.CACHE)}')} OPTIONS=",
        "ExecStart": f"{' '.join(map(quoted, command))} $OPTIONS",
        "ReadWritePaths": quoted(site.root),
        **more,
    }
    used = [site.root, *(word for word in command if os.path.isabs(word))]
    if any(is_below(path, HOMES) for path in used):
        values["ProtectHome"] = "no"
    if any(is_below(path, TEMPORARY) for path in used):
        values["PrivateTmp"] = "no"
    own = "".join(f"{name}={value}\n" for name, value in values.items())
    text = packaged_unit(name)
    packaged = (line for line in text.splitlines() if not line.startswith("#"))
    left = (line for line in packaged if line.partition("=")[0] not in {*values, *LEFT_OUT})
    return "".join(f"{line}\n{own if line == '[Service]' else ''}" for line in left)


def backup_values(site: SiteDirectory, owner: tuple[str, str], backups: str) -> Mapping[str, str]:
    """Return what the unit of backups needs: root makes their directory, and they are written to it."""
    made = ("--directory", "--mode=0700", f"--owner={owner[0]}", f"--group={owner[1]}", backups)
    return {
        "ExecStartPre": f"+/usr/bin/install {' '.join(map(quoted, made))}",
        "ReadWritePaths": f"{quoted(site.root)} {quoted(f'-{backups}')}",
    }


def is_below(path: str, directories: Sequence[str]) -> bool:
    """Return whether a path is in one of some directories.

    >>> is_below("/home/you/site", HOMES), is_below("/homes", HOMES)
    (True, False)
    """
    return any(path == one or path.startswith(f"{one}/") for one in directories)


def quoted(word: str) -> str:
    r"""Return a word as ``ExecStart`` takes it; systemd.service(5), "Command lines".

    >>> quoted("/opt/a b/100%"), quoted("/usr/bin/bunraku")
    ('"/opt/a b/100%%"', '/usr/bin/bunraku')
    """
    text = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{text}"' if any(one.isspace() or one in "\"'\\" for one in word) else text
