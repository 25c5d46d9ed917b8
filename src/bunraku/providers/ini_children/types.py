"""Resource types for the definitions of modules that inherit the provider of ``ini_setting``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, ClassVar

from bunraku.providers.attributes import ABSENT, Ensure, Parameter, Property, Read
from bunraku.providers.errors import InvalidValue
from bunraku.providers.ini_children.definitions import AttributeForm
from bunraku.providers.ini_children.finding import Child, find_child
from bunraku.providers.ini_children.settings import provider_of
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import Provider
from bunraku.providers.reading import munging
from bunraku.providers.resource_type import Reference, ResourceType
from bunraku.providers.ruby_classes import ruby_class
from bunraku.providers.run import Run
from bunraku.types.ruby_semantics.values import inspect, to_s

Value = Any
TRUTH = re.compile(r"^(true|false)$", re.IGNORECASE | re.MULTILINE)
LISTED = re.compile(r"^\[.*\]$", re.MULTILINE)
SECTION_AND_SETTING = re.compile(r"\S+/\S+")
OLD_SECRET, NEW_SECRET = "[old secret redacted]", "[new secret redacted]"


def child_type(name: str, run: Run) -> type[ResourceType] | None:
    """Return a type of a run's modules; None if bunraku does not know all of its code."""
    child = find_child(name, run)
    return None if child is None else made_type(child)


def made_type(child: Child) -> type[ResourceType]:
    """Return the resource type for a definition."""
    kind = child.type
    by_name = {one.name: one for one in kind.attributes}
    fields = {
        "__doc__": f"Settings of {child.rules[-1].path}.",
        "name": kind.name,
        "attributes": (
            Ensure(default=managed, about="Whether the setting exists."),
            ChildValue(by_name.pop("value")),
            *map(child_parameter, by_name.values()),
        ),
        "providers": tuple(one.name for one in child.rules),
        "child": child,
    }
    return type(kind.name.capitalize(), (ChildType,), fields)


def managed(resource: ManagedResource) -> str | None:
    """Return the default of ``ensure``: ``present`` for a resource with a value."""
    return "present" if resource["value"] is not None else None


# -- attributes ------------------------------------------------------------------------------------


def child_parameter(one: AttributeForm) -> Parameter:
    """Return the parameter for its definition."""
    if one.is_switch:
        return Parameter(one.name, words=("true", "false"), default=one.default, about=one.about)
    read = None if one.wrong_name is None else name_reader(*one.wrong_name)
    return Parameter(one.name, pattern=one.pattern, read=read, default=one.default, about=one.about)


def name_reader(verb: str, before: str, after: str) -> Read:
    """Return a function that accepts names with a section and a setting."""

    def read(value: Value) -> Value:
        if SECTION_AND_SETTING.search(to_s(value)) is None:
            reason = f"{before}{to_s(value)}{after}"
            prefix = "Validate method failed for class name: " if verb == "raise" else ""
            raise InvalidValue(prefix + reason)
        return value

    return read


def strip(value: Value) -> str:
    """Return a value as text without space around it."""
    return to_s(value).strip()


def capitalised_words(value: Value) -> str:
    """Return a value as text; texts that are true or false begin with a capital letter."""
    text = strip(value)
    return text.capitalize() if TRUTH.search(text) else text


def digits(value: Value) -> str:
    """Return a value as text, Booleans as a digit."""
    return str(int(value)) if isinstance(value, bool) else strip(value)


def quotes(value: Value) -> str:
    """Return a text in quotes, unless it is a list in brackets; other values as text."""
    is_plain = isinstance(value, str) and LISTED.search(value) is None
    return f'"{value}"' if is_plain else strip(value)


def quotes_texts(value: Value) -> str:
    """Return what :func:`quotes` does for texts and whole numbers; other values are refused."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise munging("value", value, f"no implicit conversion of {ruby_class(value)} into String")
    return quotes(value)


MUNGERS = {
    "strip": strip,
    "words": capitalised_words,
    "digits": digits,
    "quotes": quotes,
    "quotes_texts": quotes_texts,
}


class ChildValue(Property):
    """The value of a setting, or all of its values."""

    def __init__(self, given: AttributeForm) -> None:
        super().__init__(
            "value",
            pattern=given.pattern,
            read=MUNGERS[given.munger],
            many=given.many,
            about=given.about,
        )
        if given.pattern is not None:  # in Ruby, ^ and $ match at every line
            self.pattern = re.compile(given.pattern, re.MULTILINE)
        self.hides = given.hides

    def retrieve(self, resource: ManagedResource) -> Value:
        """Return the current value; no report shows one that is secret."""
        found = super().retrieve(resource)
        if self.hides and resource.is_true("secret"):
            resource.run.secrets.add([found, resource[self.name]], public=(resource.title, ABSENT))
        return found

    def in_sync(self, resource: ManagedResource, current: Value) -> bool:
        """Return whether the current values are the wanted ones, whatever their order."""
        if not self.many:
            return super().in_sync(resource, current)
        wanted = resource.accepted(self.name)
        if not wanted:
            return True
        if not isinstance(current, list) or len(current) != len(wanted):
            return False
        return [one for one in dict.fromkeys(current) if one in wanted] == current

    def shown(self, resource: ManagedResource, value: Value) -> str:
        """Format the current value for messages."""
        if not self.hides:
            return super().shown(resource, value)
        return OLD_SECRET if resource.is_true("secret") else bare_text(value)

    def shown_wanted(self, resource: ManagedResource, value: Value) -> str:
        """Format the wanted value for messages."""
        if not self.hides:
            return super().shown_wanted(resource, value)
        return NEW_SECRET if resource.is_true("secret") else bare_text(value)


def bare_text(value: Value) -> str:
    """Return a value as Ruby writes it into a text."""
    return inspect(value) if isinstance(value, list) else to_s(value)


# -- the type --------------------------------------------------------------------------------------


class ChildType(ResourceType):
    """A type whose definition is in Ruby files of a module."""

    child: ClassVar[Child]

    def provider_named(self, name: str) -> Provider:
        """Return the provider with a name."""
        if name not in self.made:
            rules = next(one for one in self.child.rules if one.name == name)
            self.made[name] = provider_of(rules, self.run)
        return self.made[name]

    def check(self, resource: ManagedResource) -> None:
        """Raise InvalidValue if the type needs a value and there is none."""
        missing = self.child.type.value_missing
        if missing is not None and resource["ensure"] == "present" and resource["value"] is None:
            raise InvalidValue(f"{missing[0]}{resource.name}{missing[1]}")

    def requires(self, resource: ManagedResource) -> Iterator[Reference]:
        """Yield the resources that the definition names."""
        yield from self.child.type.requires
