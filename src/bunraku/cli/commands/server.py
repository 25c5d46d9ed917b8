"""Serve catalogs and files to agents, as puppetserver does."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from functools import partial

from bunraku.base.usage import UsageError
from bunraku.cli.exits import OK
from bunraku.cli.options.declarations import DATA_FORMATS, GENERAL, Rules, choice, defaults_of
from bunraku.cli.options.server import SERVER, SERVER_RULES, server_options
from bunraku.cli.output.output import write
from bunraku.formats.json import clean_json_text
from bunraku.jobs.serving.options import COMMAND

SETTINGS = True
"""Every setting of Puppet is an option."""

INTERMIXED = True
"""The action may be named after options."""


OPTIONS = f"""
action [ACTION]: serve (default); demo: run server, authority, PuppetDB and two agents in a
    temporary directory until Ctrl-C; unit or socket: print a unit file for systemd; explain: say
    why the last catalog of a node was compiled, or what it depends on; auth-conf: check
    the file of --auth-conf and print the rules of access, those of the server without one
node [NODE]: with explain: the name of a node
--format: output format of explain (default: text)
{SERVER}
{GENERAL}
"""


def run(options: argparse.Namespace) -> int:
    """Do what the action says; UsageError for options that cannot be used."""
    if options.action == "explain":
        return print_explanation(options)
    if options.node is not None or options.format != "text":
        name = "NODE" if options.node is not None else "--format"
        raise UsageError(f"{name} belongs to bunraku server explain", COMMAND)
    if options.action == "auth-conf":
        check_without_options(options, "auth_conf")
        return print_rules(options)
    if options.action != "serve":
        check_without_options(options)
        return WITHOUT_OPTIONS[options.action]()
    from bunraku.jobs.serve_site import serve_site

    serve_site(server_options(options), ready)
    return OK


def print_explanation(options: argparse.Namespace) -> int:
    """Print why the last catalog of a node was compiled, or what it depends on."""
    from bunraku.jobs.explain_catalog import explained, explanation_text

    if options.node is None:
        raise UsageError("explain needs the name of a node", COMMAND)
    found = explained(server_options(options), options.node)
    write(clean_json_text(found) if options.format == "json" else explanation_text(found))
    return OK


def print_rules(options: argparse.Namespace) -> int:
    """Print the rules of access that would be in force."""
    from bunraku.jobs.serving.configuration import access_of
    from bunraku.server.authorization.writing import access_text

    write(access_text(access_of(server_options(options))))
    return OK


def ready(text: str) -> None:
    """Print where the server answers, at once."""
    write(f"{text}\n")
    write("")


def print_unit(socket: bool) -> int:
    """Print a unit file for systemd, of the service or of its socket."""
    from bunraku.jobs.serving.systemd import service_unit, socket_unit

    write(socket_unit() if socket else service_unit())
    return OK


def run_demonstration() -> int:
    """Run a site in a temporary directory until a signal comes."""
    from bunraku.cli.report.demo import demonstrate

    return demonstrate()


WITHOUT_OPTIONS: Mapping[str, Callable[[], int]] = {
    "demo": run_demonstration,
    "unit": partial(print_unit, socket=False),
    "socket": partial(print_unit, socket=True),
}
"""The actions to which the options of the server do not belong."""


def check_without_options(options: argparse.Namespace, *allowed: str) -> None:
    """Raise UsageError for an option of the server, except those that are allowed."""
    for name, default in defaults_of(SERVER, SERVER_RULES).items():
        if name not in allowed and getattr(options, name) != default:
            raise UsageError(
                f"--{name.replace('_', '-')} is not an option of {options.action}", COMMAND
            )


RULES: Rules = {
    **SERVER_RULES,
    "action": choice("serve", "explain", "auth-conf", *WITHOUT_OPTIONS),
    "format": DATA_FORMATS,
}
