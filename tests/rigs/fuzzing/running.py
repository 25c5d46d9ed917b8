"""Run the command line on a case inside this process, and judge the result."""

from __future__ import annotations

import gc
import json
import os
import re
import shutil
import subprocess
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from bunraku.cli.main import dispatch, internal_error
from bunraku.cli.main import run as run_command
from rigs.fuzzing.cases import Case

Dispatch = Callable[[list[str]], int]
"""Runs the subcommand of a command line; returns the exit code."""
DOCUMENTED = {0, 1, 2}
SHOWN = re.compile(r"<[\w.]+(?: object)? at 0x[0-9a-f]+>|<class '[\w.]+'>|<function \w")
CHANGING = re.compile(
    r"0x[0-9a-f]{4,}|\d+(?:\.\d+)?(?:e[-+]?\d+)?|\b[0-9a-f]{8,}(?:-[0-9a-f]+)*\b|\b(?:seconds?|minutes?|hours?|days?)\b"
)
"""Text that may differ between two runs: times, versions, identifiers."""
BY_CHANCE = re.compile(
    rb"shuffle|rand|uuid|pw_hash|salted|\bnow\b|generate|Timestamp|strftime|\btime\b|object_id|\.hash\b"
)
"""Words of inputs that may give something else each time."""


@dataclass
class Problem:
    """A result that no input may cause: its description and place."""

    what: str
    detail: str
    text: str = ""

    @property
    def signature(self) -> str:
        """The common part of two finds with the same cause."""
        return f"{self.what}: {self.detail}"


@dataclass
class Outcome:
    """The result of a run."""

    code: int | None
    out: bytes
    errors: bytes
    problems: list[Problem] = field(default_factory=list)


class Seen:
    """Internal errors and errors that Python could not raise, noted while a case runs."""

    problems: list[Problem] = []  # noqa: RUF012 (one for the process)
    dispatch: Dispatch = staticmethod(dispatch)

    @classmethod
    def internal(cls, error: Exception, debug: bool) -> int:
        """Note an internal error, and report it as the command does."""
        cls.problems.append(
            Problem("internal error", where(error), "".join(traceback.format_exception(error)))
        )
        return internal_error(error, debug)

    @classmethod
    def unraisable(cls, problem: Any) -> None:
        """Note an error in a destructor, such as a file that was left open."""
        error = problem.exc_value
        text = f"{type(error).__name__}: {error}"
        shortened = re.sub(r"name=.*|\d+", "", text)
        cls.problems.append(Problem("unraisable", shortened[:120], f"{text}\n{problem.object!r}"))


def prepare(dispatch: Dispatch) -> None:
    """Make ``dispatch`` run the commands of this process, and note warnings from now on."""
    Seen.dispatch = staticmethod(dispatch)
    sys.unraisablehook = Seen.unraisable
    warnings.simplefilter("error")
    gc.freeze()  # without a collection, which would copy all that is shared with the parent


def where(error: BaseException) -> str:
    """Return the kind of an error and the innermost places of bunraku that it passed."""
    frames = [
        f"{frame.filename.rpartition('/bunraku/')[2]}:{frame.name}"
        for frame in traceback.extract_tb(error.__traceback__)
        if "/bunraku/" in frame.filename
    ]
    return f"{type(error).__name__} in {' < '.join(frames[:-4:-1]) or '?'}"


@contextmanager
def standing_in(folder: str, case: Case, files: dict[int, str]) -> Iterator[None]:
    """Stand in a folder with the case's environment and the standard streams in files."""
    kept = {number: os.dup(number) for number in files}
    streams = sys.stdin, sys.stdout, sys.stderr
    environment, place = dict(os.environ), os.open(".", os.O_RDONLY)
    for number, path in files.items():
        flags = os.O_RDONLY if number == 0 else os.O_RDWR | os.O_CREAT | os.O_TRUNC
        opened = os.open(path, flags, 0o600)
        os.dup2(opened, number)
        os.close(opened)
    sys.stdin, sys.stdout, sys.stderr = (stream(number) for number in (0, 1, 2))
    os.environ.update(case.environment)
    os.chdir(folder)
    try:
        yield
    finally:
        sys.stdin, sys.stdout, sys.stderr = streams
        os.environ.clear()
        os.environ.update(environment)
        os.fchdir(place)
        os.close(place)
        for number, old in kept.items():
            os.dup2(old, number)
            os.close(old)


