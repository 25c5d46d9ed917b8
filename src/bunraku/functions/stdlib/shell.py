"""Quoting for shells: POSIX, Windows batch and PowerShell."""

from __future__ import annotations

import re
from typing import Any

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.functions.api_3 import Api3Table, need_array
from bunraku.functions.stdlib import issues
from bunraku.types.ruby_semantics.values import new_s, to_s

Value = Any
function = Api3Table()

UNSAFE = lazy_pattern(r"[^A-Za-z0-9_\-.,:+/@\n]")


def escaped(text: str) -> str:
    """Return a text as one word for a POSIX shell.

    >>> escaped("a b"), escaped("")
    ('a\\\\ b', "''")
    """
    if not text:
        return "''"
    return UNSAFE.sub(r"\\\g<0>", text).replace("\n", "'\n'")


@function("shell_escape(Any $text)", since="8.2.0", until="8.6.0", earlier="4.13.0-8.1.0 3x")
@function("stdlib::shell_escape(Any $text)", since="9.0.0")
def shell_escape(value: Value) -> str:
    r"""Quote a value so that a POSIX shell takes it as one word.

    ```puppet
    shell_escape('foo b"ar') == 'foo\ b\"ar'
    ```
    """
    return escaped(new_s(value))


@function.api_3("shell_join", 1, 1, since="4.13.0")
def shell_join(words: Value) -> str:
    r"""Quote words and join them to a command line.

    ```puppet
    shell_join(['foo bar', 'baz']) == 'foo\ bar baz'
    ```
    """
    return " ".join(escaped(to_s(word)) for word in need_array(words, "shell_join"))


WORD = lazy_pattern(
    r"\s*(?:([^\0\s\\'\"]+)|'([^\0']*)'|\"((?:[^\0\"\\]|\\[^\0])*)\"|(\\[^\0]?)|(\S))(\s|\Z)?",
    re.DOTALL | re.ASCII,
)


def words_of(line: str) -> list[str]:
    """Return the words of a command line, quotes taken away.

    >>> words_of("a 'b c' d\\\\ e")
    ['a', 'b c', 'd e']
    """
    words: list[str] = []
    current, at = "", 0
    while found := WORD.match(line, at):
        at = found.end()
        word, single, double, escape, garbage, separator = found.groups()
        if garbage is not None:
            raise issues.UNMATCHED_QUOTE(name="shell_split", line=line)
        if double is not None:
            current += re.sub(r"\\([$`\"\\\n])", r"\1", double)
        elif escape is not None:
            current += escape[1:] if escape[1:] not in {"", "\n"} else escape
        else:
            current += word if word is not None else single
        if separator is not None:
            words.append(current)
            current = ""
    return words


@function.api_3("shell_split", 1, 1, since="4.13.0")
def shell_split(line: Value) -> list[str]:
    r"""Split a command line into its words, as a POSIX shell does.

    ```puppet
    shell_split('foo\ bar baz') == ['foo bar', 'baz']
    ```
    """
    return words_of(to_s(line))


BATCH = {'"': '""', "$": "\\$", "\\": "\\\\"}
POWERSHELL = {letter: f"`{letter}" for letter in " '`|\n$"} | {'"': '\\`"'}


@function("batch_escape(Any $text)", since="8.2.0", until="8.6.0")
@function("stdlib::batch_escape(Any $text)", since="9.0.0")
def batch_escape(value: Value) -> str:
    """Quote a value for the Windows batch shell.

    ```puppet
    batch_escape('a"b') == '"a""b"'
    ```
    """
    inside = "".join(BATCH.get(letter, letter) for letter in new_s(value))
    return f'"{inside}"'


@function("powershell_escape(Any $text)", since="8.2.0", until="8.6.0")
@function("stdlib::powershell_escape(Any $text)", since="9.0.0")
def powershell_escape(value: Value) -> str:
    """Quote a value for PowerShell.

    ```puppet
    powershell_escape('a b') == 'a` b'
    ```
    """
    return "".join(POWERSHELL.get(letter, letter) for letter in new_s(value))
