"""The JSON document of a module's things, as Puppet Strings writes it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from bunraku.base.lazy_typing import Any
from bunraku.workbench.docs.comments import Comment, read_comment
from bunraku.workbench.docs.model import (
    KINDS,
    Alias,
    Attribute,
    DataType,
    Definition,
    DocumentedParameter,
    Function,
    ModuleDocs,
    Overload,
    Provider,
    ResourceType,
    Task,
)
from bunraku.workbench.docs.tags import Tag

Data = dict[str, Any]
OF_SIGNATURES = frozenset(["param", "option", "enum", "return", "example"])
"""The tags that the signature of a function has."""


def document(docs: ModuleDocs) -> Data:
    """Return the document: for each kind a list, sorted by name."""
    return {kind: [thing_data(thing) for thing in docs.of_kind(kind)] for kind in KINDS}


def thing_data(thing: Any) -> Data:
    """Return the data of a thing."""
    return WRITERS[type(thing)](thing)


def head(thing: Any) -> Data:
    """Return the name and the place of a thing."""
    return {"name": thing.name, "file": thing.file, "line": thing.line}


def comment_data(comment: Comment, only: Iterable[str] | None = None) -> Data:
    """Return the text and the tags of a comment."""
    data: Data = {"text": comment.text}
    tags = [tag for tag in comment.tags if only is None or tag.name in only]
    written = [tag_data(tag) for tag in tags if not (tag.name == "api" and tag.text == "public")]
    if written:
        data["tags"] = written
    return data


def tag_data(tag: Tag) -> Data:
    """Return the data of a tag."""
    data: Data = {"tag_name": tag.name}
    if tag.pair is not None:
        data |= {"opt_name": tag.pair.subject, "opt_text": tag.pair.text}
        if tag.pair.types is not None:
            data["opt_types"] = tag.pair.types
        data["parent"] = tag.subject
    if tag.text is not None:
        data["text"] = tag.text
    if tag.types is not None:
        data["types"] = tag.types
    if tag.subject is not None:
        data["name"] = tag.subject
    return data


def defaults_data(parameters: Sequence[DocumentedParameter]) -> Data:
    """Return the defaults of parameters, if any has one."""
    defaults = {one.name: one.default for one in parameters if one.default is not None}
    return {"defaults": defaults} if defaults else {}


def definition_data(thing: Definition) -> Data:
    """Return the data of a class, a defined type or a plan."""
    data = head(thing)
    if thing.parent is not None:
        data["inherits"] = thing.parent
    data["docstring"] = comment_data(thing.comment)
    data |= defaults_data(thing.parameters)
    return data | {"source": thing.source}


def alias_data(thing: Alias) -> Data:
    """Return the data of a type alias."""
    return {**head(thing), "docstring": comment_data(thing.comment), "alias_of": thing.alias_of}


def function_data(thing: Function) -> Data:
    """Return the data of a function."""
    data = {**head(thing), "type": thing.language, "signatures": signatures_data(thing)}
    docstring = comment_data(thing.comment)
    if thing.overloads:
        tags = [(tag.name, tag_data(tag)) for tag in thing.comment.tags]
        tags = [(name, one) for name, one in tags if one != {"tag_name": "api", "text": "public"}]
        tags += [("overload", overload_data(thing.name, one)) for one in thing.overloads]
        docstring["tags"] = [one for _, one in sorted(tags, key=lambda pair: pair[0])]
    data["docstring"] = docstring
    data |= defaults_data(thing.parameters)
    return data | ({"source": thing.source} if thing.source else {})


def signatures_data(thing: Function) -> list[Data]:
    """Return the data of each way to call a function."""
    if thing.overloads:
        return [
            {
                "signature": signature(thing.name, one.parameters, one.comment),
                "docstring": comment_data(one.comment, OF_SIGNATURES),
            }
            for one in thing.overloads
        ]
    written = thing.comment.named("overload")
    if written:
        return [
            {
                "signature": tag.signature,
                "docstring": comment_data(read_comment(tag.body), OF_SIGNATURES),
            }
            for tag in written
        ]
    text = signature(thing.name, thing.parameters, thing.comment)
    return [{"signature": text, "docstring": comment_data(thing.comment, OF_SIGNATURES)}]


def overload_data(name: str, overload: Overload) -> Data:
    """Return the data of an overload as a tag of its function."""
    data: Data = {
        "tag_name": "overload",
        "signature": signature(name, overload.parameters, overload.comment),
    }
    if not overload.comment.is_blank:
        data["docstring"] = comment_data(overload.comment)
    return {**data, **defaults_data(overload.parameters), "name": name}


def signature(name: str, parameters: Sequence[DocumentedParameter], comment: Comment) -> str:
    """Return the head of a function, with the types that its tags have."""
    tags = comment.named("param")
    return f"{name}({', '.join(parameter_text(one, tags) for one in parameters)})"


def parameter_text(parameter: DocumentedParameter, tags: Sequence[Tag]) -> str:
    """Return a parameter in the head of a function."""
    tag = next((one for one in tags if one.subject == parameter.name), None)
    type_ = "Any" if tag is None or tag.types is None else first_of(tag.types)
    mark = parameter.name[:1] if parameter.name[:1] in {"*", "&"} else ""
    default = "" if parameter.default is None else f" = {parameter.default}"
    return f"{type_} {mark}${parameter.name[len(mark) :]}{default}"


def first_of(types: Sequence[str | None]) -> str:
    """Return the first type of a list; empty without one."""
    return (types[0] if types else "") or ""


def attribute_data(one: Attribute) -> Data:
    """Return the data of a property, parameter or check."""
    data: Data = {"name": one.name}
    parts = {
        "description": one.description,
        "values": one.values,
        "data_type": one.data_type,
        "aliases": one.aliases,
        "isnamevar": one.is_namevar,
    }
    data |= {key: value for key, value in parts.items() if value}
    if one.required_features is not None:
        data["required_features"] = one.required_features
    if one.default is not None and one.default is not False:
        data["default"] = one.default
    return data


def resource_type_data(thing: ResourceType) -> Data:
    """Return the data of a resource type with its providers."""
    data = {**head(thing), "docstring": comment_data(thing.comment)}
    parts = {
        "properties": thing.properties,
        "parameters": thing.attributes,
        "checks": thing.checks,
    }
    for key, attributes in parts.items():
        if attributes:
            data[key] = [attribute_data(one) for one in by_name(attributes)]
    if thing.features:
        data["features"] = [
            {"name": name, **({"description": text} if text else {})}
            for name, text in sorted(thing.features)
        ]
    if thing.providers:
        data["providers"] = [provider_data(one) for one in by_name(thing.providers)]
    return data


def by_name(things: Iterable[Any]) -> list[Any]:
    """Return things sorted by their names."""
    return sorted(things, key=lambda one: one.name)


def provider_data(thing: Provider) -> Data:
    """Return the data of a provider."""
    data = head(thing)
    data = {"name": data.pop("name"), "type_name": thing.type_name, **data}
    data["docstring"] = comment_data(thing.comment)
    parts = {
        "confines": thing.confines,
        "features": thing.features,
        "defaults": thing.defaults,
        "commands": thing.commands,
    }
    return data | {key: value for key, value in parts.items() if value}


def data_type_data(thing: DataType) -> Data:
    """Return the data of a data type in Ruby."""
    data = {**head(thing), "docstring": comment_data(thing.comment, OF_SIGNATURES)}
    if thing.defaults:
        data["defaults"] = thing.defaults
    data["functions"] = [
        {
            "name": one.name,
            "signature": one.signature,
            "docstring": comment_data(one.comment, OF_SIGNATURES),
        }
        for one in thing.functions
    ]
    return data


def task_data(thing: Task) -> Data:
    """Return the data of a task."""
    tags = [
        {"name": one.subject, "tag_name": one.name, "text": one.text, "types": one.types}
        for one in thing.tags
    ]
    return {
        **head(thing),
        "docstring": {"text": thing.comment.text, "tags": tags},
        "source": thing.source,
        "supports_noop": thing.supports_noop,
        "input_method": thing.input_method,
    }


WRITERS: dict[type, Callable[[Any], Data]] = {
    Definition: definition_data,
    Alias: alias_data,
    Function: function_data,
    ResourceType: resource_type_data,
    Provider: provider_data,
    DataType: data_type_data,
    Task: task_data,
}
