"""The environment directory of a site, as its owners have it on their server.

It is a commit of the site's repository with the modules of its Puppetfile where ``environment.conf`` expects them. Private
parts are generated: files outside of the repository, keys and values of encrypted data, functions that query other machines.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from record.sites_modules import (
    BUNDLED,
    Wanted,
    git,
    git_directory,
    lay_out,
    locked,
    repository_of,
    revision,
    wanted,
)
from rigs.sites.copies import FUNCTION, FUNCTIONS, in_ruby, replace_paths, texts, write
from rigs.sites.keys import Keys
from rigs.sites.layout import Site, in_version_5, load

GENERATED = "generated_data"
LAST_LEVEL = {
    "name": "generated",
    "datadir": GENERATED,
    "data_hash": "json_data",
    "path": "%{trusted.certname}.json",
}
EYAML = "eyaml_lookup_key"
GENERATED_CODE = "\n# -- generated --\n"
DEBIAN = Path("/usr/share/puppet/modules")
VENDORED = (*(f"{name}_core" for name in BUNDLED), "scheduled_task")
FILES = {"path", "paths", "glob", "globs", "mapped_paths"}
BACKENDS = ("lookup_key", "data_hash", "data_dig")
DATE = "2024-01-01T00:00:00Z"


@dataclass
class Environment:
    """The directories of a site: ``place`` has all, ``root`` is the environment directory."""

    place: Path
    repository: Path
    missing: list[str] = field(default_factory=list)
    fetched: list[str] = field(default_factory=list)

    @property
    def code(self) -> Path:
        return self.place / "code"

    @property
    def root(self) -> Path:
        return self.code / "environments" / "production"

    @property
    def outside(self) -> Path:
        """Where files of the server's are that the repository does not have."""
        return self.place / "outside"

    @property
    def vendored(self) -> Path:
        """The modules that Puppet's own packages bring."""
        return self.place / "vendored"

    def module_folder(self, owner: Mapping[str, Any]) -> Path:
        """Return the directory for the modules of the Puppetfile."""
        return self.root / str(owner.get("moduledir", "modules"))

    def generated_file(self, owner: Mapping[str, Any], node: str) -> Path:
        """Return the file with the data that is generated for a node; Hiera 3 has one directory for all."""
        if "hiera_3" in owner:
            return self.root / str(owner["hiera_3"]) / GENERATED / f"{node}.yaml"
        return self.root / GENERATED / f"{node}.json"

    @property
    def site(self) -> Site:
        return Site(self.root, is_environment=True, fetched=tuple(self.fetched))


def environment_of(
    repository: Path, owner: Mapping[str, Any], repositories: Path, place: Path
) -> Environment:
    """Lay out the environment of a site, unless it is there from an earlier run."""
    environment = Environment(place.resolve(), repository)
    text = json.dumps([repository.name, commit_of(repository), owner], sort_keys=True, default=str)
    digest = hashlib.sha256((text + sources()).encode()).hexdigest()
    stamp = place / "layout.json"
    if stamp.exists():
        before = json.loads(stamp.read_text("utf-8"))
        if before["digest"] == digest and not newly_there(before["missing"], repositories):
            environment.missing, environment.fetched = before["missing"], before["fetched"]
            return environment
    shutil.rmtree(environment.code, ignore_errors=True)
    shutil.rmtree(environment.outside, ignore_errors=True)
    build(environment, repository, owner, repositories)
    written = {
        "digest": digest,
        "missing": environment.missing,
        "fetched": environment.fetched,
    }
    stamp.write_text(json.dumps(written), "utf-8")
    return environment


def sources() -> str:
    """Return the text of the programs that decide how an environment is laid out."""
    here = Path(__file__)
    places = (here, here.with_name("copies.py"), here.parents[2] / "record" / "sites_modules.py")
    return "".join(path.read_text("utf-8") for path in places)


def newly_there(modules: list[str], repositories: Path) -> bool:
    """Return whether a module that was missing can be had now."""
    named = [one.partition("-") for one in modules]
    return any(repository_of(name, Wanted(author), repositories) for author, _, name in named)


def commit_of(repository: Path) -> str:
    """Return the commit of a repository that is compiled."""
    arguments = ["git", "-C", str(repository), "rev-parse", "HEAD"]
    return subprocess.run(arguments, capture_output=True, check=True).stdout.decode().strip()


def build(
    environment: Environment, repository: Path, owner: Mapping[str, Any], repositories: Path
) -> None:
    """Lay out the directories of a site."""
    checkout = environment.place / "checkout"
    shutil.rmtree(checkout, ignore_errors=True)
    lay_out(repository, owner.get("revision", "HEAD"), checkout)
    root = checkout / owner["root"] if "root" in owner else Site(checkout).root
    environment.root.parent.mkdir(parents=True)
    root.rename(environment.root)
    shutil.rmtree(checkout, ignore_errors=True)
    for name, content in owner.get("files", {}).items():
        write(environment.root / name, content)
    for name, target in owner.get("links", {}).items():
        (environment.root / name).symlink_to(target)
    add_modules(environment, owner, repositories)
    for name, content in owner.get("replaced", {}).items():
        write(environment.root / name, content)
    for name, changes in owner.get("edited", {}).items():
        edit(environment.root / name, changes)
    add_vendored(environment, repositories)
    write_configuration(environment, owner)
    replace_outside(environment, owner, repositories)
    for name, value in owner.get("functions", {}).items():
        write_function(environment, name, value)
    if "config_version" in environment.site.settings:
        make_repository(environment.root)


