"""Tags: from the title and type of a resource, from its parameters, and from its containers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from bunraku.base.bounded_cache import remembered
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.runtime import issues
from bunraku.runtime.references import flat, is_reference
from bunraku.runtime.state import DeclaredResource
from bunraku.types.ruby_semantics.values import to_s
from bunraku.values.keys import pairs

Value = Any
TAG = lazy_pattern(r"\w[\w:.-]*")


def is_tag(text: str, ascii_only: bool = False) -> bool:
    """Return whether lower-case text can be a tag: letters, digits, ``_``, ``:``, ``.``, ``-``."""
    if ascii_only and not text.isascii():
        return False
    return TAG.fullmatch(text) is not None


def tag_list(value: Value) -> list[Value]:
    """Return the tags in the value of ``tag``: a hash holds its keys and values, a reference none.

    Puppet spreads the value with Ruby's ``*``, which calls its ``to_a``.
    """
    if value.__class__ is dict:
        return [item for pair in pairs(value) for item in flat([*pair])]
    return [] if is_reference(value) else flat(value)


def add_tags(resource: DeclaredResource, names: Iterable[Value]) -> None:
    """Add tags to a resource that is being declared; a qualified name adds its parts too."""
    ascii_only = resource.scope.compilation.rules.ascii_tags
    tags = resource.tags
    for name in names:
        if name.__class__ is str:
            for tag in name_tags(name, ascii_only):
                tags[tag] = None
        else:
            tags.update(dict.fromkeys(tags_of([name], ascii_only)))


def add_further_tags(resource: DeclaredResource, names: Iterable[Value]) -> None:
    """Add tags to a resource that is in the catalog: collectors find it by them, too."""
    add_tags(resource, names)
    resource.scope.compilation.tagged.append(resource)


@remembered(20_000)
def name_tags(name: str, ascii_only: bool) -> tuple[str, ...]:
    """Return a name as tags: the name itself and, if it is qualified, its parts."""
    text = name.lower()
    if not is_tag(text, ascii_only):
        raise issues.INVALID_TAG(tag=text)
    return (text, *(part for part in text.split("::") if part)) if "::" in text else (text,)


def tags_of(names: Iterable[Value], ascii_only: bool = False) -> Iterator[str]:
    """Yield names as tags, those that are qualified with their parts."""
    for name in names:
        if name is None or (ascii_only and is_reference(name)):
            continue
        yield from name_tags(name if name.__class__ is str else to_s(name), ascii_only)


def own_tags(resource: DeclaredResource) -> None:
    """Add the tags of type and title; a title that was not a string adds none."""
    ascii_only = resource.scope.compilation.rules.ascii_tags
    found = type_tags(resource.type, ascii_only)
    if resource.tags:
        tags = resource.tags
        tags.update(found)
    else:
        tags = resource.tags = found.copy()
    title = resource.title
    if resource.title_value.__class__ is not str or title[:1] == "/":  # a path is not a tag
        return
    text = title.lower()
    if is_tag(text, ascii_only):
        if "::" in text:
            tags.update(dict.fromkeys(name_tags(title, ascii_only)))
        else:
            tags[text] = None


@remembered(4096)
def type_tags(type_: str, ascii_only: bool) -> dict[str, None]:
    """Return the tags of a type; not to be changed.

    >>> list(type_tags("Apache::Vhost", False))
    ['apache::vhost', 'apache', 'vhost']
    """
    return dict.fromkeys(name_tags(type_, ascii_only))


def inherit_tags(resource: DeclaredResource) -> None:
    """Add the tags of the container of a resource."""
    container = resource.scope.resource
    if container is not None and container is not resource:
        resource.tags.update(container.tags)
        resource.scope.compilation.tagged.append(resource)
