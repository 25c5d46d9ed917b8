"""The table of options: each one is declared here, once, with all that its readers need.

Flags of commands, keys of ``bunraku.toml``, keywords of Python, fields of the batch protocol, completion and
pages come from the table. ``project.option_kinds`` has the kinds of their values.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from bunraku.base.lazy_typing import TYPE_CHECKING, Any
from bunraku.base.records import Field, field, record, rules_of
from bunraku.dialects.languages import LANGUAGES
from bunraku.limits.limits import DEFAULT_BYTES, DEFAULT_SECONDS

if TYPE_CHECKING:
    from bunraku.project.model import Choice

FLAG, FILE, KEY, PYTHON, COMPILE, BATCH, TEST, SETTING = (1 << bit for bit in range(8))
"""Where an option may be set, and what it is.

``FLAG``: on the command line. ``FILE``: in ``bunraku.toml``, as another default of the flag and of the keyword.
``KEY``: in ``bunraku.toml``, where jobs read it when they need it. ``PYTHON``: as a keyword of jobs. ``COMPILE``:
as a keyword of ``bunraku.compile`` and its like. ``BATCH``: in a request of the batch protocol. ``TEST``: as a
keyword of tests in Python. ``SETTING``: the option is the setting of Puppet with the same name.
"""


class Option(Field):
    """A field of a record that users set.

    ``kind`` is a key of ``option_kinds.KINDS``. ``flags`` are the names on the command line, if not that of
    the field. ``group`` is the title in the help under which all commands with such options show it.
    ``in_file`` is the meaning of the key, where that of the flag is another one.
    """

    __slots__ = ("by", "choices", "flags", "group", "in_file", "kind", "meaning", "metavar")

    def __init__(
        self,
        default: Any,
        meaning: str,
        by: int,
        kind: str,
        choices: Sequence[str],
        metavar: str | None,
        group: str,
        flags: Sequence[str],
        in_file: str,
    ) -> None:
        super().__init__(default, None, True, True, True)
        self.meaning = meaning
        self.by = by
        self.kind = kind
        self.choices = choices
        self.metavar = metavar
        self.group = group
        self.flags = flags
        self.in_file = in_file


def option(
    default: Any,
    meaning: str,
    *,
    by: int,
    kind: str = "text",
    choices: Sequence[str] = (),
    metavar: str | None = None,
    group: str = "",
    flags: Sequence[str] = (),
    in_file: str = "",
) -> Any:
    """Return a field that users set, see :class:`Option`."""
    return Option(default, meaning, by, kind, choices, metavar, group, flags, in_file)


@record(slots=False)
class CompileOptions:
    """A directory, and how its code is compiled. Absent options are those of the project, or Puppet's.

    ``directory`` is where the search for the project begins (default: ``root`` of the configuration,
    or this directory). ``configured`` has the values of the configuration file, by key. Data are a
    mapping, or the path of a file. ``settings`` win over those of ``config``. Paths of several
    directories are separated by colons. ``timeout`` is in seconds, ``memory`` in bytes.
    """

    directory: str | None = None
    configured: Mapping[str, Choice] = field(default_factory=dict)
    no_project: bool = option(
        False,
        "ignore bunraku.toml and the project in which the command runs",
        kind="flag",
        by=FLAG | PYTHON,
    )
    language: str | None = option(
        None,
        "version of the Puppet language (default: 8)",
        kind="choice",
        choices=tuple(LANGUAGES),
        by=FLAG | FILE | PYTHON | COMPILE | BATCH | TEST,
        group="language",
    )
    follow: str = option(
        "puppet",
        "where Puppet's documentation and implementation disagree, follow the implementation "
        "(puppet) or the documentation (default: puppet)",
        kind="choice",
        choices=("puppet", "documents"),
        by=FLAG | FILE | PYTHON | COMPILE | BATCH,
        group="language",
    )
    strict: str | None = option(
        None,
        "severity of questionable code (default: error)",
        kind="choice",
        choices=("off", "warning", "error"),
        by=FLAG | FILE | PYTHON | SETTING,
        group="language",
    )
    tasks: bool = option(
        False,
        "allow plans, apply() and other parts of the language for tasks",
        kind="flag",
        by=FLAG | FILE | PYTHON | SETTING,
        group="language",
    )
    strict_variables: bool | None = option(
        None,
        "make reading an unset variable an error (default: yes)",
        kind="flag",
        by=FLAG | FILE | PYTHON | SETTING,
        group="environment and settings",
    )
    environment: str | None = option(
        None,
        "name of the environment (default: production)",
        by=FLAG | FILE | PYTHON | TEST | SETTING,
        group="environment and settings",
    )
    config: str | None = option(
        None,
        "read settings from this puppet.conf; command-line options override it",
        kind="path",
        by=FLAG | FILE | PYTHON,
        group="environment and settings",
    )
    environmentpath: str | None = option(
        None,
        "directories of environments",
        kind="paths",
        by=FLAG | FILE | PYTHON | SETTING,
        group="environment and settings",
    )
    modulepath: str = option(
        "", "directories of modules", kind="paths", by=FLAG | FILE | PYTHON | COMPILE | BATCH
    )
    basemodulepath: str | None = option(
        None,
        "directories of modules that all environments use",
        kind="paths",
        by=FLAG | FILE | PYTHON | SETTING,
        group="environment and settings",
    )
    manifest: str | None = option(
        None, "main manifest: a file or a directory", kind="path", by=KEY | PYTHON
    )
    hiera_config: str | None = option(
        None,
        "hiera.yaml of the global layer",
        kind="path",
        by=FLAG | FILE | PYTHON | COMPILE,
        group="environment and settings",
    )
    settings: Mapping[str, Any] | Sequence[tuple[str, Any]] = option(
        (),
        "any other setting of Puppet",
        kind="table",
        by=FLAG | KEY | PYTHON | COMPILE | BATCH | TEST,
        group="environment and settings",
        flags=("--set",),
    )
    facts: Mapping[str, Any] | str | None = option(
        None,
        "the node's facts, JSON or YAML",
        kind="data",
        by=FLAG | KEY | PYTHON | COMPILE | BATCH,
        in_file="file with facts that every node has, JSON or YAML",
    )
    facts_folder: str | None = option(
        None,
        "facts by node: NODE.yaml or NODE.json",
        kind="path",
        by=FLAG | KEY | PYTHON,
        metavar="DIR",
    )
    facts_from: str | None = option(
        None,
        "facts of nodes: the URL, an export or a database of a PuppetDB, or a directory or file "
        "with facts of nodes",
        kind="source",
        by=FLAG | PYTHON | COMPILE,
        flags=("--facts-from", "--from-puppetdb"),
    )
    node: str | None = option(
        None,
        "the node's certname",
        kind="node",
        by=FLAG | PYTHON | COMPILE | BATCH | TEST,
        flags=("--node", "--certname"),
    )
    trusted: Mapping[str, Any] | str | None = option(
        None,
        "file with the node's trusted data, JSON or YAML",
        kind="data",
        by=FLAG | FILE | PYTHON | COMPILE | BATCH,
        group="node",
    )
    server_facts: Mapping[str, Any] | str | None = option(
        None,
        "file with $server_facts, JSON or YAML",
        kind="data",
        by=FLAG | FILE | PYTHON | COMPILE | BATCH,
        group="node",
    )
    node_terminus: str | None = option(
        None,
        "classify the node with a program (exec), a YAML file (yaml) or not at all (default: plain)",
        kind="choice",
        choices=("plain", "exec", "yaml"),
        by=FLAG | FILE | PYTHON | SETTING,
        group="node",
    )
    external_nodes: str | None = option(
        None,
        "program for exec; YAML file or directory of NODE.yaml files for yaml",
        kind="path",
        by=FLAG | FILE | PYTHON | SETTING,
        metavar="CLASSIFIER",
        group="node",
    )
    storedconfigs: str | None = option(
        None,
        "catalogs and facts of other nodes, for exported resources and PuppetDB queries: a "
        "directory or file, the URL, an export or a database of a PuppetDB",
        kind="source",
        by=FLAG | FILE | PYTHON | COMPILE,
        group="node",
    )
    include_legacy_facts: bool | None = option(
        None,
        "add (or drop) legacy facts such as osfamily",
        kind="flag",
        by=FLAG | FILE | PYTHON | SETTING,
        group="node",
    )
    timeout: float = option(
        DEFAULT_SECONDS,
        "time limit for each catalog, such as 30, 30s, 5m or 1h; 0 means no limit (default: 5m)",
        kind="time",
        by=FLAG | FILE | PYTHON | BATCH,
        group="limits",
    )
    memory: int = option(
        DEFAULT_BYTES,
        "memory limit, such as 512M or 4G; 0 means the memory of the machine or container, "
        "which is always a limit (default: 4G)",
        kind="size",
        by=FLAG | FILE | PYTHON,
        group="limits",
    )
    jobs: int | None = option(
        None, "processes (default: one per CPU)", kind="number", by=FLAG | FILE | PYTHON
    )
    installed_modules: bool = option(
        False,
        "compile both revisions with the installed modules, whatever their Puppetfiles declare",
        kind="flag",
        by=FLAG | FILE | PYTHON,
    )
    offline: bool = option(
        False,
        "ask no server for modules that the store lacks",
        kind="flag",
        by=FLAG | FILE | PYTHON,
    )
    executor: str = option(
        "processes",
        "where nodes are compiled: processes of this machine, dask=ADDRESS of a Dask scheduler, or "
        "MODULE:FACTORY, a function that returns an executor (default: processes)",
        by=FLAG | PYTHON,
    )


@record(slots=False)
class CommandOptions:
    """Options of single jobs, and of how commands print."""

    root: str | None = option(
        None, "directory of the control repository, module or tree", kind="path", by=KEY
    )
    output_folder: str | None = option(
        None,
        "write each node's catalog to this directory",
        kind="path",
        by=FLAG | KEY,
        metavar="DIR",
    )
    match: Sequence[str] = option((), "only nodes whose names match", kind="globs", by=FLAG)
    os: Sequence[str] = option(
        (),
        "compile nodes that stand for the roles of a control repository, or for the classes of a module, with "
        "the facts of an operating system, such as debian-12 or debian-12-x86_64",
        kind="globs",
        by=FLAG,
        metavar="NAME",
    )
    classes: Sequence[str] = option(
        (),
        "compile a node for each class that matches, such as 'profile::*', instead of each role",
        kind="globs",
        by=FLAG,
    )
    facterdb: str | None = option(
        None,
        "the directory facts of FacterDB (default: the installed gem or package, and built-in facts)",
        kind="path",
        by=FLAG,
        metavar="DIR",
    )
    fact_timeout: float = option(
        10.0,
        "limit for the processor time of each custom fact that does not declare one; 0 means no limit"
        " (default: 10s)",
        kind="time",
        by=FLAG | FILE,
    )
    color: str = option(
        "auto",
        "use of colours: auto means on a terminal, unless NO_COLOR is set (default: auto)",
        kind="choice",
        choices=("auto", "always", "never"),
        by=FLAG | FILE,
    )
    debug: bool = option(
        False, "show debug messages and tracebacks of internal errors", kind="flag", by=FLAG
    )
    fail_on_warnings: bool = option(
        False,
        "also exit with 1 for warnings",
        kind="flag",
        by=FLAG | FILE,
        in_file="validate, check, lint and ci: warnings make the exit code 1",
    )
    fail_under: float | None = option(
        None,
        "exit with 1 if less of all lines and branches ran",
        kind="number",
        by=FLAG | FILE,
        metavar="PERCENT",
        in_file="cover: lowest coverage of the project in percent",
    )
    fail_under_file: float | None = option(
        None,
        "exit with 1 if less of the lines and branches of one of the files ran",
        kind="number",
        by=FLAG | FILE,
        metavar="PERCENT",
        in_file="cover: lowest coverage of each file in percent",
    )
    exclude: Sequence[str] = option(
        (),
        "skip matching files and directories below the given directories",
        kind="globs",
        by=FLAG | KEY,
        in_file="files and directories that commands which check files skip",
    )
    ci: Mapping[str, Any] = option(
        (),
        "policies of the site: in each table [[ci.policy]], `name`, `query` (PQL), `message` and `severity`; "
        "`fmt = true` makes it a warning if changed lines are not formatted",
        kind="policies",
        by=KEY,
    )
    fmt: Mapping[str, Any] = option(
        (),
        "the layout of manifests: `exclude`, files that `fmt` skips, and `indent`, the spaces of a level",
        kind="layout",
        by=KEY,
    )
    cache: bool = option(True, "keep compiled code on disk", kind="flag", by=KEY)
    cache_limit: int | None = option(
        None, "size limit of the cache on disk in MiB", kind="number", by=KEY
    )


Table = Mapping[str, Option]


def options_in(*records: type, by: int = -1) -> dict[str, Option]:
    """Return the options of records that may be set in one of some places, by name.

    >>> list(options_in(CompileOptions, by=BATCH))[:3]
    ['language', 'follow', 'modulepath']
    """
    return {
        name: rule
        for one in records
        for name, rule in rules_of(one).items()
        if rule.__class__ is Option and rule.by & by
    }


TABLE: Table = options_in(CompileOptions, CommandOptions)
"""Every option, by name."""


def configured_defaults(
    options: Mapping[str, Any], configured: Mapping[str, Choice], table: Table = TABLE
) -> dict[str, Any]:
    """Return new defaults of options from the configuration; ``options`` has their present ones by name."""
    found = {}
    for name, choice in configured.items():
        if name in options and table[name].by & FILE:
            value = choice.value
            joined = isinstance(value, list) and not isinstance(options[name], list)
            found[name] = os.pathsep.join(value) if joined else value
    return found
