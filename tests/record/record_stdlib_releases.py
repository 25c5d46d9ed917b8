"""Write ``functions/stdlib/releases.py``: the content of the files of each stdlib release.

    update_stdlib_releases.py REPOSITORY [VERSION=REVISION…]

REPOSITORY is a git directory of puppetlabs-stdlib with its tags. Every tag that is a version counts,
and each revision named besides, such as ``9.8.0=main`` for what is not released yet. Only digests are
written, no content. Functions that bunraku does not have itself are left out.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from bunraku.functions.index import STDLIB
from bunraku.functions.stdlib.history import parse_version
from bunraku.functions.stdlib.known_files import content_digest

TARGET = Path(__file__).parents[2] / "src/bunraku/functions/stdlib/releases.py"
VERSION = re.compile(r"v?(\d+\.\d+\.\d+)")
FOLDERS = {"4x": "lib/puppet/functions/", "3x": "lib/puppet/parser/functions/"}
IN_PUPPET = "functions/"
DYNAMIC = {"validate_legacy": "validate_"}
"""Functions that call others by a computed name, and how such a name begins."""
LIBRARY = "lib/"
CALLS = re.compile(
    r"""\bfunction_(\w+) | call_function\(\s*:?['"]?([\w:]+) | autoloader\.load\(:(\w+)
    | Parser::Functions\.function\(:?['"]?(\w+)""",
    re.VERBOSE,
)
REQUIRED = re.compile(r"require_relative\s+['\"](?:\.\./)+(puppet_x/[\w/]+)")
HEADER = '''"""The files of the standard library's functions in its releases, as digests.

Written by tests/record/record_stdlib_releases.py; ``known_files`` reads it.
"""

from __future__ import annotations

# fmt: off
'''


def git(repository: str, *arguments: str) -> bytes:
    """The output of git."""
    command = ["git", "-C", repository, *arguments]
    return subprocess.run(command, check=True, capture_output=True).stdout


def revisions(repository: str, named: Iterable[str]) -> dict[str, str]:
    """Version → revision, oldest first."""
    found = {}
    for tag in git(repository, "tag").decode().split():
        if match := VERSION.fullmatch(tag):
            found[match[1]] = tag
    found.update(pair.split("=", 1) for pair in named)
    return dict(sorted(found.items(), key=lambda item: parse_version(item[0])))


def files(repository: str, revision: str) -> Iterator[tuple[str, str]]:
    """Path and blob of each file that a function may be made of."""
    listing = git(repository, "ls-tree", "-r", revision, "lib", "functions").decode()
    for line in listing.splitlines():
        about, path = line.split("\t")
        if path.endswith((".rb", ".pp")):
            yield path, about.split()[2]


def subject(path: str) -> tuple[str, str] | None:
    """Name and kind of the definition in a file: a function, or a library file that functions require."""
    for kind, folder in FOLDERS.items():
        if path.startswith(folder):
            name = path.removeprefix(folder).removesuffix(".rb").replace("/", "::")
            return (name, kind) if name in STDLIB else None
    if path.startswith(IN_PUPPET):
        below = path.removeprefix(IN_PUPPET).removesuffix(".pp")
        return f"stdlib::{below.replace('/', '::')}", "pp"
    name = path.removeprefix(LIBRARY).removesuffix(".rb")
    return (name, "lib") if name.startswith("puppet_x/") else None


def spans(versions: list[str], order: list[str]) -> str:
    """Versions as ranges in the order of all.

    >>> spans(["1.0.0", "1.1.0", "3.0.0"], ["1.0.0", "1.1.0", "2.0.0", "3.0.0"])
    '1.0.0-1.1.0,3.0.0'
    """
    places = [order.index(version) for version in versions]
    runs: list[list[int]] = []
    for place in places:
        if runs and place == runs[-1][-1] + 1:
            runs[-1].append(place)
        else:
            runs.append([place])
    return ",".join(
        order[run[0]] if len(run) == 1 else f"{order[run[0]]}-{order[run[-1]]}" for run in runs
    )


def needs(text: str, name: str) -> set[str]:
    """The functions and library files that a file's code calls."""
    called = {found for match in CALLS.finditer(text) for found in match.groups() if found}
    if name in DYNAMIC:
        called.update(item for item in STDLIB if item.startswith(DYNAMIC[name]))
    found = {item for item in called if item in STDLIB and item != name}
    return found | set(REQUIRED.findall(text))


def closure(direct: dict[str, set[str]]) -> dict[str, list[str]]:
    """The files that each one needs, directly or through others."""
    found = {}
    for name in direct:
        seen: set[str] = set()
        waiting = [name]
        while waiting:
            for item in direct.get(waiting.pop(), ()):
                if item not in seen:
                    seen.add(item)
                    waiting.append(item)
        seen.discard(name)
        if seen:
            found[name] = sorted(seen)
    return found


def main() -> None:
    repository, *named = sys.argv[1:]
    order = revisions(repository, named)
    texts: dict[str, bytes] = {}
    known: dict[tuple[str, str], dict[str, list[str]]] = {}
    direct: dict[str, set[str]] = {}
    for version, revision in order.items():
        for path, blob in files(repository, revision):
            about = subject(path)
            if about is None:
                continue
            if blob not in texts:
                texts[blob] = git(repository, "cat-file", "blob", blob)
                text = texts[blob].decode("utf-8", "replace")
                direct.setdefault(about[0], set()).update(needs(text, about[0]))
            digest = content_digest(texts[blob])
            versions = known.setdefault(about, {}).setdefault(digest, [])
            versions.append(version)
    lines = [HEADER, "RELEASES: dict[str, str] = {\n"]
    for (name, kind), digests in sorted(known.items()):
        entry = " ".join(
            f"{digest}:{spans(versions, list(order))}" for digest, versions in digests.items()
        )
        lines.append(f'    "{kind} {name}": "{entry}",\n')
    lines.append(
        '}\n"""Kind and name → digest and releases of each content that the file had."""\n\n'
    )
    lines.append("NEEDS: dict[str, tuple[str, ...]] = {\n")
    for name, wanted in sorted(closure(direct).items()):
        lines.append(f'    "{name}": ({", ".join(map(repr, wanted))},),\n'.replace("'", '"'))
    lines.append(
        '}\n"""What the code of a function needs besides its own file, in any release."""\n'
    )
    lines.append("# fmt: on\n")
    TARGET.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
