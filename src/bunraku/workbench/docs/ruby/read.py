"""What a Ruby file defines: functions, resource types, providers, data types."""

from __future__ import annotations

from collections.abc import Callable

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.workbench.docs.model import ModuleDocs
from bunraku.workbench.docs.ruby.file import Node, RubyFile, is_call, method_name
from bunraku.workbench.docs.ruby.functions import function
from bunraku.workbench.docs.ruby.providers import provider
from bunraku.workbench.docs.ruby.resource_api import registered_type
from bunraku.workbench.docs.ruby.types import further_attribute, resource_type


def data_type(docs: ModuleDocs, file: RubyFile, node: Node) -> None:
    """Add a data type: few modules have one, and reading it needs the type system."""
    from bunraku.workbench.docs.ruby.data_types import add_data_type

    add_data_type(docs, file, node)


Reader = Callable[[ModuleDocs, RubyFile, Node], None]
READERS: dict[str, Reader] = {
    "create_function": function,
    "newfunction": function,
    "newtype": resource_type,
    "provide": provider,
    "register_type": registered_type,
    "create_type": data_type,
    "newparam": further_attribute,
    "newproperty": further_attribute,
    "ensurable": further_attribute,
}
"""A method → what reads its calls."""
PROVIDE = lazy_pattern(r"provide\b")
"""The method, and not the word ``provider``, which most files have that define nothing."""
SURE_SIGNS = tuple(name for name in READERS if name != "provide")


def may_define(text: str) -> bool:
    """Return whether a file has the name of such a method; one without it is not parsed.

    >>> may_define("Type.type(:x).provide :y do"), may_define("provider = :y")
    (True, False)
    """
    if any(name in text for name in SURE_SIGNS):
        return True
    return "provide" in text and PROVIDE.search(text) is not None


def read_ruby_file(docs: ModuleDocs, text: str, path: str) -> None:
    """Add the things of a file; one that is not Ruby has none."""
    if not may_define(text):
        return
    file = RubyFile(text, path)
    mistake = file.mistake
    if mistake is not None:
        docs.broken.append((path, mistake, "this is not Ruby"))
        return
    for node in file.statements():
        reader = READERS.get(method_name(node)) if is_call(node) else None
        if reader is not None:
            reader(docs, file, node)
