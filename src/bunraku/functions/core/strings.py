"""Functions on strings: letter case, blanks, quoting for a shell."""

from __future__ import annotations

from collections.abc import Callable

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.functions.api_3 import Api3Table
from bunraku.functions.core import issues
from bunraku.functions.core.iterables import items
from bunraku.runtime.callables import Value
from bunraku.runtime.operators import no_conversion
from bunraku.types.model import NUMERIC, ArrayType, StringType, VariantType
from bunraku.types.relations.assignable import is_assignable
from bunraku.types.relations.infer import infer
from bunraku.types.text.display import display
from bunraku.values.keys import make_hash, pairs

function = Api3Table()

BLANKS = "\0\t\n\v\f\r "
NUMBERS = frozenset({int, float})


# -- one string ------------------------------------------------------------------------------------
def upper(text: str) -> str:
    """Return a string in capitals.

    >>> upper("straße")
    'STRASSE'
    """
    return text.upper()


def lower(text: str) -> str:
    """Return a string in lowercase, each letter converted separately: a final sigma is like any other.

    >>> lower("ΑΣ")
    'ασ'
    """
    return text.lower() if text.isascii() else "".join(letter.lower() for letter in text)


def capital(text: str) -> str:
    """Return a string with a capital first and small letters after it.

    >>> capital("hELLO wORLD"), capital("ǆa")
    ('Hello world', 'ǅa')
    """
    return text[:1].title() + lower(text[1:])


def camel(text: str) -> str:
    """Return the words between underscores, each with a capital, put together.

    >>> camel("_hello__big_world_")
    'HelloBigWorld'
    """
    return "".join(map(capital, text.split("_")))


def strip_left(text: str) -> str:
    """Return a string without blanks at its start; the null character is one."""
    return text.lstrip(BLANKS)


def strip_right(text: str) -> str:
    """Return a string without blanks at its end."""
    return text.rstrip(BLANKS)


def strip_both(text: str) -> str:
    """Return a string without blanks at its ends."""
    return text.strip(BLANKS)


def without_newline(text: str) -> str:
    r"""Return a string without one line end at its end.

    >>> without_newline("a\r\n"), without_newline("a\n\n"), without_newline("a\r")
    ('a', 'a\n', 'a')
    """
    if text.endswith("\r\n"):
        return text[:-2]
    return text[:-1] if text.endswith(("\n", "\r")) else text


def without_last(text: str) -> str:
    """Return a string without its last character; a line end is one character."""
    return text[:-2] if text.endswith("\r\n") else text[:-1]


# -- upcase and downcase: also of all that is in arrays and hashes ---------------------------------
def converted(name: str, change: Callable[[str], str], value: Value) -> Value:
    """Return a value with all strings in it changed, keys of hashes too; numbers stay."""
    kind = value.__class__
    if kind is str:
        return change(value)
    if kind in NUMBERS:
        return value
    if kind is list:
        return [converted(name, change, item) for item in value]
    if kind is dict:
        return make_hash(
            (converted(name, change, key), converted(name, change, item))
            for key, item in pairs(value)
        )
    raise issues.WRONG_ELEMENT(
        name=name,
        parameter="arg",
        expected="strings, numbers and arrays and hashes of them",
        actual=display(infer(value)),
    )


@function("upcase(Variant[Numeric, String, Array, Hash] $arg)", since="6.0.0")
def upcase(value: Value) -> Value:
    """Strings in capitals, also those in arrays and hashes.

    ```puppet
    upcase('abc') == 'ABC'
    upcase([{ a => 'b' }, 1]) == [{ 'A' => 'B' }, 1]
    ```
    """
    return converted("upcase", upper, value)


@function("downcase(Variant[Numeric, String, Array, Hash] $arg)", since="6.0.0")
def downcase(value: Value) -> Value:
    """Strings in small letters, also those in arrays and hashes.

    ```puppet
    downcase('ABC') == 'abc'
    ```
    """
    return converted("downcase", lower, value)


# -- strings, and the strings of something iterable ------------------------------------------------
ITEMS = "Variant[Numeric, String, Array, Iterable[Variant[String, Numeric]]] $arg"
TEXT_OR_NUMBER = VariantType((StringType(), NUMERIC))


