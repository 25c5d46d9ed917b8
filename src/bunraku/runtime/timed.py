"""Values that code computes from the time: how each was computed is recorded, to be computed again later.

The compiler (:mod:`bunraku.compiler.timed`) finds expressions that only compute from the time, variables and
constants. A recorded compile notes such a value as one *reading*, with a formula, instead of the time itself.
A variable that has such a value becomes a part of the formulas of expressions that read it; any other code that
reads it makes the compile depend on its value. A formula is a tuple: an operation and its operands, which are formulas.
"""

from __future__ import annotations

from collections.abc import Callable, ItemsView, Iterator, KeysView, Sequence, ValuesView
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.runtime import operators
from bunraku.runtime.fact_variables import RecordedCompilation
from bunraku.runtime.state import Scope
from bunraku.types import model as types
from bunraku.types.convert.convert import new
from bunraku.types.relations.equality import equal
from bunraku.types.value_text import to_text
from bunraku.values.time.timespan import Timespan
from bunraku.values.time.timestamp import Timestamp
from bunraku.world.recording import CLOCK, Formula, Reading, Recording, recording_of

Value = Any
MADE = {
    "Boolean": types.BooleanType(),
    "Float": types.FloatType(),
    "Integer": types.IntegerType(),
    "Numeric": types.NUMERIC,
    "String": types.StringType(),
    "Timespan": types.TimespanType(),
    "Timestamp": types.TimestampType(),
}
"""Types whose values are made of the time."""
OPERATIONS: dict[str, Callable[..., Value]] = {
    "add": operators.add,
    "subtract": operators.subtract,
    "multiply": operators.multiply,
    "divide": operators.divide,
    "modulo": operators.modulo,
    "negate": operators.negate,
    "equal": equal,
    "unequal": operators.unequal,
    "less": operators.less,
    "less_equal": operators.less_equal,
    "greater": operators.greater,
    "greater_equal": operators.greater_equal,
}
SECOND = 1_000_000_000
SCALARS = frozenset({int, float, bool, type(None)})
DATE = lazy_pattern(r"[0-9 .:,/TZ+-]{0,40}")
"""Texts that a record may hold: no passwords."""
MOST_OPERATIONS = 100


class NoFormula(Exception):
    """A value that depends on the time in another way than a formula says."""


class TimedScope(Scope):
    """A scope with variables that have values from the time: ``delayed``, by ``$name``.

    Each is with the number of variables before it. It is never stored as other variables are, so each code
    that reads it comes here.
    """

    __slots__ = ()

    def _read(self, key: str) -> Value:
        """Return a variable; the compile depends on its value from now on."""
        reading = self.delayed[key][1]
        recording = recording_of(self.compilation.world)
        if recording is not None:
            recording.note_reading(reading)
        return reading.value

    def _names(self) -> list[str]:
        """Return the names of all variables in their order."""
        names = list(dict.keys(self))
        for key, (position, _) in self.delayed.items():
            names.insert(position, key)
        return names

    def _whole(self) -> dict[str, Value]:
        """Return all variables in their order."""
        return {key: self[key] for key in self._names()}

    def __contains__(self, key: object) -> bool:
        return dict.__contains__(self, key) or key in self.delayed

    def __missing__(self, key: str) -> Value:
        return self._read(key) if key in self.delayed else super().__missing__(key)

    def get(self, key: str, default: Value = None) -> Value:
        """Return a variable of this scope by ``$name``, or the default."""
        return self._read(key) if key in self.delayed else super().get(key, default)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names())

    def __len__(self) -> int:
        return dict.__len__(self) + len(self.delayed)

    def keys(self) -> KeysView[str]:  # type: ignore[override]  # the view of the base has no name
        """Return all variables by ``$name``."""
        return dict.fromkeys(self._names()).keys()

    def values(self) -> ValuesView[Value]:  # type: ignore[override]
        """Return the values of all variables."""
        return self._whole().values()

    def items(self) -> ItemsView[str, Value]:  # type: ignore[override]
        """Return all variables with their values."""
        return self._whole().items()


# -- helpers of compiled code ----------------------------------------------------------------------


def begin_timed(scope: Scope) -> int:
    """Return the number of readings before an expression that reads the time."""
    recording = recording_of(scope.compilation.world)
    return 0 if recording is None else len(recording.readings)


def timed(
    scope: Scope, formula: Formula, begin: int, leaves: Sequence[Value], value: Value
) -> Value:
    """Return the value of an expression whose formula is known; its parts are values in ``leaves``."""
    recording = recording_of(scope.compilation.world)
    if recording is not None:
        reading = reading_of(scope, recording, formula, begin, leaves, value)
        if reading is not None:
            recording.note_reading(reading)
    return value


def assign_timed(
    scope: Scope, key: str, formula: Formula, begin: int, leaves: Sequence[Value], value: Value
) -> None:
    """Evaluate ``$x = value``; the compile depends on the value once code reads the variable."""
    recording = recording_of(scope.compilation.world)
    if recording is None or scope.__class__ not in (Scope, TimedScope) or scope.is_view:
        scope[key] = timed(scope, formula, begin, leaves, value)
        return
    reading = reading_of(scope, recording, formula, begin, leaves, value)
    if reading is None or key in scope or key in scope.compilation.reserved:
        scope[key] = value
        return
    if scope.__class__ is Scope:
        scope.delayed = {}
        scope.__class__ = TimedScope
    scope.delayed[key] = len(scope), reading


