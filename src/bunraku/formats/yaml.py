"""YAML as Ruby reads it: libyaml's events, plain scalars by the rules of Psych 4.

Differences from PyYAML's own loader: ``1,000`` is a number, ``12:30`` is 45000, ``y`` and ``=`` are
strings, tags are mostly ignored, and dates, times and Ruby objects are refused.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Callable, Collection
from functools import partial
from typing import Any

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.formats.failure import FormatError
from bunraku.values.keys import as_key

TIME = lazy_pattern(
    r"^-?[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|\s+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?"
    r"(?:\s*(?:Z|[-+][0-9]{1,2}:?(?:[0-9]{2})?))?$"
)
DATE = lazy_pattern(r"^[0-9]{4}-(?:1[012]|0[0-9]|[0-9])-(?:[12][0-9]|3[01]|0[0-9]|[0-9])$")
WORD = lazy_pattern(r"^[^0-9.:\-]?(?:[^\W\d]|[\s!@#$%^&*(){}<>|/\\~;=])+", re.MULTILINE)
BASE_60 = lazy_pattern(r"^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9]){1,2}$")
BASE_60_FLOAT = lazy_pattern(r"^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9]){1,2}\.[0-9_]*$")
FLOAT = lazy_pattern(r"^[-+]?(?:[0-9][0-9_,]*)?\.[0-9]*(?:[eE][-+][0-9]+)?$")
INTEGER = lazy_pattern(
    r"^(?:[-+]?0b[01_,]+|[-+]?0[0-7_,]+|[-+]?(?:0|[1-9](?:[0-9]|,[0-9]|_[0-9])*)"
    r"|[-+]?0x[0-9a-fA-F_,]+)$"
)
# The first characters of plain scalars that are not strings.
SHORT_WORDS: dict[str, Any] = {
    "~": None,
    "null": None,
    **dict.fromkeys(("yes", "true", "on"), True),
    **dict.fromkeys(("no", "false", "off"), False),
}
STRING_TAGS = frozenset({"tag:yaml.org,2002:str", "!str", "!ruby/string"})
BINARY_TAGS = frozenset({"tag:yaml.org,2002:binary", "!binary"})
FLOAT_TAGS = frozenset({"tag:yaml.org,2002:float", "!float"})


class Symbol(str):
    """A Ruby symbol (``:name``): allowed as a key, where it becomes a string."""

    __slots__ = ()


class YamlError(FormatError):
    """YAML that cannot be read, or has values that Puppet refuses to load.

    ``context`` is the place that Ruby's library names: where the broken collection begins.
    """

    context: tuple[int, int] | None = None


class TooLong(ValueError):
    """An integer of more digits than Python reads."""


class RefusedScalar(Exception):
    """A scalar of a kind that Puppet refuses to load."""


def load_plain(content: bytes | str, classes: Collection[str] | None = None) -> Any:
    """Return the first document of a YAML text; objects become hashes, dates and symbols text.

    So Puppet's own files are read: stored facts, nodes and catalogs. An empty text is None. If
    ``classes`` are given, objects of other Ruby classes are an error, as in Puppet's ``safe_load``.

    >>> load_plain("!ruby/object:Facts {name: a, !ruby/sym b: 2001-01-01, c: ':d'}")
    {'name': 'a', 'b': '2001-01-01', 'c': ':d'}
    """
    if classes is None:
        found = loaded(content, plain_scalar, accept)
    else:
        refuse = partial(refuse_other_classes, classes)
        found = loaded(content, partial(checked_scalar, refuse), refuse)
    return None if found is False else found


def load(content: bytes | str) -> Any:
    """Return the first document of a YAML text; False for an empty one, as in Puppet.

    Objects, dates and times are refused as Puppet does in data of Hiera. Raises YamlError.

    >>> load("a: [12:30, yes, y, 0777, -.5]")
    {'a': [45000, True, 'y', 511, -0.5]}
    """
    return loaded(content, scalar, refuse_objects)


def loaded(
    content: bytes | str,
    scalar: Callable[[Any], Any],
    check: Callable[[Any], None],
    *,
    aliases: bool = True,
) -> Any:
    """Return the first document of a text; ``check`` is called with the start of each collection."""
    import yaml  # a heavy one, and not every compile has data

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        if isinstance(content, str):
            content = content.encode("utf-8", "surrogateescape")
        return build(loader(content).get_event, scalar, check, aliases=aliases)
    except UnicodeEncodeError:
        raise YamlError("it has a surrogate, which is not a character") from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = (mark.line + 1, mark.column + 1) if mark else (None, None)
        failure = YamlError(reason(error), *place)
        context = error.context_mark or mark
        failure.context = (context.line + 1, context.column + 1) if context else None
        raise failure from None
    except yaml.YAMLError as error:
        raise YamlError(reason(error)) from None


def reason(error: Any) -> str:
    """Return what PyYAML says is wrong, without the place.

    >>> import yaml
    >>> try:
    ...     yaml.compose("a: [")
    ... except yaml.YAMLError as error:
    ...     print(reason(error))
    expected the node content, but found '<stream end>' while parsing a flow node
    """
    problem = getattr(error, "problem", None) or str(error).partition("\n")[0]
    text = " ".join(filter(None, (problem, getattr(error, "context", None))))
    return TOO_DEEP if LIMIT_OF_LIBYAML in text else text


class Level:
    """An unfinished sequence or mapping; ``size`` counts the values read into it."""

    __slots__ = ("anchor", "is_list", "key", "key_is_tagged", "size", "value")

    def __init__(self, value: Any, anchor: str | None) -> None:
        self.value = value
        self.anchor = anchor
        self.is_list = value.__class__ is list
        self.size = 1
        self.key: Any = NO_KEY
        self.key_is_tagged = False


DEEPEST = 300
"""The deepest accepted value; deeper ones are refused, because functions on data are recursive."""

TOO_DEEP = "it is nested too deeply"
LIMIT_OF_LIBYAML = "exceeded maximum nesting depth"
"""What libyaml 0.2.6 says of more than 1,000 levels, which it meets before it has an event for them."""

LONGEST_NUMBER = 4000
"""Digits of an integer that Python reads in any case."""

MOST_ALIASED = 2_000_000
"""Most values to which the aliases of a document may expand, each counted at every use."""

HARMLESS_TAGS = frozenset(["!ruby/sym", "!ruby/symbol", "!ruby/hash", "!ruby/array"])
"""Tags of Ruby's own values, which need no class."""

