"""The subject of a test (a class, a defined type, a node …) as the text of a manifest."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from bunraku.base.records import field, record
from bunraku.catalog.catalog import plain_title
from bunraku.values.literal import Code, literal, string_literal
from bunraku.values.regexp.regexp import Regexp
from bunraku.values.sensitive import Sensitive

REFERENCE = re.compile(r"([a-zA-Z][\w:]*)\[(.*)\]", re.DOTALL)


def plain_reference(reference: str) -> tuple[str, str]:
    """Return type and title of a reference in one form for every way to write it.

    >>> plain_reference("class['::Ntp']") == plain_reference("Class[ntp]")
    True
    """
    found = REFERENCE.fullmatch(reference)
    if found is None:
        raise ValueError(f"not a reference: {reference!r}; expected a text such as 'File[/a]'")
    type_ = found[1].lower().removeprefix("::")
    return type_, plain_title(type_, found[2].strip("'\""))


def reference(text: str) -> Code:
    """Return a reference to a resource as the value of a parameter.

    Raises ValueError for a text that is not of the form ``Type[title]``.

    >>> literal({"require": reference("Package[ntp]")})
    "{ 'require' => Package['ntp'] }"
    """
    found = REFERENCE.fullmatch(text)
    if found is None:
        raise ValueError(f"not a reference: {text!r}; expected a text such as 'Package[ntp]'")
    kind = "::".join(part[:1].upper() + part[1:] for part in found[1].split("::"))
    title = found[2].strip("'\"")
    return Code(f"{kind}[{string_literal(title)}]")


def deferred(function: str, *arguments: Any) -> Code:
    """Return a Deferred value: a call that the agent makes.

    >>> literal(deferred("vault_lookup::lookup", "secret/db"))
    "Deferred('vault_lookup::lookup', ['secret/db'])"
    """
    return Code(f"Deferred({string_literal(function)}, {puppet_text(list(arguments))})")


def puppet_text(value: Any) -> str:
    """Return a value of a test as Puppet code.

    Beside Puppet's values, it may hold patterns of :mod:`re`, references and Deferred values. Raises
    TypeError for other objects.

    >>> puppet_text({"listen": ["::1", None], "match": re.compile("^a")})
    "{ 'listen' => ['::1', undef], 'match' => /^a/ }"
    """
    return literal(with_puppet_values(value))


def with_puppet_values(value: Any) -> Any:
    """Return a value with Python's patterns replaced by Puppet's."""
    if isinstance(value, re.Pattern):
        return Regexp(value.pattern)
    if isinstance(value, Mapping):
        return {key: with_puppet_values(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [with_puppet_values(item) for item in value]
    if isinstance(value, Sensitive):
        return Sensitive(with_puppet_values(value.value))
    return value


@record(frozen=True)
class Subject:
    """What a test compiles.

    ``kind`` is ``class``, ``define``, ``host`` or ``code``. ``name`` is that of the class or
    defined type, or the code; empty for a host, whose code is the main manifest.
    """

    kind: str
    name: str = ""
    title: str = ""
    params: Mapping[str, Any] = field(default_factory=dict)

    def code(self) -> str:
        """Return the manifest that declares the subject.

        >>> Subject("class", "ntp").code()
        'include ntp'
        >>> print(Subject("define", "ntp::peer", "a", {"port": 123, "key": None}).code())
        ntp::peer { 'a':
          port => 123,
          key => undef,
        }
        """
        if self.kind == "code":
            return self.name
        if self.kind == "class" and not self.params:
            return f"include {self.name}"
        word, title = ("class", self.name) if self.kind == "class" else (self.name, self.title)
        lines = [f"  {key} => {puppet_text(value)},\n" for key, value in self.params.items()]
        opening = f"{word} {{ {string_literal(title)}:"
        return f"{opening}\n{''.join(lines)}}}" if lines else f"{opening} }}"


def call_text(function: str, arguments: tuple[Any, ...]) -> str:
    """Return the code that calls a function.

    >>> call_text("ntp::peers", (["a"], 3))
    "ntp::peers(['a'], 3)"
    """
    return f"{function}({', '.join(map(puppet_text, arguments))})"
