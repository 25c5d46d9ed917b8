"""The corpus of public modules: its list of releases, and their folders on this machine.

``tests/data/modules.txt`` lists the releases. Their files come from git repositories that are on this
machine, in folders named ``OWNER+NAME/repo``, or from Debian's packages. No part of them is committed.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.values.version import SemVer, SemVerRange

LIST = Path(__file__).parents[2] / "data" / "modules.txt"
DEBIAN = Path("/usr/share/puppet/modules")
RELEASE = re.compile(r"v?(\d+\.\d+\.\d+)")
NAME = re.compile(r"""^\s*name\s+['"]([\w.-]+[/-]\w+)['"]""", re.MULTILINE)
FIXTURE = re.compile(r"^\s+[\"']?(\w+)[\"']?:", re.MULTILINE)
# Types of Puppet itself that are packaged apart from it; its own packages bring them.
BUNDLED = tuple(
    f"{name}_core"
    for name in [
        "augeas",
        "cron",
        "host",
        "mailalias",
        "mount",
        "selinux",
        "sshkeys",
        "yumrepo",
        "zfs",
        "zone",
    ]
)


@dataclass(frozen=True)
class Release:
    """A revision of a repository: ``reference`` is a tag or ``HEAD``."""

    repository: str
    reference: str
    commit: str

    @property
    def label(self) -> str:
        return f"{self.repository.replace('/', '+')}@{self.reference.replace('/', '_')}"

    def line(self) -> str:
        return f"{self.repository} {self.reference} {self.commit}\n"


@dataclass(frozen=True)
class Module:
    """A module in a folder; ``dependencies`` are pairs of a name and a range of versions."""

    label: str
    name: str
    version: str
    folder: Path
    dependencies: tuple[tuple[str, str], ...]
    systems: tuple[str, ...]


def releases() -> list[Release]:
    """Return the releases of the list."""
    lines = LIST.read_text("utf-8").splitlines()
    return [Release(*line.split()) for line in lines if line and not line.startswith("#")]


def git(repository: Path, *arguments: str) -> str:
    """Return the output of a git command; empty if it fails."""
    command = ["git", "-C", str(repository), *arguments]
    done = subprocess.run(command, capture_output=True, check=False)
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else ""


def available(repositories: Path, several: Iterable[str]) -> Iterator[Release]:
    """Yield the releases to list: the newest commit of each module, and older releases of some.

    ``several`` names the repositories of which the last release of each of five major versions is listed.
    """
    older = set(several)
    for folder in sorted(repositories.iterdir()):
        repository = folder / "repo"
        name = folder.name.replace("+", "/")
        if not is_module(repository):
            continue
        yield Release(name, "HEAD", git(repository, "rev-parse", "HEAD").strip())
        if name in older:
            for tag in last_of_majors(git(repository, "tag").split()):
                commit = git(repository, "rev-parse", f"{tag}^{{commit}}").strip()
                yield Release(name, tag, commit)


def is_module(repository: Path) -> bool:
    """Return whether the newest commit of a repository is a module with code."""
    names = git(repository, "ls-tree", "--name-only", "HEAD").split()
    code = {"manifests", "lib", "functions", "types"} & set(names)
    return bool(code) and bool({"metadata.json", "Modulefile"} & set(names))


def last_of_majors(tags: Iterable[str], count: int = 5) -> list[str]:
    """Return the tag of the last release of each major version, the newest ones only.

    >>> last_of_majors(["1.0.0", "v1.2.0", "2.0.0", "2.0.0-rc1"], 1)
    ['2.0.0']
    """
    last: dict[float, tuple[SemVer, str]] = {}
    for tag in tags:
        release = RELEASE.fullmatch(tag)
        if release:
            version = SemVer.parse(release[1])
            last[version.major] = max(last.get(version.major, (version, tag)), (version, tag))
    return [last[major][1] for major in sorted(last, reverse=True)[:count]]


def lay_out(release: Release, repositories: Path, folder: Path) -> Path | None:
    """Unpack a release below a folder; None if its repository is not on this machine."""
    target = folder / "releases" / release.label
    repository = repositories / release.repository.replace("/", "+") / "repo"
    if target.exists():
        return target
    if not repository.is_dir():
        return None
    partial = target.with_name(f".{target.name}")
    partial.mkdir(parents=True, exist_ok=True)
    unpack(repository, release.commit, partial)
    partial.rename(target)
    return target