def edit(path: Path, changes: Mapping[str, str]) -> None:
    """Replace parts of a file, each of which is there once."""
    text = path.read_text("utf-8")
    for before, after in changes.items():
        if text.count(before) != 1:
            raise ValueError(f"{path} has {before!r} {text.count(before)} times")
        text = text.replace(before, after)
    path.write_text(text, "utf-8")


def add_modules(environment: Environment, owner: Mapping[str, Any], repositories: Path) -> None:
    """Lay out the modules of the Puppetfile, and others that the owner names."""
    root = environment.root
    file = root / owner.get("puppetfile", "Puppetfile")
    lock = file.with_name("Puppetfile.lock")
    modules = locked(lock.read_text("utf-8")) if lock.exists() else {}
    modules |= wanted(file.read_text("utf-8")) if file.exists() else {}
    for name in owner.get("also", []):
        author, _, rest = name.partition("-")
        module, _, version = rest.partition(" ")
        modules[module] = Wanted(author, version)
    folder = environment.module_folder(owner)
    if "self" in owner:
        modules.pop(owner["self"], None)
        lay_out(environment.repository, "HEAD", folder / owner["self"])
    own = environment.site.modules()
    date = git(
        environment.repository, "log", "-1", "--format=%cI", owner.get("revision", "HEAD")
    ).strip()
    for name, stated in sorted(modules.items()):
        if name in own or (folder / name).exists():
            continue
        source = repository_of(name, stated, repositories)
        if source is None:
            environment.missing.append(f"{stated.author}-{name}")
        else:
            commit = revision(source, stated.version, date, name)
            lay_out(source, commit, folder / name)
            environment.fetched.append(name)


def add_vendored(environment: Environment, repositories: Path) -> None:
    """Lay out the modules of Puppet's packages, from their repositories or Debian's packages."""
    shutil.rmtree(environment.vendored, ignore_errors=True)
    environment.vendored.mkdir()
    for name in VENDORED:
        source = repository_of(name, Wanted("puppetlabs"), repositories)
        if source is not None:
            lay_out(source, revision(source, ""), environment.vendored / name)
        elif (DEBIAN / name).exists():
            shutil.copytree(DEBIAN / name, environment.vendored / name)


def write_configuration(environment: Environment, owner: Mapping[str, Any]) -> None:
    """Write ``environment.conf`` and ``hiera.yaml`` as far as the repository lacks them."""
    root = environment.root
    conf = root / "environment.conf"
    if "environment" in owner:
        lines = [f"{name} = {value}\n" for name, value in owner["environment"].items()]
        conf.write_text("".join(lines), "utf-8")
    if owner.get("config_version") is False:
        kept = [
            line for line in conf.read_text("utf-8").splitlines() if "config_version" not in line
        ]
        conf.write_text("\n".join(kept) + "\n", "utf-8")
    environment.generated_file(owner, "").parent.mkdir()
    if "hiera_3" in owner:
        write_hiera_3(environment, owner)
        return
    config = in_version_5(hierarchy_of(environment, owner))
    keys = Keys(environment.place / "keys")
    levels = [level_of(level, owner, keys) for level in config["hierarchy"]]
    levels = [level for level in levels if FILES.intersection(level) or has_backend(level)]
    written = {"version": 5, "hierarchy": [*levels, LAST_LEVEL]}
    defaults = level_of(config.get("defaults") or {}, owner, keys)
    if "options" in defaults:  # which the level of generated data would have, too
        levels = [with_backend(one, defaults) for one in levels]
        written["hierarchy"] = [*levels, LAST_LEVEL]
        defaults = {name: one for name, one in defaults.items() if name == "datadir"}
    if defaults:
        written["defaults"] = defaults
    if "self" in owner:
        path = environment.module_folder(owner) / owner["self"] / "hiera.yaml"
        write(path, yaml.safe_dump({**written, "hierarchy": levels}, sort_keys=False))
    if owner.get("global_hiera"):
        global_levels = [absolute(one, defaults, root) for one in levels]
        write(
            environment.place / "conf" / "hiera.yaml",
            yaml.safe_dump({"version": 5, "hierarchy": global_levels}),
        )
        written = {"version": 5, "hierarchy": [LAST_LEVEL]}
    write(root / "hiera.yaml", yaml.safe_dump(written, sort_keys=False))
    encrypt_again(environment, keys)


