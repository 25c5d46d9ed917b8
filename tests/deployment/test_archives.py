"""Archives of modules: what is unpacked, and what is refused without a trace."""

from __future__ import annotations

import gzip
import io
import os
import stat
import tarfile
from collections.abc import Iterable
from pathlib import Path

import pytest

from bunraku.base.errors import PuppetError
from bunraku.deployment.archives import ArchiveLimits, Unpacked, unpack
from rigs.deployment.hostile_archives import check_archive

TOP = "acme-alpha-1.0.0"


def entry(name: str, content: bytes = b"", mode: int = 0o644, **fields) -> tuple:
    """Return a member of an archive and its content; a file if ``fields`` say nothing else."""
    member = tarfile.TarInfo(name)
    member.size, member.mode = len(content), mode
    for field, value in fields.items():
        setattr(member, field, value)
    return member, content


def link(name: str, target: str, kind: bytes = tarfile.SYMTYPE) -> tuple:
    """Return a symbolic link, or a hard link."""
    return entry(name, type=kind, linkname=target)


def directory(name: str, mode: int = 0o755) -> tuple:
    """Return a directory."""
    return entry(name, mode=mode, type=tarfile.DIRTYPE)


def packed(path: Path, members: Iterable[tuple], compressed: bool = True) -> str:
    """Write an archive; return its path."""
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for member, content in members:
            archive.addfile(member, io.BytesIO(content))
    content = raw.getvalue()
    path.write_bytes(gzip.compress(content) if compressed else content)
    return str(path)


def tree(root: Path) -> dict[str, tuple[str, bytes]]:
    """Return mode and content of all files below a directory, and the modes of directories."""
    found = {}
    for path in sorted(root.rglob("*")):
        mode = f"{stat.S_IMODE(path.lstat().st_mode):04o}"
        found[str(path.relative_to(root))] = (mode, b"" if path.is_dir() else path.read_bytes())
    return found


@pytest.fixture
def refusal(tmp_path):
    """Return a function that gives the code and the message without the path for an archive."""

    def refused(members: Iterable[tuple], **options) -> tuple[str, str]:
        path = packed(tmp_path / "module.tar.gz", members)
        with pytest.raises(PuppetError) as caught:
            unpack(path, str(tmp_path / "module"), **options)
        assert os.listdir(tmp_path) == ["module.tar.gz"]
        return caught.value.code, caught.value.message.replace(path, "ARCHIVE")

    return refused


@pytest.mark.parametrize("compressed", [True, False])
def test_the_top_directory_is_stripped_and_modes_are_those_of_puppet(tmp_path, compressed):
    members = [
        directory(TOP, 0o700),
        entry(f"{TOP}/metadata.json", b"{}", 0o600),
        entry(f"./{TOP}/bin/run.sh", b"#!/bin/sh\n", 0o4700),
        directory(f"{TOP}/empty", 0o2777),
        entry(f"{TOP}/lib/é/a.rb", b"a" * 100_000, 0o666),
    ]
    path = packed(tmp_path / "module.tar", members, compressed)
    found = unpack(path, str(tmp_path / "module"))
    assert found == Unpacked(3, 100_012, ())
    assert tree(tmp_path / "module") == {
        "bin": ("0755", b""),
        "bin/run.sh": ("0755", b"#!/bin/sh\n"),
        "empty": ("0755", b""),
        "lib": ("0755", b""),
        "lib/é": ("0755", b""),
        "lib/é/a.rb": ("0644", b"a" * 100_000),
        "metadata.json": ("0644", b"{}"),
    }
    assert stat.S_IMODE((tmp_path / "module").stat().st_mode) == 0o755


def test_modes_do_not_depend_on_the_mask(tmp_path):
    path = packed(tmp_path / "module.tar.gz", [entry(f"{TOP}/bin/run.sh", mode=0o700)])
    before = os.umask(0o077)
    try:
        unpack(path, str(tmp_path / "module"))
    finally:
        os.umask(before)
    assert tree(tmp_path / "module") == {"bin": ("0755", b""), "bin/run.sh": ("0755", b"")}


