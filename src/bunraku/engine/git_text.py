"""The text of files as git writes it: line ends, encodings, ``$Id$`` and filter programs.

The text of a revision is what a checkout of it holds: the attributes in the revision and in
``$GIT_DIR/info/attributes``, and git's configuration, say how stored contents are converted. Files that
git may convert are read from a checkout: ``git cat-file --batch --filters`` prints the lengths that
contents have before their conversion.

The text of a file in the working tree is what a checkout would hold after the file was committed.
A file that git regards as unchanged has the same text on both sides, even if git would now write it
with other line ends. See gitattributes(5).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from hashlib import sha256

from bunraku.base.bounded_cache import BoundedCache
from bunraku.base.errors import PuppetError
from bunraku.base.paths import inner_path
from bunraku.base.records import record
from bunraku.engine.git_program import git, git_output
from bunraku.world.disk import Disk
from bunraku.world.scratch import scratch_directory

ATTRIBUTES = ".gitattributes"
LINE_ENDS = ("text", "crlf", "eol")
OTHERS = ("filter", "ident", "working-tree-encoding")
"""Attributes of other conversions."""
OFF = frozenset({None, "unset", "unspecified"})
FALSE = frozenset({"false", "no", "off", "0", ""})

ALTERNATES = "GIT_ALTERNATE_OBJECT_DIRECTORIES"

Environment = Mapping[str, str]


@record(frozen=True)
class Rules:
    """The paths of files that git may convert, in one state of a repository.

    Texts of ``line_ends`` are stored with line feeds. A checkout writes those of ``returns`` with
    carriage returns, and those of ``others`` in another way. ``version`` differs for other attributes
    and other settings. git may leave a file as it is: it looks at the content, too.
    """

    line_ends: frozenset[str]
    returns: frozenset[str]
    others: frozenset[str]
    version: str


def rules_of(
    repository: str, paths: Iterable[str], *options: str, environment: Environment | None = None
) -> Rules:
    """Return which of the paths git may convert; raise GIT_FAILED.

    ``options`` and ``environment`` say where ``git check-attr`` finds the attributes.
    """
    names = sorted(paths)
    listed = git_output(
        repository,
        *("check-attr", "-z", "--stdin", "--all", *options),
        environment=environment,
        content=b"".join([os.fsencode(name) + b"\0" for name in names]),
    )
    fields = os.fsdecode(listed).split("\0")
    attributes: dict[str, dict[str, str]] = {}
    for path, name, value in zip(fields[::3], fields[1::3], fields[2::3], strict=False):
        attributes.setdefault(path, {})[name] = value
    stored, written = line_end_settings(repository)
    if stored:
        attributes = {name: attributes.get(name, {}) for name in names}
    texts = {
        path: one
        for path, one in attributes.items()
        if one.get("text") != "unset" and (stored or is_used(one, LINE_ENDS))
    }
    return Rules(
        frozenset(texts),
        frozenset(path for path, one in texts.items() if written or one.get("eol") == "crlf"),
        frozenset(path for path, one in attributes.items() if is_used(one, OTHERS)),
        sha256(listed + b"%d%d" % (stored, written)).hexdigest(),
    )


def line_end_settings(repository: str) -> tuple[bool, bool]:
    """Return whether git stores all texts with line feeds, and writes texts with carriage returns."""
    found = {}
    for setting in git(repository, "config", "-z", "--list").split("\0"):
        name, has_value, value = setting.partition("\n")
        found[name] = value.lower() if has_value else "true"
    automatic = found.get("core.autocrlf", "false")
    written = automatic not in FALSE and automatic != "input"
    return automatic not in FALSE, written or found.get("core.eol") == "crlf"


def is_used(attributes: Mapping[str, str], names: Sequence[str]) -> bool:
    """Return whether one of the attributes has a value.

    >>> is_used({"text": "auto"}, LINE_ENDS), is_used({"ident": "unset"}, OTHERS)
    (True, False)
    """
    return any(attributes.get(name) not in OFF for name in names)


def rules_of_revision(
    repository: str, paths: Iterable[str], attributes: Mapping[str, str]
) -> Rules:
    """Return which files of a revision git may convert; raise GIT_FAILED.

    ``attributes`` are the objects of the revision's ``.gitattributes`` by path. They are the only files
    in an index that git reads them from.
    """
    with scratch_directory() as scratch:
        environment = {**os.environ, "GIT_INDEX_FILE": os.path.join(scratch, "index")}
        if attributes:
            lines = [f"100644 {name}\t{path}\0" for path, name in sorted(attributes.items())]
            git_output(
                repository,
                *("update-index", "-z", "--index-info"),
                environment=environment,
                content=os.fsencode("".join(lines)),
            )
        return rules_of(repository, paths, "--cached", environment=environment)


# -- the working tree ------------------------------------------------------------------------------


class WorkingTree(Disk):
    """This machine, with the texts that the files of a working tree would have in a checkout."""

    def __init__(self, top: str, rules: Rules) -> None:
        super().__init__()
        self.top = top
        self.rules = rules
        self.texts: dict[tuple[str, bytes], bytes] = {}

    def __reduce__(self) -> tuple[type[Disk], tuple[()]] | tuple[object, tuple[str, Rules]]:
        """Pickle the name of the working tree: one object serves all tasks of a process."""
        return working_tree_of, (self.top, self.rules)

    def read(self, path: str) -> bytes:
        """See :class:`World`."""
        content = super().read(path)
        name = self.converted_name(path, content)
        if name is None:
            return content
        found = self.texts.get((name, content))
        if found is None:
            found = self.texts[name, content] = self.committed_text(name, content)
        return found

    def beginning(self, path: str, size: int) -> bytes:
        """See :class:`World`."""
        content = super().beginning(path, size)
        return content if self.converted_name(path, content) is None else self.read(path)[:size]

    def converted_name(self, path: str, content: bytes) -> str | None:
        """Return the path in the working tree of a file that git may convert; None for others."""
        rules = self.rules
        returns = content.count(b"\r")
        if not returns and not rules.returns and not rules.others:
            return None
        name = inner_path(os.path.realpath(path), self.top)
        if name in rules.others:
            return name
        if name in rules.returns:
            is_complete = returns == content.count(b"\r\n") == content.count(b"\n")
            return None if is_complete else name
        return name if returns and name in rules.line_ends else None

    def committed_text(self, path: str, content: bytes) -> bytes:
        """Return the text that a checkout would hold after the content of a file was committed.

        It is the content itself if git cannot store it, or if git would also store something else for the
        text of the file that it has, whose line ends were never converted.
        """
        with scratch_directory() as scratch:
            environment = {**self.environment, "GIT_OBJECT_DIRECTORY": scratch}
            try:
                name = stored_object(self.top, path, content, environment)
                found = git(self.top, "ls-files", "-s", "-z", "--", f":(top,literal){path}")
                before = found.split(maxsplit=2)[1] if found else name
                if before != name:
                    text = written_text(self.top, path, before, environment)
                    if stored_object(self.top, path, text, environment) != before:
                        return content
                return written_text(self.top, path, name, environment)
            except PuppetError:
                return content

    @cached_property
    def environment(self) -> Environment:
        """The environment in which git reads the objects of the repository, but writes none there."""
        objects = git(self.top, "rev-parse", "--path-format=absolute", "--git-path", "objects")
        others = os.environ.get(ALTERNATES)
        found = f"{quoted(objects)}:{others}" if others else quoted(objects)
        return {**os.environ, ALTERNATES: found}


TREES: BoundedCache[tuple[str, Rules], WorkingTree] = BoundedCache("git working trees", 4)
"""The working trees that another process sent to this one."""


def working_tree_of(top: str, rules: Rules) -> WorkingTree:
    """Return the world of a working tree, the same one for the same arguments."""
    return TREES.get((top, rules)) or TREES.keep((top, rules), WorkingTree(top, rules))


def working_tree(top: str) -> WorkingTree | None:
    """Return the world of a working tree; None if git converts none of its files. Raise GIT_FAILED."""
    names = git(top, "ls-files", "--cached", "--others", "--exclude-standard", "-z").split("\0")
    rules = rules_of(top, filter(None, names))
    return WorkingTree(top, rules) if rules.line_ends or rules.others else None


def written_text(top: str, path: str, name: str, environment: Environment) -> bytes:
    """Return the content of an object as a checkout writes it to a path."""
    command = "cat-file", "--filters", f"--path={path}", name
    return git_output(top, *command, environment=environment)


def stored_object(top: str, path: str, content: bytes, environment: Environment) -> str:
    """Store the content of a file as git does when the file is added; return the name of the object."""
    command = "hash-object", "-w", "--stdin", f"--path={path}"
    return os.fsdecode(git_output(top, *command, environment=environment, content=content)).strip()


def quoted(path: str) -> str:
    """Return a path for a list in which colons separate paths, as git reads it."""
    escaped = path.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
