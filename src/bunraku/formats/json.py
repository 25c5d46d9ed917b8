"""JSON as bunraku reads and writes it."""

from __future__ import annotations

import binascii
import json
import math
import re
from collections.abc import Callable, Mapping

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.lazy_typing import TYPE_CHECKING, Any
from bunraku.base.records import record
from bunraku.formats.encoding import to_bytes
from bunraku.formats.failure import FormatError, Unwritable
from bunraku.formats.issues import NUMBER_NOT_JSON
from bunraku.values.keys import from_key, pairs
from bunraku.values.numbers import number_text

if TYPE_CHECKING:
    from typing import NoReturn

ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))
scalar = ENCODER.encode
LENIENT_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
quoted = json.encoder.encode_basestring
# A pair of surrogates is one character; each group is a surrogate on its own.
SURROGATES = lazy_pattern(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    r"|u([dD][89a-fA-F][0-9a-fA-F]{2})|.)",
    re.DOTALL,
)
CONSTANT = lazy_pattern(r'"(?:[^"\\]|\\.)*"|(NaN|-?Infinity)', re.DOTALL)

COMMENT = lazy_pattern(r'("(?:[^"\\]|\\.)*")|/\*.*?\*/|//[^\n]*(?=\n)', re.DOTALL)
DEEPEST = 100


class ForbiddenConstant(Exception):
    """A number that Python's JSON has and the standard does not."""


def parse_json(content: str | bytes) -> Any:
    r"""Return the data of JSON text; bytes that are not UTF-8 are kept as surrogates.

    A surrogate without its other half becomes the three bytes that Ruby writes for it so that it
    can be written. Raises FormatError with the place.

    >>> parse_json('{"a": ["\\ud83d\\ude00", "\\ud800"]}')
    {'a': ['😀', '\udced\udca0\udc80']}
    >>> parse_json("[1,\n 2}")
    Traceback (most recent call last):
    ...
    bunraku.formats.failure.FormatError: Expecting ',' delimiter
    """
    text = content.decode("utf-8", "surrogateescape") if isinstance(content, bytes) else content
    try:
        data = json.loads(text, parse_constant=refuse_constant)
        if "\\u" in text and (plain := SURROGATES.sub(as_bytes, text)) != text:
            data = json.loads(plain, parse_constant=refuse_constant)
    except json.JSONDecodeError as error:
        if text.startswith("\ufeff"):
            raise FormatError("it starts with a byte order mark", 1, 1) from None
        raise trailing_comma(error) or FormatError(error.msg, error.lineno, error.colno) from None
    except ForbiddenConstant as error:
        raise FormatError(f"{error} is not a number", *constant_place(text)) from None
    except RecursionError:
        raise FormatError("it is nested too deeply") from None
    except ValueError:  # all other texts that are not JSON are a JSONDecodeError
        raise FormatError("an integer has too many digits") from None
    return data


def parse_commented_json(text: str) -> Any:
    """Return the data of JSON with comments, at most 100 levels deep, as Ruby's library reads it.

    Raises FormatError.

    >>> parse_commented_json('{"a": /* one */ [1, null]} ')
    {'a': [1, None]}
    """
    if "/" in text:
        text = COMMENT.sub(lambda found: found[1] or " ", text)
    value = parse_json(text)
    if text.count("[") + text.count("{") > DEEPEST and depth_of(value) > DEEPEST:
        raise FormatError("it is nested too deeply")
    return value


def depth_of(value: Any) -> int:
    """Return how deep arrays and hashes are nested."""
    kind = value.__class__
    if kind is not list and kind is not dict:
        return 0
    return 1 + max(map(depth_of, value if kind is list else value.values()), default=0)


def trailing_comma(error: json.JSONDecodeError) -> FormatError | None:
    """Return the error for a comma before a closing bracket; None for any other mistake.

    Python reports the comma since 3.13, and earlier the bracket as a missing key or value.
    """
    closing = error.doc[error.pos : error.pos + 1]
    before = error.doc[: error.pos].rstrip(" \t\r\n")
    if closing not in {"}", "]"} or not before.endswith(","):
        return None
    kind = "object" if closing == "}" else "array"
    line = before.count("\n") + 1
    column = len(before) - (before.rfind("\n") + 1)
    return FormatError(f"Illegal trailing comma before end of {kind}", line, column)


