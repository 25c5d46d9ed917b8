"""The parts of Ruby definitions of types and providers that bunraku knows, from their normal form."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator
from typing import Any

from bunraku.base.records import field, record
from bunraku.providers.ini_children.forms import (
    BLOCKS,
    body_form,
    form,
    method_name,
    ruby_statements,
    ruby_tree,
    text,
)

MUNGERS = {
    "do $1: $1 . to_s . strip end": "strip",
    "do $1: $1 = $1 . to_s . strip; $1 end": "strip",
    "do $1: $1 = $1 . to_s . strip; $1 . capitalize! if $1 =~ /^(true|false)$/i; $1 end": "words",
    'do $1: if [ true , false ] . include? ($1) $1 = $1 ? "1" : "0" else $1 = $1 . to_s . strip end; '
    "$1 end": "digits",
    "do $1: $1 = case $1 when Integer $1 . to_s . strip when /^\\[.*\\]$/ $1 . to_s . strip "
    'when String "\\"#{ $1 }\\"" else $1 . to_s . strip end; $1 end': "quotes",
    "do $1: $1 = if $1 . is_a? (Integer) $1 . to_s . strip elsif /^\\[.*\\]$/ . match? ($1) "
    "$1 . to_s . strip elsif $1 . is_a? (String) '\"' + $1 + '\"' else $1 . to_s . strip end; $1 end": (
        "quotes_texts"
    ),
}
"""What happens to a value, by the block that does it."""
HIDING = {
    f"def {method} $1: if resource . secret? {start}{one}{end} else {start}$1{end} end end"
    for method, one in (
        ("is_to_s", '"[old secret redacted]"'),
        ("should_to_s", '"[new secret redacted]"'),
    )
    for start, end in (("return (", ")"), ("", ""))
}
"""The methods that show a value as it is unless it is secret."""
SAME_VALUES = (
    "def insync? $1: return (true) if @should . empty?; return (false) unless $1 . is_a? (Array); "
    "return (false) unless $1 . length == @should . length; "
    "return (( $1 & @should == $1 or $1 & @should . map (& :to_s) == $1 )) end"
)
"""The comparison of all values, whatever their order."""
PATTERNS = {r"/\S+/\S+/": r"\S+\/\S+", r"/\S+/": r"\S+", r"/^[\S ]*$/": r"^[\S ]*$"}
"""The patterns of values, as messages show them."""
WRONG_NAME = re.compile(
    r"do \$1: unless \$1 =~ (?P<pattern>/\S+/) (?P<verb>raise|fail) "
    r'\("(?P<before>[^"#\\]*)#\{ \$1 \}(?P<after>[^"#\\]*)"\) end end'
)
VALUE_MISSING = re.compile(
    r"do: if self \[ :ensure \] == :present (?:&&|if) self \[ :value \] \. nil\? "
    r'raise \(Puppet :: Error, "(?P<before>[^"#\\]*)#\{ self \[ :name \] \}(?P<after>[^"#\\]*)"\) '
    r"end(?: end)? end"
)
NEVER_CALLED = frozenset({"def create: provider . create end"})
"""Methods of types that Puppet does not call, because the provider has them."""
PARAMETERS = frozenset({"secret", "quote", "ensure_absent_val", "key_val_separator"})
"""The parameters beside the name that a type may have."""
HELPERS = {
    'def section: ""': ("section", "none"),
    'def section: resource [ :name ] . split ("/", 2) . first': ("section", "first"),
    "def setting: resource [ :name ]": ("setting", "name"),
    'def setting: resource [ :name ] . split ("/", 2) . last': ("setting", "last"),
    "def file_path: self . class . file_path": ("own_path", "class"),
    "def ensure_absent_val: resource [ :ensure_absent_val ]": ("absent", "value"),
    "def exists?: if resource [ :value ] == ensure_absent_val resource [ :ensure ] = :absent "
    "elsif resource [ :quote ] unless resource [ :value ] . start_with? ('\"') "
    "resource [ :value ] = '\"' + resource [ :value ] + '\"' end end; super": ("exists", "quoted"),
}
"""The methods of providers that are known: without the last ``end`` → what they decide, and how."""
FAMILIES = frozenset({"debian", "redhat", "suse"})


class NotRecognised(Exception):
    """Code has a form that bunraku does not know."""


@record(frozen=True)
class AttributeForm:
    """An attribute of a type."""

    name: str
    about: str = ""
    pattern: str | None = None
    is_switch: bool = False
    default: str | None = None
    munger: str = ""
    many: bool = False
    hides: bool = False
    """Whether messages show values without quotes, and secret ones not at all."""
    wrong_name: tuple[str, str, str] | None = None
    """The method that refuses a name, and the text of the message before and after it."""


@record(frozen=True)
class TypeForm:
    """A type: its attributes, the resources that it requires, the message for a missing value."""

    name: str
    attributes: tuple[AttributeForm, ...]
    requires: tuple[tuple[str, str], ...] = ()
    value_missing: tuple[str, str] | None = None

    def attribute(self, name: str) -> AttributeForm | None:
        """Return the attribute with a name."""
        return next((one for one in self.attributes if one.name == name), None)


@record(frozen=True)
class ProviderForm:
    """A provider: its parent, as type and provider, and what its methods decide."""

    type: str
    name: str
    parent: tuple[str, str]
    decisions: dict[str, str] = field(default_factory=dict)
    """``path``, ``section``, ``setting``, ``separator``, ``absent`` and ``exists``."""
    family: str | None = None
    """The family of systems for which the provider is."""


@record(frozen=True)
class BodyCall:
    """A call in the body of a definition."""

    name: str
    arguments: tuple[Any, ...]
    block: Any

    def forms(self) -> str:
        """Return the arguments in normal form."""
        return ", ".join(map(form, self.arguments))


# -- calls and literals ----------------------------------------------------------------------------


def call_of(node: Any) -> BodyCall:
    """Return a call; NotRecognised for other statements."""
    if node.type == "identifier":
        return BodyCall(text(node), (), None)
    if node.type != "call":
        raise NotRecognised(text(node))
    method, receiver = (node.child_by_field_name(one) for one in ("method", "receiver"))
    listed, block = (node.child_by_field_name(one) for one in ("arguments", "block"))
    name = form(method) if receiver is None else f"{form(receiver)}.{form(method)}"
    return BodyCall(name, () if listed is None else tuple(ruby_statements(listed)), block)


def calls_in(block: Any) -> Iterator[Any]:
    """Yield the statements of a block that has no parameters."""
    if block is None:
        return
    if block.type not in BLOCKS or block.child_by_field_name("parameters") is not None:
        raise NotRecognised(text(block))
    body = block.child_by_field_name("body")
    yield from ruby_statements(body) if body is not None else ()


def literal(node: Any) -> str:
    """Return the value of a text without escapes."""
    shown = form(node)
    if node.type != "string" or not re.fullmatch(r'"[^"#\\]*"', shown):
        raise NotRecognised(shown)
    return shown[1:-1]


def literals(node: Any) -> list[str]:
    """Return the texts of an array, or the only one."""
    return [literal(one) for one in (ruby_statements(node) if node.type == "array" else [node])]


def one_statement(block: Any) -> Any:
    """Return the only statement of a block."""
    found = list(calls_in(block))
    if len(found) != 1:
        raise NotRecognised("several statements")
    return found[0]


def description(call: BodyCall) -> bool:
    """Return whether a call describes something; the text may be any that nothing computes."""
    return call.name == "desc" and "#{" not in call.forms()


# -- types -----------------------------------------------------------------------------------------


def type_form(source: str, name: str) -> TypeForm:
    """Return the type that a file defines; NotRecognised if it contains anything else."""
    call = call_of(definition(source))
    if call.name != "Puppet :: Type.newtype" or call.forms() != f":{name}":
        raise NotRecognised(call.name)
    return TypeReader(name).read(call.block)


def definition(source: str) -> Any:
    """Return the only statement of a file that does something."""
    root = ruby_tree(source)
    found = [] if root is None else [one for one in ruby_statements(root) if not is_require(one)]
    if len(found) != 1:
        raise NotRecognised("not one definition")
    return found[0]


def is_require(node: Any) -> bool:
    """Return whether a statement loads what Puppet has loaded."""
    return form(node) in {'require ("puppet")', 'require ("facter")'}


class TypeReader:
    """Reads the body of a type."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.attributes: list[AttributeForm] = []
        self.requires: list[tuple[str, str]] = []
        self.value_missing: tuple[str, str] | None = None

    def read(self, block: Any) -> TypeForm:
        """Return the type."""
        has_ensure = False
        for node in calls_in(block):
            if form(node) == "ensurable":
                has_ensure = True
            elif form(node) not in NEVER_CALLED and not is_documentation(node):
                self.add(call_of(node))
        names = [one.name for one in self.attributes]
        if not has_ensure or len(set(names)) != len(names) or not {"name", "value"} <= {*names}:
            raise NotRecognised(self.name)
        return TypeForm(self.name, tuple(self.attributes), tuple(self.requires), self.value_missing)

    def add(self, call: BodyCall) -> None:
        """Add what a statement declares."""
        match call.name, call.forms():
            case "newparam", ":name, namevar: true":
                self.attributes.append(attribute_form("name", call))
            case "newproperty", ":value" | ":value, array_matching: :all":
                self.attributes.append(attribute_form("value", call))
            case "newparam", shown:
                name, _, more = shown.partition(", ")
                if name[1:] not in PARAMETERS or more not in {"", "boolean: true"}:
                    raise NotRecognised(shown)
                self.attributes.append(attribute_form(name[1:], call))
            case "autorequire", kind if re.fullmatch(r":\w+", kind):
                titles = literals(one_statement(call.block))
                self.requires += [(kind[1:], title) for title in titles]
            case "validate", "" if found := VALUE_MISSING.fullmatch(form(call.block)):
                self.value_missing = (found["before"], found["after"])
            case "desc", _ if description(call):
                pass
            case _:
                raise NotRecognised(call.name)