def each_text(name: str, change: Callable[[str], str], value: Value) -> Value:
    """Return a string changed, or an array of the items with the strings among them changed.

    The inferred type of the items decides: strings and numbers together are ScalarData,
    and so rejected; undef is allowed with both.
    """
    kind = value.__class__
    if kind is str:
        return change(value)
    if kind in NUMBERS:
        return value
    found = list(items(value))
    element = infer(found) if kind is list else None
    if isinstance(element, ArrayType) and not is_assignable(TEXT_OR_NUMBER, element.element):
        raise issues.UNSUITABLE(
            name=name,
            parameter="arg",
            expected="a Numeric, a String or an Iterable[Variant[String, Numeric]]",
            actual=display(element),
        )
    return [change(item) if item.__class__ is str else item for item in found]


@function(f"capitalize({ITEMS})", since="6.0.0")
def capitalize(value: Value) -> Value:
    """Strings with a capital first and small letters after it.

    ```puppet
    capitalize(['hello', 'WORLD']) == ['Hello', 'World']
    ```
    """
    return each_text("capitalize", capital, value)


@function(f"camelcase({ITEMS})", since="6.0.0")
def camelcase(value: Value) -> Value:
    """Strings with the words between underscores capitalized and put together.

    ```puppet
    camelcase('hello_big_world') == 'HelloBigWorld'
    ```
    """
    return each_text("camelcase", camel, value)


@function(f"strip({ITEMS})", since="6.0.0")
def strip(value: Value) -> Value:
    r"""Strings without blanks at their ends.

    ```puppet
    strip("  a b\n") == 'a b'
    ```
    """
    return each_text("strip", strip_both, value)


@function(f"lstrip({ITEMS})", since="6.0.0")
def lstrip(value: Value) -> Value:
    """Strings without blanks at their start.

    ```puppet
    lstrip(' a ') == 'a '
    ```
    """
    return each_text("lstrip", strip_left, value)


@function(f"rstrip({ITEMS})", since="6.0.0")
def rstrip(value: Value) -> Value:
    """Strings without blanks at their end.

    ```puppet
    rstrip(' a ') == ' a'
    ```
    """
    return each_text("rstrip", strip_right, value)


@function(f"chomp({ITEMS})", since="6.0.0")
def chomp(value: Value) -> Value:
    r"""Strings without one line end at their end.

    ```puppet
    chomp("a\r\n") == 'a'
    ```
    """
    return each_text("chomp", without_newline, value)


@function(f"chop({ITEMS})", since="6.0.0")
def chop(value: Value) -> Value:
    """Strings without their last character.

    ```puppet
    chop('abc') == 'ab'
    ```
    """
    return each_text("chop", without_last, value)


# -- shellquote ------------------------------------------------------------------------------------
SAFE = lazy_pattern(r"[A-Za-z0-9@%_+=:,./-]+\Z")
DANGEROUS = lazy_pattern(r'["!`$\\]')


@function.api_3("shellquote", 0, since="0.25.0")
def shellquote(*arguments: Value) -> str:
    """Return the arguments, and the items of arrays, as words of a shell command line.

    ```puppet
    shellquote('cp', ['a b', 'c']) == 'cp "a b" c'
    ```
    """
    return " ".join(map(quoted, words(arguments)))


def words(values: tuple[Value, ...] | list[Value]) -> list[str]:
    """Return the strings in arrays within each other."""
    found: list[str] = []
    for value in values:
        if value.__class__ is list:
            found += words(value)
        elif value.__class__ is str:
            found.append(value)
        else:
            problem = no_conversion(value)
            raise issues.SHELL_ARGUMENT(actual=display(infer(value)), problem=problem)
    return found


def quoted(word: str) -> str:
    """Return a word with the mildest quotes that do.

    >>> print(quoted("a"), quoted("it's"), quoted("$x"), quoted("it's $x"))
    a "it's" '$x' "it's \\$x"
    """
    if SAFE.match(word):
        return word
    if not DANGEROUS.search(word):
        return f'"{word}"'
    if "'" not in word:
        return f"'{word}'"
    return '"' + DANGEROUS.sub(r"\\\g<0>", word) + '"'
