"""Reading r10k.yaml: where it is, its keys with and without colons, and what is wrong with it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence

from bunraku.base.errors import Diagnostic, Issue, PuppetError
from bunraku.base.file_reading import text_on_disk
from bunraku.base.lazy_typing import Any
from bunraku.base.records import record, replace
from bunraku.base.source import Place
from bunraku.deployment.r10k_issues import (
    R10K_FILE_UNREADABLE,
    R10K_SETTING_INVALID,
    R10K_SETTING_KIND,
)
from bunraku.deployment.r10k_settings import (
    CONFIG_FILE,
    DEFAULT_PATH,
    OLD_PATH,
    DeploySettings,
    ForgeSettings,
    GitSettings,
    LoggingSettings,
    LogOutput,
    R10kSettings,
    RepositorySettings,
)
from bunraku.deployment.setting_kinds import (
    Read,
    RefusedSetting,
    read_boolean,
    read_command,
    read_executable,
    read_levels,
    read_log_level,
    read_outputs,
    read_pool_size,
    read_provider,
    read_readable,
    read_text,
    read_texts,
    read_truth,
    read_url,
    read_word,
    read_write_lock,
)
from bunraku.formats import yaml
from bunraku.formats.document import Document
from bunraku.formats.failure import FormatError
from bunraku.formats.places import YamlPlaces
from bunraku.formats.shape import kind_of

REPOSITORY: Mapping[str, Read] = {
    "remote": read_text,
    "private_key": read_text,
    "oauth_token": read_text,
    "github_app_id": read_text,
    "github_app_key": read_text,
    "github_app_ttl": read_text,
    "proxy": read_url,
}
GIT: Mapping[str, Read] = {
    "default_ref": read_text,
    "provider": read_provider,
    "username": read_text,
    "private_key": read_text,
    "oauth_token": read_text,
    "github_app_id": read_text,
    "github_app_key": read_text,
    "github_app_ttl": read_text,
    "proxy": read_url,
}
FORGE: Mapping[str, Read] = {
    "proxy": read_url,
    "baseurl": read_url,
    "authorization_token": read_text,
    "allow_puppetfile_override": read_boolean,
}
DEPLOY: Mapping[str, Read] = {
    "write_lock": read_write_lock,
    "purge_levels": read_levels,
    "purge_allowlist": read_texts,
    "purge_whitelist": read_texts,
    "generate_types": read_truth,
    "puppet_path": read_executable,
    "puppet_conf": read_readable,
    "exclude_spec": read_boolean,
}
LOGGING: Mapping[str, Read] = {
    "level": read_log_level,
    "outputs": read_outputs,
    "disable_default_stderr": read_boolean,
}
LOG_OUTPUT: Mapping[str, Read] = {
    "type": read_word,
    "level": read_log_level,
}
GLOBAL: Mapping[str, Read] = {
    "cachedir": read_text,
    "postrun": read_command,
    "pool_size": read_pool_size,
    "proxy": read_url,
}
GROUPS = ("forge", "git", "deploy", "logging")
PURGEDIRS = "the purgedirs key in r10k.yaml is deprecated. it is currently ignored."
WHITELIST = "The deploy.purge_whitelist key is deprecated; rename it to deploy.purge_allowlist."
PROXY_VARIABLES = ("HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy")


# -- the file ----------------------------------------------------------------------------------------


def find_settings_file(
    directory: str, is_file: Callable[[str], bool] = os.path.isfile
) -> tuple[str, list[str]]:
    """Return the r10k.yaml that counts in a directory, and warnings; an empty path if there is none.

    The order is that of r10k: the directory itself, then the two places below ``/etc``.
    """
    warnings = []
    if is_file(DEFAULT_PATH) and is_file(OLD_PATH):
        warnings.append(f"Both {DEFAULT_PATH} and {OLD_PATH} configuration files exist.")
        warnings.append(f"{DEFAULT_PATH} will be used.")
    places = (os.path.join(directory, CONFIG_FILE), DEFAULT_PATH, OLD_PATH)
    path = next((one for one in places if is_file(one)), "")
    if path == OLD_PATH:
        warnings.append(f"The r10k configuration file at {OLD_PATH} is deprecated.")
        warnings.append(f"Please move your r10k configuration to {DEFAULT_PATH}.")
    return path, warnings


def read_settings_file(path: str) -> Document:
    """Return the data of a settings file, keys without colons; PuppetError if it has no settings."""
    try:
        text = text_on_disk(path)
    except OSError as error:
        raise unreadable(path, f"Couldn't load config file: {error.strerror} - {path}") from None
    return settings_document(text, path)


def settings_document(text: str, path: str) -> Document:
    """Return the data of the text of a settings file."""
    try:
        data = yaml.load_plain(text)
    except FormatError as error:
        failure = unreadable(path, f"Couldn't load config file: {path}: {error.problem}")
        raise failure.at(Place(path, error.line, error.column)) from None
    if data is None or data is False:
        raise unreadable(path, f"File exists at {path} but doesn't contain any YAML")
    if not isinstance(data, dict):
        raise unreadable(path, f"{path} must be a hash of settings, not {kind_of(data)}")
    return Document(path, "YAML", text, data)


def unreadable(path: str, reason: str) -> PuppetError:
    """Return the error for a file without settings."""
    return R10K_FILE_UNREADABLE(reason=reason).at(Place(path))


# -- the settings ------------------------------------------------------------------------------------


@record(frozen=True)
class Problem:
    """A setting that is refused: the keys and indexes that lead to it, and the reason."""

    path: tuple[str | int, ...]
    refused: RefusedSetting


class SettingReader:
    """Reads the groups of one document and collects what is wrong."""

    def __init__(self, data: Mapping[Any, Any]) -> None:
        self.data = data
        self.problems: list[Problem] = []

    def settings(self) -> R10kSettings:
        """Return all settings."""
        values = self.group(GLOBAL, self.data, ())
        forge, git, deploy, logging = [self.group_of(name) for name in GROUPS]
        warnings = [PURGEDIRS] if self.data.get("purgedirs") is not None else []
        old = deploy.pop("purge_whitelist", ())
        if old:
            warnings.append(WHITELIST)
            deploy.setdefault("purge_allowlist", old)
        repositories = self.repositories(git)
        logging["outputs"] = tuple(self.outputs(logging.get("outputs", [])))
        return R10kSettings(
            **values,
            sources=self.data.get("sources"),
            git=GitSettings(**git, repositories=repositories),
            forge=ForgeSettings(**forge),
            deploy=DeploySettings(**deploy),
            logging=LoggingSettings(**logging),
            warnings=tuple(warnings),
        )

    def group_of(self, name: str) -> dict[str, Any]:
        """Return the values of a named group."""
        readers = {"forge": FORGE, "git": GIT, "deploy": DEPLOY, "logging": LOGGING}[name]
        return self.group(readers, self.data.get(name), (name,))

    def group(
        self, readers: Mapping[str, Read], data: Any, path: tuple[str | int, ...]
    ) -> dict[str, Any]:
        """Return the values of a group that are set; settings that r10k does not know are ignored."""
        if data is None:
            return {}
        if not isinstance(data, Mapping):
            self.refuse(path, f"expected a Hash of settings, got {kind_of(data)}")
            return {}
        found = {}
        for name, read in readers.items():
            value = data.get(name)
            if value is not None:
                try:
                    found[name] = read(name, value)
                except RefusedSetting as refused:
                    self.problems.append(Problem((*path, name), refused))
        return found

    def refuse(self, path: tuple[str | int, ...], reason: str) -> None:
        """Note a value of a kind with which r10k crashes."""
        self.problems.append(Problem(path, RefusedSetting(reason, checked=False)))

    def items(self, data: Any, path: tuple[str | int, ...]) -> Iterator[tuple[int, Any]]:
        """Yield the items of a list."""
        if data is not None and not isinstance(data, list):
            self.refuse(path, f"expected an Array, got {kind_of(data)}")
            return
        yield from enumerate(data or [])

    def repositories(self, git: Mapping[str, Any]) -> tuple[RepositorySettings, ...]:
        """Return the settings of single remotes; what they leave out is that of the group."""
        raw = self.data.get("git")
        listed = raw.get("repositories") if isinstance(raw, Mapping) else None
        inherited = {name: git[name] for name in REPOSITORY if name in git}
        inherited.setdefault("github_app_ttl", "120")
        return tuple(
            [
                RepositorySettings(
                    **{**inherited, **self.group(REPOSITORY, item, ("git", "repositories", index))}
                )
                for index, item in self.items(listed, ("git", "repositories"))
            ]
        )

    def outputs(self, listed: Any) -> Iterator[LogOutput]:
        """Yield the log outputs."""
        for index, item in self.items(listed, ("logging", "outputs")):
            path = ("logging", "outputs", index)
            values = self.group(LOG_OUTPUT, item, path)
            if "type" not in values:
                self.refuse(path, "a log output requires a type, such as file or syslog")
                continue
            only_at = self.group({"only_at": read_texts}, item, path).get("only_at", ())
            parameters = item.get("parameters")
            if parameters is not None and not isinstance(parameters, Mapping):
                self.refuse((*path, "parameters"), f"expected a Hash, got {kind_of(parameters)}")
                continue
            kind = values["type"].lower().removesuffix("outputter")
            yield LogOutput(kind, values.get("level", ""), only_at, parameters or {})


def r10k_settings(
    document: Document | None,
    overrides: Mapping[str, Any],
    variables: Mapping[str, str] | None = None,
) -> R10kSettings:
    """Return the settings of a file (None: r10k's defaults), with those of the command line over it.

    ``overrides`` have the form of the file. Raise PuppetError with all settings that are refused.
    """
    variables = os.environ if variables is None else variables
    data = with_overrides({} if document is None else document.data, overrides)
    reader = SettingReader(data)
    settings = reader.settings()
    if reader.problems:
        raise refused_settings(reader.problems, document)
    inherited = settings.proxy or next(
        (variables[name] for name in PROXY_VARIABLES if variables.get(name)), ""
    )
    return replace(
        settings,
        path="" if document is None else document.path,
        proxy=inherited,
        git=replace(
            settings.git,
            proxy=settings.git.proxy or inherited,
            repositories=tuple(
                [
                    replace(one, proxy=one.proxy or settings.git.proxy or inherited)
                    for one in settings.git.repositories
                ]
            ),
        ),
        forge=replace(settings.forge, proxy=settings.forge.proxy or inherited),
    )


def with_overrides(data: Mapping[Any, Any], overrides: Mapping[str, Any]) -> dict[Any, Any]:
    """Return the data with other values; those of a group are merged."""
    merged = dict(data)
    for name, value in overrides.items():
        old = merged.get(name)
        if isinstance(old, Mapping) and isinstance(value, Mapping):
            merged[name] = {**old, **value}
        else:
            merged[name] = value
    return merged


def refused_settings(problems: Sequence[Problem], document: Document | None) -> PuppetError:
    """Return the error for refused settings, those with which r10k crashes first."""
    ordered = sorted(problems, key=lambda one: one.refused.checked)
    first, *others = [finding_of(one, document) for one in ordered]
    return PuppetError(first, others)


def finding_of(problem: Problem, document: Document | None) -> Diagnostic:
    """Return the finding for one refused setting, with its place in the file."""
    issue: Issue = R10K_SETTING_INVALID if problem.refused.checked else R10K_SETTING_KIND
    name = ".".join(str(step + 1 if isinstance(step, int) else step) for step in problem.path)
    place = Place() if document is None else setting_place(document, problem.path)
    return issue.diagnostic(place, name=name, reason=str(problem.refused))


def setting_place(document: Document, path: Sequence[str | int]) -> Place:
    """Return the place of a setting, whose keys may have colons in the text.

    The line is not shown with the finding: it may have a secret.
    """
    places = YamlPlaces(document.text)
    written: list[str | int] = []
    position = None
    for step in path:
        forms = (step,) if isinstance(step, int) else (step, f":{step}")
        found = [(form, places.of([*written, form], whole=True)) for form in forms]
        form, at = next(((form, at) for form, at in found if at), (step, None))
        if at is None:
            break
        written.append(form)
        position = at
    line, column = position or (None, None)
    return Place(document.path, line, column)
