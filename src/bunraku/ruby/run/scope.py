"""Variables and functions for ERB templates that are rendered without Ruby.

A template that turns out to need Ruby is rendered again, from its beginning. So its changes of the
compile are undone or recorded: the :class:`Journal` keeps results of functions and log entries, and
answers the same calls of Ruby code from them, so nothing is done twice.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from bunraku.base.errors import PuppetError
from bunraku.ruby.old_forms import LOGGING, ONLY_NEW
from bunraku.ruby.values.objects import (
    HASHES,
    LISTS,
    SIMPLE,
    Array,
    Found,
    Hash,
    NeedsRuby,
    old_result,
    old_variable,
    text,
    unknown,
)
from bunraku.ruby.values.texts import find_match, match
from bunraku.runtime import issues
from bunraku.runtime.markers import MISSING
from bunraku.runtime.name_resolution import find_class
from bunraku.runtime.once import is_first
from bunraku.runtime.reserved_variables import NEVER_UNKNOWN
from bunraku.runtime.state import Compilation, Scope
from bunraku.values.default import DEFAULT
from bunraku.values.keys import as_key, from_key
from bunraku.values.regexp.regexp import Match
from bunraku.values.ruby_object import UNDEF, RubyReference, Symbol
from bunraku.values.sensitive import Sensitive

Value = Any
PURE = frozenset({"versioncmp"})
"""Functions that may be called again: they do nothing but answer."""
NESTED = frozenset({"template", "inline_template"})
"""Functions that render other templates, which keep the same journal."""


PASSED_ON: frozenset[Any] = frozenset({float, Sensitive, RubyReference})
"""Other values that are the same in Puppet as in a template."""


def own_scope(scope: Scope) -> Scope:
    """Return the scope of a view."""
    while scope.is_view and scope.outer is not None:
        scope = scope.outer
    return scope


def find(scope: Scope, name: str) -> Value:
    """Return a variable, or MISSING. ``m::x`` in a lambda of the class m can be a variable of the lambda."""
    found = scope.lookup(name)
    if found is not MISSING or "::" not in name:
        return found
    around, _, leaf = name.removeprefix("::").rpartition("::")
    own = own_scope(scope)
    if own is scope or scope.compilation.class_scopes.get(around.lower()) is not own:
        return MISSING
    while scope is not own and f"${leaf}" not in scope:
        assert scope.outer is not None  # a view is inside the scope of a class
        scope = scope.outer
    return scope.get(f"${leaf}", MISSING)


class RunningRuby(Protocol):
    """The Ruby process of a compile, as translated code uses it."""

    active: int

    def render(self, scope: Scope, text: str, file: str | None, name: str, why: str = "") -> str:
        """Return the text that an ERB template makes."""


class Journal:
    """The effects of templates on one compile; ``ruby`` is set once the compile has a Ruby process."""

    def __init__(self, compilation: Compilation) -> None:
        self.compilation = compilation
        self.ruby: RunningRuby | None = None
        self.attempt: Attempt | None = None
        self.replay: deque[tuple[Any, bool, Value]] = deque()
        self.views: dict[int, tuple[Value, Any]] = {}

    def effect(self, key: Any, action: Callable[[], Value]) -> Value:
        """Do something that must be done once; an attempt before may have done it."""
        if self.replay:
            known, failed, outcome = self.replay[0]
            if known == key:
                self.replay.popleft()
                return self.note(key, failed, outcome)
            self.replay.clear()
        try:
            return self.note(key, False, action())
        except PuppetError as error:
            return self.note(key, True, error)

    def note(self, key: Any, failed: bool, outcome: Value) -> Value:
        """Remember an outcome for the case that the template must be rendered again."""
        if self.attempt is not None:
            self.attempt.effects.append((key, failed, outcome))
        if failed:
            raise outcome
        return outcome

    def view(self, value: Value) -> Value:
        """Return an array or hash of a variable in the form that the template assigned."""
        found = self.views.get(id(value))
        return value if found is None else found[1]

    def lookup(self, scope: Scope, name: str) -> Value:
        """Implement ``scope.lookupvar`` and ``scope[]``. Only ``strict`` affects unknown variables:
        Puppet's ``strict_variables`` changes nothing here.
        """
        if name.isdigit():
            captures = scope.captures
            return captures[int(name)] if captures and int(name) < len(captures) else None
        compilation = self.compilation
        found = find(scope, name)
        if found is not MISSING:
            return UNDEF if found is None and compilation.rules.templates_see_callers else found
        if compilation.rules.only_3x_functions and compilation.strict_variables:
            raise issues.UNKNOWN_VARIABLE(name=name)
        if name.rpartition("::")[2] not in NEVER_UNKNOWN and compilation.strict != "off":
            self.effect(("variable", name), lambda: report_undefined(scope, name))
        return None

    @contextmanager
    def apart(self) -> Iterator[None]:
        """Attribute the actions of templates to the function that renders them, during the block."""
        attempt, replay = self.attempt, self.replay
        self.attempt, self.replay = None, deque()
        try:
            yield
        finally:
            self.attempt, self.replay = attempt, replay


def report_undefined(scope: Scope, name: str) -> None:
    """Report a variable that a template cannot find: as an error, or once in a compile as a warning."""
    compilation = scope.compilation
    if compilation.strict == "error" or is_first(compilation, "undefined variable", name):
        shown, reason = why_undefined(scope, name)
        failure = issues.UNDEFINED_VARIABLE(name=shown, reason=reason)
        compilation.messages.strict_finding(failure)


def why_undefined(scope: Scope, name: str) -> tuple[str, str]:
    """Return the name of a variable in Puppet's message, and what it says of the variable's class."""
    plain = name.removeprefix("::")
    around = plain.rpartition("::")[0]
    if not around:
        return name, ""
    if around in scope.compilation.class_scopes:
        return f"::{plain}", ""
    is_known = find_class(scope, around) is not None
    return (
        plain,
        f"; class {around} {'has not been evaluated' if is_known else 'could not be found'}",
    )


class Attempt:
    """One template, with those inside it, that is rendered without Ruby."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self.effects: list[tuple[Any, bool, Value]] = []
        self.variables: list[tuple[Scope, str, Value]] = []

    def set_variable(self, scope: Scope, name: str, value: Value) -> None:
        """``scope.setvar``."""
        scope, key = own_scope(scope), f"${name}"
        kept = to_puppet(value)
        try:
            scope[key] = kept
        except PuppetError as error:
            raise NeedsRuby(error.message) from None
        self.variables.append((scope, key, kept))
        if kept.__class__ in LISTS or kept.__class__ in HASHES:
            self.journal.views[id(kept)] = (kept, value)

    def undo(self) -> None:
        """Take back the variables that were set."""
        for scope, key, kept in self.variables:
            dict.pop(scope, key, None)
            self.journal.views.pop(id(kept), None)

    def commit(self) -> None:
        """Set variables to the new values made from their arrays and hashes."""
        views = self.journal.views
        for scope, key, kept in self.variables:
            found = views.pop(id(kept), None)
            if found is not None:
                share(found[1])
                now = to_puppet(found[1])
                dict.__setitem__(scope, key, now)
                views[id(now)] = (now, found[1])


