"""The nodes of a project for an editor: which there are, and what data says for one."""

from __future__ import annotations

from bunraku.base.errors import PuppetError
from bunraku.base.lazy_typing import Any
from bunraku.base.records import replace
from bunraku.base.usage import UsageError
from bunraku.engine.compile import in_top_scope
from bunraku.engine.request import Request
from bunraku.facts.built_in_systems import built_in_names
from bunraku.facts.documents import read_facts
from bunraku.hiera import issues
from bunraku.hiera.binding import engine_of, invocation_of
from bunraku.hiera.origin import ValueSource, value_sources
from bunraku.jobs.context import Context
from bunraku.jobs.facts_files import facts_on
from bunraku.jobs.nodes import facts_by_node, has_nodes
from bunraku.limits.limits import Limited
from bunraku.runtime.log import LogEntry
from bunraku.runtime.state import Scope
from bunraku.values.literal import literal
from bunraku.values.missing import MISSING
from bunraku.values.sensitive import Sensitive
from bunraku.workbench.docs.secrets import has_secret, is_secret_name
from bunraku.workbench.editor.node import ChosenNode, DataValue, SetPlace

LONGEST = 2000
"""Longer values are cut."""


class ProjectNodes:
    """The nodes of one project."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.requests: dict[ChosenNode, Request] = {}

    def nodes(self) -> list[ChosenNode]:
        """Return the nodes that have facts, then the sample systems. Raises PuppetError, UsageError."""
        found = facts_by_node(self.context) if has_nodes(self.context) else {}
        systems = [ChosenNode(system=name) for name in built_in_names()]
        return [*(ChosenNode(name) for name in sorted(found)), *systems]

    def request(self, node: ChosenNode) -> Request:
        """Return the request of a node, with its facts. Raises PuppetError and UsageError."""
        if node not in self.requests:
            self.requests[node] = self.new_request(node)
        return self.requests[node]

    def new_request(self, node: ChosenNode) -> Request:
        """Return the request of a node from the facts as they are now."""
        context = self.context
        facts: dict[str, Any] = dict(context.facts_of_all)
        files = facts_by_node(context) if has_nodes(context) else {}
        name, system = node.name, node.system
        if name not in files and name in built_in_names():
            name, system = "", name
        if system:
            facts |= facts_on([system], None, name or None, context.options.environment)
        elif path := files.get(name):
            facts |= read_facts(path)
        name = name or str(facts.get("clientcert") or facts.get("fqdn") or "localhost")
        return Request(
            node=name,
            path=context.manifest,
            cycles=False,
            **context.node_fields(name, facts),
            **context.fields,
        )

    def value(self, node: ChosenNode, key: str) -> DataValue | None:
        """Return the value of a key on a node, without a compile; None if no data has it."""
        try:
            with Limited(self.context.limits):
                return self.looked_up(self.request(node), key)
        except (PuppetError, UsageError) as error:
            return DataValue("", wrong=str(error))

    def fact(self, node: ChosenNode, name: str) -> str | None:
        """Return the value of a fact of a node as Puppet code; None if the node has no such fact."""
        try:
            facts = self.request(node).facts
        except (PuppetError, UsageError):
            return None
        if name not in facts or is_secret_name(name) or has_secret(facts[name]):
            return None
        return shortened(literal(facts[name]))

    def looked_up(self, request: Request, key: str) -> DataValue | None:
        """Look a key up. Raises PuppetError."""
        settings = {**request.settings, "node_terminus": "plain"}
        request = replace(request, code="", path=None, node_classes=None, settings=settings)

        def ask(scope: Scope) -> DataValue | None:
            engine, invocation = engine_of(scope.compilation), invocation_of(scope)
            try:
                value = engine.find(invocation, [key], value_type=None, merge=None, default=MISSING)
            except PuppetError as error:
                if error.is_a(issues.NOT_FOUND):
                    return None
                raise
            return data_value(key, value, list(value_sources(engine, invocation, key)))

        found: DataValue | None = in_top_scope(request, ignore_entry, ask)
        return found


def data_value(key: str, value: Any, sources: list[ValueSource]) -> DataValue:
    """Return a value for the editor; secrets are left out."""
    places = tuple(SetPlace(one.level, one.path, one.line) for one in sources)
    is_secret = (
        isinstance(value, Sensitive)
        or is_secret_name(key)
        or has_secret(value)
        or any(one.is_encrypted for one in sources)
    )
    if is_secret:
        return DataValue("", places, is_secret=True)
    return DataValue(shortened(literal(value)), places)


def shortened(text: str) -> str:
    """Return a text, cut if it is long."""
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def ignore_entry(_entry: LogEntry) -> None:
    """Drop what a lookup logs: checks report it."""