NO_KEY = object()
UNFINISHED = object()


def build(
    next_event: Any,
    scalar: Callable[[Any], Any],
    check: Callable[[Any], None],
    *,
    aliases: bool = True,
) -> Any:
    """Build the value of the first document from parser events, without recursion."""
    import yaml

    anchors: dict[str, tuple[Any, int]] = {}
    aliased = 0
    levels: list[Level] = []
    level: Level | None = None
    while True:
        event = next_event()
        kind = event.__class__
        merges = False
        if kind is yaml.ScalarEvent:
            try:
                value = scalar(event)
            except (RefusedScalar, ValueError) as error:
                raise YamlError(str(error), event.start_mark.line + 1) from None
            size = 1
            if event.anchor:
                anchors[event.anchor] = value, size
        elif kind is yaml.MappingStartEvent or kind is yaml.SequenceStartEvent:
            check(event)
            if event.anchor:
                anchors[event.anchor] = UNFINISHED, 0
            if len(levels) >= DEEPEST:
                raise YamlError(TOO_DEEP, event.start_mark.line + 1)
            levels.append(
                level := Level([] if kind is yaml.SequenceStartEvent else {}, event.anchor)
            )
            level.key_is_tagged = event.tag in {"tag:yaml.org,2002:omap", "!omap"}
            continue
        elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
            done = levels.pop()
            value, merges = done.value, True
            if done.is_list and done.key_is_tagged:
                value = ordered_map(value, event)
            size = done.size
            if done.anchor:
                anchors[done.anchor] = value, size
            level = levels[-1] if levels else None
        elif kind is yaml.AliasEvent:
            if not aliases:
                raise YamlError("aliases are not allowed", event.start_mark.line + 1)
            (value, size), merges = anchors.get(event.anchor, (NO_KEY, 0)), True
            if value is NO_KEY or value is UNFINISHED:
                problem = "unknown alias" if value is NO_KEY else "a value contains itself:"
                raise YamlError(f"{problem} '{event.anchor}'", event.start_mark.line + 1)
            aliased += size
            if aliased > MOST_ALIASED:
                problem = f"its aliases expand to more than {MOST_ALIASED} values"
                raise YamlError(problem, event.start_mark.line + 1)
        elif kind is yaml.StreamEndEvent:
            return False
        else:
            continue
        if level is None:
            return False if value is None else value
        level.size += size
        add(level, value, event, merges=merges)


def ordered_map(entries: list[Any], event: Any) -> dict[Any, Any]:
    """Return the hash of an ``!!omap``, a list of hashes."""
    if not all(entry.__class__ is dict for entry in entries):
        raise YamlError("!!omap must be a list of hashes", event.start_mark.line + 1)
    return {key: item for entry in entries for key, item in entry.items()}


def add(level: Level, value: Any, event: Any, *, merges: bool) -> None:
    """Put a finished value where it belongs: into the list, as a key, or under the waiting key."""
    if level.is_list:
        level.value.append(value)
    elif level.key is NO_KEY:
        level.key = value
        level.key_is_tagged = getattr(event, "tag", None) == "tag:yaml.org,2002:str"
    else:
        key, level.key = level.key, NO_KEY
        if key == "<<" and merges and not level.key_is_tagged and merge(level.value, value):
            return
        level.value[key if key.__class__ is str else as_key(key)] = value