def test_an_archive_can_be_unpacked_as_it_is(tmp_path):
    path = packed(tmp_path / "a.tar.gz", [entry("metadata.json"), entry("lib/a.rb")])
    unpack(path, str(tmp_path / "module"), stripped=False)
    assert sorted(tree(tmp_path / "module")) == ["lib", "lib/a.rb", "metadata.json"]


def test_symbolic_links_are_left_out_and_reported(tmp_path):
    members = [
        entry(f"{TOP}/lib/a.rb", b"a"),
        link(f"{TOP}/lib/b.rb", "a.rb"),
        link(f"{TOP}/other", "./lib/../lib"),
    ]
    found = unpack(packed(tmp_path / "a.tar.gz", members), str(tmp_path / "module"))
    assert found == Unpacked(1, 1, ("lib/b.rb", "other"))
    assert sorted(tree(tmp_path / "module")) == ["lib", "lib/a.rb"]


def test_hard_links_to_files_become_copies(tmp_path):
    members = [
        entry(f"{TOP}/lib/a.rb", b"a"),
        link(f"{TOP}/b.rb", f"{TOP}/lib/a.rb", tarfile.LNKTYPE),
    ]
    found = unpack(packed(tmp_path / "a.tar.gz", members), str(tmp_path / "module"))
    assert (found.files, found.links) == (2, ())
    assert (tmp_path / "module" / "b.rb").read_bytes() == b"a"
    assert (tmp_path / "module" / "b.rb").stat().st_nlink == 1


UNSAFE = {
    "parent": ([entry(f"{TOP}/../x")], "its name leads out of the archive"),
    "parent in the middle": ([entry(f"{TOP}/a/../x")], "its name leads out of the archive"),
    "absolute": ([entry("/etc/x")], "its name is absolute"),
    "new line": ([entry(f"{TOP}/a\nb")], "its name has a control character"),
    "not UTF-8": ([entry(f"{TOP}/\udcff")], "its name is not UTF-8"),
    "NUL": (
        [entry(f"{TOP}/x", pax_headers={"path": "a\x00b"})],
        "its name has a control character",
    ),
    "device": ([entry(f"{TOP}/x", type=tarfile.CHRTYPE)], "it is a device or a named pipe"),
    "fifo": ([entry(f"{TOP}/x", type=tarfile.FIFOTYPE)], "it is a device or a named pipe"),
    "other type": ([entry(f"{TOP}/x", type=b"V")], "it is of an unknown type"),
    "absolute link": ([link(f"{TOP}/x", "/etc")], "it is a link to an absolute path"),
    "link outside": (
        [link(f"{TOP}/a/x", "../../y")],
        "it is a link that leads out of the archive",
    ),
    "link outside and back": (
        [link(f"{TOP}/x", f"../{TOP}/y")],
        "it is a link that leads out of the archive",
    ),
    "below a link": ([link(f"{TOP}/x", "y"), entry(f"{TOP}/x/a")], "it is below a link"),
    "below a file": ([entry(f"{TOP}/x"), entry(f"{TOP}/x/a")], "it is below a file"),
    "file instead of a directory": (
        [entry(f"{TOP}/x/a"), entry(f"{TOP}/x")],
        "its name occurs twice",
    ),
    "link instead of a directory": (
        [directory(f"{TOP}/x"), link(f"{TOP}/x", "y")],
        "its name occurs twice",
    ),
    "two files": ([entry(f"{TOP}/x"), entry(f"{TOP}/./x")], "its name occurs twice"),
    "hard link outside": (
        [link(f"{TOP}/x", "../x", tarfile.LNKTYPE)],
        "its name leads out of the archive",
    ),
    "hard link to a link": (
        [link(f"{TOP}/y", "z"), link(f"{TOP}/x", f"{TOP}/y", tarfile.LNKTYPE)],
        "it is a hard link to something that is not a file before it",
    ),
    "hard link to itself": (
        [link(f"{TOP}/x", f"{TOP}/x", tarfile.LNKTYPE)],
        "it is a hard link to something that is not a file before it",
    ),
    "two directories": (
        [entry(f"{TOP}/x"), entry("other/x")],
        f"it is not below the directory '{TOP}' of the others",
    ),
    "file at the top": ([entry("x")], "it stands where the directory of the module must be"),
    "link at the top": ([link(TOP, "x")], "it stands where the directory of the module must be"),
    "negative size": ([entry(f"{TOP}/x", pax_headers={"size": "-512"})], "its size is negative"),
}


