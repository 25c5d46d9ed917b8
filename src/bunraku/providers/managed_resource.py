"""A resource of a catalog during a run: its values, checks, provider and messages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from itertools import chain
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.base.source import Place
from bunraku.providers.attributes import WRONG_KIND, Parameter, Property
from bunraku.providers.errors import InvalidSecret, InvalidValue, ResourceFailure
from bunraku.providers.issues import INVALID_RESOURCE, INVALID_VALUE
from bunraku.providers.provider import ForeignProvider, Provider
from bunraku.providers.resource_type import ResourceType
from bunraku.providers.ruby_classes import ruby_class
from bunraku.providers.run import LEVELS
from bunraku.providers.secrets import Secrets, computes_secret, contains_sensitive, passwords_in
from bunraku.types.ruby_semantics.values import inspect, to_s
from bunraku.values.sensitive import Sensitive
from bunraku.world.unknown_host import MachineUnknown

Value = Any
WORDS_OF_METAPARAMETERS = {
    "noop": Parameter("noop", words=("true", "false")),
    "loglevel": Parameter("loglevel", words=(*LEVELS, "verbose")),
}
"""The accepted words of metaparameters."""
UNREADABLE = (AttributeError, LookupError, TypeError)
"""The errors of a value that is of the wrong kind; their texts are Python's."""
HIDDEN = str(Sensitive(None))
"""The text that a secret inside of an array or hash becomes."""


