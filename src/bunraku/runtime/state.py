"""The state of a compile: its scopes, and what all code in it shares."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import FrameType
from typing import Any, Protocol, TypeVar

from bunraku.base.errors import Declaration, PuppetError
from bunraku.base.source import NOWHERE, Place, Source
from bunraku.catalog.model import Catalog, Resource
from bunraku.catalog.schema.model import ResourceTypeSchema
from bunraku.catalog.schema.titles import PLAIN, index_key, key_text, read_title, uniqueness_key
from bunraku.runtime import issues
from bunraku.runtime.callables import Closure
from bunraku.runtime.definitions import Definition, Template
from bunraku.runtime.error_places import attribute_span, in_puppet_code, locate, refine
from bunraku.runtime.log import LogEntry
from bunraku.runtime.markers import MISSING
from bunraku.runtime.python_frames import Instruction, current_span, instruction_span
from bunraku.runtime.references import capitalize_name
from bunraku.runtime.reserved_variables import NEVER_UNKNOWN, RESERVED
from bunraku.runtime.rules import DEFAULTS, RuntimeRules
from bunraku.runtime.suggest import function_hint, variable_hint
from bunraku.syntax.parser.parser import ParseResult
from bunraku.types.base import TypeAliasType, resolved
from bunraku.types.model import (
    OBJECT,
    UNDEF,
    ClassType,
    NotUndefType,
    OptionalType,
    ResourceType,
    Type,
    TypeReferenceType,
    VariantType,
)
from bunraku.types.names import builtin_type
from bunraku.types.objects import ObjectType, TypeSetType
from bunraku.types.parameters.parameters import access_type
from bunraku.types.text.display import RUNTIME_AUTHORITY
from bunraku.types.text.text import to_text
from bunraku.values.keys import as_key
from bunraku.world.protocol import World

Value = Any
T = TypeVar("T")
Captures = tuple[str | None, ...] | None


class Function(Protocol):
    """Anything callable by name from Puppet code."""

    name: str

    def call(self, scope: Scope, arguments: Sequence[Value], block: Closure | None = None) -> Value:
        """Check the arguments and run."""


class Scope(dict[str, Value]):
    """Variables by ``$name``; what is not here is looked for outside.

    ``outer`` is where an unknown variable is looked up: the inherited class, else the node or top
    scope. ``caller`` is the scope that declared what runs here; resource defaults follow it.
    ``compilation`` is what all scopes of a compile share.
    A *view* only adds fast locals to its caller's scope.
    """

    __slots__ = (
        "awaited",
        "caller",
        "captures",
        "compilation",
        "defaults",
        "definition",
        "filling",
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
        resource: Resource | None = None,
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
        self.filling: str  # the parameter whose default is being worked out
        self.defaults: dict[str, dict[str, Any]] | None = None

    def __bool__(self) -> bool:
        return True

    def __missing__(self, key: str) -> Value:
        if self.awaited and key in self.awaited:
            raise issues.PARAMETER_NOT_EVALUATED(name=key[1:])
        scope = self.outer
        while scope is not None:
            if dict.__contains__(scope, key):
                return dict.__getitem__(scope, key)
            scope = scope.outer
        return self.compilation.unknown_variable(key[1:])

    def __setitem__(self, key: str, value: Value) -> None:
        if key in RESERVED and key in self.compilation.reserved:
            raise issues.ILLEGAL_RESERVED_ASSIGNMENT(name=key[1:])
        if key in self:
            raise issues.ILLEGAL_REASSIGNMENT(name=key[1:])
        dict.__setitem__(self, key, value)

    def set(self, name: str, value: Value) -> None:
        """Give a variable its value, whether it has one or not: for the compiler's own use."""
        dict.__setitem__(self, f"${name}", value)

    def find(self, key: str) -> Value:
        """A variable by ``$name`` from here outward, or MISSING."""
        scope: Scope | None = self
        while scope is not None:
            if dict.__contains__(scope, key):
                return dict.__getitem__(scope, key)
            scope = scope.outer
        return MISSING

    def lookup(self, name: str, default: Value = MISSING) -> Value:
        """A variable by its name without ``$``; ``a::b`` and ``::b`` too; else the default."""
        if "::" in name:
            found = self.compilation.find_qualified(name, self)
        else:
            found = self.find(f"${name}")
        return default if found is MISSING else found

    def visible_names(self) -> dict[str, Value]:
        """All variables that code here can read by a simple name, the nearest first."""
        names: dict[str, Value] = {}
        scope: Scope | None = self
        while scope is not None:
            for key, value in scope.items():
                names.setdefault(key[1:], value)
            scope = scope.outer
        return names

    def without_captures(self) -> Scope:
        """Return a view of this scope for a function, which does not see the match variables here."""
        view = Scope(self.compilation, self, self, self.resource, self.definition)
        view.is_view = True
        view.captures = None
        return view

    def title_text(self) -> str:
        """What log messages call the place: ``Class[main]``, ``Foo::Bar[title]``."""
        resource = self.resource
        return "" if resource is None else resource.log_reference()

    def find_defaults(self, type_name: str) -> dict[str, Any]:
        """The resource defaults in force here: the outermost declarer's first, own ones last."""
        chain = []
        scope: Scope | None = self
        while scope is not None:
            if scope.defaults and type_name in scope.defaults:
                chain.append(scope.defaults[type_name])
            scope = scope.caller
        found: dict[str, Any] = {}
        for values in reversed(chain):
            found.update(values)
        return found


