"""Places of errors: from Python's traceback to a place in Puppet code."""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType

from bunraku.base.errors import GENERAL_CODE, Declaration, PuppetError
from bunraku.base.records import replace
from bunraku.base.source import NOWHERE, Place, Source, Span
from bunraku.runtime.issues import ILLEGAL_CONTROL
from bunraku.runtime.missing_elements import with_missing_element, with_missing_extension
from bunraku.runtime.python_frames import (
    Instruction,
    code_place,
    instruction_span,
    is_part,
    span_of,
)
from bunraku.runtime.state import UNPLACED, Compilation, DeclaredResource, Parse, Scope
from bunraku.syntax import nodes
from bunraku.syntax.expression_names import RESOURCE, with_article
from bunraku.syntax.nodes import Node, children

WITH_ATTRIBUTES = nodes.Resource | nodes.ResourceOverride | nodes.ResourceDefaults
MOST_CALLS = 20
"""Calls that an error of a recursion shows, the innermost ones."""
OPERATIONS = (
    nodes.Arithmetic,
    nodes.Comparison,
    nodes.Match,
    nodes.In,
    nodes.Assignment,
    nodes.Relationship,
)


def puppet_places(
    trace: TracebackType | None, sources: Mapping[str, Source]
) -> list[tuple[str, Span]]:
    """Return the Puppet code on a traceback, the outermost call first: name and place."""
    found: list[tuple[str, Span]] = []
    while trace is not None:
        if trace.tb_frame.f_globals.get("__puppet__") is not None:
            code = trace.tb_frame.f_code
            place = code_place(code, trace.tb_lasti)
            span = None if place is None else span_of(sources, place)
            if is_part(trace.tb_frame) and found:
                found.pop()  # its caller, whose place it is
            if span is not None:
                found.append((code.co_name.rpartition(".")[0], span))
        trace = trace.tb_next
    return found


def in_puppet_code(error: BaseException) -> bool:
    """Return whether an error that was just caught came out of Puppet code."""
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_globals.get("__puppet__") is not None:
            return True
        trace = trace.tb_next
    return False


def locate(error: PuppetError, sources: Mapping[str, Source], parse: Parse) -> PuppetError:
    """Return an error with its place, and the Puppet calls that led there, from its traceback.

    An error that has a line already keeps it, and shows it.
    """
    place = error.place
    if place.line is not None:
        return error.at(with_line(place, sources), replaces=True)
    calls = puppet_places(error.__traceback__, sources)
    if not calls:
        return error
    if error.part == "caller" and len(calls) > 1:
        calls.pop()
    _, span = calls[-1]
    return placed(error, span, parse).having(stack=tuple(calls[-2::-1]))


def with_line(place: Place, sources: Mapping[str, Source]) -> Place:
    """Return a place with the text of its line, if that is a line of Puppet code."""
    if place.code is not None or place.line is None:
        return place
    source = next((one for one in sources.values() if one.path == (place.file or "")), None)
    return place if source is None else replace(place, shown=source.line_span(place.line))


def locate_interrupted(
    error: PuppetError, sources: Mapping[str, Source], parse: Parse
) -> PuppetError:
    """Return the error for a limit that was reached, where no helper could report its place.

    Outside of Puppet code it is at the resource that the innermost frame works on.
    """
    error = locate(error, sources, parse)
    if error.span is None:
        place = resource_place(error.__traceback__)
        error = error.at(with_line(place, sources))
    return error.having(stack=error.diagnostic.stack[:MOST_CALLS])


def illegal_control(name: str, trace: TracebackType | None) -> PuppetError:
    """Return the error for a ``break`` without an iteration; a defined type has its own words."""
    error = ILLEGAL_CONTROL(name=name)
    frames = trace
    while frames is not None:
        resource = frames.tb_frame.f_locals.get("resource")
        if isinstance(resource, DeclaredResource) and resource.kind == "defined_type":
            words = f"Evaluation Error: Error while evaluating an Object, {error.message}"
            error = error.having_in_puppet(code=GENERAL_CODE, words=words)
        frames = frames.tb_next
    return error.with_traceback(trace)


