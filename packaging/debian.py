"""The Debian package, by dpkg-deb."""

from __future__ import annotations

import shutil
from pathlib import Path

from bundle import HERE, files_below, run, settle

ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
CONTROL = """\
Package: bunraku
Version: {version}
Architecture: {architecture}
Maintainer: The bunraku authors <bunraku@localhost>
Installed-Size: {size}
Depends: python3 (>= 3.11), python3 (<< 3.15)
Recommends: git
Suggests: ruby, facterdb, python3-pytest, python3-psycopg
Section: admin
Priority: optional
Homepage: https://bunraku.readthedocs.io/
Description: the Puppet language on the Python virtual machine
 Checks, compiles, compares and tests Puppet code; applies it to machines; serves
 catalogs to agents; signs certificates; stores and answers what PuppetDB does.
 .
 The package brings its own copies of the Python packages that it needs, below
 /opt/bunraku, and uses the Python of the system. It changes nothing in
 /etc/puppetlabs.
"""
SCRIPTS = ("postinst", "prerm", "postrm", "triggers")


def debian_version(version: str) -> str:
    """Return a version of Python's form in Debian's order: pre-releases sort before the release, and ``dev`` before those.

    >>> debian_version("1.0.0rc1"), debian_version("0.1.0.dev12"), debian_version("1.2.0")
    ('1.0.0~rc1', '0.1.0~~dev12', '1.2.0')
    """
    for word in ("a", "b", "rc"):
        head, found, tail = version.partition(word)
        if found and head[-1:].isdigit() and tail.isdigit():
            return f"{head}~{word}{tail}"
    return version.replace(".dev", "~~dev")


def build_deb(tree: Path, version: str, machine: str, target: Path, moment: int) -> Path:
    """Build the package of a tree of files."""
    control = tree / "DEBIAN"
    control.mkdir()
    size = sum(path.lstat().st_size for path in files_below(tree) if path.is_file()) // 1024
    architecture = ARCHITECTURES[machine]
    text = CONTROL.format(version=debian_version(version), architecture=architecture, size=size)
    (control / "control").write_text(text)
    for name in SCRIPTS:
        shutil.copy(HERE / "debian" / name, control / name)
        (control / name).chmod(0o644 if name == "triggers" else 0o755)
    settle(control, moment)
    file = target / f"bunraku_{debian_version(version)}_{architecture}.deb"
    options = ("--root-owner-group", "-Zzstd", "-z9", "--threads-max=1")
    run("dpkg-deb", *options, "--build", tree, file, SOURCE_DATE_EPOCH=str(moment))
    shutil.rmtree(control)
    return file
