"""From ``git clone`` to a green ``bunraku ci``, in two commands, on public control repositories.

Control repositories and modules come from a directory of bare repositories, ``OWNER+NAME/repo``. Git
reaches those by ``insteadOf`` rules; a Forge on this machine serves archives that are made of the tags.
Modules that the directory does not have are taken out of the Puppetfile of the clone first, and listed.

    python tests/rigs/deployment/from_clone.py MIRROR OWNER/NAME...      (``make from-clone``)
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from bunraku.base.records import record
from bunraku.base.source import Source
from bunraku.deployment.releases import is_version
from bunraku.project.declared_modules import DeclaredModule, ForgeModule, GitModule
from bunraku.project.puppetfile import read_puppetfile_text
from bunraku.project.puppetfile_edits import removed
from bunraku.values.version import SemVer
from support.forge_server import ForgeServer, serving_forge

OWNERS = {
    "puppet": "voxpupuli",
    "herculesteam": "voxpupuli",
    "camptocamp": "voxpupuli",
    "markt": "markt-de",
}
"""Owner on the Forge → owner of the repositories."""
REMOTE = re.compile(r"[:/]([^/:]+)/([^/]+?)(?:\.git)?/?$")
OTHERS = ("puppet-{name}", "puppetlabs-{name}", "pupmod-{owner}-{name}", "puppet-module-{name}")
PATTERNS = ("{owner}-{name}", *OTHERS, "{name}")
"""How repositories of modules are called."""


@record(frozen=True)
class Run:
    """A command: its exit code, its seconds on the clock and of processor time, and its output."""

    words: str
    code: int
    seconds: float
    processor: float
    output: str


class Mirror:
    """A directory of bare repositories."""

    def __init__(self, top: Path) -> None:
        self.top = top
        self.names = {path.name.lower(): path / "repo" for path in top.iterdir()}

    def repository(self, owner: str, name: str) -> Path | None:
        """Return a repository by owner and name."""
        return self.names.get(f"{owner}+{name}".lower())

    def of_module(self, module: DeclaredModule) -> Path | None:
        """Return the repository of a module of the Forge or of a git remote."""
        if isinstance(module.source, GitModule):
            found = REMOTE.search(module.source.remote)
            return self.repository(found[1], found[2]) if found else None
        for owner in dict.fromkeys((OWNERS.get(module.owner, module.owner), module.owner)):
            for pattern in PATTERNS:
                for name in (module.name, module.name.replace("_", "-")):
                    path = self.repository(owner, pattern.format(owner=module.owner, name=name))
                    if path is not None:
                        return path
        return None


def git(directory: Path, *words: str, content: bytes = b"") -> bytes:
    """Return the output of git for an input."""
    command = ["git", "-c", "safe.directory=*", "-C", str(directory), *words]
    return subprocess.run(command, input=content, check=True, capture_output=True).stdout


def has_ref(repository: Path, source: GitModule) -> bool:
    """Return whether a repository has the ref that a module asks for."""
    asked = f"{source.ref or 'HEAD'}^{{commit}}\n".encode()
    return git(repository, "cat-file", "--batch-check=%(objecttype)", content=asked) == b"commit\n"


def tags_of(repository: Path) -> dict[str, str]:
    """Return the tags that are versions and have metadata, by version."""
    tags = git(repository, "tag").decode().split()
    versions = {tag.removeprefix("v"): tag for tag in tags if is_version(tag.removeprefix("v"))}
    asked = "".join(f"{tag}:metadata.json\n" for tag in versions.values())
    listed = git(
        repository, "cat-file", "--batch-check=%(objecttype) %(objectsize)", content=asked.encode()
    )
    found = zip(versions.items(), listed.decode().splitlines(), strict=True)
    return {
        version: tag
        for (version, tag), kind in found
        if kind.startswith("blob ") and kind != "blob 0"
    }


def publish(forge: ForgeServer, slug: str, version: str, repository: Path, tag: str) -> None:
    """Put a tag on the Forge as a release."""
    top = f"{slug}-{version}"
    try:
        archive = git(repository, "archive", "--format=tar", f"--prefix={top}/", tag)
        metadata = json.loads(git(repository, "show", f"{tag}:metadata.json"))
    except (subprocess.CalledProcessError, ValueError):
        return  # the copy lacks large files, or the metadata of an old release is damaged
    forge.archives[slug, version] = gzip.compress(archive, 1, mtime=0)
    forge.dependencies[slug, version] = {
        one["name"].replace("/", "-"): one.get("version_requirement", ">= 0.0.0")
        for one in metadata.get("dependencies", ())
    }


def published(forge: ForgeServer, module: DeclaredModule, repository: Path) -> bool:
    """Put the declared release of a module on the Forge; return False if its tag is missing.

    For a module without a version these are the newest releases of each major version.
    """
    assert isinstance(module.source, ForgeModule)
    tags = tags_of(repository)
    wanted = {module.source.version}
    if wanted <= {"", "latest"}:
        versions = sorted((SemVer.parse(one) for one in tags), key=lambda one: one.order)
        wanted = set({one.major: str(one) for one in versions if not one.prerelease}.values())
    slug = f"{module.owner}-{module.name}"
    for version in wanted & tags.keys():
        publish(forge, slug, version, repository, tags[version])
    return any((slug, version) in forge.archives for version in wanted)


def timed(words: list[str], directory: Path, variables: dict[str, str]) -> Run:
    """Run a command and measure it."""
    started, before = time.monotonic(), os.times()
    done = subprocess.run(
        words,
        check=False,
        cwd=directory,
        env=variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    after = os.times()
    used = sum(after[2:4]) - sum(before[2:4])
    text = done.stdout.decode("utf-8", "replace")
    shown = " ".join(words[1:] if words[0] != "git" else words[:2])
    return Run(shown, done.returncode, time.monotonic() - started, used, text)


def prepared(mirror: Mirror, control: Path, work: Path, forge: ForgeServer) -> dict[str, str]:
    """Make the repository to clone, without modules that are not here; return git's rules for the others."""
    origin = work / "origin"
    git(work, "clone", "-q", str(control), str(origin))
    puppetfile = origin / "Puppetfile"
    text = puppetfile.read_text()
    declared = read_puppetfile_text(Source(text, str(puppetfile)), str(origin)).modules
    rules, absent = {}, []
    for module in declared:
        repository = mirror.of_module(module)
        if (
            isinstance(module.source, GitModule)
            and repository
            and has_ref(repository, module.source)
        ):
            rules[f"url.{repository}.insteadOf"] = module.source.remote
        elif isinstance(module.source, ForgeModule) and repository is not None:
            absent += [] if published(forge, module, repository) else [module]
        elif isinstance(module.source, (GitModule, ForgeModule)):
            absent.append(module)
    for module in absent:
        text = removed(text, module.name)
    puppetfile.write_text(text)
    names = ("-c", "user.name=rig", "-c", "user.email=rig@example.com")
    for message in ("Leave out what is not here", "Change nothing"):
        git(origin, *names, "commit", "-qa", "--allow-empty", "-m", message)
    print(f"{len(declared)} modules, {len(absent)} of them not here:", end=" ")
    print(", ".join(one.title for one in absent) or "none")
    return rules


