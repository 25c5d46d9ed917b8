"""``String(value, format)``: formats for each kind of value, and maps of them for containers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from bunraku.base.bounded_cache import BoundedCache, remembered
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.records import record, replace
from bunraku.formats.encoding import plain_text
from bunraku.types import model as m
from bunraku.types.convert import issues
from bunraku.types.convert.sprintf import sprintf
from bunraku.types.model import Type
from bunraku.types.relations.assignable import is_assignable
from bunraku.types.relations.instance import is_instance
from bunraku.types.text.display import display, double_quoted, quote
from bunraku.types.text.layout import object_on_lines
from bunraku.types.value_text import to_text
from bunraku.values.binary import Binary
from bunraku.values.default import DEFAULT, Default
from bunraku.values.iterator import Iterator
from bunraku.values.keys import pairs
from bunraku.values.numbers import float_text
from bunraku.values.pcore import PcoreObject
from bunraku.values.regexp.regexp import Regexp
from bunraku.values.ruby_object import RubyReference, Symbol
from bunraku.values.sensitive import Sensitive
from bunraku.values.time.timespan import Timespan
from bunraku.values.time.timestamp import Timestamp
from bunraku.values.uri import URI
from bunraku.values.version import SemVer, SemVerRange
from bunraku.values.widths import REASON, is_too_wide

Value = Any

FORMAT = lazy_pattern(r"%([\s\[+#0{<(|-]*)([1-9][0-9]*)?(?:\.([0-9]+))?([a-zA-Z])\n?\Z")
DELIMITERS = {"[": "[]", "{": "{}", "(": "()", "<": "<>", "|": "||"}


@record(frozen=True)
class Format:
    """``%[flags][width][.precision]letter``; ``delimiters`` is empty with the flag space."""

    text: str
    letter: str
    alternate: bool = False
    left: bool = False
    delimiters: str | None = None
    width: int | None = None
    precision: int | None = None
    separator: str | None = None
    separator2: str | None = None
    elements: FormatMap | None = None

    def pad(self, text: str) -> str:
        """Return the text truncated to the precision and padded to the width."""
        if self.precision is not None:
            text = text[: self.precision]
        if self.width is None:
            return text
        return text.ljust(self.width) if self.left else text.rjust(self.width)


FormatMap = list[tuple[Type, Format]]
PARSED: BoundedCache[str, Format] = BoundedCache("formats of texts", 1000)


def parse_format(text: str) -> Format:
    """Return the format that a text spells; raise STRING_FORMAT_INVALID if it is invalid.

    >>> parse_format("%#-8.3x").width
    8
    """
    found = PARSED.get(text)
    if found is not None:
        return found
    match = FORMAT.match(text)
    if match is None:
        raise issues.BAD_FORMAT(format=text)
    flags, width, precision, letter = match.groups()
    if len(set(flags)) < len(flags):
        raise issues.BAD_FORMAT_FLAG(format=text, reason="has a flag twice")
    if is_too_wide(width or "") or is_too_wide(precision or ""):
        raise issues.BAD_FORMAT_FLAG(format=text[:40], reason=f"is too wide: {REASON}")
    delimiters = [flag for flag in flags if flag in DELIMITERS]
    if len(delimiters) > 1:
        raise issues.BAD_FORMAT_FLAG(format=text, reason="has several of the delimiters [ { ( < |")
    found = Format(
        text,
        letter,
        "#" in flags,
        "-" in flags,
        DELIMITERS[delimiters[0]] if delimiters else "" if " " in flags else None,
        int(width) if width else None,
        int(precision) if precision is not None else None,
    )
    return PARSED.keep(text, found)


# -- maps ----------------------------------------------------------------------------------------

ARRAY, HASH = m.ArrayType(), m.HashType()
TOP: FormatMap = [
    (m.FloatType(), parse_format("%f")),
    (m.NUMERIC, parse_format("%d")),
    (ARRAY, parse_format("%a")),
    (HASH, parse_format("%h")),
    (m.BINARY, parse_format("%B")),
    (m.OBJECT, parse_format("%p")),
    (m.ANY, parse_format("%s")),
]
WITHIN: FormatMap = [
    (ARRAY, parse_format("%a")),
    (HASH, parse_format("%h")),
    (m.ANY, parse_format("%p")),
]


# The same two maps by Python's classes, for speed.
TOP_PLACES = {float: 0, int: 1, list: 2, Iterator: 2, dict: 3, Binary: 4, PcoreObject: 5}
WITHIN_PLACES = {list: 0, Iterator: 0, dict: 1}


def merge(lower: FormatMap, higher: FormatMap) -> FormatMap:
    """Return two maps merged; a higher entry replaces lower ones for types that it covers."""
    kept = [
        entry for entry in lower if not any(is_assignable(type_, entry[0]) for type_, _ in higher)
    ]
    return [*higher, *kept]


def find(value: Value, formats: FormatMap) -> Format:
    """Return the format for the narrowest type of a value; the type's text breaks ties."""
    if formats is TOP or formats is WITHIN:
        place = (TOP_PLACES if formats is TOP else WITHIN_PLACES).get(value.__class__, -1)
        return formats[place][1]
    fitting = [entry for entry in formats if covers(entry[0], value)]
    if len(fitting) > 1:
        fitting.sort(key=lambda entry: display(entry[0]))
        for type_, format_ in fitting:
            if not any(
                other is not type_
                and is_assignable(type_, other)
                and not is_assignable(other, type_)
                for other, _ in fitting
            ):
                return format_
    return fitting[0][1] if fitting else TOP[-1][1]


