"""The options of ``bunraku ca``, and the actions that each belongs to."""

from __future__ import annotations

import argparse
from collections.abc import Mapping

from bunraku.base.suggestions import suggestion
from bunraku.base.usage import UsageError
from bunraku.cli.options.puppet_settings import add_settings, chosen_settings
from bunraku.cli.options.records import record_of
from bunraku.jobs.certificate_options import CaOptions

COMMAND = "ca"


def ca_options(options: argparse.Namespace) -> CaOptions:
    """Return the action that the options describe; UsageError if they contradict each other."""
    settings = chosen_settings(options, ("confdir", "cadir", "ssldir", "keylength"), COMMAND)
    found = record_of(CaOptions, options, settings=settings)
    check(found)
    return found


ACTIONS: Mapping[str, str] = {
    "setup": "make a new authority and the server's certificate",
    "import": "make an authority of an existing certificate and key",
    "list": "list pending requests, or all certificates",
    "sign": "sign requests",
    "revoke": "revoke certificates",
    "clean": "revoke certificates and remove their files",
    "generate": "make a key and a certificate for a node",
    "prune": "remove entries from the revocation list",
    "delete": "remove files of certificates without revoking them",
}
ALL = "--all"
BELONGS: Mapping[str, tuple[str, ...]] = {
    "all": ("list", "sign", "delete"),
    "certname": tuple(ACTIONS),
    "format": ("list",),
    "ttl": ("sign", "generate"),
    "subject_alt_names": ("setup", "import", "generate"),
    "ca_name": ("setup",),
    "root_ca_name": ("setup",),
    "ca_client": ("generate",),
    "force": ("generate",),
    "private_key": ("import",),
    "cert_bundle": ("import",),
    "crl_chain": ("import",),
    "remove_duplicates": ("prune",),
    "remove_expired": ("prune",),
    "remove_entries": ("prune",),
    "serial": ("prune",),
    "expired": ("delete",),
    "revoked": ("delete",),
}
"""Option → the actions that have it."""
BLOCKED = frozenset(["--all", "--config", "--expired", "--revoked"])


def names(text: str) -> list[str]:
    """Return the names in a list with commas."""
    return [one.strip() for one in text.split(",") if one.strip()]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of all actions."""
    parser.add_argument("action", metavar="ACTION", help=action_help())
    chosen = parser.add_argument_group("certificates")
    chosen.add_argument(
        "--certname",
        type=names,
        action="extend",
        metavar="NAME[,NAME]",
        help="the nodes; with setup and import: the server",
    )
    chosen.add_argument("--all", action="store_true", default=None, help="all nodes")
    chosen.add_argument(
        "--expired", action="store_true", default=None, help="with delete: expired ones"
    )
    chosen.add_argument(
        "--revoked", action="store_true", default=None, help="with delete: revoked ones"
    )
    chosen.add_argument(
        "--format", choices=("text", "json"), metavar="FORMAT", help="with list: text or json"
    )
    making = parser.add_argument_group("new certificates")
    making.add_argument("--ttl", metavar="TIME", help="time of validity, such as 90d or 5y")
    making.add_argument(
        "--subject-alt-names",
        metavar="NAME[,NAME]",
        help="alternative names: DNS:name, IP:address or name",
    )
    making.add_argument(
        "--ca-client",
        action="store_true",
        default=None,
        help="with generate: the certificate may use the whole interface of the authority",
    )
    making.add_argument("--force", action="store_true", default=None, help=argparse.SUPPRESS)
    authority = parser.add_argument_group("new authorities")
    authority.add_argument("--ca-name", metavar="NAME", help="common name of the authority")
    authority.add_argument("--root-ca-name", metavar="NAME", help="common name of its root")
    authority.add_argument("--private-key", metavar="FILE", help="key to import (PEM)")
    authority.add_argument("--cert-bundle", metavar="FILE", help="certificates to import (PEM)")
    authority.add_argument("--crl-chain", metavar="FILE", help="revocation lists to import (PEM)")
    add_prune_options(parser)
    add_place_options(parser)


def add_prune_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``prune``."""
    pruning = parser.add_argument_group("prune")
    for option, text in (
        ("--remove-duplicates", "remove entries that repeat others (default)"),
        ("--remove-expired", "remove entries of expired certificates"),
        ("--remove-entries", "remove the entries of --serial and --certname"),
    ):
        pruning.add_argument(option, action="store_true", default=None, help=text)
    pruning.add_argument(
        "--serial",
        type=names,
        action="extend",
        metavar="NUMBER[,NUMBER]",
        help="hexadecimal serial numbers",
    )


