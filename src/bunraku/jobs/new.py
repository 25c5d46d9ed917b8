"""Make new modules, control repositories, classes, defined types, functions and data types, with tests.

The kind ``test`` is the test of a definition that exists.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from bunraku.base.lazy_typing import TYPE_CHECKING
from bunraku.base.paths import relative
from bunraku.base.records import record
from bunraku.base.usage import UsageError
from bunraku.jobs.context import Context
from bunraku.modules.names import is_module_name
from bunraku.project.model import CONTROL_REPOSITORY, MODULE, Project
from bunraku.workbench.new.files import (
    DEFINITIONS,
    Files,
    control_repository_files,
    definition_files,
    module_files,
)
from bunraku.world.machine import Machine
from bunraku.world.whole_files import make_folders, write_whole

if TYPE_CHECKING:
    from bunraku.syntax.nodes import Node

TEST = "test"
KINDS = ("module", "control-repository", *DEFINITIONS, TEST)
AUTHOR = re.compile(r"[a-zA-Z0-9]+")
ANY_CASE = frozenset({TEST, "type"})
NAME = re.compile(r"(?:::)?([a-z][a-z0-9_]*(?:::[a-z][a-z0-9_]*)*)")


@record(frozen=True)
class NewOptions:
    """A kind of ``KINDS`` and the name; ``out`` is the directory of a module or control repository.

    Without ``out``, it has the name of the module in the current directory.
    """

    kind: str
    name: str
    out: str = ""


def new(context: Context, options: NewOptions) -> Sequence[str]:
    """Write the files and return their paths. Raises UsageError; a file that exists is never replaced."""
    if options.kind == "module":
        directory, files = of_module(options)
    elif options.kind == "control-repository":
        directory, files = of_control_repository(options)
    else:
        directory, files = of_definition(context.project, options)
    paths = {os.path.normpath(os.path.join(directory, path)): text for path, text in files.items()}
    existing = [path for path in paths if os.path.lexists(path)]
    if existing:
        names, verb = ", ".join(map(relative, existing)), "exist" + "s" * (len(existing) == 1)
        raise UsageError(f"{names} {verb} already; nothing was written")
    for path, text in paths.items():
        write_new_file(path, text)
    return [relative(path) for path in paths]


def of_module(options: NewOptions) -> tuple[str, Files]:
    """Return the directory and the files of a module."""
    author, dash, name = options.name.replace("/", "-").rpartition("-")
    if not dash:
        author = "example"
    if not AUTHOR.fullmatch(author) or not is_module_name(name):
        raise UsageError(f"'{options.name}' is not a module name such as 'ntp' or 'acme-ntp'")
    return options.out or name, module_files(author, name)


def of_control_repository(options: NewOptions) -> tuple[str, Files]:
    """Return the directory and the files of a control repository, whose title is the name of the directory."""
    if not options.name:
        raise UsageError("a control repository needs a name")
    title = os.path.basename(os.path.abspath(options.name))
    return options.out or options.name, control_repository_files(title)


def of_definition(project: Project, options: NewOptions) -> tuple[str, Files]:
    """Return the directory of the module of a definition, and the files."""
    if options.out:
        raise UsageError(
            f"a {options.kind} goes into its module: --out is for modules and control repositories"
        )
    in_any_case = options.kind in ANY_CASE
    match = NAME.fullmatch(options.name.lower() if in_any_case else options.name)
    if match is None:
        raise UsageError(
            f"'{options.name}' is not the name of a {tested_or(options.kind)} such as 'ntp::pool'"
        )
    name = match[1]
    if project.kind == MODULE:
        if name.partition("::")[0] != project.name:
            name = f"{project.name}::{name}"
        return project.root, new_definition_files(project.root, options.kind, name, "tests")
    if project.kind != CONTROL_REPOSITORY:
        raise UsageError(
            f"a {options.kind} belongs in a module or a control repository ({project.reason})"
        )
    directory = module_below(project, name.partition("::")[0])
    tests = os.path.relpath(os.path.join(project.root, "tests"), directory)
    return directory, new_definition_files(directory, options.kind, name, tests)


def new_definition_files(directory: str, kind: str, name: str, tests: str) -> Files:
    """Return the files of a definition, or of the test of one that exists, below the directory of a module."""
    if kind != TEST:
        return definition_files(kind, name, tests)
    from bunraku.workbench.new.existing import TESTED, text_of_test

    for one in DEFINITIONS:
        path, test = definition_files(one, name, tests)
        for node in definitions_in(os.path.join(directory, path)):
            if isinstance(node, TESTED) and node.name.removeprefix("::").lower() == name:
                return {test: text_of_test(node, name)}
    raise UsageError(
        f"cannot find a class, defined type, function or data type '{name}' below {relative(directory)}; "
        "'bunraku new class' and others make one with its test"
    )


def definitions_in(path: str) -> Sequence[Node]:
    """Return what a manifest defines; nothing if there is none that can be read."""
    from bunraku.base.source import Source
    from bunraku.dialects.puppet_8 import PUPPET_8

    try:
        text = Machine().read(path).decode("utf-8", "surrogateescape")
    except OSError:
        return ()
    return PUPPET_8.parse(Source(text, path, on_disk=True)).program.definitions


def tested_or(kind: str) -> str:
    """Return what a name of a kind names."""
    return "class, defined type, function or type" if kind == TEST else kind


def module_below(project: Project, module: str) -> str:
    """Return the directory of a module of a control repository: it is in the repository itself."""
    root = os.path.join(os.path.realpath(project.root), "")
    for path in project.value("modulepath", ()):
        directory = os.path.join(path, module)
        if os.path.isdir(directory) and os.path.realpath(directory).startswith(root):
            return directory
    raise UsageError(
        f"the modulepath of this repository has no module '{module}'; "
        "the first part of the name is the module"
    )


def write_new_file(path: str, text: str) -> None:
    """Write a new file and make its directory. Raises UsageError."""
    try:
        make_folders(os.path.dirname(path) or ".", 0o777)
        write_whole(path, text.encode())
    except OSError as error:
        raise UsageError(f"cannot write {error.filename or path}: {error.strerror}") from error
