"""Ruby code that only computes: a recorded compile can be used again although Ruby ran it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from typing import TYPE_CHECKING

from bunraku.base.bounded_cache import BoundedCache
from bunraku.base.records import record
from bunraku.modules.files import FileTable
from bunraku.ruby.syntax.kept_values import State
from bunraku.world.protocol import World
from bunraku.world.recording import Recording, recording_of

if TYPE_CHECKING:
    from bunraku.ruby.syntax.pure_files import Judgement

MOST_FILES = 4_000
AUTOLOADED = ("puppet/functions/", "puppet/parser/functions/")
"""Files that Puppet finds for itself."""
START_OF_PROGRAM = 4096
"""Bytes; the beginning of a program has the number of its build."""
FUNCTION, TEMPLATE, LIBRARY = "function", "template", "library"


@record(frozen=True)
class Verdict:
    """What was found in code.

    ``files`` are those that it requires, by the name in the code: the path and the content, None if there is none.
    """

    content: bytes
    files: tuple[tuple[str, tuple[str, bytes] | None], ...]
    judgement: Judgement


VERDICTS: BoundedCache[tuple[str, str], Verdict] = BoundedCache(
    "what Ruby code does besides computing", MOST_FILES
)
"""By the kind of code, and the path or text."""


class RubyCode:
    """The Ruby code of one compile: which of it only computes.

    ``state`` is what that code keeps in the Ruby process; it must be set back before the code runs.
    """

    def __init__(self, world: World, files: FileTable, libraries: tuple[str, ...]) -> None:
        self.world = world
        self.recording = recording_of(world)
        self.files = files
        self.libraries = libraries
        self.state: dict[State, None] = {}
        self._known: dict[tuple[str, str], Judgement] = {}
        self.keyed_facts = False
        """Whether the code that runs now only reads keys of the facts."""

    def function(self, path: str, name: str) -> AbstractContextManager[None]:
        """Return a context in which Ruby runs a function; a recorded compile notes why it cannot be used again."""
        recording = self.recording
        if recording is None or recording.unrepeatable is not None:
            return nullcontext()
        judgement = self.judgement(FUNCTION, path)
        found = judgement.impurity
        if found is not None:
            with recording.computing(False):
                place = f"{found.path or path}:{found.line}"
                recording.cannot_repeat(f"the function {name} {found.what} ({place})")
        return self.running(recording, judgement)

    def template(self, text: str, file: str | None, name: str) -> AbstractContextManager[None]:
        """Return a context in which Ruby renders a template; see ``function``."""
        recording = self.recording
        if recording is None or recording.unrepeatable is not None:
            return nullcontext()
        judgement = self.judgement(TEMPLATE, text)
        found = judgement.impurity
        if found is not None:
            what = f"template {name}" if file else "inline template"
            place = f"{found.path or file or 'line'}:{found.line}"
            recording.cannot_repeat(f"the {what} {found.what} ({place})")
        return self.running(recording, judgement)

    @contextmanager
    def running(self, recording: Recording, judgement: Judgement) -> Iterator[None]:
        """Note whether the code that runs only computes, and how it reads facts."""
        before, self.keyed_facts = self.keyed_facts, judgement.keyed_facts
        try:
            with recording.computing(judgement.impurity is None):
                yield
        finally:
            self.keyed_facts = before

    @property
    def only_computes(self) -> bool:
        """Whether the code that runs now is known to compute only."""
        return self.recording is not None and self.recording.computes

    def computing(self, known: bool) -> AbstractContextManager[None]:
        """Return a context in which Ruby runs a block of code that was looked at."""
        return nullcontext() if self.recording is None else self.recording.computing(known)

    def library(self, path: str) -> Iterable[State]:
        """Return what a required file keeps that only computes: it is set back in other compiles, recorded or not."""
        within = any(path.startswith(f"{folder}/") for folder in self.libraries)
        return self.verdict(LIBRARY, path).judgement.state if within else ()

    def judgement(self, kind: str, key: str) -> Judgement:
        """Return what code does besides computing; the compile depends on its files."""
        if (kind, key) not in self._known:
            self._known[kind, key] = found = self.verdict(kind, key).judgement
            self.state.update(dict.fromkeys(found.state))
            for name in found.environment:
                self.world.environment_variable(name)
        return self._known[kind, key]

    def verdict(self, kind: str, key: str) -> Verdict:
        """Return what is known of code; it is read again if one of its files has changed."""
        content = b"" if kind == TEMPLATE else self.read(key) or b""
        known = VERDICTS.get((kind, key))
        if known is None or known.content != content or not self.still(known):
            from bunraku.ruby.syntax.pure_files import judged

            text = key if kind == TEMPLATE else content.decode("utf-8", "surrogateescape")
            files: dict[str, tuple[str, bytes] | None] = {}

            def find(name: str) -> tuple[str, bytes] | None:
                files[name] = found = self.find(name)
                return found

            path = "" if kind == TEMPLATE else key
            judgement = judged(kind, text, path, find)
            known = Verdict(content, tuple(files.items()), judgement)
            VERDICTS.keep((kind, key), known)
        return known

    def still(self, known: Verdict) -> bool:
        """Return whether the files that code requires are the same; they are recorded."""
        return all(self.find(name) == found for name, found in known.files)

    def find(self, name: str) -> tuple[str, bytes] | None:
        """Return the file of modules that Ruby code requires by a name or absolute path, with its content."""
        file, folders = f"{name}.rb", self.libraries
        if name.startswith("/"):
            is_within = any(name.startswith(f"{folder}/") for folder in folders)
            path = file if is_within and self.files.exists(file) else None
        else:
            number = self.files.first_holder(folders, file)
            path = f"{folders[number]}/{file}" if number < len(folders) else None
        content = None if path is None else self.read(path)
        return None if path is None or content is None else (path, content)

    def linked_path(self, path: str) -> str:
        """Return the path below a library's folder of a file, given with links resolved."""
        if not any(path.startswith(f"{folder}/") for folder in self.libraries):
            for folder in self.libraries:
                real = os.path.realpath(folder)
                if path.startswith(f"{real}/"):
                    return f"{folder}{path.removeprefix(real)}"
        return path

    def is_current(self, path: str) -> bool:
        """Return whether Ruby finds a file that was required, and no other of its name before it."""
        for folder in self.libraries:
            if path.startswith(f"{folder}/"):
                name = path.removeprefix(f"{folder}/")
                number = (
                    0
                    if name.startswith(AUTOLOADED)
                    else self.files.first_holder(self.libraries, name)
                )
                return name.startswith(AUTOLOADED) or self.libraries[number:][:1] == (folder,)
        return True

    def read(self, path: str) -> bytes | None:
        """Return the content of a file; None if it cannot be read."""
        try:
            return self.world.read(path)
        except OSError:
            return None


def note_ruby(world: World, command: str) -> None:
    """Record which Ruby runs: another one may compute something else."""
    recording = recording_of(world)
    if recording is None or recording.unrepeatable is not None:
        return
    path = shutil.which(command, path=recording.environment_variable("PATH"))
    for name in ("HOME", "COLUMNS"):
        recording.environment_variable(name)
    with suppress(OSError):
        recording.beginning(path or command, START_OF_PROGRAM)
