"""The base classes of resource types, their attributes and their providers.

A :class:`ResourceType` has attributes: a :class:`Parameter` controls how it is managed, a
:class:`Property` has a state on the machine. A :class:`Provider` is one way to read and change that
state. A :class:`ManagedResource` is a resource of a catalog during a run, and a :class:`Run` holds
everything that the resources of a run share.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, partial
from importlib import import_module
from itertools import chain
from typing import Any, ClassVar, Protocol

from bunraku.base.errors import PuppetError
from bunraku.base.metaparameters import METAPARAMETER_NAMES
from bunraku.base.source import Place
from bunraku.catalog.schema.builtin import builtin_resource_type, vendored_resource_type
from bunraku.catalog.schema.titles import flat
from bunraku.providers.errors import InvalidSecret, InvalidValue, ResourceFailure
from bunraku.providers.file_server import FileServer
from bunraku.providers.issues import INVALID_RESOURCE, INVALID_VALUE
from bunraku.providers.ruby_classes import ruby_class
from bunraku.providers.secrets import Secrets, computes_secret
from bunraku.types.convert.formats import format_value, literal_on_lines
from bunraku.types.ruby_semantics.values import inspect, to_s
from bunraku.types.text.display import literal
from bunraku.values.regexp.regexp import Regexp
from bunraku.values.sensitive import Sensitive
from bunraku.values.time.timespan import Timespan
from bunraku.values.time.timestamp import Timestamp
from bunraku.values.uri import URI
from bunraku.values.version import SemVer, SemVerRange
from bunraku.web.requests import HttpRequest
from bunraku.world.host import Command, Finished, Host
from bunraku.world.unknown_host import MachineUnknown

Value = Any
ABSENT = "absent"
"""The state of an absent resource."""
RICH = (SemVer, SemVerRange, Timespan, Timestamp, URI)
"""Classes of values that are neither data nor quoted in messages."""
Read = Callable[[Value], Value]
ReadFor = Callable[[Value, "ManagedResource"], Value]
WRONG_KIND = (AttributeError, LookupError, TypeError, ValueError)
"""The errors that readers raise for values of an unexpected kind, such as a hash."""


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
        self.pattern = re.compile(pattern) if pattern is not None else None
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
        written = str(value).lower() if isinstance(value, bool) else str(value)
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
            text += f" Valid values match /{self.pattern.pattern}/."
        return text


def displayed(value: Value) -> str:
    """Return a value as Puppet's messages show it: times, versions and other rich values bare.

    >>> displayed("a"), displayed([1]), displayed(Regexp("a.b"))
    ("'a'", '[1]', 'a.b')
    """
    if isinstance(value, Regexp):
        return value.pattern
    return format_value(value) if isinstance(value, RICH) else literal(value)


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
        """Return whether the current state matches a wanted one."""
        wanted = resource.accepted(self.name)
        if self.many:
            return isinstance(current, list) and [str(item) for item in current] == [
                str(item) for item in wanted
            ]
        return any(current == one or current == str(one) for one in wanted)

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
        if value is None or isinstance(value, (str, int)):
            return displayed(value)
        return literal_on_lines(value)

    def shown_wanted(self, resource: ManagedResource, value: Value) -> str:
        """Format a wanted state for messages."""
        return self.shown(resource, value)

    def event_name(self, resource: ManagedResource, wanted: Value) -> str:
        """Return the name of the event of a change."""
        return f"{self.name}_changed"

    def drops_refresh(self, resource: ManagedResource, wanted: Value) -> bool:
        """Return whether the change makes a refresh of the resource in the same run unnecessary."""
        return False


class Ensure(Property):
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

    def retrieve(self, resource: ManagedResource) -> Value:
        """Return ``present`` or ``absent``."""
        return "present" if resource.provider.exists(resource) else ABSENT

    def change(self, resource: ManagedResource, wanted: Value) -> None:
        """Create or remove the resource."""
        if wanted == ABSENT:
            resource.provider.destroy(resource)
        else:
            resource.provider.create(resource)

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


# -- providers -------------------------------------------------------------------------------------

WITHOUT_USER: Mapping[str, str | None] = dict.fromkeys(("HOME", "USER", "LOGNAME"))
"""Environment variables that programs do not get, so that they do not depend on the user."""
ENGLISH: Mapping[str, str | None] = {
    **dict.fromkeys(
        (
            "LANGUAGE",
            "LC_COLLATE",
            "LC_CTYPE",
            "LC_MESSAGES",
            "LC_MONETARY",
            "LC_NUMERIC",
            "LC_TIME",
        )
    ),
    "LANG": "C",
    "LC_ALL": "C",
}
"""Variables that make programs print English."""
Words = tuple[str, ...] | str
"""A program with its arguments, or a command line for the shell."""
State = dict[str, Value]
"""The state of a resource: property → value."""


class Provider:
    """One way to manage the resources of a type; one object serves all resources of a run.

    A subclass needs ``name`` and either :meth:`instances` (all resources of the machine in one query,
    which :meth:`get` uses) or its own :meth:`get` and :meth:`exists`.

    >>> class Motd(Provider):
    ...     name = "motd"
    ...
    ...     def instances(self, wanted):
    ...         return {"motd": {"ensure": "present", "text": "hello"}}
    """

    name = ""
    source: ClassVar[str] = ""
    """Where the provider finds resources if others look there, too; only the first of them lists."""
    programs: ClassVar[tuple[str, ...]] = ()
    """Programs that a machine needs for the provider to work."""
    features: ClassVar[frozenset[str]] = frozenset()
    """Features that attributes and their values require."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.host = run.host
        self.variables: dict[str, str | None] = {}
        """Additional environment variables for the programs of the provider."""
        self.states: dict[str, State] | None = None
        """The result of :meth:`instances` by name; None before the first call."""

    # -- suitability ------------------------------------------------------------------------------

    def suitable(self) -> bool:
        """Return whether the provider works on this machine."""
        return all(self.host.find_program(program) for program in self.programs)

    def supports(self, feature: str) -> bool:
        """Return whether the provider has a feature on this machine."""
        return feature in self.features

    # -- reading ---------------------------------------------------------------------------------

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return the existing resources of the machine, by name.

        ``wanted`` are the resources of the catalog that will be applied, so that one query can read
        them all. None requests every existing resource, for ``bunraku resource TYPE``.
        """
        raise ResourceFailure(f"the provider {self.name} cannot list resources")

    def prefetch(self, resources: Sequence[ManagedResource]) -> None:
        """Read the state of all resources of the provider, before the first of them is applied."""
        if type(self).instances is not Provider.instances:
            self.states = dict(self.instances(resources))

    def state(self, resource: ManagedResource) -> State:
        """Return the state of a resource; empty if it is absent."""
        if self.states is None:
            self.prefetch([resource])
        return (self.states or {}).get(resource.name, {})

    def take(self, resource: ManagedResource, state: State) -> None:
        """Let a state that :meth:`instances` returned be that of a resource."""
        self.states = {} if self.states is None else self.states
        self.states[resource.name] = state

    def exists(self, resource: ManagedResource) -> bool:
        """Return whether a resource exists."""
        found: Value = self.state(resource).get("ensure", ABSENT)
        return bool(found != ABSENT)

    def get(self, resource: ManagedResource, name: str) -> Value:
        """Return the state of a property, ``absent`` if the resource has none."""
        return self.state(resource).get(name, ABSENT)

    # -- changing --------------------------------------------------------------------------------

    def create(self, resource: ManagedResource) -> None:
        """Create a resource with all its properties."""
        raise ResourceFailure(f"the provider {self.name} cannot create resources")

    def destroy(self, resource: ManagedResource) -> None:
        """Remove a resource."""
        raise ResourceFailure(f"the provider {self.name} cannot remove resources")

    def set(self, resource: ManagedResource, name: str, value: Value) -> None:
        """Change one property."""
        raise ResourceFailure(f"the provider {self.name} cannot set {name}")

    def flush(self, resource: ManagedResource) -> None:
        """Write the collected changes of a resource; called once after the last change."""

    # -- programs --------------------------------------------------------------------------------

    def attempt(
        self,
        words: Words,
        *,
        merged: bool = True,
        content: bytes = b"",
        localized: bool = False,
    ) -> Finished:
        """Run a program or a command line; return its output and exit code, also if it fails.

        Messages are in English unless ``localized``. If the program cannot start, the exit code is 1.
        """
        words = as_texts(words)
        variables = {**WITHOUT_USER, **({} if localized else ENGLISH), **self.variables}
        self.run.log("debug", f"Executing: '{shown_words(words)}'")
        command = Command(words, environment=variables, merged=merged, content=content)
        try:
            return self.host.execute(command)
        except OSError as error:
            program = words.split()[0] if isinstance(words, str) else words[0]
            reason = f"Error: Could not execute posix command: {error.strerror} - {program}"
            return Finished(1, reason if merged else "", reason)

    def execute(self, *words: str, content: bytes = b"") -> Finished:
        """Run a program; raise ResourceFailure with its output unless it exits with 0."""
        texts = as_texts(words)
        return successful(texts, self.attempt(texts, content=content))


def as_texts(words: Words) -> Words:
    """Return a command whose words are texts: Puppet flattens arrays and converts other values."""
    if isinstance(words, str) or all(isinstance(one, str) for one in words):
        return words
    return tuple(map(to_s, flat(words)))


def successful(words: Words, done: Finished) -> Finished:
    """Return the result of a command; raise ResourceFailure with its output if it failed."""
    if done.code != 0:
        text = f"Execution of '{shown_words(words)}' returned {done.code}: {done.output.strip()}"
        raise ResourceFailure(text)
    return done


def shown_words(words: Words) -> str:
    """Format a command for messages."""
    return words if isinstance(words, str) else " ".join(words)


class ForeignProvider(Provider):
    """A provider of Puppet that bunraku does not have: it is never suitable."""

    def __init__(self, run: Run, name: str) -> None:
        super().__init__(run)
        self.name = name

    def suitable(self) -> bool:
        """Return False: bunraku does not have the provider."""
        return False

    def supports(self, feature: str) -> bool:
        """Return True: the features are unknown, and the provider never runs."""
        return True


# -- resource types --------------------------------------------------------------------------------

Reference = tuple[str, str]
"""The name of a type in lower case, and a title."""


class ResourceType:
    """A resource type; one object serves all resources of a run.

    ``attributes`` are in the order in which properties are changed. ``providers`` lists the modules
    of the type's folder, the preferred one first; without providers, the type does the work itself.
    """

    name: ClassVar[str]
    attributes: ClassVar[Sequence[Parameter]]
    namevar: ClassVar[str] = "name"
    providers: ClassVar[tuple[str, ...]] = ()
    refreshable: bool = False
    """Whether the type reacts to a refresh."""
    refreshes_itself: ClassVar[bool] = False
    """Whether each change of a resource also triggers its refresh."""
    reads_ensure: ClassVar[bool] = True
    """Whether ``ensure`` is read even if a resource does not set it; absent resources stay absent."""
    named_only: ClassVar[bool] = False
    """Whether resources of the type are found by name only: the list of all is empty."""
    secret_together: ClassVar[tuple[frozenset[str], ...]] = ()
    """Groups of attributes that are all secret if one of them is."""
    depth_first: ClassVar[bool] = False
    """Whether generated resources come before the resource that generates them."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.host = run.host
        self.by_name = {attribute.name: attribute for attribute in self.attributes}
        self.with_defaults = [one for one in self.attributes if one.default is not None]
        self.made: dict[str, Provider] = {}

    # -- providers -------------------------------------------------------------------------------

    def provider_named(self, name: str) -> Provider:
        """Return the provider with a name, one object for each run."""
        if name not in self.made:
            module = import_module(f"bunraku.providers.{self.name}.{name}")
            found: type[Provider] = module.provider
            self.made[name] = found(self.run)
        return self.made[name]

    def default_provider(self) -> Provider | None:
        """Return the first provider that works on this machine; None if none does."""
        candidates = map(self.provider_named, self.providers)
        return next((provider for provider in candidates if provider.suitable()), None)

    def known_providers(self) -> Sequence[str]:
        """Return the names of Puppet's providers of the type, including those that bunraku lacks."""
        schema = builtin_resource_type(self.name) or vendored_resource_type(self.name)
        return schema.providers if schema is not None else ()

    # -- checks and relationships ----------------------------------------------------------------

    def canonical_name(self, name: str) -> str:
        """Return the form of a name under which other resources find the resource."""
        return name

    def shown_title(self, title: str, parameters: Mapping[str, Value]) -> str:
        """Return the title of a resource in messages and reports."""
        return title

    def check(self, resource: ManagedResource) -> None:
        """Raise InvalidValue for values that exclude or contradict each other."""

    def requires(self, resource: ManagedResource) -> Iterable[Reference]:
        """Yield the resources that must come before this one, if the catalog has them."""
        return ()

    def precedes(self, resource: ManagedResource) -> Iterable[Reference]:
        """Yield the resources that must come after this one, if the catalog has them."""
        return ()

    # -- generated resources ---------------------------------------------------------------------

    def generate(self, resource: ManagedResource) -> list[ManagedResource]:
        """Return the resources that a resource adds to the catalog before the run.

        The deferred values that this needs are computed here.
        """
        return []

    def children(self, resource: ManagedResource) -> list[ManagedResource]:
        """Return the resources that a resource adds when it is applied, sorted by title."""
        return []

    # -- state -----------------------------------------------------------------------------------

    def retrieve(self, resource: ManagedResource) -> State:
        """Return the current state of ``ensure`` and of the managed and audited properties."""
        found: State = {}
        ensure = self.by_name.get("ensure")
        if isinstance(ensure, Property) and (
            self.reads_ensure or ensure.name in resource or ensure.name in resource.audit
        ):
            found["ensure"] = ensure.retrieve(resource)
        present = self.present(found)
        for attribute in resource.properties():
            if attribute is not ensure:
                found[attribute.name] = attribute.retrieve(resource) if present else ABSENT
        return found

    def present(self, state: State) -> bool:
        """Return whether a resource with this state exists."""
        return bool(state.get("ensure") != ABSENT)

    def flush(self, resource: ManagedResource) -> None:
        """Complete the changes of a resource; called once after the last change."""
        if resource.has_provider:
            resource.provider.flush(resource)

    def refresh(self, resource: ManagedResource) -> None:
        """React to a change of a resource that notifies this one."""

    # -- listing ---------------------------------------------------------------------------------

    def purged_values(self, state: State) -> dict[str, Value]:
        """Return the parameters that locate an unmanaged resource, so that it can be removed."""
        return {"target": state["target"]} if "target" in state else {}

    def instances(self) -> Iterator[tuple[str, str, State]]:
        """Yield name, provider and state of every resource of the type on the machine.

        The default provider comes first. A name that several providers list is the first one's, and
        providers of the same source are one. Raises ResourceFailure if nothing can be listed.
        """
        if self.named_only:
            return
        if not self.providers:
            raise ResourceFailure(f"{self.name} has no providers that list what is on the machine")
        default = self.default_provider()
        others = (one for one in map(self.provider_named, self.providers) if one.suitable())
        sources: set[str] = set()
        seen: set[str] = set()
        for provider in chain([] if default is None else [default], others):
            source = provider.source or provider.name
            if source in sources:
                continue
            sources.add(source)
            for title, state in provider.instances(None).items():
                if title not in seen:
                    seen.add(title)
                    yield title, provider.name, state

    def shown_state(self, resource: ManagedResource, state: State) -> State:
        """Return a state as ``bunraku resource`` shows it."""
        return state


