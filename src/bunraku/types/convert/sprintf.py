"""``sprintf`` as Ruby's ``Kernel#format`` does it."""

from __future__ import annotations

import math
import re
from types import NoneType
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.types.convert import issues
from bunraku.types.ruby_semantics.display import inspect, ruby_text
from bunraku.values.keys import as_key
from bunraku.values.widths import REASON, WIDEST, is_too_wide

Value = Any

INTEGER_TEXT = lazy_pattern(
    r"\s*([-+]?)(?:0[xX]([0-9a-fA-F]+(?:_[0-9a-fA-F]+)*)|0[bB]([01]+(?:_[01]+)*)"
    r"|0[oO]?([0-7]+(?:_[0-7]+)*)|(0|[1-9]\d*(?:_\d+)*))\s*\Z",
    re.ASCII,
)
FLOAT_TEXT = lazy_pattern(
    r"\s*[-+]?\d+(?:_\d+)*(?:\.\d+(?:_\d+)*)?(?:[eE][-+]?\d+)?\s*\Z", re.ASCII
)
HEX_TEXT = lazy_pattern(r"\s*[-+]?0[xX][0-9a-fA-F]+\s*\Z")
BASES = {"x": 16, "X": 16, "o": 8, "b": 2, "B": 2}
PREFIXES = {"x": "0x", "X": "0X", "o": "0", "b": "0b", "B": "0B"}


def sprintf(pattern: str, arguments: list[Value]) -> str:
    """Return a format with its directives replaced by arguments.

    >>> sprintf("%05.1f|%-4s|%+x|%x", [3.14159, "a", -255, -255])
    '003.1|a   |-ff|..f01'
    >>> sprintf("%<a>03d %{b}", [{"a": 7, "b": "x"}])
    '007 x'
    """
    if "%" not in pattern:
        return pattern
    return Formatter(pattern, arguments).run()


def as_integer(value: Value, pattern: str) -> int:
    """Return the integer for ``%d``: truncate floats, read strings as Ruby's ``Integer()``."""
    kind = value.__class__
    if kind is int:
        number: int = value
        return number
    if kind is float and math.isfinite(value):
        return int(value)
    if kind is str and (match := INTEGER_TEXT.match(value)):
        sign, hexadecimal, binary, octal, decimal = match.groups()
        digits = hexadecimal or binary or octal or decimal
        base = 16 if hexadecimal else 2 if binary else 8 if octal else 10
        number = int(digits.replace("_", ""), base)
        return -number if sign == "-" else number
    raise wrong_value(pattern, value, "an integer", "Integer")


def as_float(value: Value, pattern: str) -> Any:
    """Return the number for ``%f``: strings as Ruby's ``Float()`` reads them, integers exact."""
    kind = value.__class__
    if kind is int or kind is float:
        return value
    if kind is str and FLOAT_TEXT.match(value):
        return float(value.replace("_", ""))
    if kind is str and HEX_TEXT.match(value):
        return float(int(value, base=16))
    raise wrong_value(pattern, value, "a float", "Float")


def wrong_value(pattern: str, value: Value, kind: str, target: str) -> PuppetError:
    """Return the error for a value that is not of the kind of a directive."""
    shown = inspect(value)
    problem = (
        f"can't convert {RUBY_NAMES.get(value.__class__, value.__class__.__name__)} into {target}"
    )
    if value.__class__ is str:
        problem = f"invalid value for {target}(): {shown}"
    return issues.SPRINTF_VALUE(format=pattern, value=shown, kind=kind, problem=problem)


RUBY_NAMES = {NoneType: "nil", bool: "true", list: "Array", dict: "Hash"}
"""Ruby's words for values that are no numbers."""


