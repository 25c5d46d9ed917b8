"""The names in a file: which symbol each one means, and whether it is defined or used there.

Definitions, references, rename, highlights and semantic tokens are all answers about these mentions,
so a name means the same to all of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from bunraku.base.lazy_typing import Literal
from bunraku.base.records import field, record
from bunraku.syntax import nodes
from bunraku.syntax.nodes import LEAVES, Node, children
from bunraku.workbench.editor.parsed import ParsedFile
from bunraku.workbench.editor.places import TextRange

Kind = Literal[
    "class",
    "resource_type",
    "function",
    "data_type",
    "variable",
    "attribute",
    "resource",
    "node",
    "plan",
    "key",
    "template",
    "file",
    "fact",
    "module",
    "provider",
]
"""What a name can be of.

``resource_type`` is a defined type or a type in Ruby. ``attribute`` is one in a declaration: of a
class or defined type it is a parameter, thus a variable. ``key`` is a key of Hiera.
"""
Role = Literal["definition", "write", "use"]

DECLARING = frozenset({"include", "contain", "require", "create_resources", "ensure_resource"})
LOADING = frozenset({"include", "contain", "require", "hiera_include"})
"""Functions whose arguments are names of classes."""
LOOKING_UP = frozenset({"lookup", "hiera", "hiera_array", "hiera_hash", "hiera_include"})
RENDERING = frozenset({"template", "epp"})
FILE_URL = re.compile(r"puppet:///modules/([^\s?#]+)")
HEREDOC = "@("
INHERITS = re.compile(r"inherits\s+(?:::)?([\w:]+)")
FUNCTION = "function "
"""Begins the owner of a variable in a function."""
EPP = "epp "
"""Begins the owner of a variable in an EPP template of a module."""
RESERVED = frozenset({"class", "stage"})


@record(frozen=True)
class PuppetSymbol:
    """What a name means: equal symbols are the same thing.

    ``name`` is in lower case and without leading ``::`` where case does not count. ``owner`` is the
    class, defined type or function (``function NAME``) that has the variable, or the place of a lambda
    (``PATH:OFFSET``); empty for the top scope. ``name`` of a resource is ``type[title]``.
    """

    kind: Kind
    name: str
    owner: str = ""

    @property
    def last_part(self) -> str:
        """The name without its namespaces."""
        return self.name.rpartition("::")[2]


@record(frozen=True)
class Mention:
    """A name in a text.

    ``around`` is the owner of the code around it: see :class:`PuppetSymbol`. A variable that nothing in the scope of the class
    ``owner`` sets is not ``settled``: a parent class or the top scope has it.
    """

    symbol: PuppetSymbol
    range: TextRange
    role: Role = "use"
    around: str = ""
    settled: bool = True


@record(eq=False)
class Scope:
    """A scope of variables; ``names`` are those that are set in it."""

    owner: str
    names: set[str] = field(default_factory=set)
    outer: Scope | None = None


def mentions_in(parsed: ParsedFile) -> list[Mention]:
    """Return the names in a manifest or an EPP template, in the order of the text."""
    return found_by(MentionWalk(parsed))


def mentions_holding(parsed: ParsedFile, offset: int) -> list[Mention]:
    """Return the names at an offset, without a look at most of the file if its names are not known yet.

    The code of a heredoc is outside of the nodes around it, so a file with heredocs is read as a whole.
    """
    if mentions_in in parsed.results or HEREDOC in parsed.source.text:
        found = parsed.remembered(mentions_in)
    else:
        found = found_by(MentionWalk(parsed, offset))
    return [one for one in found if one.range.holds(offset)]


def found_by(walk: MentionWalk) -> list[Mention]:
    """Return the names that a walk over a file finds, in the order of the text."""
    for root in walk.roots:
        walk.walk_body(root, walk.top)
    return sorted(walk.found, key=lambda one: (one.range.start, one.range.end))


def canonical(name: str) -> str:
    """Return a name as it is compared.

    >>> canonical("::Ntp::Server")
    'ntp::server'
    """
    return name.lower().removeprefix("::")


def template_name(path: str) -> str:
    """Return the name by which manifests know a template: its module and the path below ``templates``.

    >>> template_name("/site/modules/ntp/templates/conf/ntp.erb")
    'ntp/conf/ntp.erb'
    """
    before, _, name = path.rpartition("/templates/")
    return f"{before.rpartition('/')[2]}/{name}"


def template_scope(path: str) -> str:
    """Return the owner of the variables of an EPP template: its name if it is one of a module, else its place."""
    return f"{EPP}{template_name(path)}" if "/templates/" in path else f"{path}:0"


class MentionWalk:
    """A walk over the tree of one file, or over the nodes that hold an offset."""

    def __init__(self, parsed: ParsedFile, offset: int | None = None) -> None:
        self.roots = parsed.roots
        self.offset = offset
        self.text = parsed.source.text
        self.path = parsed.source.path
        self.found: list[Mention] = []
        self.around = ""
        is_template = parsed.source.is_template
        self.top = Scope(template_scope(self.path) if is_template else "")

    # -- adding ----------------------------------------------------------------------------------

    def add(self, symbol: PuppetSymbol, start: int, written: str, role: Role = "use") -> None:
        """Add a mention, if the text has the name there: code in some heredocs is moved."""
        if written and self.text.startswith(written, start):
            piece = TextRange(start, start + len(written))
            self.found.append(Mention(symbol, piece, role, self.around))

    def add_name(self, kind: Kind, node: Node, written: str, role: Role = "use") -> None:
        """Add the mention of a global name by a bare word, a type or a quoted text."""
        start = node.start
        if self.text[start : start + 1] in {"'", '"'}:
            start += 1
        self.add(PuppetSymbol(kind, canonical(written)), start, written, role)

    def add_names(self, kind: Kind, arguments: Iterable[Node]) -> None:
        """Add mentions of global names by arguments, also in lists."""
        for one in arguments:
            match one:
                case nodes.List():
                    self.add_names(kind, one.values)
                case nodes.Name() | nodes.String() | nodes.Reference():
                    self.add_name(kind, one, one.value)
                case nodes.Access(left=nodes.Reference(value="Class")):
                    pass  # the walk finds it below
                case _:
                    pass

    def add_text(self, kind: Kind, node: Node | None) -> None:
        """Add the mention of something by a quoted text as it is, such as a key of Hiera."""
        if isinstance(node, nodes.String):
            self.add(PuppetSymbol(kind, node.value), node.start + 1, node.value)

    def add_variable(self, node: nodes.Variable, scope: Scope, role: Role) -> None:
        """Add a variable, which is in this scope, in one around it, or in that of a class."""
        start = node.start + (self.text[node.start : node.start + 1] == "$")
        written = node.name
        if "::" in written:
            owner, _, name = canonical(written).rpartition("::")
            self.add(PuppetSymbol("variable", name, owner), start, written, role)
            return
        if not self.text.startswith(written, start) or not written:
            return
        home: Scope | None = scope
        while home is not None and written not in home.names:
            home = home.outer
        base = base_of(scope)
        symbol = PuppetSymbol("variable", written, home.owner if home else base.owner)
        piece = TextRange(start, start + len(written))
        settled = home is not None or base.owner == ""
        self.found.append(Mention(symbol, piece, role, self.around, settled))

    # -- walking ---------------------------------------------------------------------------------

    def is_wanted(self, node: Node) -> bool:
        """Return whether a node holds the offset of the walk, if it has one."""
        return self.offset is None or node.start <= self.offset <= node.end

    def walk(self, node: Node, scope: Scope) -> None:
        """Visit a node and those below it."""
        if not self.is_wanted(node):
            return
        visit = VISITS.get(node.__class__)
        if visit is not None:
            visit(self, node, scope)
        elif node.__class__ not in LEAVES:
            self.walk_below(node, scope)

    def walk_below(self, node: Node, scope: Scope) -> None:
        """Visit the nodes below one."""
        for child in children(node):
            self.walk(child, scope)

    def walk_body(self, node: Node, scope: Scope) -> None:
        """Visit the code of a scope; its assignments are known from its beginning."""
        if self.is_wanted(node):
            scope.names.update(assigned_in(node))
            self.walk(node, scope)

    def walk_parameters(self, parameters: Iterable[nodes.Parameter], scope: Scope) -> None:
        """Visit parameters, which set variables of a scope."""
        for one in parameters:
            begin = one.start if one.type is None else one.type.end
            start = self.text.find(f"${one.name}", begin, one.end)
            if start >= 0:
                symbol = PuppetSymbol("variable", one.name, scope.owner)
                self.add(symbol, start + 1, one.name, "definition")
            for child in (one.type, one.value):
                if child is not None:
                    self.walk(child, scope)

    def walk_definition(self, node: Any, kind: Kind, scope: Scope, written: str) -> None:
        """Visit a definition with parameters and a scope of its own."""
        self.add(PuppetSymbol(kind, canonical(node.name)), node.name_start, written, "definition")
        before, self.around = self.around, scope.owner
        scope.names.update(one.name for one in node.parameters)
        self.walk_parameters(node.parameters, scope)
        if getattr(node, "return_type", None) is not None:
            self.walk(node.return_type, scope)
        self.walk_body(node.body, scope)
        self.around = before

    def written_name(self, node: Any) -> str:
        """Return the name of a definition as the text has it, without namespaces around."""
        name: str = node.name
        while not self.text.startswith(name, node.name_start) and "::" in name:
            name = name.partition("::")[2]
        return name

    # -- definitions -----------------------------------------------------------------------------

    def visit_class(self, node: nodes.ClassDefinition, _scope: Scope) -> None:
        """Visit a class."""
        name = canonical(node.name)
        if node.parent is not None:
            found = INHERITS.search(self.text, node.name_start, node.body.start)
            if found is not None:
                before, self.around = self.around, name
                symbol = PuppetSymbol("class", canonical(node.parent))
                self.add(symbol, found.start(1), found[1])
                self.around = before
        self.walk_definition(node, "class", Scope(name), self.written_name(node))

    def visit_define(self, node: nodes.DefineDefinition, _scope: Scope) -> None:
        """Visit a defined type."""
        name = canonical(node.name)
        scope = Scope(name, {"title", "name"})
        self.walk_definition(node, "resource_type", scope, self.written_name(node))

    def visit_function(self, node: nodes.FunctionDefinition, _scope: Scope) -> None:
        """Visit a function."""
        scope = Scope(f"function {canonical(node.name)}")
        self.walk_definition(node, "function", scope, node.name)

    def visit_plan(self, node: nodes.PlanDefinition, _scope: Scope) -> None:
        """Visit a plan."""
        scope = Scope(f"plan {canonical(node.name)}")
        self.walk_definition(node, "plan", scope, self.written_name(node))

    def visit_alias(self, node: nodes.TypeAlias, scope: Scope) -> None:
        """Visit a type alias."""
        symbol = PuppetSymbol("data_type", canonical(node.name))
        self.add(symbol, node.name_start, node.name, "definition")
        self.walk(node.type, scope)

    def visit_node(self, node: nodes.NodeDefinition, _scope: Scope) -> None:
        """Visit a node definition."""
        for one in node.matches:
            if isinstance(one, nodes.String | nodes.Name):
                self.add_name("node", one, one.value, "definition")
        before, self.around = self.around, f"{self.path}:{node.start}"
        self.walk_body(node.body, Scope(self.around))
        self.around = before

    def visit_lambda(self, node: nodes.Lambda, scope: Scope) -> None:
        """Visit a lambda, whose variables are its own; that of a template stands for its scope."""
        inner = Scope(f"{self.path}:{node.start}", outer=scope)
        if isinstance(node.body, nodes.Epp):
            inner = scope
        inner.names.update(one.name for one in node.parameters)
        self.walk_parameters(node.parameters, inner)
        if node.return_type is not None:
            self.walk(node.return_type, inner)
        self.walk_body(node.body, inner)

    # -- expressions -----------------------------------------------------------------------------

    def visit_variable(self, node: nodes.Variable, scope: Scope) -> None:
        """Visit a use of a variable."""
        self.add_variable(node, scope, "use")

    def visit_assignment(self, node: nodes.Assignment, scope: Scope) -> None:
        """Visit an assignment, which may set several variables."""
        for one in targets(node.left):
            self.add_variable(one, scope, "write")
        self.walk(node.right, scope)

    def visit_reference(self, node: nodes.Reference, _scope: Scope) -> None:
        """Visit the name of a type."""
        self.add_name("data_type", node, node.value)

    def visit_access(self, node: nodes.Access, scope: Scope) -> None:
        """Visit an access: ``Class[name]`` and ``Type[title]`` mention classes and resources."""
        match node.left:
            case nodes.Reference(value=value) if canonical(value) == "class":
                self.add_name("data_type", node.left, value)
                self.add_names("class", node.keys)
            case nodes.Reference(value=value):
                self.add_name("data_type", node.left, value)
                for title in titles_in(node.keys):
                    self.add_resource(value, title, "use")
            case nodes.Variable(name="facts" | "::facts"):
                self.walk(node.left, scope)
                for key in titles_in(node.keys[:1]):
                    self.add(PuppetSymbol("fact", key.value), key.start + 1, key.value)
            case _:
                self.walk(node.left, scope)
        for one in node.keys:
            self.walk(one, scope)

    def add_resource(self, type_name: str, title: nodes.String, role: Role) -> None:
        """Add the mention of a resource by its title."""
        symbol = PuppetSymbol("resource", f"{canonical(type_name)}[{title.value}]")
        self.add(symbol, title.start + 1, title.value, role)

    def visit_call(self, node: nodes.Call, scope: Scope) -> None:
        """Visit a call."""
        callee = node.callee
        if isinstance(callee, nodes.Name):
            self.add(PuppetSymbol("function", canonical(callee.value)), callee.start, callee.value)
            self.call_arguments(callee.value, node.arguments)
        else:
            self.walk(callee, scope)
        for one in node.arguments:
            self.walk(one, scope)
        if node.block is not None:
            self.walk(node.block, scope)

    def visit_method_call(self, node: nodes.MethodCall, scope: Scope) -> None:
        """Visit a call behind a point."""
        self.walk(node.receiver, scope)
        if isinstance(node.name, nodes.Name):
            name = node.name.value
            self.add(PuppetSymbol("function", canonical(name)), node.name.start, name)
            self.call_arguments(name, [node.receiver, *node.arguments])
        for one in node.arguments:
            self.walk(one, scope)
        if node.block is not None:
            self.walk(node.block, scope)

    def call_arguments(self, name: str, arguments: list[Node]) -> None:
        """Add what the arguments of some functions name."""
        first = arguments[0] if arguments else None
        if name in LOADING:
            self.add_names("class", arguments)
        elif name in LOOKING_UP:
            self.add_text("key", first)
        elif name in RENDERING:
            if name == "epp":
                self.add_epp(arguments)
            else:
                for one in arguments:
                    self.add_text("template", one)
        elif name == "file":
            for one in arguments:
                self.add_text("file", one)

    def add_epp(self, arguments: list[Node]) -> None:
        """Add an EPP template and the parameters that it gets; Puppet adds the end of its name."""
        first = arguments[0] if arguments else None
        if not isinstance(first, nodes.String):
            return
        template = f"{first.value.removesuffix('.epp')}.epp"
        self.add(PuppetSymbol("template", template), first.start + 1, first.value)
        for one in arguments[1:2]:
            for key in [entry.key for entry in one.entries] if isinstance(one, nodes.Hash) else ():
                if isinstance(key, nodes.String | nodes.Name):
                    quotes = self.text[key.start : key.start + 1] in {"'", '"'}
                    symbol = PuppetSymbol("variable", key.value, f"{EPP}{template}")
                    self.add(symbol, key.start + quotes, key.value)

    def visit_string(self, node: nodes.String, _scope: Scope) -> None:
        """Visit a text, which may be the address of a file of a module."""
        if "puppet:///modules/" in node.value:
            for found in FILE_URL.finditer(self.text, node.start, node.end):
                self.add(
                    PuppetSymbol("file", found[1].rstrip("'\"")),
                    found.start(1),
                    found[1].rstrip("'\""),
                )

    # -- resources -------------------------------------------------------------------------------

    def visit_resource(self, node: nodes.Resource, scope: Scope) -> None:
        """Visit declarations of resources or classes."""
        type_name = node.type_name
        word = type_name.value if isinstance(type_name, nodes.Name) else ""
        if word and word not in RESERVED:
            self.add_name("resource_type", type_name, word)
        elif not word:
            self.walk(type_name, scope)
        for body in node.bodies:
            self.walk_resource_body(word, body, scope)

    def walk_resource_body(self, word: str, body: nodes.ResourceBody, scope: Scope) -> None:
        """Visit one resource: its title and its attributes."""
        owner = canonical(word)
        if word == "class":
            self.add_names("class", [body.title])
            owner = canonical(getattr(body.title, "value", "")) if is_text(body.title) else ""
        elif word:
            for title in titles_in([body.title]):
                self.add_resource(word, title, "definition")
        self.walk(body.title, scope)
        self.walk_operations(body.operations, owner, scope)

    def walk_operations(self, operations: Iterable[Node], owner: str, scope: Scope) -> None:
        """Visit attributes of a resource type or class."""
        for one in operations:
            if isinstance(one, nodes.Attribute):
                if owner:
                    self.add(PuppetSymbol("attribute", one.name, owner), one.start, one.name)
                self.walk(one.value, scope)
            else:
                self.walk_below(one, scope)

    def visit_defaults(self, node: nodes.ResourceDefaults, scope: Scope) -> None:
        """Visit defaults of a resource type."""
        owner = ""
        if isinstance(node.type_reference, nodes.Reference):
            owner = canonical(node.type_reference.value)
            self.add_name("resource_type", node.type_reference, node.type_reference.value)
        else:
            self.walk(node.type_reference, scope)
        self.walk_operations(node.operations, owner, scope)

    def visit_override(self, node: nodes.ResourceOverride, scope: Scope) -> None:
        """Visit an override of resources."""
        self.walk(node.resources, scope)
        owner = ""
        if isinstance(node.resources, nodes.Access):
            owner = canonical(getattr(node.resources.left, "value", ""))
        self.walk_operations(node.operations, owner, scope)

    def visit_collector(self, node: nodes.Collector, scope: Scope) -> None:
        """Visit a collector."""
        owner = ""
        if isinstance(node.type, nodes.Reference):
            owner = canonical(node.type.value)
            self.add_name("resource_type", node.type, node.type.value)
        else:
            self.walk(node.type, scope)
        self.walk(node.query, scope)
        self.walk_operations(node.operations, owner, scope)


def base_of(scope: Scope) -> Scope:
    """Return the scope of the definition around lambdas."""
    while scope.outer is not None:
        scope = scope.outer
    return scope


def is_text(node: Node) -> bool:
    """Return whether a node is a bare word or a text without interpolation."""
    return isinstance(node, nodes.Name | nodes.String)


def titles_in(some: Iterable[Node]) -> Iterable[nodes.String]:
    """Yield the quoted titles, also in lists."""
    for one in some:
        if isinstance(one, nodes.List):
            yield from titles_in(one.values)
        elif isinstance(one, nodes.String):
            yield one


def targets(left: Node) -> Iterable[nodes.Variable]:
    """Yield the variables that an assignment sets."""
    if isinstance(left, nodes.Variable):
        yield left
    elif isinstance(left, nodes.List):
        for one in left.values:
            yield from targets(one)


def assigned_in(body: Node) -> set[str]:
    """Return the names of the variables that code sets in its own scope."""
    found: set[str] = set()
    waiting = [body]
    while waiting:
        node = waiting.pop()
        if isinstance(node, nodes.Assignment):
            found.update(one.name for one in targets(node.left))
        if node.__class__ not in OWN_SCOPES:
            waiting += [one for one in children(node) if one.__class__ not in LEAVES]
    return found


OWN_SCOPES: frozenset[type[Node]] = frozenset(
    {
        nodes.ClassDefinition,
        nodes.DefineDefinition,
        nodes.FunctionDefinition,
        nodes.PlanDefinition,
        nodes.NodeDefinition,
        nodes.Lambda,
    }
)
VISITS: dict[type[Node], Callable[[MentionWalk, Any, Scope], None]] = {
    nodes.ClassDefinition: MentionWalk.visit_class,
    nodes.DefineDefinition: MentionWalk.visit_define,
    nodes.FunctionDefinition: MentionWalk.visit_function,
    nodes.PlanDefinition: MentionWalk.visit_plan,
    nodes.TypeAlias: MentionWalk.visit_alias,
    nodes.NodeDefinition: MentionWalk.visit_node,
    nodes.Lambda: MentionWalk.visit_lambda,
    nodes.Variable: MentionWalk.visit_variable,
    nodes.Assignment: MentionWalk.visit_assignment,
    nodes.Reference: MentionWalk.visit_reference,
    nodes.Access: MentionWalk.visit_access,
    nodes.Call: MentionWalk.visit_call,
    nodes.MethodCall: MentionWalk.visit_method_call,
    nodes.String: MentionWalk.visit_string,
    nodes.Resource: MentionWalk.visit_resource,
    nodes.ResourceDefaults: MentionWalk.visit_defaults,
    nodes.ResourceOverride: MentionWalk.visit_override,
    nodes.Collector: MentionWalk.visit_collector,
}
"""The visits of nodes that mention names or have scopes."""
