"""The sources of r10k.yaml and the environments that they declare."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from bunraku.base.errors import PuppetError
from bunraku.base.lazy_typing import Any, Literal
from bunraku.base.records import field, record
from bunraku.deployment.credentials import without_password
from bunraku.deployment.environment_names import InvalidNames, NameRules
from bunraku.deployment.environments import DeclaredEnvironment
from bunraku.deployment.programs import run_program
from bunraku.deployment.r10k_issues import R10K_COLLISION, R10K_SOURCE_INVALID
from bunraku.deployment.r10k_settings import R10kSettings
from bunraku.formats.shape import kind_of

Level = Literal["debug", "info", "warn", "error"]
KINDS = ("git", "svn", "yaml", "yamldir", "exec")
Branches = Callable[[str], Mapping[str, str]]
"""Returns the branches of a remote with their commits."""
NO_SOURCES = "Unable to load sources; the supplied configuration does not define the 'sources' key"


@record(frozen=True)
class SourceProblem:
    """What a source has to report: an error leaves an environment out, a warning does not."""

    level: Level
    message: str


@record(frozen=True)
class EnvironmentSource:
    """One entry of ``sources``. ``options`` are those of its kind."""

    name: str
    kind: str
    basedir: str
    remote: str = field(default="", shown=False)
    prefix: str | bool = False
    strip_component: str = ""
    puppetfile_name: str = ""
    options: Mapping[str, Any] = field(default_factory=dict, shown=False)

    @property
    def text_prefix(self) -> str:
        """The text before each name."""
        if self.prefix is True:
            return f"{self.name}_"
        return f"{self.prefix}_" if isinstance(self.prefix, str) else ""

    def rules(self, invalid: InvalidNames = "") -> NameRules:
        """Return how the source names its environments."""
        return NameRules(self.text_prefix, self.strip_component, invalid)

    def text(self, name: str) -> str:
        """Return an option as text, empty if it is not set."""
        value = self.options.get(name)
        return "" if value is None or value is False else str(value)


@record(frozen=True)
class SourceEnvironments:
    """The environments of one source, and what it has to report."""

    source: EnvironmentSource
    environments: tuple[DeclaredEnvironment, ...]
    problems: tuple[SourceProblem, ...] = ()


# -- reading -----------------------------------------------------------------------------------------


def read_sources(settings: R10kSettings) -> list[EnvironmentSource]:
    """Return the sources of the settings; PuppetError if there are none, or one cannot be used."""
    declared = settings.sources
    if not declared:
        raise R10K_SOURCE_INVALID(reason=NO_SOURCES)
    if not isinstance(declared, Mapping):
        raise R10K_SOURCE_INVALID(reason=f"sources must be a Hash, not {kind_of(declared)}")
    return [read_source(str(name), data) for name, data in declared.items()]


def read_source(name: str, data: Any) -> EnvironmentSource:
    """Return one source; PuppetError if a required option is missing or has a wrong value."""
    if not isinstance(data, Mapping):
        raise refused_source(name, f"expected a Hash of options, got {kind_of(data)}")
    kind = str(data.get("type") or "git").removeprefix(":")
    if kind not in KINDS:
        raise refused_source(name, f"the type '{kind}' is unknown; use one of {', '.join(KINDS)}")
    required = ["basedir", *(["remote"] if kind in {"git", "svn"} else [])]
    required += ["command"] if kind == "exec" else []
    for option in required:
        if not isinstance(data.get(option), str) or not data[option]:
            raise refused_source(name, f"requires the option {option}")
    strip = data.get("strip_component") or ""
    if not isinstance(strip, str):
        got = kind_of(strip)
        raise refused_source(name, f"strip_component must be a string or a /regex/, not {got}")
    prefix = data.get("prefix")
    return EnvironmentSource(
        name,
        kind,
        os.path.abspath(data["basedir"]),
        str(data.get("remote") or ""),
        prefix if isinstance(prefix, str) or prefix is True else False,
        strip,
        str(data.get("puppetfile_name") or ""),
        data,
    )


def refused_source(name: str, reason: str) -> PuppetError:
    """Return the error for a source that cannot be used."""
    return R10K_SOURCE_INVALID(reason=f"Source '{name}': {reason}")


# -- branches of git and Subversion ------------------------------------------------------------------


def git_environments(
    source: EnvironmentSource, branches: Iterable[str], git_directory: str = ""
) -> SourceEnvironments:
    """Return the environments of a git source: one for each branch that is not filtered out.

    ``git_directory`` is what ``filter_command`` sees as ``GIT_DIR``.
    """
    rules = source.rules(invalid_names(source))
    problems: list[SourceProblem] = []
    wanted = list(without_ignored(source, sorted(branches), problems))
    environments = []
    for branch in filtered(source, wanted, git_directory, problems):
        name = rules.stripped(branch)
        if not rules.is_valid(name):
            problems.append(name_problem(rules, name))
            if rules.invalid == "error":
                continue
        environments.append(environment_of(source, "git", name, rules, source.remote, branch))
    return SourceEnvironments(source, tuple(environments), tuple(problems))


def invalid_names(source: EnvironmentSource) -> InvalidNames:
    """Return what ``invalid_branches`` says."""
    match source.text("invalid_branches"):
        case "correct":
            return "correct"
        case "" | "correct_and_warn":
            return "correct_and_warn"
        case "error":
            return "error"
        case other:
            raise refused_source(
                source.name,
                f"invalid_branches must be correct, correct_and_warn or error, not '{other}'",
            )


def name_problem(rules: NameRules, name: str) -> SourceProblem:
    """Return the warning or the error for a name with characters that Puppet does not allow."""
    start = f'Environment "{name}" contained non-word characters'
    if rules.invalid == "error":
        return SourceProblem("error", f"{start}, ignoring it.")
    return SourceProblem("warn", f"{start}, correcting name to {rules.directory(name)}")


def environment_of(
    source: EnvironmentSource, kind: str, name: str, rules: NameRules, remote: str, ref: str
) -> DeclaredEnvironment:
    """Return the environment of a branch."""
    names = ("puppetfile_name",) if kind == "git" else ("puppetfile_name", "username", "password")
    options = {option: source.text(option) for option in names if source.text(option)}
    return DeclaredEnvironment(
        name,
        rules.directory(name),
        source.basedir,
        source.name,
        kind,
        remote,
        ref,
        options=options or None,
    )


def without_ignored(
    source: EnvironmentSource, branches: Iterable[str], problems: list[SourceProblem]
) -> Iterator[str]:
    """Yield the branches that do not begin with one of ``ignore_branch_prefixes``."""
    option = source.options.get("ignore_branch_prefixes") or []
    prefixes = [str(one) for one in (option if isinstance(option, list) else [option])]
    if not prefixes:
        yield from branches
        return
    from bunraku.values.regexp.regexp import Regexp, escape  # few sources have prefixes

    joined = "|".join(prefixes if source.kind == "svn" else map(escape, prefixes))
    ignored = Regexp(f"^(?:{joined})")
    listed = ", ".join(f'"{one}"' for one in prefixes)
    for branch in branches:
        if ignored.first_search(branch):
            message = f"Branch {branch} filtered out by ignore_branch_prefixes [{listed}]"
            problems.append(SourceProblem("warn", message))
        else:
            yield branch


def filtered(
    source: EnvironmentSource,
    branches: Sequence[str],
    git_directory: str,
    problems: list[SourceProblem],
) -> Iterator[str]:
    """Yield the branches for which ``filter_command`` exits with 0."""
    command = source.text("filter_command")
    for branch in branches:
        if not command or accepts(command, source.name, branch, git_directory):
            yield branch
        else:
            message = f"Branch `{source.name}:{branch}` filtered out by filter_command {command}"
            problems.append(SourceProblem("warn", without_password(message)))


def accepts(command: str, source: str, branch: str, git_directory: str) -> bool:
    """Return whether the shell command exits with 0 for a branch."""
    own = {"GIT_DIR": git_directory, "R10K_BRANCH": branch, "R10K_NAME": source}
    return run_program(["/bin/sh", "-c", command], own).returncode == 0


def subversion_environments(
    source: EnvironmentSource, branches: Iterable[str]
) -> SourceEnvironments:
    """Return the environments of a Subversion source: ``production`` of the trunk, and branches."""
    rules = source.rules()
    problems: list[SourceProblem] = []
    trunk = environment_of(source, "svn", "production", rules, f"{source.remote}/trunk", "")
    others = [
        environment_of(
            source, "svn", rules.stripped(branch), rules, f"{source.remote}/branches/{branch}", ""
        )
        for branch in without_ignored(source, branches, problems)
    ]
    return SourceEnvironments(source, (trunk, *others), tuple(problems))


def subversion_branches(source: EnvironmentSource) -> list[str]:
    """Return the names below ``branches`` of a Subversion repository; ``svn`` lists them."""
    command = ["svn", "--non-interactive", "ls"]
    password = source.text("password")
    if source.text("username"):
        command += ["--username", source.text("username"), "--no-auth-cache"]
        command += ["--password-from-stdin"] if password else []
    try:
        done = run_program(
            [*command, "--", f"{source.remote}/branches"], content=password.encode() or None
        )
    except OSError as error:
        reason = f"the program svn is needed to list its branches: {error.strerror}"
        raise refused_source(source.name, reason) from None
    if done.returncode:
        reason = " ".join(done.stderr.decode("utf-8", "replace").split())
        raise refused_source(source.name, without_password(f"svn ls failed: {reason}"))
    names = done.stdout.decode("utf-8", "replace").splitlines()
    return [name.removesuffix("/") for name in names]


# -- collisions --------------------------------------------------------------------------------------


def refuse_collisions(environments: Iterable[DeclaredEnvironment]) -> None:
    """Raise PuppetError for two environments in one directory."""
    found: dict[str, DeclaredEnvironment] = {}
    for one in environments:
        other = found.setdefault(one.path, one)
        if other is not one:
            raise R10K_COLLISION(
                path=one.path,
                second=f"{one.source}:{one.name}",
                first=f"{other.source}:{other.name}",
            )
