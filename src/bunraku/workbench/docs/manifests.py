"""The things that manifests define, with the comments before them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from bunraku.base.source import Source
from bunraku.syntax import nodes
from bunraku.syntax.nodes import Node, Program
from bunraku.workbench.docs.comments import Comment, read_comment
from bunraku.workbench.docs.extents import recorded_text
from bunraku.workbench.docs.model import Alias, Definition, DocumentedParameter, Function, Thing
from bunraku.workbench.docs.tags import Tag
from bunraku.workbench.docs.texts import (
    BLANKS,
    SIGN_OF_COMMENT,
    without_indent,
    without_sign,
)

TextOfNode = Callable[[Node, str], str]
"""A node and the text of its file → the text of the node."""
KINDS: dict[type[Node], str] = {
    nodes.ClassDefinition: "puppet_classes",
    nodes.DefineDefinition: "defined_types",
    nodes.PlanDefinition: "puppet_plans",
}


def things_of(program: Program, path: str, text_of: TextOfNode = recorded_text) -> Iterator[Thing]:
    """Yield what a manifest defines, in its order; ``text_of`` returns the text of a type or a default."""
    for node in program.definitions:
        thing = thing_of(node, program.source, path, text_of)
        if thing is not None:
            yield thing


def thing_of(
    node: Node, source: Source, path: str, text_of: TextOfNode = recorded_text
) -> Thing | None:
    """Return what one definition documents; None for those that are not documented."""
    line = source.line(node.start)
    text = source.text[node.start : node.end]
    if isinstance(node, nodes.TypeAlias):
        comment = comment_above(source, line)
        alias = alias_text(node.type, source, text_of)
        return Alias("data_type_aliases", node.name, path, line, comment, text, alias_of=alias)
    if isinstance(node, nodes.FunctionDefinition):
        return function_of(node, source, path, text_of)
    if isinstance(node, (nodes.ClassDefinition, nodes.DefineDefinition, nodes.PlanDefinition)):
        comment = comment_above(source, line)
        parameters = declared_parameters(node.parameters, source, text_of)
        add_types(comment, parameters)
        parent = node.parent if isinstance(node, nodes.ClassDefinition) else None
        kind = KINDS[type(node)]
        return Definition(kind, node.name, path, line, comment, text, parameters, parent)
    return None


def function_of(
    node: nodes.FunctionDefinition, source: Source, path: str, text_of: TextOfNode
) -> Function:
    """Return a function in the Puppet language."""
    line = source.line(node.start)
    comment = comment_above(source, line)
    parameters = declared_parameters(node.parameters, source, text_of)
    add_types(comment, parameters)
    written = None
    if node.return_type is not None:
        written = source.text[node.return_type.start : node.return_type.end].replace(">> ", "")
    add_return_type(comment, written)
    text = unindented(source.text[node.start : node.end])
    return Function(
        "puppet_functions",
        node.name,
        path,
        line,
        comment,
        text,
        parameters,
        language="puppet",
        return_type=written,
    )


def add_return_type(comment: Comment, written: str | None) -> None:
    """Give the tag ``@return`` the type that the code declares; without the tag, add it."""
    tag = comment.first("return")
    if tag is None:
        comment.all_tags.append(Tag("return", "", [written or "Any"]))
    else:
        tag.types = [written] if written else tag.types or ["Any"]


def unindented(text: str) -> str:
    """Return a source text without the indentation of its last line.

    >>> unindented("function() {\\n    1\\n  }")
    'function() {\\n  1\\n}'
    """
    last = text.rpartition("\n")[2]
    indent = len(last) - len(last.lstrip(" \t"))
    return without_indent(text, indent)


def comment_above(source: Source, line: int) -> Comment:
    """Return the comment on the lines right above a line."""
    above = source.text[: source.line_starts[line - 1]].split("\n")
    above.pop()  # what is behind the last line end: nothing
    found: list[str] = []
    for one in reversed(above):
        one = one.strip(BLANKS)
        if not one.startswith(SIGN_OF_COMMENT):
            break
        found.append(without_sign(one))
    return read_comment("\n".join(reversed(found)), line - len(found))


def declared_parameters(
    declared: Sequence[nodes.Parameter], source: Source, text_of: TextOfNode
) -> list[DocumentedParameter]:
    """Return the parameters of a definition, with types and defaults as they are written."""
    text = source.text
    return [
        DocumentedParameter(
            one.name,
            None if one.type is None else text_of(one.type, text),
            None if one.value is None else text_of(one.value, text),
            source.line(one.start),
            "" if one.value is None else text[one.value.start : one.value.end],
        )
        for one in declared
    ]


def add_types(comment: Comment, parameters: Sequence[DocumentedParameter]) -> None:
    """Give each tag ``@param`` the type that the code declares; add tags for other parameters."""
    tags = {tag.subject: tag for tag in reversed(comment.named("param"))}
    for parameter in parameters:
        tag = tags.get(parameter.name)
        if tag is None:
            comment.all_tags.append(Tag("param", "", [parameter.type or "Any"], parameter.name))
        elif parameter.type:
            tag.types = [parameter.type]
        elif tag.types is None:
            tag.types = ["Any"]


def alias_text(node: Node, source: Source, text_of: TextOfNode) -> str:
    """Return the type that an alias stands for; the parameters of a type are on one line each."""
    if not isinstance(node, nodes.Access):
        return text_of(node, source.text)
    keys = ", ".join(text_of(key, source.text) for key in node.keys)
    return f"{text_of(node.left, source.text)}[{keys}]"
