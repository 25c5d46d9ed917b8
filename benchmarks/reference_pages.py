"""Compare ``bunraku docs`` with Puppet Strings: processor seconds of one process for each module and format.

reference_pages.py [--rounds 1] [--strings-version 2] [--write] [--busy] [MODULE...]

Both write REFERENCE.md and JSON of the same modules (default: Debian's, and the three of the tests), in turn. The
texts must be equal: ``--strings-version 4`` is for Puppet Strings 4 and 5, which have another form than release 2.
``puppet strings`` must run: install Debian's puppet-strings, or name the libraries in RUBYLIB.
``--write`` puts the figures into docs/reference-pages.md.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import statistics
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import measure
from lint import BEGIN, END, processor_seconds

HERE = Path(__file__).resolve().parent
PAGE = HERE.parent / "docs" / "reference-pages.md"
MODULES = Path("/usr/share/puppet/modules")
CASES = HERE.parent / "tests/workbench/docs/cases"
FORMATS = ("json", "markdown")
BUNRAKU = Path(sys.executable).with_name("bunraku")


def default_modules() -> Iterator[Path]:
    """Yield Debian's modules and those of the tests."""
    yield from sorted(path for path in MODULES.iterdir() if path.is_dir())
    yield from sorted(path for path in CASES.iterdir() if path.is_dir())


def copied(modules: list[Path], scratch: Path) -> list[Path]:
    """Copy modules without their tests: Puppet Strings writes into the directories."""
    copies = []
    for module in modules:
        copies.append(scratch / module.name)
        without = shutil.ignore_patterns(".git", "spec")
        shutil.copytree(module, copies[-1], ignore=without, ignore_dangling_symlinks=True)
    return copies


def seconds(program: str, modules: list[Path], out: Path, version: str) -> float:
    """Return the processor time of a program that documents modules in the form of a version."""
    total = 0.0
    for module in modules:
        os.chdir(module)
        for form in FORMATS:
            options = ["--format", form, "--out", str(out / f"{module.name}.{program}.{form}")]
            commands = {
                "bunraku": [str(BUNRAKU), "docs", "--strings-version", version, *options],
                "strings": ["puppet", "strings", "generate", *options],
            }
            total += processor_seconds(commands[program])
    return total


def differing(modules: list[Path], out: Path) -> list[str]:
    """Return the names of the modules with texts that differ."""
    return [
        f"{module.name}.{form}"
        for module in modules
        for form in FORMATS
        if (out / f"{module.name}.bunraku.{form}").read_bytes()
        != (out / f"{module.name}.strings.{form}").read_bytes()
    ]


def text_of(found: dict[str, list[float]], modules: int, others: float) -> str:
    """Return the figures as a sentence of docs/reference-pages.md."""
    middle = {name: statistics.median(figures) for name, figures in found.items()}
    ratio = middle["strings"] / middle["bunraku"]
    return (
        f"For REFERENCE.md and JSON of {modules} modules, {2 * modules} processes each, `bunraku docs` takes "
        f"{measure.shown(found['bunraku'])} of processor time\nand Puppet Strings "
        f"{measure.shown(found['strings'])}: {ratio:.1f} times as much (`benchmarks/reference_pages.py`). "
        f"Other programs used {others:.1f} processors\nmeanwhile. Python {platform.python_version()} "
        f"({os.path.realpath(sys.executable)}) ran `bunraku`, Ruby of Debian ran Puppet Strings: how a Python was built "
        f"changes\nits time by a seventh.\n"
    )


def main() -> int:
    """Measure, print and, with ``--write``, write the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("modules", nargs="*", type=Path, metavar="MODULE")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--strings-version", choices=("2", "4"), default="2")
    measure.add_options(parser)
    options = parser.parse_args()
    os.environ |= {"RUBYOPT": "-W0", "LANG": "C.UTF-8"}
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "out"
        out.mkdir()
        chosen = [path.resolve() for path in options.modules] or list(default_modules())
        modules = copied(chosen, Path(scratch) / "modules")
        names = ("bunraku", "strings")
        works = {
            name: partial(seconds, name, modules, out, options.strings_version) for name in names
        }
        with measure.watched(options) as watch:
            found = measure.in_turn(works, options.rounds)
        os.chdir(HERE)
        wrong = differing(modules, out)
    if wrong:
        print("different:", *wrong)
    text = text_of(found, len(modules), watch.share())
    print(text, end="")
    if measure.may_write(options, watch):
        before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
        PAGE.write_text(before + BEGIN + text + END + rest.partition(END)[2], encoding="utf-8")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
