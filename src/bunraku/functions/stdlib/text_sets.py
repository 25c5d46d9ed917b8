"""Sets of letters as Ruby's ``count`` and ``squeeze`` take them: ``a-z``, ``^aeiou``."""

from __future__ import annotations

from collections.abc import Callable

from bunraku.functions.stdlib import issues


def letter_set(text: str) -> Callable[[str], bool]:
    """Return a test of membership in the set that a text describes.

    >>> vowel = letter_set("^a-cx")
    >>> vowel("b"), vowel("d")
    (False, True)
    """
    negated = len(text) > 1 and text[0] == "^"
    body = text[1:] if negated else text
    letters: set[str] = set()
    at = 0
    while at < len(body):
        letter, at = one_letter(body, at)
        if body[at : at + 1] == "-" and at + 1 < len(body):
            last, at = one_letter(body, at + 1)
            if last < letter:
                raise issues.EMPTY_RANGE(letter=letter, last=last)
            letters.update(map(chr, range(ord(letter), ord(last) + 1)))
        else:
            letters.add(letter)
    if negated:
        return lambda letter: letter not in letters
    return letters.__contains__


def one_letter(text: str, at: int) -> tuple[str, int]:
    """Return the letter at an index, without a backslash, and the index of the next one."""
    if text[at] == "\\" and at + 1 < len(text):
        return text[at + 1], at + 2
    return text[at], at + 1


def count_letters(text: str, letters: str) -> int:
    """Return how many letters of a text belong to a set.

    >>> count_letters("banana", "a-b")
    4
    """
    return sum(map(letter_set(letters), text))


def squeeze_letters(text: str, letters: str | None = None) -> str:
    """Return a text in which runs of a letter (of the set) are one letter.

    >>> squeeze_letters("aabbcc"), squeeze_letters("aabbcc", "a-b")
    ('abc', 'abcc')
    """
    member: Callable[[str], bool] = letter_set(letters) if letters is not None else bool
    result: list[str] = []
    for letter in text:
        if not (result and result[-1] == letter and member(letter)):
            result.append(letter)
    return "".join(result)
