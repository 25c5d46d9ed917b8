"""Values on their way to Ruby and back, as JSON.

Undef, booleans, integers, finite floats, strings of whole characters and arrays are sent unchanged;
everything else is an object with one key, its tag:

=====  =============================================================================
``h``  a hash: keys and values in turn
``b``  a string with bytes that are not UTF-8, in Base64
``e``  a string without an encoding, in Base64; see :mod:`bunraku.runtime.binary_texts`
``f``  a special float: ``nan``, ``Infinity``, ``-Infinity``
``y``  a Ruby symbol; ``default`` is the Puppet value of that name
``k``  an object that stays in Ruby: its number; from Ruby also the data of :class:`RubyReference`
``w``  a string that is not frozen: number, and its text if it is new or Ruby code has changed it
``s``  Sensitive
``r``  a regular expression: pattern and options
``n``  Binary, in Base64
``q``  a reference to a resource in the form for functions of the old kind: type and title, and for
       Puppet 3 the attribute that the title gives
``u``  a URI
``v``  a version that Ruby code made
``i``  a scope, by number
``m``  an array or hash that is the same object on both sides: number; content, if it is new or Ruby
       code has changed it; to Ruby also whether it is frozen. Ruby's own numbers are negative
``c``  the context of a Hiera backend: number, whether the lookup is explained, its data the first time
``l``  the options of a Hiera backend: number, whether each call gets a copy, content the first time
``t``  a type that Ruby code made: its text
``o``  a value that stays here: number, kind, text, and the data of the kind
=====  =============================================================================
"""

from __future__ import annotations

import base64
import math
from collections.abc import Callable, Generator
from contextlib import contextmanager
from itertools import count
from typing import Any

from bunraku.hiera.context import LookupContext
from bunraku.ruby.process import issues
from bunraku.ruby.values.objects import Array, Hash
from bunraku.runtime.rules import DEFAULTS, RuntimeRules
from bunraku.runtime.state import Scope
from bunraku.runtime.titles import title_attribute
from bunraku.types.model import ClassType, ResourceType, Type
from bunraku.types.parse import parse_type
from bunraku.types.text.display import capitalize
from bunraku.types.value_text import to_text
from bunraku.values.binary import Binary
from bunraku.values.default import DEFAULT
from bunraku.values.iterator import Iterator
from bunraku.values.keys import make_hash, pairs
from bunraku.values.regexp.regexp import Regexp
from bunraku.values.ruby_object import UNDEF, RubyReference, Symbol
from bunraku.values.sensitive import Sensitive
from bunraku.values.time.timespan import Timespan
from bunraku.values.time.timestamp import Timestamp
from bunraku.values.uri import URI
from bunraku.values.version import SemVer, SemVerRange

Value = Any
COUNTER = count(1)  # numbers are unique across compiles
PLAIN = frozenset({int, bool, type(None)})
AS_TEXT = frozenset({Regexp, SemVer, SemVerRange, Binary, Timespan, Timestamp})
HELD_KINDS = {
    SemVer: "version",
    SemVerRange: "range",
    Timestamp: "timestamp",
    Timespan: "timespan",
    Iterator: "iterator",
}


class Changeable:
    """The value of a parameter inside an answer: Ruby code may change it in place."""

    __slots__ = ("value",)

    def __init__(self, value: Value) -> None:
        self.value = value