def covers(type_: Type, value: Value) -> bool:
    """Return whether formats for a type are for a value; those for Object are not for types."""
    if type_ is m.OBJECT and isinstance(value, Type):
        return False
    return is_instance(value, type_)


def read_map(given: dict[Any, Value], *, nested: bool = False) -> FormatMap:
    """Return a map from types to formats or, at the top, to hashes with inner formats."""
    entries: FormatMap = []
    types = [type_ for type_, _ in pairs(given) if isinstance(type_, Type)]
    for type_, spec in pairs(given):
        if not isinstance(type_, Type):
            raise issues.FORMAT_KEY(key=to_text(type_))
        if nested and spec.__class__ is not str:
            raise issues.FORMAT_NESTED()
        covered = any(other is not type_ and is_assignable(other, type_) for other in types)
        entries.append((type_, read_spec(spec, adds=type_ in (ARRAY, HASH) and not covered)))
    return entries


SPEC_KEYS = {"format", "separator", "separator2", "string_formats"}


def read_spec(spec: Value, *, adds: bool) -> Format:
    """Return a format from its text or from a hash.

    Its formats for elements ``add`` to the usual ones where the usual format of Array or Hash is not
    replaced by that of a wider type too; else they are all there is.
    """
    if spec.__class__ is str:
        return parse_format(spec)
    if spec.__class__ is not dict or set(spec) - SPEC_KEYS:
        raise issues.FORMAT_SPECIFICATION(keys=", ".join(sorted(SPEC_KEYS)))
    for key in ("format", "separator", "separator2"):
        if key in spec and spec[key].__class__ is not str:
            raise issues.FORMAT_FIELD(key=key)
    found = parse_format(spec.get("format", ""))
    elements = spec.get("string_formats")
    if elements is not None and elements.__class__ is not dict:
        raise issues.FORMAT_ELEMENTS()
    within = None if elements is None else read_map(elements, nested=True)
    if within is not None and adds:
        within = merge(WITHIN, within)
    return replace(
        found,
        separator=spec.get("separator"),
        separator2=spec.get("separator2"),
        elements=within,
    )


@remembered(256)
def single_format(text: str, type_: Type) -> FormatMap:
    """Return the map of one format for one type."""
    return merge(TOP, [(type_, parse_format(text))])


def formats_for(value: Value, given: Value) -> FormatMap:
    """Return the map that an argument of ``String.new`` denotes."""
    if given is DEFAULT:
        return TOP
    if given.__class__ is str and given:
        type_: Type = m.ANY
        if value.__class__ is list:
            type_ = ARRAY
        elif value.__class__ is dict:
            type_ = HASH
        return single_format(given, type_)
    if given.__class__ is dict:
        return merge(TOP, read_map(given))
    raise issues.FORMAT_OF_STRING()