# -- resources -------------------------------------------------------------------------------------


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
        self.reference = f"{capitalised(type_.name)}[{type_.shown_title(title, parameters)}]"
        self.tags = tuple(tags)
        self.file = file
        self.line = line
        self.containers = path
        self.path = "/" + "/".join((*path, self.reference))
        self.sensitive: frozenset[str] = frozenset()
        """The attributes whose values are hidden."""
        self.secrets = Secrets()
        """The words of secret values; messages about the resource do not show them."""
        self.original: dict[str, Value] = {name: bare(value) for name, value in parameters.items()}
        self.deferred = frozenset(
            name for name, value in self.original.items() if holds_deferred(value)
        )
        """The attributes whose values are computed just before the resource is applied."""
        self.values: dict[str, Value] = {}
        self.made_provider: Provider | None = None
        self.hide(
            name
            for name, value in parameters.items()
            if isinstance(value, Sensitive)
            or (name in self.deferred and computes_secret(value))
            or (name in type_.by_name and type_.by_name[name].secret)
        )
        self.name: str = type_.canonical_name(self.given_name())
        self.read_metaparameters()

    def given_name(self) -> str:
        """Return the name of the resource: its title, unless an attribute has another one."""
        for attribute in (self.type.namevar, "name"):
            value = self.known(attribute)
            if value is not None:
                return str(value)
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
                self.check_audit()
            else:
                WORDS_OF_METAPARAMETERS[name].word(value)
        except InvalidValue as error:
            raise self.refused(name, error) from None

    def check_audit(self) -> None:
        """Raise InvalidValue if an attribute that is to be audited does not exist."""
        for name in self.audit:
            if name not in self.type.by_name and name not in METAPARAMETER_NAMES:
                text = f"Cannot audit {name}: not a valid attribute for {self.reference}"
                raise InvalidValue(text)

    # -- values ----------------------------------------------------------------------------------

    def complete(self) -> None:
        """Choose the provider and check all values, as Puppet does when it creates the resource."""
        for step in chain(self.given_steps(), self.default_steps()):
            with suppress(MachineUnknown):
                step()
        if not self.deferred:
            with suppress(MachineUnknown):
                self.check()

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
            if isinstance(value, Sensitive) or name in self.sensitive:
                self.hide([name])
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
                    return  # Puppet takes a property without a wanted state as in sync
                self.values[attribute.name] = [self.accepted_value(attribute, one) for one in given]
            else:
                self.values[attribute.name] = self.accepted_value(attribute, value)
        except InvalidValue as error:
            raise self.refused(attribute.name, error) from None
        except WRONG_KIND as error:
            reason = f"Munging failed for value {inspect(value)} in class {attribute.name}: {error}"
            raise self.refused(attribute.name, InvalidValue(reason)) from error

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
        hidden = name in self.sensitive and not isinstance(error, InvalidSecret)
        reason = "[redacted]" if hidden else str(error)
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
        """The provider that manages the resource."""
        if self.made_provider is None:
            self.made_provider = self.type.default_provider()
        if self.made_provider is None:
            raise LookupError(f"{self.reference} has no provider")
        return self.made_provider

    def choose_provider(self) -> None:
        """Choose the provider that the resource sets, or the first one that works on this machine."""
        named = self.known("provider")
        if isinstance(named, list):
            named = named[0] if named else None
        if named is None:
            self.made_provider = self.type.default_provider()
        elif str(named) in self.type.providers:
            self.made_provider = self.type.provider_named(str(named))
        elif str(named) in self.type.known_providers():
            self.made_provider = ForeignProvider(self.run, str(named))
        elif self.type.providers:
            reason = f"Invalid {self.type.name} provider '{named}'"
            raise self.refused("provider", InvalidValue(reason))

    def suitable(self) -> bool:
        """Return whether the resource can be managed on this machine at the moment."""
        if self.made_provider is None and self.type.providers:
            self.made_provider = self.type.default_provider()
            return self.made_provider is not None
        return self.made_provider is None or self.made_provider.suitable()

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