def resource_place(trace: TracebackType | None) -> Place:
    """Return the place of the resource that the innermost frame of a traceback works on."""
    found = NOWHERE
    while trace is not None:
        resource = trace.tb_frame.f_locals.get("resource")
        if isinstance(resource, DeclaredResource) and resource.line is not None:
            found = Place.of(resource)
        trace = trace.tb_next
    return found


def placed(error: PuppetError, span: Span, parse: Parse) -> PuppetError:
    """Give an error the part of an expression that caused it: an operand, a key, else the operator.

    Only the outer ends of the expression are known from the code object, so the source is parsed
    again; this is done for errors only.
    """
    found = node_at(span, parse)
    if found is None:
        return error.at(span.place)
    start = blamed_offset(found, error, span.source)
    end = found.left.end if error.part == "type" and isinstance(found, nodes.Access) else span.end
    error = error.at(Span(span.source, start, max(start, end)).place)
    error = with_missing_element(error, found, span.source)
    error = with_missing_extension(error, found)
    return error.having_in_puppet(expression=with_article(found))


def attribute_span(
    sources: Mapping[str, Source], file: str | None, line: int | None, name: str, parse: Parse
) -> Span | None:
    """Return where an attribute is given in the resource expression that begins on a line."""
    source = next((one for one in sources.values() if one.path == (file or "")), None)
    if source is None or line is None:
        return None
    program = parse(source).program
    found = []
    stack: list[tuple[Node, bool]] = [
        (node, False) for node in (program.body, *program.definitions)
    ]
    while stack:
        node, inside = stack.pop()
        here = source.line(node.start) == line
        if isinstance(node, nodes.Attribute):
            if node.name == name and (inside or here):
                found.append(node.start)
            inside = False
        elif isinstance(node, nodes.ResourceBody):
            inside = inside or here
        else:
            inside = here and isinstance(node, WITH_ATTRIBUTES)
        stack.extend((child, inside) for child in children(node))
    return source.span(min(found), min(found) + len(name)) if found else None


def node_at(span: Span, parse: Parse) -> Node | None:
    """Return the innermost node that covers exactly a piece of text."""
    program = parse(span.source).program
    roots = [program.body, *program.definitions]
    return node_below(roots, span, everywhere=False) or node_below(roots, span, everywhere=True)


def node_below(roots: list[Node], span: Span, *, everywhere: bool) -> Node | None:
    """Return the innermost node that covers exactly a piece of text.

    The text of a heredoc lies outside of the expressions around its tag; ``everywhere`` finds it.
    """
    stack, found = roots[:], None
    while stack:
        node = stack.pop()
        if node.start == span.start and node.end == span.end and not isinstance(node, nodes.Block):
            found, stack, everywhere = node, [], False
        covers = node.start <= span.start and node.end >= span.end
        if covers or everywhere or isinstance(node, nodes.Block):
            stack.extend(children(node))
    return found


def parameter_offset(block: nodes.Lambda, index: int, source: Source) -> int:
    """Return the place of the name of a lambda's parameter."""
    parameter = block.parameters[index]
    return source.text.index(f"${parameter.name}", parameter.start)


def blamed_offset(node: Node, error: PuppetError, source: Source) -> int:
    """Return the place that Puppet would report for the error."""
    part, index = error.part, error.index or 0
    match node:
        case nodes.Call(block=block) | nodes.MethodCall(block=block) if (
            block and part == "parameter"
        ):
            return parameter_offset(block, index, source)
        case nodes.MethodCall(receiver=receiver, name=name):
            after = len(source.text[name.end :]) - len(source.text[name.end :].lstrip())
            if source.text.startswith("(", name.end + after):
                return name.end + after
            dot = source.text.rfind(".", receiver.end, name.start)
            return dot if dot >= 0 else node.start
        case nodes.Access(left=left, keys=keys):
            if part != "key" or not keys:
                return left.start
            return keys[min(index, len(keys) - 1)].start
        case nodes.Selector(left=left):
            return left.start
        case nodes.Assignment(left=nodes.List(values=values)) if part == "key":
            return values[index].start
    if isinstance(node, OPERATIONS):
        if part == "left":
            return node.left.start
        if part == "right":
            return node.right.start
        return node.operator_start
    return node.start