def stream(number: int) -> TextIO:
    """Return a standard stream as Python opens it."""
    errors = "backslashreplace" if number == 2 else "strict"
    mode = "r" if number == 0 else "w"
    return open(number, mode, encoding="utf-8", errors=errors, closefd=False)


def run(case: Case, folder: str, temporary: str) -> Outcome:
    """Run the command on a case whose files lie in a folder; judge it."""
    stdin = f"{folder}.stdin"
    Path(stdin).write_bytes(case.stdin)
    files = {0: stdin, 1: f"{folder}.stdout", 2: f"{folder}.stderr"}
    Seen.problems = found = []
    code: int | None = None
    with standing_in(folder, case, files):
        try:
            code = run_command(list(case.arguments), Seen.dispatch, Seen.internal)
            sys.stdout.flush()
            sys.stderr.flush()
        except BaseException as error:
            text = "".join(traceback.format_exception(error))
            found.append(Problem("exception", where(error), text))
        for one in (sys.stdout, sys.stderr):
            try:
                one.close()
            except (OSError, ValueError) as error:
                found.append(Problem("exception", f"{type(error).__name__} at the end", str(error)))
    gc.collect()
    outcome = Outcome(code, read(files[1]), read(files[2]), found)
    judge(case, outcome)
    left = sorted(os.listdir(temporary))
    if left:
        names = ", ".join(re.sub(r"(?<=[-_.])\w{6,}", "*", name) for name in left[:3])
        found.append(Problem("file left", names))
        for name in left:
            path = os.path.join(temporary, name)
            if os.path.isdir(path) and not os.path.islink(path):
                shutil.rmtree(path, ignore_errors=True)
            else:
                os.unlink(path)
    for path in files.values():
        os.unlink(path)
    return outcome


def read(path: str) -> bytes:
    """Return the content of a file."""
    return Path(path).read_bytes()


def judge(case: Case, outcome: Outcome) -> None:
    """Add the problems that the exit code and the output show."""
    errors = outcome.errors.decode("utf-8", "replace")
    out = outcome.out.decode("utf-8", "replace")
    found = outcome.problems
    if outcome.code is not None and outcome.code not in DOCUMENTED:
        found.append(Problem("exit code", str(outcome.code), errors))
    if re.search(r"^Traceback \(most recent call last\)", errors, re.MULTILINE):
        last = next((line for line in reversed(errors.splitlines()) if line.strip()), "")
        place = re.findall(r'File ".*?/bunraku/(.*?)", line \d+, in (\w+)', errors)
        detail = ":".join(place[-1]) if place else re.sub(r"\d+", "#", last)[:80]
        found.append(Problem("traceback", detail, errors))
    elif "internal error" in errors and not any(one.what == "internal error" for one in found):
        found.append(Problem("internal error", re.sub(r"\d+|'.*?'", "", errors)[:100], errors))
    for text in (errors, out):
        if shown := SHOWN.search(text):
            found.append(Problem("object shown", re.sub(r"0x\w+", "", shown[0]), text[:3000]))
    if outcome.code and not (errors.strip() or out.strip()):
        found.append(Problem("silent", f"exit code {outcome.code}"))
    command = case.arguments[0] if case.arguments else ""
    if command == "batch" and outcome.code == 0 and "--help" not in case.arguments:
        judge_batch(case, out, found)
    if command == "compile" and outcome.code == 0 and "{" in out[:1]:
        judge_json(out, found)


def judge_batch(case: Case, out: str, found: list[Problem]) -> None:
    """Add crashes in the answers of a batch, and answers that are missing."""
    for line in out.splitlines():
        try:
            answer = json.loads(line)
        except ValueError:
            continue
        if answer.get("status") == "crash":
            message = str((answer.get("error") or {}).get("message"))
            found.append(Problem("crash", re.sub(r"\d+|'.*?'", "", message)[:80], line))
    requests = sum(bool(line.strip()) for line in case.stdin.split(b"\n"))
    if out.count("\n") != requests and "-h" not in case.arguments:
        found.append(
            Problem("batch", f"{'fewer' if out.count(chr(10)) < requests else 'more'} answers", out)
        )


def judge_json(out: str, found: list[Problem]) -> None:
    """Add a problem when a catalog is not JSON."""
    try:
        json.loads(out)
    except ValueError as error:
        found.append(Problem("not JSON", re.sub(r"\d+", "#", str(error)), out[:3000]))


