"""Generated archives that try to reach outside of their directory, to fill the disk or to confuse.

``check_archive`` unpacks one and looks at everything around it. ``python
tests/rigs/deployment/hostile_archives.py --count 2000`` does that for many (``make hostile-archives``).
"""

from __future__ import annotations

import argparse
import gzip
import io
import os
import random
import stat
import sys
import tarfile
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from bunraku.base.errors import PuppetError
from bunraku.deployment.archives import ArchiveLimits, unpack

LIMITS = ArchiveLimits(members=50, size=1 << 20, ratio=200)
TOP = "acme-alpha-1.0.0"
NAMES = [
    *(
        "metadata.json",
        "manifests/init.pp",
        "manifests",
        "lib",
        "lib/a.rb",
        "./x",
        "a//b",
        "run.sh",
    ),
    *(
        "..",
        "../x",
        "a/../../x",
        "a/..",
        "/etc/x",
        "OUTSIDE/x",
        "../../outside/x",
        "lib/../../../x",
    ),
    *(
        "a\nb",
        "tab\tname",
        "bell\x07",
        "é/ü",
        "\udcff\udcfe",
        "a" * 300,
        "d/" * 200 + "x",
        "lib/a.rb/x",
    ),
    *("", ".", "/", "./", "manifests/", "-rf", "--checkpoint=1", "C:\\x", "..\\x", " ", "~/x"),
]
TARGETS = [
    *(
        "../../outside",
        "/etc/passwd",
        "OUTSIDE",
        "metadata.json",
        "lib",
        "..",
        ".",
        "lib/../..",
        "a/b",
    ),
    *(f"{TOP}/metadata.json", f"{TOP}/lib", f"{TOP}/../../outside/secret", "OUTSIDE/secret", ""),
]
KINDS = [
    *[tarfile.REGTYPE] * 30,
    *[tarfile.DIRTYPE] * 3,
    *[tarfile.SYMTYPE] * 5,
    *[tarfile.LNKTYPE] * 4,
    *(tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE, tarfile.CONTTYPE, tarfile.AREGTYPE),
    *(tarfile.GNUTYPE_SPARSE, tarfile.GNUTYPE_LONGNAME, tarfile.XHDTYPE, b"V", b"\xff"),
]
MODES = [0o644, 0o755, 0o4755, 0o2755, 0o1777, 0, 0o7777, 0o600]
FORMATS = [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT]


def member(rng: random.Random, outside: str) -> tuple[tarfile.TarInfo, bytes]:
    """Return a member with its content."""
    name = rng.choice(NAMES) if rng.random() < 0.6 else f"files/{rng.randrange(1000)}"
    name = name.replace("OUTSIDE", outside)
    below = rng.random() < 0.9 and not name.startswith("/")
    found = tarfile.TarInfo(f"{TOP}/{name}" if below else name)
    found.type = rng.choice(KINDS)
    found.mode = rng.choice(MODES)
    content = b""
    if found.type in {tarfile.SYMTYPE, tarfile.LNKTYPE}:
        found.linkname = rng.choice(TARGETS).replace("OUTSIDE", outside)
    elif found.type in {tarfile.REGTYPE, tarfile.CONTTYPE, tarfile.XHDTYPE, b"V"}:
        content = rng.randbytes(rng.choice([0, 1, 511, 512, 5000]))
        if rng.random() < 0.06:
            content = bytes(3 << 20)
    found.size = len(content)
    if rng.random() < 0.03:
        found.pax_headers = rng.choice(
            [
                {"path": "../../outside/x"},
                {"size": "-512"},
                {"path": "a\x00b"},
                {"x": "y" * 400_000},
            ]
        )
    return found, content


def members(rng: random.Random, outside: str) -> bytes:
    """Return the members of an archive, not compressed."""
    raw = io.BytesIO()
    with tarfile.open(
        fileobj=raw, mode="w", format=rng.choice(FORMATS), errors="surrogateescape"
    ) as archive:
        first = tarfile.TarInfo(f"{TOP}/metadata.json")
        first.size = 2
        archive.addfile(first, io.BytesIO(b"{}"))
        for _ in range(rng.choice([1, 1, 2, 2, 3, 6, 60])):
            found, content = member(rng, outside)
            try:
                archive.addfile(found, io.BytesIO(content))
            except (ValueError, UnicodeError):  # not possible in this format
                continue
    return raw.getvalue()


def damaged(rng: random.Random, content: bytes) -> bytes:
    """Return content with a few bytes changed, or an end cut off."""
    if rng.random() < 0.5:
        return content[: rng.randrange(len(content) + 1)]
    changed = bytearray(content)
    for _ in range(rng.choice([1, 3, 30])):
        changed[rng.randrange(len(changed))] = rng.randrange(256)
    return bytes(changed)


def hostile_archive(seed: int, outside: str) -> bytes:
    """Return an archive; ``outside`` is a directory that it tries to reach."""
    rng = random.Random(seed)
    content = members(rng, outside)
    if rng.random() < 0.15:
        content = damaged(rng, content)
    if rng.random() < 0.7:
        content = gzip.compress(content, 1, mtime=0)
        if rng.random() < 0.15:
            content = damaged(rng, content)
    return content


def listing(root: Path) -> dict[str, tuple[int, int, bytes]]:
    """Return mode, links and content of everything below a directory."""
    found = {}
    for path in sorted(root.rglob("*")):
        status = path.lstat()
        content = path.read_bytes() if stat.S_ISREG(status.st_mode) else b""
        found[str(path.relative_to(root))] = (status.st_mode, status.st_nlink, content)
    return found


def check_archive(seed: int, root: Path) -> str:
    """Unpack an archive in an empty directory; return the outcome; AssertionError if it is wrong."""
    outside, inside = root / "outside", root / "inside"
    outside.mkdir()
    inside.mkdir()
    (outside / "secret").write_text("secret")
    (root / f"{seed}.tar.gz").write_bytes(hostile_archive(seed, str(outside)))
    before = listing(root)
    module = inside / "module"
    try:
        unpack(str(root / f"{seed}.tar.gz"), str(module), limits=LIMITS)
    except PuppetError as error:
        refusal = error
    else:
        check_unpacked(root, before)
        return "unpacked"
    assert refusal.code.startswith("ARCHIVE_"), refusal
    assert "\n" not in refusal.message, refusal
    assert listing(root) == before
    return refusal.code


def check_unpacked(root: Path, before: dict[str, tuple[int, int, bytes]]) -> None:
    """Raise AssertionError unless plain files and directories were made, and nothing around them."""
    for path, (mode, links, content) in listing(root / "inside" / "module").items():
        if stat.S_ISDIR(mode):
            assert stat.S_IMODE(mode) == 0o755, path
        else:
            assert stat.S_ISREG(mode), path
            assert stat.S_IMODE(mode) in {0o644, 0o755}, path
            assert (links, content) != (1, b"secret"), path
            assert links == 1, path
    around = {path: one for path, one in listing(root).items() if path.split("/")[0] != "inside"}
    assert around == {path: one for path, one in before.items() if path.split("/")[0] != "inside"}
    assert os.listdir(root / "inside") == ["module"]


def main() -> int:
    """Check many archives; print how often each outcome occurs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    outcomes: Counter[str] = Counter()
    for seed in range(options.seed, options.seed + options.count):
        with tempfile.TemporaryDirectory() as root:
            try:
                outcomes[check_archive(seed, Path(root))] += 1
            except Exception:
                print(f"seed {seed}", file=sys.stderr)
                raise
    print(", ".join(f"{name} {count}" for name, count in sorted(outcomes.items())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