def current_scope() -> Scope | None:
    """The scope of the innermost Puppet code that has one at hand."""
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001, the only way to the caller
    while frame is not None:
        if frame.f_globals.get("__puppet__") is not None:
            scope = frame.f_locals.get("scope")
            if isinstance(scope, Scope):
                return scope
        frame = frame.f_back
    return None


class Loader(Protocol):
    """What one compile needs of its environment: manifests, modules, data, built-in functions.

    ``bunraku.engine.loader`` implements it.
    """

    def load_main(self) -> list[Callable[[Scope], Value]]:
        """Register what the main manifests define; return their code in the order it runs."""

    def load_definitions(self, name: str) -> None:
        """Read the files that may define a class or defined type, and register what they hold."""

    def load_function(self, name: str) -> Function | None:
        """A built-in or autoloaded function."""

    def load_type(self, name: str) -> None:
        """Read the file that may define a type alias; the name is in small letters."""

    def resource_type(self, name: str) -> ResourceTypeSchema | None:
        """The schema of a resource type that is not written in Puppet."""

    def lookup_parameters(
        self, scope: Scope, class_name: str, names: Sequence[str]
    ) -> dict[str, Value]:
        """Automatic parameter lookup: the values that data has for a class's parameters."""

    def data_origin(self, scope: Scope, class_name: str, names: Sequence[str]) -> str | None:
        """Return the places of the data that automatic lookup gave parameters of the scope's class."""

    def lookup_context(self, scope: Scope, module_name: str | None) -> Value:
        """A new context for functions of Hiera, which belongs to no lookup."""

    def template(self, name: str) -> Template:
        """The EPP template of a name (``module/file.epp``)."""

    def template_of_text(self, text: str) -> Template:
        """A template given as text."""

    def parse(self, source: Source) -> ParseResult:
        """Parse a source again, in the dialect that it was compiled in."""

    @property
    def sources(self) -> Mapping[str, Source]:
        """The sources of compiled code, by the file name in its code objects."""

    def known_names(self, kind: str, name: str) -> Iterable[str]:
        """Return names of a kind that a mistyped one may stand for: see ``modules.known_names``."""

    def search_report(self, kind: str, name: str) -> str | None:
        """Return where a class, defined type, type alias, template or file was searched."""


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
        self.loader = loader(self)
        self.environment = environment
        self.settings = settings
        self.facts = facts
        self.trusted = trusted
        self.write_log = log
        self.rules = rules
        self.stored: Any = None  # answers puppetdb_query, see bunraku.stored.store.Store
        self.exported: Mapping[str, list[dict[str, Any]]] = {}  # by type, of other nodes
        self.watch_template: Callable[[Scope, str | None, str], None] | None = None
        """Called with each ERB template that is rendered: its scope, file and text."""
        self.watch_unknown_variable: Callable[[str], None] | None = None
        """Called with the name of each variable that is read and not set."""
        self.statics: dict[str, Value] = {}
        self.extensions: dict[Callable[[Compilation], Any], Any] = {}
        self.node_classes: Mapping[str, Mapping[str, Value]] = {}
        self.definitions: dict[str, Definition] = {}
        self.nodes: list[Definition] = []
        self.node_index: dict[str, Definition] = {}
        self.sound_classes: set[str] = set()
        self.functions: dict[str, Function | None] = {}
        self.alias_bodies: dict[str, Callable[[Scope], Value]] = {}
        self.types: dict[str, Type | None] = {}
        self.schemas: dict[str, ResourceTypeSchema | None] = {}
        self.plans: dict[str, Any] = {}  # see bunraku.runtime.plans.TypePlan
        self.default_types: set[str] = set()  # what there are resource defaults for
        self.searched: set[str] = set()
        self.loaded_files: set[str] = set()
        self.class_scopes: dict[str, Scope] = {}
        self.catalog = Catalog(node_name, getattr(environment, "name", "production"))
        self.index: dict[tuple[str, Any], Resource] = {}
        self.edge_set: set[tuple[str, str]] = set()
        self.pending: list[Resource] = []
        self.collectors: list[Any] = []
        self.tag_changes = 0
        self.late_tags = False  # whether containers may have got tags after what they contain
        self.relationships: list[Any] = []
        self.overrides: dict[tuple[str, str], list[Any]] = {}
        self.strict: str = settings.get("strict", "error")
        self.strict_variables: bool = settings.get("strict_variables", True)
        asked = not rules.node_data_when_asked or settings.get("trusted_node_data")
        self.reserved: frozenset[str] = RESERVED if asked else frozenset()
        self.top_scope = Scope(self, None)
        self.node_scope: Scope | None = None

    def close(self) -> None:
        """Let go of everything, once the catalog is made; the catalog forgets its scopes.

        Scopes, resources and the compilation know each other. Where they part, reference counts
        free them; else they would lie about until Python's collector of cycles comes round.
        """
        for resource in (*self.catalog.resources, *self.catalog.virtual):
            resource.scope = None
            resource.places = None
        vars(self).clear()

    def extension(self, make: Callable[[Compilation], T]) -> T:
        """Return what another part of the program keeps for this compile; ``make`` is called once."""
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

    def add_definition(self, definition: Definition) -> None:
        """Register a class, a defined type or a node definition."""
        if definition.kind == "node":
            self.add_node(definition)
            return
        if definition.types is not None:
            definition.types(self.top_scope)
        known = self.definitions.get(definition.name)
        if (
            self.rules.classes_merge
            and known is not None
            and known.kind == definition.kind == "class"
        ):
            known.extend(definition)
            return
        self.check_new(definition)
        self.definitions[definition.name] = definition

    def add_node(self, definition: Definition) -> None:
        """Register a node definition; each of its names must be new."""
        for kind, text in definition.matches:
            name = self.rules.node_name(kind, text)
            known = self.node_index.get(name) or self.class_named(name)
            if known is not None:
                raise already_defined(known, name, definition)
            self.node_index[name] = definition
        self.nodes.append(definition)

    def class_named(self, name: str) -> Definition | None:
        """Return the class that keeps a node from having its name."""
        known = self.definitions.get(name)
        clashes = known is not None and known.kind == "class" and not self.rules.classes_merge
        return known if clashes else None

    def check_new(self, definition: Definition) -> None:
        """Refuse a second definition of a name."""
        known = self.definitions.get(definition.name)
        if definition.kind == "class" and not self.rules.classes_merge:
            known = self.node_index.get(definition.name) or known
        if known is not None:
            raise already_defined(known, definition.name, definition)

    def register_alias(self, name: str, body: Callable[[Scope], Value]) -> None:
        """A type alias; its right side is worked out when first asked for, it may name itself."""
        key = name.lower().removeprefix("::")
        self.types[key] = TypeAliasType(name.removeprefix("::"))
        self.alias_bodies[key] = body

    def resolve_alias(self, key: str, alias: TypeAliasType) -> None:
        """Work out the right side of an alias; a mention of it in there is already it."""
        body = self.alias_bodies.pop(key, None)
        if body is None:
            return
        found = body(self.top_scope)
        if isinstance(found, dict):
            found = access_type(OBJECT, [found], self)
        known = self.is_known(found)
        if isinstance(found, TypeSetType) and not known:
            self.name_members(found, alias.name)
            self.check_references(found, alias.name)
        if isinstance(found, ObjectType | TypeSetType) and not known:
            # ``type P = Object[{…}]`` gives the object type its name, it is no alias of it.
            found.name = alias.name
            self.types[key] = found
        if not isinstance(found, Type):
            raise issues.ALIAS_NOT_A_TYPE(name=alias.name)
        if isinstance(found, ObjectType) and isinstance(found.parent, TypeReferenceType):
            raise issues.UNKNOWN_PARENT(name=alias.name, parent=found.parent.text)
        if isinstance(found, ObjectType) and is_ancestor(found, alias):
            raise issues.OBJECT_OF_ITSELF(name=alias.name)
        alias.definition = without(found, alias)
        if alias.definition is None:
            raise issues.ALIAS_OF_ITSELF(name=alias.name)

    def is_known(self, type_: Value) -> bool:
        """Whether an Object type or TypeSet goes by its own name already."""
        name = getattr(type_, "name", None)
        if not name:
            return False
        return builtin_type(name) is type_ or self.types.get(name.lower()) is type_

    def name_members(self, type_set: TypeSetType, name: str) -> None:
        """Give a TypeSet its name, and its Object types theirs below it."""
        type_set.name = name
        type_set.name_authority = RUNTIME_AUTHORITY
        for key, member in type_set.types.items():
            if isinstance(member, ObjectType) and not self.is_known(member):
                member.name = f"{name}::{key}"

    def find_definition(self, name: str, kind: str) -> Definition | None:
        """A class or defined type by name, loaded when needed."""
        name = name.removeprefix("::")
        found = self.definitions.get(name)
        if found is None and name not in self.searched:
            self.searched.add(name)
            self.loader.load_definitions(name)
            found = self.definitions.get(name)
        return found if found is not None and found.kind == kind else None

    def find_function(self, name: str) -> Function | None:
        """A function by name, loaded when needed."""
        try:
            return self.functions[name]
        except KeyError:
            plain = name.removeprefix("::")
            found = self.functions.get(plain) or self.loader.load_function(plain)
            self.functions[name] = found
            return found

    def call_function(
        self,
        scope: Scope,
        name: str,
        arguments: Sequence[Value],
        block: Closure | None = None,
    ) -> Value:
        """Call a function by name."""
        function = self.find_function(name)
        if function is None:
            raise issues.UNKNOWN_FUNCTION(name=name).hinted(function_hint(self, name))
        return function.call(scope, arguments, block)

    def load_type(self, name: str) -> Type | None:
        """A type that is not built in: an alias, a resource type or a defined type."""
        key = name.lower().removeprefix("::")
        if key not in self.types and "::" in key and self.find_definition(key, "define"):
            self.types[key] = ResourceType(key)  # defined types come before aliases
        if key not in self.types:
            self.loader.load_type(key)
        if key not in self.types and "::" in key:
            self.find_in_type_set(key)
        if key not in self.types:
            self.types[key] = ResourceType(key) if self.is_resource_type(key) else None
        found = self.types[key]
        if key in self.alias_bodies and isinstance(found, TypeAliasType):
            if (namespace := key.rpartition("::")[0]) in self.alias_bodies:
                self.load_type(namespace)  # perhaps the TypeSet that it is of, to be checked whole
            self.resolve_alias(key, found)
        return self.types[key]

    def check_references(self, type_set: TypeSetType, name: str) -> None:
        """A TypeSet that refers to others must find them, in a version that it takes."""
        for reference in type_set.references.values():
            other = self.load_type(reference.name)
            if isinstance(other, TypeAliasType) and other.definition is None:
                continue  # two sets that refer to each other
            wanted = reference.version_range
            if not isinstance(other, TypeSetType) or not wanted.includes(other.version):
                raise issues.TYPE_SET_NOT_FOUND(name=name, other=reference.name, range=wanted)
            reference.type_set = other

    def find_in_type_set(self, key: str) -> None:
        """A type that a TypeSet of its namespace holds."""
        namespace, _, name = key.partition("::")
        holder = self.types.get(namespace)
        if namespace in self.alias_bodies:
            holder = self.load_type(namespace)
        member = holder.lookup(name) if isinstance(holder, TypeSetType) else None
        if member is not None:
            self.types[key] = member

    def is_resource_type(self, name: str) -> bool:
        """Whether resources of this type can be declared."""
        if name == "node" or self.schema(name) is not None:
            return True
        return self.find_definition(name, "define") is not None

    def schema(self, name: str) -> ResourceTypeSchema | None:
        """The schema of a resource type that is not written in Puppet."""
        try:
            return self.schemas[name]
        except KeyError:
            found = self.schemas[name] = self.loader.resource_type(name)
            return found

    # -- variables -------------------------------------------------------------------------------

    def find_qualified(self, name: str, scope: Scope | None = None) -> Value:
        """A variable by qualified name, or MISSING."""
        if self.rules.find_qualified is not None:
            return self.rules.find_qualified(scope or self.top_scope, name)
        plain = name.removeprefix("::")
        namespace, _, variable = plain.rpartition("::")
        if not namespace:
            return self.top_scope.find(f"${plain}")
        scope = self.class_scopes.get(namespace)
        key = f"${variable}"
        while scope is not None and scope.definition is not None:
            if dict.__contains__(scope, key):
                return dict.__getitem__(scope, key)
            parent = scope.definition.parent
            scope = self.class_scopes.get(parent) if parent else None
        if namespace == "settings":
            return self.settings.get(variable, MISSING)
        # A fact may have such a name.
        return dict.get(self.top_scope, f"${plain}", MISSING)

    def unknown_variable(self, name: str, scope: Scope | None = None) -> Value:
        """An error or a warning, as ``strict_variables`` and ``strict`` say; the value is undef."""
        if self.watch_unknown_variable is not None:
            self.watch_unknown_variable(name)
        if name.isdigit() or name in NEVER_UNKNOWN:
            return None
        if self.strict_variables or self.strict == "error":
            raise issues.UNKNOWN_VARIABLE(name=name).hinted(
                variable_hint(self, name, scope or current_scope())
            )
        if self.strict != "off":
            self.warn(issues.UNKNOWN_VARIABLE.code, f"Unknown variable: '{name}'.")
        return None

    # -- messages --------------------------------------------------------------------------------

    def log(self, level: str, message: str, scope: Scope | None = None) -> None:
        """A message; with a scope it is one that Puppet code logged itself."""
        self.write_log(LogEntry(level, message, scope.title_text() if scope is not None else None))

    def warn(self, code: str, message: str, level: str = "warning") -> None:
        """A warning about the code that runs now."""
        span = current_span(self.loader.sources)
        entry = LogEntry(level, message, code=code)
        if span is not None:
            entry.line, entry.column = span.position
            entry.file = span.source.path or None
        self.write_log(entry)

    def warn_at(self, code: str, message: str, file: str | None, line: int | None) -> None:
        """A warning about a place that is known."""
        self.write_log(LogEntry("warning", message, None, file or None, line, code=code))

    def current_place(self) -> tuple[str, int]:
        """File and line of the code that runs now."""
        span = current_span(self.loader.sources)
        return ("", 0) if span is None else (span.source.path, span.line)

    def message_text(self, values: Sequence[Value]) -> str:
        """Values as one message: with blanks between them."""
        return " ".join(map(to_text, values))

    def blame(self, error: PuppetError, resource: Resource) -> PuppetError:
        """Note that an error occurred in a resource of a defined type.

        The innermost place stays the place of the error; Puppet reports the declaration instead,
        except in the versions whose rules do not blame it.
        """
        in_code = in_puppet_code(error)
        error = locate(error, self.loader.sources, self.loader.parse)
        error = error.having(declarations=declarations(resource))
        if not self.rules.blames_declaration and in_code:
            return error
        declared = Place.of(resource)
        return error.at(declared) if error.span is None else error.having(reported=declared)

    def place_at(self, error: PuppetError, instruction: Instruction | None) -> PuppetError:
        """Give an error the place of an instruction that ran earlier; Puppet reports no place."""
        error = error.having(reported=NOWHERE)
        span = instruction_span(self.loader.sources, instruction)
        if span is None:
            return error
        return error.at(refine(span, error.part, self.loader.parse).place)

    def place_attribute(self, error: PuppetError, resource: Resource, name: str) -> PuppetError:
        """Give an error the place where an attribute of a resource is set."""
        file, line = resource.place_of(name)
        span = attribute_span(self.loader.sources, file, line, name, self.loader.parse)
        return error.at(Place(file or None, line) if span is None else span.place)

    def strict_finding(self, error: PuppetError) -> None:
        """Raise, warn or ignore, as the setting ``strict`` says."""
        if self.strict == "error":
            raise error
        if self.strict == "warning":
            self.warn(error.code, error.message)

    # -- resources -------------------------------------------------------------------------------

    def find_resource(self, type_: str, title: str) -> Resource | None:
        """Return the declared resource of a type (in any case) and a title, alias or unique key."""
        if type_.lower() == "class":
            name = title.removeprefix("::").lower()
            return self.index.get(("Class", "main" if name == "main" else capitalize_name(name)))
        return self.resource_at((capitalize_name(type_.lower()), title))

    def resource_at(self, key: tuple[str, str]) -> Resource | None:
        """Return the resource of a type and title, or one whose namevars are what the title says.

        So ``File['/a/']`` finds ``File['/a']``, and ``Package['b']`` a package named b.
        """
        found = self.index.get(key)
        if found is not None or key[0] == "Class":
            return found
        name = key[0].lower()
        schema = self.schemas[name] if name in self.schemas else self.schema(name)
        if schema is None:
            return None
        unique = uniqueness_key(schema, key[1], {})
        if unique is None:
            return None
        return self.index.get((key[0], index_key(unique)))

    def find_reference(self, reference: ResourceType | ClassType) -> Resource | None:
        """The resource that a reference means."""
        if isinstance(reference, ClassType):
            return self.find_resource("class", reference.name or "")
        return self.find_resource(reference.type_name or "", reference.title or "")

    def resource_parameter(self, resource: Resource, name: str) -> Value:
        """A parameter of a resource as code may read it; MISSING when there is no such parameter."""
        if name in resource.parameters:
            return resource.parameters[name]
        if resource.scope is not None and resource.kind == "compilable_type":
            defaults = resource.scope.find_defaults(resource.type)
            if name in defaults:
                return defaults[name]
        if self.has_attribute(resource, name):
            return None
        return MISSING

    def note_aliases(self, resource: Resource) -> None:
        """Let a resource be found by its ``alias`` and by its namevar, where that is not the title."""
        parameters = resource.parameters
        if "alias" in parameters:
            for alias in flat(parameters["alias"]):
                if alias is not None:
                    self.add_alias(resource, str(alias))
        schema = resource.schema
        if schema is None:
            if resource.kind == "defined_type" and "name" in parameters:
                self.add_name(resource, parameters["name"])
            return
        if not schema.isomorphic:
            return
        given = resource.title_gives = read_title(schema, resource.title)
        if given is PLAIN and schema.namevars[0] not in parameters:
            return
        key = uniqueness_key(schema, resource.title, parameters, given)
        if key is not None:
            self.add_alias(resource, index_key(key))

    def add_name(self, resource: Resource, name: Value) -> None:
        """Let an instance of a defined type be found by its ``name``."""
        if name is not None and name is not False and name != resource.title:
            self.add_alias(resource, index_key(tuple(map(as_key, flat(name)))))

    def add_alias(self, resource: Resource, alias: Any) -> None:
        """Another title by which a resource is found."""
        known = self.index.get((resource.type, alias))
        if known is resource:
            return
        if known is not None:
            raise issues.ALIAS_TAKEN(
                reference=resource.reference,
                alias=alias if alias.__class__ is str else key_text(alias),
                other=known.reference,
                place=place_text(known.file, known.line),
            )
        self.index[resource.type, alias] = resource

    def has_attribute(self, resource: Resource, name: str) -> bool:
        """Whether a resource of this type can have a parameter of this name."""
        if resource.definition is not None:
            return name in resource.definition.parameter_names or name in METAPARAMETERS
        schema = self.schema(resource.type.lower())
        return schema is None or schema.has_attribute(name)