def difference(case: Case, first: Outcome, second: Outcome) -> Problem | None:
    """Return a problem when two runs of a case do not give the same."""
    if any(BY_CHANCE.search(content) for content in case.files.values() if content):
        return None
    if BY_CHANCE.search(" ".join(case.arguments).encode("utf-8", "surrogateescape")):
        return None
    for name in ("code", "out", "errors"):
        one, other = normal(getattr(first, name)), normal(getattr(second, name))
        if one != other:
            return Problem("differs", f"{name} of {case.arguments[0]}", f"{one}\n\n---\n\n{other}")
    return None


def normal(value: Any) -> Any:
    """Return output without the parts that may differ."""
    if not isinstance(value, bytes):
        return value
    # Ruby warns only once in a process that several runs share.
    text = re.sub(r"(?m)^.*: warning: .*\n", "", value.decode("utf-8", "replace"))
    return CHANGING.sub("#", text)


def run_forked(case: Case, folder: str, temporary: str) -> Outcome:
    """Run a case in a child of this process, so nothing of earlier runs is in memory."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        outcome = run(case, folder, temporary)
        data = (
            outcome.code,
            outcome.out.decode("latin-1"),
            outcome.errors.decode("latin-1"),
            [(one.what, one.detail, one.text) for one in outcome.problems],
        )
        with open(writing, "w", encoding="utf-8", errors="surrogatepass") as file:
            json.dump(data, file)
        os._exit(0)
    os.close(writing)
    with open(reading, encoding="utf-8", errors="surrogatepass") as file:
        text = file.read()
    _, status = os.waitpid(child, 0)
    if not text:
        return Outcome(None, b"", b"", [Problem("killed", f"status {status}")])
    code, out, errors, problems = json.loads(text)
    return Outcome(
        code, out.encode("latin-1"), errors.encode("latin-1"), [Problem(*one) for one in problems]
    )


COMMAND = (sys.executable, "-W", "error", "-m", "bunraku")


def run_alone(case: Case, folder: str, temporary: str) -> Outcome:
    """Run the command on a case as users do: in a Python of its own, up to the end of the process."""
    try:
        done = subprocess.run(
            [*COMMAND, *case.arguments],
            input=case.stdin,
            capture_output=True,
            cwd=folder,
            env={**os.environ, **case.environment, "PYTHONPATH": ":".join(filter(None, sys.path))},
            timeout=60,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Outcome(None, b"", b"", [Problem("hangs", f"a process of {case.arguments[:1]}")])
    outcome = Outcome(done.returncode, done.stdout, done.stderr)
    judge(case, outcome)
    if b"Exception ignored" in done.stderr:
        text = done.stderr.decode("utf-8", "replace")
        lines = [line for line in text.splitlines() if line.strip()]
        outcome.problems.append(Problem("unraisable", lines[-1][:120], text))
    left = os.listdir(temporary)
    if left:
        outcome.problems.append(
            Problem("file left", f"by a process of {case.arguments[:1]}", str(left))
        )
        for name in left:
            shutil.rmtree(os.path.join(temporary, name), ignore_errors=True)
    return outcome


def examine(
    case: Case,
    folder: str,
    temporary: str,
    *,
    twice: bool = False,
    fresh: bool = False,
    process: bool = False,
) -> list[Problem]:
    """Write a case into a folder, run it as often as it needs, and return its problems."""
    os.makedirs(folder)
    case.write(folder)
    runner = run_forked if fresh or case.damage is not None else run
    first = runner(case, folder, temporary)
    found = first.problems
    if case.damage is not None:
        case.damaged(Path(os.environ["XDG_CACHE_HOME"]))
        twice = True
    if twice and not found and not {"--fix", "--output-folder", "--profile"} & set(case.arguments):
        second = runner(case, folder, temporary)
        found = second.problems
        if case.damage is not None:
            shutil.rmtree(os.environ["XDG_CACHE_HOME"], ignore_errors=True)
        problem = difference(case, first, second)
        if problem is not None:
            found.append(problem)
    if process and not found and case.damage is None:
        shutil.rmtree(folder)
        os.makedirs(folder)
        case.write(folder)
        found = run_alone(case, folder, temporary).problems
    shutil.rmtree(folder, ignore_errors=True)
    return found
