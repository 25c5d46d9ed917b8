"""The configuration files of PuppetDB: ``database.ini``, ``jetty.ini``, ``config.ini`` and others."""

from __future__ import annotations

import configparser
from collections.abc import Mapping, Sequence
from urllib.parse import quote

from bunraku.base.records import record
from bunraku.base.suggestions import suggestion
from bunraku.puppetdb import issues

ENDINGS = (".ini", ".conf")
USED: Mapping[str, Mapping[str, str]] = {
    "global": {"vardir": "vardir"},
    "database": {
        "subname": "subname",
        "username": "username",
        "user": "username",
        "password": "password",
        "gc-interval": "gc_interval",
        "node-ttl": "node_ttl",
        "node-purge-ttl": "node_purge_ttl",
        "report-ttl": "report_ttl",
        "resource-events-ttl": "resource_events_ttl",
        "facts-blacklist": "facts_blocklist",
        "facts-blacklist-type": "facts_blocklist_type",
        "facts-blocklist": "facts_blocklist",
        "facts-blocklist-type": "facts_blocklist_type",
    },
    "jetty": {
        "host": "host",
        "port": "port",
        "ssl-host": "ssl_host",
        "ssl-port": "ssl_port",
        "ssl-cert": "ssl_cert",
        "ssl-key": "ssl_key",
        "ssl-ca-cert": "ssl_ca_cert",
        "ssl-crl-path": "ssl_crl_path",
        "client-auth": "client_auth",
    },
    "puppetdb": {
        "certificate-allowlist": "certificate_allowlist",
        "certificate-whitelist": "certificate_allowlist",
        "query-timeout-default": "query_timeout_default",
        "query-timeout-max": "query_timeout_max",
    },
    "command-processing": {
        "max-command-size": "max_command_size",
        "reject-large-commands": "reject_large_commands",
    },
}
"""The settings that are used, and the name of each here."""
IGNORED: Mapping[str, frozenset[str]] = {
    "global": frozenset(["logging-config", "update-server"]),
    "database": frozenset(
        [
            "classname",
            "subprotocol",
            "conn-keep-alive",
            "conn-lifetime",
            "conn-max-age",
            "connection-migrator-username",
            "connection-timeout",
            "connection-username",
            "gc-interval-catalogs",
            "gc-interval-expire-nodes",
            "gc-interval-fact-paths",
            "gc-interval-packages",
            "gc-interval-purge-nodes",
            "gc-interval-purge-reports",
            "log-slow-statements",
            "log-statements",
            "maximum-pool-size",
            "migrate",
            "migrator-password",
            "migrator-username",
            "node-purge-gc-batch-limit",
            "partition-conn-max",
            "partition-conn-min",
            "partition-count",
            "schema-check-interval",
            "stats",
            "statements-cache-size",
        ]
    ),
    "jetty": frozenset(
        [
            "access-log-config",
            "cipher-suites",
            "graceful-shutdown-timeout",
            "max-threads",
            "request-header-max-size",
            "ssl-cert-chain",
            "ssl-protocols",
        ]
    ),
    "puppetdb": frozenset(
        [
            "add-agent-report-filter",
            "disable-update-checking",
            "log-queries",
        ]
    ),
    "command-processing": frozenset(["concurrent-writes", "threads"]),
}
"""The settings that are accepted and have no effect here."""
UNUSED_SECTIONS = frozenset(["nrepl", "repl", "developer"])


@record(frozen=True)
class Configuration:
    """The settings that are used, by their names here, and those without effect."""

    values: Mapping[str, str]
    ignored: Sequence[str]

    @property
    def database(self) -> str | None:
        """The URL of the database, or the path of a file if ``subname`` is one."""
        subname = self.values.get("subname")
        if subname is None or not subname.startswith("//"):
            return subname
        user = quote(self.values.get("username", ""), safe="")
        password = quote(self.values.get("password", ""), safe="")
        login = f"{user}{':' if password else ''}{password}"
        return f"postgresql://{login}{'@' if login else ''}{subname.removeprefix('//')}"


def read_configuration(files: Mapping[str, str]) -> Configuration:
    """Return the settings in files, later ones before earlier ones; PuppetError for unknown ones.

    ``files`` has the texts by the names of the files.

    >>> read_configuration({"a.ini": "[database]\\nsubname = //db/puppetdb\\nuser = p"}).database
    'postgresql://p@db/puppetdb'
    """
    values: dict[str, str] = {}
    ignored: list[str] = []
    for name, text in files.items():
        parser = configparser.RawConfigParser(strict=False)
        try:
            parser.read_string(text, name)
        except configparser.Error as error:
            raise issues.BAD_CONFIGURATION(reason=" ".join(str(error).split())) from None
        for section in parser.sections():
            for setting, value in parser.items(section):
                found = used(name, section, setting)
                if found is None:
                    ignored.append(f"[{section}] {setting}")
                else:
                    values[found] = value
    if values.get("reject_large_commands", "").lower() != "true" and "max_command_size" in values:
        del values["max_command_size"]
        ignored.append("[command-processing] max-command-size without reject-large-commands = true")
    return Configuration(values, ignored)


def used(file: str, section: str, setting: str) -> str | None:
    """Return the name of a setting here; None if it has no effect, PuppetError if it is unknown."""
    if section in UNUSED_SECTIONS:
        return None
    known = {*USED.get(section, ()), *IGNORED.get(section, ())}
    if not known:
        near = suggestion(section, [*USED, *IGNORED])
        raise issues.BAD_CONFIGURATION(reason=f"{file}: unknown section [{section}]{near}")
    if setting not in known:
        near = suggestion(setting, known)
        raise issues.BAD_CONFIGURATION(
            reason=f"{file}: unknown setting '{setting}' in [{section}]{near}"
        )
    return USED.get(section, {}).get(setting)
