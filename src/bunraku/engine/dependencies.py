"""What a catalog depends on, and whether that is still the same: questions with digests of answers.

A compile on a :class:`~bunraku.world.recording.Recording` records its questions. The record keeps
no content: answers become digests with a random key of this user's cache, so a record does
not show passwords, nor whether a guessed one is right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import blake2b
from itertools import count
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.base.records import record, replace
from bunraku.hiera.data import FOREIGN_KEYS, PARSERS, foreign_keys
from bunraku.modules.fact_reads import VALUE, FactTable, without_inner
from bunraku.modules.files import FileTable
from bunraku.runtime.timed import question_of, value_at
from bunraku.values.missing import MISSING
from bunraku.world.protocol import World
from bunraku.world.recording import EXPORTED, FactQuestion, Question, Reading, Recording

Digest = bytes | bool | None
Neutral = Callable[[str], str]
"""Returns a path in another form: independent of where the files of a revision are, or back."""
OF_TABLE = frozenset({"exists", "first_holder", "is_folder", "matches", "names"})
"""Questions that the table of files answers."""
TIME = "time"
"""With a formula and a line of code, the question for a value that was computed from the time."""
MOST_KNOWN = 100_000
TRUE_OR_FALSE = frozenset({bool, type(None)})


def unchanged(text: str) -> str:
    """Return a path as it is."""
    return text


class Digests:
    """Digests of answers with a key.

    >>> digests = Digests(b"key")
    >>> digests.of([1, "1"]) == digests.of([1, "1"]), digests.of("1") == digests.of(1)
    (True, False)
    """

    def __init__(self, key: bytes) -> None:
        self.key = key
        self._known: dict[int, tuple[Any, bytes]] = {}

    def __reduce__(self) -> tuple[type[Digests], tuple[bytes]]:
        return Digests, (self.key,)

    def of(self, answer: Any) -> Digest:
        """Return the digest of an answer; of an object that was seen before, the same at once."""
        if answer.__class__ in TRUE_OR_FALSE:
            found: Digest = answer
            return found
        known = self._known.get(id(answer))
        if known is not None and known[0] is answer:
            return known[1]
        made = self.of_once(answer)
        if len(self._known) >= MOST_KNOWN:
            self._known.clear()
        self._known[id(answer)] = answer, made
        return made

    def of_fresh(self, answer: Any) -> Digest:
        """Return the digest of an answer that is another object each time."""
        return answer if answer.__class__ in TRUE_OR_FALSE else self.of_once(answer)

    def of_once(self, answer: Any) -> bytes:
        """Return the digest of an object that is not kept in memory for this."""
        content = answer if answer.__class__ is bytes else canonical(answer).encode(errors=LONE)
        return blake2b(content, key=self.key, digest_size=16).digest()


LONE = "surrogatepass"
NUMBERS = count()
PLAIN = frozenset({str, int, float, bool, bytes, type(None)})


def canonical(value: Any) -> str:
    """Return a text that is the same for the same value only; never the same for unknown objects.

    >>> canonical({"a": [1, True, None]}), canonical(frozenset("ba"))
    ("{'a':[1,True,None,],}", "('a','b',)")
    """
    kind = value.__class__
    if kind in PLAIN:
        return repr(value)
    if kind is dict:
        inner = [f"{canonical(key)}:{canonical(item)}," for key, item in value.items()]
        return f"{{{''.join(inner)}}}"
    if kind is list:
        return f"[{''.join([f'{canonical(item)},' for item in value])}]"
    if kind is tuple or kind is frozenset:
        items = sorted(value) if kind is frozenset else value
        return f"({''.join([f'{canonical(item)},' for item in items])})"
    if isinstance(value, str | int):
        return f"{kind.__module__}.{kind.__qualname__}({super(kind, value).__repr__()})"
    if value is MISSING:
        return "MISSING"
    return f"{kind.__qualname__} {id(value)} {next(NUMBERS)}"


@record(frozen=True)
class DataFile:
    """A file of data by its function and path: digests of its content, and of keys looked up."""

    function: str
    path: str
    content: Digest
    keys: tuple[tuple[Any, Digest], ...]


@record(frozen=True)
class Dependencies:
    """What a catalog depends on.

    ``answers`` have the digest by question; questions for programs are the last. ``exported`` are
    the exported resources that were collected, by type. ``facts`` are digests by question, too.
    """

    answers: tuple[tuple[Question, Digest], ...] = ()
    data: tuple[DataFile, ...] = ()
    facts: tuple[tuple[FactQuestion, Digest], ...] = ()
    exported: tuple[tuple[str, Digest], ...] = ()


def dependencies_of(
    recording: Recording, digests: Digests, facts: FactTable, neutral: Neutral = unchanged
) -> Dependencies | None:
    """Return what a recorded compile depends on; None if that cannot be asked again.

    ``facts`` are those that the compile was given.
    """
    note_times(recording)
    if recording.unrepeatable is not None:
        return None
    answers: list[tuple[Question, Digest]] = []
    programs: list[tuple[Question, Digest]] = []
    exported: list[tuple[str, Digest]] = []
    for question, answer in recording.asked.items():
        if question[0] == EXPORTED:
            exported.append((question[1], digests.of(answer)))
        else:
            kept = programs if question[0] == "run" else answers
            kept.append((with_paths(question, neutral), digests.of(answer)))
    data = [
        DataFile(
            function,
            neutral(path),
            digests.of(content),
            tuple([(key, digests.of(value)) for key, value in keys.items()]),
        )
        for (function, path), (content, keys) in recording.data.items()
    ]
    of_facts = [
        (question, digests.of_once(facts.answer(question)))
        for question in without_inner(recording.facts)
    ]
    return Dependencies((*answers, *programs), tuple(data), tuple(of_facts), tuple(exported))


def note_times(recording: Recording) -> None:
    """Make questions of the values that a compile computed from the time."""
    for reading in recording.readings:
        formula = question_of(reading)
        if formula is None:
            recording.unrepeatable = recording.unrepeatable or reading_reason(reading)
        else:
            recording.note((TIME, formula, reading.line), reading.value)
    recording.readings.clear()


def reading_reason(reading: Reading) -> str:
    """Return why a compile that depends on a reading cannot be repeated."""
    return f"it reads the time at {reading.line}" if reading.line else "it reads the time"


def changed_facts(
    dependencies: Dependencies, facts: FactTable, digests: Digests
) -> Iterator[FactQuestion]:
    """Yield the questions about facts that have other answers; facts that are refused come first."""
    yield from [(VALUE, name) for name in facts.refused()]
    for question, digest in dependencies.facts:
        if digests.of_once(facts.answer(question)) != digest:
            yield question


def with_paths(question: Question, change: Neutral) -> Question:
    """Return a question whose texts are changed.

    >>> with_paths(("first_holder", ("/a", "/b"), "c.rb"), str.upper)
    ('first_holder', ('/A', '/B'), 'C.RB')
    """
    if change is unchanged:
        return question
    kind, *arguments = question
    return (kind, *[changed(one, change) for one in arguments])


def changed(value: Any, change: Neutral) -> Any:
    """Return a text, or a tuple of texts, changed; other values as they are."""
    if value.__class__ is str:
        return change(value)
    if value.__class__ is tuple:
        return tuple([changed(one, change) for one in value])
    return value


class Checker:
    """Asks the questions of records again, each once, in a world.

    ``concrete`` returns the path in this world of a path in the records. ``table`` has the listings
    of directories, if they are known already.
    """

    def __init__(
        self,
        world: World,
        digests: Digests,
        concrete: Neutral = unchanged,
        table: FileTable | None = None,
    ) -> None:
        self.world = world
        self.digests = digests
        self.concrete = concrete
        self.table = FileTable(world) if table is None else table
        self._answers: dict[Question, Digest] = {}
        self._contents: dict[str, bytes | None] = {}
        self._parsed: dict[tuple[str, str], dict[Any, Any] | None] = {}
        self._others: dict[bytes, Checker] = {}

    def with_digests(self, digests: Digests) -> Checker:
        """Return the checker that makes other digests of the same answers; files are not read again."""
        other = self._others.get(digests.key)
        if other is None:
            other = Checker(self.world, digests, self.concrete, self.table)
            other._contents, other._parsed = self._contents, self._parsed
            self._others[digests.key] = other
        return other

    def holds(self, dependencies: Dependencies) -> bool:
        """Return whether all answers are the same; those of ``exported`` are not asked."""
        return next(self.changes(dependencies), None) is None

    def changes(self, dependencies: Dependencies) -> Iterator[Question]:
        """Yield the questions that have other answers; ``("key", path, key)`` for keys of data."""
        known = self._answers
        for question, digest in dependencies.answers:
            answer = known[question] if question in known else self.answer(question)
            if answer != digest or answer.__class__ is not digest.__class__:
                yield question
        for file in dependencies.data:
            yield from self.changed_keys(file)

    def answered(self, dependencies: Dependencies) -> Dependencies:
        """Return the questions of a record with their answers now; those about keys of data without the files."""
        answers = tuple([(one, self.answer(one)) for one, _ in dependencies.answers])
        data = []
        for file in dependencies.data:
            path = self.concrete(file.path)
            found = self.parsed(file.function, path, self.content(path)) or {}
            keys = tuple([(key, self.digests.of(value_now(found, key))) for key, _ in file.keys])
            data.append(replace(file, keys=keys))
        return replace(dependencies, answers=answers, data=tuple(data))

    def answer(self, question: Question) -> Digest:
        """Return the digest of the answer to a question; it is asked once."""
        try:
            return self._answers[question]
        except KeyError:
            found = self._answers[question] = self.ask(question)
            return found

    def ask(self, question: Question) -> Digest:
        """Return the digest of the answer to a question now."""
        kind, *arguments = with_paths(question, self.concrete)
        try:
            if kind == "read":
                return self.digests.of(self.content(arguments[0]))
            if kind == TIME:
                return self.digests.of_fresh(value_at(arguments[0], self.world.now()))
            if kind == "run":
                return self.digests.of_once(self.world.run(list(arguments[0]), arguments[1]))
            if kind in OF_TABLE:
                return self.digests.of(getattr(self.table, kind)(*arguments))
            return self.digests.of_fresh(getattr(self.world, kind)(*arguments))
        except OSError:
            return None
        except Exception:  # a program that fails now, whatever the reason: compile, to report it
            return self.digests.of(object())

    def content(self, path: str) -> bytes | None:
        """Return the content of a file; None if it cannot be read."""
        if path not in self._contents:
            try:
                self._contents[path] = self.world.read(path)
            except OSError:
                self._contents[path] = None
        return self._contents[path]

    def changed_keys(self, file: DataFile) -> Iterator[Question]:
        """Yield the keys of a file of data that have other values; the file if it is not readable."""
        path = self.concrete(file.path)
        content = self.content(path)
        if content is not None and self.digests.of(content) == file.content:
            return
        data = self.parsed(file.function, path, content)
        if data is None:
            yield "read", file.path
            return
        for key, digest in file.keys:
            if self.digests.of(value_now(data, key)) != digest:
                yield "key", file.path, key

    def parsed(self, function: str, path: str, content: bytes | None) -> dict[Any, Any] | None:
        """Return the hash in a file of data; None if there is none."""
        known = self._parsed.get((function, path), MISSING)
        if known is MISSING:
            try:
                known = None if content is None else PARSERS[function](content, path)
            except PuppetError:
                known = None
            known = known if known.__class__ is dict else None
            self._parsed[function, path] = known
        found: dict[Any, Any] | None = known
        return found


def value_now(data: dict[Any, Any], key: Any) -> Any:
    """Return the value of a recorded key in a hash of data."""
    if key.__class__ is tuple and key[0] == FOREIGN_KEYS:
        return foreign_keys(data, key[1])
    return data.get(key, MISSING)
