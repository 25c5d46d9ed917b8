"""Types of modules without a provider in bunraku, managed by an installed Puppet.

Puppet's own code checks and applies each resource in a Ruby process (``installed_puppet.rb``): one
process checks all resources before the run, then a process for each resource applies it.
Parameters are passed on standard input, so other users do not see secrets.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.base.metaparameters import METAPARAMETER_NAMES
from bunraku.base.records import field, record
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.issues import INSTALLED_PUPPET_FAILED, INSTALLED_PUPPET_REFUSES
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.resource_type import Reference, ResourceType
from bunraku.providers.run import Run
from bunraku.world.host import Command, Host

Data = dict[str, Any]
SCRIPT = Path(__file__).with_suffix(".rb")
OWN_RUBY = "/opt/puppetlabs/puppet/bin/ruby"
"""The Ruby of the packages of Puppet and OpenVox."""
LONGEST_LINE = 4096
KEPT_METAPARAMETERS = frozenset({"noop", "loglevel"})
"""The attributes of all types that Puppet gets; bunraku's transaction handles the others."""


def find_ruby(host: Host) -> str | None:
    """Return the Ruby of an installed Puppet, None without one.

    Debian's package and the gem install the program ``puppet``, whose first line names its Ruby.
    """
    if host.is_executable(OWN_RUBY):
        return OWN_RUBY
    program = host.find_program("puppet")
    if program is None:
        return None
    line = b""
    with suppress(OSError), host.open(program) as file:
        line = file.readline(LONGEST_LINE)
    words = line.removeprefix(b"#!").decode("utf-8", "replace").split()
    return host.find_program(next((word for word in words if "ruby" in word), "ruby"))


@record(frozen=True)
class Message:
    """A message of the installed Puppet about a resource; ``source`` is the resource or a property."""

    level: str
    text: str
    source: str


@record(frozen=True)
class Outcome:
    """The result of applying a resource: Puppet's events as data, and its messages."""

    failed: bool = False
    events: Sequence[Data] = field(default_factory=tuple)
    messages: Sequence[Message] = field(default_factory=tuple)


class InstalledPuppet:
    """Runs the Ruby script on a machine."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.found: dict[str, Data] | None = None
        """Reference → Puppet's description of a resource: its provider, relationships or error."""

    def describe(self, resource: ManagedResource) -> Data:
        """Return Puppet's description of a resource; the first call describes all complete resources.

        The description is empty while a value is deferred.
        """
        if self.found is None:
            mine = [
                one
                for one in dict.fromkeys(self.run.resources.values())
                if isinstance(one.type, InstalledType) and not one.deferred
            ]
            answers = self.request("describe", mine)
            self.found = {one.reference: answer for one, answer in zip(mine, answers, strict=True)}
        if resource.deferred:
            return {}
        if resource.reference not in self.found:
            (self.found[resource.reference],) = self.request("describe", [resource])
        return self.found[resource.reference]

    def request(self, action: str, resources: Sequence[ManagedResource]) -> Any:
        """Return Ruby's answer to a request about resources; raise PuppetError if there is none."""
        host = self.run.host
        ruby = find_ruby(host)
        if ruby is None:
            raise INSTALLED_PUPPET_FAILED(reason="Puppet is not installed")
        request = {
            "action": action,
            "settings": [],
            "environment": self.run.environment,
            "modules": list(self.run.modules),
            "resources": [script_request(one) for one in resources],
        }
        content = json.dumps(request, default=str).encode()
        done = host.execute(Command((ruby, str(SCRIPT)), content=content))
        try:
            return json.loads(done.output)
        except ValueError:
            lines = (done.errors or done.output).strip().splitlines()
            reason = lines[0] if lines else f"Ruby ended with {done.code}"
            raise INSTALLED_PUPPET_FAILED(reason=reason) from None


class InstalledType(ResourceType):
    """A type of a module whose resources an installed Puppet manages."""

    attributes = ()

    @property
    def puppet(self) -> InstalledPuppet:
        """The Ruby side, one for each run."""
        key = (InstalledPuppet, "")
        if key not in self.run.shared:
            self.run.shared[key] = InstalledPuppet(self.run)
        found: InstalledPuppet = self.run.shared[key]
        return found

    def check(self, resource: ManagedResource) -> None:
        """Let Puppet check the values; raise PuppetError with its message."""
        description = self.puppet.describe(resource)
        if "error" in description:
            text = "[redacted]" if resource.sensitive else description["error"]
            raise INSTALLED_PUPPET_REFUSES(reason=text).at(resource.place)
        self.refreshable = description["refreshable"]
        key = (self.name, description["name"])
        self.run.resources.setdefault(key, resource)

    def requires(self, resource: ManagedResource) -> Iterable[Reference]:
        """Yield the resources that Puppet's type requires implicitly."""
        return related(self.puppet.describe(resource).get("requires", ()))

    def precedes(self, resource: ManagedResource) -> Iterable[Reference]:
        """Yield the resources that Puppet's type precedes implicitly."""
        return related(self.puppet.describe(resource).get("precedes", ()))

    def apply(self, resource: ManagedResource) -> Outcome:
        """Let Puppet change a resource to its wanted state; with ``noop``, only compare."""
        try:
            answer = self.puppet.request("apply", [resource])
        except PuppetError as error:
            raise ResourceFailure(error.message) from None
        messages = [message_of(one, answer["path"], resource) for one in answer["messages"]]
        return Outcome(answer["failed"], answer["events"], messages)

    def refresh(self, resource: ManagedResource) -> None:
        """Let Puppet refresh a resource."""
        answer = self.puppet.request("refresh", [resource])
        for one in answer["messages"]:
            message = message_of(one, answer["path"], resource)
            log_message(message, resource)
        if "error" in answer:
            raise ResourceFailure(answer["error"])


def installed_type(name: str, run: Run) -> InstalledType:
    """Return the type with a name for resources that an installed Puppet manages."""
    key = (InstalledType, name)
    if key not in run.shared:
        documented = {"name": name, "__doc__": InstalledType.__doc__}
        run.shared[key] = type(name.capitalize(), (InstalledType,), documented)(run)
    found: InstalledType = run.shared[key]
    return found


def script_request(resource: ManagedResource) -> Data:
    """Return a resource in the form that the script reads."""
    parameters = {
        name: value
        for name, value in resource.original.items()
        if name not in METAPARAMETER_NAMES or name in KEPT_METAPARAMETERS
    }
    return {
        "type": resource.type.name,
        "title": resource.title,
        "parameters": {**parameters, "noop": resource.noop},
        "sensitive": sorted(resource.sensitive),
        "file": resource.file,
        "line": resource.line,
    }


def message_of(given: Mapping[str, str], path: str, resource: ManagedResource) -> Message:
    """Return a message of Puppet with the path of the resource in this run."""
    source = given["source"]
    if source.startswith(path):
        source = resource.path + source.removeprefix(path)
    return Message(given["level"], given["text"], source)


def log_message(message: Message, resource: ManagedResource) -> None:
    """Log a message of Puppet in this run."""
    resource.run.log(
        message.level,
        message.text,
        message.source,
        tags=resource.tags,
        file=resource.file,
        line=resource.line,
    )


def related(pairs: Iterable[Sequence[str]]) -> Iterable[Reference]:
    """Return pairs of type and title as references."""
    return [(kind, title) for kind, title in pairs]
