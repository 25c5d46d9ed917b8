"""Functions in Ruby: ``create_function`` with its dispatches, and ``newfunction`` of Puppet 3."""

from __future__ import annotations

from bunraku.workbench.docs.comments import Comment, read_comment
from bunraku.workbench.docs.manifests import unindented
from bunraku.workbench.docs.model import DocumentedParameter, Function, ModuleDocs, Overload
from bunraku.workbench.docs.ruby.file import (
    Node,
    RubyFile,
    block_statements,
    call_arguments,
    code_nodes,
    is_call,
    method_name,
    node_line,
    pairs_of,
    receiver,
    text_of,
)
from bunraku.workbench.docs.tags import Tag
from bunraku.workbench.docs.texts import scrubbed

MODULES = {"Puppet::Functions": "ruby4x", "Puppet::Parser::Functions": "ruby3x"}
PARAMETERS = frozenset(
    [
        *("param", "required_param", "optional_param", "repeated_param"),
        *("optional_repeated_param", "required_repeated_param"),
    ]
)
BLOCKS = frozenset(["block_param", "required_block_param", "optional_block_param"])
LITERALS = {"nil": "undef", ":default": "default"}


def function(docs: ModuleDocs, file: RubyFile, node: Node) -> None:
    """Add the function that a call defines."""
    owner = receiver(node)
    if owner is None:
        language = "ruby3x" if method_name(node) == "newfunction" else None
    else:
        language = MODULES.get(text_of(owner))
    given = call_arguments(node)
    name = file.word(given[0]) if given and not isinstance(given[0], list) else None
    if language is None or not name:
        return
    text, line = file.comment(node)
    made = Function(
        "puppet_functions",
        name,
        file.path,
        node_line(node),
        read_comment(text or "", line),
        unindented(text_of(node).strip()),
        language=language,
    )
    if language == "ruby3x":
        add_old_comment(made, file, given)
    else:
        add_overloads(made, file, node)
    docs.add(made)


def add_old_comment(made: Function, file: RubyFile, given: list[Node]) -> None:
    """Give a function of Puppet 3 the comment that its option ``doc`` has."""
    for key, value in pairs_of(given[1]) if len(given) > 1 else []:
        if file.word(key) == "doc":
            text = file.word(value)
            if text is not None:
                made.comment = read_comment(scrubbed(text), node_line(value))
            break
    for tag in made.comment.named("param"):
        tag.types = tag.types or ["Any"]
    made.parameters = [
        DocumentedParameter(tag.subject or "") for tag in made.comment.named("param")
    ]
    add_result(made.comment)


def add_result(comment: Comment) -> None:
    """Add the tag ``@return`` if it is absent."""
    tag = comment.first("return")
    if tag is None:
        comment.all_tags.append(Tag("return", "", ["Any"]))
    elif tag.types is None:
        tag.types = ["Any"]


def add_overloads(made: Function, file: RubyFile, node: Node) -> None:
    """Give a function the signatures of its dispatches; without one, that of its method."""
    made.comment.remove(["param", "return", "overload"])
    body = block_statements(node)
    if body is None:
        return
    overloads = [one for child in body if (one := dispatch_overload(file, child)) is not None]
    if not overloads:
        own = made.name.rpartition("::")[2]
        methods = [
            child
            for child in body
            if child.type == "method" and text_of(child.child_by_field_name("name")) == own
        ]
        overloads = [method_overload(file, methods[-1])] if methods else []
    made.signatures = overloads
    if len(overloads) == 1:
        made.parameters = overloads[0].parameters
        made.comment.all_tags += overloads[0].comment.tags
    else:
        made.overloads = overloads


