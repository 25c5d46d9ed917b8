"""Hiera backends that run in Ruby: transfer of their contexts and options, and their requests.

A context travels once for each compile, with the values that it keeps; from then on these are in Ruby,
and Python code fetches them from there.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any

from bunraku.hiera.context import LookupContext
from bunraku.hiera.file_data import Made
from bunraku.ruby.process.process import (
    RUNNING,
    Frame,
    Limits,
    RubyEnded,
    RubyHangs,
    RubyProcess,
    time_limits,
)
from bunraku.ruby.process.wire import Codec
from bunraku.ruby.run.scope import Journal
from bunraku.values.missing import MISSING
from bunraku.world.protocol import World
from bunraku.world.recording import is_this_machine

Value = Any
QUIET = frozenset(
    [
        "context_interpolate",
        "steady_text",
        "exists",
        "fact",
        "facts",
        "file_data",
        "has_value",
        "lookup",
        "setting",
        "top_scope",
    ]
)
"""Requests of Ruby without side effects."""
CALLS_BEFORE = 2
"""Number of calls without effects before a backend is called for several keys at once."""
NEVER = -(1 << 60)
Request = Callable[[Frame], Value]


class RubyCache:
    """The values that a backend keeps in the Ruby process; see :class:`bunraku.hiera.context.Cache`."""

    __slots__ = ("codec", "number", "request")

    def __init__(self, codec: Codec, number: int, request: Request) -> None:
        self.codec = codec
        self.number = number
        self.request = request

    def ask(self, what: str, **more: Value) -> Value:
        """Return an answer from Ruby."""
        encoded = {name: self.codec.encode(value) for name, value in more.items()}
        return self.request({"do": "context", "id": self.number, "what": what, **encoded})

    def has(self, key: Value) -> bool:
        """Return whether a value was kept for a key."""
        return bool(self.ask("has", key=key))

    def get(self, key: Value) -> Value:
        """Return the value that was kept for a key, else undef."""
        return self.ask("get", key=key)

    def set(self, key: Value, value: Value) -> None:
        """Keep a value."""
        self.ask("set", key=key, value=value)

    def entries(self) -> list[list[Value]]:
        """Return all keys with their values."""
        found: list[list[Value]] = self.ask("entries")
        return found


class Backends:
    """Contexts and options of one compile on their way to Ruby."""

    def __init__(self, codec: Codec, request: Request) -> None:
        self.codec = codec
        self.request = request
        self.running: list[tuple[LookupContext, list[str]]] = []
        """The contexts of the backends that run, with the keys that they are called for at once."""
        self.is_quiet = True
        """Whether no request of Ruby may have changed something."""

    @contextmanager
    def serving(self, frame: Frame) -> Generator[None, None, None]:
        """Make the lookup of the calling Ruby code the current one while its request is answered."""
        if frame["call"] not in QUIET:
            self.is_quiet = False
        at = frame.get("at")
        if at is None:
            yield
            return
        context, keys = self.running[-1]
        engine = context.engine
        busy, engine.busy = engine.busy, [keys[at]]
        try:
            yield
        finally:
            engine.busy = busy

    def call(
        self, context: LookupContext, keys: list[str], call: Callable[[list[str]], Frame]
    ) -> Frame:
        """Return the reply of a backend, for more keys at once if it is known to be quiet."""
        outer, self.is_quiet = self.is_quiet, True
        self.running.append((context, keys))
        try:
            reply = call(keys)
        finally:
            self.running.pop()
            context.quiet_calls = context.quiet_calls + 1 if self.is_quiet else NEVER
            context.calls_at_once = context.quiet_calls >= CALLS_BEFORE
            self.is_quiet = outer and self.is_quiet
        context.answers = dict(zip(keys, reply.get("more", ()), strict=False))
        return reply

    def keys_under_way(self, context: LookupContext) -> set[str]:
        """Return the keys that a backend is asked for now: asking again would never end."""
        return {key for running, keys in self.running if running is context for key in keys}

    def encode_context(self, context: LookupContext) -> Any:
        """Return a context; its values move to Ruby with it."""
        codec = self.codec
        number = codec.hold(context)
        if number in codec.sent:
            return {"c": [number, mode_of(context)]}
        codec.sent.add(number)
        kept = context.kept
        entries = [] if isinstance(kept, RubyCache) else kept.entries()
        context.kept = RubyCache(codec, number, self.request)
        about = [
            context.environment_name,
            context.module_name,
            context.files.number,
            [[codec.encode(key), codec.encode(value)] for key, value in entries],
        ]
        return {"c": [number, mode_of(context), about]}

    def encode_options(self, context: LookupContext) -> Any:
        """Return the options of a context's level; if they name a file, each call gets a new hash."""
        codec = self.codec
        number = codec.hold(context.options)
        if number in codec.sent:
            return {"l": [number, context.has_location]}
        codec.sent.add(number)
        return {"l": [number, context.has_location, codec.encode(context.options)]}

    def encode_arguments(
        self, arguments: Sequence[Value], context: LookupContext | None
    ) -> list[Any]:
        """Return the arguments of a function call as JSON."""
        if context is None:
            return list(map(self.codec.share, arguments))
        encode = self.codec.encode
        options = context.options
        return [
            self.encode_options(context) if item is options else encode(item) for item in arguments
        ]