class ManagedResource:
    """A resource of a catalog, ready to be applied.

    ``parameters`` are those of the catalog; values that are Sensitive are stored unwrapped and
    listed in ``sensitive``. ``path`` has the names of the containers, outermost first.
    """

    def __init__(
        self,
        type_: ResourceType,
        title: str,
        parameters: Mapping[str, Value],
        *,
        path: tuple[str, ...] = (),
        tags: Iterable[str] = (),
        file: str | None = None,
        line: int | None = None,
    ) -> None:
        self.type = type_
        self.run = type_.run
        self.title = title
        self.original: dict[str, Value] = {name: bare(value) for name, value in parameters.items()}
        self.deferred = frozenset(
            name for name, value in self.original.items() if holds_deferred(value)
        )
        """The attributes whose values are computed just before the resource is applied."""
        shown = type_.shown_title(title, parameters_without(parameters, self.deferred))
        self.reference = f"{capitalised(type_.name)}[{shown}]"
        self.tags = tuple(tags)
        self.file = file
        self.line = line
        self.containers = path
        self.path = "/" + "/".join((*path, self.reference))
        self.sensitive: frozenset[str] = frozenset()
        """The attributes whose values are hidden."""
        self.partly_sensitive: set[str] = set()
        """Those of them with a secret inside of an array or hash that is not secret itself."""
        self.secrets = Secrets()
        """The words of secret values; messages about the resource do not show them."""
        self.values: dict[str, Value] = {}
        self.made_provider: Provider | None = None
        self.hide(
            name
            for name, value in parameters.items()
            if contains_sensitive(value) or (name in self.deferred and computes_secret(value))
        )
        self.given_sensitive = self.sensitive
        """Those of them whose values are ``Sensitive``; the others are secret whatever they are."""
        self.hide(
            name for name in parameters if name in type_.by_name and type_.by_name[name].secret
        )
        for name in self.sensitive.intersection(parameters):
            self.note_inner_secret(name, parameters[name])
        self.name: str = type_.canonical_name(self.given_name())
        self.read_metaparameters()

    def given_name(self) -> str:
        """Return the name of the resource: its title, unless an attribute has another one."""
        for attribute in self.type.names:
            value = self.known(attribute)
            if value is not None:
                return to_s(value)
        return self.title

    def known(self, name: str) -> Value:
        """Return the value that the catalog has for an attribute; None if it is not computed yet."""
        return None if name in self.deferred else self.original.get(name)

    # -- secrets ---------------------------------------------------------------------------------

    def hide(self, names: Iterable[str]) -> None:
        """Hide the values of attributes, and those of attributes that show parts of them."""
        names = frozenset(names)
        if not names:
            return
        shared = (group for group in self.type.secret_together if not group.isdisjoint(names))
        self.sensitive = self.sensitive.union(names, *shared)
        for name in names:
            value = self.original.get(name)
            self.run.secrets.add(value, public=(self.title,))
            self.secrets.add_words(value, public=(self.title,))

    def note_inner_secret(self, name: str, value: Value) -> None:
        """Remember an attribute if only a part of its value is secret."""
        if isinstance(value, list | dict) and contains_sensitive(value):
            self.partly_sensitive.add(name)

    def hide_passwords(self, value: Value) -> None:
        """Hide the passwords in the URLs of a value; the rest of the value is shown."""
        self.run.secrets.add(list(passwords_in(value)))

    def is_private(self, name: str) -> bool:
        """Return whether the value of an attribute is secret, or has a URL with a password."""
        return name in self.sensitive or any(passwords_in(self.values.get(name)))

    def refuse_private_arguments(self, program: str, *names: str) -> None:
        """Raise ResourceFailure for secret attributes that become arguments of a program: others see these."""
        for name in names:
            if self.is_private(name):
                text = (
                    f"other users could see the secret of {name} among the arguments of {program}"
                )
                raise ResourceFailure(text)

    def hidden(self, text: str) -> str:
        """Return a message about the resource without its secrets."""
        return self.secrets.hidden(self.run.secrets.hidden(text))

    # -- metaparameters --------------------------------------------------------------------------

    def read_metaparameters(self) -> None:
        """Set the metaparameters; their values are checked later."""
        noop = self.known("noop")
        self.noop = bool(self.run.settings["noop"]) if noop is None else truth(noop)
        level = str(self.known("loglevel"))
        self.level = level if level in LEVELS else "info" if level == "verbose" else "notice"
        audit = self.known("audit") or []
        named = [str(name) for name in (audit if isinstance(audit, list) else [audit])]
        if named == ["all"]:
            named = [one.name for one in self.type.attributes if one.is_property]
        self.audit = tuple(named)
        schedule = self.known("schedule")
        self.schedule = None if schedule is None else str(schedule)

    def check_metaparameter(self, name: str) -> None:
        """Raise PuppetError for a wrong value of a metaparameter."""
        value = self.known(name)
        if value is None:
            return
        try:
            if name == "audit":
                self.type.check_audit(self)
            else:
                WORDS_OF_METAPARAMETERS[name].word(value)
        except InvalidValue as error:
            raise self.refused(name, error) from None

    # -- values ----------------------------------------------------------------------------------

    def complete(self) -> None:
        """Choose the provider and check all values, as Puppet does when it creates the resource."""
        for step in chain(self.given_steps(), self.default_steps()):
            with suppress(MachineUnknown):
                step()
        self.warn_of_lost_secrets()
        if not self.deferred:
            with suppress(MachineUnknown):
                self.check()

    def warn_of_lost_secrets(self) -> None:
        """Warn of secrets inside of arrays and hashes if the attribute takes them as texts, as Puppet does."""
        for name in sorted(self.partly_sensitive):
            if HIDDEN in to_s(self.values.get(name)):
                text = (
                    f"{name} gets the text '{HIDDEN}' instead of a secret inside of its value, "
                    "as in Puppet; apply Sensitive to the whole value instead"
                )
                self.log("warning", text)

    def problems(self) -> Iterator[PuppetError]:
        """Choose the provider, check all values and yield the errors.

        Without a machine, checks that depend on one are skipped. After a wrong value, the
        values are not checked in combination.
        """
        right = not self.deferred
        for step in chain(self.given_steps(), self.default_steps()):
            error = failure_of(step)
            if error is not None:
                right = False
                yield error
        error = failure_of(self.check) if right else None
        if error is not None:
            yield error

    def given_steps(self) -> Iterator[Callable[[], None]]:
        """Yield the first steps that complete the resource: the choice of the provider, then each value."""
        yield self.choose_provider
        for attribute in self.type.attributes:
            name = attribute.name
            if name in self.deferred:
                continue
            if name in self.original and self.original[name] is not None:
                yield partial(self.set, attribute, self.original[name])
            elif name == self.type.namevar:
                yield partial(self.set, attribute, self.name)
        for name in ("noop", "audit", "loglevel"):
            if name in self.original:
                yield partial(self.check_metaparameter, name)

    def default_steps(self) -> Iterator[Callable[[], None]]:
        """Yield the steps that set defaults; those of all resources are set at once."""
        for attribute in self.type.with_defaults:
            name = attribute.name
            if self.original.get(name) is None and name not in self.deferred:
                if attribute.constant is None:
                    yield partial(self.set_default, attribute)
                elif name not in self.values:
                    self.values[name] = attribute.constant

    def set_default(self, attribute: Parameter) -> None:
        """Set the default of an attribute that has no value and is not only audited."""
        audited = attribute.is_property and attribute.name in self.audit
        if attribute.name not in self.values and not audited:
            default = attribute.default
            default = default(self) if callable(default) else default
            if default is not None:
                self.set(attribute, default)

    def check(self) -> None:
        """Raise PuppetError for values that exclude or contradict each other."""
        try:
            self.type.check(self)
        except InvalidValue as error:
            failure = INVALID_RESOURCE(resource=self.reference, reason=self.hidden(str(error)))
            raise failure.at(self.place) from None

    def resolve_deferred(self, names: Iterable[str] | None = None) -> None:
        """Compute deferred values, all or some, and check them; raise PuppetError for a wrong one."""
        before = self.deferred
        waiting = before if names is None else before.intersection(names)
        if not waiting:
            return
        for name in sorted(waiting):
            value = self.run.resolve(self.original[name])
            self.original[name] = bare(value)
            if contains_sensitive(value):
                self.given_sensitive = self.given_sensitive.union([name])
            if name in self.sensitive or contains_sensitive(value):
                self.hide([name])
                self.note_inner_secret(name, value)
        self.deferred = before - waiting
        self.name = self.type.canonical_name(self.given_name())
        self.run.resources.setdefault((self.type.name, self.name), self)
        self.read_metaparameters()
        self.values.clear()
        try:
            self.complete()
        except PuppetError:
            self.deferred = before
            raise

    def set(self, attribute: Parameter, value: Value) -> None:
        """Check a value and store it; for a property, store a list of all accepted states."""
        if not self.manages(attribute):
            return
        try:
            if attribute.is_property or (attribute.many and isinstance(value, list)):
                given = value if isinstance(value, list) else [value]
                if not given and not attribute.many:
                    attribute.accept_none(self)
                    return  # Puppet takes a property without a wanted state as in sync
                self.values[attribute.name] = [self.accepted_value(attribute, one) for one in given]
            else:
                self.values[attribute.name] = self.accepted_value(attribute, value)
        except InvalidValue as error:
            raise self.refused(attribute.name, error) from None
        except (*WRONG_KIND, OSError, ResourceFailure) as error:
            kind = f"the class {ruby_class(value)} is not accepted"
            reason = kind if isinstance(error, UNREADABLE) else str(error)
            text = f"Munging failed for value {inspect(value)} in class {attribute.name}: {reason}"
            raise self.refused(attribute.name, InvalidValue(text)) from error

    def accepted_value(self, attribute: Parameter, value: Value) -> Value:
        """Return the internal form of a value; unchanged if its check needs an unknown machine."""
        try:
            return attribute.accept(value, self)
        except MachineUnknown:
            return value

    def unusable(self) -> str | None:
        """Return why no provider can use a value of the resource; None if one can use all."""
        for name, value in self.values.items():
            attribute = self.type.by_name[name]
            if not attribute.text:
                continue
            several = isinstance(value, list) and (attribute.is_property or attribute.many)
            for one in value if several else [value]:
                if not isinstance(one, str):
                    return f"no implicit conversion of {ruby_class(one)} into String: {name}"
        return None

    def manages(self, attribute: Parameter) -> bool:
        """Return whether the provider has the feature that an attribute needs."""
        feature, provider = attribute.feature, self.made_provider
        if feature is None or provider is None or provider.supports(feature):
            return True
        text = (
            f"Provider {provider.name} does not support features {feature}; "
            f"not managing attribute {attribute.name}"
        )
        self.log("debug", text)
        return False

    def refused(self, name: str, error: InvalidValue) -> PuppetError:
        """Return the error for a value that an attribute does not accept."""
        hidden = name in self.sensitive.difference(self.partly_sensitive)
        hidden = hidden and not isinstance(error, InvalidSecret)
        reason = "[redacted]" if hidden else self.hidden(str(error))
        failure = INVALID_VALUE(name=name, resource=self.reference, reason=reason)
        return failure.at(self.place)

    @property
    def place(self) -> Place:
        """The place at which the resource is declared."""
        return Place(self.file, self.line)

    def __getitem__(self, name: str) -> Value:
        """Return the value of a parameter or the wanted state of a property; None if not set."""
        value = self.values.get(name)
        attribute = self.type.by_name.get(name)
        if value is not None and attribute is not None and attribute.is_property:
            return value if attribute.many else value[0] if value else None
        return value

    def __contains__(self, name: object) -> bool:
        return name in self.values

    def accepted(self, name: str) -> list[Value]:
        """Return all accepted states of a property."""
        found: list[Value] = self.values.get(name, [])
        return found

    def is_true(self, name: str) -> bool:
        """Return whether a parameter with the words true and false is true."""
        return self.values.get(name) == "true"

    def properties(self) -> list[Property]:
        """Return the managed and audited properties, in the order of the type."""
        return [
            attribute
            for attribute in self.type.attributes
            if isinstance(attribute, Property)
            and (attribute.name in self.values or attribute.name in self.audit)
        ]

    # -- the provider ----------------------------------------------------------------------------

    @property
    def has_provider(self) -> bool:
        """Whether a provider manages the resource."""
        return self.made_provider is not None

    @property
    def provider(self) -> Provider:
        """The provider that manages the resource; ResourceFailure if none works on this machine."""
        if self.made_provider is None:
            self.made_provider = self.type.provider_for(self)
        if self.made_provider is None:
            raise ResourceFailure(f"No ability to determine if {self.type.name} exists")
        return self.made_provider

    def choose_provider(self) -> None:
        """Choose the provider that the resource sets, or the first one that works on this machine."""
        named = self.known("provider")
        given = isinstance(named, list)
        if given:
            named = named[0] if named else None
        if isinstance(named, bool | int | float | list | dict) or (given and named is None):
            reason = f"undefined method `intern' for {inspect(named)}:{ruby_class(named)}"
            text = f"Validate method failed for class provider: {reason}"
            raise self.refused("provider", InvalidValue(text))
        if named is None:
            self.made_provider = self.type.provider_for(self)
        elif str(named) in self.type.providers:
            self.made_provider = self.type.provider_named(str(named))
        elif str(named) in self.type.known_providers():
            self.made_provider = ForeignProvider(self.run, str(named))
        elif self.type.providers:
            reason = f"Invalid {self.type.name} provider '{to_s(named)}'"
            raise self.refused("provider", InvalidValue(reason))

    def suitable(self) -> bool:
        """Return whether the resource can be managed on this machine at the moment."""
        if "provider" in self.deferred:
            return True  # to be seen when the provider is known
        return self.type.suitable(self)

    # -- messages --------------------------------------------------------------------------------

    def log(self, level: str, message: str, name: str | None = None) -> None:
        """Log a message about the resource or one of its properties."""
        source, tags = self.path, self.tags
        if name is not None:
            source, tags = f"{source}/{name}", (*tags, name)
        message = self.secrets.hidden(message)
        self.run.log(level, message, source, tags=tags, file=self.file, line=self.line)

    def __repr__(self) -> str:
        return self.reference


