"""Answers to requests for catalogs that need no compile, because all that they depend on is unchanged.

An answer is found by the node and by all that decides its bytes, except facts and what the compile read: that is
recorded, and asked again for each request (:mod:`bunraku.engine.dependencies`). Answers are in the memory of the
process that has given them, and in the cache on disk: all processes share them, and a later server. Those with secrets
are sealed there. The key is in the memory of the processes of this server only, so no later one can read them.
"""

from __future__ import annotations

import json
import os
import zlib
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from bunraku.base.bounded_cache import remembered
from bunraku.base.disk_cache import DiskCache
from bunraku.base.errors import PuppetError
from bunraku.base.records import field, record, replace
from bunraku.base.sealing import can_seal
from bunraku.catalog.compiled import CompiledCatalog
from bunraku.engine.dependencies import (
    LONE,
    OF_TABLE,
    TIME,
    Checker,
    DataFile,
    Dependencies,
    Digest,
    Digests,
    canonical,
    changed_facts,
    dependencies_of,
)
from bunraku.engine.kept_catalogs import FAST, CatalogStore, holds_secret, open_store
from bunraku.engine.manifests import COVERAGE
from bunraku.engine.request import ResolvedRequest, fact_table
from bunraku.modules.fact_reads import HASH, NAMES, VALUE
from bunraku.modules.files import FileTable, RecordedTable
from bunraku.puppetdb.site.opening import open_site
from bunraku.server.compiling.bodies import json_bytes
from bunraku.server.compiling.described_files import descriptions
from bunraku.server.compiling.jobs import Job, LineFields
from bunraku.server.compiling.pieces import Pieces
from bunraku.server.compiling.stored import CONTENT, content_digest
from bunraku.server.failures import Refused
from bunraku.world.recording import Question, Recording, recording_of

Described = tuple[list[Mapping[str, Any]], Mapping[str, Any]]
"""Resources whose files a static catalog describes, and the descriptions."""
Reason = tuple[str, str]
"""Why a catalog must be compiled: the kind of the reason, and a sentence without its full stop."""
SITE = "site"
LABEL = "answers of the server"
FORMAT = 5
MOST_ANSWERS = 5000
MOST_BYTES = 256 << 20
"""The limits of the answers in the memory of a process."""
MOST_WATCHED = 200_000
UNWATCHED = frozenset({"run", TIME})


@record(frozen=True)
class Answer:
    """A rendered catalog with what it depends on, and with the log of its compile.

    ``site`` has the digests of answers of the site's data, by method and arguments. ``described`` has the
    resources of a static catalog whose files are described, as JSON, and the digest of the descriptions.
    ``digest`` is that of the content of ``stored``, which is its last piece, ``tag`` that of the body. ``counts`` has the number of questions
    by kind. One that ``is_secret`` is on disk only if it is sealed.
    """

    dependencies: Dependencies
    site: tuple[tuple[str, str, Digest], ...]
    format: str
    environment: str
    lines: tuple[LineFields, ...]
    body: Pieces
    stored: Pieces
    described: tuple[bytes, Digest] | None = None
    digest: str = ""
    tag: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)
    is_secret: bool = False

    def is_same(self, other: Answer) -> bool:
        """Return whether another answer has the same bytes."""
        names = ("format", "environment", "lines")
        return (
            all(getattr(self, name) == getattr(other, name) for name in names)
            and whole_text(self.body) == whole_text(other.body)
            and whole_text(self.stored) == whole_text(other.stored)
        )

    def size(self) -> int:
        """Return the bytes that the renderings take."""
        return sum(map(len, self.body)) + sum(map(len, self.stored))


class Memory:
    """Answers by name, within limits: the least recently used ones go first."""

    def __init__(self, most: int, most_bytes: int) -> None:
        self.most = most
        self.most_bytes = most_bytes
        self.bytes = 0
        self.answers: OrderedDict[str, Answer] = OrderedDict()

    def get(self, name: str) -> Answer | None:
        """Return an answer, which is the last used one now."""
        found = self.answers.get(name)
        if found is not None:
            self.answers.move_to_end(name)
        return found

    def keep(self, name: str, answer: Answer) -> None:
        """Keep an answer."""
        self.drop(name)
        self.answers[name] = answer
        self.bytes += answer.size()
        while len(self.answers) > self.most or self.bytes > self.most_bytes:
            self.drop(next(iter(self.answers)))

    def drop(self, name: str) -> None:
        """Forget an answer."""
        found = self.answers.pop(name, None)
        if found is not None:
            self.bytes -= found.size()


