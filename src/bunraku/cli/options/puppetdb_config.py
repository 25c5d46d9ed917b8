"""The values of options that are not given: of a PuppetDB's configuration, else the defaults."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Mapping
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.base.excerpt import visible
from bunraku.base.usage import UsageError
from bunraku.cli.options.puppetdb import address, duration, seconds, size
from bunraku.cli.options.records import record_of
from bunraku.cli.options.shared import read_text
from bunraku.cli.output.output import write_error
from bunraku.jobs.serving.options import DatabaseOptions
from bunraku.puppetdb.blocklist import TYPES
from bunraku.puppetdb.configuration import ENDINGS, Configuration, read_configuration
from bunraku.puppetdb.settings import PuppetDBSettings

COMMAND = "puppetdb"
CLIENT_AUTH = ("need", "want", "none")
QUEUE_BELOW_VARDIR = "bunraku-queue"
TEXTS = (
    "ssl_cert",
    "ssl_key",
    "ssl_ca_cert",
    "ssl_crl_path",
    "certificate_allowlist",
    "client_auth",
    "facts_blocklist",
    "facts_blocklist_type",
)
"""The settings whose values are those of the options."""
DEFAULTS: Mapping[str, Any] = {
    "listen": ("127.0.0.1", 8080),
    "client_auth": "need",
    "node_ttl": duration("7d"),
    "node_purge_ttl": duration("14d"),
    "report_ttl": duration("14d"),
    "gc_interval": duration("60m"),
    "max_command_size": PuppetDBSettings().max_command_size,
    "query_timeout_default": PuppetDBSettings().query_timeout_default,
    "query_timeout_max": PuppetDBSettings().query_timeout_max,
    "facts_blocklist": "",
    "facts_blocklist_type": "literal",
}


def database_options(options: argparse.Namespace) -> DatabaseOptions:
    """Return the options, with values of the configuration, else the defaults, for those not given.

    UsageError for a configuration that is wrong, and without a database.
    """
    found: Mapping[str, Any] = {}
    if options.settings_file is not None:
        try:
            configuration = read_configuration(texts(options.settings_file))
            found = values_of(configuration)
        except PuppetError as error:
            raise UsageError(f"--config: {error}", COMMAND) from None
        if configuration.ignored:
            names = ", ".join(sorted(configuration.ignored))
            write_error(
                visible(f"warning: without effect in {options.settings_file}: {names}") + "\n"
            )
    given = {name: value for name, value in vars(options).items() if value is not None}
    listening = found.get("listen") is not None or found.get("ssl_listen") is not None
    if listening and "listen" not in found:
        given.setdefault("listen", "none")
    chosen = {**DEFAULTS, **found, **given}
    if chosen["listen"] == "none":
        chosen["listen"] = None
    if "database" not in chosen:
        raise UsageError("--database FILE is required (see 'bunraku puppetdb --help')", COMMAND)
    return record_of(DatabaseOptions, argparse.Namespace(**chosen))


def texts(path: str) -> dict[str, str]:
    """Return the texts of a file, or of the files in a folder in alphabetical order."""
    if not os.path.isdir(path):
        return {path: read_text(path)}
    names = sorted(name for name in os.listdir(path) if name.endswith(ENDINGS))
    return {name: read_text(os.path.join(path, name)) for name in names if name != "auth.conf"}


def values_of(configuration: Configuration) -> dict[str, Any]:
    """Return the values of options that a configuration gives."""
    values = configuration.values
    found: dict[str, Any] = {name: values[name] for name in TEXTS if name in values}
    if configuration.database is not None:
        found["database"] = configuration.database
    if "vardir" in values:
        found["queue"] = os.path.join(values["vardir"], QUEUE_BELOW_VARDIR)
    for option, host, port in (("listen", "host", "port"), ("ssl_listen", "ssl_host", "ssl_port")):
        if port in values:
            text = f"{values.get(host, 'localhost')}:{values[port]}"
            found[option] = checked(address, port, text)
    for name in ("node_ttl", "node_purge_ttl", "report_ttl", "resource_events_ttl"):
        if name in values:
            found[name] = checked(duration, name, values[name])
    if "gc_interval" in values:
        found["gc_interval"] = checked(duration, "gc_interval", f"{values['gc_interval']}m")
    for name in ("query_timeout_default", "query_timeout_max"):
        if name in values:
            found[name] = checked(seconds, name, values[name])
    if "max_command_size" in values:
        found["max_command_size"] = checked(size, "max_command_size", values["max_command_size"])
    for name, choices in (("client_auth", CLIENT_AUTH), ("facts_blocklist_type", TYPES)):
        if name in values and values[name] not in choices:
            setting = name.replace("_", "-")
            raise UsageError(f"--config: {setting}: use {', '.join(choices)}", COMMAND)
    return found


def checked(read: Callable[[str], Any], name: str, text: str) -> Any:
    """Return the value of a setting; UsageError if it is wrong."""
    try:
        return read(text)
    except argparse.ArgumentTypeError as error:
        raise UsageError(f"--config: {name.replace('_', '-')}: {error}", COMMAND) from None
