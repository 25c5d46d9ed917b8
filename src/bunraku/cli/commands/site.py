"""Make a site in one directory, back it up, restore it."""

from __future__ import annotations

import argparse
import os

from bunraku.base.excerpt import visible
from bunraku.base.usage import UsageError
from bunraku.cli import exits
from bunraku.cli.options.parser import Parser
from bunraku.cli.options.puppetdb import address
from bunraku.cli.options.records import record_of
from bunraku.cli.options.shared import add_output_options
from bunraku.cli.output.output import write, write_error

COMMAND = "site"
INTERMIXED = True
"""The file or directory may be named after options."""


def add_arguments(parser: Parser) -> None:
    """Add the options of ``bunraku site``."""
    parser.add_argument(
        "action",
        choices=("init", "backup", "restore"),
        help="init: write a site into a directory; backup: write all of a site to FILE; "
        "restore: make a site of FILE in an empty directory",
    )
    parser.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help="init: the directory (default: this one); backup: FILE; restore: FILE and the directory",
    )
    parser.add_argument(
        "--site", metavar="DIRECTORY", help="with backup: the site (default: this directory)"
    )
    others = parser.present_defaults()
    add_init_options(parser)
    own = {name: one for name, one in parser.present_defaults().items() if name not in others}
    parser.set_defaults(of_init=own)
    add_output_options(parser)


def add_init_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of a new site."""
    group = parser.add_argument_group("init")
    group.add_argument(
        "--certname", default="", metavar="NAME", help="name of the server (default: this machine)"
    )
    group.add_argument(
        "--dns_alt_names",
        default="",
        metavar="NAMES",
        help="more names under which agents reach the server (default: puppet)",
    )
    group.add_argument(
        "--listen",
        type=address,
        default=("0.0.0.0", 8140),  # noqa: S104 (agents of other machines come here)
        metavar="HOST:PORT",
        help="address of the server (default: 0.0.0.0:8140)",
    )
    for name, port, text in (
        ("--puppetdb-port", 8081, "port of the PuppetDB for the server, on this machine"),
        ("--dashboard-port", 8080, "port for dashboards on this machine, without encryption"),
    ):
        help_text = f"{text} (default: {port})"
        group.add_argument(name, type=int, default=port, metavar="PORT", help=help_text)
    group.add_argument(
        "--database",
        default="",
        metavar="URL",
        help="postgresql://USER@HOST/NAME of the PuppetDB (default: an SQLite file)",
    )
    group.add_argument(
        "--remote",
        default="",
        metavar="URL",
        help="control repository whose branches are the environments (default: a new one in the site)",
    )
    group.add_argument(
        "--user",
        default="",
        metavar="NAME",
        help="user who runs the services (default: puppet, if root makes the site; else this user)",
    )


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
    if options.action != "backup" and options.site is not None:
        raise UsageError(f"--site is not an option of {options.action}", COMMAND)
    for name, default in options.of_init.items():
        if options.action != "init" and getattr(options, name) != default:
            option = name if name == "dns_alt_names" else name.replace("_", "-")
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

    done = back_up_site(options.site or os.curdir, options.paths[0])
    write(f"{done.digest}  {visible(done.path)}\n")
    return exits.OK


def restore(options: argparse.Namespace) -> int:
    """Restore a site and print where it is."""
    from bunraku.jobs.site_backup import restore_site

    site = restore_site(*options.paths)
    write(f"the site {visible(site.certname)} is in {visible(site.root)}\n")
    return exits.OK
