"""Count the instructions of Python that hot paths execute: a measure without a clock.

    counts.py [--write] [--json] [--record FILE]

Compares the counts with those of ``benchmarks/counts/``, which has a file for each version of Python that
has a record, and exits with 1 if a path grew by more than the tolerance. ``--write`` accepts the counts.
The counts do not depend on the speed or the load of the machine, on the current directory, temporary
directories or hash seeds (this program runs itself with a fixed one), nor on Puppet's directories, what is
mounted on the machine, or whether Python's bytecode is cached; a deeper path of the repository adds some
hundred instructions to a first compile. C code is not counted, only the instructions that call it.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
import sys
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parent
SITE = HERE / "workloads" / "counted"
RECORDS = HERE / "counts"
TOLERANCE = 0.03
"""A path may grow by this part before the comparison fails: small changes are not worth a stop, and ten of
them in a row show in the history of the records."""
FACTS = {
    "os": {"name": "Debian", "family": "Debian", "release": {"major": "12"}},
    "networking": {"fqdn": "web1.example.org", "domain": "example.org"},
    "role": "web",
}
OWN_PLACES = dict.fromkeys(("basemodulepath", "codedir", "confdir"), f"{SITE}/none")
"""Settings without which a compile would look into ``/etc/puppetlabs`` and ``/opt/puppetlabs``."""
Counts = dict[str, int]
Cells = dict[str, list[int]]
Work = Callable[[], object]


class Prepared(NamedTuple):
    """A path before which something must be done that is not counted."""

    prepare: Work
    work: Work


# -- the counter -----------------------------------------------------------------------------------


def counted(work: Work) -> int:
    """Return how many instructions of Python a function executes."""
    return sum(counted_by_file(work).values())


def counted_by_file(work: Work) -> Counts:
    """Return the instructions of Python that a function executes, by the file of their code."""
    collecting = gc.isenabled()
    gc.collect()
    gc.disable()  # the collector runs finalizers whenever it likes
    cells: Cells = {}
    try:
        (monitored if hasattr(sys, "monitoring") else traced)(work, cells)
    finally:
        if collecting:
            gc.enable()
    return {file: cell[0] for file, cell in cells.items()}


def monitored(work: Work, cells: Cells) -> None:
    """Count with ``sys.monitoring`` (Python 3.12 and later)."""

    def step(code: CodeType, _offset: int) -> None:
        cells.setdefault(code.co_filename, [0])[0] += 1

    monitoring: Any = sys.monitoring
    tool, event = monitoring.PROFILER_ID, monitoring.events.INSTRUCTION
    monitoring.use_tool_id(tool, "counts")
    monitoring.register_callback(tool, event, step)
    monitoring.set_events(tool, event)
    try:
        work()
    finally:
        monitoring.set_events(tool, 0)
        monitoring.free_tool_id(tool)


def traced(work: Work, cells: Cells) -> None:
    """Count with ``sys.settrace`` (Python 3.11)."""
    steps: dict[str, Callable[[FrameType, str, object], Any]] = {}

    def step_of(file: str) -> Callable[[FrameType, str, object], Any]:
        cell = cells[file] = [0]

        def step(_frame: FrameType, event: str, _value: object) -> Any:
            if event == "opcode":
                cell[0] += 1
            return step

        return step

    def enter(frame: FrameType, _event: str, _value: object) -> Any:
        frame.f_trace_opcodes = True
        frame.f_trace_lines = False
        file = frame.f_code.co_filename
        if file not in steps:
            steps[file] = step_of(file)
        return steps[file]

    before = sys.gettrace()
    sys.settrace(enter)
    try:
        work()
    finally:
        sys.settrace(before)


# -- the paths -------------------------------------------------------------------------------------


def paths() -> dict[str, Work | Prepared]:
    """Return the hot paths by name; each is ready to run, and has imported what it needs."""
    from bunraku.base.source import Source
    from bunraku.catalog.compare import compare
    from bunraku.catalog.wire import catalog_to_data
    from bunraku.compiler.code import to_code
    from bunraku.compiler.code_names import program_fingerprint
    from bunraku.dialects.puppet_8 import PUPPET_8
    from bunraku.engine import kept
    from bunraku.engine.compile import compile_catalog
    from bunraku.engine.dependencies import Digests, dependencies_of
    from bunraku.engine.kept_catalogs import recorded
    from bunraku.engine.lookup import Question, look_up
    from bunraku.engine.request import Request, fact_table
    from bunraku.formats.json import json_text, lenient_json_text
    from bunraku.world.file_signatures import signature_of

    def ignore(_entry: object) -> None:
        """Drop messages."""

    sources = [
        Source(path.read_text("utf-8"), f"/{path.relative_to(SITE)}")
        for path in sorted(SITE.glob("**/*.pp"))
    ]
    programs = [PUPPET_8.parse(source).program for source in sources]
    request = Request(
        node="web1.example.org",
        facts=FACTS,
        environment_directory=str(SITE),
        settings={"environment": "counted", **OWN_PLACES},
        trusted={"certname": "web1.example.org", "authenticated": "remote"},
        run_config_version=False,
    )
    catalog = compile_catalog(request, ignore)
    data = catalog_to_data(catalog)
    changed = json.loads(json_text(data))
    for resource in changed["resources"][::7]:
        resource.setdefault("parameters", {})["mode"] = "0600"
    old = json.loads(json_text(data))
    question = Question(["shop::mounts", "shop::greeting", "shop::ports", "shop::workers"])

    def forget() -> None:
        kept.forget()
        signature_of(str(SITE))  # reads the mount table, once for each file system
        program_fingerprint()  # lists the program, where Python adds directories of its own

    digests = Digests(b"key")

    def with_record() -> None:
        recording_request, recording = recorded(request)
        compile_catalog(recording_request, ignore)
        assert dependencies_of(recording, digests, fact_table(request)) is not None

    return {
        "lex": lambda: [PUPPET_8.tokenize(source) for source in sources],
        "parse": lambda: [PUPPET_8.parse(source) for source in sources],
        "check": lambda: [PUPPET_8.check(one, {"strict": "warning"}) for one in programs],
        "emit": lambda: [
            to_code(source, program, PUPPET_8.compiler)
            for source, program in zip(sources, programs, strict=True)
        ],
        "compile, first": Prepared(forget, lambda: compile_catalog(request, ignore)),
        "compile, warm": lambda: compile_catalog(request, ignore),
        "compile, recorded": with_record,
        "catalog to JSON": lambda: lenient_json_text(catalog_to_data(catalog)),
        "Hiera lookup": lambda: look_up(request, question, ignore),
        "type checks": type_checks(),
        "diff": lambda: compare(old, changed),
    }


def type_checks() -> Work:
    """Return checks of values against types of all kinds."""
    from data_types import CHECKS

    from bunraku.types.parse import parse_type
    from bunraku.types.relations.instance import is_instance

    pairs = [(value, parse_type(text)) for text, value in CHECKS]
    return lambda: [is_instance(value, type_) for value, type_ in pairs * 10]


def count_all() -> Counts:
    """Return the counts of all paths; each runs twice before, so its caches are filled."""
    found = {}
    for name, path in paths().items():
        prepare, work = path if isinstance(path, Prepared) else (gc.collect, path)
        for _ in range(2):
            prepare()
            work()
        prepare()
        found[name] = counted(work)
    return found


# -- the record ------------------------------------------------------------------------------------


def record_file() -> Path:
    """Return the file with the record of this version of Python."""
    return RECORDS / f"{'.'.join(platform.python_version_tuple()[:2])}.json"


def grown(before: Counts, now: Counts, tolerance: float = TOLERANCE) -> list[str]:
    """Return a line for each path that grew by more than the tolerance, or that has no record.

    >>> grown({"lex": 1000, "gone": 1}, {"lex": 1031, "new": 5})
    ['lex: 1,000 → 1,031 instructions (+3.1 %)', 'new: no record']
    """
    found = []
    for name, count in now.items():
        if name not in before:
            found.append(f"{name}: no record")
        elif count > before[name] * (1 + tolerance):
            part = 100 * (count / before[name] - 1)
            found.append(f"{name}: {before[name]:,} → {count:,} instructions (+{part:.1f} %)")
    return found


def table(before: Counts, now: Counts) -> str:
    """Return the counts as lines of text, beside those of the record."""
    lines = [f"{'path':18} {'record':>12} {'now':>12}"]
    for name, count in now.items():
        was = before.get(name)
        change = "" if was is None else f"{100 * (count / was - 1):+8.2f} %"
        lines.append(f"{name:18} {'' if was is None else f'{was:,}':>12} {count:>12,}{change}")
    return "\n".join(lines) + "\n"


def rerun() -> None:
    """Run this program again without a cache on disk, with a fixed hash seed unless one is given."""
    fixed = {"BUNRAKU_NO_CACHE": "1", "PYTHONHASHSEED": os.environ.get("PYTHONHASHSEED", "0")}
    if any(os.environ.get(name) != value for name, value in fixed.items()):
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **fixed})


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--write", action="store_true", help="accept the counts as the record")
    parser.add_argument("--record", type=Path, default=record_file(), metavar="FILE")
    parser.add_argument("--json", action="store_true", help="print the counts only")
    options = parser.parse_args()
    rerun()
    now = count_all()
    if options.json:
        print(json.dumps(now, indent=2))
        return 0
    file = options.record
    before: Counts = json.loads(file.read_bytes()) if file.exists() else {}
    print(table(before, now), end="")
    if options.write:
        file.parent.mkdir(exist_ok=True)
        file.write_text(json.dumps(now, indent=2) + "\n", encoding="utf-8")
        return 0
    worse = grown(before, now)
    for line in worse:
        print(line, file=sys.stderr)
    if worse:
        print("to accept the counts: make counts", file=sys.stderr)
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