def spread(value: Value) -> list[Value]:
    """Return the items of Ruby's ``[*value]`` for a value that is not an array."""
    if value is None:
        return []
    if value.__class__ in HASHES:
        return [Array((from_key(key), item)) for key, item in value.items()]
    return [value]


def share(value: Value) -> None:
    """From now on an array or hash is not the template's own."""
    kind = value.__class__
    if (kind is Hash or kind is Array) and not value.shared:
        value.shared = True
        for item in value.values() if kind is Hash else value:
            if item.__class__ is Hash or item.__class__ is Array:
                share(item)


def to_puppet(value: Value) -> Value:
    """Return a value of a template as a Puppet value."""
    kind = value.__class__
    if kind in LISTS:
        return [to_puppet(item) for item in value]
    if kind in HASHES:
        return {as_key(to_puppet(from_key(key))): to_puppet(item) for key, item in value.items()}
    if value is UNDEF:
        return None
    if kind in SIMPLE or kind in PASSED_ON:
        return value
    if kind is Symbol:
        return DEFAULT if value.name == "default" else value
    raise unknown("a value for Puppet", value)


def puppet_value(value: Value) -> Value:
    """The same, where Puppet's own arrays and hashes need no copy: nothing changes them in place."""
    kind = value.__class__
    if kind is Hash:
        made = {}
        for key, item in value.items():
            name = key if key.__class__ is str else as_key(to_puppet(from_key(key)))
            made[name] = item if item.__class__ in SIMPLE else puppet_value(item)
        return made
    if kind is Array:
        return [item if item.__class__ in SIMPLE else puppet_value(item) for item in value]
    return value if kind is dict or kind is list else to_puppet(value)


def journal_of(compilation: Compilation) -> Journal:
    """Return the journal of a compile."""
    return compilation.extension(Journal)