class Watched:
    """What the stored catalogs of environments depend on, beside facts, programs and the time."""

    def __init__(self) -> None:
        self.is_on = False
        self.environments: dict[str, dict[Question, Digest]] = {}

    def of(self, environment: str) -> dict[Question, Digest]:
        """Return the digests of answers by question."""
        return self.environments.setdefault(environment, {})

    def add(self, environment: str, dependencies: Dependencies, checker: Checker) -> None:
        """Add what a catalog depends on; of a file of data, the content that it has now."""
        known = self.of(environment)
        if len(known) > MOST_WATCHED:
            return
        for question, digest in dependencies.answers:
            if question[0] not in UNWATCHED:
                known[question] = digest
        for question in [("read", one.path) for one in dependencies.data]:
            known[question] = checker.ask(question)

    def forget(self, environment: str) -> None:
        """Forget what the catalogs of an environment depend on."""
        self.environments.pop(environment, None)


class SharedKey:
    """The key of the server whose process this is: it seals answers with secrets, which are in memory only without it."""

    value = b""


def share_key(key: bytes) -> None:
    """Let all processes that this one starts from now on seal with a key."""
    SharedKey.value = key if can_seal() else b""


@record(frozen=True, eq=False)
class Answers:
    """The answers that are kept: in memory, and on disk if the cache of this user is used.

    ``refused`` are the nodes of which one was wrong.
    """

    memory: Memory
    names: CatalogStore
    on_disk: bool
    refused: set[str] = field(default_factory=set)
    watched: Watched = field(default_factory=Watched)

    def watch(self) -> None:
        """Remember what answers depend on instead of the answers."""
        self.watched.is_on = True
        self.memory.most = 0

    def shares(self, answer: Answer) -> bool:
        """Return whether other processes can read an answer."""
        return self.on_disk and (not answer.is_secret or bool(SharedKey.value))

    @property
    def digests(self) -> Digests:
        """What makes digests of answers."""
        return self.names.digests


@remembered(1)
def answers() -> Answers:
    """Return the answers that this process keeps."""
    store = open_store(LABEL)
    names = store or CatalogStore(DiskCache(), Digests(os.urandom(64)), LABEL)
    return Answers(Memory(MOST_ANSWERS, MOST_BYTES), names, store is not None)