def write_hiera_3(environment: Environment, owner: Mapping[str, Any]) -> None:
    """Write the server's configuration of Hiera 3, with all data in YAML."""
    levels = hierarchy_of(environment, owner)[":hierarchy"]
    config = {
        ":backends": ["yaml"],
        ":yaml": {":datadir": str(environment.root / owner["hiera_3"])},
        ":hierarchy": [*levels, f"{GENERATED}/%{{clientcert}}"],
    }
    write(environment.place / "conf" / "hiera.yaml", yaml.safe_dump(config, sort_keys=False))
    (environment.root / "hiera.yaml").unlink(missing_ok=True)


def hierarchy_of(environment: Environment, owner: Mapping[str, Any]) -> Any:
    """Return the configuration of Hiera: the owner's, or the one in the repository."""
    found = owner.get("hiera")
    if isinstance(found, str):
        return load(environment.root / found)
    if found is None:
        path = environment.site.hiera_file
        found = load(path) if path else None
    return found or {"hierarchy": []}


def with_backend(level: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """Return a level with the backend and the options of the defaults, unless it has its own."""
    return dict(level) if has_backend(level) else {**defaults, **level}


def has_backend(level: Mapping[str, Any]) -> bool:
    """Return whether a level has a backend of its own."""
    return any(name in level for name in BACKENDS)


def absolute(level: Mapping[str, Any], defaults: Mapping[str, Any], root: Path) -> dict[str, Any]:
    """Return a level of the environment as one of the server's own configuration."""
    found = with_backend(level, defaults)
    found.setdefault("datadir", defaults.get("datadir", "data"))
    return {**found, "datadir": str(root / found.get("datadir", "data"))}


def level_of(level: Mapping[str, Any], owner: Mapping[str, Any], keys: Keys) -> dict[str, Any]:
    """Return a level whose directory and keys are on this machine."""
    found = dict(level)
    folder = str(found.get("datadir", ""))
    for server, here in owner.get("datadirs", {}).items():
        if folder.startswith(server):
            found["datadir"] = str(here) + folder.removeprefix(server)
    if found.get("lookup_key") == EYAML:
        found["options"] = keys.options()
    if str(found.get("lookup_key", "")).startswith("hiera_") or "gpg_gnupghome" in str(found):
        found = {name: found[name] for name in found if name not in {"lookup_key", "options"}}
        if FILES.intersection(found):
            found["data_hash"] = "yaml_data"
    return found


def encrypt_again(environment: Environment, keys: Keys) -> None:
    """Replace encrypted values, whose keys are private, by others with the generated keys."""
    for path in texts(environment.root):
        if path.suffix in {".yaml", ".eyaml"}:
            text = path.read_bytes()
            if b"ENC[PKCS7," in text:
                path.write_bytes(keys.replaced(text))


def replace_outside(environment: Environment, owner: Mapping[str, Any], repositories: Path) -> None:
    """Point paths of the server to directories of this machine; some are repositories of their own."""
    for path, name in owner.get("outside", {}).items():
        source = git_directory(repositories / name) if name else None
        if source is not None:
            lay_out(source, "HEAD", Path(str(environment.outside) + path))
    outside = {path: str(environment.outside) + path for path in owner.get("outside", {})}
    for path in texts(environment.root) if outside else ():
        replace_paths(path, outside)
    for folder in outside.values():
        Path(folder).mkdir(parents=True, exist_ok=True)


def write_function(environment: Environment, name: str, value: Any) -> None:
    """Write a function that returns a constant, in place of one that queries other machines."""
    module, separator, rest = name.partition("::")
    place, below = environment.root, name
    if separator:
        place = environment.site.modules().get(module, environment.root / "modules" / module)
        below = f"{module}/{rest.replace('::', '/')}"
        (place / "functions" / f"{rest.replace('::', '/')}.pp").unlink(missing_ok=True)
    write(place / FUNCTIONS / f"{below}.rb", FUNCTION.format(name=name, value=in_ruby(value)))


def define(site: Site, code: list[str]) -> None:
    """Add node definitions to the main manifest, in a file of their own where it is a directory."""
    place = site.root / site.settings.get("manifest", "manifests")
    text = "\n".join(code) + "\n" if code else ""
    if place.suffix != ".pp":
        place.mkdir(exist_ok=True)
        (place / "zz_generated.pp").write_text(text, "utf-8")
        return
    own, _, _ = place.read_text("utf-8").partition(GENERATED_CODE)
    place.write_text(own + (GENERATED_CODE + text if code else ""), "utf-8")


def make_repository(root: Path) -> None:
    """Make a git repository, which scripts for ``config_version`` read."""
    identity = ["-c", "user.name=site", "-c", "user.email=site@example.org"]
    at = {"GIT_AUTHOR_DATE": DATE, "GIT_COMMITTER_DATE": DATE, "HOME": str(root)}
    for arguments in (["init", "-q"], [*identity, "commit", "-q", "--allow-empty", "-m", "site"]):
        subprocess.run(
            ["git", "-C", str(root), *arguments], env={**at, "PATH": "/usr/bin:/bin"}, check=True
        )
