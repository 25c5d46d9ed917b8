"""Ruby's regular expressions in the spelling of Oniguruma, which Ruby's own engine grew out of."""

from __future__ import annotations

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.values.regexp.translate import (
    EXTENDED,
    OPTION_BITS,
    POSIX_BRACKET,
    QUANTIFIER,
    Invalid,
)

WORD, NOT_WORD = "a-zA-Z0-9_", "[^a-zA-Z0-9_]"
SPACE, NOT_SPACE = " \\t\\n\\r\\f\\v", "[^ \\t\\n\\r\\f\\v]"
ASCII_SETS = {
    "w": WORD,
    "d": "0-9",
    "s": SPACE,
    "W": NOT_WORD,
    "D": "[^0-9]",
    "S": NOT_SPACE,
}
PLAIN_IN_RUBY = "yYNOQEFIJLTUVijlmoqz"
UNICODE_LIST = lazy_pattern(r"\\u\{([0-9a-fA-F\s]+)\}")
LOOKBEHIND_LOOP = lazy_pattern(r"\(\?<[=!][^()|]*[^()|\\][*+]")
ASCII_OPTION = lazy_pattern(r"\(\?[imx]*[adu]")


def for_oniguruma(pattern: str, options: int = 0) -> str:
    r"""Return a Ruby pattern in Oniguruma's own syntax.

    ``\w \d \s`` are ASCII in Ruby but not in Oniguruma, and some letters mean more there.

    >>> for_oniguruma(r"\w[\s\d]\u{41 42}")
    '[a-zA-Z0-9_][ \\t\\n\\r\\f\\v0-9]\\x{41}\\x{42}'
    """
    refuse(pattern)
    pieces: list[str] = []
    at, depth, length = 0, 0, len(pattern)
    while at < length:
        character = pattern[at]
        if character == "\\" and at + 1 < length:
            text, at = oniguruma_escape(pattern, at, depth > 0)
            pieces.append(text)
            continue
        if depth and (match := POSIX_BRACKET.match(pattern, at)):
            pieces.append(match[0])
            at = match.end()
            continue
        if character == "[":
            depth += 1
        elif character == "]" and depth:
            depth -= 1
        pieces.append(character)
        at += 1
    text = "".join(pieces)
    if not options:
        return text
    letters = "".join(letter for letter, bit in OPTION_BITS.items() if options & bit)
    return f"(?{letters}:{text}{chr(10) if options & EXTENDED else ''})"


def oniguruma_escape(pattern: str, at: int, in_class: bool) -> tuple[str, int]:
    """Return the escape at an offset in Oniguruma's spelling, and its end."""
    letter = pattern[at + 1]
    if letter in ASCII_SETS:
        text = ASCII_SETS[letter]
        inside = in_class or text.startswith("[")
        return (text if inside else f"[{text}]"), at + 2
    if match := UNICODE_LIST.match(pattern, at):
        return "".join(f"\\x{{{code}}}" for code in match[1].split()), match.end()
    if letter in PLAIN_IN_RUBY and not (letter == "z" and not in_class):
        return letter, at + 2
    return pattern[at : at + 2], at + 2


def refuse(pattern: str) -> None:
    """Raise Invalid for patterns that Ruby rejects and Oniguruma accepts."""
    if LOOKBEHIND_LOOP.search(pattern):
        raise Invalid("the length of a look-behind is unlimited")
    if "\\M-" in pattern:
        raise Invalid("meta characters are not valid UTF-8")
    for match in QUANTIFIER.finditer(pattern):
        if match[1] and match[3] and int(match[1]) > int(match[3]):
            raise Invalid("a repetition's greatest number is less than its least")
    if option := ASCII_OPTION.search(pattern):
        raise Invalid(f"the option in '{option[0]}' is not supported")
