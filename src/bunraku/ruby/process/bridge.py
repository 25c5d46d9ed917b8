"""The bridge to the Ruby that modules carry: ERB templates and functions.

:func:`bridge_of` gives the bridge of a compile; functions are in :mod:`bridge_functions`. The Ruby end is the program in ``shim/``; each of its requests is answered here.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any

from bunraku.base.errors import Diagnostic, PuppetError
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.records import record
from bunraku.base.source import Place
from bunraku.ruby.process import issues
from bunraku.ruby.process.answers import Answers
from bunraku.ruby.process.computing import RubyCode
from bunraku.ruby.process.hiera import Backends
from bunraku.ruby.process.process import (
    Frame,
    Limits,
    RubyEnded,
    RubyHangs,
    RubyProcess,
    ruby_process,
    time_limits,
)
from bunraku.ruby.process.wire import Codec, encode_text
from bunraku.ruby.run.scope import journal_of, own_scope
from bunraku.runtime.binary_texts import binary_texts, mark_binary
from bunraku.runtime.callables import Closure
from bunraku.runtime.control import ControlSignal, StoppedByError
from bunraku.runtime.error_places import locate
from bunraku.runtime.error_texts import whole_text, words_of
from bunraku.runtime.fact_variables import names_with_values
from bunraku.runtime.markers import MISSING
from bunraku.runtime.ruby_objects import RubyReferences
from bunraku.runtime.state import Compilation, Scope
from bunraku.types.parse import parse_type
from bunraku.values.keys import pairs
from bunraku.values.missing import KeyNotFound
from bunraku.world.recording import answering, cannot_repeat

Value = Any
INSTANCE_VARIABLE = lazy_pattern(r"@([a-zA-Z_]\w*)", re.ASCII)
ALL_VARIABLES = lazy_pattern(r"instance_variable|eval|binding|\bsend\b")
MEANT = frozenset(
    {
        "Puppet::ParseError",
        "Puppet::ParseErrorWithIssue",
        "Puppet::PreformattedError",
        "Puppet::Error",
        "Puppet::DataBinding::LookupError",
        "Puppet::Pops::Types::TypeAssertionError",
    }
)
"""Errors of Puppet that functions raise for the user: only the message is shown."""
BAD_CALLS = frozenset(
    {"ILLEGAL_ARGUMENT_COUNT", "ILLEGAL_ARGUMENT_TYPE", "TYPE_MISMATCH", "UNKNOWN_FUNCTION"}
)
"""Codes of errors of calls that are an ArgumentError in Ruby."""
OWN_CLASSES = {"DUPLICATE_DECLARATION": "Puppet::Resource::Catalog::DuplicateResourceError"}
"""Codes of errors that have a class of their own in Ruby."""
MISSING_PIECE = "Bunraku::MissingPiece"
FUNCTION = lazy_pattern(r"Function '([\w:]+)'")


class RubyJump(Exception):
    """A throw, break or return of Ruby code leaves this request and Puppet code for Ruby code around."""


@record()
class RubyException:
    """The class and message of an exception that became an error.

    Puppet code that a StandardError passes ``changes`` it to a PreformattedError.
    """

    error: BaseException
    name: str
    message: str
    changes: bool


class Bridge:
    """One compile's way to Ruby."""

    def __init__(self, compilation: Compilation) -> None:
        self.compilation = compilation
        self.codec = Codec(compilation.rules)
        self.codec.binary = compilation.extension(binary_texts)
        if not compilation.rules.only_3x_functions:
            self.codec.mark_binary = partial(mark_binary, compilation)
        self.codec.read_type = lambda text: parse_type(text, compilation.types)
        self.codec.note_reference = compilation.extension(RubyReferences).note
        journal = journal_of(compilation)
        journal.ruby = self
        self.codec.views = journal.views
        self.answers = Answers(self.codec, compilation, self.ruby_block)
        self.changes = self.answers.changes
        self.codec.is_frozen = self.changes.is_frozen
        if not compilation.rules.only_3x_functions:
            self.codec.is_frozen_string = self.changes.strings.has
        self.backends = Backends(self.codec, self.ask_backend)
        self.codec.encode_context = self.backends.encode_context
        self.answers.note_installed = self.note_installed
        self.answers.load_old = partial(self.load_old, None)
        self.old_functions: dict[str, tuple[str, int]] = {}
        """The functions of the old kind that exist: ``rvalue`` or ``statement``, and the arity."""
        self.raised: dict[int, BaseException] = {}
        self.thrown: dict[int, tuple[BaseException, int]] = {}
        """The numbers of Ruby's exceptions that became these errors, on their way to Ruby code around."""
        self.classes: dict[int, RubyException] = {}
        """The exceptions that became these errors."""
        self.running: RubyProcess | None = None
        self.active = 0  # how many requests are under way, one inside the other
        self.asks_by_computing = False
        """Whether the code is known to compute only that sent the last request."""
        self.fresh = True
        modules = compilation.environment.modules.values()
        self.libraries = tuple(
            path
            for path in (f"{module.path}/lib" for module in modules)
            if compilation.environment.files.exists(path)
        )
        self.code = RubyCode(compilation.world, compilation.environment.files, self.libraries)

    def process(self, what: str) -> RubyProcess:
        """Return the Ruby process, started when needed; a compile checks its freshness once."""
        found = self.running
        if found is None or not found.alive:
            world, is_current = self.compilation.world, self.code.is_current
            found = self.running = ruby_process(world, self.libraries, what, is_current=is_current)
            self.codec.sent.clear()
            self.raised.clear()
            self.fresh = True
        else:
            cannot_repeat(self.compilation.world, f"it runs Ruby for {what}")
        return found

    def request(self, frame: Frame, what: str, file: str | None = None) -> Frame:
        """Return Ruby's reply to a request: its last frame."""
        process = self.process(what)
        frame["fresh"] = self.fresh
        if self.fresh:
            process.follow(frame)
            self.fresh = False
            frame["recorded"] = self.code.recording is not None
        if self.code.only_computes:
            frame["keyed"] = not self.compilation.rules.templates_see_callers
            frame["keyed_facts"] = self.code.keyed_facts and frame["keyed"]
        process.tell_state(frame, self.code.state)
        limits = time_limits(self.compilation.world, process.patience)
        self.active += 1
        try:
            reply = process.exchange(frame, self.answer, limits)
        except RubyEnded:
            # The request that its end stopped first has the cause; it may be one inside this.
            process.error = process.error or issues.RUBY_ENDED(what=what, ending=process.ending)
            raise process.error from None
        except RubyHangs as hang:
            process.error = hang_error(hang, limits, what, file)
            raise process.error from None
        finally:
            self.active -= 1
            if not self.active:
                self.thrown.clear()
        self.note_news(reply)
        for path in reply.get("loaded", ()):
            self.note_loaded(process, path)
        if "jump" in reply.get("error", ()):
            raise RubyJump
        return reply

    def note_installed(self) -> None:
        """Remember that the process has parts of an installed Puppet."""
        if self.running is not None:
            self.running.used_installed = True

    def note_news(self, frame: Frame) -> None:
        """Note what Ruby code has done since its last frame: values changed, functions defined."""
        if "changed" in frame:
            self.changes.apply(frame["changed"])
        for definition in frame.get("defined", ()):
            self.define(*definition)

    def note_loaded(self, process: RubyProcess, path: str) -> None:
        """Remember the content of a file that Ruby code has required.

        Ruby resolves links of the folders that it searches. The path through the link leads to the file of the next deployment.
        """
        path = self.code.linked_path(path)
        with suppress(OSError):
            process.files[path] = self.compilation.world.read(path)
            process.unsent.update(dict.fromkeys(self.code.library(path)))

    def answer(self, frame: Frame) -> Frame:
        """Return the answer to a request from Ruby; errors pass through Ruby and come out again."""
        self.note_news(frame)
        self.asks_by_computing = self.code.only_computes
        try:
            with self.backends.serving(frame), answering(self.compilation.world):
                return {"ok": self.answers.answer(frame["call"], frame["args"])}
        except PuppetError as error:
            return {"raise": self.exception(error, frame)}
        except ControlSignal as signal:
            value = self.codec.encode(signal.value)
            jump = {"signal": signal.name, "value": value, "exception": self.number_of(signal)}
            return {"raise": {"id": self.keep(signal), **jump}}
        except Exception as error:  # Ruby code does not get hold of it
            return {"raise": {"id": self.keep(error), "signal": "other"}}

    def number_of(self, error: BaseException) -> int | None:
        """Return the number of the exception of Ruby that became an error, if Ruby still has it."""
        thrown = self.thrown.get(id(error))
        return None if thrown is None else thrown[1]

    def exception(self, error: PuppetError, frame: Frame) -> Frame:
        """Return an error as an exception of Ruby: that from which it was made, or a new one."""
        known = self.classes.get(id(error))
        number = self.number_of(error)
        finding = self.located(error)
        if finding.place.line is None or (known is not None and not known.changes):
            kind = self.class_of(error, frame) if known is None else known.name
            message = words_of(finding) if known is None else known.message
        else:
            kind, message, number = "Puppet::PreformattedError", whole_text(finding), None
        return {
            "id": self.keep(error),
            "message": encode_text(message),
            "signal": None,
            "exception": number,
            "class": kind,
        }

    def class_of(self, error: PuppetError, frame: Frame) -> str:
        """Return the class of an error that no Puppet code has reported yet."""
        is_call = frame["call"] == "function" and frame["args"][1] != "assert_type"
        if is_call and error.code in BAD_CALLS:
            return "ArgumentError"
        return OWN_CLASSES.get(error.code, "Puppet::ParseError")

    def located(self, error: PuppetError) -> Diagnostic:
        """Return an error as Puppet code reports it: without a place if it went through none."""
        copy = PuppetError(error.diagnostic).with_traceback(error.__traceback__)
        copy.in_part(error.part, error.index)
        loader = self.compilation.loader
        return locate(copy, loader.sources, loader.parse).diagnostic

    def keep(self, error: BaseException) -> int:
        """Return the number of an error on its way through Ruby."""
        self.raised[id(error)] = error
        return id(error)

    def ruby_block(self, data: Frame) -> Closure:
        """Return a block of Ruby code as a lambda."""
        what, computes = "A block of Ruby code", self.asks_by_computing

        def call(*arguments: Value) -> Value:
            frame = {
                "do": "block",
                "id": data["id"],
                "args": [self.codec.share(item) for item in arguments],
            }
            with self.code.computing(computes):
                return self.value_of(self.request(frame, what), what)

        names = tuple(data["names"])
        high = None if data["rest"] else len(names)
        return Closure(call, data["low"], high, names, (None,) * len(names))

    def value_of(self, reply: Frame, what: str) -> Value:
        """Return the value of a request; exceptions of Ruby code become errors."""
        if "plain" in reply:
            return reply["plain"]
        if "ok" in reply:
            return self.codec.decode(reply["ok"])
        if "absent" in reply:
            raise KeyNotFound
        raise self.failure(reply["error"], what)

    def failure(self, error: Frame, what: str) -> BaseException:
        """Return the error for an exception of Ruby code; bunraku's own errors come back unchanged."""
        kept = self.raised.pop(error["id"], None) if error.get("id") is not None else None
        made = kept or self.new_exception(error, what)
        if error.get("exception") is not None:
            self.thrown[id(made)] = made, error["exception"]
        if kept is None and error["class"] != MISSING_PIECE:
            changes = not (error["escapes"] or error["given"])
            self.classes[id(made)] = RubyException(made, error["class"], error["message"], changes)
        return made

    def new_exception(self, error: Frame, what: str) -> BaseException:
        """Return a new error for an exception of Ruby code; a ``StopIteration`` ends iterations."""
        failed = self.new_failure(error, what)
        if error["stops"]:
            return StoppedByError(failed.having_in_puppet(form="escaped", words=error["message"]))
        return as_raised(failed, error)

    def new_failure(self, error: Frame, what: str) -> PuppetError:
        """Return a new error for an exception of Ruby code."""
        place = raised_at(error)
        if error["class"] in MEANT:
            if error["given"]:
                placed = issues.FUNCTION_RAISED_AT(message=error["message"])
                return placed.at(Place(error["file"], error["line"]))
            return issues.FUNCTION_RAISED(message=error["message"])
        if error["class"] == MISSING_PIECE:
            return missing_piece(error, what)
        function = FUNCTION.fullmatch(what)
        if function is None:
            return issues.FUNCTION_FAILED(what=what, message=error["message"], place=place)
        return issues.FUNCTION_THREW(
            name=function[1],
            kind=error["class"],
            message=error["message"],
            place=short_place(error, function[1]),
        )

    def ask_backend(self, frame: Frame) -> Value:
        """Return Ruby's reply about the values that a Hiera backend keeps there."""
        what = "A Hiera backend"
        return self.value_of(self.request(frame, what), what)

    # -- functions -------------------------------------------------------------------------------

    def load(self, name: str, path: str, what: str) -> Frame:
        """Return the definitions in a function's file from Ruby, which loads it if necessary."""
        loaded: Frame = self.loaded("load", name, path, what)
        return loaded

    def load_old(self, name: str | None, path: str, what: str) -> None:
        """Let the functions of the old kind in a file exist; with a name, that one must be among them.

        Other Ruby code may call them from now on, so they must only compute, too.
        """
        with self.code.function(path, name or path.rpartition("/")[2]):
            found = self.loaded("load_old", name, path, what)
        for defined, kind, arity in found:
            self.define(defined, kind, arity, path)

    def define(self, name: str, kind: str, arity: int, path: str) -> None:
        """Note that Ruby code has defined a function of the old kind."""
        self.old_functions[name] = kind, arity
        self.compilation.loader.define_old_function(name, path)

    def loaded(self, do: str, name: str | None, path: str, what: str) -> Any:
        """Return Ruby's answer to loading a file, which one process loads once."""
        process = self.process(what)
        if path not in process.functions:
            content = self.function_file(path, what)
            process.files[path] = content
            frame = {
                "do": do,
                "path": path,
                "text": encode_text(content.decode("utf-8", "surrogateescape")),
                "name": name,
                "libraries": list(self.libraries),
                "old": self.compilation.rules.only_3x_functions,
            }
            reply = self.request(frame, what, path)
            if "error" in reply:
                raise self.load_failure(reply["error"], what)
            value = self.value_of(reply, what)
            process.functions[path] = dict(pairs(value)) if do == "load" else value
        return process.functions[path]

    def function_file(self, path: str, what: str) -> bytes:
        """Return the content of a function's file."""
        try:
            return self.compilation.world.read(path)
        except OSError as error:
            reason = error.strerror or str(error)
            raise issues.NOT_LOADED(what=what, message=reason, place=f" (file: {path})") from None

    def load_failure(self, error: Frame, what: str) -> BaseException:
        """Return the error for a file that cannot be loaded."""
        if error.get("id") is not None:
            return self.failure(error, what)
        if error["class"] == MISSING_PIECE:
            return missing_piece(error, what)
        failed = issues.NOT_LOADED(what=what, message=error["message"], place=raised_at(error))
        return as_raised(failed, error)

    def call(self, frame: Frame, what: str, path: str) -> Frame:
        """Return the reply to a call of a function."""
        old = self.compilation.rules.only_3x_functions
        return self.request({"do": "call", "path": path, "old": old, **frame}, what, path)

    # -- templates -------------------------------------------------------------------------------

    def render(self, scope: Scope, text: str, file: str | None, name: str, why: str = "") -> str:
        """Return the text of an ERB template; ``file`` is None for a template given as text, ``why`` is
        the reason for Ruby.
        """
        what = f"Template '{name}'" if file else "The inline template"
        self.process(
            what + why
        )  # before the variables are encoded: the sent ones are valid for one process
        with self.codec.lent(scope) as number:
            frame = {
                "do": "render",
                "file": file,
                "text": encode_text(text),
                "scope": number,
                "own": self.codec.hold(own_scope(scope)),
                "variables": self.variables(scope, text),
                "old": self.compilation.rules.only_3x_functions,
            }
            reply = self.request(frame, what, file)
        if "error" not in reply:
            found: str = self.value_of(reply, what)
            return found
        error = reply["error"]
        kept = self.raised.pop(error["id"], None) if error.get("id") is not None else None
        if kept is not None and not isinstance(kept, PuppetError):
            raise kept
        if error["class"] == MISSING_PIECE:
            raise missing_piece(error, what)
        raise template_failure(error, name if file else None) from kept

    def variables(self, scope: Scope, text: str) -> dict[str, Any]:
        """Return the variables that a template can read as ``@name``: those that its text mentions."""
        self.changes.own_parameters(scope)
        encode = self.codec.encode_variable
        find, visible = scope.find, scope.visible_names
        if self.compilation.rules.templates_see_callers:
            find, visible = partial(dynamic_find, scope), partial(dynamic_names, scope)
        elif self.code.only_computes:  # such code reads no value by a name that it computes
            names = [one for one in mentioned(text) if one != "facts" or not self.code.keyed_facts]
            visible = partial(only_named, scope, "instance_variables" in text, names)
        if ALL_VARIABLES.search(text):
            found = {name: v for name, v in visible().items() if name.isidentifier()}
        else:
            found = {name: find(f"${name}") for name in mentioned(text)}
        return {
            name: encode(value)
            for name, value in found.items()
            if value is not None and value is not MISSING
        }


