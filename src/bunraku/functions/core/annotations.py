"""``annotate``: notes about values that are not part of the values."""

from __future__ import annotations

from bunraku.functions.core import issues
from bunraku.functions.declaration import FunctionTable
from bunraku.runtime.callables import Closure, Value
from bunraku.runtime.state import Compilation, Scope
from bunraku.types.convert.convert import new
from bunraku.types.model import ObjectType, Type, resolved
from bunraku.types.relations.infer import infer
from bunraku.types.text.display import display
from bunraku.values.keys import pairs

function = FunctionTable()

# Objects that Ruby freezes cannot be annotated and have no identity.
FROZEN = frozenset({str, int, float, bool, type(None)})
Notes = dict[tuple[int, str], tuple[Value, Value]]


def annotation_table(_compilation: Compilation) -> Notes:
    """Return a table for the annotations of a compile, by identity of the value and name of the type.

    The value is kept beside its annotation, so its identity stays its own.
    """
    return {}


def annotation_type(type_: Type) -> ObjectType:
    """Return the type of an annotation: an Object type that has Annotation among its parents."""
    found = resolved(type_)
    parent = found if isinstance(found, ObjectType) else None
    while parent is not None and parent.name != "Annotation":
        parent = parent.parent_object()
    if parent is None or not isinstance(found, ObjectType):
        raise issues.NOT_AN_ANNOTATION(type=display(type_))
    return found


def existing(notes: Notes, type_: ObjectType, value: Value) -> Value:
    """Return the annotation that a value has; a type may bring one along in its definition."""
    found = notes.get((id(value), type_.name))
    if found is not None:
        return found[1]
    if isinstance(value, ObjectType) and value.annotations:
        given = value.annotations.get(type_)
        if given is not None:
            return note(notes, type_, value, given)
    return None


def check_undeclared(type_: ObjectType, value: Value, action: str) -> None:
    """Raise PuppetError where the definition of a type declares the annotation."""
    if isinstance(value, ObjectType) and type_ in (value.annotations or {}):
        raise issues.DECLARED_ANNOTATION(action=action, type=display(type_), value=display(value))


def note(notes: Notes, type_: ObjectType, value: Value, content: Value) -> Value:
    """Give a value an annotation made of a hash."""
    if value.__class__ in FROZEN:
        raise issues.NOT_ANNOTATABLE(type=display(infer(value)))
    made = new(type_, [content])
    notes[id(value), type_.name] = (value, made)
    return made


@function(
    "annotate(Type $type, Any $value, Optional[Callable[0, 0]] &$block)", scope=True, since="5.0.0"
)
def annotate(scope: Scope, type_: Type, value: Value, block: Closure | None) -> Value:
    """Return a value's annotation, else one made from the lambda's hash, else undef."""
    notes = scope.compilation.extension(annotation_table)
    wanted = annotation_type(type_)
    found = existing(notes, wanted, value)
    if found is None and block is not None:
        content = block()
        if content is not None:
            found = note(notes, wanted, value, content)
    return found


@function(
    "annotate(Type $type, Any $value, Variant[Enum['clear'], Hash] $annotation_hash)", scope=True
)
def annotate_with(scope: Scope, type_: Type, value: Value, content: Value) -> Value:
    """Give a value an annotation (and return it), or with ``clear`` take its annotation away."""
    notes = scope.compilation.extension(annotation_table)
    if isinstance(type_, ObjectType) and type_.name == "Pcore":
        return annotate_all(notes, value, content)
    wanted = annotation_type(type_)
    check_undeclared(wanted, value, "clear" if content == "clear" else "redefine")
    if content == "clear":
        found = existing(notes, wanted, value)
        notes.pop((id(value), wanted.name), None)
        return found
    return note(notes, wanted, value, content)


def annotate_all(notes: Notes, value: Value, contents: Value) -> Value:
    """Give a value several annotations, by type."""
    if contents.__class__ is not dict:
        raise issues.ANNOTATIONS_EXPECTED()
    for type_, content in pairs(contents):
        note(notes, annotation_type(type_), value, content)
    return value