def is_documentation(node: Any) -> bool:
    """Return whether a statement sets the description of a type."""
    return re.fullmatch(r'@doc = "[^"#\\]*"', form(node)) is not None


def attribute_form(name: str, call: BodyCall) -> AttributeForm:
    """Return the attribute that a call declares; NotRecognised if it does more than what is known."""
    found: dict[str, Any] = {"many": "array_matching: :all" in call.forms()}
    hiding, compared = 0, False
    for node in calls_in(call.block):
        shown = form(node)
        if shown in HIDING:
            hiding += 1
        elif shown == SAME_VALUES:
            compared = True
        else:
            found |= declared_part(call_of(node))
    if hiding not in {0, 2} or compared != found["many"]:
        raise NotRecognised(name)
    made = AttributeForm(name, hides=hiding == 2, **found)
    check_kind(made)
    return made


def declared_part(call: BodyCall) -> dict[str, Any]:
    """Return what a statement in the body of an attribute declares."""
    shown = form(call.block) if call.block is not None else ""
    match call.name, call.forms():
        case "desc", about if description(call):
            return {"about": about.strip("\"'")}
        case "newvalues", ":true, :false":
            return {"is_switch": True}
        case "newvalues", pattern if pattern in PATTERNS:
            return {"pattern": PATTERNS[pattern]}
        case "defaultto", "false":
            return {}  # Puppet takes false for no default
        case "defaultto", "true" | ":false" | ":true" as word:
            return {"default": word.strip(":")}
        case "defaultto", _ if len(call.arguments) == 1:
            return {"default": literal(call.arguments[0])}
        case "munge", "" if shown in MUNGERS:
            return {"munger": MUNGERS[shown]}
        case "validate", "" if refusal := WRONG_NAME.fullmatch(shown):
            if refusal["pattern"] == r"/\S+/\S+/":
                return {"wrong_name": (refusal["verb"], refusal["before"], refusal["after"])}
    raise NotRecognised(call.name)


