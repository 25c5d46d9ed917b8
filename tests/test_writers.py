"""Few places write files and standard streams or start programs, and each is known.

They know what to do when that fails, and hand nothing secret to a program by its arguments or
environment, which others can read.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "src" / "bunraku"

ALLOWED = {
    "administration/archive.py": "unpacks to a private temporary directory beside the new site",
    "administration/backup.py": "removes copies of databases from a private temporary directory",
    "administration/owners.py": "gives a new site to the user who runs it",
    "administration/restore.py": "links in a private temporary directory, which then becomes the site",
    "administration/retention.py": "removes the oldest of a site's backups",
    "jobs/site_init.py": "removes the directory of a site that could not be made",
    "agent/daemon.py": "/dev/null as the streams of a process in the background",
    "apply/destinations.py": "adds to the log files that --logdest names",
    "base/cache_size.py": "the file with the size of the cache, and entries that make room",
    "base/disk_cache.py": "cache entries: made in a private directory and renamed; may be lost",
    "base/file_reading.py": "opens files to read them, with flags that not every system has",
    "base/private_folder.py": "cache entries: made in a private directory and renamed; may be lost",
    "base/system.py": "the mode of an open file, where systems have modes",
    "ca/directory.py": "the lock, the directories and the owner of files; removes requests",
    "deployment/archives.py": "unpacks to a directory that it made, and removes it after an error",
    "jobs/cover.py": "removes the measurement of a project",
    "base/standard_streams.py": "stands in for standard streams that are closed",
    "jobs/compile_nodes.py": "makes the output folder and removes the catalogs of failing nodes",
    "jobs/serving/process.py": "adds to the access log; removes the file with the process id",
    "deployment/generated_types.py": "the directory of generated types, in a tree that is not live yet",
    "cli/repl/prompt.py": "the private file of the history, and its directory",
    "deployment/contents.py": "private directories in the store",
    "deployment/deployed.py": "the tree of an environment, beside the live one, and its records",
    "deployment/installation.py": "links to modules that fixtures name",
    "deployment/git_cache.py": "locks and lists of refs in the store",
    "deployment/store.py": "private files of the store, renamed into place",
    "deployment/store_care.py": "removes what nothing needs, and what is damaged, from the store",
    "web/message_stream.py": "standard output under another descriptor, for messages alone",
    "world/linked_files.py": "links, copies and switches of deployed directories",
    "engine/coverage.py": "private records in the folder of bunraku cover, appended after each compile",
    "engine/git_tree.py": "a lock and a mark in a private temporary directory",
    "engine/revisions.py": "directories in a private temporary directory",
    "puppetdb/commands/folders.py": "private folders and files, put on disk before they count",
    "puppetdb/commands/queue.py": "renames complete uploads, removes processed commands",
    "puppetdb/commands/segments.py": "appends small commands to private files, removes processed ones",
    "puppetdb/databases/sqlite.py": "creates the empty file of a database with private rights",
    "server/compiling/keeper.py": "/dev/null as the input of compile processes",
    "workbench/ci/installed_puppet.py": "directories and links in a private temporary directory",
    "workbench/testing/snapshots.py": "makes the directories of snapshots beside tests",
    "world/linux.py": "changes the machine as the resources of a catalog say",
    "world/scratch.py": "makes and removes private temporary directories",
    "world/whole_files.py": "the one way to write a file",
    "world/workers.py": "/dev/null as the input of workers",
}
"""Modules that change the file system, and why they may."""
CHANGES = frozenset(
    [
        "chmod",
        "chown",
        "copyfile",
        "copytree",
        "fchmod",
        "fchown",
        "ftruncate",
        "hardlink_to",
        "lchown",
        "makedirs",
        "mkdir",
        "mkdtemp",
        "mkfifo",
        "mknod",
        "mkstemp",
        "pwrite",
        "removedirs",
        "rename",
        "renames",
        "rmdir",
        "rmtree",
        "sendfile",
        "symlink",
        "symlink_to",
        "touch",
        "truncate",
        "unlink",
        "write_bytes",
        "write_text",
        "NamedTemporaryFile",
        "SpooledTemporaryFile",
        "TemporaryDirectory",
        "TemporaryFile",
    ]
)
"""Names of functions and methods that change the file system, whatever they are called on."""
OF_MODULES = {
    "os": frozenset({"fdopen", "link", "open", "remove", "replace"}),
    "shutil": frozenset({"copy", "copy2", "move"}),
}
"""Those whose names are methods of other things, too."""
READING = frozenset(
    {"O_RDONLY", "O_CLOEXEC", "O_DIRECTORY", "O_NOFOLLOW", "O_NONBLOCK", "O_NOCTTY"}
)


def is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def opens_for_reading(call: ast.Call, at: int) -> bool:
    """Whether the mode of ``open`` is plainly one for reading."""
    mode = next((one.value for one in call.keywords if one.arg == "mode"), None)
    if mode is None:
        mode = call.args[at] if len(call.args) > at else ast.Constant("r")
    return isinstance(mode, ast.Constant) and not set(str(mode.value)) & set("wax+")


def has_reading_flags(call: ast.Call) -> bool:
    """Whether the flags of ``os.open`` are plainly those for reading."""
    if len(call.args) < 2:
        return False
    names = {one.attr for one in ast.walk(call.args[1]) if isinstance(one, ast.Attribute)}
    return "O_RDONLY" in names and names <= READING


def change(node: ast.AST) -> str | None:
    """The changes of a call in the file system."""
    if not isinstance(node, ast.Call):
        return None
    if is_name(node.func, "open") and not opens_for_reading(node, 1):
        return "open"
    if not isinstance(node.func, ast.Attribute):
        name = ast.unparse(node.func)
        return name if name in CHANGES and name != "rename" else None
    name, value = node.func.attr, node.func.value
    module = ast.unparse(value)
    if module.rpartition(".")[2] == "host":
        return None  # a machine that is managed: world/linux.py changes it
    if name in OF_MODULES.get(module, ()):
        return None if name == "open" and has_reading_flags(node) else f"{module}.{name}"
    if is_name(value, "io") and name == "open" and not opens_for_reading(node, 1):
        return "io.open"
    return name if name in CHANGES else None


def prints(node: ast.AST) -> str | None:
    """Calls that write to a standard stream without checking for errors."""
    if not isinstance(node, ast.Call):
        return None
    if is_name(node.func, "print"):
        return "print"
    if ast.unparse(node.func) == "os.write" and isinstance(node.args[0], ast.Constant):
        return "os.write"
    target = node.func
    if isinstance(target, ast.Attribute) and target.attr in {"write", "writelines", "flush"}:
        text = ast.unparse(target.value)
        if text.startswith(("sys.stdout", "sys.stderr", "sys.__std")):
            return f"{text}.{target.attr}"
    return None


PROGRAMS = {
    "administration/postgresql.py": "pg_dump and pg_restore: the password by a private temporary file",
    "deployment/generated_types.py": "puppet generate types: paths only",
    "deployment/programs.py": "commands of r10k.yaml; svn: URLs and user names, passwords by standard input",
    "workbench/ci/installed_puppet.py": "puppet: the node's name and paths; facts by a private file",
    "checks/ruby.py": "ruby: the code by standard input",
    "jobs/recorded_program.py": "the command that the user gives",
    "cli/commands/agent.py": "itself again, with its own arguments",
    "demonstration/running_site.py": "itself: paths and ports",
    "deployment/git_cache.py": "git: credentials by the environment, which others cannot read",
    "deployment/store_care.py": "git fsck, with paths in the store",
    "jobs/deploy.py": "postrun of r10k.yaml, and puppet generate types",
    "engine/compile.py": "config_version: the command of environment.conf alone",
    "facts/custom.py": "Python or ruby: the request by standard input",
    "facts/external.py": "an external fact: its path alone",
    "facts/probe.py": "fixed commands",
    "engine/remote/process.py": "Python with a fixed command: tasks by a socket",
    "functions/core/files.py": "generate: the arguments that the manifest gives, as in Puppet",
    "functions/stdlib/system.py": "validate_cmd: the content by a private temporary file",
    "engine/dependencies.py": "what a compile ran, as it ran it",
    "engine/git_program.py": "git: names of revisions and files; paths of indexes and objects; content by standard input",
    "engine/git_tree.py": "git: no arguments of an input",
    "modules/classifier.py": "the classifier: the node's name",
    "world/overlay.py": "what its caller gives",
    "ruby/process/process.py": "ruby: code and values by pipes",
    "world/linux.py": "what its caller gives; content by a private temporary file",
    "world/machine.py": "what its caller gives",
    "world/dialogue.py": "what its caller gives; requests by standard input",
    "world/processes.py": "what its caller gives",
    "world/recording.py": "what its caller gives",
}
"""Modules that start programs, and the arguments of these programs."""
STARTS = frozenset({"Popen", "spawn", "check_output", "check_call"})


def started(node: ast.AST) -> str | None:
    """Calls that start a program."""
    if not isinstance(node, ast.Call):
        return None
    text = ast.unparse(node.func)
    owner, _, name = text.rpartition(".")
    last = owner.rpartition(".")[2]
    if name in STARTS or (last == "os" and name.startswith(("exec", "posix_spawn", "system"))):
        return text
    known = last in {"world", "below", "processes", "subprocess"} or owner == "Machine()"
    return text if name in {"run", "start", "complete"} and known else None


@cache
def nodes() -> list[tuple[str, ast.AST]]:
    return [
        (path.relative_to(PACKAGE).as_posix(), node)
        for path in sorted(PACKAGE.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
    ]


def found_by(look) -> Iterator[tuple[str, int, str]]:
    for path, node in nodes():
        if what := look(node):
            yield path, node.lineno, what


def test_files_are_written_whole():
    found = list(found_by(change))
    others = [place for place in found if place[0] not in ALLOWED]
    assert others == [], "use bunraku.world.whole_files.write_whole"
    assert ALLOWED.keys() == {place[0] for place in found}


UMASK = {
    "jobs/build.py": "archives for the Forge, which everybody may read",
    "jobs/new.py": "new code, which is committed",
    "cli/output/files.py": "baselines, which are committed, and reports, which the CI system publishes",
    "cli/profile/compile.py": "times and names of functions",
    "deployment/lock_file.py": "the lock file, which is committed and has no credentials",
    "workbench/ci/installed_puppet.py": "files in a private temporary directory",
    "workbench/testing/snapshots.py": "snapshots beside tests, which are committed",
}
"""Modules that leave the mode of a new file to the umask, and why they may."""


def leaves_mode_to_umask(node: ast.AST) -> str | None:
    """Calls of ``write_whole`` without a mode."""
    if not isinstance(node, ast.Call) or ast.unparse(node.func).rpartition(".")[2] != "write_whole":
        return None
    return None if any(one.arg == "mode" for one in node.keywords) else "write_whole"


def test_files_that_may_hold_secrets_have_a_mode():
    found = {place[0] for place in found_by(leaves_mode_to_umask)}
    assert found == set(UMASK), "give write_whole a mode: CATALOG_MODE or KEY_MODE"


def test_standard_streams_are_written_by_one_module():
    others = list(found_by(prints))
    assert others == [], "use write or write_error of bunraku.cli.output.output"


def test_all_places_that_start_programs_are_known():
    found = {place[0] for place in found_by(started)}
    assert found == set(PROGRAMS), "give content and secrets by a pipe or World.temporary_file"


def first(code: str) -> ast.AST:
    return ast.parse(code, mode="eval").body


@pytest.mark.parametrize(
    "code",
    [
        "open(p, 'w')",
        "open(p, mode='ab')",
        "open(p, 'r+')",
        "open(p, mode)",
        "io.open(p, 'x')",
        "os.open(p, os.O_RDONLY | os.O_CREAT)",
        "os.open(p, flags)",
        "os.replace(a, b)",
        "path.write_text('')",
        "Path(p).touch()",
        "shutil.copy(a, b)",
        "tempfile.mkstemp()",
        "TemporaryDirectory()",
        "os.makedirs(p)",
        "os.fdopen(h, 'w')",
    ],
)
def test_a_change_of_the_file_system_is_seen(code):
    assert change(first(code))


@pytest.mark.parametrize(
    "code",
    ["open(p)", "open(p, 'rb')", "os.open(p, os.O_RDONLY | os.O_CLOEXEC)", "text.replace(a, b)"],
)
def test_reading_is_no_change(code):
    assert change(first(code)) is None


@pytest.mark.parametrize(
    "code",
    ["print('x')", "os.write(1, b'')", "sys.stdout.write('x')", "sys.stderr.buffer.write(b)"],
)
def test_direct_output_is_seen(code):
    assert prints(first(code))


@pytest.mark.parametrize(
    "code",
    ["subprocess.run(c)", "self.world.run(c)", "Popen(c)", "os.execv(p, c)", "processes.start(c)"],
)
def test_a_start_of_a_program_is_seen(code):
    assert started(first(code))
