"""Static analysis of manifests: what fails, or is not meant, in code that nothing has compiled.

Each program is parsed once and walked once; each node goes to the rules about its class.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Any

from bunraku.base.errors import Diagnostic
from bunraku.base.records import replace
from bunraku.base.source import Source
from bunraku.engine.request import Request, resolve
from bunraku.runtime.log import LogEntry
from bunraku.syntax import nodes
from bunraku.syntax.nodes import Node, Program, children
from bunraku.workbench.analysis import (
    attribute_values,
    cycles,
    dependencies,
    enumerations,
    fact_values,
    files,
    flow,
    function_resources,
    legacy_facts,
    members,
    names,
    parameters,
    private,
    required,
    template_parameters,
    values,
)
from bunraku.workbench.analysis.bindings import SEPARATE
from bunraku.workbench.analysis.definitions import Definitions
from bunraku.workbench.analysis.hiera import lookups
from bunraku.workbench.analysis.hiera.check import check_data
from bunraku.workbench.analysis.state import Analysis
from bunraku.workbench.analysis.variables import Variables
from bunraku.workbench.control_comments import without_suppressed

ELSEWHERE = (
    parameters.note_elsewhere,
    values.check_elsewhere,
    attribute_values.check_elsewhere,
)
"""The rules about values that statements set for resources which others declare."""
VISITORS: dict[type[Node], tuple[Callable[[Analysis, Any], None], ...]] = {
    nodes.Call: (
        names.check_call,
        files.check_call,
        private.check_call,
        values.check_call,
        required.check_call,
        lookups.check_call,
        template_parameters.check_call,
        function_resources.check_call,
    ),
    nodes.MethodCall: (
        names.check_method_call,
        values.check_method_call,
        required.check_call,
    ),
    nodes.ClassDefinition: (names.check_parent, values.check_definition),
    nodes.DefineDefinition: (values.check_definition,),
    nodes.FunctionDefinition: (values.check_function,),
    nodes.Lambda: (values.check_lambda,),
    nodes.Access: (
        legacy_facts.check_access,
        fact_values.check_access,
        members.check_access,
    ),
    nodes.Block: (flow.check_block,),
    nodes.If: (flow.check_if,),
    nodes.Unless: (flow.check_unless,),
    nodes.Comparison: (flow.check_comparison, fact_values.check_comparison),
    nodes.Match: (fact_values.check_match,),
    nodes.In: (fact_values.check_in,),
    nodes.Arithmetic: (flow.check_arithmetic,),
    nodes.Case: (flow.check_case, enumerations.check_case, fact_values.check_case),
    nodes.Selector: (
        flow.check_selector,
        enumerations.check_selector,
        fact_values.check_selector,
    ),
    nodes.Resource: (
        names.check_statement,
        parameters.check_resource,
        private.check_resource,
        values.check_resource_values,
        attribute_values.check_attributes,
        required.check_resource,
    ),
    nodes.Attribute: (files.check_source,),
    nodes.Parameter: (names.check_parameter,),
    nodes.Reference: (names.check_reference,),
    nodes.ResourceDefaults: ELSEWHERE,
    nodes.ResourceOverride: ELSEWHERE,
    nodes.Collector: (*ELSEWHERE, parameters.check_query),
}
"""The rules by the class of node that they are about."""
NO_PROGRAM = Program(Source(""), nodes.Nop(0, 0))
"""Stands for the visited program while there is none."""


def analyse(
    request: Request,
    programs: Iterable[Program],
    data: Iterable[str] = (),
    beside: Iterable[Program] = (),
) -> list[Diagnostic]:
    """Return the findings in programs that were parsed without errors, and in files of Hiera data.

    Those ``beside`` are not checked; they stand for the files of other definitions.

    The request names the environment and the language; no node is classified. Control comments
    suppress findings by their codes (``# lint:ignore:UNKNOWN_CLASS``). Raises PuppetError for an
    invalid environment.

    >>> from bunraku.base.source import Source
    >>> from bunraku.dialects.languages import dialect_named
    >>> from bunraku.world.dictionary import DictionaryWorld
    >>> world = DictionaryWorld({"/m/ntp/manifests/server.pp": b"class ntp::server {}"})
    >>> program = dialect_named("8").parse(Source("include ntp::sever")).program
    >>> [one.hint for one in analyse(Request(modulepath=["/m"], world=world), [program])]
    ["did you mean 'ntp::server'? searched /m/ntp/manifests/sever.pp, /m/ntp/manifests/init.pp"]
    """
    programs = list(programs)
    resolved = resolve(replace(request, node_classes=(), facts_from=None), ignore)
    later = [
        resolved.dialect.parse(Source(text, name)).program for name, text in request.later_manifests
    ]
    definitions = Definitions(resolved, [*programs, *later, *beside])
    analysis = Analysis(definitions, NO_PROGRAM, {os.path.abspath(path): path for path in data})
    for program in programs:
        walk(analysis, program)
    variables = Variables(analysis, programs)
    variables.report()
    dependencies.check_dependencies(analysis, programs, variables.outside)
    cycles.check_classes(analysis, programs)
    for program in programs:
        cycles.check_program(analysis, program)
    data_findings = check_data(analysis)
    return without_suppressed([*analysis.result(), *data_findings], programs)


def ignore(_entry: LogEntry) -> None:
    """Drop a warning about the environment: ``validate`` checks its files."""


def walk(analysis: Analysis, program: Program) -> None:
    """Visit the nodes of a program, outer ones first."""
    analysis.program = program
    waiting: list[tuple[Node, str, Node]] = [(program.body, "", program.body)]
    while waiting:
        node, namespace, body = waiting.pop()
        if isinstance(node, nodes.ClassDefinition | nodes.DefineDefinition):
            namespace = namespace_of(node)
        if isinstance(node, SEPARATE):
            body = node
        for visit in VISITORS.get(node.__class__, ()):
            analysis.namespace, analysis.body = namespace, body
            visit(analysis, node)
        waiting += [(child, namespace, body) for child in children(node)]


def namespace_of(node: nodes.ClassDefinition | nodes.DefineDefinition) -> str:
    """Return the namespace of code: a class is a namespace, a defined type is in one."""
    name = node.name.lower().removeprefix("::")
    return name if isinstance(node, nodes.ClassDefinition) else name.rpartition("::")[0]
