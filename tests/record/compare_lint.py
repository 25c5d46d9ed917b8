"""Compare lint with an installed puppet-lint, check by check, over the manifests of folders.

compare_lint.py [--load FILE]... [--write] FOLDER...

Prints each difference, then the number of findings of each check. ``--load`` adds the checks of a
plugin of puppet-lint, ``--write`` puts the table into docs/lint.md.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.puppet_lint import Found, ours, shared_checks, theirs

PAGE = Path(__file__).parents[2] / "docs" / "lint.md"
BEGIN, END = "<!-- agreement -->\n", "<!-- end of agreement -->\n"


def manifests(folders: list[str]) -> list[str]:
    """Return the manifests below folders, each once, whatever links lead to it."""
    found = {path.resolve() for one in folders for path in Path(one).glob("*/**/*.pp")}
    found |= {path.resolve() for one in folders for path in Path(one).glob("*.pp")}
    return sorted(map(str, found))


def table(names: list[str], old: Found, new: Found, files: int) -> str:
    """Return the numbers of findings of each check as a table of the page."""
    same, missing, added = (
        Counter(one[2] for one in found) for found in (old & new, old - new, new - old)
    )
    lines = [
        f"Findings of {len(names)} checks in {files} manifests, by file, line and check:",
        "",
        "| check | the same | only puppet-lint | only bunraku |",
        "|---|---|---|---|",
    ]
    lines += [
        f"| `{name}` | {same[name]} | {missing[name]} | {added[name]} |" for name in sorted(names)
    ]
    lines.append(f"| all | {same.total()} | {missing.total()} | {added.total()} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Print the differences; return 1 if there are any."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--load", action="append", default=[])
    parser.add_argument("--write", action="store_true")
    parser.add_argument("folders", nargs="+")
    options = parser.parse_args()
    files = manifests(options.folders)
    names = shared_checks(options.load)
    old, new = theirs(files, names, options.load), ours(files, names)
    for mark, found in (("-", old - new), ("+", new - old)):
        for path, line, check in sorted(found):
            print(f"{mark} {path}:{line} {check}")
    text = table(names, old, new, len(files))
    print(text, end="")
    if options.write:
        before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
        PAGE.write_text(before + BEGIN + text + END + rest.partition(END)[2], encoding="utf-8")
    return int(old != new)


if __name__ == "__main__":
    sys.exit(main())