# -- values --------------------------------------------------------------------------------------


def format_value(value: Value, formats: Value = DEFAULT) -> str:
    """Return a value as text by a format or a map of formats by type.

    >>> format_value(255, "%#x"), format_value([1, "a"]), format_value({"a": 1}, "%(h")
    ('0xff', "[1, 'a']", "('a' => 1)")
    """
    if value.__class__ is Iterator:
        # A single format is for iterators as such, which show as arrays.
        value = list(value)
        if formats.__class__ is str and formats:
            parse_format(formats)
            formats = DEFAULT
    if formats is DEFAULT:
        kind = value.__class__
        if kind is str:
            text: str = value
            return text
        if kind is int:
            return str(value)
    elif formats.__class__ is str and formats and not is_container(value):
        return one_text(value, parse_format(formats), 0)
    return shown(value, formats_for(value, formats), 0)


def literal_on_lines(value: Value) -> str:
    """Return a value as in a manifest, with a line for each entry of a hash or a nested array.

    >>> literal_on_lines(["a", 1])
    "['a', 1]"
    >>> print(literal_on_lines({"a": [1]}))
    {
      'a' => [1]
    }
    """
    return format_value(value, {m.CollectionType(): "%#p", m.StringType(): "%p"})


def shown(value: Value, formats: FormatMap, level: int) -> str:
    """Return a value at a level of nesting."""
    format_ = find(value, formats)
    if is_sequence(value):
        return array_text(value, format_, formats, level)
    if value.__class__ is dict:
        return hash_text(value, format_, formats, level)
    return one_text(value, format_, level)


def one_text(value: Value, format_: Format, level: int, lines: bool = False) -> str:
    """Return the text of a value that is not a container; objects may take several lines."""
    text = scalar_text(value, format_)
    if value.__class__ is PcoreObject and (lines or format_.alternate):
        return object_on_lines(value, level)
    return text


def is_sequence(value: Value) -> bool:
    """Return whether a value shows as an array."""
    return value.__class__ is list or value.__class__ is Iterator


def is_container(value: Value) -> bool:
    """Return whether a value holds others."""
    return is_sequence(value) or value.__class__ is dict


def illegal(format_: Format, type_name: str, letters: str) -> Exception:
    """Return the error for a format letter that is invalid for a type."""
    return issues.BAD_FORMAT_LETTER(letter=format_.letter, type=type_name, letters=letters)


def element_text(
    value: Value, format_: Format, formats: FormatMap, level: int, lines: bool = False
) -> str:
    """Return an element's text: containers use the outer map, others the container's map."""
    if value.__class__ is Iterator:
        return shown(list(value), TOP, level)
    if is_container(value):
        return shown(value, formats, level)
    own = find(value, WITHIN if format_.elements is None else format_.elements)
    if value.__class__ is PcoreObject:
        lines = lines or find(value, formats).alternate
    return one_text(value, own, level, lines)


def array_text(values: Iterable[Value], format_: Format, formats: FormatMap, level: int) -> str:
    """Return the text of ``%a``, ``%s``, ``%p`` of an array."""
    if format_.letter not in "asp":
        raise illegal(format_, "Array", "asp")
    items = list(values)
    lines = format_.alternate
    texts = [element_text(item, format_, formats, level + 1, lines) for item in items]
    separator = ", " if format_.separator is None else format_.separator
    opening, closing = delimiters(format_, "[]")
    broken = [is_broken(item, format_, formats) for item in items]
    if not format_.alternate and not any(broken):
        return f"{opening}{separator.join(texts)}{closing}"
    return opening + on_lines(texts, broken, format_, separator, level) + closing


def is_broken(value: Value, format_: Format, formats: FormatMap) -> bool:
    """Return whether an element of an array is on a separate line."""
    if format_.alternate:
        return is_container(value)
    if value.__class__ is list:
        return find(value, formats).alternate
    return value.__class__ is dict and breaks(find(value, formats))