def mentioned(text: str) -> dict[str, None]:
    """Return the names of the variables that a template mentions as ``@name``."""
    return dict.fromkeys(INSTANCE_VARIABLE.findall(text))


def only_named(scope: Scope, all_names: bool, names: Iterable[str]) -> dict[str, Value]:
    """Return the variables of some names; with ``all_names`` those that have a value are there, but not the values."""
    found: dict[str, Value] = dict.fromkeys(names_with_values(scope), True) if all_names else {}
    found.update((name, scope.find(f"${name}")) for name in names)
    return found


def calling_scopes(scope: Scope) -> Iterator[Scope]:
    """Yield a scope and its outer scopes for templates of Puppet 3: the parent's for a class that
    inherits, else that of the declaring code.
    """
    current: Scope | None = scope
    while current is not None:
        yield current
        definition = current.definition
        static = current.is_view or (definition is not None and definition.parent)
        current = current.outer if static or current.caller is None else current.caller


def dynamic_find(scope: Scope, key: str) -> Value:
    """Return a variable of the scopes around by call, or MISSING."""
    for current in calling_scopes(scope):
        if key in current:
            return current[key]
    return scope.find(key)


def dynamic_names(scope: Scope) -> dict[str, Value]:
    """Return all variables of the scopes around by call, and of those around by definition."""
    found: dict[str, Value] = dict(scope.visible_names())
    for current in reversed(list(calling_scopes(scope))):
        found.update((key[1:], value) for key, value in current.items() if key.startswith("$"))
    return found


