"""Lay out the modules of a Puppetfile from git repositories that are on this machine.

    sites_modules.py REPOSITORIES FOLDER [--puppetfile FILE] [--also AUTHOR-NAME]…

REPOSITORIES holds a folder for each repository, named ``OWNER+REPOSITORY``. The revision of a module is the
tag of its version, else the last commit whose ``metadata.json`` has the version, else the newest one (of a site: the
newest one at the date of the site's own commit). The
modules that Puppet's own packages bring (cron, mount, …) are laid out too, unless the Puppetfile has them.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from rigs.modules.corpus import unpack

MODULE = re.compile(r"^\s*mod\s*\(?\s*['\"]([\w/-]+)['\"]((?:[^#\n]|\n\s+:)*)", re.MULTILINE)
VERSION = re.compile(r"^\s*,\s*['\"]([^'\"]+)['\"]")
REFERENCE = re.compile(
    r"(?::(?:ref|tag|branch|commit)\s*=>|(?:ref|tag|branch|commit):)\s*['\"]([^'\"]+)"
)
SOURCE = re.compile(r"(?::git\s*=>|git:)\s*['\"][^'\"]*[:/]([\w.-]+)/([\w.-]+?)(?:\.git)?/?['\"]")
LOCKED = re.compile(r"^    (\w+)-(\w+) \(([\d.]+)\)$", re.MULTILINE)
NAMED = re.compile(r'^[{ ]*"name": *"\w+[-/](\w+)"', re.MULTILINE)
OWNERS = {
    "puppet": "voxpupuli",
    "herculesteam": "voxpupuli",
    "rtyler": "voxpupuli",
    "stm": "smoeding",
    "adrien": "adrienthebo",
    "gdsoperations": "gds-operations",
}
"""Authors of modules whose repositories belong to others."""
REPOSITORIES = {
    "file_concat": "electrical+puppet-lib-file_concat",
    "psick": "example42+puppet-psick",
    "pwshlib": "puppetlabs+ruby-pwsh",
    "sensu": "sensu+sensu-puppet",
}
"""Modules whose repositories have other names."""
BUNDLED = (
    "augeas",
    "cron",
    "host",
    "mount",
    "selinux",
    "sshkeys",
    "yumrepo",
    "zfs",
    "zone",
)


@dataclass(frozen=True)
class Wanted:
    """A module of a Puppetfile: its version or revision, and its repository, empty where not stated."""

    author: str
    version: str = ""
    repository: str = ""


def wanted(text: str) -> dict[str, Wanted]:
    """Module → its description in the file."""
    found = {}
    for name, rest in MODULE.findall(text):
        author, _, module = re.sub("/", "-", name).partition("-")
        version = VERSION.search(rest) or REFERENCE.search(rest)
        source = SOURCE.search(rest)
        named = (
            re.fullmatch(rf"puppet-(\w+)-{author}", source[2]) if source and not module else None
        )
        found[module or author] = Wanted(
            named[1] if named else author,
            version[1] if version else "",
            f"{source[1]}+{source[2]}" if source else "",
        )
    return found


def locked(text: str) -> dict[str, Wanted]:
    """Return the modules of a ``Puppetfile.lock``, those that others depend on among them."""
    return {module: Wanted(author, version) for author, module, version in LOCKED.findall(text)}


def git_directory(folder: Path) -> Path | None:
    """The git repository in a folder of the collection: ``repo``, or the folder itself."""
    for path in (folder / "repo", folder):
        if (path / ".git").exists() or (path / "HEAD").exists():
            return path
    return None


def git(repository: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(repository), *arguments], capture_output=True, check=False
    )
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else ""


def repository_of(module: str, stated: Wanted, repositories: Path) -> Path | None:
    """The repository of a module: the one stated, else its author's own, else of any owner."""
    named = stated.repository or REPOSITORIES.get(module, "")
    if named and git_directory(repositories / named):
        return git_directory(repositories / named)
    author = stated.author
    owned = re.compile(
        rf"(?:puppet(?:labs)?-(?:module-)?|pupmod-simp-)?{re.escape(module)}", re.IGNORECASE
    )
    owners = {author.lower(), OWNERS.get(author, author).lower()}
    found = []
    for folder in sorted(repositories.iterdir()):
        owner, _, name = folder.name.partition("+")
        if owned.fullmatch(
            name.replace("-", "_").replace("puppet_", "puppet-", 1)
        ) or owned.fullmatch(name):
            found.append((owner.lower() not in owners, folder))
        elif name in {f"{author}-{module}", f"puppet-{author}-{module}"}:
            found.append((False, folder))
    return git_directory(min(found)[1]) if found else None


def revision(repository: Path, version: str, date: str = "", module: str = "") -> str:
    """Return the commit of a version, or of a branch at a date; else the newest one at the date, or of all.

    A module that had another name at the date is the newest one.
    """
    branches = [f"refs/{place}/{version}" for place in ("heads", "remotes/origin")]
    branch = next((one for one in branches if version and commit_named(repository, one)), "HEAD")
    for name in (f"refs/tags/{version}", f"refs/tags/v{version}", version):
        if version and branch == "HEAD" and commit_named(repository, name):
            return name
    for commit in git(repository, "log", "--format=%h", "--", "metadata.json").split():
        text = git(repository, "show", f"{commit}:metadata.json")
        if version and f'"{version}"' in text and json.loads(text).get("version") == version:
            return commit
    before = git(repository, "rev-list", "-1", f"--before={date}", branch) if date else ""
    found = before.strip() or branch
    return found if not module or named(repository, found) in {module, ""} else branch


def named(repository: Path, commit: str) -> str:
    """Return the name that a module has in its metadata, without the author; empty where it has none."""
    found = NAMED.search(git(repository, "show", f"{commit}:metadata.json"))
    return found[1] if found else ""


def commit_named(repository: Path, name: str) -> str:
    """Return the commit that a name stands for; empty where the repository does not have it."""
    return git(repository, "rev-parse", "-q", "--verify", f"{name}^{{commit}}")


def lay_out(repository: Path, commit: str, target: Path) -> None:
    """Put the files of a commit into a folder, those that the repository lacks left out."""
    target.mkdir(parents=True)
    unpack(repository, commit, target)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("repositories", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--puppetfile", type=Path)
    parser.add_argument("--also", action="append", default=[], metavar="AUTHOR-NAME")
    options = parser.parse_args()
    modules = wanted(options.puppetfile.read_text("utf-8")) if options.puppetfile else {}
    for name in [*options.also, *(f"puppetlabs-{one}_core" for one in BUNDLED)]:
        author, _, module = name.partition("-")
        modules.setdefault(module, Wanted(author))
    for module, stated in sorted(modules.items()):
        repository = repository_of(module, stated, options.repositories)
        label = f"{stated.author}-{module} {stated.version}"
        if repository is None:
            print(f"{label}: no repository")
        elif not (options.folder / module).exists():
            commit = revision(repository, stated.version, module=module)
            lay_out(repository, commit, options.folder / module)
            print(f"{label}: {repository} {commit}")


if __name__ == "__main__":
    main()
