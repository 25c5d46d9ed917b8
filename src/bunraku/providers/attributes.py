"""Attributes of resource types: a parameter controls how a resource is managed, a property has a state."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from bunraku.providers.errors import InvalidValue
from bunraku.types.convert.formats import format_value, literal_on_lines
from bunraku.types.ruby_semantics.values import inspect, to_s
from bunraku.types.text.display import literal
from bunraku.values.regexp.regexp import Regexp, escape_slashes
from bunraku.values.time.timespan import Timespan
from bunraku.values.time.timestamp import Timestamp
from bunraku.values.uri import URI
from bunraku.values.version import SemVer, SemVerRange

if TYPE_CHECKING:
    from bunraku.providers.managed_resource import ManagedResource

Value = Any
ABSENT = "absent"
"""The state of an absent resource."""
RICH = (SemVer, SemVerRange, Timespan, Timestamp, URI)
"""Classes of values that are neither data nor quoted in messages."""
Read = Callable[[Value], Value]
ReadFor = Callable[[Value, "ManagedResource"], Value]
AS_IN_RUBY = re.ASCII | re.MULTILINE
"""The flags with which ``^``, ``$``, ``\\w`` and ``\\d`` mean what they mean in Ruby."""
WRONG_KIND = (AttributeError, LookupError, TypeError, ValueError, OverflowError)
"""The errors that readers raise for values of an unexpected kind, such as a hash or infinity."""


class BinaryText(str):
    """Text from a library whose texts are binary in Ruby: Puppet's reports show it in base64."""

    __slots__ = ()


class Parameter:
    """An attribute that controls how a resource is managed.

    ``words`` are the accepted words; ``aliases`` maps other spellings to them; ``pattern`` accepts
    further values. ``read`` checks a value and returns its internal form, or raises InvalidValue.
    ``read_for`` does the same and gets the resource as a second argument. With
    ``many``, each element of an array is a separate value. ``default`` applies if a resource
    does not set the attribute. ``feature`` is the feature that a provider needs for it; other
    providers ignore the attribute. With ``text``, providers can use only text: as in Puppet, other
    values are accepted, and the resource fails when it is applied. ``about`` describes it in one or two sentences on the page of the
    type; Markdown is allowed.
    """

    is_property = False
    secret = False
    """Whether the values are always hidden."""

    def __init__(  # noqa: PLR0913 (given by name)
        self,
        name: str,
        *,
        words: Sequence[str] = (),
        aliases: Mapping[str, str] | None = None,
        pattern: str | None = None,
        read: Read | None = None,
        read_for: ReadFor | None = None,
        many: bool = False,
        default: Value = None,
        feature: str | None = None,
        text: bool = False,
        about: str = "",
    ) -> None:
        self.name = name
        self.about = about
        self.text = text
        self.words = tuple(words)
        self.aliases = aliases or {}
        self.pattern = re.compile(pattern, AS_IN_RUBY) if pattern is not None else None
        self.read = read
        self.read_for = read_for
        self.many = many
        self.default = default
        self.feature = feature

    def accept(self, value: Value, resource: ManagedResource) -> Value:
        """Return the internal form of a value; raise InvalidValue if it is not accepted."""
        if self.words or self.pattern is not None:
            value = self.word(value)
            self.check_feature(value, resource)
        if self.read is not None:
            value = self.read(value)
        return value if self.read_for is None else self.read_for(value, resource)

    @cached_property
    def constant(self) -> Value:
        """The internal form of a default that is the same for every resource; None if there is none."""
        kind = type(self)
        plain = kind.accept is Parameter.accept and kind.feature_of is Parameter.feature_of
        if not plain or self.is_property or not isinstance(self.default, str | int | float):
            return None
        if self.feature is not None or self.read_for is not None:
            return None
        value = self.word(self.default) if self.words or self.pattern is not None else self.default
        value = value if self.read is None else self.read(value)
        return value if isinstance(value, str | int | float) else None

    def accept_none(self, resource: ManagedResource) -> None:
        """Raise InvalidValue if the property does not accept an empty array; most ignore it."""

    def feature_of(self, value: Value) -> str | None:
        """Return the feature that a provider needs for an accepted word, None if it needs none."""
        return None

    def check_feature(self, value: Value, resource: ManagedResource) -> None:
        """Raise InvalidValue for a word that needs a feature the provider lacks."""
        feature = self.feature_of(value)
        if feature is None or not resource.has_provider or resource.provider.supports(feature):
            return
        name = resource.provider.name
        text = f"Provider {name} must have features '{feature}' to set '{self.name}' to '{value}'"
        raise InvalidValue(text)

    def word(self, value: Value) -> Value:
        """Return the accepted word for a value; booleans become ``true`` and ``false``."""
        written = to_s(value)
        text = self.aliases.get(written, written)
        if text in self.words:
            return text
        if self.pattern is not None and self.pattern.search(written):
            return value
        raise InvalidValue(self.refusal(value))

    def refusal(self, value: Value) -> str:
        """Return Puppet's message for a value that is not accepted."""
        text = f"Invalid value {inspect(value)}."
        if self.words:
            text += f" Valid values are {', '.join(self.words)}."
        if self.pattern is not None:
            text += f" Valid values match /{escape_slashes(self.pattern.pattern)}/."
        return text


