"""The node that a catalog is compiled for: facts, trusted data, and the variables they become."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from ipaddress import ip_address
from typing import Any

from bunraku.base.errors import Diagnostic
from bunraku.base.records import field, record
from bunraku.facts.network import ipv6_addresses, is_local
from bunraku.facts.probe import Probe
from bunraku.modules import issues
from bunraku.modules.ruby_text import inspect, text
from bunraku.world.protocol import World

Value = Any
RESERVED = ("facts", "server_facts")
ALREADY_SET = ("title", "name", "module_name")


def sanitize(value: Value) -> Value:
    """Return a fact in the form for manifests: keys are strings, and null is an empty string.

    >>> sanitize({"a": None, 1: [True, 2.5]})
    {'a': '', '1': [True, 2.5]}
    """
    if isinstance(value, Mapping):
        return {str(key): sanitize(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [sanitize(item) for item in value]
    if value is None:
        return ""
    return value if isinstance(value, str | int | float) else str(value)


def stringify(value: Value) -> str:
    """Return a fact as Puppet 3 sends it to the compiler by default: as Ruby prints it.

    >>> stringify({"k": [1, True]})
    '{"k"=>[1, true]}'
    """
    return value if isinstance(value, str) else "" if value is None else inspect(value)


def trusted_data(name: str, given: Mapping[str, Value] | None = None) -> dict[str, Value]:
    """Return ``$trusted`` of a local compile, with the data of the request merged over it.

    Without authentication it has no name, even if the request has one.

    >>> trusted_data("web1.example.com")["domain"]
    'example.com'
    >>> trusted_data("web1.example.com", {"authenticated": False})["certname"]
    """
    given = given or {}
    hostname, _, domain = name.partition(".")
    known = given.get("authenticated", "local") is not False
    data: dict[str, Value] = {
        "authenticated": "local",
        "certname": name if known else None,
        "extensions": {},
        "hostname": hostname if known else None,
        "domain": (domain or None) if known else None,
        "external": {},
    }
    return {**data, **given}


def agent_facts(name: str, environment: str | None = None) -> dict[str, Value]:
    """Return the facts that an agent adds, except its version, which the language decides.

    >>> agent_facts("web1")["clientcert"]
    'web1'
    """
    found = {"clientcert": name, "clientnoop": False}
    return {**found, "agent_specified_environment": environment} if environment else found


def server_facts(world: World) -> dict[str, Value]:
    """Return the facts of a server, taken from this machine, except its version.

    >>> from bunraku.world.dictionary import DictionaryWorld
    >>> world = DictionaryWorld(
    ...     {"/proc/sys/kernel/hostname": b"here"}, addresses=(("eth0", "192.0.2.1", ""),)
    ... )
    >>> server_facts(world)["servername"], server_facts(world)["serverip"]
    ('here', '192.0.2.1')
    """
    found: dict[str, Value] = {}
    try:
        found["servername"] = world.read("/proc/sys/kernel/hostname").decode().strip().lower()
    except (OSError, ValueError):
        found["servername"] = "localhost"
    try:
        addresses = [address for _, address, _ in world.ipv4_addresses()]
    except OSError:
        addresses = []
    useful = [one for one in addresses if not is_local(ip_address(one))]
    found["serverip"] = (useful or addresses or ["127.0.0.1"])[0]
    wide = [ip_address(text.partition("/")[0]) for _, text, _ in ipv6_addresses(Probe(world))]
    wide = [one for one in wide if not one.is_loopback and not one.is_link_local]
    if wide:
        found["serverip6"] = str(min(wide, key=is_local))
    return found


@record()
class Node:
    """The data of a node before its catalog is compiled.

    ``parameters`` and ``classes`` come from a node classifier: variables, and class names, maybe
    with their parameters. ``facts`` are as they came; :attr:`clean_facts` is their form for manifests.
    """

    name: str
    facts: Mapping[str, Value] = field(default_factory=dict)
    trusted: Mapping[str, Value] | None = None
    parameters: Mapping[str, Value] = field(default_factory=dict)
    classes: Mapping[str, Mapping[str, Value] | None] | Iterable[str] = ()
    environment: str = "production"
    server_facts: Mapping[str, Value] = field(default_factory=dict)
    keeps_null_facts: bool = False

    def clean_facts(self, *, as_text: bool = False) -> dict[str, Value]:
        """``$facts``; with ``as_text`` every fact is a string."""
        if as_text:
            return {str(name): stringify(value) for name, value in self.facts.items()}
        if self.keeps_null_facts:
            return {str(name): value for name, value in self.facts.items()}
        return {str(name): sanitize(value) for name, value in self.facts.items()}

    def class_parameters(self) -> dict[str, dict[str, Value]]:
        """Return the classifier's classes with their parameters, in order."""
        if isinstance(self.classes, Mapping):
            return {name: dict(values or {}) for name, values in self.classes.items()}
        return {name: {} for name in self.classes}

    def all_server_facts(self) -> dict[str, Value]:
        """Return ``$server_facts``: those given and the environment."""
        return {**self.server_facts, "environment": self.environment}

    def names_of_others(self) -> frozenset[str]:
        """Return the names of variables of top scope that are not those of facts, or not always."""
        given = {*self.parameters, *self.all_server_facts()}
        return frozenset({*given, *RESERVED, "trusted", "environment"})

    def top_scope(
        self, *, as_text: bool = False, warn: Callable[[Diagnostic], None] | None = None
    ) -> dict[str, Value]:
        """Return the variables of top scope, with ``$facts``, ``$trusted`` and ``$server_facts``.

        A classifier's variable wins over a fact of its name, a fact over one of the server's; ``warn`` gets a warning,
        also if they are equal, as in Puppet's ``Node#merge``.
        """
        facts = self.clean_facts(as_text=as_text)
        variables: dict[str, Value] = {**self.parameters, "environment": self.environment}
        for source in (facts, self.server_facts):
            for name, value in source.items():
                if name not in variables:
                    variables[name] = value
                elif warn is not None and (name, value) != ("environment", self.environment):
                    # Generated facts have the name of the environment, which Puppet's node has later.
                    warn(self.clash(name, variables[name], value))
        self.check_names(variables)
        variables["trusted"] = trusted_data(self.name, self.trusted)
        variables["server_facts"] = self.all_server_facts()
        variables["facts"] = facts
        return variables

    def clash(self, name: str, kept: Value, lost: Value) -> Diagnostic:
        """Return the warning that a variable has a value already."""
        arguments = {"name": name, "node": self.name, "kept": text(kept), "lost": text(lost)}
        return issues.VARIABLE_CLASH.diagnostic(severity="warning", **arguments)

    @staticmethod
    def check_names(variables: Mapping[str, Value]) -> None:
        """Refuse facts whose names are variables of the language."""
        for name in RESERVED:
            if name in variables:
                raise issues.RESERVED_FACT_NAME(name=name)
        for name in ALREADY_SET:
            if name in variables:
                raise issues.FACT_SHADOWS_VARIABLE(name=name)
        for name in variables:
            if is_match_variable(name):
                raise issues.NUMERIC_FACT_NAME(name=name)


def is_match_variable(name: str) -> bool:
    """Return whether a name is that of a match variable."""
    return name.isascii() and name.isdigit()


def is_refused(name: str) -> bool:
    """Return whether :meth:`Node.check_names` refuses a fact of a name."""
    return name in RESERVED or name in ALREADY_SET or is_match_variable(name)


def top_variables(
    node: Node,
    _settings: Mapping[str, Any],
    warn: Callable[[Diagnostic], None],
) -> dict[str, Value]:
    """Return the variables of top scope: see :meth:`Node.top_scope`."""
    return node.top_scope(warn=warn)
