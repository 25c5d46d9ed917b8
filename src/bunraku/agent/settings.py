"""The settings of an agent: Puppet's, from ``puppet.conf`` and options."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property
from typing import Any

from bunraku.agent import issues
from bunraku.apply.directories import Directories
from bunraku.base.records import record
from bunraku.modules.names import check_node_name
from bunraku.modules.settings import DEFAULTS, convert, resolve
from bunraku.web.proxies import network_of
from bunraku.web.requests import Network, TlsFiles

Values = Mapping[str, Any]
REVOCATION = {"chain": "chain", "true": "chain", "leaf": "leaf", "false": None}
"""Values of certificate_revocation and how far certificates are checked."""


@record(frozen=True, slots=False)
class AgentSettings:
    """The settings that are ``given``, by name; the rest has Puppet's defaults.

    ``by_option`` are the names of those that the command line gave. ``certname`` is the name of
    the machine, for the case that no setting gives another.
    """

    given: Values
    certname: str
    by_option: Collection[str] = ()

    @cached_property
    def values(self) -> dict[str, Any]:
        """All settings, with the values of others filled in."""
        typed = {
            name: convert(name, value) if isinstance(value, str) else value
            for name, value in self.given.items()
        }
        if "masterport" in typed:
            typed.setdefault("serverport", typed["masterport"])
        found = resolve(typed, self.certname)
        found["certname"] = str(found["certname"]).lower()
        return found

    def check(self) -> None:
        """Raise PuppetError for settings that are wrong."""
        if self.text("node_name_fact") and self.node_name != self.name:
            raise issues.TWO_NODE_NAMES()
        check_node_name(self.node_name)
        for name, default in DEFAULTS.items():
            if name in self.given and isinstance(default, int):
                self.number(name) if not isinstance(default, bool) else self.flag(name)
        self.port("serverport")
        self.port("ca_port")
        self.port("report_port")
        self.port("http_proxy_port")
        self.revocation()
        self.extra_headers({})

    # -- kinds of values -------------------------------------------------------------------------

    def text(self, name: str) -> str:
        """Return a setting as text, empty without a value."""
        value = self.values[name]
        return "" if value is None else str(value)

    def flag(self, name: str) -> bool:
        """Return a setting that is yes or no; PuppetError for another value."""
        value = self.values[name]
        if isinstance(value, bool):
            return value
        raise issues.BAD_SETTING(name=name, value=value, reason="use true or false")

    def number(self, name: str) -> float:
        """Return a number or a duration in seconds; PuppetError for another value."""
        value = self.values[name]
        if isinstance(value, str):  # a reference to another setting that was filled in
            value = convert("runinterval", value)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return float(value)
        reason = "use a number, or a duration such as 30s, 5m, 1h or 1d"
        raise issues.BAD_SETTING(name=name, value=self.values[name], reason=reason)

    def interval(self, name: str) -> float | None:
        """Return a duration in seconds; None without one (the value false or empty)."""
        return None if self.values[name] in (None, False, "") else self.number(name)

    def words(self, name: str) -> list[str]:
        """Return the words of a list, separated by commas or blanks."""
        value = self.values[name]
        found = value if isinstance(value, list) else str(value or "").replace(",", " ").split()
        return [str(one) for one in found]

    def port(self, name: str) -> int:
        """Return a port; PuppetError for another number."""
        found = self.number(name)
        if not 1 <= found <= 65535 or found != int(found):
            raise issues.BAD_SETTING(name=name, value=self.values[name], reason="it is not a port")
        return int(found)

    # -- what they mean --------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The certname of the node."""
        return self.text("certname")

    @property
    def node_name(self) -> str:
        """The name of the node in requests; the certname, unless a setting gives another."""
        return self.text("node_name_value")

    @property
    def pid_file(self) -> str:
        """The file with the process ID of an agent that runs in intervals."""
        if "pidfile" in self.given:
            return self.text("pidfile")
        return f"{self.text('rundir')}/agent.pid"

    def revocation(self) -> str | None:
        """Return how far revocation is checked: ``chain``, ``leaf``, or None for not at all."""
        value = str(self.values["certificate_revocation"]).lower()
        if value not in REVOCATION:
            reason = f"use one of {', '.join(REVOCATION)}"
            raise issues.BAD_SETTING(name="certificate_revocation", value=value, reason=reason)
        return REVOCATION[value]

    def network(self, variables: Mapping[str, str]) -> Network:
        """Return how requests leave this machine; ``variables`` are those of the environment."""
        try:
            return network_of(self.values, variables)
        except ValueError as error:
            raise issues.BAD_PROXY(reason=error) from None

    def extra_headers(self, usual: Mapping[str, str]) -> dict[str, str]:
        """Return the headers of ``http_extra_headers`` that are not among the usual ones."""
        found = {}
        names = {name.lower() for name in usual}
        for entry in self.words("http_extra_headers"):
            name, colon, value = entry.partition(":")
            if not colon or not name or not value:
                reason = "use names and values, such as X-Site:one"
                raise issues.BAD_SETTING(name="http_extra_headers", value=entry, reason=reason)
            if name.lower() not in names:
                found[name] = value
        return found

    def tls(self, *, own: bool = True) -> TlsFiles:
        """Return the files with which servers are checked; with ``own``, the node's certificate."""
        depth = self.revocation()
        return TlsFiles(
            self.text("localcacert"),
            self.text("hostcert") if own else None,
            self.text("hostprivkey") if own else None,
            self.text("hostcrl") if depth else None,
            "leaf" if depth == "leaf" else "chain",
        )

    @property
    def directories(self) -> Directories:
        """The directories and files in which runs keep their state."""
        names = ("agent_catalog_run_lockfile", "lastrunfile", "lastrunreport", "statefile")
        more = ("transactionstorefile", "classfile", "resourcefile")
        return Directories(
            self.text("vardir"),
            self.text("statedir"),
            self.text("publicdir"),
            self.text("clientbucketdir"),
            {name: self.text(name) for name in (*names, *more)},
        )