def breaks(format_: Format) -> bool:
    """Return whether a hash shows on several lines."""
    return format_.alternate and format_.letter in "hsp"


def on_lines(
    texts: list[str], broken: list[bool], format_: Format, separator: str, level: int
) -> str:
    """Return the elements on several lines: each container on its own, others if too wide."""
    indent = "\n" + "  " * (level + 1)
    plain = sum(len(text) for text, alone in zip(texts, broken, strict=True) if not alone)
    alternate = format_.alternate
    wide = alternate and format_.width is not None and plain > format_.width
    pieces: list[str] = []
    for index, text in enumerate(texts):
        after = alternate and index > 0 and (wide or broken[index - 1])
        alone = broken[index] or after
        if index:
            pieces.append(separator.rstrip(" ") if alone else separator)
        if alone:
            pieces.append(indent)
        elif wide and index == 0:
            pieces.append(" ")
        pieces.append(text)
    return "".join(pieces)


def delimiters(format_: Format, default: str) -> tuple[str, str]:
    """Return the delimiters around the elements."""
    pair = default if format_.delimiters is None else format_.delimiters
    return (pair[0], pair[1]) if pair else ("", "")


def hash_text(value: dict[Any, Value], format_: Format, formats: FormatMap, level: int) -> str:
    """Return the text of ``%h``, ``%s``, ``%p`` of a hash; ``%a`` shows it as an array of pairs."""
    if format_.letter == "a":
        entries = [[key, item] for key, item in pairs(value)]
        return shown(entries, formats, level)
    if format_.letter not in "hsp":
        raise illegal(format_, "Hash", "hasp")
    separator = ", " if format_.separator is None else format_.separator
    arrow = " => " if format_.separator2 is None else format_.separator2
    opening, closing = delimiters(format_, "{}")
    texts = [
        element_text(key, format_, formats, level + 1)
        + arrow
        + element_text(item, format_, formats, level + 1)
        for key, item in pairs(value)
    ]
    if not format_.alternate:
        return f"{opening}{separator.join(texts)}{closing}"
    indent = "  " * (level + 1)
    between = separator.rstrip(" ") + "\n" + indent
    content = indent + between.join(texts) if texts else ""
    return f"{opening}\n{content}\n{'  ' * level}{closing}"


# -- scalars -------------------------------------------------------------------------------------

INTEGER_LETTERS = "dxXobBeEfgGaAspc"
FLOAT_LETTERS = "dxXobBeEfgGaAsp"
BOOLEAN_LETTERS = "tTyYdxXobBeEfgGaAsp"
UNDEF_LETTERS = "nudxXobBeEfgGaAvVsp"


def text_or_quoted(text: str, format_: Format) -> str:
    """Return the text of ``%s``, with ``#`` in double quotes."""
    return format_.pad(f'"{text}"' if format_.alternate else text)


def integer_text(value: int, format_: Format) -> str:
    """Return the text of an Integer."""
    letter = format_.letter
    if letter in "dxXobB":
        return sprintf(format_.text, [value])
    if letter in "eEfgGaA":
        return sprintf(format_.text, [float(value)])
    if letter == "p":
        return format_.pad(str(value))
    if letter == "s":
        return text_or_quoted(str(value), format_)
    if letter == "c":
        if not 0 <= value < 0x110000:
            raise issues.FORMAT_CHARACTER(value=value)
        return text_or_quoted(plain_text(chr(value)), format_)
    raise illegal(format_, "Integer", INTEGER_LETTERS)


def real_text(value: float, format_: Format) -> str:
    """Return the text of a Float."""
    letter = format_.letter
    if letter in "eEfgGaAdxXobB":
        return sprintf(format_.text, [value])
    if letter == "p":
        return format_.pad(float_text(value))
    if letter == "s":
        return text_or_quoted(float_text(value), format_)
    raise illegal(format_, "Float", FLOAT_LETTERS)


def capitalized(text: str) -> str:
    """Return the text with its first letter in upper case, the others in lower case."""
    return text[:1].upper() + text[1:].lower()