def displayed(value: Value) -> str:
    """Return a value as Puppet's messages show it: times, versions and other rich values bare.

    >>> displayed("a"), displayed([1]), displayed(Regexp("a.b"))
    ("'a'", '[1]', 'a.b')
    """
    if isinstance(value, Regexp):
        return value.pattern
    return format_value(value) if isinstance(value, RICH) else literal(value)


def ruby_text(value: Value) -> str:
    """Return a value as the text that Ruby makes of it.

    >>> ruby_text(True), ruby_text(None), ruby_text(BinaryText("a"))
    ('true', '', 'a')
    """
    return str(value) if isinstance(value, str) else to_s(value)


def without_encoding(value: Value) -> Value:
    """Return a state with plain texts instead of binary ones."""
    if isinstance(value, BinaryText):
        return str(value)
    return [without_encoding(one) for one in value] if value.__class__ is list else value


class Property(Parameter):
    """An attribute with a state on the machine, which can be read, compared and changed.

    A property that is not ``idempotent`` changes on every run by design.
    """

    is_property = True
    idempotent = True

    def retrieve(self, resource: ManagedResource) -> Value:
        """Return the current state as read by the provider."""
        return resource.provider.get(resource, self.name)

    def wanted(self, resource: ManagedResource, current: Value) -> Value:
        """Return the wanted state, which may include parts of the current one; None if not set."""
        return resource[self.name]

    def in_sync(self, resource: ManagedResource, current: Value) -> bool:
        """Return whether the current state matches a wanted one; every state does if there is none."""
        wanted = resource.accepted(self.name)
        if self.many:
            if not wanted:
                return True
            return isinstance(current, list) and list(map(ruby_text, current)) == list(
                map(ruby_text, wanted)
            )
        return any(current == one or current == ruby_text(one) for one in wanted)

    def change(self, resource: ManagedResource, wanted: Value) -> None:
        """Change the state to the wanted one; raise ResourceFailure or OSError on failure."""
        resource.provider.set(resource, self.name, wanted)

    def described(self, resource: ManagedResource, current: Value, wanted: Value) -> str:
        """Return the message of a change, in Puppet's words."""
        if current in (None, ABSENT):
            return f"defined '{self.name}' as {self.shown_wanted(resource, wanted)}"
        if wanted in (ABSENT, [ABSENT]):
            return f"undefined '{self.name}' from {self.shown(resource, current)}"
        shown, new = self.shown(resource, current), self.shown_wanted(resource, wanted)
        return f"{self.name} changed {shown} to {new}"

    def shown(self, resource: ManagedResource, value: Value) -> str:
        """Format a state for messages."""
        value = without_encoding(value)
        if value is None:
            return ""
        return displayed(value) if isinstance(value, (str, int)) else literal_on_lines(value)

    def shown_wanted(self, resource: ManagedResource, value: Value) -> str:
        """Format a wanted state for messages."""
        return self.shown(resource, value)

    def event_name(self, resource: ManagedResource, wanted: Value) -> str:
        """Return the name of the event of a change."""
        return f"{self.name}_changed"

    def drops_refresh(self, resource: ManagedResource, wanted: Value) -> bool:
        """Return whether the change makes a refresh of the resource in the same run unnecessary."""
        return False


class SecretParameter(Parameter):
    """A parameter with a password or a key. Its values are always hidden, also without ``Sensitive``."""

    secret = True


class SecretProperty(Property):
    """A property with a password or its hash. Its values are always hidden, also without ``Sensitive``."""

    secret = True


class Existence(Property):
    """A property that is whether a resource exists."""

    def retrieve(self, resource: ManagedResource) -> Value:
        """Return ``present`` or ``absent``."""
        return "present" if resource.provider.exists(resource) else ABSENT

    def change(self, resource: ManagedResource, wanted: Value) -> None:
        """Create or remove the resource."""
        if wanted == ABSENT:
            resource.provider.destroy(resource)
        else:
            resource.provider.create(resource)


class Ensure(Existence):
    """The property ``ensure``: whether a resource exists."""

    def __init__(
        self,
        words: Sequence[str] = ("present", "absent"),
        *,
        aliases: Mapping[str, str] | None = None,
        pattern: str | None = None,
        default: Value = None,
        read: Read | None = None,
        about: str = "",
    ) -> None:
        super().__init__(
            "ensure",
            words=words,
            aliases=aliases,
            pattern=pattern,
            default=default,
            read=read,
            about=about,
        )

    def described(self, resource: ManagedResource, current: Value, wanted: Value) -> str:
        """Return ``created``, ``removed`` or the change of the state."""
        if current in (None, ABSENT):
            return "created"
        if wanted == ABSENT:
            return "removed"
        shown, new = self.shown(resource, current), self.shown_wanted(resource, wanted)
        return f"{self.name} changed {shown} to {new}"

    def event_name(self, resource: ManagedResource, wanted: Value) -> str:
        """Return ``TYPE_created``, ``TYPE_removed`` or ``TYPE_changed``."""
        ending = {"present": "created", ABSENT: "removed"}.get(str(wanted), "changed")
        return f"{resource.type.name}_{ending}"