def check_kind(made: AttributeForm) -> None:
    """Raise NotRecognised unless each attribute has only what attributes of its kind have."""
    is_value, is_name = made.name == "value", made.name == "name"
    right = (
        (bool(made.munger) == is_value)
        and (is_value or not (made.hides or made.many))
        and (is_name or made.wrong_name is None)
        and (is_name or is_value or made.pattern is None)
        and (made.name in {"secret", "quote"}) == made.is_switch
        and not ((is_name or is_value) and made.default is not None)
        and not (made.is_switch and made.default not in {None, "true", "false"})
    )
    if not right:
        raise NotRecognised(made.name)


# -- providers -------------------------------------------------------------------------------------

PROVIDES = re.compile(r"Puppet :: Type \. type \(:(\w+)\)\.provide")
NAMED = re.compile(
    r":(?P<name>\w+), parent: Puppet :: Type \. type \(:(?P<type>\w+)\) \. provider "
    r"\(:(?P<provider>\w+)\)"
)
CONDITION = re.compile(r"(?:osfamily|\"osfamily\" =>|\"os\.family\" =>): :(\w+)")


def provider_form(source: str) -> ProviderForm:
    """Return the provider that a file defines; NotRecognised if it contains anything else."""
    call = call_of(definition(source))
    provides, named = PROVIDES.fullmatch(call.name), NAMED.fullmatch(call.forms())
    if provides is None or named is None:
        raise NotRecognised(call.name)
    found = ProviderForm(provides[1], named["name"], (named["type"], named["provider"]))
    decisions: dict[str, str] = {}
    conditions: dict[str, str] = {}
    for node in calls_in(call.block):
        if node.type in {"method", "singleton_method"}:
            decisions |= decision(node)
        elif not description(one := call_of(node)):
            conditions[one.name] = condition(one)
    if conditions and {*conditions} != {"confine", "defaultfor"}:
        raise NotRecognised("a condition")
    family = set(conditions.values())
    if len(family) > 1 or not family <= FAMILIES:
        raise NotRecognised("a condition")
    return ProviderForm(
        found.type, found.name, found.parent, decisions, family.pop() if family else None
    )