def try_repository(mirror: Mirror, control: Path, work: Path, program: str) -> list[Run]:
    """Clone a control repository, install its modules, check it, and install again."""
    clone = work / "control"
    environment = {**os.environ, "HOME": str(work), "XDG_CACHE_HOME": str(work / "cache")}
    with serving_forge() as forge:
        rules = {"safe.directory": "*", **prepared(mirror, control, work, forge)}
        for number, (name, value) in enumerate(rules.items()):
            environment[f"GIT_CONFIG_KEY_{number}"] = name
            environment[f"GIT_CONFIG_VALUE_{number}"] = value
        environment["GIT_CONFIG_COUNT"] = str(len(rules))
        runs = [timed(["git", "clone", "-q", str(work / "origin"), str(clone)], work, environment)]
        (work / "r10k.yaml").write_text(f"forge: {{baseurl: '{forge.url}'}}\n")
        config = ["--config", str(work / "r10k.yaml")]
        install = [program, "modules", "install", *config]
        parts = [[program, "modules", action, *config] for action in ("check", "lock")]
        commands = [install, [program, "ci"], install, *parts]
        runs += [timed(words, clone, environment) for words in commands]
    return runs


def main() -> int:
    """Try each repository; exit with 1 if a module could not be installed or ci was not green."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("mirror", type=Path)
    parser.add_argument("repositories", nargs="+", metavar="OWNER/NAME")
    parser.add_argument("--program", default=str(Path(sys.executable).parent / "bunraku"))
    parser.add_argument("--lines", type=int, default=6, help="last lines of each command")
    options = parser.parse_args()
    mirror, failures = Mirror(options.mirror), 0
    for name in options.repositories:
        control = mirror.repository(*name.split("/"))
        if control is None:
            parser.error(f"{options.mirror} has no {name}")
        work = Path(tempfile.mkdtemp(prefix="from-clone-"))
        print(f"== {name}", flush=True)
        try:
            runs = try_repository(mirror, control, work, options.program)
        finally:
            shutil.rmtree(work)
        for run in runs:
            print(
                f"-- {run.words}: exit {run.code}, {run.seconds:.1f} s, {run.processor:.1f} s CPU"
            )
            print(
                "".join(f"   {line}\n" for line in run.output.splitlines()[-options.lines :]),
                end="",
            )
        failures += sum(run.code != 0 for run in runs[:4])
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
