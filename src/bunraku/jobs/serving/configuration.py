"""The settings of ``bunraku server``, from its options and ``puppet.conf``."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.base.file_reading import read_whole
from bunraku.base.usage import UsageError
from bunraku.certificates.names import load_mapping
from bunraku.engine.dialects import find_dialect
from bunraku.jobs.puppet_conf import read_configuration
from bunraku.jobs.serving.options import COMMAND, ServerOptions
from bunraku.jobs.serving.process import log_line
from bunraku.modules.node import server_facts
from bunraku.modules.settings import wrong_value
from bunraku.server.authorization.reading import read_access
from bunraku.server.authorization.rules import Access
from bunraku.server.files.code import check_commands
from bunraku.server.interface import DEFAULT_RULES
from bunraku.server.reports import PROCESSORS
from bunraku.server.settings import (
    MACHINE,
    Settings,
    all_values,
    default_directories,
    with_defaults,
)
from bunraku.web.tls import Tls


def settings_of(options: ServerOptions) -> Settings:
    """Return the settings; UsageError or PuppetError for those that are wrong."""
    facts = server_facts(MACHINE)
    given = with_defaults(given_settings(options), str(facts["servername"]))
    if options.puppetdb != "none":  # a database that the server keeps has the reports, too
        given.setdefault("reports", "store,puppetdb")
    values = all_values(given)
    check_reports(str(values["reports"]))
    version = find_dialect(None, "puppet", given).version
    code_id = program(options.code_id_command, "--code-id-command")
    code_content = program(options.code_content_command, "--code-content-command")
    check_commands(code_id, code_content)
    return Settings(
        given=given,
        values=values,
        version=version,
        mapping=load_mapping(str(values["trusted_oid_mapping_file"])),
        server_facts={**facts, "serverversion": version},
        code_id_command=code_id,
        code_content_command=code_content,
        seconds=options.timeout,
        memory=options.memory,
        soft_write_failure=options.soft_write_failure,
        reuse_catalogs=options.reuse_catalogs,
        verify_catalogs=options.verify_catalogs,
    )


def given_settings(options: ServerOptions) -> dict[str, Any]:
    """Return the settings of ``puppet.conf``, and those of the options over them."""
    named = options.settings
    confdir = named.get("confdir", default_directories()["confdir"])
    path = named.get("config", os.path.join(confdir, "puppet.conf"))
    found: dict[str, Any] = {"confdir": confdir} if "confdir" in named else {}
    if "config" in named or os.path.exists(path):
        found.update(read_configuration(path))
    given = {**found, **named}
    check_values(given)
    return given


def check_values(given: Mapping[str, Any]) -> None:
    """Raise UsageError for a setting whose value is of the wrong kind."""
    for name, value in given.items():
        problem = wrong_value(name, value)
        if problem is not None:
            raise UsageError(f"invalid value {value!r} of the setting {name}: {problem}", COMMAND)


def check_reports(text: str) -> None:
    """Raise UsageError for an unknown report processor."""
    for name in text.replace(",", " ").split():
        if name not in PROCESSORS and name != "none":
            known = ", ".join(PROCESSORS)
            raise UsageError(f"unknown report processor '{name}' (known: {known})", COMMAND)


def program(path: str | None, option: str) -> str | None:
    """Return the absolute path of a program; UsageError if it cannot be executed."""
    if path is None:
        return None
    found = os.path.abspath(path)
    if not MACHINE.is_executable(found):
        raise UsageError(f"{option}: {path} is not a program that can be executed", COMMAND)
    return found


def access_of(options: ServerOptions) -> Access:
    """Return the rules of access; UsageError with file and line if they are wrong."""
    path = options.auth_conf
    if path is None:
        return Access(DEFAULT_RULES)
    try:
        return read_access(read_whole(path).decode("utf-8"), path)
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"--auth-conf: cannot read {path}: {error}", COMMAND) from None
    except PuppetError as error:
        place = ":".join(str(part) for part in error.place.where[:2] if part)
        raise UsageError(f"--auth-conf: {place}: {error.message}", COMMAND) from None


def tls_of(options: ServerOptions, settings: Settings) -> Tls:
    """Return the files of TLS; UsageError if one is missing."""
    values = settings.values
    cert, key, authority = (
        str(values[name]) for name in ("hostcert", "hostprivkey", "localcacert")
    )
    for path in (cert, key, authority):
        if not os.path.isfile(path):
            raise UsageError(
                f"{path} is missing; make the certificates of {settings.certname} first", COMMAND
            )
    own, given = str(values["cacrl"]), str(values["hostcrl"])
    crl = own if not options.no_ca and os.path.isfile(own) else given
    if values["certificate_revocation"] in {False, "false"}:
        return Tls(cert, key, authority, None, "want")
    if not os.path.isfile(crl):
        raise UsageError(f"{crl} is missing; it is the revocation list of the authority", COMMAND)
    return Tls(cert, key, authority, crl, "want")


def log_message(level: str, text: str) -> None:
    """Print a message of the server."""
    if level != "debug":
        log_line(f"{level}: {text}")