def mode_of(context: LookupContext) -> int:
    """Return the mode of the current lookup: 0 is the usual one, 1 explains, 2 has variables of
    its own.
    """
    if context.explaining:
        return 1
    running = context.invocation
    if running is None or running.overrides or running.defaults or running.local:
        return 2
    return 2 if running.old_scope else 0


def last_context(arguments: Sequence[Value]) -> LookupContext | None:
    """Return the context among the arguments of a call, which is the last one."""
    last = arguments[-1] if arguments else None
    return last if isinstance(last, LookupContext) else None


class BackendAnswers:
    """Answers requests of the contexts of backends by name; see :class:`Answers`."""

    codec: Codec
    journal: Journal
    world: World

    def on_context_interpolate(self, number: int, texts: list[Any]) -> list[Value]:
        """``context.interpolate``: the texts in which there is something to replace."""
        context: LookupContext = self.codec.held_value(number)
        given = [self.codec.decode(text) for text in texts]
        found: list[Value] = self.journal.effect(
            ("interpolate", given), lambda: [context.interpolate(text) for text in given]
        )
        return found

    def on_steady_text(self, number: int, expression: Any) -> str | None:
        """Return the text of an expression such as ``%{facts.x}``, if it is constant in a compile."""
        context: LookupContext = self.codec.held_value(number)
        return context.steady_text(self.codec.decode(expression))

    def on_context_explain(self, number: int, text: Any) -> None:
        """``context.explain``, if an explanation is requested."""
        context: LookupContext = self.codec.held_value(number)
        shown = self.codec.decode(text)
        self.journal.effect(("explain", shown), lambda: context.note(shown))

    def on_file_data(self, number: int, path: Any) -> dict[str, Value]:
        """``context.cached_file_data`` of a file that is new to Ruby: its value if Python has
        it; else where the text is. From then on the value is in Ruby.
        """
        context: LookupContext = self.codec.held_value(number)
        path = self.codec.decode(path)
        files = context.files
        about: dict[str, Value] = {"disk": is_this_machine(self.world)}
        try:
            content = files.read(path)
        except OSError:
            return {
                **about,
                "missing": not about["disk"],
            }  # Ruby reports errors in a file on disk
        made = files.known(path, content)
        if made is not None and made.fetch is None:
            return {**about, "value": made.value}
        process: RubyProcess = RUNNING.process
        limits = time_limits(self.world, process.patience)
        fetch = Fetch(process, files.number, path, limits)
        files.keep(path, Made(content, None, fetch))
        if about["disk"]:
            return about
        return {**about, "text": content.decode("utf-8", "surrogateescape")}


class Fetch:
    """Gets the value of a file from the Ruby process that made it; MISSING where it is not."""

    __slots__ = ("environment", "limits", "path", "process")

    def __init__(self, process: RubyProcess, environment: int, path: str, limits: Limits) -> None:
        self.process = process
        self.environment = environment
        self.path = path
        self.limits = limits

    def __call__(self) -> Value:
        """Return the value, or MISSING."""
        process = self.process
        if getattr(RUNNING, "process", None) is not process or not process.alive:
            return MISSING
        codec = Codec()
        frame = {
            "do": "file_data",
            "environment": self.environment,
            "path": codec.encode(self.path),
            "fresh": False,
        }
        try:
            reply = process.exchange(frame, no_answer, self.limits)
        except (RubyEnded, RubyHangs):
            return MISSING
        if "plain" in reply:
            return reply["plain"]
        return codec.decode(reply["ok"]) if "ok" in reply else MISSING


def no_answer(frame: Frame) -> Frame:
    """Return the answer to an unused request: a value that is kept is plain data."""
    raise AssertionError(frame)