def merge(target: dict[Any, Any], value: Any) -> bool:
    """Merge ``<<: value``; return False if the value is neither a mapping nor a list of them."""
    if value.__class__ is dict:
        target.update(value)
        return True
    if value.__class__ is list and all(item.__class__ is dict for item in value):
        merged: dict[Any, Any] = {}
        for item in reversed(value):
            merged.update(item)
        target.update(merged)
        return True
    return False


def accept(_event: Any) -> None:
    """Accept a collection of any kind."""


def refuse_other_classes(classes: Collection[str], event: Any) -> None:
    """Raise YamlError for an object, or another value, of a Ruby class that is not in ``classes``."""
    tag = event.tag or ""
    if not tag.startswith("!ruby/") or tag in HARMLESS_TAGS:
        return
    if tag.partition(":")[2] not in classes:
        raise YamlError(f"values of kind {event.tag} are not allowed", event.start_mark.line + 1)


def checked_scalar(check: Callable[[Any], None], event: Any) -> Any:
    """Return the value of a scalar event after a check of its kind."""
    check(event)
    return plain_scalar(event)


def refuse_objects(event: Any) -> None:
    """Ruby objects and sets are not loaded."""
    tag = event.tag
    if tag and (tag.startswith("!ruby/") or tag in {"!set", "tag:yaml.org,2002:set"}):
        if not tag.startswith(("!ruby/hash", "!ruby/array")) or ":" in tag:
            raise YamlError(f"values of kind {tag} are not allowed", event.start_mark.line + 1)


def scalar(event: Any) -> Any:
    """Return the value of a scalar event."""
    text, tag = event.value, event.tag
    if event.implicit[1]:  # quoted, or a block
        return text
    if tag is None:
        return plain(text)
    if tag in STRING_TAGS:
        return text
    if tag in BINARY_TAGS:
        return binascii.a2b_base64(text.encode("utf-8", "surrogateescape")).decode(
            "utf-8", "surrogateescape"
        )
    if tag in FLOAT_TAGS:
        value = plain(text)
        return float(value) if isinstance(value, int | float) else float(str(value))
    if tag.startswith("!ruby/sym"):
        return Symbol(text)
    if tag.startswith(("!ruby/", "!str:")):
        raise RefusedScalar(f"values of kind {tag} are not allowed")
    return plain(text)


def plain_scalar(event: Any) -> Any:
    """Return the value of a scalar event, or its text if it has no data value; refuse nothing."""
    try:
        value = scalar(event)
    except TooLong:
        raise
    except (RefusedScalar, ValueError):
        return event.value
    return str(value) if value.__class__ is Symbol else value


def plain(text: str) -> Any:
    """Return the value of a plain scalar.

    >>> [plain(text) for text in ("~", "On", "0b11", "1:2.5", "1e3", ".inf", "08", "+1.")]
    [None, True, 3, 3750.0, '1e3', inf, '08', 1.0]
    """
    if not text:
        return None
    if WORD.search(text) or "\n" in text:
        return text if len(text) > 5 else SHORT_WORDS.get(text.lower(), text)
    if TIME.search(text):
        raise RefusedScalar(f"a time is not a data value; put it in quotes: {text}")
    if DATE.search(text):
        raise RefusedScalar(f"a date is not a data value; put it in quotes: {text}")
    if text[0] in ".+-" and text.lower() in {".inf", "+.inf", "-.inf", ".nan"}:
        return float(text.replace(".", "", 1))
    if text[0] == ":" and len(text) > 1:
        quoted = re.match(r"""^:(["'])(.*)\1""", text)
        return Symbol((quoted[2] if quoted else text).removeprefix(":"))
    return number(text)


def number(text: str) -> Any:
    """Return the number that a plain scalar spells, otherwise its text."""
    if BASE_60.search(text):
        return sum(
            int(digits.replace("_", "")) * 60 ** abs(place - 2)
            for place, digits in enumerate(text.split(":"))
        )
    if BASE_60_FLOAT.search(text):
        return sum(
            float(digits.replace("_", "") or 0) * 60 ** abs(place - 2)
            for place, digits in enumerate(text.split(":"))
        )
    if FLOAT.search(text):
        if text.lstrip("+-") == ".":
            return text
        return float(text.replace(",", "").replace("_", ""))
    if INTEGER.search(text):
        digits = text.replace(",", "").replace("_", "")
        bare = digits.lstrip("+-")
        if bare[:1] == "0" and bare[1:2].isdigit():
            digits = digits.replace("0", "0o", 1)
        try:
            return int(digits, 0)
        except ValueError:
            if len(digits) < LONGEST_NUMBER:
                raise
            raise TooLong("an integer has too many digits") from None
    return text