@pytest.mark.parametrize("case", UNSAFE)
def test_unsafe_members_refuse_the_whole_archive(refusal, case):
    members, reason = UNSAFE[case]
    code, message = refusal(
        [*([entry(f"{TOP}/metadata.json")] if TOP in str(members) else []), *members]
    )
    assert code == "ARCHIVE_UNSAFE"
    assert message.endswith(f": {reason}")
    assert message.isprintable()


def test_an_unsafe_member_is_named(refusal):
    assert refusal([entry(f"{TOP}/../../etc/x")])[1] == (
        f"The archive ARCHIVE is refused because of its member '{TOP}/../../etc/x': "
        "its name leads out of the archive"
    )


def test_limits(refusal):
    many = [entry(f"{TOP}/{number}") for number in range(5)]
    large = [entry(f"{TOP}/x", os.urandom(300_000))]
    assert refusal(many, limits=ArchiveLimits(members=4))[1].endswith("it has more than 4 members")
    assert refusal(large, limits=ArchiveLimits(size=200_000))[1].endswith(
        "it has more than 200000 bytes when unpacked"
    )
    copies = [*large, *(link(f"{TOP}/{n}", f"{TOP}/x", tarfile.LNKTYPE) for n in range(20))]
    assert refusal(copies, limits=ArchiveLimits(size=1_000_000))[0] == "ARCHIVE_TOO_LARGE"
    bomb = [entry(f"{TOP}/x", bytes(30 << 20))]
    assert refusal(bomb) == (
        "ARCHIVE_TOO_LARGE",
        "The archive ARCHIVE is refused: it grows to more than 200 times its size when unpacked",
    )
    header = [entry(f"{TOP}/x", pax_headers={"comment": "x" * 300_000})]
    assert refusal(header)[1].endswith("a header has more than 262144 bytes")


def test_truncated_and_damaged_archives_leave_nothing(tmp_path):
    members = [entry(f"{TOP}/{number}", os.urandom(700)) for number in range(4)]
    whole = Path(packed(tmp_path / "whole.tar.gz", members)).read_bytes()
    plain = gzip.decompress(whole)
    pieces = [whole[:length] for length in range(0, len(whole), 97)]
    pieces += [gzip.compress(plain[:length]) for length in range(0, 6145, 512)]
    pieces += [plain[:length] for length in range(0, 6500, 256)]
    pieces += [whole[:-6] + b"123456", b"", b"text", plain[:1536] + b"x" * 512 + plain[2048:]]
    for number, piece in enumerate(pieces):
        path = tmp_path / f"{number}.tar.gz"
        path.write_bytes(piece)
        with pytest.raises(PuppetError) as caught:
            unpack(str(path), str(tmp_path / "module"))
        assert caught.value.code == "ARCHIVE_DAMAGED"
        assert not (tmp_path / "module").exists()


def test_a_directory_that_exists_is_left_alone(tmp_path):
    path = packed(tmp_path / "a.tar.gz", [entry(f"{TOP}/x")])
    (tmp_path / "module").mkdir()
    (tmp_path / "module" / "file").write_text("mine")
    with pytest.raises(PuppetError) as caught:
        unpack(path, str(tmp_path / "module"))
    assert caught.value.code == "ARCHIVE_NOT_UNPACKED"
    assert caught.value.message.endswith(f"{tmp_path}/module: File exists")
    assert tree(tmp_path / "module") == {"file": ("0644", b"mine")}


def test_a_name_that_the_disk_refuses_leaves_nothing(refusal):
    assert refusal([entry(f"{TOP}/{'x' * 300}")])[0] == "ARCHIVE_NOT_UNPACKED"


@pytest.mark.parametrize("seed", range(60))
def test_hostile_archives_touch_nothing_outside(tmp_path, seed):
    check_archive(seed, tmp_path)