def add_place_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say where the authority is."""
    place = parser.add_argument_group("place")
    place.add_argument(
        "--config",
        dest="settings_file",
        metavar="FILE",
        help="read settings from this puppet.conf (default: of confdir)",
    )
    place.add_argument(
        "--confdir",
        metavar="DIR",
        help="directory of puppet.conf (default: /etc/puppetlabs/puppet for root, else "
        "~/.puppetlabs/etc/puppet)",
    )
    place.add_argument(
        "--cadir",
        metavar="DIR",
        help="directory of the authority (default: puppetserver/ca beside confdir)",
    )
    place.add_argument("--ssldir", metavar="DIR", help="directory of the server's own files")
    place.add_argument("--keylength", metavar="BITS", help="length of new keys (default: 4096)")
    add_settings(place)


def action_help() -> str:
    """Return the help of the argument."""
    return "; ".join(f"{name}: {text}" for name, text in ACTIONS.items())


def check(options: CaOptions) -> None:
    """Raise UsageError for an unknown action, and for options of other actions."""
    action = options.action
    if action not in ACTIONS:
        raise UsageError(f"unknown action '{action}'{suggestion(action, ACTIONS)}", COMMAND)
    for option, actions in BELONGS.items():
        if getattr(options, option) is not None and action not in actions:
            word = option.replace("_", "-")
            raise UsageError(f"--{word} is not an option of {action}", COMMAND)
    wrong = BLOCKED & set(options.certname or [])
    if wrong:
        raise UsageError(f"--certname cannot be '{min(wrong)}'", COMMAND)
    check_action_names(action, options)


def check_action_names(action: str, options: CaOptions) -> None:
    """Raise UsageError unless an action has the names that it needs."""
    given, everything = bool(options.certname), bool(options.all)
    if given and everything:
        raise UsageError("--all and --certname cannot be used together", COMMAND)
    if action == "sign" and not given and not everything:
        raise UsageError("sign requires --certname NAME or --all", COMMAND)
    if action in {"revoke", "clean", "generate"} and not given:
        raise UsageError(f"{action} requires at least one --certname NAME", COMMAND)
    if action in {"setup", "import"} and given and len(options.certname or ()) > 1:
        raise UsageError(f"{action} takes one --certname NAME", COMMAND)
    if action == "delete":
        chosen = [given, everything, bool(options.expired), bool(options.revoked)]
        if not any(chosen):
            raise UsageError("delete requires --certname, --expired, --revoked or --all", COMMAND)
        if everything and any([given, options.expired, options.revoked]):
            raise UsageError("--all cannot be used with --expired or --revoked", COMMAND)
    if action == "import":
        missing = [
            f"--{name.replace('_', '-')}"
            for name in ("private_key", "cert_bundle", "crl_chain")
            if getattr(options, name) is None
        ]
        if missing:
            raise UsageError(f"import requires {', '.join(missing)}", COMMAND)
    if action == "prune":
        check_prune(options)


def check_prune(options: CaOptions) -> None:
    """Raise UsageError unless entries to remove are named exactly with ``--remove-entries``."""
    named = bool(options.serial or options.certname)
    if bool(options.remove_entries) != named:
        raise UsageError(
            "--remove-entries requires --serial or --certname, and they require it", COMMAND
        )
