"""Readers of values that several types share, and common kinds of parameters."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.catalog.resource import RELATIONSHIP_PARAMETERS
from bunraku.providers.attributes import Parameter, Read
from bunraku.providers.errors import InvalidValue
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.ruby_classes import implicit_class, ruby_class
from bunraku.providers.secrets import without_password
from bunraku.types.ruby_semantics.values import inspect, to_s
from bunraku.values.ruby_semantics.numbers import parse_integer
from bunraku.values.sensitive import Sensitive

Value = Any
URI_TEXT = lazy_pattern(r"(?:[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*")


def boolean(name: str, *, default: bool | None = None, about: str = "") -> Parameter:
    """Return a Boolean parameter."""
    word = None if default is None else str(default).lower()
    return Parameter(name, words=("true", "false"), default=word, about=about)


def absolute_path(value: Value) -> Value:
    """Return an absolute path."""
    if not isinstance(value, str) or not value.startswith("/"):
        raise InvalidValue(f"File paths must be fully qualified, not '{to_s(value)}'")
    return value


def munging(name: str, value: Value, reason: str) -> InvalidValue:
    """Return the error for a value that cannot be converted, with Puppet's prefix."""
    return InvalidValue(f"Munging failed for value {inspect(value)} in class {name}: {reason}")


def refused_by_check(name: str, reason: str) -> InvalidValue:
    """Return the error for a value that a check refuses with another error than Puppet's own."""
    return InvalidValue(f"Validate method failed for class {name}: {reason}")


def check_text(name: str, value: Value, method: str) -> None:
    """Raise InvalidValue for a value for which Puppet's check calls a method that only texts have."""
    if not isinstance(value, str):
        reason = f"undefined method `{method}' for {inspect(value)}:{ruby_class(value)}"
        raise refused_by_check(name, reason)


def uri_problem(value: Value) -> str | None:
    """Return why Ruby's ``URI.parse`` refuses a value; None if it does not. Passwords are hidden.

    >>> uri_problem("http://a/b"), uri_problem("a b")
    (None, 'bad URI(is not URI?): "a b"')
    """
    if isinstance(value, str) and URI_TEXT.fullmatch(value):
        return None
    shown = without_password(inspect(value))
    if isinstance(value, str) and not value.isascii():
        return f"URI must be ascii only {shown}"
    return f"bad URI(is not URI?): {shown}"


def text(value: Value) -> str:
    """Return the value as text."""
    return to_s(value)


def switch(name: str, *, default: bool | None = None, about: str = "") -> Parameter:
    """Return a Boolean parameter that also accepts yes and no."""
    word = None if default is None else str(default).lower()
    words = ("true", "false", "yes", "no")
    return Parameter(
        name, words=words, aliases={"yes": "true", "no": "false"}, default=word, about=about
    )


def membership(name: str, *, of: str) -> Parameter:
    """Return the parameter that says whether the value of a property is all that is allowed."""
    about = f"Whether `{of}` is the whole list (`inclusive`) or a part of it (`minimum`)."
    return Parameter(name, words=("inclusive", "minimum"), default="minimum", about=about)


def ruby_integer(value: Value) -> int:
    """Return the number that Ruby's ``Integer`` makes of a value; raise InvalidValue if it fails.

    >>> ruby_integer("0x10"), ruby_integer(2.5)
    (16, 2)
    """
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise InvalidValue(f"can't convert {implicit_class(value)} into Integer")
    number = parse_integer(value) if isinstance(value, str) else int(value)
    if number is None:
        raise InvalidValue(f"invalid value for Integer(): {inspect(value)}")
    return number


def unmatched_title(title: str) -> InvalidValue:
    """Return the error for a title that has none of the forms of its type."""
    return InvalidValue(f'No set of title patterns matched the title "{title}".')


class Truth(Parameter):
    """A Boolean parameter that also accepts yes and no and is converted when it is set."""

    def __init__(
        self,
        name: str,
        *,
        default: bool | None = None,
        feature: str | None = None,
        about: str = "",
    ) -> None:
        word = None if default is None else str(default).lower()
        aliases = {"yes": "true", "no": "false"}
        words = ("true", "false", *aliases)
        super().__init__(
            name, words=words, aliases=aliases, default=word, feature=feature, about=about
        )

    def word(self, value: Value) -> Value:
        """Return the accepted word for a value; text may have capital letters."""
        return super().word(value.lower() if isinstance(value, str) else value)

    def refusal(self, value: Value) -> str:
        """Return Puppet's message for a value that is not accepted."""
        return str(munging(self.name, value, "expected a boolean value"))


def url(value: Value, resource: ManagedResource) -> Value:
    """Return a URL, or several; their passwords are hidden from now on."""
    resource.hide_passwords(value)
    return value


def one_text(name: str) -> Read:
    """Return a reader of a text."""

    def read(value: Value) -> Value:
        if not isinstance(value, str):
            raise InvalidValue(f"{name} must be a String, got value of class {ruby_class(value)}")
        return value

    return read


INHERITED = ("noop", "loglevel", "schedule", "audit", "tag")
"""The metaparameters that generated resources inherit from their generator."""


def inherited(resource: ManagedResource) -> dict[str, Value]:
    """Return the metaparameters for the resources that a resource generates."""
    return {name: resource.original[name] for name in INHERITED if name in resource.original}


def all_inherited(resource: ManagedResource) -> dict[str, Value]:
    """Return the metaparameters, relationships included, for the resources that a resource purges."""
    related = (name for name in RELATIONSHIP_PARAMETERS if name in resource.original)
    return {**inherited(resource), **{name: resource.original[name] for name in related}}


def passed_on(resource: ManagedResource, names: Iterable[str]) -> dict[str, Value]:
    """Return attributes for a resource that another one generates; secrets stay secret.

    Deferred values are computed when the generated resource is applied.
    """
    found: dict[str, Value] = {}
    for name in names:
        value = resource.original[name] if name in resource.deferred else resource[name]
        if value is not None:
            found[name] = Sensitive(value) if name in resource.sensitive else value
    return found


def qualified(name: str, *, many: bool = False) -> Read:
    """Return a reader of an absolute path; with ``many``, also of an array of paths."""

    def read(value: Value) -> Value:
        if isinstance(value, list) and not many:
            raise InvalidValue(f"{name} only accepts a single path, not an array of paths")
        for one in value if isinstance(value, list) else [value]:
            if not isinstance(one, str) or not one.startswith("/"):
                raise InvalidValue(f"{name} must be a fully qualified path")
        return value

    return read
