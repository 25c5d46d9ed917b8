"""What is documented: classes, defined types, plans, type aliases, functions, types, providers, tasks."""

from __future__ import annotations

from bunraku.base.lazy_typing import Any
from bunraku.base.records import field, record
from bunraku.base.source import Source
from bunraku.workbench.docs.comments import Comment
from bunraku.workbench.docs.tags import Tag

Defaults = dict[str, str]


@record(eq=False)
class DocumentedParameter:
    """A parameter as the code declares it: name, type, default, line.

    ``default`` is the text that Puppet Strings prints, ``value`` all of it.
    """

    name: str
    type: str | None = None
    default: str | None = None
    line: int = 0
    value: str = ""


@record(eq=False)
class Thing:
    """One documented thing: ``kind`` is the key of its list in the JSON document."""

    kind: str
    name: str
    file: str
    line: int
    comment: Comment
    source: str = ""
    parameters: list[DocumentedParameter] = field(default_factory=list)


@record(eq=False)
class Definition(Thing):
    """A class, a defined type or a plan."""

    parent: str | None = None


@record(eq=False)
class Alias(Thing):
    """A type alias in the Puppet language."""

    alias_of: str = ""


@record(eq=False)
class Function(Thing):
    """A function; ``language`` is ``puppet``, ``ruby3x`` or ``ruby4x``.

    ``signatures`` are those of a function in Ruby. If it has several, they are also its ``overloads``.
    """

    language: str = "puppet"
    return_type: str | None = None
    overloads: list[Overload] = field(default_factory=list)
    signatures: list[Overload] = field(default_factory=list)


@record(eq=False)
class Overload:
    """One way to call a function in Ruby: what a ``dispatch`` declares, with its comment."""

    comment: Comment
    parameters: list[DocumentedParameter] = field(default_factory=list)
    line: int = 0


@record(eq=False)
class Attribute:
    """A property, a parameter or a check of a resource type."""

    name: str
    description: str = ""
    values: list[str] = field(default_factory=list)
    data_type: Any = None
    aliases: dict[str, str] = field(default_factory=dict)
    is_namevar: bool = False
    required_features: str | None = None
    default: Any = None
    line: int = 0


@record(eq=False)
class ResourceType(Thing):
    """A resource type in Ruby; ``features`` are names with descriptions."""

    properties: list[Attribute] = field(default_factory=list)
    attributes: list[Attribute] = field(default_factory=list)
    checks: list[Attribute] = field(default_factory=list)
    features: list[tuple[str, str]] = field(default_factory=list)
    providers: list[Provider] = field(default_factory=list)


@record(eq=False)
class Provider(Thing):
    """A provider of a resource type."""

    type_name: str = ""
    confines: dict[str, str] = field(default_factory=dict)
    features: list[str] = field(default_factory=list)
    defaults: list[list[list[str]]] = field(default_factory=list)
    commands: dict[str, str] = field(default_factory=dict)


@record(eq=False)
class DataType(Thing):
    """A data type in Ruby, with its functions."""

    defaults: dict[str, Any] = field(default_factory=dict)
    functions: list[TypeFunction] = field(default_factory=list)


@record(eq=False)
class TypeFunction:
    """A function of a data type in Ruby."""

    name: str
    signature: str
    comment: Comment


@record(eq=False)
class Task(Thing):
    """A task, from its metadata."""

    supports_noop: Any = False
    input_method: Any = None
    tags: list[Tag] = field(default_factory=list)


PROVIDER = (
    "The specific backend to use for this `{name}` resource. You will seldom need to specify this ---"
    " Puppet will usually discover the appropriate provider for your platform."
)
"""The text for the parameter ``provider``, which Puppet adds to a type with providers."""
KINDS = {
    "puppet_classes": "Classes",
    "data_types": "Data types",
    "data_type_aliases": "Data types",
    "defined_types": "Defined types",
    "resource_types": "Resource types",
    "providers": "Providers",
    "puppet_functions": "Functions",
    "puppet_tasks": "Tasks",
    "puppet_plans": "Plans",
}
"""The lists of the JSON document in their order, with titles for people."""
WORDS = {
    "puppet_classes": "class",
    "data_types": "data type",
    "data_type_aliases": "type alias",
    "defined_types": "defined type",
    "resource_types": "resource type",
    "providers": "provider",
    "puppet_functions": "function",
    "puppet_tasks": "task",
    "puppet_plans": "plan",
}
"""A kind → the word for one of its things."""


@record(eq=False)
class ModuleDocs:
    """All documented things of a module, by kind, in the order in which they were read.

    ``broken`` are the files that could not be read, with the lines (0 where there is no text) and the reasons. ``is_newer`` is whether
    types and defaults are those that Puppet Strings prints since release 3. ``sources`` are the files.
    """

    things: dict[str, list[Any]] = field(default_factory=lambda: {kind: [] for kind in KINDS})
    broken: list[tuple[str, int, str]] = field(default_factory=list)
    is_newer: bool = False
    sources: dict[str, Source] = field(default_factory=dict, shown=False)

    def of_kind(self, kind: str) -> list[Any]:
        """Return the things of a kind, sorted by name."""
        return sorted(self.things[kind], key=lambda thing: thing.name)

    def add(self, thing: Thing) -> None:
        """Add a thing; one that is defined again stands for both."""
        self.things[thing.kind].append(thing)

    def resource_type(self, name: str, file: str, line: int) -> ResourceType:
        """Return the resource type of a name; it is added if it is new."""
        for one in self.things["resource_types"]:
            if one.name == name:
                found: ResourceType = one
                return found
        made = ResourceType("resource_types", name, file, line, Comment())
        self.add(made)
        return made

    def join_providers(self) -> None:
        """Give each resource type its providers; one that has some has the parameter ``provider``, too."""
        for one in self.things["resource_types"]:
            one.providers = [
                each for each in self.things["providers"] if each.type_name == one.name
            ]
            if one.providers and all(each.name != "provider" for each in one.attributes):
                text = PROVIDER.format(name=one.name)
                one.attributes.append(Attribute("provider", text))