# -- runs ------------------------------------------------------------------------------------------

LEVELS = ("debug", "info", "notice", "warning", "err", "alert", "emerg", "crit")
"""The levels of messages, least urgent first."""

WORDS_OF_METAPARAMETERS = {
    "noop": Parameter("noop", words=("true", "false")),
    "loglevel": Parameter("loglevel", words=(*LEVELS, "verbose")),
}
"""The accepted words of metaparameters."""


class Log(Protocol):
    """The function that receives messages."""

    def __call__(
        self,
        level: str,
        message: str,
        source: str = "Puppet",
        *,
        tags: Sequence[str] = (),
        file: str | None = None,
        line: int | None = None,
    ) -> None:
        """Log a message; ``source`` is the path of the resource or property that it concerns."""


class Run:
    """One run over the resources of a catalog, and its shared state.

    ``settings`` are Puppet's, by name (``noop``, ``show_diff``, ``statedir``, ``clientbucketdir`` …).
    """

    def __init__(self, host: Host, log: Log, settings: Mapping[str, Any]) -> None:
        self.host = host
        self.write = log
        self.settings = settings
        self.secrets = Secrets()
        self.environment = "production"
        self.resources: dict[tuple[str, str], ManagedResource] = {}
        """Resources by type (lower case) and title, and by type and name."""
        self.resolve: Callable[[Value], Value] = lambda value: value
        """Replaces the deferred calls in a value with their results."""
        self.modules: Sequence[str] = ()
        """The directories of modules, for ``puppet:///modules/``."""
        self.libraries: Sequence[str] = ()
        """The directories of plugins that were copied from a server, as the ``lib`` of modules."""
        self.file_server: FileServer | None = None
        """The server of ``puppet:`` sources; without one they are files of modules."""
        self.web = HttpRequest("GET", "")
        """What the requests for ``http:`` and ``https:`` sources have in common."""
        self.changes = 0
        """The number of attempted changes; a state that was read earlier may be outdated."""
        self.shared: dict[tuple[type, str], Any] = {}
        """State that all resources of a type share, by class and name."""

    def log(
        self,
        level: str,
        message: str,
        source: str = "Puppet",
        *,
        tags: Sequence[str] = (),
        file: str | None = None,
        line: int | None = None,
    ) -> None:
        """Log a message without the secrets of the run."""
        self.write(level, self.secrets.hidden(message), source, tags=tags, file=file, line=line)

    def find(self, type_: str, title: object) -> ManagedResource | None:
        """Return the resource of a type (lower case) with a title or name; None if there is none.

        A value that is not text, which a catalog may hold, is not a name.
        """
        return self.resources.get((type_, title)) if isinstance(title, str) else None

    def of_type(self, type_: str) -> list[ManagedResource]:
        """Return the resources of a type in the order of the catalog, each once."""
        found = (resource for (kind, _title), resource in self.resources.items() if kind == type_)
        return list(dict.fromkeys(found))
