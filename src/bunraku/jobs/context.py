"""What the options of a job mean in a directory, each part found once."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cached_property

from bunraku.base.lazy_typing import TYPE_CHECKING, Any
from bunraku.base.usage import UsageError
from bunraku.jobs.observer import SILENT, Observer
from bunraku.limits.limits import Limits
from bunraku.project.options import SETTING, CompileOptions, options_in

if TYPE_CHECKING:
    from bunraku.dialects.dialect import Dialect
    from bunraku.engine.request import Request
    from bunraku.project.model import Project
    from bunraku.world.protocol import World

SETTINGS = options_in(CompileOptions, by=SETTING)
"""The options that are settings of Puppet."""


class Context:
    """A project, its configuration and its settings: options win over the file, the file over the project.

    ``below`` also finds the one project right below a repository's root. If the directory has no
    project, that of the files and directories ``named`` counts.
    """

    def __init__(
        self,
        options: CompileOptions,
        observer: Observer = SILENT,
        *,
        below: bool = False,
        named: Sequence[str] = (),
    ) -> None:
        self.options = options
        self.observer = observer
        self.below = below
        self.named = named

    def configured(self, name: str) -> Any:
        """Return the value of a key of the configuration file; None without one."""
        choice = self.options.configured.get(name)
        return None if choice is None else choice.value

    # -- settings --------------------------------------------------------------------------------

    @cached_property
    def settings(self) -> dict[str, Any]:
        """The settings of the options and of the files that they name, by Puppet's names.

        >>> options = CompileOptions(strict="off", settings={"masterport": "8141"})
        >>> Context(options).settings
        {'strict': 'off', 'masterport': '8141'}
        """
        options = self.options
        found: dict[str, Any] = {**(self.configured("settings") or {})}
        if options.config:
            found.update(self._puppet_conf(options.config))
        for name, option in SETTINGS.items():
            value = getattr(options, name)
            if value != option.default:
                found[name] = value
        for name in ("environmentpath", "basemodulepath"):
            if getattr(options, name):
                from bunraku.jobs.paths import split_path

                found[name] = ":".join(split_path(found[name]))
        found.update(dict(options.settings))
        return found

    def _puppet_conf(self, path: str) -> dict[str, Any]:
        """Return the settings of a puppet.conf.

        If the file was found by searching, and other users can have written it or the classifier that it
        names, ``external_nodes`` is left out, and the observer gets the reason.
        """
        from bunraku.jobs.puppet_conf import (
            misspelt_settings,
            read_configuration,
            without_untrusted_classifier,
        )

        path = os.path.abspath(path)
        found = read_configuration(path)
        for text in misspelt_settings(path):
            self.observer.note(text)
        is_searched = self.configured("config") == self.options.config
        if is_searched and found.get("node_terminus") == "exec":
            return without_untrusted_classifier(found, path, self.observer)
        return found

    @cached_property
    def file_server_mounts(self) -> Mapping[str, str]:
        """The directories of the mounts in the ``fileserver.conf`` that the settings name.

        Mounts whose directory depends on the client are left out. Raises UsageError.
        """
        path = self.settings.get("fileserverconfig")
        if not path:
            return {}
        from bunraku.jobs.puppet_conf import read_mounts

        return read_mounts(str(path))

    @cached_property
    def limits(self) -> Limits:
        """The limits of time and memory."""
        return Limits(self.options.timeout, self.options.memory)

    @cached_property
    def dialect(self) -> Dialect:
        """The dialect that ``language`` and ``follow`` name; UsageError for an unknown one."""
        from bunraku.dialects.languages import UnknownDialect, dialect_named

        try:
            dialect = dialect_named(self.options.language, self.options.follow)
        except UnknownDialect as error:
            raise UsageError(str(error)) from error
        return dialect.with_syntax(tasks=True) if self.options.tasks else dialect

    # -- the project -----------------------------------------------------------------------------

    @cached_property
    def project(self) -> Project:
        """The project; its kind is ``none`` if there is none, or if the environmentpath is given."""
        from bunraku.jobs.paths import common_directory, existing_directories
        from bunraku.project.detect import find_project
        from bunraku.project.model import NOTHING, Project
        from bunraku.world.machine import Machine

        options = self.options
        for name in ("environmentpath", "basemodulepath"):
            if getattr(options, name):
                existing_directories(getattr(options, name), f"--{name}")
        if options.no_project:
            return Project(NOTHING, self.start, reason="--no-project")
        if "environmentpath" in self.settings:
            return Project(NOTHING, self.start, reason="the environmentpath is given")
        found = find_project(self.start, Machine(), self.settings, below=self.below)
        start = common_directory(self.named) if found.kind == NOTHING else None
        return found if start is None else find_project(start, Machine(), self.settings)

    @property
    def start(self) -> str:
        """The directory where the search for the project begins."""
        directory = self.options.directory
        if directory is not None:
            return os.path.abspath(directory)
        return self.configured("root") or os.getcwd()

    @cached_property
    def fields(self) -> dict[str, Any]:
        """The fields of a request that follow from the project."""
        from bunraku.project.model import NOTHING

        found = self.fields_of(self.project)
        if self.project.kind != NOTHING:
            found["run_config_version"] = self._may_run_config_version(found)
        return found

    def fields_of(self, project: Project) -> dict[str, Any]:
        """Return the fields of a request that follow from a project, such as one of a git revision."""
        from bunraku.jobs.paths import existing_directories, existing_file
        from bunraku.project.fields import request_fields

        options = self.options
        modulepath = None
        if options.modulepath:
            modulepath = existing_directories(options.modulepath, "--modulepath")
        found = request_fields(
            project,
            self.settings,
            modulepath=modulepath,
            language=options.language,
            hiera_config=existing_file(options.hiera_config, "--hiera-config"),
        )
        found["follow"] = options.follow
        return found

    def _may_run_config_version(self, fields: Mapping[str, Any]) -> bool:
        """Return whether the program of a found ``environment.conf`` may run; the observer learns why not."""
        from bunraku.jobs.puppet_conf import environment_conf_with_program
        from bunraku.world.machine import Machine
        from bunraku.world.owners import how_to_allow

        path = environment_conf_with_program(fields)
        if path is None:
            return True
        reason = Machine().reason_against(path, None)
        if reason is not None:
            self.observer.ignored(f"config_version in {path}", reason, how_to_allow(path))
        return reason is None

    @property
    def has_environment(self) -> bool:
        """Whether an environment's own manifest can be compiled."""
        directory = self.fields["environment_directory"]
        return directory is not None or "environmentpath" in self.fields["settings"]

    @property
    def manifest(self) -> str | None:
        """The main manifest of the options, of the configuration or of the project."""
        return self.manifest_of(self.project)

    def manifest_of(self, project: Project) -> str | None:
        """Return the main manifest in a project, such as one of a git revision."""
        found: str | None = (
            self.options.manifest or self.configured("manifest") or project.value("manifest")
        )
        return found

    @property
    def facts_folder(self) -> str | None:
        """The directory of facts files by node."""
        return (
            self.options.facts_folder
            or self.configured("facts_folder")
            or self.project.value("facts_folder")
        )

    @cached_property
    def module_directories(self) -> list[str]:
        """The directories of the modules of the environment."""
        from bunraku.engine.request import Request, resolve

        environment = resolve(Request(**self.fields), lambda _entry: None).environment
        return [path for _name, path in environment.module_paths]

    # -- requests --------------------------------------------------------------------------------

    def facts(self, node: str | None) -> dict[str, Any]:
        """Return the facts of a node: those that all nodes have, and its own of a file."""
        from bunraku.jobs.facts_files import facts_file, facts_in_option

        options = self.options
        facts = facts_in_option(self.configured("facts"))
        facts |= facts_in_option(options.facts)
        if (not options.facts or options.facts_folder) and not options.facts_from:
            facts |= facts_in_option(facts_file(self.facts_folder, node))
        return facts

    @property
    def facts_of_all(self) -> dict[str, Any]:
        """The facts that all nodes have: those of the options, else of the configuration."""
        from bunraku.jobs.facts_files import facts_in_option

        return facts_in_option(self.options.facts or self.configured("facts"))

    def node_fields(self, node: str, facts: Mapping[str, Any]) -> dict[str, Any]:
        """Return the request fields of a node: its facts, the agent's and the server's."""
        from bunraku.jobs.facts_files import facts_in_option
        from bunraku.modules.node import agent_facts, server_facts
        from bunraku.world.machine import Machine

        options = self.options
        return {
            "facts": {**facts, **agent_facts(node, options.environment), **facts},
            "trusted": facts_in_option(options.trusted) if options.trusted is not None else None,
            "server_facts": {**server_facts(Machine()), **facts_in_option(options.server_facts)},
            "adds_versions": True,
            "storedconfigs": options.storedconfigs,
            "facts_from": options.facts_from,
        }

    def request(self, facts: Mapping[str, Any], *, several: bool = False, **fields: Any) -> Request:
        """Return the request for the node that the options or its facts name; ``several`` for many."""
        from bunraku.engine.request import Request
        from bunraku.jobs.facts_files import node_name

        options = self.options
        if options.facts_from and not (options.node or several):
            raise UsageError("--facts-from requires --node NAME")
        node = options.node or node_name(facts)
        return Request(node=node, **self.node_fields(node, facts), **self.fields, **fields)

    def project_in(self, directory: str, world: World) -> Project:
        """Return the project whose root is a directory of another world."""
        from bunraku.modules.settings import resolve
        from bunraku.project.detect import project_at
        from bunraku.project.model import NOTHING, Project

        if self.options.no_project or "environmentpath" in self.settings:
            return Project(NOTHING, directory)
        found = project_at(directory, world, resolve(self.settings))
        return found or Project(NOTHING, directory)

    def request_in(self, directory: str, world: World) -> Request:
        """Return the request that judges a directory of another world, such as a git revision, without a node."""
        from bunraku.engine.request import Request
        from bunraku.project.model import MODULE

        options = self.options
        project = self.project_in(directory, world)
        if project.kind == MODULE:
            raise UsageError(
                f"{options.directory or '.'} is the module {project.name!r}; revisions of a control "
                "repository can be compared"
            )
        fields = self.fields_of(project)
        manifest = self.manifest_of(project)
        if (
            manifest is None
            and fields["environment_directory"] is None
            and "environmentpath" not in fields["settings"]
        ):
            fields["environment_directory"] = directory
        own = self.node_fields("", {})
        own["facts"] = self.facts_of_all
        return Request(path=manifest, cycles=True, **own, **fields)
