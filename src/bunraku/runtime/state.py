"""The state of a compile: its scopes, and the data that all code in it shares."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import FrameType
from typing import Any, Protocol, TypeVar

from bunraku.base.metaparameters import METAPARAMETER_NAMES
from bunraku.base.records import record
from bunraku.base.source import Source
from bunraku.catalog.compiled import Kind
from bunraku.catalog.schema.model import ResourceTypeSchema
from bunraku.catalog.schema.titles import PLAIN, index_key, read_title, uniqueness_key
from bunraku.runtime import issues
from bunraku.runtime.callables import Closure
from bunraku.runtime.definitions import Definition, Definitions, Template, declared_at
from bunraku.runtime.log import LogEntry, Messages
from bunraku.runtime.markers import MISSING
from bunraku.runtime.python_frames import Instruction
from bunraku.runtime.references import SCALARS, declared, flat
from bunraku.runtime.reserved_variables import NEVER_UNKNOWN, RESERVED, RESERVED_WHEN_ASKED
from bunraku.runtime.resource_types import ResourceTypes
from bunraku.runtime.rules import DEFAULTS, RuntimeRules
from bunraku.runtime.suggest import function_hint, variable_hint
from bunraku.runtime.type_aliases import TypesOfModules
from bunraku.syntax.parser.result import ParseResult
from bunraku.types.model import (
    ClassType,
    ResourceType,
)
from bunraku.types.ruby_semantics.values import inspect, to_s
from bunraku.types.text.display import capitalize
from bunraku.types.value_text import to_text
from bunraku.world.protocol import World
from bunraku.world.recording import Reading

Value = Any
Parse = Callable[[Source], ParseResult]
"""Parses a source in the dialect that it was compiled in."""
T = TypeVar("T")
Captures = tuple[str | None, ...] | None


class Function(Protocol):
    """Anything callable by name from Puppet code."""

    name: str

    def call(self, scope: Scope, arguments: Sequence[Value], block: Closure | None = None) -> Value:
        """Check the arguments and run."""


Lines = tuple[tuple[str, int], ...] | None
"""Lines of relationship attributes; ``*`` means all attributes of a splat."""
UNPLACED: Lines = ()
"""The lines of attributes that come from a function: Puppet knows no place of theirs."""


class DeclaredResource:
    """One resource while the catalog is compiled: its attributes, and where it was declared.

    ``type`` is the capitalised name (``File``, ``Apache::Vhost``, ``Class``); a class's title is
    its capitalised name too; ``reference`` is ``File[/a]``, as catalogs write it. ``scope`` is the
    scope it was declared in, ``definition`` the class or defined type behind it; ``title_value`` is
    the value of ``$title`` in its code, ``title_data`` the title in the catalog if that is
    no text (Puppet 3), ``title_gives`` the namevars in the title, once they were requested.
    ``schema`` is the type that is not written in Puppet (None for others).
    """

    __slots__ = (
        "definition",
        "evaluated",
        "exported",
        "file",
        "imported",
        "kind",
        "line",
        "lines",
        "parameters",
        "places",
        "reference",
        "schema",
        "scope",
        "sensitive",
        "tags",
        "title",
        "title_data",
        "title_gives",
        "title_value",
        "type",
        "virtual",
    )

    def __init__(
        self,
        type_: str,
        title: str,
        scope: Scope,
        definition: Definition | None = None,
        kind: Kind = "compilable_type",
        file: str | None = None,
        line: int | None = None,
    ) -> None:
        self.type = type_
        self.title = title
        self.reference = f"{type_}[{title}]"
        self.title_value: Value = title
        self.title_data: Value = None
        self.title_gives: Mapping[str, str | None] | None = None
        self.scope = scope
        self.definition = definition
        self.kind = kind
        self.file = file
        self.line = line
        self.virtual = False
        self.exported = False
        self.parameters: dict[str, Value] = {}
        self.places: dict[str, tuple[Value, str | None, int | None]] | None = None
        self.lines: Lines = None
        self.tags: dict[str, None] = {}  # a set that keeps its order
        self.sensitive: tuple[str, ...] = ()
        self.evaluated = False
        self.schema: ResourceTypeSchema | None = None
        self.imported: str | None = None  # the node that exports it, if another

    def place_of(self, attribute: str) -> tuple[str | None, int | None]:
        """File and line where a relationship attribute was set, as far as known."""
        if self.places and attribute in self.places:
            _, file, line = self.places[attribute]
            return file, line
        lines = dict(self.lines or ())
        return self.file, lines.get(attribute, lines.get("*", self.line))

    def log_reference(self) -> str:
        """Return the name of the place in logs: the reference; the main class in lower case."""
        return self.reference

    def __repr__(self) -> str:
        return self.reference


class Scope(dict[str, Value]):
    """Variables by ``$name``; others are searched in the outer scopes.

    ``outer`` is where an unknown variable is looked up: the inherited class, else the node or top
    scope. ``caller`` is the scope that declared the running definition; resource defaults follow
    it. ``compilation`` is the state that all scopes of a compile share. A *view* only adds fast
    locals to its caller's scope.
    """

    __slots__ = (
        "awaited",
        "caller",
        "captures",
        "compilation",
        "defaults",
        "definition",
        "delayed",
        "filling",
        "given",
        "is_view",
        "module_name",
        "outer",
        "resource",
        "statics",
    )

    def __init__(
        self,
        compilation: Compilation,
        outer: Scope | None,
        caller: Scope | None = None,
        resource: DeclaredResource | None = None,
        definition: Definition | None = None,
    ) -> None:
        self.compilation = compilation
        self.statics = compilation.statics
        self.outer = outer
        self.caller = caller
        self.resource: Any = resource if resource is not None or caller is None else caller.resource
        self.definition = definition
        self.module_name: str = definition.module_name if definition is not None else ""
        # A node's captures are seen by the classes and defines it declares.
        self.captures: Captures = outer.captures if outer is not None else None
        self.is_view = False
        self.awaited: frozenset[str] | None = None
        self.filling: str  # the parameter whose default is being computed
        self.given: Mapping[str, Value]  # the values of parameters that are not set yet
        self.delayed: dict[str, tuple[int, Reading]]  # variables with values from the time
        self.defaults: dict[str, dict[str, Any]] | None = None

    def __bool__(self) -> bool:
        return True

    def __missing__(self, key: str) -> Value:
        scope: Scope | None = self
        while scope is not None:
            if key in scope:
                return scope[key]
            if scope.awaited and key in scope.awaited:
                return scope.given_early(key)
            scope = scope.outer
        return self.compilation.unknown_variable(key[1:])

    def given_early(self, key: str) -> Value:
        """Return the value for a parameter whose turn has not come; raise an error without one."""
        if key[1:] not in self.given:
            raise issues.PARAMETER_NOT_EVALUATED(name=key[1:])
        value = self.given[key[1:]]
        return value if value.__class__ in SCALARS else declared(value)

    def __setitem__(self, key: str, value: Value) -> None:
        if key in RESERVED and key in self.compilation.reserved:
            raise issues.ILLEGAL_RESERVED_ASSIGNMENT(name=key[1:])
        if key in self:
            built_in = key in ("$name", "$title")
            issue = issues.BUILT_IN_REASSIGNMENT if built_in else issues.ILLEGAL_REASSIGNMENT
            raise issue(name=key[1:])
        dict.__setitem__(self, key, value)

    def set(self, name: str, value: Value) -> None:
        """Give a variable its value, whether it has one or not: for the compiler's own use."""
        dict.__setitem__(self, f"${name}", value)

    def find(self, key: str) -> Value:
        """Return a variable by ``$name`` from here outward, or MISSING."""
        scope: Scope | None = self
        while scope is not None:
            if key in scope:
                return scope[key]
            scope = scope.outer
        return MISSING

    def lookup(self, name: str, default: Value = MISSING) -> Value:
        """Return a variable by its name without ``$``; ``a::b`` and ``::b`` too; else the default."""
        if "::" in name:
            found = self.compilation.find_qualified(name, self)
        elif self.awaits(f"${name}"):
            found = self[f"${name}"]
        else:
            found = self.find(f"${name}")
        return default if found is MISSING else found

    def exists(self, name: str) -> bool:
        """Return whether a variable has a value, perhaps undef; those of modules always have."""
        return (
            name.removeprefix("::") in NEVER_UNKNOWN
            or self.awaits(f"${name}")
            or self.lookup(name) is not MISSING
        )

    def awaits(self, key: str) -> bool:
        """Return whether a variable is a parameter that is not set yet, here or outward."""
        scope: Scope | None = self
        while scope is not None:
            if scope.awaited and key in scope.awaited:
                return True
            scope = scope.outer
        return False

    def global_scope(self) -> Scope:
        """Return the scope of the node or top scope, whichever is nearer.

        A class or defined type reads variables there that it lacks, and an EPP file reads all.
        """
        scope, top = self, self.compilation.top_scope
        while scope is not top and (scope.is_view or scope.resource.type != "Node"):
            assert scope.outer is not None  # all scopes are inside of top scope
            scope = scope.outer
        return scope

    def visible_names(self) -> dict[str, Value]:
        """Return all variables that code here can read by a simple name, the outermost first."""
        names = {} if self.outer is None else self.outer.visible_names()
        names.update((key[1:], value) for key, value in self.items())
        return names

    def without_captures(self) -> Scope:
        """Return a view of this scope for a function, without its match variables."""
        view = Scope(self.compilation, self, self, self.resource, self.definition)
        view.is_view = True
        view.captures = None
        return view

    def title_text(self) -> str:
        """Return the name of the place in log messages: ``Class[main]``, ``Foo::Bar[title]``."""
        resource = self.resource
        return "" if resource is None else resource.log_reference()

    def find_defaults(self, type_name: str) -> dict[str, Any]:
        """Return the resource defaults in force: the outermost declarer's first, own ones last."""
        chain = []
        scope: Scope | None = self
        while scope is not None:
            if scope.defaults and type_name in scope.defaults:
                chain.append(scope.defaults[type_name])
                if scope.defaults.__class__ is not dict:
                    break  # computed by Ruby code, from those of the declarers
            scope = scope.caller
        found: dict[str, Any] = {}
        for values in reversed(chain):
            found.update(values)
        return found