class Codec:
    """Encodes and decodes values; keeps those that Ruby only has a number of."""

    def __init__(self, rules: RuntimeRules = DEFAULTS) -> None:
        self.only_3x_functions = rules.only_3x_functions
        self.templates_see_callers = rules.templates_see_callers
        self.held: dict[int, Value] = {}
        self.numbers: dict[int, int] = {}
        self.sent: set[int] = set()
        self.former: list[str] = []
        """All strings that Ruby code has changed: no other string may get the id of one."""
        self.replaced: dict[int, tuple[str, str]] = {}
        """Strings that Ruby code has changed, with their new texts, by the ids of the old."""
        self.is_frozen_string: Callable[[str], bool] = lambda _text: True
        self.is_frozen: Callable[[Value], bool] = lambda _value: False
        self.binary: dict[int, str] = {}
        self.mark_binary: Callable[[str], str] = str
        self.read_type: Callable[[str], Type] = parse_type
        self.note_reference: Callable[[], None] = lambda: None
        self.views: dict[int, tuple[Value, Any]] = {}
        self.encode_context: Callable[[LookupContext], Any] | None = None

    def hold(self, value: Value) -> int:
        """Return the number of a value; the same value always has the same number."""
        found = self.numbers.get(id(value))
        if found is None:
            found = self.numbers[id(value)] = next(COUNTER)
            self.held[found] = value
        return found

    @contextmanager
    def lent(self, value: Value) -> Generator[int, None, None]:
        """The number of a value that is made for one call: it is given up afterwards."""
        known = id(value) in self.numbers
        number = self.hold(value)
        try:
            yield number
        finally:
            if not known and getattr(value, "is_view", True):
                del self.held[number], self.numbers[id(value)]

    def held_value(self, number: Any) -> Value:
        """Return the value of a number."""
        if number not in self.held:
            raise issues.STALE_VALUE()
        return self.held[number]

    # -- to Ruby ---------------------------------------------------------------------------------

    def encode(self, value: Value) -> Any:
        """Return a value as JSON for templates and functions of the present kind."""
        kind = value.__class__
        if kind in PLAIN:
            return value
        if kind is str:
            if self.binary and id(value) in self.binary:
                return {"e": base64.b64encode(value.encode("utf-8", "surrogateescape")).decode()}
            return encode_text(value)
        if kind is list:
            return list(map(self.encode, value))
        if kind is dict:
            return {"h": [self.encode(item) for pair in pairs(value) for item in pair]}
        if kind is float:
            return value if math.isfinite(value) else {"f": infinite_text(value)}
        return self.encode_other(kind, value)

    def encode_variable(self, value: Value) -> Any:
        """Return the value of a variable, which Ruby code may change."""
        if not self.templates_see_callers:
            return self.share(value)
        if value.__class__ is list or value.__class__ is dict:
            return self.shared(value, self.encode_symbols)
        return None if value is None else self.encode_symbols(value)

    def share(self, value: Value) -> Any:
        """Return a value whose arrays and hashes are the same objects on both sides."""
        kind = value.__class__
        if kind is list or kind is dict:
            return self.shared(value)
        if kind is str and not self.is_frozen_string(value) and not self.binary:
            return self.shared_string(value)
        if kind is Sensitive:
            return {"s": self.share(value.value)}
        return self.encode(value)

    def parameter(self, value: Value) -> Any:
        """Return the value of a resource's parameter; references are resources, as in Puppet."""
        if isinstance(value, ResourceType | ClassType):
            return encode_reference(value)
        if value.__class__ is list and any(
            isinstance(one, ResourceType | ClassType) for one in value
        ):
            return self.shared(value, lambda items: [self.parameter(item) for item in items])
        return self.share(value)

    def shared_string(self, value: str) -> Any:
        """Return a string by its number; its text is sent once."""
        number = self.hold(value)
        if number in self.sent:
            return {"w": [number]}
        self.sent.add(number)
        return {"w": [number, encode_text(value)]}

    def reword(self, number: int, text: str) -> str:
        """Give the string of a number the text that it has in Ruby."""
        before: str = self.held[number]
        if before == text:
            return before
        self.held[number] = text
        self.former.append(before)
        self.numbers[id(text)] = number
        self.replaced[id(before)] = before, text
        return text

    def shared(self, value: Value, encode: Callable[[Value], Any] | None = None) -> Any:
        """Return an array or hash by its number; its content is sent once.

        With ``encode``, what is in it is not shared.
        """
        number = self.hold(value)
        if number in self.sent:
            return {"m": [number]}
        self.sent.add(number)
        if id(value) in self.views:
            return {"m": [number, self.encode(self.views[id(value)][1]), False]}
        frozen = self.is_frozen(value)
        if encode is not None:
            return {"m": [number, encode(value), frozen]}
        if value.__class__ is list:
            return {"m": [number, list(map(self.share, value)), frozen]}
        items = [
            made for key, item in pairs(value) for made in (self.encode(key), self.share(item))
        ]
        return {"m": [number, {"h": items}, frozen]}

    def fill(self, number: int, content: Any) -> Value:
        """Give an array or hash of a number the content that it has in Ruby; a new number is new here."""
        items = content["h"] if content.__class__ is dict else content
        value: Value = self.held.get(number)
        if value is None:
            value = {} if content.__class__ is dict else []
            self.held[number] = value
            self.numbers[id(value)] = number
            self.sent.add(number)
        found = [self.decode(item) for item in items]
        if content.__class__ is dict:
            value.clear()
            value.update(make_hash(zip(found[::2], found[1::2], strict=True)))
        else:
            value[:] = found
        return value

    def encode_symbols(self, value: Value) -> Any:
        """Return a value for Ruby code of Puppet 3: undef is a symbol, a reference a resource."""
        if value is None or value is UNDEF:
            return {"y": "undef"}
        if value.__class__ is list:
            return list(map(self.encode_symbols, value))
        if value.__class__ is dict:
            return {"h": [self.encode_symbols(item) for pair in pairs(value) for item in pair]}
        if isinstance(value, ResourceType | ClassType):
            return encode_reference(value)
        return self.encode(value)

    def encode_other(self, kind: type, value: Value) -> Any:
        """Return a value of a rarer kind."""
        if value is DEFAULT:
            return {"y": "default"}
        if kind is Array:
            return list(map(self.encode, value))
        if kind is Hash:
            return {"h": [self.encode(item) for pair in pairs(value) for item in pair]}
        if kind is Changeable:
            return self.parameter(value.value)
        if kind is Symbol:
            return {"y": value.name}
        if kind is RubyReference:
            return {"k": value.number}
        if kind is Sensitive:
            return {"s": self.encode(value.value)}
        if kind is Regexp:
            return {"r": [encode_text(value.pattern), value.options]}
        if kind is Binary:
            return {"n": value.base64()}
        if kind is URI:
            return {"u": str(value)}
        if isinstance(value, Scope):
            return {"i": self.hold(value)}
        if kind is LookupContext and self.encode_context is not None:
            return self.encode_context(value)
        return {"o": [self.hold(value), *self.describe(kind, value)]}

    def describe(self, kind: type, value: Value) -> list[Any]:
        """Kind and text of a value that stays here, and other data for its Ruby class."""
        if kind is ResourceType:
            name = capitalize(value.type_name) if value.type_name else None
            return ["PResourceType", to_text(value), name, value.title]
        if kind is ClassType:
            return ["PClassType", to_text(value), value.name]
        if isinstance(value, Type):
            return [f"P{kind.__name__}", encode_text(to_text(value))]
        text = encode_text(to_text(value))
        if kind is Timestamp or kind is Timespan:
            return [HELD_KINDS[kind], text, value.total]
        return [HELD_KINDS.get(kind, "object"), text]

    def encode_old(self, value: Value, name: str) -> Any:
        """Return a value as JSON for functions of the old kind."""
        kind = value.__class__
        if self.only_3x_functions and kind not in AS_TEXT:
            return self.encode_symbols(value)
        if kind is list:
            return [self.encode_old(item, name) for item in value]
        if kind is dict:
            return {"h": [self.encode_old(item, name) for pair in pairs(value) for item in pair]}
        if kind in AS_TEXT:
            return encode_text(to_text(value))
        if kind is Iterator:
            raise issues.ITERATOR_ARGUMENT(name=name)
        if kind is ResourceType and value.title is not None:
            return {"q": [capitalize(value.type_name), encode_text(value.title)]}
        if kind is ClassType and value.name is not None:
            return {"q": ["Class", encode_text(value.name)]}
        return self.share(value) if kind is str else self.encode(value)

    # -- from Ruby -------------------------------------------------------------------------------

    def decode(self, data: Any) -> Value:
        """Return the value of JSON from Ruby."""
        if data.__class__ is list:
            return list(map(self.decode, data))
        if data.__class__ is dict:
            ((tag, content),) = data.items()
            return self.decode_tagged(tag, content)
        return data

    def decode_tagged(self, tag: str, content: Any) -> Value:
        """Return a value that carries a tag."""
        match tag:
            case "h":
                items = [self.decode(item) for item in content]
                return make_hash(zip(items[::2], items[1::2], strict=True))
            case "b":
                return base64.b64decode(content).decode("utf-8", "surrogateescape")
            case "e":
                text = base64.b64decode(content).decode("utf-8", "surrogateescape")
                return self.mark_binary(text)
            case "f":
                return float(content.replace("Infinity", "inf"))
            case "y":
                return DEFAULT if content == "default" else Symbol(content)
            case "k":
                self.note_reference()
                number, group, class_name, is_class, text = content
                return RubyReference(number, group, class_name, is_class, self.decode(text))
            case "s":
                return Sensitive(self.decode(content))
            case "r":
                return Regexp(self.decode(content[0]), content[1])
            case "n":
                return Binary.from_strict_base64(content)
            case "q":
                return reference(content[0], self.decode(content[1]))
            case "u":
                return URI.parse(content)
            case "v":
                return SemVer.parse(content)
            case "t":
                return self.read_type(self.decode(content))
            case "o" | "i":
                return self.held_value(content)
            case "w":
                number, *text = content
                return self.reword(number, self.decode(text[0])) if text else self.held[number]
            case "m":
                number, *more = content
                return self.fill(number, more[0]) if more else self.held_value(number)
        raise AssertionError(tag)  # the shim sends no other