class Formatter:
    """Walks a format; ``next`` counts the arguments used in order."""

    def __init__(self, pattern: str, arguments: list[Value]) -> None:
        self.pattern = pattern
        self.arguments = arguments
        self.next = 0
        self.mode = ""
        self.at = 0
        self.flags: set[str] = set()
        self.width: int | None = None
        self.precision: int | None = None
        self.given = False
        self.value: Value = None

    def run(self) -> str:
        """Return the whole text."""
        pieces: list[str] = []
        pattern = self.pattern
        while True:
            found = pattern.find("%", self.at)
            if found < 0:
                pieces.append(pattern[self.at :])
                return "".join(pieces)
            pieces.append(pattern[self.at : found])
            self.at = found + 1
            pieces.append(self.directive(found))

    def malformed(self, start: int, reason: str) -> Exception:
        """Return the error for a directive."""
        return issues.SPRINTF_MALFORMED(
            format=self.pattern, part=self.pattern[start : self.at + 1], reason=reason
        )

    def directive(self, start: int) -> str:
        """Return the text of one directive, read from its flags to its letter."""
        self.flags = set()
        self.width = self.precision = None
        self.given = False
        pattern = self.pattern
        while self.at < len(pattern):
            character = pattern[self.at]
            if character in " #+-0":
                self.flags.add(character)
                self.at += 1
            elif character in "123456789":
                self.number(start)
            elif character == "*":
                self.at += 1
                self.set_width(self.star_argument())
            elif character == ".":
                self.read_precision()
            elif character == "<":
                self.named(start, ">")
            elif character == "{":
                self.named(start, "}")
                return self.show_text(ruby_text(self.value))
            else:
                self.at += 1
                return self.letter(character, start)
        raise self.malformed(start, "the directive has no letter; a percent sign is written %%")

    def digits(self) -> int:
        """Read digits as a number; 0 if there are none."""
        start = self.at
        while self.pattern[self.at : self.at + 1] in DIGITS:
            self.at += 1
        found = self.pattern[start : self.at]
        if is_too_wide(found):
            raise issues.SPRINTF_MALFORMED(format=self.pattern, part=found[:20], reason=REASON)
        return int(found or "0")

    def number(self, start: int) -> None:
        """Read a width, or the number of an argument."""
        number = self.digits()
        if self.pattern.startswith("$", self.at):
            self.at += 1
            self.given, self.value = True, self.argument(number - 1, "by number")
        elif self.width is not None:
            raise self.malformed(start, "it has two widths")
        else:
            self.width = self.limited(number)

    def set_width(self, width: int) -> None:
        """Set the width from an argument; a negative one aligns to the left."""
        if width < 0:
            self.flags.add("-")
        self.width = abs(width)

    def star_argument(self) -> int:
        """Return the argument that ``*`` or ``*2$`` takes."""
        at = self.at
        number = self.digits()
        if number and self.pattern.startswith("$", self.at):
            self.at += 1
            size = self.argument(number - 1, "by number")
        else:
            self.at = at
            size = self.take()
        if size.__class__ is not int and size.__class__ is not float:
            raise wrong_value(self.pattern, size, "a width", "Integer")
        return self.limited(int(size))

    def limited(self, size: int) -> int:
        """Return the width or precision; raise an error if it is too large."""
        if abs(size) > WIDEST:
            raise issues.SPRINTF_MALFORMED(format=self.pattern, part=size, reason=REASON)
        return size

    def read_precision(self) -> None:
        """Read ``.5``, ``.*`` or a bare point."""
        self.at += 1
        if self.pattern.startswith("*", self.at):
            self.at += 1
            precision = self.star_argument()
            self.precision = None if precision < 0 else precision
        else:
            self.precision = self.limited(self.digits())

    def named(self, start: int, closing: str) -> None:
        """Read ``<name>`` or ``{name}``."""
        end = self.pattern.find(closing, self.at)
        if end < 0:
            raise self.malformed(start, f"'{closing}' is missing")
        name = self.pattern[self.at + 1 : end]
        self.at = end + 1
        if len(self.arguments) != 1 or self.arguments[0].__class__ is not dict:
            raise issues.SPRINTF_NO_HASH(format=self.pattern)
        values = self.arguments[0]
        key = as_key(name)
        if key not in values:
            raise issues.SPRINTF_NO_KEY(format=self.pattern, name=name)
        self.use("by name")
        self.given, self.value = True, values[key]

    def use(self, mode: str) -> None:
        """Arguments come in order, by number or by name, never mixed."""
        if self.mode and self.mode != mode:
            raise issues.SPRINTF_MALFORMED(
                format=self.pattern,
                part=self.pattern[: self.at],
                reason=f"it combines arguments {self.mode} and {mode}",
            )
        self.mode = mode

    def argument(self, index: int, mode: str) -> Value:
        """Return an argument by its place."""
        self.use(mode)
        if not 0 <= index < len(self.arguments):
            raise issues.SPRINTF_TOO_FEW(format=self.pattern, count=len(self.arguments))
        return self.arguments[index]

    def take(self) -> Value:
        """Return the argument of this directive: named, numbered, or the next one."""
        value = self.argument(self.next, "in order")
        self.next += 1
        return value

    def operand(self) -> Value:
        """Return the value that the letter shows."""
        return self.value if self.given else self.take()

    def letter(self, letter: str, start: int) -> str:
        """Return the text of a directive."""
        match letter:
            case "%":
                if self.at - start > 2:
                    raise self.malformed(start, "%% takes no flags")
                return "%"
            case "\n" | "\0":
                return "%" + letter
            case "s":
                return self.show_text(ruby_text(self.operand()))
            case "p":
                return self.show_text(inspect(self.operand()))
            case "c":
                return self.show_character(self.operand())
            case "d" | "i" | "u":
                return self.show_decimal(as_integer(self.operand(), self.pattern))
            case "x" | "X" | "o" | "b" | "B":
                return self.show_radix(as_integer(self.operand(), self.pattern), letter)
            case "f" | "e" | "E" | "g" | "G" | "a" | "A":
                return self.show_float(as_float(self.operand(), self.pattern), letter)
        raise self.malformed(start, f"unknown directive '{letter}'")

    def pad(self, text: str) -> str:
        """Return the text padded to the width."""
        if self.width is None:
            return text
        return text.ljust(self.width) if "-" in self.flags else text.rjust(self.width)

    def show_text(self, text: str) -> str:
        """Return the text of ``%s``: cut to the precision."""
        return self.pad(text if self.precision is None else text[: self.precision])

    def show_character(self, value: Value) -> str:
        """Return the text of ``%c``: a code point, or the first character of a string."""
        if value.__class__ is str:
            if not value:
                raise issues.SPRINTF_VALUE(
                    format=self.pattern,
                    value='""',
                    kind="a character",
                    problem="%c requires a character",
                )
            return self.pad(value[0])
        code = as_integer(value, self.pattern)
        if not 0 <= code < 0x110000 or 0xD800 <= code < 0xE000:
            problem = "invalid character"
            raise issues.SPRINTF_VALUE(
                format=self.pattern, value=code, kind="a character", problem=problem
            )
        return self.pad(chr(code))

    def sign(self, negative: bool) -> str:
        """Return the sign that a number shows."""
        if negative:
            return "-"
        return "+" if "+" in self.flags else " " if " " in self.flags else ""

    def filled(self, sign: str, digits: str, fill: str = "0") -> str:
        """Return the digits after a sign, padded to precision and width."""
        if self.precision is not None:
            digits = digits.rjust(self.precision, fill)
        elif "0" in self.flags and "-" not in self.flags and self.width is not None:
            digits = digits.rjust(self.width - len(sign), fill)
        return self.pad(sign + digits)

    def show_decimal(self, number: int) -> str:
        """Return the text of ``%d``."""
        digits = "" if number == 0 == self.precision else str(abs(number))
        return self.filled(self.sign(number < 0), digits)

    def show_radix(self, number: int, letter: str) -> str:
        """Return the text of ``%x``, ``%o``, ``%b``: two's complement if negative and unsigned."""
        base = BASES[letter]
        prefix = PREFIXES[letter] if "#" in self.flags and (number or letter == "o") else ""
        if number >= 0 or "+" in self.flags or " " in self.flags:
            digits = "" if number == 0 == self.precision else in_base(abs(number), base)
            if letter == "o" and prefix:  # the prefix is a separate digit
                prefix, digits = "", "0" + digits.removeprefix("0")
            if letter == "X":
                digits = digits.upper()
            return self.filled(self.sign(number < 0) + prefix, digits)
        digits = complement(number, base)
        top = digits[0]
        if letter == "X":
            digits, top = digits.upper(), top.upper()
        if letter == "o" and prefix:
            prefix = ""
        if self.precision is None and not ("0" in self.flags and "-" not in self.flags):
            return self.pad(f"{prefix}..{digits}")
        if self.precision is not None:
            return self.pad(f"{prefix}..{digits.rjust(self.precision - 2, top)}")
        size = (self.width or 0) - len(prefix)
        return self.pad(f"{prefix}..{digits.rjust(size - 2, top)}")

    def show_float(self, number: Any, letter: str) -> str:
        """Return the text of ``%f``, ``%e``, ``%g``, ``%a``."""
        if number.__class__ is float and not math.isfinite(number):
            name = "NaN" if math.isnan(number) else "Inf"
            return self.pad(self.sign(number < 0) + name)
        sign = self.sign(math.copysign(1, number) < 0 if number.__class__ is float else number < 0)
        if letter == "f" and number.__class__ is int:
            precision = 6 if self.precision is None else self.precision
            digits = str(abs(number)) + ("." + "0" * precision if precision else "")
        elif letter in "aA":
            digits = hexadecimal(abs(float(number)), self.precision, "#" in self.flags)
            digits = digits.upper() if letter == "A" else digits
        else:
            precision = 6 if self.precision is None else self.precision
            alternate = "#" if "#" in self.flags else ""
            digits = f"%{alternate}.{precision}{letter}" % abs(float(number))
        if "0" in self.flags and "-" not in self.flags and self.width is not None:
            prefix = digits[:2] if letter in "aA" else ""
            rest = digits[len(prefix) :].zfill(self.width - len(sign) - len(prefix))
            return sign + prefix + rest
        return self.pad(sign + digits)