def already_defined(known: Definition, name: str, definition: Definition) -> PuppetError:
    """Return the error for a definition whose name another one has."""
    kind = {"class": "Class", "node": "Node"}.get(known.kind, "Definition")
    place = place_text(known.file, known.line)
    error = issues.DUPLICATE_DEFINITION(kind=kind, name=name, place=place)
    return error.at(Place.of(definition))


def without(type_: Type, alias: TypeAliasType) -> Type | None:
    """What is left of a type where an alias among its choices is taken out; None for nothing.

    So does Puppet: in ``type A = Variant[Integer, A]`` the mention of A says nothing.
    """
    if type_ is alias:
        return None
    if isinstance(type_, TypeAliasType) and type_.definition is not None:
        left = without(type_.definition, alias)
        return type_ if left is type_.definition else left
    if isinstance(type_, VariantType):
        parts = [without(item, alias) for item in type_.types]
        if all(part is item for part, item in zip(parts, type_.types, strict=True)):
            return type_
        kept = tuple(part for part in parts if part is not None)
        return VariantType(kept) if len(kept) > 1 else kept[0] if kept else None
    if isinstance(type_, OptionalType | NotUndefType) and type_.type is not None:
        left = without(type_.type, alias)
        if left is type_.type:
            return type_
        if left is None:
            return UNDEF if isinstance(type_, OptionalType) else None
        return type_.__class__(left)
    return type_


