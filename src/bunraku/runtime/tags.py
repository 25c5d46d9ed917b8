"""Tags: from the title and type of a resource, from its parameters, and from its containers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from bunraku.base.bounded_cache import remembered
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.runtime import issues
from bunraku.runtime.references import flat, is_reference
from bunraku.runtime.state import DeclaredResource
from bunraku.types.text.text import to_text

Value = Any
TAG = lazy_pattern(r"\w[\w:.-]*")


def is_tag(text: str, ascii_only: bool = False) -> bool:
    """Return whether lower-case text can be a tag: letters, digits, ``_``, ``:``, ``.``, ``-``."""
    if ascii_only and not text.isascii():
        return False
    return TAG.fullmatch(text) is not None


def tag_list(value: Value) -> list[Value]:
    """Return the tags in a value; an empty hash holds none."""
    return [] if value == {} else flat(value)


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
        yield from name_tags(name if name.__class__ is str else to_text(name), ascii_only)


def own_tags(resource: DeclaredResource) -> None:
    """Add the tags of type and title; a title that was not a string adds none."""
    title = resource.title if resource.title_value.__class__ is str else ""
    found = identity_tags(resource.type, title, resource.scope.compilation.rules.ascii_tags)
    if resource.tags:
        resource.tags.update(found)
    else:
        resource.tags = found.copy()


@remembered(20_000)
def identity_tags(type_: str, title: str, ascii_only: bool) -> dict[str, None]:
    """Return the tags of a type and of a title, where that can be a tag; not to be changed.

    >>> list(identity_tags("Apache::Vhost", "a", False)), list(identity_tags("File", "/a", False))
    (['apache::vhost', 'apache', 'vhost', 'a'], ['file'])
    """
    found = dict.fromkeys(name_tags(type_, ascii_only))
    if title[:1] != "/" and is_tag(title.lower(), ascii_only):  # a path is not a tag
        found.update(dict.fromkeys(name_tags(title, ascii_only)))
    return found


def inherit_tags(resource: DeclaredResource) -> None:
    """Add the tags of the container of a resource."""
    container = resource.scope.resource
    if container is not None and container is not resource:
        resource.tags.update(container.tags)
        resource.scope.compilation.tagged.append(resource)
