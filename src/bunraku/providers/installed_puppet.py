"""Resources that bunraku's own providers do not manage: an installed Puppet does, in one Ruby process.

Puppet's own code checks their values before the run, reads and changes their states, and compares.
bunraku's transaction does the rest: the order, tags, schedules, refreshes, the report and the state.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.metaparameters import METAPARAMETER_NAMES
from bunraku.base.records import field, record
from bunraku.catalog.resource import RELATIONSHIP_PARAMETERS
from bunraku.providers.attributes import ABSENT, Parameter
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.issues import INSTALLED_PUPPET_REFUSES
from bunraku.providers.managed_resource import ManagedResource, capitalised
from bunraku.providers.provider import Provider
from bunraku.providers.provider_names import provider_hint
from bunraku.providers.resource_type import Reference, ResourceType
from bunraku.providers.ruby_process import Data, RubyProcess, data_of, find_ruby
from bunraku.providers.run import Run
from bunraku.providers.secrets import REDACTED

KEPT_METAPARAMETERS = frozenset({"audit", "loglevel", "noop", "schedule", *RELATIONSHIP_PARAMETERS})
"""The attributes of all types that Puppet gets, also for the resources that it generates."""
INVALID_PROVIDER = lazy_pattern(r"Invalid \w+ provider '(.+)'$")
TYPE_NAME = lazy_pattern(r"[a-z][a-z0-9_]*")
Relations = Mapping[str, Sequence[Sequence[str]]]


@record(frozen=True)
class Outcome:
    """The result of applying a resource: events as data, and what the next run compares."""

    failed: bool = False
    events: Sequence[Data] = field(default_factory=tuple)
    audited: Mapping[str, Any] = field(default_factory=dict)
    values: Mapping[str, Any] = field(default_factory=dict)


class InstalledPuppet:
    """The installed Puppet of a run: its process, and what is known about the resources in it."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.process = RubyProcess(run, self.repeat)
        self.numbers: dict[ManagedResource, int] = {}
        """The number under which the process knows a resource."""
        self.descriptions: dict[ManagedResource, Data] = {}
        self.generations: dict[tuple[int, str], dict[str, int]] = {}
        """Generator and method → the numbers of its resources by reference."""
        self.found_relations: dict[str, Any] | None = None
        self.last_number = 0
        run.endings.append(self.process.end)

    # -- requests --------------------------------------------------------------------------------

    def request(self, action: str, resource: ManagedResource, **details: Any) -> Any:
        """Return the answer to a request about a resource; raise ResourceFailure for an error."""

        def log(level: str, text: str, source: str) -> None:
            log_message(level, text, source, resource)

        number = self.numbers[resource]
        answer = self.process.request(action, log, number=number, **details)
        if isinstance(answer, dict) and answer.get("error") is not None:
            raise ResourceFailure(answer["error"])
        return answer

    def create(self, resources: Sequence[ManagedResource]) -> None:
        """Let Puppet make resources and check their values."""
        for one in resources:
            self.last_number += 1
            self.numbers[one] = self.last_number
        for one, answer in zip(resources, self.send(resources), strict=True):
            self.descriptions[one] = {**answer, "deferred": sorted(one.deferred)}

    def send(self, resources: Sequence[ManagedResource]) -> list[Data]:
        """Let Puppet make resources, and return its descriptions of them."""
        requests = [creation(one, self.numbers[one]) for one in resources]
        answers: list[Data] = self.process.request("create", self.run.log, resources=requests)
        return answers

    def repeat(self) -> None:
        """Give the resources to a process that takes the place of an earlier one."""
        made = [one for one, known in self.descriptions.items() if not known.get("generated")]
        if made:
            self.send(made)
        for (number, method), numbers in self.generations.items():
            details = {"method": method, "numbers": numbers, "next": self.last_number}
            self.process.request("generate", self.run.log, number=number, **details)

    # -- descriptions ----------------------------------------------------------------------------

    def know_all(self) -> None:
        """Let Puppet make all resources of the catalog that it does not have yet."""
        known = self.descriptions
        missing = [one for one in dict.fromkeys(self.run.resources.values()) if one not in known]
        if missing := [one for one in missing if not one.type.is_native]:
            self.create(missing)

    def description(self, resource: ManagedResource) -> Data:
        """Return Puppet's description of a resource; raise ResourceFailure for a wrong value."""
        if resource not in self.descriptions:
            self.know_all()
        found = self.descriptions[resource]
        if "error" in found:
            raise ResourceFailure(found["error"])
        return found

    def resolve(self, resource: ManagedResource) -> None:
        """Let Puppet check the computed values of a resource."""
        names = self.descriptions[resource]["deferred"]
        if "error" in self.descriptions[resource]:
            self.create([resource])
            return
        values = data_of({name: resource.original[name] for name in names})
        secret = sorted(resource.sensitive)
        found = self.request("resolve", resource, values=values, sensitive=secret)
        self.descriptions[resource] = {**found, "deferred": []}

    def relations(self, resource: ManagedResource) -> Relations:
        """Return the implicit relationships of a resource; raise PuppetError if it cannot be applied."""
        if self.found_relations is None:
            self.know_all()
            self.found_relations = self.process.request("relations", self.run.log)
        found: Data = self.found_relations.get(str(self.numbers.get(resource)), {})
        if "error" in found:
            raise refused(resource, found["error"])
        return found

    def listed(self, name: str, title: str | None) -> list[Data]:
        """Return the resources of a type on the machine: all, or the one with a title."""
        answer: Any = self.process.request("list", self.run.log, type=name, title=title)
        if isinstance(answer, dict):
            raise ResourceFailure(answer["error"])
        found: list[Data] = answer
        return found

    def generated(self, resource: ManagedResource, method: str) -> list[ManagedResource]:
        """Return the resources that a resource generates."""
        key = (self.numbers[resource], method)
        known = self.generations.get(key, {})
        details = {"method": method, "numbers": known, "next": self.last_number}
        answers = self.request("generate", resource, **details)
        made = [self.taken(one, resource) for one in answers]
        self.generations[key] = {
            f"{capitalised(one['type'])}[{one['title']}]": one["number"] for one in answers
        }
        self.last_number = max([self.last_number, *(one["number"] for one in answers)])
        return made

    def taken(self, data: Data, parent: ManagedResource) -> ManagedResource:
        """Return the managed resource for a generated one."""
        known = next(
            (one for one, number in self.numbers.items() if number == data["number"]), None
        )
        if known is not None:
            return known
        kind = installed_type(data["type"], self.run)
        values: Data = {"noop": data["noop"], "loglevel": data["level"], **data["relations"]}
        if data["schedule"]:
            values["schedule"] = data["schedule"]
        if not data["related"]:
            depth_first = self.descriptions[parent]["depth_first"]
            values.setdefault("before" if depth_first else "require", []).append(parent.reference)
        made = ManagedResource(
            kind,
            data["title"],
            values,
            path=parent.containers,
            tags=(data["type"],),
            file=parent.file,
            line=parent.line,
        )
        self.numbers[made] = data["number"]
        self.descriptions[made] = {**data, "generated": True}
        return made