def dispatch_overload(file: RubyFile, node: Node) -> Overload | None:
    """Return the signature that a dispatch declares; None for other code."""
    body = block_statements(node) if is_call(node) and method_name(node) == "dispatch" else None
    if body is None or len(call_arguments(node)) != 1:
        return None
    text, line = file.comment(node)
    overload = Overload(read_comment(text or "", line), line=node_line(node))
    tags = overload.comment.named("param")
    blocks = []
    for child in body:
        name = method_name(child) if is_call(child) else ""
        if name == "return_type":
            add_return_type(overload.comment, file, child)
        elif name in BLOCKS:
            blocks.append(child)
        elif name in PARAMETERS:
            add_declared(overload, tags, file, child)
    for child in blocks[:1]:
        add_block(overload, tags, file, child)
    add_result(overload.comment)
    return overload


def add_return_type(comment: Comment, file: RubyFile, node: Node) -> None:
    """Give the tag ``@return`` the declared type."""
    given = call_arguments(node)
    add_result(comment)
    tag = comment.first("return")
    if tag is not None:
        tag.types = [file.word(given[0]) if given else None]


def add_declared(overload: Overload, tags: list[Tag], file: RubyFile, node: Node) -> None:
    """Add a parameter of a dispatch; it needs a type and a name."""
    given = call_arguments(node)
    if len(given) != 2 or isinstance(given[1], list):
        return
    name = method_name(node)
    mark = "*" if "repeated" in name else ""
    add_parameter(
        overload,
        tags,
        DocumentedParameter(file.word(given[1]) or "", file.word(given[0]), None, node_line(node)),
        mark,
        optional="optional" in name,
    )


def add_block(overload: Overload, tags: list[Tag], file: RubyFile, node: Node) -> None:
    """Add the parameter for the lambda: its type and its name may be absent."""
    given = [file.word(one) for one in call_arguments(node)]
    if len(given) > 2:
        return
    name = given[-1] if given else "block"
    type_ = given[0] if len(given) == 2 else "Callable"
    if name and type_:
        parameter = DocumentedParameter(name, type_, None, node_line(node))
        add_parameter(overload, tags, parameter, "&", optional="optional" in method_name(node))


def add_parameter(
    overload: Overload,
    tags: list[Tag],
    parameter: DocumentedParameter,
    mark: str,
    *,
    optional: bool = False,
) -> None:
    """Add a parameter, and a tag for it if the comment has none; ``mark`` is ``*`` or ``&``."""
    tag = next((one for one in tags if one.subject == parameter.name), None)
    type_ = parameter.type or (tag.types[0] if tag and tag.types else None) or "Any"
    if optional:
        type_ = f"Optional[{type_}]"
    default = parameter.default
    if default is not None:
        default = LITERALS.get(default, default)
    made = DocumentedParameter(f"{mark}{parameter.name}", type_, default, parameter.line)
    overload.parameters.append(made)
    if tag is None:
        overload.comment.all_tags.append(Tag("param", "", [type_], made.name))
    else:
        tag.subject, tag.types = made.name, [type_]


def method_overload(file: RubyFile, node: Node) -> Overload:
    """Return the signature of the method that a function without a dispatch calls."""
    text, line = file.comment(node)
    overload = Overload(read_comment(text or "", line), line=node_line(node))
    tags = overload.comment.named("param")
    parameters = node.child_by_field_name("parameters")
    is_after = False
    for one in [] if parameters is None else code_nodes(parameters):
        name = one.child_by_field_name("name")
        made = DocumentedParameter(text_of(one if name is None else name), line=node_line(one))
        match one.type:
            case "identifier" | "destructured_parameter" if not is_after:
                add_parameter(overload, tags, made, "")
            case "optional_parameter":
                is_after = True
                made.default = text_of(one.child_by_field_name("value"))
                add_parameter(overload, tags, made, "", optional=True)
            case "splat_parameter" if name is not None:
                is_after = True
                add_parameter(overload, tags, made, "*")
            case "block_parameter" if name is not None:
                add_parameter(overload, tags, made, "&")
    add_result(overload.comment)
    return overload
