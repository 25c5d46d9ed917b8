"""Recording which code of a project compiles run: the data that ``bunraku cover`` reports.

``bunraku cover`` sets the environment variable ``BUNRAKU_COVERAGE`` to a private folder, and the processes
below it inherit the variable. Each process then compiles the files of the project with probes
(:mod:`bunraku.compiler.probes`) and appends one record to a file of its own after each compile, so a
process that is killed loses only the compile that it was in. A record has paths, digests, numbers of
probes and the name of the node or test, and no values.
"""

from __future__ import annotations

import json
import os
from collections import defaultdict
from fnmatch import fnmatchcase
from hashlib import blake2b
from itertools import pairwise
from typing import Any

from bunraku.base import system
from bunraku.base.bounded_cache import remembered
from bunraku.base.descriptors import write_all
from bunraku.base.private_folder import FOR_OTHERS, is_trusted
from bunraku.base.records import record
from bunraku.engine.issues import COVERAGE_NOT_RECORDED

TEST_VARIABLES = ("BUNRAKU_COVERAGE_CONTEXT", "PYTEST_CURRENT_TEST")
"""Environment variables that name the current test: the first that is set names the run."""
SESSION = "session.json"
SUFFIX = ".hits"
FORMAT = 1
CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | system.NO_LINK | system.PLAIN
APPEND = os.O_WRONLY | os.O_APPEND | system.NO_LINK | system.PLAIN
PRIVATE = 0o600
DIGEST_SIZE = 16

Hits = defaultdict[int, bool]
"""The probes of a file that ran, as keys; the code of the file adds them by reading them."""


CODE = frozenset({"manifests", "functions", "templates", "types"})
"""Folders of a module or environment with the code that compiles run."""
NOT_CODE = frozenset(
    [
        *("acceptance", "examples", "plans", "spec", "test", "tests"),
        *("coverage", "node_modules", "pkg", "vendor"),
    ]
)
"""Folders beside them with tests, examples, dependencies and generated files."""


@record(frozen=True)
class CoverageSession:
    """What is recorded: the code below a root, except files and folders that match a glob.

    Globs are relative to the root; one without a slash is for names at any depth.
    """

    root: str
    omit: tuple[str, ...] = ()

    def name_of(self, path: str) -> str | None:
        """Return the name of a file relative to the root; None if the file is not recorded.

        Symbolic links are followed: ``spec/fixtures/modules/NAME`` is often a link to the module.

        >>> session = CoverageSession("/srv/ntp", ("*_old.pp",))
        >>> session.name_of("/srv/ntp/manifests/init.pp")
        'manifests/init.pp'
        >>> session.name_of("/srv/ntp/spec/fixtures/modules/a/manifests/init.pp")
        """
        real = os.path.realpath(path)
        start = f"{self.root.rstrip('/')}/"
        if not real.startswith(start):
            return None
        name = real.removeprefix(start)
        return None if is_beside_code(name) or self.omits(name) else name

    def omits(self, name: str) -> bool:
        """Return whether a glob excludes a file or a folder around it."""
        parts = name.split("/")
        whole = ["/".join(parts[:end]) for end in range(1, len(parts) + 1)]
        return any(
            fnmatchcase(one, glob)
            for glob in self.omit
            for one in (whole if "/" in glob else (*whole, *parts))
        )


def is_beside_code(name: str) -> bool:
    """Return whether a file is in a folder of tests, examples or dependencies.

    A module may have the name of such a folder.

    >>> names = ("spec/a.pp", "modules/a/examples/a.pp", "manifests/test/a.pp")
    >>> [is_beside_code(one) for one in (*names, "modules/test/manifests/init.pp")]
    [True, True, False, False]
    """
    for part, following in pairwise(name.split("/")):
        if part in CODE:
            return False
        if part in NOT_CODE and following not in CODE:
            return True
    return False


@remembered(4)
def recorder_in(folder: str) -> Recorder:
    """Return the recorder of a folder; raise PuppetError if records cannot be written there."""
    try:
        status = os.stat(folder)
        if not is_trusted(status) or status.st_mode & FOR_OTHERS:
            raise COVERAGE_NOT_RECORDED(folder=folder, reason="other users can write to it")
        with open(f"{folder}/{SESSION}", encoding="utf-8", errors="surrogateescape") as file:
            data = json.load(file)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise COVERAGE_NOT_RECORDED(folder=folder, reason=reason) from None
    return Recorder(folder, CoverageSession(data["root"], tuple(data["omit"])))


class Recorder:
    """Records the compiles of one process, each as it ends.

    Compiles of several threads are recorded together: the record of one can have code of others.
    ``test`` names the next runs instead of the node.
    """

    def __init__(self, folder: str, session: CoverageSession) -> None:
        self.folder = folder
        self.session = session
        self.files: dict[tuple[str, str, str], Hits] = {}
        self.test: str | None = None
        self.process = 0
        self.path = ""
        self.written: dict[Any, int] = {}

    def hits_of(self, name: str, content: bytes, language: str) -> Hits:
        """Return the object that collects the probes of a file with some content in a language."""
        digest = blake2b(content, digest_size=DIGEST_SIZE).hexdigest()
        return self.files.setdefault((name, digest, language), defaultdict(bool))

    def start(self) -> None:
        """Begin a compile."""
        for hits in [*self.files.values()]:
            hits.clear()

    def finish(self, node: str) -> None:
        """Record a compile that ended, successfully or not."""
        lines = [] if self.process == os.getpid() else self.new_file()
        ran = []
        for file, hits in self.files.items():
            if hits:
                names = ("path", "digest", "language")
                number = self.number(file, lines, dict(zip(names, file, strict=True)))
                probes = tuple(sorted(hits))
                key = (number, probes)
                ran.append(self.number(key, lines, {"file": number, "probes": probes}))
                hits.clear()
        lines.append({"run": self.test or run_name(node), "ran": ran})
        self.append("".join(f"{json.dumps(line, separators=(',', ':'))}\n" for line in lines))

    def number(self, key: Any, lines: list[dict[str, Any]], line: dict[str, Any]) -> int:
        """Return the number under which a file or its hits were written; write them if they are new."""
        number = self.written.get(key)
        if number is None:
            number = self.written[key] = len(self.written)
            lines.append({"number": number, **line})
        return number

    def new_file(self) -> list[dict[str, Any]]:
        """Begin the file of this process, which may be a fork of one that recorded already."""
        self.process = os.getpid()
        self.written = {}
        self.path = f"{self.folder}/{self.process}-{os.urandom(8).hex()}{SUFFIX}"
        try:
            handle = os.open(self.path, CREATE, PRIVATE)
            system.set_mode(handle, PRIVATE)
            os.close(handle)
        except OSError as error:
            raise self.failure(error) from None
        return [{"format": FORMAT}]

    def append(self, text: str) -> None:
        """Append lines to the file of this process."""
        try:
            handle = os.open(self.path, APPEND)
            try:
                write_all(handle, text.encode())
            finally:
                os.close(handle)
        except OSError as error:
            raise self.failure(error) from None

    def failure(self, error: OSError) -> Exception:
        """Return the error of a record that cannot be written."""
        return COVERAGE_NOT_RECORDED(folder=self.folder, reason=error.strerror or str(error))


def run_name(node: str) -> str:
    """Return the name of a run: that of the current test, else the node's."""
    for name in TEST_VARIABLES:
        text = os.environ.get(name)
        if text:
            return text.removesuffix(" (call)").removesuffix(" (setup)").removesuffix(" (teardown)")
    return node
