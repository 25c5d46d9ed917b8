"""Modes of files: octal numbers, and clauses such as ``u+x,g=rX``."""

from __future__ import annotations

import re

from bunraku.providers.errors import ResourceFailure
from bunraku.types.ruby_semantics.values import inspect

OCTAL = re.compile(r"0?[0-7]{1,4}")
DIGITS = re.compile(r"[0-9]+")
CLAUSE = r"[ugoa]*[-=+][-=+rstwxXugo]*"
SYMBOLIC = re.compile(rf"{CLAUSE}(,{CLAUSE})*")
PARTS = re.compile(r"([ugoa]*)([-+=].*)", re.DOTALL)
SHIFTS = {"u": 6, "g": 3, "o": 0}
BITS = {"r": 4, "w": 2, "x": 1}
SPECIAL = {
    "s": {"u": 4, "g": 2, "o": 1},
    "t": {"u": 1, "g": 1, "o": 1},
}
"""Letter and class of users → the bit for setuid, setgid or sticky."""
DEFAULT_MODE = 0o644
DEFAULT_DIRECTORY_MODE = 0o755


def is_mode(text: str) -> bool:
    """Return whether a text is a mode.

    >>> is_mode("0644"), is_mode("u+x,g=rX"), is_mode("8"), is_mode("u~x")
    (True, True, False, False)
    """
    return OCTAL.fullmatch(text) is not None or SYMBOLIC.fullmatch(text) is not None


def is_octal(text: str) -> bool:
    """Return whether a mode is a number."""
    return OCTAL.fullmatch(text) is not None


def normal(text: str) -> str:
    """Return a mode without leading zeros.

    >>> normal("0644"), normal("u+x")
    ('644', 'u+x')
    """
    return format(int(text, 8), "o") if is_octal(text) else text


def displayed(text: str) -> str:
    """Format a mode for messages: a number has at least four digits.

    >>> displayed("644"), displayed("u+x")
    ('0644', 'u+x')
    """
    return text.rjust(4, "0") if is_octal(text) else text


def searchable(text: str) -> str:
    """Return a numeric mode for a directory: each class that may read it may also search it.

    >>> searchable("640"), searchable("u=r")
    ('750', 'u=r')
    """
    if DIGITS.fullmatch(text) is None:
        return text
    mode = int(text, 8)
    return format(mode | (mode & 0o444) >> 2, "o")


def resulting(text: str, current: int, *, directory: bool) -> int:
    """Apply a mode to a current one; raise ResourceFailure for an invalid mode.

    >>> oct(resulting("u+x,g=u", 0o640, directory=False))
    '0o770'
    """
    if text == "":
        raise ResourceFailure("An empty mode string is illegal")
    if DIGITS.fullmatch(text):
        return int(text, 8)
    changed = ModeChange(current, directory=directory)
    for part in re.split(r"\s*,\s*", text):
        try:
            changed.apply(part)
        except ResourceFailure as failure:
            place = f" at {inspect(part)}" if part != text else ""
            raise ResourceFailure(f"{failure}{place} in symbolic mode {inspect(text)}") from None
    return changed.mode()


class ModeChange:
    """A mode while clauses are applied: the bits of ``u``, ``g`` and ``o``, and the rest as ``s``."""

    def __init__(self, current: int, *, directory: bool) -> None:
        self.bits = {who: current >> shift & 7 for who, shift in SHIFTS.items()}
        self.bits["s"] = current >> 9 & 7
        self.executable = directory or current & 0o111 != 0
        """Whether ``X`` sets a bit."""

    def mode(self) -> int:
        """Return the mode."""
        rest = sum(self.bits[who] << shift for who, shift in SHIFTS.items())
        return self.bits["s"] << 9 | rest

    def apply(self, clause: str) -> None:
        """Apply one clause, with the bits as they were before the clause."""
        parts = PARTS.fullmatch(clause)
        if parts is None:
            raise ResourceFailure("Missing action")
        before = dict(self.bits)
        for who in dict.fromkeys((parts[1] or "a").replace("a", "ugo")):
            self.apply_to(who, parts[2], before)

    def apply_to(self, who: str, letters: str, before: dict[str, int]) -> None:
        """Apply the letters of a clause to the bits of one class of users."""
        value, operation = before[who], "!"
        for letter in letters:
            if letter in "-+=":
                operation = letter
                value = 0 if letter == "=" else value
            elif letter in SHIFTS:
                value = combined(operation, value, before[letter])
            elif letter in BITS:
                value = combined(operation, value, BITS[letter])
            elif letter == "X":
                if operation != "+":
                    raise ResourceFailure("X only works with the '+' operator")
                value |= 1 if self.executable else 0
            elif letter in SPECIAL:
                self.bits["s"] = combined(operation, self.bits["s"], SPECIAL[letter][who])
            else:
                raise ResourceFailure("Unknown operation")
        self.bits[who] = value


def combined(operation: str, bits: int, more: int) -> int:
    """Return bits with others added or, for ``-``, removed."""
    return bits & ~more if operation == "-" else bits | more