def refuse_constant(name: str) -> NoReturn:
    """Raise ForbiddenConstant for ``NaN`` and ``Infinity``."""
    raise ForbiddenConstant(name)


def constant_place(text: str) -> tuple[int | None, int | None]:
    """Return line and column of the first such constant."""
    for found in CONSTANT.finditer(text):
        if found[1]:
            before = text.rfind("\n", 0, found.start())
            return text.count("\n", 0, found.start()) + 1, found.start() - before
    return None, None


def as_bytes(escape: re.Match[str]) -> str:
    """Return the bytes of a single surrogate; any other escape unchanged."""
    if escape[1] is None:
        return escape[0]
    encoded = chr(int(escape[1], 16)).encode("utf-8", "surrogatepass")
    return encoded.decode("utf-8", "surrogateescape")


def json_text(data: Any, *, indent: bool = False) -> str:
    """Return data as JSON, on one line or indented by two spaces.

    Raises PuppetError for NaN and infinite numbers.

    >>> json_text({"é": [1, None]})
    '{"é":[1,null]}'
    >>> print(json_text({"é": [1, {}]}, indent=True))
    {
      "é": [
        1,
        {}
      ]
    }
    """
    try:
        return indented(data, "\n") if indent else scalar(data)
    except ValueError:
        raise NUMBER_NOT_JSON() from None


def lenient_json_text(data: Any) -> str:
    """Return data as JSON on one line, with NaN and infinite numbers as Python writes them.

    For programs of bunraku that read it again: workers and the Ruby process.

    >>> lenient_json_text({"é": float("inf")})
    '{"é":Infinity}'
    """
    return LENIENT_ENCODER.encode(data)


def ascii_json_text(data: Any) -> str:
    """Return data as JSON on one line in ASCII; all other characters are escaped.

    >>> ascii_json_text({"é": [1, None]})
    '{"\\\\u00e9": [1, null]}'
    """
    return json.dumps(data)


def as_json(value: Any, known: dict[int, Any] | None = None) -> Any:
    """Return data with the keys that JSON gives them: text.

    Values that YAML aliases share stay shared; ``known`` has the converted values by identity.

    >>> as_json({1: [{True: 2.5}]})
    {'1': [{'true': 2.5}]}
    """
    if not isinstance(value, Mapping | list):
        return value
    known = {} if known is None else known
    found = known.get(id(value))
    if found is None:
        if isinstance(value, Mapping):
            found = {
                key if isinstance(key, str) else key_name(key): as_json(item, known)
                for key, item in value.items()
            }
        else:
            found = [as_json(item, known) for item in value]
        known[id(value)] = found
    return found


def key_name(key: Any) -> str:
    """Return the text of a key that is not text."""
    plain = from_key(key)
    return json_text(as_json(plain)) if plain is not None else ""


def indented(value: Any, newline: str) -> str:
    """Return JSON with one item on each line; ``newline`` is the line end with its indentation.

    The ``json`` package indents through nested generators, which takes half as long again.
    """
    if value is True or value is False:
        return "true" if value else "false"
    if isinstance(value, dict):
        inner = f"{newline}  "
        parts = [
            f"{quoted(key)}: {quoted(item) if item.__class__ is str else indented(item, inner)}"
            if key.__class__ is str
            else f"{key_text(key)}: {indented(item, inner)}"
            for key, item in value.items()
        ]
        return f"{{{inner}{f',{inner}'.join(parts)}{newline}}}" if parts else "{}"
    if isinstance(value, list | tuple):
        inner = f"{newline}  "
        parts = [quoted(item) if item.__class__ is str else indented(item, inner) for item in value]
        return f"[{inner}{f',{inner}'.join(parts)}{newline}]" if parts else "[]"
    if value.__class__ is bool:
        return "true" if value else "false"
    return int.__repr__(value) if value.__class__ is int else scalar(value)


def key_text(key: Any) -> str:
    """Return a key that is not a string, as JSON writes it.

    >>> key_text(1), key_text(None)
    ('"1"', '"null"')
    """
    return scalar({key: 0})[1:-3]


def clean_json_text(data: Any) -> str:
    """Return indented JSON in valid UTF-8; invalid bytes are replaced."""
    text = json_text(data, indent=True)
    return to_bytes(text).decode("utf-8", "replace") + "\n"