DIGITS = frozenset("0123456789")


def in_base(number: int, base: int) -> str:
    """Return a non-negative number in base 2, 8 or 16."""
    return format(number, {2: "b", 8: "o", 16: "x"}[base])


def complement(number: int, base: int) -> str:
    """Return the digits of a negative number in two's complement, the endless first digit once.

    >>> complement(-255, 16), complement(-1, 2)
    ('f01', '1')
    """
    top = {2: "1", 8: "7", 16: "f"}[base]
    size = len(in_base(-number, base)) + 1
    digits = in_base(base**size + number, base)
    stripped = digits.lstrip(top)
    return top + stripped


def hexadecimal(number: float, precision: int | None, point: bool) -> str:
    """Return the text of ``%a``: hexadecimal digits and an exponent of two."""
    text = number.hex()
    mantissa, _, exponent = text.partition("p")
    whole, _, fraction = mantissa.partition(".")
    fraction = fraction.rstrip("0")
    if precision is not None:
        scaled = int(fraction.ljust(13, "0"), 16) + (int(whole, 16) << 52)
        shift = max(0, 52 - 4 * precision)
        quotient, rest = divmod(scaled, 1 << shift)
        half = 1 << shift >> 1
        if shift and (rest > half or (rest == half and quotient & 1)):
            quotient += 1
        if quotient << shift >= 1 << 53:
            quotient >>= 1
            exponent = f"{int(exponent) + 1:+d}"
        digits = format(quotient << shift, "x")
        whole, fraction = "0x" + (digits[:-13] or "0"), digits[-13:].rjust(13, "0")
        fraction = fraction.ljust(precision, "0")[:precision]
    return f"{whole}{'.' if fraction or point else ''}{fraction}p{exponent}"