def unpack(repository: Path, commit: str, target: Path) -> None:
    """Put the files of a commit into a folder, but for those that the repository lacks."""
    archive = ["git", "-C", str(repository), "archive", commit]
    packed = subprocess.run(archive, capture_output=True, check=False)
    if packed.returncode == 0:
        subprocess.run(["tar", "-x", "-C", str(target)], input=packed.stdout, check=True)
        return
    for line in git(repository, "ls-tree", "-r", "-z", commit).split("\0")[:-1]:
        details, _, name = line.partition("\t")
        read = ["git", "-C", str(repository), "cat-file", "blob", details.split()[2]]
        content = subprocess.run(read, capture_output=True, check=False)
        if content.returncode == 0:
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            (target / name).write_bytes(content.stdout)


def module_in(folder: Path, label: str) -> Module:
    """Return the module in a folder, as its metadata describes it."""
    metadata = metadata_of(folder)
    full = str(metadata.get("name") or folder.name)
    name = re.split(r"[/-]", full, maxsplit=1)[-1]
    listed = metadata.get("dependencies") or []
    dependencies = [
        (re.split(r"[/-]", one["name"], maxsplit=1)[-1], str(one.get("version_requirement") or ""))
        for one in listed
        if isinstance(one, dict) and "name" in one
    ]
    dependencies += [(one, "") for one in fixtures(folder) if one != name]
    systems = metadata.get("operatingsystem_support") or []
    return Module(
        label,
        name,
        str(metadata.get("version") or "0.0.0"),
        folder,
        tuple(dict(reversed(dependencies)).items()),
        tuple(str(one.get("operatingsystem")) for one in systems if isinstance(one, dict)),
    )


def metadata_of(folder: Path) -> Mapping[str, Any]:
    """Return the content of ``metadata.json``, or the name in a ``Modulefile``."""
    path = folder / "metadata.json"
    if path.is_file():
        return dict(json.loads(path.read_text("utf-8", "replace")))
    old = folder / "Modulefile"
    named = NAME.search(old.read_text("utf-8", "replace")) if old.is_file() else None
    return {"name": named[1]} if named else {}


def fixtures(folder: Path) -> list[str]:
    """Return the names of the modules that the tests of a module use."""
    path = folder / ".fixtures.yml"
    return FIXTURE.findall(path.read_text("utf-8", "replace")) if path.is_file() else []


def debian_modules() -> list[Module]:
    """Return the modules of the installed packages."""
    found = sorted(DEBIAN.iterdir()) if DEBIAN.is_dir() else []
    return [
        module_in(one, f"debian@{one.name}") for one in found if (one / "metadata.json").exists()
    ]


class Library:
    """The modules of a corpus, each with a folder of links to itself and to what it depends on."""

    def __init__(self, modules: Sequence[Module], folder: Path) -> None:
        self.folder = folder / "environments"
        self.by_name: dict[str, list[Module]] = {}
        for module in modules:
            self.by_name.setdefault(module.name, []).append(module)

    def environment(self, module: Module) -> tuple[Path, list[Module]]:
        """Return a folder with links to a module and its dependencies, and what it holds."""
        chosen = self.closure(module)
        folder = self.folder / module.label
        folder.mkdir(parents=True, exist_ok=True)
        for one in chosen:
            link = folder / one.name
            if not link.is_symlink():
                link.symlink_to(one.folder)
        return folder, chosen

    def closure(self, module: Module) -> list[Module]:
        """Return a module, all it depends on, and stdlib: the nearest requirement of each name."""
        chosen = {module.name: module}
        waiting = [*module.dependencies, *((name, "") for name in ("stdlib", *BUNDLED))]
        while waiting:
            name, wanted = waiting.pop(0)
            found = None if name in chosen else self.choice(name, wanted)
            if found is not None:
                chosen[name] = found
                waiting += found.dependencies
        return list(chosen.values())

    def choice(self, name: str, wanted: str) -> Module | None:
        """Return the newest release in a range of versions, else the newest of all."""
        ordered = sorted(self.by_name.get(name, ()), key=newness, reverse=True)
        return next((one for one in ordered if fits(one, wanted)), ordered[0] if ordered else None)


def newness(module: Module) -> tuple[SemVer, str]:
    """Return the key that sorts releases of a module."""
    return version(module) or SemVer(0, 0, 0), module.label


def version(module: Module) -> SemVer | None:
    try:
        return SemVer.parse(module.version)
    except PuppetError:
        return None


def fits(module: Module, wanted: str) -> bool:
    """Return whether the version of a module is in a range; an empty range holds all."""
    found = version(module)
    if not wanted or found is None:
        return not wanted
    try:
        return SemVerRange.parse(wanted).includes(found)
    except PuppetError:
        return False
