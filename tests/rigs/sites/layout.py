"""Where a site keeps its modules, manifests and Hiera configuration.

A site is a checkout of a repository with the Puppet code of many machines: a control repository, or the
tree of a Puppet server. What it expects on the server but outside the repository (private modules and
data) is given as a table of paths.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml

MADE_UP = "made_up_modules"
USUAL_MODULES = ("site", "site-modules", "modules", "dist", "vendor_modules", "core_modules")
HIERA_NAMES = ("hiera.yaml", "puppet/hiera.yaml", "hiera/hiera.yaml", "config/hiera.yaml")


@dataclass
class Site:
    """A checkout, and where things lie that it does not hold."""

    checkout: Path
    outside: Mapping[str, str] = field(default_factory=dict)
    more_modules: tuple[str, ...] = ()
    is_environment: bool = False
    fetched: tuple[str, ...] = ()
    """The modules that are not part of the checkout."""

    @cached_property
    def root(self) -> Path:
        """The folder of the environment: where ``environment.conf`` is, or the modules are."""
        if self.is_environment:
            return self.checkout
        for pattern in ("environment.conf", "*/environment.conf", "hiera.yaml", "modules"):
            found = sorted(self.checkout.glob(pattern))
            if found:
                return found[0].parent
        raise SystemExit(f"{self.checkout}: cannot find environment.conf, hiera.yaml or modules")

    @cached_property
    def settings(self) -> dict[str, str]:
        """The settings of ``environment.conf``."""
        path = self.root / "environment.conf"
        if not path.exists():
            return {}
        pairs = (line.partition("=") for line in path.read_text("utf-8").splitlines())
        return {
            name.strip(): value.strip()
            for name, equals, value in pairs
            if equals and not name.strip().startswith(("#", ";"))
        }

    @cached_property
    def own_modulepath(self) -> list[str]:
        """The folders with modules that are part of the checkout, or given for those outside."""
        listed = self.settings.get("modulepath")
        names = listed.split(":") if listed else USUAL_MODULES
        found = [self.placed(name) for name in names if not name.startswith("$")]
        return [str(path) for path in found if path and path.is_dir()]

    @property
    def modulepath(self) -> list[str]:
        """All folders with modules: functions that are made up, the site's own, those given."""
        made_up = self.checkout / MADE_UP
        first = [str(made_up)] if made_up.is_dir() else []
        return [*first, *self.own_modulepath, *self.more_modules]

    def placed(self, path: str) -> Path | None:
        """Where a path of the server's lies here; None for one that is not here."""
        for prefix, target in self.outside.items():
            if path == prefix or path.startswith(prefix + "/"):
                return Path(target + path[len(prefix) :])
        if path.startswith("/"):
            return Path(path) if self.is_given(path) else None
        return self.root / path

    def is_given(self, path: str) -> bool:
        """Whether a path lies in a folder that is given for one outside, as a copy of the site has it."""
        return any(path == one or path.startswith(f"{one}/") for one in self.outside.values())

    def modules(self) -> dict[str, Path]:
        """Module → its folder, the first on the modulepath."""
        found: dict[str, Path] = {}
        for folder in self.modulepath:
            for path in sorted(Path(folder).iterdir()):
                if path.is_dir():
                    found.setdefault(path.name, path)
        return found

    def manifests(self) -> list[Path]:
        """The files of the main manifest, in the order in which Puppet reads them."""
        place = self.root / self.settings.get("manifest", "manifests")
        if place.is_file():
            return [place]
        return sorted(place.rglob("*.pp")) if place.is_dir() else []

    @cached_property
    def hiera_file(self) -> Path | None:
        """The configuration of Hiera: in the root, or among the files that the site manages."""
        for name in HIERA_NAMES:
            if (self.root / name).is_file():
                return self.root / name
        candidates = [
            path
            for path in sorted(self.root.glob("modules/*/files/**/*.yaml"))
            if "hiera" in str(path.relative_to(self.root)) and is_hierarchy(load(path))
        ]
        usual = ("hiera.yaml", "production.yaml")
        return max(
            candidates,
            key=lambda path: (path.name in usual, len(self.levels(path))),
            default=None,
        )

    def levels(self, path: Path | None = None) -> list[dict[str, Any]]:
        """The levels of the hierarchy, their folders as they are here; those of none are left out."""
        path = path or self.hiera_file
        if path is None:
            return []
        config = in_version_5(load(path))
        defaults = config.get("defaults") or {}
        levels = [{**defaults, **level} for level in config.get("hierarchy") or []]
        folders = [str(level.get("datadir", "data")) for level in levels]
        absolute = [
            os.path.dirname(one)
            for one in folders
            if one.startswith("/") and not self.is_given(one)
        ]
        server = os.path.commonpath(absolute) if absolute else ""
        found = []
        for level, folder in zip(levels, folders, strict=True):
            here = self.data_folder(folder, server, path.parent)
            if here is not None and here.is_dir():
                found.append(readable({**level, "datadir": str(here)}))
        return found

    def data_folder(self, folder: str, server: str, beside: Path) -> Path | None:
        """Where a folder with data lies; ``server`` is the root of the tree on the server."""
        if not folder.startswith("/"):
            return beside / folder
        if any(folder.startswith(prefix) for prefix in self.outside):
            return self.placed(folder)
        if self.is_given(folder):
            return Path(folder)
        return self.root / os.path.relpath(folder, server) if server else None

    def data_files(self) -> Iterator[Path]:
        """The YAML files of the folders with data."""
        for folder in dict.fromkeys(level["datadir"] for level in self.levels()):
            yield from sorted(path for path in Path(folder).rglob("*.yaml") if path.is_file())


def load(path: Path) -> Any:
    """The data of a YAML file; None where it is not YAML."""
    try:
        with path.open("rb") as file:
            return yaml.load(file, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (yaml.YAMLError, ValueError):
        return None


def is_hierarchy(config: Any) -> bool:
    """Whether some data are the configuration of Hiera."""
    return isinstance(config, dict) and ("hierarchy" in config or ":hierarchy" in config)


def in_version_5(config: Any) -> dict[str, Any]:
    """A configuration in the form of Hiera 5, also where it is written for Hiera 3."""
    if not isinstance(config, dict):
        return {}
    if ":hierarchy" not in config:
        return config
    places = config[":hierarchy"]
    folder = (config.get(":yaml") or {}).get(":datadir", "hieradata")
    paths = [f"{place}.yaml" for place in ([places] if isinstance(places, str) else places)]
    return {"hierarchy": [{"name": "yaml", "datadir": folder, "paths": paths}]}


def readable(level: dict[str, Any]) -> dict[str, Any]:
    """A level; where it is encrypted and its keys are not here, as the plain YAML that it looks like."""
    if level.get("lookup_key") == "eyaml_lookup_key":
        options = level.get("options") or {}
        key = options.get("pkcs7_private_key")
        if not (key and os.path.exists(key)):
            kept = {name: level[name] for name in level if name not in {"lookup_key", "options"}}
            return {**kept, "data_hash": "yaml_data"}
    if not any(name in level for name in ("lookup_key", "data_hash", "data_dig", "hiera3_backend")):
        return {**level, "data_hash": "yaml_data"}
    if "lookup_key" in level or "data_dig" in level:
        return {name: value for name, value in level.items() if name != "data_hash"}
    return level
