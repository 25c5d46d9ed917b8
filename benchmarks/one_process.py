"""Measure bunraku in this process, one JSON line.

one_process.py parse RUNS < LIST_OF_FILES
one_process.py cached RUNS < LIST_OF_FILES
one_process.py compile MANIFEST RUNS
one_process.py site ROOT RUNS
"""

from __future__ import annotations

import json
import resource
import statistics
import sys
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
MODULES = "/usr/share/puppet/modules"
SECONDS = 3


def parse(runs: int) -> dict[str, float]:
    """The fastest of some runs over all files that standard input names."""
    from bunraku.base.source import Source
    from bunraku.dialects.puppet_8 import PUPPET_8

    texts = [
        (path, Path(path).read_bytes().decode("utf-8", "surrogateescape"))
        for path in sys.stdin.read().split("\n")
        if path
    ]
    seconds = []
    for _ in range(runs):
        started = time.process_time()
        for path, text in texts:
            result = PUPPET_8.parse(Source(text, path))
            PUPPET_8.check(result.program, {"strict": "warning"})
        seconds.append(time.process_time() - started)
    size = sum(len(text.encode("utf-8", "surrogateescape")) for _path, text in texts)
    return {"seconds": min(seconds), "bytes": size, "files": len(texts)}


def cached(runs: int) -> dict[str, float]:
    """The same files where their code is on disk already: read, looked up by content, loaded."""
    from bunraku.base.disk_cache import DiskCache
    from bunraku.base.source import Source
    from bunraku.compiler.code import to_code
    from bunraku.compiler.code_names import cache_key, program_fingerprint
    from bunraku.dialects.puppet_8 import PUPPET_8
    from bunraku.engine.dialects import stable_text
    from bunraku.world.machine import Machine

    paths = [path for path in sys.stdin.read().split("\n") if path]
    read = Machine().read
    cache, dialect, version = DiskCache(), stable_text(PUPPET_8), program_fingerprint()
    kept, size = [], 0
    for path in paths:
        content = Path(path).read_bytes()
        source = Source(content.decode("utf-8", "surrogateescape"), path, on_disk=True)
        result = PUPPET_8.parse(source)
        if not any(finding.severity == "error" for finding in result.diagnostics):
            code = to_code(source, result.program, PUPPET_8.compiler)
            cache.write(cache_key(content, path, dialect, version), code)
            kept.append(path)
            size += len(content)
    seconds = []
    for _ in range(runs):
        started = time.process_time()
        for path in kept:
            content = read(path)
            assert cache.read(cache_key(content, path, dialect, version)) is not None
        seconds.append(time.process_time() - started)
    return {"seconds": min(seconds), "bytes": size, "files": len(kept)}


def processor_time() -> float:
    """CPU seconds of this process and of the Ruby that it keeps for templates, if it does."""
    spent = time.process_time()
    for child in Path("/proc/self/task").glob("*/children"):
        for number in child.read_text().split():
            threads = Path(f"/proc/{number}/task").glob("*/schedstat")
            spent += sum(int(one.read_text().split()[0]) for one in threads) / 1e9
    return spent


def compile_(manifest: str, runs: int) -> dict[str, Any]:
    """The first compile, the others, and their median."""
    from bunraku.engine.compile import compile_catalog
    from bunraku.engine.request import Request

    facts = json.loads((HERE / "facts.json").read_bytes())
    seconds = []
    begun = time.monotonic()
    # Machines change their speed within seconds: short compiles are repeated for some of these.
    while len(seconds) <= runs or time.monotonic() - begun < SECONDS:
        started = processor_time()
        catalog = compile_catalog(
            Request(
                path=manifest,
                node="bench.example.org",
                facts=facts,
                modulepath=[MODULES],
                settings={"strict": "warning", "strict_variables": False},
                cycles=False,
            ),
            lambda _entry: None,
        )
        seconds.append(processor_time() - started)
    return {
        "first": seconds[0],
        "warm": statistics.median(seconds[1:]),
        "best": min(seconds[1:]),
        "all": seconds[1:],
        "resources": len(catalog.resources),
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def site(root: str, runs: int) -> dict[str, Any]:
    """The first and the warm compiles of an environment with its own Hiera data, and how often one of
    the warm ones talked to Ruby.
    """
    import hashlib

    from bunraku.engine.compile import compile_catalog
    from bunraku.engine.request import Request
    from bunraku.ruby.process.process import RUNNING

    facts = json.loads((HERE / "facts.json").read_bytes())
    seconds: list[float] = []
    trips = [0]
    while len(seconds) <= runs:
        started = processor_time()
        catalog = compile_catalog(
            Request(
                node="bench.example.org",
                facts=facts,
                trusted={"certname": "bench.example.org", "authenticated": "remote"},
                settings={
                    "environment": "production",
                    "strict": "warning",
                    "strict_variables": False,
                    "environmentpath": f"{root}/environments",
                },
                cycles=False,
            ),
            lambda _entry: None,
        )
        seconds.append(processor_time() - started)
        process = getattr(RUNNING, "process", None)
        trips.append(0 if process is None else process.frames)
    notifies = [one for one in catalog.resources if one.type == "Notify"]
    told = [one.parameters["message"] for one in sorted(notifies, key=lambda one: one.title)]
    return {
        "first": seconds[0],
        "warm": statistics.median(seconds[1:]),
        "all": seconds[1:],
        "resources": len(catalog.resources),
        "messages": hashlib.sha256(
            json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()
        ).hexdigest(),
        "round_trips": trips[-1] - trips[-2],
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["parse", runs]:
            print(json.dumps(parse(int(runs))))
        case ["cached", runs]:
            print(json.dumps(cached(int(runs))))
        case ["compile", manifest, runs]:
            print(json.dumps(compile_(manifest, int(runs))))
        case ["site", root, runs]:
            print(json.dumps(site(root, int(runs))))
        case _:
            sys.exit(__doc__)