def current_scope() -> Scope | None:
    """Return the scope of the innermost Puppet code that has a scope."""
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001, the only way to the caller
    while frame is not None:
        if frame.f_globals.get("__puppet__") is not None:
            scope = frame.f_locals.get("scope")
            if isinstance(scope, Scope):
                return scope
        frame = frame.f_back
    return None


class Functions(dict[str, Function | None]):
    """The functions of a compile by name; None for unknown ones. Reading a name loads the function."""

    def __init__(self, load: Callable[[str], Function | None]) -> None:
        self.load = load

    def __missing__(self, name: str) -> Function | None:
        plain = name.removeprefix("::")
        found = self[name] = self.get(plain) or self.load(plain)
        return found


@record(frozen=True)
class GenerationLimits:
    """Limits for resources that defined types and collectors generate, which may never end.

    A *round* runs all collectors, then all defined types that were declared.
    """

    resources: int = 500_000  # ten times the largest catalogs there are
    rounds: int = 1000  # as in Puppet


GENERATION_LIMITS = GenerationLimits()


class UnfinishedCatalog:
    """The catalog while it is compiled: resources, containment, and names of resources.

    ``index`` finds resources by type, and title, alias or unique key; ``pending`` are instances of
    defined types that were not evaluated yet.
    """

    def __init__(self, resource_types: ResourceTypes) -> None:
        self.resource_types = resource_types
        self.version: int | str = 0
        self.resources: list[DeclaredResource] = []
        self.index: dict[tuple[str, Any], DeclaredResource] = {}
        self.pending: list[DeclaredResource] = []
        self.edges: list[tuple[str, str]] = []
        self.edge_set: set[tuple[str, str]] = set()
        self.classes: list[str] = []
        self.tags: list[str] = []

    def find(self, type_: str, title: str) -> DeclaredResource | None:
        """Return the declared resource of a type (in any case) and a title, alias or unique key."""
        if type_.lower() == "class":
            name = title.removeprefix("::").lower()
            return self.index.get(("Class", capitalize(name)))
        return self.at((capitalize(type_.lower()), title))

    def at(self, key: tuple[str, str]) -> DeclaredResource | None:
        """Return the resource of a type and title, or one whose namevars match the title.

        So ``File['/a/']`` finds ``File['/a']``, and ``Package['b']`` a package named b.
        """
        found = self.index.get(key)
        if found is not None or key[0] == "Class":
            return found
        name = key[0].lower()
        schema = self.resource_types[name]
        if schema is None:
            return None
        unique = uniqueness_key(schema, key[1], {})
        if unique is None:
            return None
        return self.index.get((key[0], index_key(unique)))

    def find_reference(self, reference: ResourceType | ClassType) -> DeclaredResource | None:
        """Return the resource that a reference means."""
        if isinstance(reference, ClassType):
            return self.find("class", reference.name or "")
        return self.find(reference.type_name or "", reference.title or "")

    def parameter(self, resource: DeclaredResource, name: str) -> Value:
        """Return a parameter of a resource for code; MISSING when the parameter does not exist."""
        if name in resource.parameters:
            return resource.title if name == "title" else resource.parameters[name]
        if resource.kind == "compilable_type":
            defaults = resource.scope.find_defaults(resource.type)
            if name in defaults:
                return defaults[name]
        if self.has_attribute(resource, name):
            return resource.title if name == "title" else None
        return MISSING

    def note_aliases(self, resource: DeclaredResource) -> None:
        """Let a resource be found by its ``alias`` and by its namevar, where that is not the title."""
        parameters = resource.parameters
        if "alias" in parameters:
            for alias in flat(parameters["alias"]):
                if alias is not None:
                    self.add_alias(resource, [alias], alias)
        schema = resource.schema
        if schema is None:
            if resource.definition is not None and "name" in parameters:
                self.add_name(resource, parameters["name"])
            return
        if not schema.isomorphic:
            return
        given = resource.title_gives = read_title(schema, resource.title)
        if given is PLAIN and schema.namevars[0] not in parameters:
            return
        key = uniqueness_key(schema, resource.title, parameters, given)
        if key is not None:
            self.add_alias(resource, key, key)

    def add_name(self, resource: DeclaredResource, name: Value) -> None:
        """Let an instance of a defined type be found by its ``name``."""
        if name is not None and name is not False and name != resource.title:
            self.add_alias(resource, [name], [name])

    def add_alias(self, resource: DeclaredResource, names: list[Value], shown: Value) -> None:
        """Add an alias or a unique key of a resource; ``shown`` is it as Puppet shows it."""
        key = index_key(names)
        known = self.index.get((resource.type, key))
        if known is resource:
            return
        if known is not None:
            raise issues.ALIAS_TAKEN(
                reference=resource.reference,
                alias=", ".join(to_s(item) for item in flat(names) if item is not None),
                other=known.reference,
                place=declared_at(known.file, known.line),
                key=inspect(shown),
                entry=inspect([resource.type, *flat(names)]),
                there=declared_at(known.file, known.line).removeprefix(" at"),
            )
        self.index[resource.type, key] = resource

    def has_attribute(self, resource: DeclaredResource, name: str) -> bool:
        """Return whether a resource of this type can have a parameter of this name."""
        if resource.definition is not None:
            return name in resource.definition.parameter_names or name in METAPARAMETER_NAMES
        schema = self.resource_types[resource.type.lower()]
        return schema is None or schema.has_attribute(name)


