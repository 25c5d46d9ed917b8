"""Functions of modules in Ruby that run without Ruby, as far as their code is understood."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from bunraku.base.bounded_cache import BoundedCache
from bunraku.base.disk_cache import DiskCache
from bunraku.base.records import record
from bunraku.compiler.code_names import cache_key
from bunraku.hiera.context import LookupContext
from bunraku.ruby.run.calls import RUNNING, Effects, TranslatedCall
from bunraku.ruby.run.names import HELPERS as OF_FUNCTIONS
from bunraku.ruby.run.scope import Attempt, Context, journal_of, puppet_value
from bunraku.ruby.schema.cache import reader_fingerprint
from bunraku.ruby.syntax.erb import Unsupported
from bunraku.ruby.values.helpers import HELPERS as OF_TEMPLATES
from bunraku.ruby.values.objects import Array, Hash, NeedsRuby, unknown
from bunraku.runtime.state import Compilation
from bunraku.values.regexp.regexp import Match
from bunraku.values.ruby_object import Symbol
from bunraku.world.protocol import World
from bunraku.world.recording import is_this_machine

Value = Any
KEPT: frozenset[Any] = frozenset({Array, Hash})
MOST_FUNCTIONS = 2_000
NOTHING = "signatures, types, methods, acts, reason = [], [], {}, False, "
"""The code of a function that Ruby must run."""


class Captures:
    """The last match of a method that reads ``$1``."""

    __slots__ = ("match",)

    def __init__(self) -> None:
        self.match: Match | None = None

    matched = Context.matched
    match_found = Context.match_found
    case_matched = Context.case_matched
    group = Context.group


def give_up(what: str) -> NoReturn:
    """Raise NeedsRuby for a statement that only Ruby can run."""
    raise NeedsRuby(what)


def bytes_of(value: Value, what: str) -> bytes:
    """Return the bytes of a string, or of a result of ``digest``."""
    if value.__class__ is bytes:
        found: bytes = value
        return found
    if value.__class__ is not str:
        raise unknown(what, value)
    return str(value).encode("utf-8", "surrogateescape")


def digest(kind: str, value: Value) -> bytes:
    """Implement ``Digest::X.digest``; the bytes are good for another digest only."""
    return hashlib.new(kind, bytes_of(value, "digest"), usedforsecurity=False).digest()


def hexdigest(kind: str, value: Value) -> str:
    """Implement ``Digest::X.hexdigest``."""
    return hashlib.new(kind, bytes_of(value, "hexdigest"), usedforsecurity=False).hexdigest()


HELPERS: dict[str, Any] = {
    **OF_TEMPLATES,
    **OF_FUNCTIONS,
    ":Captures": Captures,
    ":digest": digest,
    ":give_up": give_up,
    ":hexdigest": hexdigest,
    ":missing": object(),
}


@record()
class NativeFunction:
    """A function's signatures as Ruby declares them, and its methods; none if Ruby must run it."""

    content: bytes
    signatures: list[dict[str, Any]]
    types: list[str]
    methods: dict[str, Callable[..., Value]]
    acts: bool
    reason: str


FUNCTIONS: BoundedCache[tuple[str, str], NativeFunction] = BoundedCache(
    "translated Ruby functions", MOST_FUNCTIONS
)
"""By path and name."""


def native_function(world: World, path: str, name: str) -> NativeFunction | None:
    """Return the function of a file; None where Ruby must run it or report its error."""
    try:
        content = world.read(path)
    except OSError:
        return None
    found = FUNCTIONS.get((path, name))
    if found is None or (found.content is not content and found.content != content):
        found = FUNCTIONS.keep((path, name), make_function(world, content, path, name))
    return found if found.methods else None


def reason_for_ruby(path: str, name: str) -> str:
    """Return why Ruby must run a function, in parentheses; empty where the reason is unknown."""
    found = FUNCTIONS.get((path, name))
    return f" ({found.reason})" if found is not None and found.reason else ""


def make_function(world: World, content: bytes, path: str, name: str) -> NativeFunction:
    """Compile a function, or take its code from the disk."""
    cache = DiskCache() if is_this_machine(world) else None
    key = cache_key(content, path, f"function {name}", reader_fingerprint())
    code = None if cache is None else cache.read(key)
    if code is None:
        from bunraku.ruby.run.translation import compile_function
        from bunraku.ruby.secrets import holds_secret

        try:
            text = content.decode("utf-8")
            code = compile_function(text, path, name)
        except (Unsupported, UnicodeDecodeError) as refused:
            line = getattr(refused, "line", 0)
            what = refused.what if isinstance(refused, Unsupported) else "text that is not UTF-8"
            reason = f"line {line}: {what}" if line else what
            code = compile(f"{NOTHING}{reason!r}", path, "exec", dont_inherit=True)
        if cache is not None and not holds_secret(content.decode("utf-8", "replace")):
            cache.write(key, code)
    namespace: dict[str, Any] = {}
    exec(code, HELPERS, namespace)
    return NativeFunction(
        content,
        namespace["signatures"],
        namespace["types"],
        namespace["methods"],
        namespace["acts"],
        namespace.get("reason", ""),
    )


def run_method(method: Callable[..., Value], arguments: Sequence[Value]) -> Value:
    """Return a method's result as a Puppet value; raise NeedsRuby where Ruby must run it."""
    try:
        value: Value = method(*arguments)
        if value.__class__ in KEPT and not is_backend(arguments) and value.shared:
            raise NeedsRuby("a constant as the result")  # it is the same object each time
        return result_of(value)
    except TypeError as error:
        # A method with another number of parameters: Ruby raises the error in its own words.
        if error.__traceback__ is not None and error.__traceback__.tb_next is None:
            raise NeedsRuby("a call with these arguments") from None
        raise
    except RecursionError:
        raise NeedsRuby("calls that nest too deeply") from None


def run_acting(
    compilation: Compilation,
    method: Callable[..., Value],
    arguments: Sequence[Value],
    effects: Effects,
) -> Value:
    """Run a method that does more than compute; when it raises NeedsRuby, ``effects`` has its effects."""
    journal = journal_of(compilation)
    outer, attempt, replay = getattr(RUNNING, "call", None), journal.attempt, journal.replay
    call = RUNNING.call = TranslatedCall(compilation, Attempt(journal))
    journal.attempt = call.attempt
    if replay:
        journal.replay = deque()
    try:
        return run_method(method, arguments)
    except NeedsRuby:
        call.undo()
        effects.extend(call.attempt.effects)
        raise
    finally:
        RUNNING.call, journal.attempt, journal.replay = outer, attempt, replay


def is_backend(arguments: Sequence[Value]) -> bool:
    """Return whether the arguments are those of a Hiera backend, whose results are copied."""
    return any(item.__class__ is LookupContext for item in arguments)


def result_of(value: Value) -> Value:
    """Return a method's value as a Puppet value; ``:default`` stays a separate value."""
    if value.__class__ is Symbol and value.name == "default":
        raise unknown("a value for Puppet", value)
    return puppet_value(value)
