"""A world that records what a compile asks so that a later process can ask the same again.

A *question* is a tuple: the name of a method and its arguments. The methods are those of
:class:`~bunraku.world.protocol.World` and of the table of files
(:class:`bunraku.modules.files.RecordedTable`). A compile whose questions all have the same answers
as before has the same result. Some answers cannot be had again: those of servers, of random numbers, and of
programs that run beside the compile. They set ``unrepeatable``. The time is a *reading*, which becomes a
question or sets ``unrepeatable`` at the end.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from itertools import islice
from subprocess import CompletedProcess
from typing import Any, TypeVar

from bunraku.base.records import field, record
from bunraku.web.requests import Exchange, HttpRequest
from bunraku.world.file_signatures import Signature
from bunraku.world.machine import Machine
from bunraku.world.processes import Program
from bunraku.world.protocol import World

Question = tuple[Any, ...]
Formula = tuple[Any, ...]
"""How a value is computed from the time; see :mod:`bunraku.runtime.timed`."""
ADDRESS = rb"#<[^<>]*:0x[0-9a-f]{8,16}"
CLOCK: Formula = ("clock",)
MOST_READINGS = 1000
FactQuestion = tuple[str, ...]
"""See :mod:`bunraku.modules.fact_reads`."""
Answer = Any
Result = TypeVar("Result")
SITE_REASONS = {
    "query": "it queries the data of a site",
    "exported": "it collects the resources that a site stores",
    "nodes": "it asks for the nodes of a site",
    "facts": "it asks for facts of a site",
}
"""What a compile does that asks the data of a site, by method."""
EXPORTED = "exported"
"""With a type, the question of a compile for the resources that other nodes export."""


@record(frozen=True, eq=False)
class Reading:
    """A value that code computed from the time, ``moment``, and the line of that code."""

    formula: Formula
    value: Any
    moment: float
    line: str


def nowhere() -> str:
    """Return the line of code that runs, where none is known."""
    return ""


@record(slots=False)
class Recording:
    """A world whose answers are recorded; see :class:`World` for the methods.

    ``asked`` has the answers by question, None for an OSError. ``data`` has the keys that were looked
    up in files of data, each with its value, by function and path, with the content of the file.
    ``facts`` are the questions about facts, in a dictionary that keeps their order.
    ``opened_secrets`` is whether the compile decrypted data. ``ruby`` has what it needed Ruby for.
    ``computes`` is whether the code that runs now is known to compute only from recorded answers.
    ``site`` has the answers of the data of a site as JSON, by method and arguments as JSON; None if the
    caller does not ask them again. ``readings`` are the values that depend on the time, in a dictionary that keeps
    their order. ``line`` returns the line of code that runs, as ``FILE:LINE``.

    >>> from bunraku.world.dictionary import DictionaryWorld
    >>> world = Recording(DictionaryWorld({"/a": b"x"}))
    >>> world.read("/a"), world.is_file("/b"), world.asked
    (b'x', False, {('read', '/a'): b'x', ('is_file', '/b'): False})
    """

    below: World
    asked: dict[Question, Answer] = field(default_factory=dict)
    data: dict[tuple[str, str], tuple[bytes, dict[Any, Any]]] = field(default_factory=dict)
    facts: dict[FactQuestion, None] = field(default_factory=dict)
    unrepeatable: str | None = None
    opened_secrets: bool = False
    ruby: dict[str, None] = field(default_factory=dict)
    site: dict[tuple[str, str], str] | None = None
    computes: bool = False
    readings: dict[Reading, None] = field(default_factory=dict)
    line: Callable[[], str] = nowhere

    def note(self, question: Question, answer: Answer) -> None:
        """Record an answer; an answer that changes during the compile cannot be had again."""
        before = self.asked.setdefault(question, answer)
        if before is not answer and before != answer:
            self.cannot_repeat(f"{question[0]} of {question[1:]} changed during the compile")

    def note_fact(self, question: FactQuestion) -> None:
        """Record that a fact is read or searched."""
        self.facts[question] = None

    def note_site(self, method: str, arguments: Sequence[Any], answer: Any) -> None:
        """Record an answer of the data of a site."""
        if self.site is None:
            self.cannot_repeat(SITE_REASONS[method])
            return
        try:
            question, text = (method, json.dumps(arguments)), json.dumps(answer)
        except (TypeError, ValueError):
            self.cannot_repeat(f"{SITE_REASONS[method]} by values that JSON does not have")
            return
        if self.site.setdefault(question, text) != text:
            self.cannot_repeat("the data of the site changed during the compile")

    def asked_by(self, work: Callable[[], Result]) -> tuple[Result, dict[Question, Answer]]:
        """Return the result of a function, and its questions with their answers.

        >>> from bunraku.world.dictionary import DictionaryWorld
        >>> world = Recording(DictionaryWorld({"/a": b""}))
        >>> world.asked_by(lambda: world.is_file("/a")), world.asked
        ((True, {('is_file', '/a'): True}), {})
        """
        before, self.asked = self.asked, {}
        try:
            return work(), self.asked
        except BaseException:
            before.update(self.asked)
            raise
        finally:
            self.asked = before

    def cannot_repeat(self, reason: str) -> None:
        """Record that the result depends on something that cannot be asked again."""
        if self.unrepeatable is None and not self.computes:
            line = self.line()
            self.unrepeatable = f"{reason} at {line}" if line else reason

    def check_text(self, text: bytes) -> None:
        """Record that a text with the address of a Ruby object is another one each time."""
        if self.ruby and re.search(ADDRESS, text):
            self.cannot_repeat("the catalog has the address of a Ruby object")

    def note_reading(self, reading: Reading) -> None:
        """Record that the result depends on a value that was computed from the time."""
        if len(self.readings) < MOST_READINGS:
            self.readings[reading] = None
        else:
            self.cannot_repeat("it reads the time too often")

    def readings_since(self, number: int) -> list[Reading]:
        """Return the readings after the first ``number``."""
        return list(islice(self.readings, number, None))

    @contextmanager
    def computing(self, known: bool) -> Iterator[None]:
        """Record what code needs Ruby for, and that its result can be had again if it only computes."""
        before, self.computes = self.computes, known
        try:
            yield
        finally:
            self.computes = before

    def keys_of(self, function: str, path: str, content: bytes) -> dict[Any, Any]:
        """Return the dictionary in which the looked up keys of a file of data are recorded."""
        before, keys = self.data.setdefault((function, path), (content, {}))
        if before != content:
            self.cannot_repeat(f"{path} changed during the compile")
        return keys

    def _ask(self, ask: Callable[..., Result], *arguments: Any) -> Result:
        question = (ask.__name__, *arguments)
        try:
            answer = ask(*arguments)
        except OSError:
            self.note(question, None)
            raise
        self.note(question, answer)
        return answer

    # -- the world ---------------------------------------------------------------------------------

    def read(self, path: str) -> bytes:
        """See :class:`World`."""
        try:
            answer = self.below.read(path)
        except OSError:
            self.note(("read", path), None)
            raise
        question = ("read", path)
        if self.asked.setdefault(question, answer) is not answer:  # asked for each file: no calls
            self.note(question, answer)
        return answer

    def beginning(self, path: str, size: int) -> bytes:
        """See :class:`World`."""
        return self._ask(self.below.beginning, path, size)

    def disk_path(self, path: str) -> str | None:
        """See :class:`World`; the file is then read by others, who record nothing."""
        self.cannot_repeat(f"another library reads {path}")
        return self.below.disk_path(path)

    def is_file(self, path: str) -> bool:
        """See :class:`World`."""
        return self._ask(self.below.is_file, path)

    def is_directory(self, path: str) -> bool:
        """See :class:`World`."""
        return self._ask(self.below.is_directory, path)

    def is_executable(self, path: str) -> bool:
        """See :class:`World`."""
        return self._ask(self.below.is_executable, path)

    def reason_against(self, path: str, start: str | None) -> str | None:
        """See :class:`World`."""
        return self._ask(self.below.reason_against, path, start)

    def list_directory(self, path: str) -> list[str]:
        """See :class:`World`."""
        return self._ask(self.below.list_directory, path)

    def signature(self, path: str) -> Signature | None:
        """See :class:`World`; a signature is of this moment."""
        self.cannot_repeat(f"it asks for the times of {path}")
        return self.below.signature(path)

    def expose(self) -> None:
        """See :class:`World`; a program beside the compile reads files that this record lacks."""
        self.cannot_repeat("Ruby runs code of modules")
        self.below.expose()

    def http(self, request: HttpRequest) -> Exchange:
        """See :class:`World`."""
        self.cannot_repeat("it asks a server")
        return self.below.http(request)

    def run(self, command: list[str], directory: str | None = None) -> str:
        """See :class:`World`; a program that fails cannot be repeated."""
        try:
            output = self.below.run(command, directory)
        except BaseException:
            self.cannot_repeat(f"the program {command[0]} fails")
            raise
        self.note(("run", tuple(command), directory), output)
        return output

    def complete(
        self, command: list[str], variables: Mapping[str, str], seconds: float
    ) -> CompletedProcess[bytes]:
        """See :class:`World`."""
        self.cannot_repeat(f"the program {command[0]} runs beside the compile")
        return self.below.complete(command, variables, seconds)

    def spawn(self, command: list[str]) -> Program:
        """See :class:`World`."""
        self.cannot_repeat(f"the program {command[0]} runs beside the compile")
        return self.below.spawn(command)

    def temporary_file(self, content: bytes) -> AbstractContextManager[str]:
        """See :class:`World`; its name is another one each time."""
        self.cannot_repeat("it writes a temporary file")
        return self.below.temporary_file(content)

    def disk_space(self, path: str) -> tuple[int, int, int]:
        """See :class:`World`."""
        return self._ask(self.below.disk_space, path)

    def ipv4_addresses(self) -> list[tuple[str, str, str]]:
        """See :class:`World`."""
        return self._ask(self.below.ipv4_addresses)

    def now(self) -> float:
        """See :class:`World`."""
        now = self.below.now()
        self.note_reading(Reading(CLOCK, now, now, self.line()))
        return now

    def environment_variable(self, name: str) -> str | None:
        """See :class:`World`."""
        return self._ask(self.below.environment_variable, name)

    def environment_variables(self) -> Mapping[str, str]:
        """See :class:`World`."""
        return self._ask(self.below.environment_variables)


def recording_of(world: World) -> Recording | None:
    """Return a world that records; None for one that does not."""
    return world if isinstance(world, Recording) else None


def answering(world: World) -> AbstractContextManager[None]:
    """Return a context in which code answers Ruby code that only computes, but does not only compute itself."""
    return world.computing(False) if isinstance(world, Recording) else nullcontext()


def needs_ruby(world: World, what: str) -> None:
    """Record what a compile needs Ruby for. A process that runs already can also read files by itself."""
    if isinstance(world, Recording):
        world.ruby.setdefault(what)
        world.cannot_repeat(f"it runs Ruby for {what}")


def opens_secret(world: World) -> None:
    """Record that a compile decrypts data."""
    if isinstance(world, Recording):
        world.opened_secrets = True


def cannot_repeat(world: World, reason: str) -> None:
    """Record that a compile depends on something that cannot be asked again."""
    if isinstance(world, Recording):
        world.cannot_repeat(reason)


def is_this_machine(world: World) -> bool:
    """Return whether the files of a world are those of this machine, recorded or not.

    >>> is_this_machine(Recording(Machine()))
    True
    """
    return isinstance(world.below if isinstance(world, Recording) else world, Machine)
