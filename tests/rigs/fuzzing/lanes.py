"""Workers of the fuzzer: processes that run many inputs each, and their supervision."""

from __future__ import annotations

import faulthandler
import gc
import json
import mmap
import os
import resource
import select
import shutil
import signal
import struct
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from typing import Any

from bunraku.cli.main import dispatch
from rigs.fuzzing import running
from rigs.fuzzing.cases import STREAM, Case
from rigs.fuzzing.kinds import case_of
from rigs.fuzzing.running import Problem
from rigs.fuzzing.seeds import REPOSITORY

PROCESSOR = 15.0  # seconds that an input may use, in the worker
WALL = 120.0  # seconds until an input counts as hanging; the machine may be busy
MEMORY = 3 << 30  # bytes of address space
GRACE = 2.0  # seconds until a process that outlives its worker counts as left behind
TOKEN = "BUNRAKU_FUZZ_LANE"
STATE = struct.Struct("qqdd")  # number of the input, inputs done, wall and processor at its start


@dataclass(frozen=True)
class Run:
    """One kind in one dialect, with or without Ruby."""

    kind: str
    dialect: str
    ruby: bool

    @property
    def name(self) -> str:
        """Return the dialect as the table names it."""
        return f"{self.dialect} with Ruby" if self.ruby else self.dialect


@dataclass
class Find:
    """A problem, the input, and how often it came."""

    run: Run
    number: int
    problem: Problem
    case: Case
    count: int = 1
    alone: bool = True
    """Whether the input shows it in a worker of its own, without those before it."""
    process: bool = False
    """Whether only a process of its own shows it."""


@dataclass
class Lane:
    """A worker: its process, its cases, and the file for its reports."""

    run: Run
    pid: int
    pipe: int
    state: mmap.mmap
    folder: str
    token: str
    text: str = ""
    began: float = field(default_factory=time.monotonic)
    verdict: Problem | None = None
    at: int = 0
    seen: tuple[int, float] = (-1, 0.0)
    waited: float = 0.0
    """Seconds that the driver watched the present input; it may have been stopped in between."""

    def now(self) -> tuple[int, int, float, float]:
        """Return the number of the input, inputs done, and both clocks at its start."""
        number, done, wall, processor = STATE.unpack_from(self.state)
        return number, done, wall, processor


Cases = Iterable[tuple[int, Case]]


@dataclass(frozen=True)
class Plan:
    """How a worker runs its cases."""

    seconds: float = 600.0
    """It takes no new case after them."""
    twice: int = 0
    """Every so many cases, one runs twice and must give the same; 0 for none."""
    process: int = 0
    """Every so many cases, one runs in a process of its own, too; 0 for none."""
    dispatch: running.Dispatch = dispatch
    """Runs the commands."""


def open_lane(run: Run, cases: Callable[[], Cases], root: str, plan: Plan) -> Lane:
    """Start a worker that runs cases until they or the seconds end."""
    state = mmap.mmap(-1, STATE.size)
    STATE.pack_into(state, 0, -1, 0, time.monotonic(), 0.0)
    token = f"{os.getpid()}-{time.monotonic_ns()}"
    folder = os.path.join(root, f"lane-{token}")
    os.makedirs(folder, mode=0o700)
    reading, writing = os.pipe()
    sys.stdout.flush()
    pid = os.fork()
    if not pid:
        os.close(reading)
        code = 1
        try:
            work(cases, folder, state, writing, token, plan)
            code = 0
        finally:
            os._exit(code)
    os.close(writing)
    os.set_blocking(reading, False)
    return Lane(run, pid, reading, state, folder, token)


def warm() -> None:
    """Import the modules that inputs need, so workers share them and their collector ignores them."""
    for path in sorted((REPOSITORY / "src" / "bunraku").rglob("*.py")):
        name = str(path.relative_to(REPOSITORY / "src"))[:-3].replace("/", ".")
        if not name.endswith(("__main__", "__init__")) and "shim" not in name:
            import_module(name)
    gc.collect()
    gc.freeze()


def new_root() -> str:
    """Make the folder of the workers, in memory where that is possible."""
    shared = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    return tempfile.mkdtemp(prefix="bunraku-fuzz-", dir=shared)


