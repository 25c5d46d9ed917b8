"""The words that Puppet puts before the message of an error: which expression it evaluated."""

from __future__ import annotations

from bunraku.base.errors import GENERAL_CODE, PuppetError
from bunraku.base.source import Span
from bunraku.runtime.state import Parse
from bunraku.syntax import nodes
from bunraku.syntax.nodes import Node, children

LABELS: dict[type[Node], str] = {
    nodes.Call: "a Function Call",
    nodes.MethodCall: "a Method Call",
    nodes.Resource: "a Resource Statement",
    nodes.ResourceBody: "a Resource Statement",
    nodes.ResourceOverride: "a Resource Override",
    nodes.ResourceDefaults: "a Resource Defaults Expression",
    nodes.Collector: "a Resource Collector",
    nodes.Relationship: "a Relationship",
    nodes.Arithmetic: "an Arithmetic Expression",
    nodes.Comparison: "a Comparison Expression",
    nodes.Match: "a Match Expression",
    nodes.In: "an In Expression",
    nodes.Access: "an Access Expression",
    nodes.NamedAccess: "a '.' expression",
    nodes.Selector: "a Selector Expression",
    nodes.Case: "a Case Statement",
    nodes.If: "an If Statement",
    nodes.Unless: "an Unless Statement",
    nodes.Assignment: "an Assignment Expression",
    nodes.Variable: "a Variable",
    nodes.Concatenation: "a Double Quoted String",
}


def puppet_text(error: PuppetError, environment: str, node: str, parse: Parse) -> str:
    """Return the text of an error as a server sends it to an agent."""
    found = error.diagnostic
    file, line, column = found.puppet_place.where
    named = (("file", file), ("line", line), ("column", column))
    where = ", ".join(f"{name}: {value}" for name, value in named if value)
    text = f"{found.message} ({where})" if where else found.message
    if error.phase == "parse":
        return f"Could not parse for environment {environment}: {text} on node {node}"
    label = label_of(error, parse)
    if label is not None:
        text = f"Error while evaluating {label}, {text}"
    return f"Evaluation Error: {text} on node {node}"


def label_of(error: PuppetError, parse: Parse) -> str | None:
    """Return the words for the expression of an error without a code of its own in Puppet."""
    if error.puppet_code != GENERAL_CODE or error.span is None:
        return None
    try:
        return label_at(error.span, parse)
    except PuppetError:
        return None


def label_at(span: Span, parse: Parse) -> str | None:
    """Return the words for the outermost expression that starts at a place."""
    program = parse(span.source).program
    stack: list[Node] = [program.body, *program.definitions]
    while stack:
        node = stack.pop()
        if node.start == span.start and node.__class__ in LABELS:
            return LABELS[node.__class__]
        if node.start <= span.start <= node.end:
            stack.extend(children(node))
    return None