def reading_of(
    scope: Scope,
    recording: Recording,
    formula: Formula,
    begin: int,
    leaves: Sequence[Value],
    value: Value,
) -> Reading | None:
    """Return the readings since ``begin`` as one, which replaces them; None where they are not all in the formula.

    A reading that was there before stays: code depends on it by itself.
    """
    since = recording.readings_since(begin)
    parts = Parts(scope, leaves)
    try:
        whole = parts.resolved(formula)
    except NoFormula:
        return None
    clocks = [one for one in since if one.formula is CLOCK]
    others = set(since).difference(clocks, parts.used)
    if len(clocks) != parts.clocks or others or not (clocks or parts.used):
        return None
    for reading in since:
        del recording.readings[reading]
    first = (clocks or parts.used)[0]
    return Reading(whole, value, first.moment, recording.line())


class Parts:
    """What the formula of an expression has in it when it runs.

    ``used`` are the readings of variables, ``clocks`` the number of reads of the time.
    """

    def __init__(self, scope: Scope, leaves: Sequence[Value]) -> None:
        self.scope = scope
        self.leaves = leaves
        self.used: list[Reading] = []
        self.clocks = 0
        self.operations = 0

    def resolved(self, formula: Formula) -> Formula:
        """Return a formula with the values of its variables."""
        kind, *rest = formula
        self.operations += 1
        if kind == "value":
            return formula
        if kind == "leaf":
            return self.leaf(*rest)
        if kind == "now":
            self.clocks += 1
        elif kind == "call":
            self.check_native(rest.pop(0))
            return self.resolved(tuple(rest))
        found = kind, *[self.resolved(one) if one.__class__ is tuple else one for one in rest]
        if self.operations > MOST_OPERATIONS:
            raise NoFormula
        return found

    def leaf(self, key: str, index: int) -> Formula:
        """Return the formula of a variable, or its value."""
        if key and self.scope.__class__ is TimedScope and key in self.scope.delayed:
            reading = self.scope.delayed[key][1]
            self.used.append(reading)
            self.operations += size_of(reading.formula)
            return reading.formula
        value = self.leaves[index]
        if value.__class__ in SCALARS or (value.__class__ is str and DATE.fullmatch(value)):
            return "value", value
        raise NoFormula

    def check_native(self, name: str) -> None:
        """Raise NoFormula for a function that a module may have replaced."""
        compilation = self.scope.compilation
        if not isinstance(compilation, RecordedCompilation) or not compilation.is_native(name):
            raise NoFormula


def size_of(formula: Formula) -> int:
    """Return the number of operations of a formula."""
    return 1 + sum(size_of(one) for one in formula[1:] if one.__class__ is tuple)


# -- computing again -------------------------------------------------------------------------------


def evaluate(formula: Formula, now: float) -> Value:
    """Return the value of a formula at a time, in seconds since the epoch; PuppetError where it has none.

    >>> evaluate(("less", ("value", 5), ("new", "Integer", ("now", "seconds"))), 6.5)
    True
    >>> evaluate(("text", ("value", "in "), ("strftime", ("now", "timestamp"), ("value", "%Y"))), 0)
    'in 1970'
    """
    kind, *rest = formula
    if kind == "value":
        return rest[0]
    if kind == "now":
        return Timestamp(round(now * SECOND)) if rest[0] == "timestamp" else int(now)
    name = rest.pop(0) if kind == "new" else ""
    values = [evaluate(one, now) for one in rest]
    if kind == "new":
        return new(MADE[name], values, now=lambda: now)
    if kind == "strftime":
        return formatted(*values)
    if kind == "text":
        return "".join(map(to_text, values))
    if kind == "not":
        return not operators.truthy(values[0])
    return OPERATIONS[kind](*values)


def formatted(value: Value, pattern: Value, zone: Value = None) -> str:
    """Return a time as text; NoFormula for other values."""
    if pattern.__class__ is str and (zone is None or zone.__class__ is str):
        if value.__class__ is Timestamp:
            return value.format(pattern, zone or None)
        if value.__class__ is Timespan and zone is None:
            return value.format(pattern)
    raise NoFormula


def value_at(formula: Formula, now: float) -> Value:
    """Return the value of a formula at a time if it is plain data; NoFormula if not."""
    try:
        value = evaluate(formula, now)
    except PuppetError:
        raise NoFormula from None
    if value.__class__ is str or value.__class__ in SCALARS:
        return value
    raise NoFormula


def question_of(reading: Reading) -> Formula | None:
    """Return the formula to ask again for a reading; None if it has another value each second."""
    try:
        first, later = (value_at(reading.formula, reading.moment + more) for more in (0, 1))
    except (NoFormula, KeyError):
        return None
    same = first == later == reading.value
    return reading.formula if same and first.__class__ is reading.value.__class__ else None