@record(frozen=True, eq=False)
class Place:
    """Where the answer to a request is kept."""

    name: str
    job: Job
    code_id: str | None
    resolved: ResolvedRequest
    recording: Recording
    answers: Answers

    def find(self) -> Answer | Reason:
        """Return an answer, if all that it depends on is unchanged; else why it must be compiled."""
        reason: Reason = ("new", "no catalog of such a request is stored")
        for read in (self.answers.memory.get, self.read):
            found = read(self.name)
            if found is None:
                continue
            change = next(self.changes(found), None)
            if change is None:
                if read == self.read:
                    self.answers.memory.keep(self.name, found)
                self.watch(found)
                return found
            reason = reason_of_change(change)
        return reason

    def watch(self, answer: Answer) -> None:
        """Remember what an answer depends on, in the process that compiles in the background."""
        watched = self.answers.watched
        if watched.is_on:
            watched.add(self.resolved.environment.name, answer.dependencies, self.checker())

    def refuse(self) -> None:
        """Use no answer for this node any more: one was wrong."""
        self.answers.refused.add(self.job.node)
        self.answers.memory.drop(self.name)
        if self.answers.on_disk:
            self.answers.names.disk.write_data(self.name, ())

    def read(self, name: str) -> Answer | None:
        """Return an answer that is kept on disk."""
        if not self.answers.on_disk:
            return None
        data = self.answers.names.disk.read_sealed(name, SharedKey.value)
        return from_data(data) if isinstance(data, tuple) and data[:1] == (FORMAT,) else None

    def changes(self, answer: Answer) -> Iterator[Question]:
        """Yield the questions that have other answers.

        What is held of an environment (:mod:`~bunraku.server.compiling.held_code`) is asked last, and in the order
        of the compile: no more of it is held then than a compile would ask for now.
        """
        found, digests = answer.dependencies, self.answers.digests
        yield from changed_facts(found, fact_table(self.resolved.request), digests)
        yield from self.changed_rows(answer)
        checker = self.checker()
        for file in found.data:
            yield from checker.changed_keys(file)
        yield from checker.changes(Dependencies(found.answers))
        yield from self.changed_descriptions(answer)

    def checker(self) -> Checker:
        """Return what asks questions again, as a compile would ask them now."""
        return Checker(self.recording.below, self.answers.digests, table=self.table())

    def table(self) -> FileTable:
        """Return the listings of the environment, which were refreshed for this request."""
        files = self.resolved.environment.files
        return files.below if isinstance(files, RecordedTable) else files

    def changed_rows(self, answer: Answer) -> Iterator[Question]:
        """Yield the questions to the data of the site that have other answers, or fail."""
        source, request = self.resolved.request.storedconfigs, self.resolved.request
        if source is None:
            return
        try:
            site = open_site(source, self.recording.below, request.settings)
            for method, arguments, digest in answer.site:
                rows = getattr(site, method)(*json.loads(arguments))
                if self.answers.digests.of_once(json.dumps(rows)) != digest:
                    yield SITE, method, arguments
        except PuppetError:
            yield SITE, "", ""

    def changed_descriptions(self, answer: Answer) -> Iterator[Question]:
        """Yield a question if the files that a static catalog describes are others now."""
        if answer.described is None:
            return
        resources, digest = answer.described
        try:
            found = descriptions(json.loads(resources)["resources"], self.resolved, self.job)
        except Refused:
            found = {}
        if self.answers.digests.of_once(found) != digest:
            yield ("described",)

    def made(
        self,
        format_: str,
        environment: str,
        lines: Sequence[LineFields],
        body: Pieces,
        stored: Pieces,
        described: Described | None,
    ) -> Answer | None:
        """Return the answer of a compile; None if what it depends on cannot be asked again."""
        recording, digests = self.recording, self.answers.digests
        for piece in body:
            recording.check_text(piece)
        facts = fact_table(self.resolved.request)
        dependencies = dependencies_of(recording, digests, facts)
        if dependencies is None:
            return None
        site = [
            (method, arguments, digests.of_once(rows))
            for (method, arguments), rows in (recording.site or {}).items()
        ]
        files = None
        if described is not None:
            resources = json_bytes({"resources": described[0]})
            if resources is None:
                return None
            files = resources, digests.of_once(dict(described[1]))
        counts = counts_of(dependencies, len(site))
        return Answer(
            *(dependencies, tuple(site), format_, environment, tuple(lines), body, stored, files),
            content_digest(stored[-1]) if stored[-1].startswith(CONTENT) else "",
            content_digest(format_.encode() + whole_text(body)),
            counts,
        )

    def keep(self, catalog: CompiledCatalog, answer: Answer) -> Answer:
        """Keep an answer, and return it: with secrets, it is sealed on disk, or kept in memory only."""
        if self.recording.opened_secrets or holds_secret(catalog):
            answer = replace(answer, is_secret=True)
        if self.answers.shares(answer):
            disk = self.answers.names.disk
            with suppress(ValueError):  # an object of a class that no entry can have
                if answer.is_secret:
                    disk.write_sealed(self.name, to_data(answer), SharedKey.value)
                else:
                    disk.write_data(self.name, to_data(answer))
        self.answers.memory.keep(self.name, answer)
        self.watch(answer)
        return answer


def reason_of_change(question: Question) -> Reason:
    """Return the reason that a question with another answer is.

    >>> reason_of_change(("fact", "os", "family")), reason_of_change(("key", "/a.yaml", "port"))
    (('facts', 'the fact os.family changed'), ('data', 'the key port of /a.yaml changed'))
    >>> reason_of_change(("exists", "/a.pp"))
    ('files', '/a.pp changed')
    """
    kind, *rest = question
    if kind in (VALUE, HASH):
        return (
            "facts",
            f"the fact {'.'.join(rest)} changed" if rest else "a fact changed: all are read",
        )
    if kind == NAMES:
        return "facts", f"the keys of {'.'.join(('facts', *rest))} changed"
    if kind == "key":
        return "data", f"the key {rest[1]} of {rest[0]} changed"
    if kind == SITE:
        return "site", f"the data of the site changed: {rest[0]} {rest[1]}"
    if kind == "described":
        return "files", "a file that the static catalog describes changed"
    if kind == TIME:
        return "time", f"another value is computed from the time at {rest[1]}"
    if kind == "run":
        return "programs", f"the program {rest[0][0]} prints something else"
    if kind.startswith("environment_variable"):
        return "environment", "a variable of the environment changed"
    return "files", f"{rest[-1] if kind == 'first_holder' else rest[0] if rest else kind} changed"


