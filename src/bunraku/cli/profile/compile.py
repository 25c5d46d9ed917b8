"""``bunraku compile --profile FILE``: sample a compile, and write the profile to a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from bunraku.base.encoding import encode
from bunraku.base.paths import relative
from bunraku.base.usage import UsageError
from bunraku.catalog.compiled import CompiledCatalog
from bunraku.cli.output.output import write_error
from bunraku.cli.profile.page import page
from bunraku.engine.compile import compile_catalog
from bunraku.engine.request import Request
from bunraku.runtime.log import LogEntry
from bunraku.workbench.profile import Sampler
from bunraku.workbench.speedscope import speedscope_text
from bunraku.world.whole_files import write_whole


def compile_profiled(
    request: Request, log: Callable[[LogEntry], None], file: str
) -> CompiledCatalog:
    """Return the catalog; the profile is written even when the compile fails."""
    target = Path(file)
    if target.suffix not in {".html", ".json"}:
        raise UsageError(f"--profile: {file} must end in .html or .json")
    if not target.parent.is_dir():
        raise UsageError(f"--profile: cannot find the directory {target.parent}")
    sampler = Sampler()
    try:
        with sampler:
            return compile_catalog(request, log)
    finally:
        name = f"{request.node}: {relative(request.path) if request.path else 'code'}"
        write = page if target.suffix == ".html" else speedscope_text
        try:
            write_whole(file, encode(write(sampler.profile, name)))
        except OSError as error:
            raise UsageError(f"cannot write {file}: {error.strerror or error}") from None
        if not sampler.profile.total:
            write_error(f"note: {file} is empty: the compile ended before the first sample\n")