class Loader(Protocol):
    """The environment as seen by one compile: manifests, modules, data, built-in functions.

    ``bunraku.engine.loader`` implements it.
    """

    def load_main(self) -> list[Callable[[Scope], Value]]:
        """Register the definitions of the main manifests; return their code in the order it runs."""

    def load_definitions(self, name: str) -> None:
        """Read the files that may define a class or defined type, and register their definitions."""

    def load_function(self, name: str) -> Function | None:
        """Return a built-in or autoloaded function."""

    def old_function(self, name: str) -> Function | None:
        """Return what ``scope.function_x`` calls: a function that has the form of Puppet 3."""

    def define_old_function(self, name: str, path: str) -> None:
        """Let a function exist that Ruby code in a file has defined with ``newfunction``."""

    def load_type(self, name: str) -> None:
        """Read the file that may define a type alias; the name is in small letters."""

    def resource_type(self, name: str) -> ResourceTypeSchema | None:
        """Return the schema of a resource type that is not written in Puppet."""

    def lookup_parameters(
        self, scope: Scope, class_name: str, names: Sequence[str]
    ) -> dict[str, Value]:
        """Automatic parameter lookup: the values that data has for a class's parameters."""

    def data_origin(self, scope: Scope, class_name: str, names: Sequence[str]) -> str | None:
        """Return the places of the data that automatic lookup gave parameters of the scope's class."""

    def lookup_context(self, scope: Scope, module_name: str | None) -> Value:
        """Return a new context for functions of Hiera, which belongs to no lookup."""

    def template(self, name: str) -> Template:
        """Return the EPP template of a name (``module/file.epp``)."""

    def template_of_text(self, text: str) -> Template:
        """Return a template given as text."""

    def parse(self, source: Source) -> ParseResult:
        """Parse a source again, in the dialect that it was compiled in."""

    @property
    def sources(self) -> Mapping[str, Source]:
        """The sources of compiled code, by the file name in its code objects."""

    @property
    def loaded(self) -> Sequence[tuple[Any, ...]]:
        """The definitions of all code that was loaded; the list grows."""

    def known_names(self, kind: str, name: str) -> Iterable[str]:
        """Return candidates of a kind for a mistyped name: see ``modules.known_names``."""

    def module_hint(self, name: str) -> str | None:
        """Return which module has a resource type that bunraku manages; None for other types."""

    def search_report(self, kind: str, name: str) -> str | None:
        """Return where a class, defined type, type alias, template or file was searched."""

    def fact_hint(self, name: str, *, has_facts: bool) -> str | None:
        """Return what helps to read a fact, if this is the name of one."""