def answer_place(job: Job, resolved: ResolvedRequest, code_id: str | None) -> Place | None:
    """Return where the answer to a job is kept; None for a job whose compile is not recorded.

    The classifier was asked for this request, so its answer is part of the name, and not asked again. The
    version of the code is not a part: after a deployment, catalogs that it does not reach need no compile.
    """
    recording = recording_of(resolved.world)
    if recording is None:
        return None
    for question in [one for one in recording.asked if one[0] == "run"]:
        del recording.asked[question]
    node = resolved.node
    decides = [
        *(list(job.formats), job.with_exported, job.checksum_types, job.stores, code_id is None),
        *(resolved.environment.name, node.class_parameters(), dict(node.parameters)),
    ]
    kept = answers()
    if job.node in kept.refused:
        return None
    (of_request,) = kept.names.names_of(resolved.request)
    whole = f"{canonical(decides)}\0{of_request}".encode(errors=LONE)
    name = kept.names.name_of(LABEL, whole)
    return Place(name, job, code_id, resolved, recording, kept)


def is_keepable(job: Job) -> bool:
    """Return whether the answer to a job can be kept.

    Facts that the data of the site have are read outside of the record. Where coverage is recorded, code that does
    not run would count as missed.
    """
    values = (job.transaction_uuid, job.job_id)
    return (
        job.reuses
        and job.facts is not None
        and not os.environ.get(COVERAGE)
        and all(one is None or one.isascii() for one in values)
    )


KINDS = {
    "run": "programs",
    TIME: "times",
    "environment_variable": "variables",
    "environment_variables": "variables",
    "is_directory": "directories",
    "list_directory": "directories",
    **dict.fromkeys(OF_TABLE - {"exists"}, "directories"),
}
"""Kind of a question → the name of what it is about; others are about files."""


def counts_of(dependencies: Dependencies, queries: int) -> dict[str, int]:
    """Return the number of questions by what they are about."""
    found = Counter(KINDS.get(question[0], "files") for question, _ in dependencies.answers)
    found["files"] += len(dependencies.data)
    found["keys"] = sum(len(one.keys) for one in dependencies.data)
    found["facts"] = len(dependencies.facts)
    found["queries"] = queries
    return {name: number for name, number in sorted(found.items()) if number}


def to_data(answer: Answer) -> tuple[Any, ...]:
    """Return an answer as the cache on disk keeps it."""
    found = answer.dependencies
    return (
        FORMAT,
        found.answers,
        tuple([(one.function, one.path, one.content, one.keys) for one in found.data]),
        found.facts,
        answer.site,
        answer.format,
        answer.environment,
        answer.lines,
        compressed(answer.body),
        compressed(answer.stored),
        answer.described,
        answer.digest,
        answer.tag,
    )


def from_data(data: tuple[Any, ...]) -> Answer:
    """Return an answer from its data."""
    _, asked, files, facts, site, format_, environment, lines, body, stored, *rest = data
    dependencies = Dependencies(asked, tuple([DataFile(*one) for one in files]), facts)
    pieces = [each_of(one, zlib.decompress) for one in (body, stored)]
    counts = counts_of(dependencies, len(site))
    found = Answer(dependencies, site, format_, environment, lines, pieces[0], pieces[1], *rest)
    return replace(found, counts=counts)


def whole_text(pieces: Pieces) -> bytes:
    """Return pieces joined, with the names of values in their places."""
    return b"".join(pieces)


def compressed(pieces: Pieces) -> Pieces:
    """Return pieces compressed."""
    return each_of(pieces, lambda piece: zlib.compress(piece, FAST))


def each_of(pieces: Pieces, change: Callable[[bytes], bytes]) -> Pieces:
    """Return pieces, each of them changed."""
    return tuple([change(piece) for piece in pieces])