def encode_line(data: Any) -> bytes:
    r"""Return a line of JSON; the batch protocol has own forms for infinities and invalid UTF-8.

    >>> encode_line({"a": "\udcff", "b": float("inf")})
    b'{"a":{"__bytes":"/w=="},"b":{"__float":"Infinity"}}\n'
    """
    try:
        return scalar(data).encode("utf-8") + b"\n"
    except ValueError:  # rare: replace values that JSON cannot represent
        return scalar(plain(data)).encode("utf-8") + b"\n"


def plain(value: Any) -> Any:
    """Return the value in a form that JSON can represent."""
    match value:
        case str():
            return plain_text(value)
        case float() if not math.isfinite(value):
            return {"__float": "NaN" if math.isnan(value) else f"{'-' * (value < 0)}Infinity"}
        case dict():
            return {plain_key(key): plain(item) for key, item in value.items()}
        case list() | tuple():
            return [plain(item) for item in value]
        case _:
            return value


def plain_text(text: str) -> Any:
    """Return the text, or an object with its bytes if it is not UTF-8."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return {"__bytes": binascii.b2a_base64(to_bytes(text), newline=False).decode("ascii")}
    return text


def plain_key(key: Any) -> str:
    r"""Return a key as text; bytes that are not UTF-8 become backslash escapes.

    >>> plain_key("a\udcff")
    'a\\xff'
    """
    return to_bytes(str(key)).decode("utf-8", "backslashreplace")


@record(frozen=True)
class Layout:
    """The blanks between the parts of JSON and the deepest nesting, as Ruby's generator has them."""

    indent: str = ""
    space: str = ""
    space_before: str = ""
    object_nl: str = ""
    array_nl: str = ""
    allow_nan: bool = False
    max_nesting: int = 100


COMPACT = Layout()
PRETTY = Layout(indent="  ", space=" ", object_nl="\n", array_nl="\n")


@record(frozen=True)
class JsonWriter:
    """Write values of Puppet in a layout; ``text_of`` returns the text of those that JSON lacks.

    >>> JsonWriter(PRETTY, str).text({"a": [None]})
    '{\\n  "a": [\\n    null\\n  ]\\n}'
    """

    layout: Layout
    text_of: Callable[[Any], str]

    def text(self, value: Any, depth: int = 0) -> str:
        """Return the JSON of a value at a depth; raise Unwritable."""
        kind = value.__class__
        if value is None:
            return "null"
        if kind is bool:
            return "true" if value else "false"
        if kind is list:
            return self.array(value, depth + 1)
        if kind is dict:
            return self.object(value, depth + 1)
        if kind is float and not (math.isfinite(value) or self.layout.allow_nan):
            raise Unwritable(number_text(value))
        if kind is int or kind is float:
            return number_text(value)
        return self.string(self.text_of(value))

    def string(self, text: str) -> str:
        """Return a string in its quotes."""
        if not text.isascii() and re.search("[\ud800-\udfff]", text):
            raise Unwritable("a string that is not UTF-8")
        return quoted(text)

    def check_depth(self, depth: int) -> None:
        """Raise Unwritable for a value that is nested too deeply."""
        if 0 < self.layout.max_nesting < depth:
            raise Unwritable(f"a nesting of {depth}")

    def array(self, values: list[Any], depth: int) -> str:
        """Return an array in its brackets."""
        self.check_depth(depth)
        layout = self.layout
        inner, outer = layout.indent * depth, layout.indent * (depth - 1)
        body = f",{layout.array_nl}".join(inner + self.text(item, depth) for item in values)
        return f"[{layout.array_nl}{body}{layout.array_nl}{outer}]"

    def object(self, entries: dict[Any, Any], depth: int) -> str:
        """Return an object in its braces."""
        self.check_depth(depth)
        layout = self.layout
        inner, outer = layout.indent * depth, layout.indent * (depth - 1)
        between = f"{layout.space_before}:{layout.space}"
        body = f",{layout.object_nl}".join(
            inner + self.string(self.text_of(key)) + between + self.text(item, depth)
            for key, item in pairs(entries)
        )
        start = layout.object_nl if entries else ""
        return f"{{{start}{body}{layout.object_nl}{outer}}}"
