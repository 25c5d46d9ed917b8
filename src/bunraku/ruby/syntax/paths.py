"""Which file Ruby code requires: the value of an expression that is made of texts and of the path of the code's own file."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from bunraku.ruby.syntax.code_nodes import content

if TYPE_CHECKING:
    from tree_sitter import Node

TO_TEXT = frozenset({"to_s", "to_path", "to_str", "cleanpath", "realpath", "expand_path"})
"""Methods of a path that yield the same path."""


def static_path(node: Node, file: str, relative: bool) -> str | None:
    """Return the name or absolute path that is required, without ``.rb``; None if it is computed in other ways.

    ``relative`` is whether it is relative to the folder of the file with the code.
    """
    text = static_text(node, file)
    if text is None:
        return None
    if relative:
        text = posixpath.join(posixpath.dirname(file), text)
    if text.startswith("/"):
        text = posixpath.normpath(text)
    return text.removesuffix(".rb")


def static_text(node: Node, file: str) -> str | None:
    """Return the text that an expression yields; None if that is not known.

    >>> from bunraku.ruby.syntax.tree import parse_ruby
    >>> code = "File.expand_path(File.join(File.dirname(__FILE__), '..', 'a'))"
    >>> static_text(parse_ruby(code).children[0], "/m/lib/puppet/f.rb")
    '/m/lib/a'
    """
    kind = node.type
    if kind == "string":
        return joined_parts(node, file)
    if kind in ("identifier", "constant", "file"):
        name = content(node)
        return {"__FILE__": file, "__dir__": posixpath.dirname(file)}.get(name)
    if kind == "parenthesized_statements" and len(node.named_children) == 1:
        return static_text(node.named_children[0], file)
    return of_call(node, file) if kind == "call" else None


def joined_parts(node: Node, file: str) -> str | None:
    """Return the text of a string."""
    parts: list[str] = []
    for one in node.named_children:
        if one.type == "string_content":
            parts.append(content(one))
        elif one.type == "interpolation" and len(one.named_children) == 1:
            found = static_text(one.named_children[0], file)
            if found is None:
                return None
            parts.append(found)
        else:
            return None
    return "".join(parts)


def of_call(node: Node, file: str) -> str | None:
    """Return the text that a call yields."""
    receiver = node.child_by_field_name("receiver")
    method = content(node.child_by_field_name("method"))
    arguments = node.child_by_field_name("arguments")
    given = [] if arguments is None else arguments.named_children
    values = [text for one in given if (text := static_text(one, file)) is not None]
    if len(values) != len(given):
        return None
    name = content(receiver)
    if name == "File" and values:
        return of_file(method, values)
    if (name, method) in (("Pathname", "new"), ("", "Pathname")) and len(values) == 1:
        return values[0]
    base = None if receiver is None else static_text(receiver, file)
    if base is None:
        return None
    if method in TO_TEXT and not values:
        return base
    if method in ("join", "+") and values:
        return posixpath.normpath(posixpath.join(base, *values))
    return posixpath.dirname(base) if method in ("parent", "dirname") and not values else None


def of_file(method: str, values: list[str]) -> str | None:
    """Return the value of a method of ``File``; paths are absolute."""
    match method, values:
        case "dirname", [path]:
            return posixpath.dirname(path)
        case "join", _:
            return "/".join([values[0].rstrip("/"), *[one.strip("/") for one in values[1:]]])
        case "expand_path" | "absolute_path", [path] if path.startswith("/"):
            return posixpath.normpath(path)
        case "expand_path" | "absolute_path", [path, folder] if folder.startswith("/"):
            return posixpath.normpath(posixpath.join(folder, path))
    return None
