"""The options of ``bunraku ca``, and the actions that each belongs to."""

from __future__ import annotations

import argparse
from collections.abc import Mapping

from bunraku.base.suggestions import suggestion
from bunraku.base.usage import UsageError
from bunraku.cli.options.declarations import GENERAL, UNSET, Rules
from bunraku.cli.options.puppet_settings import PUPPET_SETTINGS, chosen_settings
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


AUTHORITY = f"""
action ACTION: {"; ".join(f"{name}: {text}" for name, text in ACTIONS.items())}
[certificates]
--certname NAME[,NAME]: the nodes; with setup and import: the server
--all: all nodes
--expired: with delete: expired ones
--revoked: with delete: revoked ones
--format FORMAT: with list: text or json
[new certificates]
--ttl TIME: time of validity, such as 90d or 5y
--subject-alt-names NAME[,NAME]: alternative names: DNS:name, IP:address or name
--ca-client: with generate: the certificate may use the whole interface of the authority
--force
[new authorities]
--ca-name NAME: common name of the authority
--root-ca-name NAME: common name of its root
--private-key FILE: key to import (PEM)
--cert-bundle FILE: certificates to import (PEM)
--crl-chain FILE: revocation lists to import (PEM)
[prune]
--remove-duplicates: remove entries that repeat others (default)
--remove-expired: remove entries of expired certificates
--remove-entries: remove the entries of --serial and --certname
--serial NUMBER[,NUMBER]: hexadecimal serial numbers
[place]
--config FILE: read settings from this puppet.conf (default: of confdir)
--confdir DIR: directory of puppet.conf (default: /etc/puppetlabs/puppet for root, else
    ~/.puppetlabs/etc/puppet)
--cadir DIR: directory of the authority (default: puppetserver/ca beside confdir)
--ssldir DIR: directory of the server's own files
--keylength BITS: length of new keys (default: 4096)
{PUPPET_SETTINGS}
{GENERAL}
"""
SWITCHES = "all expired revoked ca_client force remove_duplicates remove_expired remove_entries"
AUTHORITY_RULES: Rules = {
    **dict.fromkeys(SWITCHES.split(), UNSET),
    "certname": {"action": "extend", "type": names},
    "serial": {"action": "extend", "type": names},
    "format": {"choices": ("text", "json")},
    "config": {"dest": "settings_file"},
}


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