def condition(call: BodyCall) -> str:
    """Return the family of systems of ``confine`` or ``defaultfor``."""
    match = CONDITION.fullmatch(call.forms())
    if match is None:
        raise NotRecognised(call.forms())
    return match[1].lower()


def decision(node: Any) -> dict[str, str]:
    """Return what a method of a provider decides."""
    shown = form(node).removesuffix(" end")
    if shown in HELPERS:
        name, how = HELPERS[shown]
        return {name: how}
    reader = VALUES.get(method_name(node))
    if reader is None or node.child_by_field_name("parameters") is not None:
        raise NotRecognised(shown)
    body = node.child_by_field_name("body")
    inner = ruby_statements(body) if body is not None else []
    if len(inner) != 1:
        raise NotRecognised(body_form(node, {}))
    name, read = reader
    return {name: read(inner[0])}


def path(node: Any) -> str:
    """Return an absolute path: a text, or several that are joined."""
    if node.type == "call":
        call = call_of(node)
        if call.name != "File.join":
            raise NotRecognised(call.name)
        found = posixpath.normpath("/".join(map(literal, call.arguments)))
    else:
        found = literal(node)
    if not found.startswith("/"):
        raise NotRecognised(found)
    return found


VALUES: dict[str, tuple[str, Callable[[Any], str]]] = {
    "self.file_path": ("path", path),
    "separator": ("separator", literal),
}
"""The methods that return a text."""
