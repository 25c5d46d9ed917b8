"""The project of a command: flags, then ``bunraku.toml``, then the contents of the directory."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping

from bunraku.base.file_reading import read_whole
from bunraku.base.lazy_typing import Any
from bunraku.base.records import field, record
from bunraku.base.suggestions import closest
from bunraku.base.usage import UsageError
from bunraku.cli.options.config_file import common_directory, warn_of_ignored
from bunraku.cli.options.facts_file import read_facts
from bunraku.cli.options.shared import settings, split_path
from bunraku.engine.request import Request, resolve
from bunraku.facts.made_up import made_up_facts
from bunraku.modules.node import agent_facts
from bunraku.project.detect import find_project
from bunraku.project.fields import request_fields
from bunraku.project.missing import missing_data, missing_parts
from bunraku.project.model import NOTHING, Choice, Project
from bunraku.world.machine import Machine


@record()
class ProjectOptions:
    """The project of a command, and the fields that a request to the engine gets."""

    project: Project
    fields: dict[str, Any]
    manifest: str | None = None
    facts_folder: str | None = None
    common_facts: str | None = None
    output_folder: str | None = None
    configured: Mapping[str, Choice] = field(default_factory=dict)

    @property
    def has_environment(self) -> bool:
        """Return whether an environment's own manifest can be compiled."""
        directory = self.fields["environment_directory"]
        return directory is not None or "environmentpath" in self.fields["settings"]


def project_here(options: argparse.Namespace, given: dict[str, Any], *, below: bool) -> Project:
    """Return the project of this directory; ``below`` looks right below a repository's root, too."""
    if options.no_project:
        return Project(NOTHING, os.getcwd(), reason="--no-project")
    root = options.configured.get("root")
    start = os.getcwd() if root is None else root.value
    return find_project(start, Machine(), given, below=below)


def project_of_files(options: argparse.Namespace, given: dict[str, Any]) -> Project:
    """Return the project of this directory; if it has none, that of the named files."""
    project = project_here(options, given, below=True)
    start = common_directory(options.files)
    if project.kind != NOTHING or options.no_project or start is None:
        return project
    return find_project(start, Machine(), given)


def place_of(options: argparse.Namespace, *, below: bool = False) -> ProjectOptions:
    """Return the project of a command: flags override ``bunraku.toml``, which overrides detection."""
    for name in ("environmentpath", "basemodulepath"):
        if getattr(options, name, None):
            existing_directories(getattr(options, name), f"--{name}")
    given = settings(options)
    explicit = "environmentpath" in given
    if explicit:
        project = Project(NOTHING, os.getcwd(), reason="the environmentpath is given")
    else:
        project = project_here(options, given, below=below)
    place = place_in(options, project)
    if project.kind != NOTHING:
        place.fields["run_config_version"] = may_run_config_version(place.fields)
    return place


def may_run_config_version(fields: Mapping[str, Any]) -> bool:
    """Return whether the program of a found ``environment.conf`` may run; warn if it is not run."""
    directory = fields["environment_directory"]
    if directory is None:
        settings = fields["settings"]
        above = str(settings.get("environmentpath", "")).split(":")[0]
        directory = os.path.join(above, str(settings.get("environment", "production")))
    path = os.path.join(directory, "environment.conf")
    if not names_config_version(path):
        return True
    reason = Machine().reason_against(path, None)
    if reason is not None:
        warn_of_ignored(f"config_version in {path}", path, reason)
    return reason is None


def names_config_version(path: str) -> bool:
    """Return whether a file sets ``config_version``."""
    try:
        return b"config_version" in read_whole(path)
    except OSError:
        return False


def place_in(options: argparse.Namespace, project: Project) -> ProjectOptions:
    """Return the project directory of a command."""
    found = {name: choice.value for name, choice in project.choices.items()}
    configured = {name: choice.value for name, choice in options.configured.items()}
    modulepath = None
    if options.modulepath:
        modulepath = existing_directories(options.modulepath, "--modulepath")
    fields = request_fields(
        project,
        settings(options),
        modulepath=modulepath,
        language=options.language,
        hiera_config=existing_file(options.hiera_config, "--hiera-config"),
    )
    fields["follow"] = options.follow
    return ProjectOptions(
        project,
        fields,
        configured.get("manifest") or found.get("manifest"),
        configured.get("facts_folder") or found.get("facts_folder"),
        configured.get("facts"),
        configured.get("output_folder"),
        options.configured,
    )


def existing_file(path: str | None, option: str) -> str | None:
    """Return the absolute path of a file that an option names."""
    if path is None:
        return None
    if not os.path.isfile(path):
        if os.path.exists(path):
            raise UsageError(f"{option}: {path} is not a regular file")
        raise UsageError(f"{option}: cannot find {path}{near_path(path)}")
    return os.path.abspath(path)


def existing_directories(paths: str, option: str) -> list[str]:
    """Return the absolute paths of the directories that an option names."""
    found = split_path(paths)
    for path in found:
        if not os.path.isdir(path):
            raise UsageError(f"{option}: cannot find the directory {path}{near_path(path)}")
    return found


def near_path(path: str) -> str:
    """Return a suggestion for a path whose last part is mistyped; empty when nothing is near."""
    directory, name = os.path.split(path.rstrip("/"))
    try:
        names = os.listdir(directory or ".")
    except OSError:
        return ""
    near = closest(name, names)
    return f" (did you mean {os.path.join(directory, near[0])!r}?)" if near else ""


def module_directories(place: ProjectOptions) -> list[str]:
    """Return the directories of the modules of a project's environment."""
    request = Request(**place.fields)
    environment = resolve(request, lambda _entry: None).environment
    return [path for _name, path in environment.module_paths]


def facts_of(options: argparse.Namespace, place: ProjectOptions) -> dict[str, Any]:
    """Return the facts of a node: those that all nodes have, and its own of a file."""
    paths = [place.common_facts, options.facts]
    own_file = not options.facts or getattr(options, "facts_folder", None)
    if own_file and not getattr(options, "facts_from", None):
        paths.append(facts_file(place.facts_folder, options.node))
    facts: dict[str, Any] = {}
    for path in paths:
        facts.update(read_facts(path) if path else {})
    return facts


def facts_file(folder: str | None, node: str | None) -> str | None:
    """Return the facts file of a node in a directory, if there is one."""
    if folder is None or node is None:
        return None
    paths = (os.path.join(folder, node + extension) for extension in (".json", ".yaml", ".yml"))
    return next((path for path in paths if os.path.isfile(path)), None)


def notes(place: ProjectOptions, request: Request) -> str:
    """Return notes that may explain a failed compile: missing modules, data and facts."""
    found = missing_parts(place.project, Machine())
    if request.hiera_config is None:
        found += missing_data(place.project, Machine())
    if request.code is None and not has_facts(request) and place.project.kind != NOTHING:
        found.append(f"the node {request.node} has no facts; give --facts FILE")
    return "".join(f"note: {text}\n" for text in found)


def lookup_notes(place: ProjectOptions, request: Request) -> str:
    """Return notes that may explain a failed lookup: missing data and facts."""
    found = missing_data(place.project, Machine()) if request.hiera_config is None else []
    if not has_facts(request):
        found.append(f"the node {request.node} has no facts; give --facts FILE")
    return "".join(f"note: {text}\n" for text in found)


def has_facts(request: Request) -> bool:
    """Return whether a node has facts beside those that every agent sets and those that are made up."""
    made_up = {**agent_facts(request.node, "x"), **made_up_facts(request.node)}
    return bool(request.facts.keys() - made_up.keys())
