"""The attribute of a resource that its title sets."""

from __future__ import annotations

from bunraku.catalog.schema.builtin import builtin_resource_type
from bunraku.runtime.state import current_scope


def title_attribute(type_name: str, title: str) -> tuple[str, str]:
    """Return the attribute that a title sets, and its value."""
    scope = current_scope()
    schema = (
        builtin_resource_type(type_name, "puppet_3")
        if scope is None
        else scope.compilation.resource_types[type_name]
    )
    if schema is None or not schema.namevars:
        return "name", title
    if type_name == "file":
        return "path", title.rstrip("/") or title[:1]
    return schema.namevars[0], title
