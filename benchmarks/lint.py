"""Compare ``bunraku lint`` with puppet-lint: processor seconds of one process each, in turn.

lint.py [--files 500] [--rounds 5] [--write] [--busy]

Both read the same manifests of Debian's modules, with the default checks that both have and no
configuration; bunraku lint has checks of later versions of puppet-lint, too.
``--write`` puts the figures into docs/lint.md.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import statistics
import subprocess
import sys
from functools import partial
from pathlib import Path

import measure

MODULES = Path("/usr/share/puppet/modules")
PAGE = Path(__file__).parent.parent / "docs" / "lint.md"
BEGIN, END = "<!-- speed -->\n", "<!-- end of speed -->\n"


def processor_seconds(command: list[str]) -> float:
    """Return the processor time of a program that exits with 0 or 1."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    null = subprocess.DEVNULL
    code = subprocess.run(command, stdout=null, stderr=null, check=False).returncode
    if code not in (0, 1):
        raise SystemExit(f"{command[0]} exited with {code}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def checks_of(command: list[str]) -> set[str]:
    """Return the checks that a program has by default."""
    listed = subprocess.run([*command, "--list-checks"], capture_output=True, text=True, check=True)
    return set(listed.stdout.split())


def text_of(found: dict[str, list[float]], files: int, others: float) -> str:
    """Return the figures as a sentence of docs/lint.md."""
    middle = {name: statistics.median(figures) for name, figures in found.items()}
    ratio = middle["puppet-lint"] / middle["bunraku"]
    return (
        f"For {files} manifests of Debian's modules, `bunraku lint` takes {measure.shown(found['bunraku'])} "
        f"of processor time and puppet-lint\n{measure.shown(found['puppet-lint'])}: {ratio:.0f} times as "
        f"much. Each is one process with the checks of puppet-lint; both ran in turn (medians ± half of\ntheir "
        f"range, `benchmarks/lint.py`). Other programs used {others:.1f} processors meanwhile.\n"
    )


def main() -> int:
    """Measure, print and, with ``--write``, write the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=5)
    measure.add_options(parser)
    options = parser.parse_args()
    if not shutil.which("puppet-lint"):
        raise SystemExit("puppet-lint is not installed")
    names = sorted({str(path.resolve()) for path in MODULES.glob("*/**/*.pp")})[: options.files]
    if not names:
        raise SystemExit(f"no manifests below {MODULES}")
    bunraku, puppet_lint = [str(Path(sys.executable).with_name("bunraku")), "lint"], ["puppet-lint"]
    later = sorted(checks_of(bunraku) - checks_of(puppet_lint))
    commands = {
        "bunraku": [*bunraku, "--no-config", *(f"--no-{one}-check" for one in later), *names],
        "puppet-lint": [*puppet_lint, "--no-config", *names],
    }
    works = {name: partial(processor_seconds, command) for name, command in commands.items()}
    with measure.watched(options) as watch:
        found = measure.in_turn(works, options.rounds, unmeasured=1)
    text = text_of(found, len(names), watch.share())
    print(text, end="")
    if measure.may_write(options, watch):
        before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
        PAGE.write_text(before + BEGIN + text + END + rest.partition(END)[2], encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