def work(
    cases: Callable[[], Cases],
    folder: str,
    state: mmap.mmap,
    writing: int,
    token: str,
    plan: Plan,
) -> None:
    """Run cases in this process and report problems, one JSON line each."""
    os.setpgid(0, 0)
    temporary = os.path.join(folder, "tmp")
    home = os.path.join(folder, "home")
    for path in (temporary, home):
        os.makedirs(path)
    os.environ.clear()
    os.environ.update({
        "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        "HOME": home,
        "TMPDIR": temporary,
        "XDG_CACHE_HOME": os.path.join(folder, "cache"),
        "LANG": "C.UTF-8",
        "GIT_CONFIG_NOSYSTEM": "1",
        TOKEN: token,
    })  # fmt: skip
    tempfile.tempdir = None
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with open(os.path.join(folder, "stack"), "w", encoding="utf-8") as stack:
        faulthandler.enable(stack, all_threads=False)
        faulthandler.register(signal.SIGUSR2, stack, all_threads=False)
        running.prepare(plan.dispatch)
        end = time.monotonic() + plan.seconds
        for done, (number, case) in enumerate(cases()):
            STATE.pack_into(state, 0, number, done, time.monotonic(), time.process_time())
            found = running.examine(
                case, os.path.join(folder, f"{number:09}"), temporary,
                twice=bool(plan.twice) and number % plan.twice == 0,
                process=bool(plan.process) and number % plan.process == plan.process - 1,
            )  # fmt: skip
            for problem in found:
                line = json.dumps([number, problem.what, problem.detail, problem.text[-20_000:]])
                os.write(writing, line.encode() + b"\n")
            STATE.pack_into(state, 0, -1, done + 1, time.monotonic(), time.process_time())
            if time.monotonic() > end:
                break


def numbered(run: Run, seed: int, start: int, count: int, installed: bool) -> Callable[[], Cases]:
    """Return the maker of a run's cases from a number on."""
    return lambda: (
        (number, case_of(run.kind, run.dialect, run.ruby, seed, number, installed))
        for number in range(start, start + count)
    )


def watch(lanes: list[Lane], seconds: float) -> list[tuple[Lane, list[tuple[int, Problem]], Any]]:
    """Wait a little; stop inputs over the limits; return lanes that ended, with their problems."""
    ready, _, _ = select.select([lane.pipe for lane in lanes], [], [], seconds)
    ended = []
    for lane in lanes:
        if lane.pipe in ready:
            while True:
                try:
                    data = os.read(lane.pipe, 1 << 20)
                except BlockingIOError:
                    break
                if not data:
                    ended.append(lane)
                    break
                lane.text += data.decode("utf-8", "replace")
        if lane.verdict is None and lane not in ended:
            check_limits(lane)
    return [(lane, *closed(lane)) for lane in ended]


def check_limits(lane: Lane) -> None:
    """End a worker whose input takes too long, and note where it was."""
    number, _, _, processor = lane.now()
    if number < 0:
        return
    spent = processor_seconds(lane.pid) - processor
    now, (before, last) = time.monotonic(), lane.seen
    lane.waited = lane.waited + min(now - last, 1.0) if before == number else 0.0
    lane.seen = number, now
    if spent < PROCESSOR and lane.waited < WALL:
        return
    os.kill(lane.pid, signal.SIGUSR2)
    time.sleep(0.3)
    stack = Path(lane.folder, "stack").read_text("utf-8", "replace")
    places = [
        line.strip() for line in stack.splitlines() if "/bunraku/" in line or "support/" not in line
    ]
    inner = next((line for line in places if "/bunraku/" in line), "?")
    place = inner.rpartition("/bunraku/")[2].replace('"', "")
    what = "too slow" if spent >= PROCESSOR else "hangs"
    # The line changes with each sample of one loop; the function does not.
    where = place.partition(",")[0] + " " + place.rpartition(" in ")[2]
    lane.verdict, lane.at = Problem(what, where, stack), number
    end_group(lane)


def end_group(lane: Lane) -> None:
    """Kill a worker and its process group."""
    for kill, target in ((os.killpg, lane.pid), (os.kill, lane.pid)):
        with suppress(ProcessLookupError):
            kill(target, signal.SIGKILL)