STRING_CHANGES: dict[str, Callable[[str], str]] = {
    "s": str,
    "c": capitalized,
    "C": lambda text: "::".join(map(capitalized, text.split("::"))),
    "u": str.upper,
    "d": str.lower,
    "t": lambda text: text.strip(" \t\n\v\f\r\0"),
}


def string_text(value: str, format_: Format) -> str:
    """Return the text of a String."""
    letter = format_.letter
    if letter == "p":
        return format_.pad(double_quoted(value) if format_.alternate else quote(value))
    change = STRING_CHANGES.get(letter)
    if change is None:
        raise illegal(format_, "String", "cCudspt")
    if letter == "s":
        return format_.pad(value)
    text = change(value)
    return format_.pad(quote(text) if format_.alternate else text)


def boolean_text(value: bool, format_: Format) -> str:
    """Return the text of a Boolean."""
    letter = format_.letter
    names = {"t": "true", "T": "True", "y": "yes", "Y": "Yes"} if value else FALSE_NAMES
    if letter in names:
        return format_.pad(names[letter][:1] if format_.alternate else names[letter])
    if letter in "sp":
        return format_.pad("true" if value else "false")
    if letter in "dxXobB":
        return sprintf(format_.text, [int(value)])
    if letter in "eEfgGaA":
        return sprintf(format_.text, [float(value)])
    raise illegal(format_, "Boolean", BOOLEAN_LETTERS)


FALSE_NAMES = {"t": "false", "T": "False", "y": "no", "Y": "No"}


def undef_text(_value: None, format_: Format) -> str:
    """Return the text of undef."""
    letter, alternate = format_.letter, format_.alternate
    if letter not in UNDEF_LETTERS:
        raise illegal(format_, "Undef", UNDEF_LETTERS)
    match letter:
        case "n":
            text = "null" if alternate else "nil"
        case "u":
            text = "undefined" if alternate else "undef"
        case "v":
            text = "n/a"
        case "V":
            text = "N/A"
        case "s":
            text = '""' if alternate else ""
        case "p":
            text = '"undef"' if alternate else "undef"
        case _:
            text = "NaN"
    return format_.pad(text)


def default_text(_value: Default, format_: Format) -> str:
    """Return the text of ``default``."""
    if format_.letter not in "dDsp":
        raise illegal(format_, "Default", "dDsp")
    text = "Default" if format_.letter == "D" else "default"
    return text_or_quoted(text, format_)


def regexp_text(value: Regexp, format_: Format) -> str:
    """Return the text of a Regexp."""
    if format_.letter == "p":
        return format_.pad(str(value))
    if format_.letter != "s":
        raise illegal(format_, "Regexp", "sp")
    text = value.source_text()
    return format_.pad(quote(text) if format_.alternate else text)


def binary_text(value: Binary, format_: Format) -> str:
    """Return the text of a Binary."""
    match format_.letter:
        case "s" if format_.alternate:
            return format_.pad(f'"{escaped_bytes(value.data)}"')
        case "s":
            try:
                text = value.text()
            except UnicodeDecodeError:
                raise issues.NOT_UTF8(size=len(value)) from None
        case "p":
            return f'Binary("{format_.pad(value.base64())}")'
        case "b":
            text = value.base64_lines()
            if format_.alternate:
                text = text.replace("\n", "\\n")
        case "B":
            text = value.base64()
        case "u":
            text = value.url_safe_base64()
        case "t":
            text = "Binary"
        case "T":
            text = "BINARY"
        case _:
            raise illegal(format_, "Binary", "bButTsp")
    return text_or_quoted(text, format_)


ESCAPED_BYTES = {7: "a", 8: "b", 9: "t", 10: "n", 11: "v", 12: "f", 13: "r", 27: "e"}


def escaped_bytes(data: bytes) -> str:
    r"""Return bytes as Ruby shows a binary string, without the quotes.

    >>> escaped_bytes(b'j\x96"#{\n')
    'j\\x96\\"\\#{\\n'
    """
    parts = []
    for at, byte in enumerate(data):
        if byte in ESCAPED_BYTES:
            parts.append(f"\\{ESCAPED_BYTES[byte]}")
        elif byte in b'"\\' or (byte == 35 and data[at + 1 : at + 2] in {b"{", b"$", b"@"}):
            parts.append(f"\\{chr(byte)}")
        else:
            parts.append(chr(byte) if 32 <= byte < 127 else f"\\x{byte:02X}")
    return "".join(parts)