def failure_of(step: Callable[[], None]) -> PuppetError | None:
    """Return the error of a check; None if it passes or needs an unknown machine."""
    try:
        step()
    except PuppetError as error:
        return error
    except MachineUnknown:
        return None
    return None


def capitalised(name: str) -> str:
    """Return the name of a type as in references.

    >>> capitalised("apt::source"), capitalised("ssh_authorized_key")
    ('Apt::Source', 'Ssh_authorized_key')
    """
    return "::".join(part.capitalize() for part in name.split("::"))


def parameters_without(
    parameters: Mapping[str, Value], names: frozenset[str]
) -> Mapping[str, Value]:
    """Return parameters without some of them."""
    if not names:
        return parameters
    return {name: value for name, value in parameters.items() if name not in names}


def bare(value: Value) -> Value:
    """Return a value without its ``Sensitive`` wrapper."""
    return value.value if isinstance(value, Sensitive) else value


def holds_deferred(value: Value) -> bool:
    """Return whether a value of a catalog contains a deferred call.

    >>> holds_deferred([{"__ptype": "Deferred", "name": "f"}]), holds_deferred({"a": [1]})
    (True, False)
    """
    if isinstance(value, list):
        return any(map(holds_deferred, value))
    if isinstance(value, dict):
        return value.get("__ptype") == "Deferred" or any(map(holds_deferred, value.values()))
    return isinstance(value, Sensitive) and holds_deferred(value.value)


def truth(value: Value) -> bool:
    """Return the truth of a boolean or of one of the words true, false, yes and no."""
    return value is True or str(value).lower() in ("true", "yes")