def no_exports(_type: str, _query: Any) -> Sequence[Mapping[str, Any]]:
    """Return no resources: no other node is known."""
    return ()


class Compilation:
    """The state of a compile, passed along, never looked up."""

    def __init__(
        self,
        node_name: str,
        *,
        world: World,
        loader: Callable[[Compilation], Loader],
        environment: Any,
        settings: Mapping[str, Value],
        facts: Mapping[str, Value],
        trusted: Mapping[str, Value],
        log: Callable[[LogEntry], None],
        rules: RuntimeRules = DEFAULTS,
    ) -> None:
        self.node_name = node_name
        self.world = world
        self.environment = environment
        self.settings = settings
        self.facts = facts
        self.trusted = trusted
        self.rules = rules
        self.limits = GENERATION_LIMITS
        self.site: Any = None  # answers puppetdb_query, see bunraku.puppetdb.site.data.SiteData
        self.exported: Callable[[str, Any], Sequence[Mapping[str, Any]]] = no_exports
        """Returns the resources of a type that other nodes export, for the query of a collector."""
        self.watch_template: Callable[[Scope, str | None, str], None] | None = None
        """Called with each ERB template that is rendered: its scope, file and text."""
        self.watch_unknown_variable: Callable[[str], None] | None = None
        """Called with the name of each variable that is read and not set."""
        self.statics: dict[str | tuple[str, ...], Value] = {}
        self.extensions: dict[Callable[[Compilation], Any], Any] = {}
        self.node_classes: Mapping[str, Mapping[str, Value]] = {}
        self.class_scopes: dict[str, Scope] = {}
        self.included_at: dict[str, Instruction | None] = {}
        """Class → the code that included it first; none for those declared with parameters."""
        self.tagged: list[DeclaredResource] = []
        """The resources that got tags after their title's, once for each time, for indexes of tags."""
        self.late_tags = False  # whether containers may have got tags after their content
        self.strict: str = settings.get("strict", "error")
        self.strict_variables: bool = settings.get("strict_variables", True)
        self.reserved: frozenset[str] = RESERVED
        if rules.node_data_when_asked:
            asked = settings.get("trusted_node_data")
            self.reserved = RESERVED_WHEN_ASKED if asked else frozenset()
        self.top_scope = self.new_top_scope()
        self.loader = loader(self)
        self.messages = Messages(log, self.loader.sources, self.strict)
        self.definitions = Definitions(rules, self.loader.load_definitions)
        self.functions = Functions(self.loader.load_function)
        self.resource_types = ResourceTypes(self.loader.resource_type)
        self.catalog = UnfinishedCatalog(self.resource_types)
        self.types = TypesOfModules(
            self.definitions, self.resource_types, self.loader.load_type, self.top_scope
        )
        self.node_scope: Scope | None = None

    def new_top_scope(self) -> Scope:
        """Return a top scope without variables."""
        return Scope(self, None)

    def close(self) -> None:
        """Release everything, once the catalog is made.

        Scopes, resources and the compilation refer to each other. Without these cycles, reference
        counts free them at once; otherwise they stay in memory until the garbage collector runs.
        """
        for resource in self.catalog.resources:
            del resource.scope
            resource.places = None
        vars(self).clear()

    def extension(self, make: Callable[[Compilation], T]) -> T:
        """Return an object that other code keeps for this compile; ``make`` is called once."""
        found: T
        if make in self.extensions:
            found = self.extensions[make]
        else:
            found = self.extensions[make] = make(self)
        return found

    def known_extension(self, make: Callable[[Compilation], T]) -> T | None:
        """Return the same if it was made before."""
        found: T | None = self.extensions.get(make)
        return found

    # -- definitions -----------------------------------------------------------------------------

    def call_function(
        self,
        scope: Scope,
        name: str,
        arguments: Sequence[Value],
        block: Closure | None = None,
    ) -> Value:
        """Call a function by name."""
        function = self.functions[name]
        if function is None:
            raise issues.UNKNOWN_CALLED_FUNCTION(name=name).hinted(function_hint(self, name))
        return function.call(scope, arguments, block)

    # -- variables -------------------------------------------------------------------------------

    def find_qualified(self, name: str, scope: Scope | None = None) -> Value:
        """Return a variable by qualified name, or MISSING."""
        if self.rules.find_qualified is not None:
            return self.rules.find_qualified(scope or self.top_scope, name)
        plain = name.removeprefix("::")
        namespace, _, variable = plain.rpartition("::")
        if not namespace:
            return self.top_scope.find(f"${plain}")
        scope = self.class_scopes.get(namespace)
        key = f"${variable}"
        while scope is not None and scope.definition is not None:
            if key in scope or (scope.awaited and key in scope.awaited):
                return scope[key]
            parent = scope.definition.parent
            scope = self.class_scopes.get(parent) if parent else None
        if namespace == "settings":
            return self.find_setting(variable)
        # A fact may have this name.
        return self.top_scope.get(f"${plain}", MISSING)

    def find_setting(self, name: str) -> Value:
        """Return the value of ``$settings::name``, or MISSING; ``all_local`` is a hash of all."""
        return dict(self.settings) if name == "all_local" else self.settings.get(name, MISSING)

    def unknown_variable(self, name: str, scope: Scope | None = None) -> Value:
        """Report an error or warning, as ``strict_variables`` and ``strict`` require; return undef."""
        if self.watch_unknown_variable is not None:
            self.watch_unknown_variable(name)
        if name.isdigit() or name in NEVER_UNKNOWN:
            return None
        if self.strict_variables or self.strict == "error":
            raise issues.UNKNOWN_VARIABLE(name=name).hinted(
                variable_hint(self, name, scope or current_scope())
            )
        if self.strict != "off":
            self.messages.warn(issues.UNKNOWN_VARIABLE.code, f"Unknown variable: '{name}'.")
        return None

    # -- messages --------------------------------------------------------------------------------

    def message_text(self, values: Sequence[Value]) -> str:
        """Return values as one message, joined by blanks."""
        return " ".join(map(to_text, values))
