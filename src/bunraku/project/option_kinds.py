"""The kinds of options: what their values are in Python, in ``bunraku.toml`` and in the batch protocol."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from bunraku.base.records import record
from bunraku.base.suggestions import suggestion
from bunraku.dialects.known_settings import near_setting
from bunraku.formats.shape import (
    ANYTHING,
    FLAG,
    NULL,
    NUMBER,
    SCALAR,
    TEXT,
    TEXTS,
    Array,
    AtLeast,
    Choice,
    Either,
    Fields,
    Filled,
    HashOf,
    Shape,
)
from bunraku.modules.settings import WORDS
from bunraku.project.options import Option, Table


@record(frozen=True)
class OptionKind:
    """A kind of values.

    ``expected`` names the values that a keyword of Python may have, ``classes`` are their classes and
    ``annotation`` their type. ``shape`` is that of a key of ``bunraku.toml``, ``in_batch`` that of a
    field of the batch protocol. ``in_file`` is how people write the value of a key.
    """

    expected: str
    classes: tuple[type, ...]
    annotation: str
    in_file: str
    shape: Shape
    in_batch: Shape = TEXT


FILLED_TEXT = Filled("a string that is not empty")
PATH = Filled("a path")
POLICIES = Fields(
    {
        "policy": Array(
            Fields(
                {
                    "name": FILLED_TEXT,
                    "query": FILLED_TEXT,
                    "message": FILLED_TEXT,
                    "severity": Choice(("error", "warning")),
                },
                required=("name", "query", "message"),
                closed=True,
            ),
            "a list of tables [[ci.policy]]",
        ),
        "fmt": FLAG,
    },
    closed=True,
    expected="a table",
)
LAYOUT = Fields({"exclude": TEXTS, "indent": AtLeast(1)}, closed=True, expected="a table")
KINDS = {
    "text": OptionKind("a string", (str,), "str", "text", FILLED_TEXT),
    "node": OptionKind("a string", (str,), "str", "text", FILLED_TEXT),
    "choice": OptionKind("a string", (str,), "str", "text", FILLED_TEXT),
    "flag": OptionKind("True or False", (bool,), "bool", "`true` or `false`", FLAG, FLAG),
    "number": OptionKind("a number", (int, float), "int", "number", AtLeast(1), NUMBER),
    "path": OptionKind("a path", (str, os.PathLike), "Path", "path", PATH),
    "source": OptionKind("a string", (str,), "str", "path or URL", PATH),
    "paths": OptionKind(
        "a list of directories",
        (str, os.PathLike, list, tuple),
        "Paths",
        "list of paths, or text with colons",
        Array(PATH, "a list of paths"),
        TEXTS,
    ),
    "globs": OptionKind(
        "a list of patterns",
        (list, tuple),
        "Sequence[str]",
        "list of patterns",
        Array(TEXT, "a list of patterns"),
        TEXTS,
    ),
    "table": OptionKind(
        "a mapping",
        (Mapping,),
        "Mapping[str, Any]",
        "table",
        HashOf(expected="a table of Puppet's settings"),
        HashOf(Either((SCALAR, NULL))),
    ),
    "policies": OptionKind("a mapping", (Mapping,), "Mapping[str, Any]", "table", POLICIES),
    "layout": OptionKind("a mapping", (Mapping,), "Mapping[str, Any]", "table", LAYOUT),
    "data": OptionKind(
        "a mapping or a path",
        (Mapping, str, os.PathLike),
        "Mapping[str, Any] | Path",
        "path",
        PATH,
        HashOf(),
    ),
    "time": OptionKind(
        "a number of seconds", (int, float), "float", "text such as `5m`", FILLED_TEXT, NUMBER
    ),
    "size": OptionKind(
        "a number of bytes", (int, float), "int", "text such as `4G`", FILLED_TEXT, NUMBER
    ),
    "variables": OptionKind("a mapping", (Mapping,), "Mapping[str, Any]", "", HashOf(), HashOf()),
    "classes": OptionKind(
        "a list of names or a mapping",
        (list, tuple, Mapping),
        "Sequence[str] | Mapping[str, Any]",
        "",
        ANYTHING,
        Either((TEXTS, HashOf(Either((NULL, HashOf()))))),
    ),
    "functions": OptionKind(
        "a list of functions", (list, tuple), "Sequence[Any]", "", ANYTHING, ANYTHING
    ),
    "anything": OptionKind("anything", (object,), "Any", "", ANYTHING, ANYTHING),
    "world": OptionKind("a World", (object,), "World", "", ANYTHING, ANYTHING),
}
"""Kind of an option → its values."""


def shape_of(option: Option) -> Shape:
    """Return the shape of the value of a key of ``bunraku.toml``."""
    return Choice(tuple(option.choices)) if option.choices else KINDS[option.kind].shape


def check_options(options: Mapping[str, Any], table: Table) -> None:
    """Raise TypeError for an unknown keyword or a value of a wrong kind, ValueError for a wrong word.

    >>> from bunraku.project.options import TABLE
    >>> check_options({"langauge": "8"}, TABLE)
    Traceback (most recent call last):
    ...
    TypeError: unknown option 'langauge' (did you mean 'language'?)
    >>> check_options({"settings": "strict=off"}, TABLE)
    Traceback (most recent call last):
    ...
    TypeError: settings: expected a mapping, not 'strict=off'
    """
    for name, value in options.items():
        if name not in table:
            raise TypeError(f"unknown option {name!r}{suggestion(name, table)}")
        if value is not None:
            check_value(name, table[name], value)


def check_value(name: str, option: Option, value: Any) -> None:
    """Raise TypeError or ValueError for a wrong value of a keyword.

    >>> from bunraku.project.options import TABLE
    >>> check_value("strict", TABLE["strict"], "of")
    Traceback (most recent call last):
    ...
    ValueError: strict: expected one of off, warning, error, not 'of' (did you mean 'off'?)
    >>> check_value("settings", TABLE["settings"], {"strct": "off"})
    Traceback (most recent call last):
    ...
    ValueError: settings: unknown setting 'strct' (did you mean 'strict'?)
    """
    kind = KINDS[option.kind]
    if not is_of_kind(value, kind.classes):
        raise TypeError(f"{name}: expected {kind.expected}, not {value!r}")
    if option.kind == "paths" and (hint := wrong_directories(value)) is not None:
        raise TypeError(f"{name}: expected {kind.expected}, not {value!r}{hint}")
    if option.choices and value not in option.choices:
        raise ValueError(f"{name}: {wrong_word(option.choices, value)}")
    for setting, inner in value.items() if option.kind == "table" else ():
        problem = wrong_setting(setting, inner)
        if problem is not None:
            raise ValueError(f"{name}: {problem}")


def wrong_directories(value: str | os.PathLike[str] | Sequence[object]) -> str | None:
    """Return the hint for a value that is neither a directory nor a list of some; None for a right one.

    >>> wrong_directories("/a:/b")
    " (write ['/a', '/b'])"
    >>> wrong_directories("/a"), wrong_directories(["/a"]), wrong_directories(["/a", 7])
    (None, None, '')
    """
    if isinstance(value, str):
        parts = value.split(os.pathsep)
        return f" (write {parts!r})" if len(parts) > 1 else None
    items = () if isinstance(value, os.PathLike) else value
    return None if all(isinstance(one, str | os.PathLike) for one in items) else ""


def wrong_setting(name: str, value: Any) -> str | None:
    """Return the problem of a setting of Puppet that a user sets: its name, or a wrong word.

    >>> wrong_setting("strict", "warnig")
    "strict: expected one of off, warning, error, not 'warnig' (did you mean 'warning'?)"
    >>> wrong_setting("strict", "off"), wrong_setting("serverport", 1)
    (None, None)
    """
    near = near_setting(name)
    if near is not None:
        return f"unknown setting {name!r}{near}"
    words = WORDS.get(name, ())
    return f"{name}: {wrong_word(words, value)}" if words and value not in words else None


def wrong_word(words: Sequence[str], value: Any) -> str:
    """Return the problem of a value that is none of some words."""
    near = suggestion(str(value), words)
    return f"expected one of {', '.join(words)}, not {value!r}{near}"


def is_of_kind(value: Any, classes: tuple[type, ...]) -> bool:
    """Return whether a value is of one of some classes; True and False are not numbers.

    >>> is_of_kind(True, (int, float)), is_of_kind(True, (bool,))
    (False, True)
    """
    return isinstance(value, classes) and (bool in classes or not isinstance(value, bool))