def is_ancestor(object_type: ObjectType, alias: TypeAliasType) -> bool:
    """Whether an alias that is not resolved yet stands among the parents of its object type."""
    parent = object_type.parent
    while parent is not None:
        if parent is alias:
            return True
        parent = resolved(parent)
        parent = parent.parent if isinstance(parent, ObjectType) else None
    return False


def flat(value: Value) -> list[Value]:
    """A value or nested arrays as one flat list."""
    if value.__class__ is not list:
        return [value]
    for part in value:
        if part.__class__ is list:
            return [item for part in value for item in flat(part)]
    return value[:]


METAPARAMETERS = frozenset(
    [
        "noop",
        "schedule",
        "audit",
        "loglevel",
        "alias",
        "tag",
        "require",
        "subscribe",
        "before",
        "notify",
        "stage",
    ]
)


def place_text(file: str | None, line: int | None) -> str:
    """`` at (file: x, line: 3)``, or nothing."""
    if line is None:
        return ""
    return f" at (file: {file}, line: {line})" if file else f" at (line: {line})"


def declarations(resource: Resource) -> tuple[Declaration, ...]:
    """Return a resource and the defined types around its declaration, the innermost first."""
    found = []
    around: Resource | None = resource
    while around is not None and around.kind == "defined_type":
        found.append(Declaration(around.reference, around.file, around.line))
        around = around.scope.resource if around.scope is not None else None
    return tuple(found)