def processor_seconds(pid: int) -> float:
    """Return the resources that a process has used."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def closed(lane: Lane) -> tuple[list[tuple[int, Problem]], Any]:
    """Finish a worker: collect its problems, the reason of its end and its leftovers."""
    os.close(lane.pipe)
    _, status, used = os.wait4(lane.pid, 0)
    number, _, _, _ = lane.now()
    problems = []
    for line in lane.text.splitlines():
        at, what, detail, text = json.loads(line)
        problems.append((at, Problem(what, detail, text)))
    if lane.verdict is not None:
        problems.append((lane.at, lane.verdict))
    elif status:
        signalled = os.WIFSIGNALED(status)
        name = signal.Signals(os.WTERMSIG(status)).name if signalled else f"status {status}"
        stack = Path(lane.folder, "stack").read_text("utf-8", "replace")
        problems.append((number, Problem("killed", name, stack)))
    problems += [(-1, Problem("process left", one)) for one in left_behind(lane.token)]
    shutil.rmtree(lane.folder, ignore_errors=True)
    return problems, used


def left_behind(token: str) -> list[str]:
    """Return the commands of processes that outlive their worker, and end them."""
    end = time.monotonic() + GRACE
    while found := with_token(token):
        if time.monotonic() > end:
            break
        time.sleep(0.05)
    texts = []
    for pid in found:
        try:
            words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
            texts.append(b" ".join(words[:3]).decode("utf-8", "replace")[:100])
            os.kill(pid, signal.SIGKILL)
        except OSError:
            continue
    return texts


def with_token(token: str) -> list[int]:
    """Return the processes whose environment names a worker."""
    mark = f"{TOKEN}={token}".encode()
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit() and int(name) != os.getpid():
            try:
                if mark not in environment_of(name):
                    continue
                if Path(f"/proc/{name}/stat").read_bytes().rpartition(b")")[2].split()[0] != b"Z":
                    found.append(int(name))
            except OSError:
                continue
    return found


def together(
    run: Run, seed: int, count: int, root: str, plan: Plan
) -> tuple[list[tuple[int, Problem]], int]:
    """Return the problems of the first inputs of a run in one worker, and how many it ran."""
    cases = list(numbered(run, seed, 0, count, installed=False)())
    lane = open_lane(run, lambda: cases, root, plan)
    return awaited(lane), lane.now()[1]


def alone(
    run: Run, case: Case, root: str, *, twice: bool = False, process: bool = False
) -> list[Problem]:
    """Return the problems of a case in a worker of its own."""
    plan = Plan(twice=int(twice), process=int(process))
    lane = open_lane(run, lambda: [(0, case)], root, plan)
    return [problem for _, problem in awaited(lane)]


def awaited(lane: Lane) -> list[tuple[int, Problem]]:
    """Return the problems of a worker when it has ended."""
    while True:
        for _, problems, _ in watch([lane], 0.25):
            return problems


def minimised(find: Find, root: str, seconds: float) -> Case:
    """Return a smaller case that shows the same problem, as small as the time allows."""
    end = time.monotonic() + seconds
    best = find.case
    twice = find.problem.what == "differs"

    def shows(case: Case) -> bool:
        if time.monotonic() > end:
            return False
        found = alone(find.run, case, root, twice=twice, process=find.process)
        return any(one.signature == find.problem.signature for one in found)

    for path in sorted(best.files):
        if path in best.files and path != STREAM and shows(smaller := best.without_file(path)):
            best = smaller
    best = fewer_words(best, shows)
    for path in sorted(best.files):
        for cut in (lines_of, words_of, bytes_of):
            best = smaller_file(best, path, cut, shows)
    if best.stdin:
        for cut in (lines_of, words_of):
            best = shrunk(
                cut(best.stdin),
                lambda parts, here=best: replace(here, stdin=b"".join(parts)),
                shows,
                best,
            )
    return best


def fewer_words(case: Case, shows: Callable[[Case], bool]) -> Case:
    """Leave out words of the command line that do not matter."""
    at = len(case.arguments) - 1
    while at > 0:
        for count in (2, 1):
            words = (*case.arguments[:at], *case.arguments[at + count :])
            if words != case.arguments and shows(smaller := replace(case, arguments=words)):
                case = smaller
                break
        at -= 1
    return case


def smaller_file(
    case: Case, path: str, cut: Callable[[bytes], list[bytes]], shows: Callable[[Case], bool]
) -> Case:
    """Leave out parts of a file."""
    return shrunk(
        cut(case.files[path]), lambda parts: case.with_file(path, b"".join(parts)), shows, case
    )


def shrunk(
    parts: list[bytes],
    made: Callable[[list[bytes]], Case],
    shows: Callable[[Case], bool],
    case: Case,
) -> Case:
    """Leave out runs of parts, from halves down to single ones, as delta debugging does."""
    if len(parts) > 2000:
        return case
    size = max(1, len(parts) // 2)
    while True:
        at = 0
        while at < len(parts):
            rest = parts[:at] + parts[at + size :]
            if len(rest) < len(parts) and shows(smaller := made(rest)):
                parts, case = rest, smaller
            else:
                at += size
        if size == 1:
            return case
        size //= 2


def lines_of(content: bytes) -> list[bytes]:
    return content.splitlines(keepends=True)


def words_of(content: bytes) -> list[bytes]:
    from rigs.fuzzing.mutations import WORD

    return WORD.findall(content)


def bytes_of(content: bytes) -> list[bytes]:
    return [bytes([one]) for one in content] if len(content) <= 80 else [content]


def described(find: Find) -> str:
    """Return a find as its report has it."""
    how = "" if find.alone else "\nOnly after the inputs before it."
    text = find.problem.text
    return (
        f"{find.problem.signature}\n{find.run.kind}, {find.run.name}, input {find.number}, "
        f"{find.count} times{how}\n\n{text}\n"
    )


def environment_of(pid: str) -> bytes:
    """Return the environment of a process; during its start the kernel shows none."""
    found = b""
    for _ in range(100):
        found = Path(f"/proc/{pid}/environ").read_bytes()
        if found or not is_starting(pid):
            break
        time.sleep(0.01)
    return found


def is_starting(pid: str) -> bool:
    """Return whether a process is younger than two seconds, and neither dead nor of the kernel."""
    fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    state, started, size = fields[0], int(fields[19]), int(fields[20])
    age = time.clock_gettime(time.CLOCK_BOOTTIME) - started / os.sysconf("SC_CLK_TCK")
    return state != b"Z" and size > 0 and age < 2
