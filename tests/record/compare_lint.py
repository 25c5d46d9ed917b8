"""Compare lint with an installed puppet-lint, check by check, over the manifests of folders.

compare_lint.py FOLDER...        prints each difference, then the number of findings of each check
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.puppet_lint import ours, shared_checks, theirs


def main(folders: list[str]) -> int:
    """Print the differences; return 1 if there are any."""
    files = sorted(str(path) for one in folders for path in Path(one).rglob("*.pp"))
    names = shared_checks()
    old, new = theirs(files, names), ours(files, names)
    for mark, found in (("-", old - new), ("+", new - old)):
        for path, line, check in sorted(found):
            print(f"{mark} {path}:{line} {check}")
    for check, number in sorted(Counter(check for _, _, check in old & new).items()):
        print(f"{check}: {number} the same")
    print(f"{len(files)} files")
    return int(old != new)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
