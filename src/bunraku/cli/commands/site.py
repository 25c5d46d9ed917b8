"""Make a site in one directory, back it up, restore it."""

from __future__ import annotations

import argparse
import os

from bunraku.base.excerpt import visible
from bunraku.base.usage import UsageError
from bunraku.cli import exits
from bunraku.cli.options.declarations import GENERAL, TEXT, Rules, defaults_of
from bunraku.cli.options.puppetdb import address
from bunraku.cli.options.records import record_of
from bunraku.cli.output.output import write, write_error

COMMAND = "site"
INTERMIXED = True
"""The file or directory may be named after options."""


NEW_SITE = """
[init]
--certname NAME: name of the server (default: this machine)
--dns-alt-names NAMES: more names under which agents reach the server (default: puppet)
--listen HOST:PORT: address of the server (default: 0.0.0.0:8140)
--puppetdb-port PORT: port of the PuppetDB for the server, on this machine (default: 8081)
--dashboard-port PORT: port for dashboards on this machine, without encryption (default: 8080)
--database URL: postgresql://USER@HOST/NAME of the PuppetDB (default: an SQLite file)
--remote URL: control repository whose branches are the environments (default: a new one in the
    site)
--user NAME: user who runs the services (default: puppet, if root makes the site; else this user)
--backups DIRECTORY: directory of the daily backups (default: that of the site with '-backups')
"""
NEW_SITE_RULES: Rules = {
    **dict.fromkeys(("certname", "dns_alt_names", "database", "remote", "user", "backups"), TEXT),
    "listen": {"type": address, "default": "0.0.0.0:8140"},
    "puppetdb_port": {"type": int, "default": 8081},
    "dashboard_port": {"type": int, "default": 8080},
}
OPTIONS = f"""
action: init: write a site into a directory; backup: write all of a site to FILE; restore: make a
    site of FILE in an empty directory
paths [PATH]...: init: the directory (default: this one); backup: FILE; restore: FILE and the
    directory
--site DIRECTORY: with backup: the site (default: this directory)
--keep COUNT: with backup: FILE is a directory; write into it, and keep the newest COUNT backups
{NEW_SITE}
{GENERAL}
"""
RULES: Rules = {
    **NEW_SITE_RULES,
    "keep": {"type": int},
    "action": {"choices": ("init", "backup", "restore")},
}


def run(options: argparse.Namespace) -> int:
    """Do the action; UsageError for paths and options that do not belong to it."""
    check_paths(options)
    return {"init": init, "backup": back_up, "restore": restore}[options.action](options)


def check_paths(options: argparse.Namespace) -> None:
    """Raise UsageError for a wrong number of paths, and for options of another action."""
    fewest, most = {"init": (0, 1), "backup": (1, 1), "restore": (2, 2)}[options.action]
    if not fewest <= len(options.paths) <= most:
        needed = {"init": "one DIRECTORY", "backup": "FILE", "restore": "FILE and DIRECTORY"}
        raise UsageError(f"{options.action} takes {needed[options.action]}", COMMAND)
    for name in ("site", "keep"):
        if options.action != "backup" and getattr(options, name) is not None:
            raise UsageError(f"--{name} is not an option of {options.action}", COMMAND)
    for name, default in defaults_of(NEW_SITE, NEW_SITE_RULES).items():
        if options.action != "init" and getattr(options, name) != default:
            option = name.replace("_", "-")
            raise UsageError(f"--{option} is not an option of {options.action}", COMMAND)


def init(options: argparse.Namespace) -> int:
    """Make a site and print the next commands."""
    from bunraku.jobs.serving.systemd import program_words
    from bunraku.jobs.site_init import SiteOptions, make_site, next_steps

    directory = options.paths[0] if options.paths else os.curdir
    chosen = record_of(SiteOptions, options, directory=directory)
    made = make_site(chosen, program_words(), lambda text: write_error(f"{visible(text)}\n"))
    write(next_steps(made))
    return exits.OK


def back_up(options: argparse.Namespace) -> int:
    """Write the backup and print its digest, as sha256sum does."""
    from bunraku.jobs.site_backup import back_up_site

    done = back_up_site(options.site or os.curdir, options.paths[0], options.keep)
    write(f"{done.digest}  {visible(done.path)}\n")
    write_error("".join(f"removed {visible(path)}\n" for path in done.removed))
    return exits.OK


def restore(options: argparse.Namespace) -> int:
    """Restore a site and print where it is."""
    from bunraku.jobs.site_backup import restore_site

    site = restore_site(*options.paths)
    write(f"the site {visible(site.certname)} is in {visible(site.root)}\n")
    return exits.OK