def uri_text(value: URI, format_: Format) -> str:
    """Return the text of a URI."""
    if format_.letter == "p":
        return f"URI({quote(str(value))})"
    if format_.letter != "s":
        raise illegal(format_, "URI", "sp")
    return format_.pad(quote(str(value)) if format_.alternate else str(value))


def type_text(value: Type, format_: Format) -> str:
    """Return the text of a type."""
    text = display(value)
    if format_.letter == "p":
        return format_.pad(text)
    if format_.letter != "s":
        raise illegal(format_, "Type", "sp")
    return text_or_quoted(text, format_)


def object_text(value: PcoreObject, format_: Format) -> str:
    """Return the text of an object as its constructor call, regardless of the width."""
    if format_.letter not in "spq" and not value.type.all_type_parameters():
        raise illegal(format_, "Object", "spq")
    return to_text(value)


def time_text(value: Timespan | Timestamp, format_: Format) -> str:
    """Return the text of a time; number formats show its seconds."""
    if format_.letter in "dxXobBcui":
        return sprintf(format_.text, [value.total // 1_000_000_000])
    if format_.letter in "eEfgGaA":
        return sprintf(format_.text, [value.as_number()])
    name = value.__class__.__name__
    if format_.letter == "p":
        return format_.pad(f"{name}('{value}')")
    if format_.letter != "s":
        raise illegal(format_, name, "dxXobBcuieEfgGaAsp")
    return format_.pad(str(value))


def other_text(value: Value, format_: Format) -> str:
    """Return the text of a version, a range or a secret."""
    if format_.letter not in "sp":
        raise illegal(format_, value.__class__.__name__, "sp")
    text = to_text(value)
    if format_.letter == "p":
        if value.__class__ is Sensitive:
            text = f"#<{text}>"
        elif value.__class__ is SemVerRange:
            text = value.canonical()
    return format_.pad(text)


def ruby_object_text(value: Symbol | RubyReference, format_: Format) -> str:
    """Return the text of a symbol or object of Ruby."""
    if format_.letter not in "spq":
        raise illegal(format_, "Runtime", "spq")
    if format_.letter == "q":
        return format_.pad(repr(value))
    is_class = value.__class__ is RubyReference and value.is_class
    return format_.pad(quote(str(value)) if format_.letter == "p" and not is_class else str(value))


RULES: dict[type, Callable[[Any, Format], str]] = {
    int: integer_text,
    float: real_text,
    str: string_text,
    bool: boolean_text,
    type(None): undef_text,
    Default: default_text,
    Regexp: regexp_text,
    Binary: binary_text,
    URI: uri_text,
    PcoreObject: object_text,
    Timespan: time_text,
    Timestamp: time_text,
    SemVer: other_text,
    SemVerRange: other_text,
    Sensitive: other_text,
    Symbol: ruby_object_text,
    RubyReference: ruby_object_text,
}


def scalar_text(value: Value, format_: Format) -> str:
    """Return the text of a value that is not a container."""
    if format_.delimiters:
        check_delimiters(value, format_)
    rule = RULES.get(value.__class__)
    if rule is not None:
        return rule(value, format_)
    return type_text(value, format_) if isinstance(value, Type) else other_text(value, format_)


PASSES_OVER = frozenset({bool, Default, PcoreObject, URI})


def check_delimiters(value: Value, format_: Format) -> None:
    """Delimiters are for containers; where Puppet passes over them, so do we."""
    kind = value.__class__
    if value is None or kind in PASSES_OVER:
        return
    if kind is str and (format_.letter == "p" or (format_.alternate and format_.letter != "s")):
        return
    raise issues.BAD_FORMAT_FLAG(
        format=format_.text, reason="has a delimiter, which is only valid for arrays and hashes"
    )