class Context:
    """``self`` and ``scope`` of the code of one template."""

    __slots__ = ("attempt", "compilation", "find", "journal", "match", "old", "scope", "simple")

    def __init__(self, scope: Scope, attempt: Attempt, find: Callable[[str], Value]) -> None:
        self.scope = scope
        self.compilation: Compilation = scope.compilation
        self.attempt = attempt
        self.journal = attempt.journal
        self.find = find
        self.match: Match | None = None
        self.old = self.compilation.rules.templates_see_callers
        self.simple = not (self.old or self.journal.views)

    def variable(self, key: str) -> Value:
        """Answer ``@name``."""
        found = self.scope.get(key, MISSING)
        if found is MISSING:
            found = self.find(key)
            if found is MISSING:
                return None
        return found if self.simple else self.seen(found)

    def seen(self, value: Value) -> Value:
        """Return a variable's value in the form for templates."""
        journal = self.journal
        if journal.views and (value.__class__ is list or value.__class__ is dict):
            value = journal.view(value)
        return old_variable(value) if self.old and value is not UNDEF else value

    def lookup(self, name: Value) -> Value:
        """Answer ``scope['name']``."""
        if name.__class__ is not str:
            raise unknown("scope[]", name)
        try:
            return self.seen(self.journal.lookup(self.scope, name))
        except PuppetError as error:
            raise NeedsRuby(error.message) from None

    def includes(self, name: Value) -> bool:
        """Answer ``has_variable?``: False for undef, except in Puppet 3."""
        found = find(self.scope, text(name))
        return found is not MISSING and (self.old or found is not None)

    def exists(self, name: Value) -> bool:
        """Answer ``scope.exist?``: undef counts."""
        return self.scope.exists(text(name)) or find(self.scope, text(name)) is not MISSING

    def set_variable(self, name: Value, value: Value) -> Value:
        """Answer ``scope.setvar``."""
        self.attempt.set_variable(self.scope, text(name), value)
        return value

    def bare(self, name: str) -> Value:
        """Return a variable by its bare name, as Puppet 3 allows."""
        if not self.includes(name):
            raise NeedsRuby(f"'{name}', which is not a variable")
        message = f"A variable in a template is written @{name}, not {name}"
        log = self.compilation.messages.log
        self.journal.effect(("log", "warning", message), lambda: log("warning", message, None))
        return self.lookup(name)

    def matched(self, left: Value, right: Value) -> int | None:
        """Answer ``=~`` if the template reads ``$1``."""
        found = find_match(left, right)
        if left is not None or right.__class__ is str:
            self.match = found
        return None if found is None else found.start()

    def match_found(self, value: Value, pattern: Value) -> Found | None:
        """Answer ``match`` if the template reads ``$1``."""
        found: Found | None = match(value, pattern)
        self.match = None if found is None else found.match
        return found

    def case_matched(self, subject: Value, pattern: Value) -> bool:
        """Answer ``when /pattern/`` if the template reads ``$1``."""
        if subject.__class__ is not str:
            raise unknown("when beside $1", subject)
        self.match = find_match(subject, pattern)
        return self.match is not None

    def group(self, number: int) -> Value:
        """Answer ``$1``."""
        found = self.match
        return None if found is None or number > len(found.groups()) else found.group(number)

    # -- functions -------------------------------------------------------------------------------

    def old_function(self, name: str, arguments: Value) -> Value:
        """Answer ``scope.function_x([…])``."""
        found = self.compilation.loader.old_function(name)
        if arguments.__class__ not in LISTS or found is None or hasattr(found, "path"):
            raise unknown(f"function_{name}", arguments)
        if name in ONLY_NEW and not self.compilation.rules.only_3x_functions:
            raise NeedsRuby(f"function_{name}")
        return self.function(name, arguments)

    def call_function(self, name: Value, arguments: Value = ()) -> Value:
        """Answer ``scope.call_function('x', […])``: other arguments are spread as Ruby's ``*`` does."""
        name = text(name)
        if arguments.__class__ in LISTS:
            return self.function(name, arguments)
        if arguments == ():
            raise NeedsRuby("call_function without arguments")
        return self.function(name, spread(arguments))

    def function(self, name: str, arguments: Any) -> Value:
        """Return the result of a function."""
        values = [puppet_value(item) for item in arguments]
        call, scope = self.compilation.call_function, self.scope
        try:
            if name in PURE or name in NESTED:
                found = call(scope, name, values)
            else:
                if name not in LOGGING and self.attempt.variables:
                    raise NeedsRuby(f"the function '{name}' after scope.setvar")
                found = self.journal.effect(
                    ("function", name, values), lambda: self.call_apart(name, values)
                )
        except PuppetError as error:
            raise NeedsRuby(error.message) from None
        return old_result(found) if self.old else found

    def call_apart(self, name: str, values: list[Value]) -> Value:
        """Call a function that does more than answer."""
        with self.journal.apart():
            return self.compilation.call_function(self.scope, name, values)