def hang_error(hang: RubyHangs, limits: Limits, what: str, file: str | None) -> PuppetError:
    """Return the error for code that went past its limits."""
    if hang.file is not None:
        place = raised_at({"file": hang.file, "line": hang.line})
    else:
        place = f" (file: {file})" if file else ""
    if hang.used == "clock":
        return issues.RUBY_WAITS(what=what, seconds=limits.clock, place=place)
    return issues.RUBY_TIMEOUT(what=what, seconds=limits.processor, place=place)


def missing_piece(error: Frame, what: str) -> PuppetError:
    """Return the error for a part of Puppet that bunraku lacks and that is not installed."""
    name = error["message"].removesuffix(" is not provided")
    return issues.PIECE_MISSING(what=what, name=name, place=raised_at(error))


def short_place(error: Frame, function: str) -> str:
    """Return `` (f.rb:3)`` for code in a function's own file, else the whole path and the line."""
    file: str | None = error.get("file")
    if not file:
        return ""
    path = function.replace("::", "/") + ".rb"
    shown = posixpath.basename(file) if file.endswith(f"/{path}") else file
    return f" ({shown}:{error['line']})"


def template_failure(error: Frame, name: str | None) -> PuppetError:
    """Return the error for an exception of a template; one without a name was given as text."""
    place = raised_at(error)
    if name is None:
        failed = issues.INLINE_TEMPLATE_FAILED(message=error["message"], place=place)
        return as_raised(failed, error)
    failed = issues.TEMPLATE_FAILED(
        name=name,
        message=error["message"],
        place=place,
        file=error.get("file"),
        line=error.get("line"),
    )
    return as_raised(failed, error)


def as_raised(failed: PuppetError, error: Frame) -> PuppetError:
    """Note that Puppet catches only a StandardError: the message of another exception is the text."""
    if not error["escapes"]:
        return failed
    return failed.having_in_puppet(form="escaped", words=error["message"])


def raised_at(error: Frame) -> str:
    """`` (file: x, line: 3)`` of the Ruby code that raised, or nothing."""
    if not error.get("file"):
        return ""
    return f" (file: {error['file']}, line: {error['line']})"


def bridge_of(compilation: Compilation) -> Bridge:
    """Return the bridge of a compile."""
    return compilation.extension(Bridge)