def encode_reference(value: ResourceType | ClassType) -> Any:
    """Return a reference with the attribute that its title gives; a type alone is its name."""
    if isinstance(value, ClassType):
        if value.name is None:
            return "Class"
        name = capitalize(value.name)
        return {"q": ["Class", encode_text(name), ["name", encode_text(name)]]}
    type_name = capitalize(value.type_name or "")
    if value.title is None:
        return encode_text(type_name)
    name, title = title_attribute(value.type_name or "", str(value.title))
    return {"q": [type_name, encode_text(str(value.title)), [name, encode_text(title)]]}


def reference(type_name: str, title: Value) -> Type:
    """Return the reference that a Puppet::Resource of Ruby code is."""
    if type_name == "Class":
        return ClassType(str(title).lower())
    return ResourceType(type_name.lower(), title)


def encode_text(text: str) -> Any:
    """Return a string; in Base64 when it holds bytes that are not UTF-8."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        try:
            data = text.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError:
            data = text.encode("utf-8", "surrogatepass")
        return {"b": base64.b64encode(data).decode("ascii")}
    return text


def infinite_text(value: float) -> str:
    """Return the name of a float that JSON cannot represent."""
    if math.isnan(value):
        return "nan"
    return "Infinity" if value > 0 else "-Infinity"