def creation(resource: ManagedResource, number: int) -> Data:
    """Return what Puppet needs to make a resource."""
    values = {
        name: value
        for name, value in resource.original.items()
        if name not in METAPARAMETER_NAMES
        or (name in KEPT_METAPARAMETERS and name not in resource.deferred)
    }
    return {
        "number": number,
        "type": resource.type.name,
        "title": resource.title,
        "containers": list(resource.containers),
        "parameters": data_of(values, resource.deferred),
        "deferred": sorted(name for name in resource.deferred if name in values),
        "sensitive": sorted(resource.sensitive),
        "tags": list(resource.tags),
        "file": resource.file,
        "line": resource.line,
    }


def refused(resource: ManagedResource, reason: str) -> PuppetError:
    """Return the error for a resource that Puppet refuses."""
    secret = any(f"Parameter {name} failed on" in reason for name in resource.sensitive)
    text = REDACTED if secret else resource.hidden(reason)
    if resource.reference not in text:
        text = f"{resource.reference}: {text}"
    text = text.removesuffix(f" (file: {resource.file}, line: {resource.line})")
    text = text.removesuffix(f" (line: {resource.line})")
    wrong = INVALID_PROVIDER.search(text)
    hint = wrong and provider_hint(resource.type.name, wrong[1], resource.run)
    return INSTALLED_PUPPET_REFUSES(reason=text).at(resource.place).hinted(hint or None)


def log_message(level: str, text: str, source: str, resource: ManagedResource) -> None:
    """Log a message of Puppet, with the place of the resource that it is about."""
    if not source.startswith(resource.path):
        resource.run.log(level, resource.hidden(text), source)
        return
    name = source.removeprefix(resource.path).strip("/")
    resource.log(level, text, name or None)


# -- the provider and the type ---------------------------------------------------------------------


class InstalledProvider(Provider):
    """A provider of an installed Puppet."""

    def __init__(self, run: Run, name: str, puppet: InstalledPuppet) -> None:
        super().__init__(run)
        self.name = name
        self.puppet = puppet
        self.has_read = False

    def prefetch(self, resources: Sequence[ManagedResource]) -> None:
        """Let the provider read the state of all its resources, once for each run."""
        if not self.has_read and resources:
            self.has_read = True
            self.puppet.request("prefetch", resources[0])


