"""Explain why a resource is in the catalogs of nodes, and where its values come from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bunraku.base.errors import PuppetError
from bunraku.base.records import field, record
from bunraku.base.suggestions import did_you_mean
from bunraku.base.usage import UsageError
from bunraku.catalog.catalog import Catalog
from bunraku.catalog.wire import catalog_to_data
from bunraku.engine.compile import compile_resolved
from bunraku.engine.nodes import as_json
from bunraku.engine.request import Request, resolve, with_facts_file
from bunraku.jobs.compile import CodeOrManifest, compile_request
from bunraku.jobs.compile_nodes import NodesOptions, tasks_of
from bunraku.jobs.context import Context
from bunraku.jobs.nodes import NodeOptions
from bunraku.limits.limits import Limited
from bunraku.runtime.state import DeclaredResource, Scope
from bunraku.types.text.display import capitalize
from bunraku.workbench.origins.origin import Origin, ResourceExplanation
from bunraku.workbench.origins.origins import Origins

REFERENCE = re.compile(r"(?P<type>[A-Za-z][\w:]*)\[(?P<title>.*)\]", re.DOTALL)
NAME = re.compile(r"(?:::)?[a-z]\w*(?:::[a-z]\w*)*")
UNSET = Origin("unknown", "not set on this node")
"""Explains a parameter that the resource has on other nodes."""
RELATIONSHIPS = frozenset({"before", "notify", "require", "subscribe"})


@record()
class ExplainOptions:
    """What is explained: ``File[/etc/x]``, a class, a parameter of a class, or a key of Hiera.

    ``parameters`` are those of the resource that are explained: all without any. Without a node in the
    context, all nodes with facts that match ``nodes`` are compiled.
    """

    subject: str
    parameters: Sequence[str] = ()
    code: CodeOrManifest = field(default_factory=CodeOrManifest)
    nodes: NodeOptions = field(default_factory=NodeOptions)


@record(frozen=True)
class Explained:
    """An explanation, and the nodes that it holds for."""

    nodes: Sequence[str]
    explanation: ResourceExplanation


@record(frozen=True)
class ExplainResult:
    """The explanations, the nodes whose catalogs lack the subject, and the errors of nodes that do not compile.

    ``similar`` is a question whether another name is meant, if no node has the subject.
    """

    explained: Sequence[Explained]
    without: Sequence[str] = ()
    failed: Sequence[tuple[str, PuppetError]] = ()
    similar: str | None = None


def explain_subject(context: Context, options: ExplainOptions) -> ExplainResult:
    """Compile nodes and explain the subject in each catalog; nodes with the same explanation share it.

    Raises UsageError.
    """
    find = named_subject(options.subject)
    groups: list[tuple[list[str], ResourceExplanation]] = []
    without: list[str] = []
    failed: list[tuple[str, PuppetError]] = []
    similar: str | None = None
    names: set[str] = set()
    for node, request in requests_of(context, options):
        try:
            with Limited(context.limits):
                explanation = explained_node(context, request, find, options.parameters, names)
        except PuppetError as error:
            failed.append((node, error))
            continue
        if isinstance(explanation, NotInCatalog):
            without.append(node)
            similar = similar or explanation.similar
            continue
        for nodes, known in groups:
            if known == explanation:
                nodes.append(node)
                break
        else:
            groups.append(([node], explanation))
    if groups:
        check_parameters(groups[0][1].reference, options.parameters, names)
    explained = [Explained(*group) for group in groups]
    return ExplainResult(explained, without, failed, None if explained else similar)


def check_parameters(reference: str, parameters: Sequence[str], known: set[str]) -> None:
    """Raise UsageError for a parameter that the resource has on no node."""
    for name in parameters:
        if name not in known:
            hint = did_you_mean(name, known)
            raise UsageError(f"{reference} has no parameter '{name}'{f': {hint}' if hint else ''}")


def requests_of(context: Context, options: ExplainOptions) -> Iterator[tuple[str, Request]]:
    """Yield the nodes with their requests: the one of the options, or all that have facts."""
    one = context.options.node or context.options.facts or options.code.code is not None
    request = compile_request(context, options.code, several=not one)
    if one:
        yield request.node, request
        return
    for task in tasks_of(context, NodesOptions(options.nodes), request, as_json):
        yield task.node, with_facts_file(task.request, task.facts_file)


# -- the subject -----------------------------------------------------------------------------------


@record(frozen=True)
class NotInCatalog:
    """A catalog lacks the subject; ``similar`` is a question whether another name is meant."""

    similar: str | None


@record(frozen=True)
class Subject:
    """What is explained: a resource, or the name of a class, of a parameter of a class or of a key."""

    type: str = ""
    title: str = ""
    name: str = ""

    def resource(self, scope: Scope) -> tuple[DeclaredResource, str] | None:
        """Return the resource in a catalog, and the parameter that is meant; None without one."""
        catalog = scope.compilation.catalog
        if self.type:
            found = catalog.find(self.type, self.title)
            return None if found is None else (found, "")
        found = catalog.find("class", self.name)
        if found is not None:
            return found, ""
        class_name, _, parameter = self.name.rpartition("::")
        found = catalog.find("class", class_name) if class_name else None
        if found is None or found.definition is None:
            return None
        return (found, parameter) if parameter in found.definition.parameter_names else None


def named_subject(text: str) -> Subject:
    """Return what a text names. Raises UsageError.

    >>> named_subject("File['/etc/x']").title, named_subject("ntp::servers").name
    ('/etc/x', 'ntp::servers')
    """
    match = REFERENCE.fullmatch(text)
    if match is not None:
        return Subject(match["type"].removeprefix("::"), match["title"].strip("'\""))
    if NAME.fullmatch(text) or "::" in text:
        return Subject(name=text.removeprefix("::"))
    raise UsageError(
        f"'{text}' is neither a reference such as 'File[/etc/motd]' nor the name of a class, "
        "a parameter such as ntp::servers, or a Hiera key"
    )


def explained_node(
    context: Context,
    request: Request,
    subject: Subject,
    parameters: Sequence[str],
    known: set[str],
) -> ResourceExplanation | NotInCatalog:
    """Return the explanation for one node, and add the parameters that the resource has to those known.

    Raises PuppetError for a node that does not compile.
    """

    def in_scope(scope: Scope) -> ResourceExplanation | NotInCatalog:
        return explained_in(scope, subject, parameters, known)

    compiled, value = compile_resolved(resolve(request, context.observer.log), then=in_scope)
    explanation: ResourceExplanation | NotInCatalog = value
    if isinstance(explanation, NotInCatalog) or not explanation.way:
        return explanation
    return with_order(explanation, Catalog(catalog_to_data(compiled)))


def explained_in(
    scope: Scope, subject: Subject, parameters: Sequence[str], known: set[str]
) -> ResourceExplanation | NotInCatalog:
    """Return the explanation in a catalog that is compiled, without the order of resources."""
    origins = Origins(scope.compilation)
    found = subject.resource(scope)
    if found is None:
        data = origins.data(subject.name, scope) if subject.name else None
        if data is not None:
            return ResourceExplanation(subject.name, (), ((subject.name, data),))
        return NotInCatalog(similar_to(scope, subject))
    resource, parameter = found
    chosen = [parameter] if parameter else list(parameters) or list(resource.parameters)
    known.update(resource.parameters)
    shown = [
        (
            name,
            origins.parameter(resource, name)
            if name in {parameter, *resource.parameters}
            else UNSET,
        )
        for name in chosen
    ]
    return ResourceExplanation(resource.reference, tuple(origins.way(resource)), tuple(shown))


def similar_to(scope: Scope, subject: Subject) -> str | None:
    """Return the question whether a similar resource of the catalog is meant."""
    catalog = scope.compilation.catalog
    if subject.type:
        kind = capitalize(subject.type.lower())
        known = [one.reference for one in catalog.resources if one.type == kind]
        return did_you_mean(f"{kind}[{subject.title}]", known)
    names = [f"{name}::{one}" for name in catalog.classes for one in class_parameters(scope, name)]
    return did_you_mean(subject.name, [*catalog.classes, *names])


def class_parameters(scope: Scope, class_name: str) -> Sequence[str]:
    """Return the names of the parameters of a class in a catalog."""
    found = scope.compilation.catalog.find("class", class_name)
    definition = None if found is None else found.definition
    return [] if definition is None else sorted(definition.parameter_names)


# -- order -----------------------------------------------------------------------------------------


def with_order(explanation: ResourceExplanation, catalog: Catalog) -> ResourceExplanation:
    """Return an explanation with what the catalog orders before and after the resource or its containers."""
    if explanation.reference not in catalog:
        return explanation
    before: dict[tuple[str, str], None] = {}
    after: dict[tuple[str, str], None] = {}
    resource = catalog[explanation.reference]
    own = True
    at = resource
    while True:
        through = "" if own else f", as a part of {at.reference}"
        for one in catalog.relationships_of(at):
            if one.then.reference == at.reference:
                before[one.first.reference, f"{one.kind}{through}"] = None
            else:
                after[one.then.reference, f"{one.kind}{through}"] = None
        container = catalog.container_of(at)
        if container is None or container.reference == at.reference:
            break
        at, own = container, False
    return ResourceExplanation(
        explanation.reference,
        explanation.way,
        explanation.parameters,
        tuple(before),
        tuple(after),
    )