def declarations(resource: DeclaredResource) -> tuple[Declaration, ...]:
    """Return a resource and the defined types around its declaration, the innermost first."""
    found = []
    around: DeclaredResource | None = resource
    while around is not None and around.kind == "defined_type":
        found.append(Declaration(around.reference, around.file, around.line))
        around = around.scope.resource
    return tuple(found)


def blame(compilation: Compilation, error: PuppetError, resource: DeclaredResource) -> PuppetError:
    """Note that an error occurred in a resource of a defined type.

    The innermost place stays the place of the error; Puppet puts it into another error at the
    declaration, except in the versions whose rules do not blame it.
    """
    error = locate(error, compilation.loader.sources, compilation.loader.parse)
    error = error.having(declarations=declarations(resource))
    if error.diagnostic.in_puppet.form == "escaped":
        return error
    declared = Place.of(resource)
    if error.place.line is None:
        return error.at(declared).having_in_puppet(expression=RESOURCE)
    if not compilation.rules.blames_declaration:
        return error
    return error.having_in_puppet(declared=declared)


def place_at(
    compilation: Compilation, error: PuppetError, instruction: Instruction | None
) -> PuppetError:
    """Give an error the place of an instruction that ran earlier; Puppet reports no place."""
    error = error.having_in_puppet(place=NOWHERE)
    span = instruction_span(compilation.loader.sources, instruction)
    if span is None:
        return error
    return placed(error, span, compilation.loader.parse)


def place_attribute(
    compilation: Compilation, error: PuppetError, resource: DeclaredResource, name: str
) -> PuppetError:
    """Give an error the place where an attribute of a resource is set."""
    file, line = default_place(compilation, resource, name) or resource.place_of(name)
    span = attribute_span(compilation.loader.sources, file, line, name, compilation.loader.parse)
    return error.at(Place(file or None, line) if span is None else span.place)


def place_relationship(
    compilation: Compilation, error: PuppetError, resource: DeclaredResource, name: str
) -> PuppetError:
    """Give an error the place where a relationship attribute is set.

    Puppet knows none for attributes that functions set; the place is then that of the resource.
    """
    setter = (resource.places or {}).get(name)
    by_function = resource.lines is UNPLACED if setter is None else setter[2] is None
    if by_function and default_place(compilation, resource, name) is None:
        return error.at(Place.of(resource)).having_in_puppet(place=NOWHERE)
    return place_attribute(compilation, error, resource, name)


def default_places(_compilation: Compilation) -> dict[tuple[int, str], Instruction | None]:
    """Return a table of the instructions that set defaults, by the id of the table of defaults and the name."""
    return {}


def default_place(
    compilation: Compilation, resource: DeclaredResource, name: str
) -> tuple[str | None, int] | None:
    """File and line of the defaults that gave an attribute its value."""
    if name in (resource.places or ()) or not {name, "*"}.isdisjoint(dict(resource.lines or ())):
        return None
    scope: Scope | None = resource.scope
    while scope is not None:
        known = (scope.defaults or {}).get(resource.type, {})
        if name in known:
            setter = compilation.extension(default_places).get((id(known), name))
            span = instruction_span(compilation.loader.sources, setter)
            is_its = known[name] is resource.parameters.get(name) and span is not None
            return (span.source.path, span.line) if span is not None and is_its else None
        scope = scope.caller
    return None