class InstalledType(ResourceType):
    """A type whose resources an installed Puppet manages."""

    attributes = ()
    is_native = False

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.by_name = {"ensure": Parameter("ensure")}  # which the transaction looks at

    @property
    def puppet(self) -> InstalledPuppet:
        """The installed Puppet of the run."""
        key = (InstalledPuppet, "")
        if key not in self.run.shared:
            self.run.shared[key] = InstalledPuppet(self.run)
        found: InstalledPuppet = self.run.shared[key]
        return found

    def provider_named(self, name: str) -> Provider:
        """Return the provider with a name, one object for each run."""
        if name not in self.made:
            self.made[name] = InstalledProvider(self.run, name, self.puppet)
        return self.made[name]

    def known_providers(self) -> Sequence[str]:
        """Return nothing: Puppet checks the name of a provider."""
        return ()

    def check_audit(self, resource: ManagedResource) -> None:
        """Do nothing: Puppet checks the names of audited attributes."""

    def check(self, resource: ManagedResource) -> None:
        """Let Puppet check the values; raise PuppetError with its message."""
        try:
            if self.puppet.descriptions.get(resource, {}).get("deferred"):
                self.puppet.resolve(resource)
            self.take(resource, self.puppet.description(resource))
        except ResourceFailure as failure:
            raise refused(resource, str(failure)) from None

    def take(self, resource: ManagedResource, description: Data) -> None:
        """Take over what Puppet says about a resource and its type."""
        self.refreshable = description["refreshable"]
        self.refreshes_itself = description["refreshes_itself"]
        self.depth_first = description["depth_first"]
        if description["removes"]:
            resource.values["ensure"] = ABSENT
        self.run.resources.setdefault((self.name, description["name"]), resource)

    def suitable(self, resource: ManagedResource) -> bool:
        """Return whether a provider of Puppet works for a resource at the moment."""
        if not self.knows(resource):
            return True
        try:
            found = self.puppet.request("suitable", resource)
        except (ResourceFailure, PuppetError):
            return True  # the resource fails for the same reason when it is applied
        name = found["provider"]
        resource.made_provider = None if name is None else self.provider_named(name)
        return bool(found["suitable"])

    def knows(self, resource: ManagedResource) -> bool:
        """Return whether Puppet has made a resource."""
        return "error" not in self.puppet.descriptions.get(resource, {"error": ""})

    # -- relationships ---------------------------------------------------------------------------

    def related(self, resource: ManagedResource, kind: str) -> Iterable[Reference]:
        """Return the implicit relationships of a kind."""
        found = self.puppet.relations(resource).get(kind, ())
        return [(type_, title) for type_, title in found]

    def requires(self, resource: ManagedResource) -> Iterable[Reference]:
        """Return the resources that Puppet's type requires implicitly."""
        return self.related(resource, "require")

    def subscribes(self, resource: ManagedResource) -> Iterable[Reference]:
        """Return the resources whose changes refresh this one."""
        return self.related(resource, "subscribe")

    def precedes(self, resource: ManagedResource) -> Iterable[Reference]:
        """Return the resources that Puppet's type precedes implicitly."""
        return self.related(resource, "before")

    def notifies(self, resource: ManagedResource) -> Iterable[Reference]:
        """Return the resources that changes of this one refresh."""
        return self.related(resource, "notify")

    # -- generated resources ---------------------------------------------------------------------

    def generate(self, resource: ManagedResource) -> list[ManagedResource]:
        """Return the resources that Puppet's type adds before the run, and those that these add."""
        self.puppet.know_all()
        if not self.puppet.descriptions[resource].get("generates"):
            return []
        resource.resolve_deferred()
        found: list[ManagedResource] = []
        for one in self.puppet.generated(resource, "generate"):
            found += [one, *one.type.generate(one)]
        return found

    def children(self, resource: ManagedResource) -> list[ManagedResource]:
        """Return the resources that Puppet's type adds when the resource is applied."""
        if not self.puppet.descriptions[resource].get("grows"):
            return []
        return self.puppet.generated(resource, "eval_generate")

    # -- changes ---------------------------------------------------------------------------------

    def apply(
        self, resource: ManagedResource, audited: Mapping[str, Any], values: Mapping[str, Any]
    ) -> Outcome:
        """Let Puppet change a resource to its wanted state; with ``noop``, only compare.

        ``audited`` and ``values`` are what the last run stored.
        """
        self.puppet.description(resource)
        details = {"audited": data_of(audited), "values": data_of(values)}
        answer = self.puppet.request("apply", resource, **details)
        return Outcome(answer["failed"], answer["events"], answer["audited"], answer["values"])

    def refresh(self, resource: ManagedResource) -> None:
        """Let Puppet refresh a resource."""
        self.puppet.request("refresh", resource)


def type_of_module(name: str, run: Run) -> InstalledType | None:
    """Return a type that a module of the run has in Ruby, if an installed Puppet may manage it."""
    if run.settings.get("ruby_providers") is False or not TYPE_NAME.fullmatch(name):
        return None
    if find_ruby(run.host) is None:
        return None
    folders = [one for one in run.modules if run.host.is_directory(one)]
    modules = (
        posixpath.join(one, module) for one in folders for module in run.host.list_directory(one)
    )
    file = f"lib/puppet/type/{name}.rb"
    if not any(run.host.is_file(posixpath.join(module, file)) for module in modules):
        return None
    return installed_type(name, run)


def installed_type(name: str, run: Run) -> InstalledType:
    """Return the type with a name for resources that an installed Puppet manages."""
    key = (InstalledType, name)
    if key not in run.shared:
        documented = {"name": name, "__doc__": InstalledType.__doc__}
        run.shared[key] = type(name.capitalize(), (InstalledType,), documented)(run)
    found: InstalledType = run.shared[key]
    return found
