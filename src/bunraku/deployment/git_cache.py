"""Git remotes: a bare copy of each in the cache, asked at most once in a run.

The git program does the work, so ssh agents, credential helpers and proxies of git's configuration
count. Hooks never run. Only ``file``, ``git``, ``http``, ``https`` and ``ssh`` are allowed as transports:
``ext::`` would run a program. User names and passwords in a URL are passed in git's environment, which
other users cannot read, and never on its command line. They are no part of a message or a name.
"""

from __future__ import annotations

import json
import os
import re
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from hashlib import sha256
from subprocess import CompletedProcess, TimeoutExpired
from threading import Lock

from bunraku.base import system
from bunraku.base.errors import Diagnostic, PuppetError
from bunraku.base.file_reading import read_whole
from bunraku.base.records import field, record
from bunraku.base.suggestions import suggestion
from bunraku.deployment import issues
from bunraku.deployment.credentials import SCHEME, without_credentials, without_password
from bunraku.deployment.store import usable
from bunraku.engine.git_program import OFF
from bunraku.world import linked_files, processes
from bunraku.world.file_locks import await_lock
from bunraku.world.whole_files import make_folders

TRANSPORTS = "file:git:http:https:ssh"
HELPER = re.compile(r"[A-Za-z0-9+.-]+::")
COMMIT = re.compile(r"[0-9a-f]{7,64}")
FULL_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
BAD_REF = re.compile(r"[\x00-\x20\x7f]|^-|^$")
UNFIT_FOR_NAMES = re.compile(r"[^@\w.-]+")
SUBMODULE = re.compile(r'(?m)^\[submodule "|^\s*(path|url)\s*=\s*(.*?)\s*$')
LONGEST_NAME = 100
ADVICE = ("Could not read from remote", "Please make sure you have", "and the repository exists")
"""Sentences of git after each failure of a remote."""
SECONDS = 300.0
"""How long a command of git may take that asks a remote."""
GITLINK = "160000"
SSH = "ssh -o BatchMode=yes"
"""A program for ssh that asks no question."""
REFS = "bunraku-refs.json"
"""The file with the refs of a remote in its copy; it is written when the copy is complete."""


@record(frozen=True)
class RemoteAccess:
    """How a remote is reached: an ssh key, a token for HTTP, a proxy; empty for git's own settings.

    ``app`` returns a token of a GitHub App, which is used if there is no other.
    """

    private_key: str = ""
    username: str = ""
    token: str = field(default="", shown=False)
    proxy: str = field(default="", shown=False)
    app: Callable[[], str] | None = None

    def login(self) -> str:
        """Return the user and the token for HTTP, or empty text. Raise PuppetError."""
        if self.token:
            return f"{self.username or 'x-oauth-token'}:{self.token}"
        return f"x-access-token:{self.app()}" if self.app is not None else ""


@record(frozen=True)
class RemoteRefs:
    """Branches and tags of a remote with their commits, and the commit of its HEAD."""

    branches: Mapping[str, str]
    tags: Mapping[str, str]
    head: str = ""

    def commit(self, ref: str) -> str | None:
        """Return the commit of a name as git reads it: a tag goes before a branch."""
        if ref == "HEAD":
            return self.head or None
        for kind, names in (("tags", self.tags), ("heads", self.branches)):
            for prefix in ("", f"{kind}/", f"refs/{kind}/"):
                if ref.startswith(prefix) and ref[len(prefix) :] in names:
                    return names[ref[len(prefix) :]]
        return None

    def is_tag(self, ref: str) -> bool:
        """Return whether a name is a tag, and no branch, of the remote."""
        return ref in self.tags and ref not in self.branches


def check_remote(remote: str) -> None:
    """Raise BAD_REMOTE for a remote that git would not only fetch from."""
    reason = ""
    if not remote:
        reason = "it is empty"
    elif remote.startswith("-"):
        reason = "it begins with a hyphen, as an option does"
    elif any(ord(letter) < 32 or ord(letter) == 127 for letter in remote):
        reason = "it has control characters"
    elif HELPER.match(remote):
        reason = f"'{remote.partition('::')[0]}::' starts a program"
    else:
        scheme = SCHEME.match(remote)
        if scheme and scheme[1].lower() not in TRANSPORTS.split(":"):
            reason = f"the transport '{scheme[1]}' is not allowed"
        elif host_of(remote).startswith("-"):
            reason = "its host begins with a hyphen, as an option does"
    if reason:
        raise issues.BAD_REMOTE(remote=without_credentials(remote), reason=reason)


def host_of(remote: str) -> str:
    """Return the host in a URL or in ``USER@HOST:PATH``; empty for a path."""
    found = SCHEME.match(remote)
    if found is None:
        before, colon, _path = remote.partition(":")
        return before.rpartition("@")[2] if colon and "/" not in before else ""
    return remote[found.end() :].partition("/")[0].rpartition("@")[2]


def uses_ssh(remote: str) -> bool:
    """Return whether git reaches a remote by ssh.

    >>> (
    ...     uses_ssh("ssh://web/a.git"),
    ...     uses_ssh("git@web:a.git"),
    ...     uses_ssh("https://web/a.git"),
    ...     uses_ssh("/a"),
    ... )
    (True, True, False, False)
    """
    scheme = SCHEME.match(remote)
    return scheme[1].lower() == "ssh" if scheme else bool(host_of(remote))


def origin_of(address: str) -> str:
    """Return the scheme, the host and the port of a URL.

    >>> origin_of("https://git.example.com:8443/x/a.git")
    'https://git.example.com:8443'
    """
    return "/".join(address.split("/", 3)[:3])


def located(remote: str) -> str:
    """Return a remote as git finds it from every directory: the path of a repository is made absolute.

    >>> located("https://git.example.com/a.git"), located("git@git.example.com:a.git")
    ('https://git.example.com/a.git', 'git@git.example.com:a.git')
    >>> located("./a.git") == os.path.abspath("a.git")
    True
    """
    if SCHEME.match(remote) or host_of(remote):
        return remote
    return os.path.abspath(os.path.expanduser(remote))


def is_local(remote: str) -> bool:
    """Return whether a remote is a repository of this machine.

    >>> is_local("/srv/a.git"), is_local("file:///srv/a.git"), is_local("git@example.com:a.git")
    (True, True, False)
    """
    return remote.startswith("file:") or not host_of(remote)


def cache_name(remote: str) -> str:
    """Return the name of the directory for a remote: readable, and different for each remote.

    >>> cache_name("https://git.example.com/a.git")
    'https-git.example.com-a.git-3e7362e3'
    """
    plain = located(without_credentials(remote))
    readable = UNFIT_FOR_NAMES.sub("-", plain).strip("-.")[-LONGEST_NAME:]
    return f"{readable}-{sha256(plain.encode('utf-8', 'surrogateescape')).hexdigest()[:8]}"


class GitCache:
    """Bare copies of git remotes in a directory; each remote is asked at most once.

    ``access`` returns how a remote is reached. ``offline`` forbids to ask any.
    """

    def __init__(
        self,
        root: str,
        *,
        access: Mapping[str, RemoteAccess] | None = None,
        default: RemoteAccess | None = None,
        offline: bool = False,
        seconds: float = SECONDS,
    ) -> None:
        self.root = root
        self.access = dict(access or {})
        self.default = default or RemoteAccess()
        self.offline = offline
        self.seconds = seconds
        self.known: dict[str, RemoteRefs] = {}
        self.asked: set[str] = set()
        self.moved_tags: list[tuple[str, str]] = []
        """Remotes and tags whose commit is another one than when they were fetched before."""
        self.failures: dict[str, Diagnostic] = {}
        """Remotes that did not answer, which are not asked again: each may take minutes."""
        self.locks: dict[str, Lock] = {}
        self.guard = Lock()

    def refuse_default(self, remote: str) -> None:
        """Send the default token to a remote no more: only a submodule of another host names it."""
        self.access.setdefault(remote, RemoteAccess())

    # -- refs --------------------------------------------------------------------------------------

    def branches(self, remote: str) -> Mapping[str, str]:
        """Return the branches of a remote with their commits, after asking it. Raise REMOTE_FAILED."""
        return self.refs(remote).branches

    def known_branches(self, remote: str) -> Mapping[str, str]:
        """Return the branches of a remote when it was last asked; it is asked if it never was."""
        cached = self.cached_refs(remote)
        return self.branches(remote) if cached is None else cached.branches

    def refs(self, remote: str) -> RemoteRefs:
        """Return branches and tags of a remote, which is asked if it was not yet in this run."""
        with self.lock(remote):
            if remote not in self.asked:
                self.ask(remote)
            return self.known[remote]

    def cached_refs(self, remote: str) -> RemoteRefs | None:
        """Return branches and tags as they were when the remote was last asked; None if never."""
        found = self.known.get(remote)
        if found is None:
            found = read_refs(f"{self.directory(remote)}/{REFS}")
            if found is not None:
                self.known[remote] = found
        return found

    def resolve(self, remote: str, ref: str) -> str | None:
        """Return the commit of a branch, a tag or an abbreviated commit; None if there is none.

        A tag or a commit that is in the cache is not asked for again, as in r10k; a branch is.
        """
        if BAD_REF.search(ref):
            raise issues.BAD_REF(ref=ref)
        with self.lock(remote):
            if remote not in self.asked:
                cached = self.cached_refs(remote)
                if cached is not None and (self.offline or not moves(cached, ref)):
                    commit = cached.commit(ref) or self.stored_commit(remote, ref)
                    if commit is not None:
                        return commit
                self.ask(remote)
            refs = self.known[remote]
            return refs.commit(ref) or self.stored_commit(remote, ref)

    def is_known(self, remote: str, ref: str) -> bool:
        """Return whether a ref of a remote is known without asking it, and its commit is in the copy."""
        if remote in self.asked:
            return True
        cached = self.cached_refs(remote)
        return cached is not None and not moves(cached, ref)

    def stored_commit(self, remote: str, ref: str) -> str | None:
        """Return the full name of a commit that the copy of a remote has."""
        plain = FULL_COMMIT.fullmatch(ref)
        if plain and os.path.exists(f"{self.directory(remote)}/bunraku-commits/{ref}"):
            return ref
        if COMMIT.fullmatch(ref) is None and not set(ref) & set("~^@"):
            return None
        name = f"{ref}^{{commit}}"
        done = self.run(remote, "rev-parse", "--verify", "--quiet", "--end-of-options", name)
        commit = done.stdout.decode("ascii", "replace").strip()
        return commit if done.returncode == 0 and FULL_COMMIT.fullmatch(commit) else None

    def near(self, remote: str, ref: str) -> str:
        """Return the question with the most similar branch or tag, or empty text."""
        refs = self.known.get(remote)
        return suggestion(ref, [*refs.branches, *refs.tags]) if refs is not None else ""

    # -- asking a remote ---------------------------------------------------------------------------

    def ask(self, remote: str) -> None:
        """Learn the refs of a remote, and fetch what is new. Raise REMOTE_FAILED."""
        if remote in self.failures:
            raise PuppetError(self.failures[remote])
        try:
            with usable(self.root):
                self.ask_now(remote)
        except PuppetError as error:
            self.failures[remote] = error.diagnostic
            raise

    def ask_now(self, remote: str) -> None:
        """Learn the refs of a remote, and fetch what is new. Raise OSError and REMOTE_FAILED."""
        check_remote(remote)
        if self.offline:
            if self.cached_refs(remote) is None:
                raise issues.OFFLINE(what=f"The git remote {without_credentials(remote)}")
            self.asked.add(remote)
            return
        refs = self.list_remote(remote)
        cached = self.cached_refs(remote)
        if cached != refs:
            with self.held(remote):
                self.fetch(remote)
                self.note_moved_tags(remote, cached, refs)
                text = json.dumps([refs.branches, refs.tags, refs.head]).encode()
                linked_files.replace_file(f"{self.directory(remote)}/{REFS}", text, 0o600)
        self.known[remote] = refs
        self.asked.add(remote)

    def note_moved_tags(self, remote: str, old: RemoteRefs | None, new: RemoteRefs) -> None:
        """Note the tags that name another commit than before."""
        for tag, commit in () if old is None else old.tags.items():
            if new.tags.get(tag, commit) != commit:
                self.moved_tags.append((remote, tag))

    def list_remote(self, remote: str) -> RemoteRefs:
        """Return the refs of a remote as it lists them."""
        address, variables = self.address(remote)
        command = ["git", *OFF, "ls-remote", "--end-of-options", address]
        patterns = ["HEAD", "refs/heads/*", "refs/tags/*"]
        done = self.remote_command(remote, [*command, *patterns], variables)
        branches: dict[str, str] = {}
        tags: dict[str, str] = {}
        head = ""
        for line in done.decode("utf-8", "surrogateescape").splitlines():
            commit, _tab, name = line.partition("\t")
            if name == "HEAD":
                head = commit
            elif name.startswith("refs/heads/"):
                branches[name[11:]] = commit
            elif name.startswith("refs/tags/"):
                tags[name[10:].removesuffix("^{}")] = (
                    commit  # the peeled line follows the tag's own
                )
        return RemoteRefs(branches, tags, head)

    def fetch(self, remote: str) -> None:
        """Bring all branches and tags of a remote into its copy."""
        directory = self.directory(remote)
        make_folders(directory, 0o700)
        remove_leftovers(directory)
        if not os.path.exists(f"{directory}/{REFS}"):  # a killed process may have begun
            self.local_command(remote, "init", "--quiet", "--bare", "--template=", ".")
        address, variables = self.address(remote)
        command = ["git", *OFF, "-C", directory, "-c", "gc.auto=0", "-c", "maintenance.auto=false"]
        wanted = ["+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"]
        options = ["--quiet", "--prune", "--force", "--no-tags", "--no-write-fetch-head"]
        options += ["--no-recurse-submodules", "--end-of-options"]
        self.remote_command(remote, [*command, "fetch", *options, address, *wanted], variables)

    def address(self, remote: str) -> tuple[str, dict[str, str]]:
        """Return what git is called with for a remote, and its environment, which has the secrets."""
        access = self.access.get(remote, self.default)
        plain = located(without_credentials(remote))
        settings: list[tuple[str, str]] = []
        variables = quiet_environment()
        authorization = ""
        if SCHEME.match(remote) and plain != remote:
            from urllib.parse import unquote, urlsplit  # few remotes have credentials

            parts = urlsplit(remote)
            user = unquote(parts.username or "")
            if parts.password is None:  # git asks a credential helper
                settings.append((f"credential.{origin_of(plain)}.username", user))
            else:
                pair = f"{user}:{unquote(parts.password)}"
                authorization = f"Basic {b64encode(pair.encode()).decode()}"
        elif remote.startswith(("http://", "https://")) and (pair := access.login()):
            authorization = f"Basic {b64encode(pair.encode()).decode()}"
        if authorization:
            name = f"http.{origin_of(plain)}/.extraHeader"
            settings.append((name, f"Authorization: {authorization}"))
        if access.proxy:
            settings.append(("http.proxy", access.proxy))
        if access.private_key:
            quoted = "'" + access.private_key.replace("'", "'\\''") + "'"
            variables["GIT_SSH_COMMAND"] = f"{SSH} -o IdentitiesOnly=yes -i {quoted}"
        elif uses_ssh(plain) and not self.has_own_ssh:
            variables["GIT_SSH_COMMAND"] = SSH
        if access.username and SCHEME.match(plain) and "@" not in plain.split("/")[2]:
            if plain.startswith("ssh://"):
                plain = f"ssh://{access.username}@{plain[6:]}"
        if settings:
            first = int(variables.get("GIT_CONFIG_COUNT", "0"))
            for number, (name, value) in enumerate(settings, first):
                variables[f"GIT_CONFIG_KEY_{number}"] = name
                variables[f"GIT_CONFIG_VALUE_{number}"] = value
            variables["GIT_CONFIG_COUNT"] = str(first + len(settings))
        return plain, variables

    @cached_property
    def has_own_ssh(self) -> bool:
        """Whether the environment or the configuration of git names a program for ssh."""
        if "GIT_SSH_COMMAND" in os.environ or "GIT_SSH" in os.environ:
            return True
        command = ["git", "config", "--get", "core.sshCommand"]
        with suppress(OSError):
            return bool(processes.run(command, environment=quiet_environment()).stdout.strip())
        return False

    def remote_command(
        self, remote: str, command: Sequence[str], variables: Mapping[str, str]
    ) -> bytes:
        """Return the output of a command that asks a remote. Raise REMOTE_FAILED."""
        shown = without_credentials(remote)
        try:
            done = processes.run(list(command), environment=variables, seconds=self.seconds)
        except OSError as error:
            raise issues.REMOTE_FAILED(remote=shown, reason=error.strerror) from None
        except TimeoutExpired:
            raise issues.REMOTE_TIMEOUT(remote=shown, seconds=f"{self.seconds:g}") from None
        if done.returncode:
            raise issues.REMOTE_FAILED(remote=shown, reason=git_reason(done.stderr))
        return done.stdout

    # -- the copy ----------------------------------------------------------------------------------

    def directory(self, remote: str) -> str:
        """Return the directory of the copy of a remote."""
        return f"{self.root}/{cache_name(remote)}"

    def lock(self, remote: str) -> Lock:
        """Return the lock of a remote for the threads of this process."""
        with self.guard:
            return self.locks.setdefault(remote, Lock())

    @contextmanager
    def held(self, remote: str) -> Iterator[None]:
        """Hold the copy of a remote against other processes."""
        make_folders(self.root, 0o700)
        flags = os.O_WRONLY | os.O_CREAT | system.PLAIN
        handle = os.open(f"{self.directory(remote)}.lock", flags, 0o600)
        try:
            await_lock(handle)
            yield
        finally:
            os.close(handle)

    def run(
        self, remote: str, *arguments: str, variables: Mapping[str, str] | None = None
    ) -> CompletedProcess[bytes]:
        """Run a command of git in the copy of a remote."""
        command = ["git", *OFF, "-C", self.directory(remote), *arguments]
        environment = {**quiet_environment(), **(variables or {})}
        try:
            return processes.run(command, environment=environment, seconds=self.seconds)
        except OSError as error:
            shown = without_credentials(remote)
            raise issues.REMOTE_FAILED(remote=shown, reason=error.strerror) from None
        except TimeoutExpired:
            shown = without_credentials(remote)
            raise issues.REMOTE_TIMEOUT(remote=shown, seconds=f"{self.seconds:g}") from None

    def local_command(
        self, remote: str, *arguments: str, variables: Mapping[str, str] | None = None
    ) -> bytes:
        """Return the output of a command of git in the copy of a remote. Raise REMOTE_FAILED."""
        done = self.run(remote, *arguments, variables=variables)
        if done.returncode:
            shown = without_credentials(remote)
            raise issues.REMOTE_FAILED(remote=shown, reason=git_reason(done.stderr))
        return done.stdout

    def check_out(self, remote: str, commit: str, directory: str) -> dict[str, tuple[str, str]]:
        """Write the files of a commit to a directory; return the path, URL and commit of submodules.

        ``.gitattributes`` count, as for any checkout. Hooks do not run. The directories of submodules
        stay empty. Raise REMOTE_FAILED.
        """
        index = f"{directory}.index"
        variables = {"GIT_INDEX_FILE": index}
        try:
            self.local_command(
                remote,
                *("-c", "core.bare=false", f"--work-tree={directory}"),
                *("read-tree", "--reset", "-u", "--no-recurse-submodules", "--no-sparse-checkout"),
                commit,
                variables=variables,
            )
            with usable(self.root):
                self.note_commit(remote, commit)
            try:
                text = read_whole(f"{directory}/.gitmodules").decode("utf-8", "replace")
            except OSError:
                return {}
            listed = self.local_command(remote, "ls-files", "--stage", "-z", variables=variables)
            return submodules(text, listed.decode("utf-8", "surrogateescape"))
        finally:
            for name in (index, f"{index}.lock"):
                if os.path.exists(name):
                    os.unlink(name)

    def note_commit(self, remote: str, commit: str) -> None:
        """Note that the copy has a commit: git need not be asked for it."""
        directory = f"{self.directory(remote)}/bunraku-commits"
        make_folders(directory, 0o700)
        linked_files.replace_file(f"{directory}/{commit}", b"", 0o600)


def moves(refs: RemoteRefs, ref: str) -> bool:
    """Return whether a name can stand for another commit tomorrow: a branch, HEAD, an unknown name."""
    return not (refs.is_tag(ref) or (COMMIT.fullmatch(ref) and ref not in refs.branches))


def read_refs(path: str) -> RemoteRefs | None:
    """Return the refs in a file of the cache; None without one."""
    try:
        branches, tags, head = json.loads(read_whole(path))
    except (OSError, ValueError):
        return None
    return RemoteRefs(branches, tags, head)


def remove_leftovers(directory: str) -> None:
    """Remove the locks and the parts of packs that a killed git left in a copy. Raise OSError."""
    for above, directories, names in os.walk(directory):
        inside = above[len(directory) + 1 :]
        if inside == "objects":
            directories[:] = [name for name in directories if name == "pack"]
        for name in names:
            is_part = inside.startswith("objects") and name.startswith("tmp_")
            if (
                is_part
                or name.endswith(".lock")
                or (not inside and name.endswith(linked_files.NEW))
            ):
                os.unlink(f"{above}/{name}")


def quiet_environment() -> dict[str, str]:
    """Return the environment for git: no questions, no other transports, messages in English."""
    variables = dict(os.environ)
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY"):
        variables.pop(name, None)
    variables.update(
        GIT_ALLOW_PROTOCOL=TRANSPORTS, GIT_TERMINAL_PROMPT="0", LC_ALL="C", GIT_ASKPASS="true"
    )
    variables["GIT_LFS_SKIP_SMUDGE"] = "1"  # its server is another remote, with its own credentials
    return variables


def git_reason(errors: bytes) -> str:
    """Return the error of git in one line."""
    lines = errors.decode("utf-8", "replace").split("\n")
    spoken = [line.removeprefix("fatal: ").removeprefix("error: ").strip() for line in lines]
    spoken = [line for line in spoken if not line.startswith(ADVICE)]
    reason = "; ".join(dict.fromkeys(filter(None, spoken)))
    return without_password(reason)[:500] or "git failed without a message"


def submodules(text: str, listed: str) -> dict[str, tuple[str, str]]:
    """Return the URL and the commit of each submodule by its path.

    >>> submodules(
    ...     '[submodule "a"]\\n  path = lib/a\\n  url = ../a.git\\n', "160000 c0ffee 0\\tlib/a\\0"
    ... )
    {'lib/a': ('../a.git', 'c0ffee')}
    """
    urls: dict[str, str] = {}
    path = url = ""
    for found in SUBMODULE.finditer(text + '\n[submodule "'):
        if found[1] == "path":
            path = found[2]
        elif found[1] == "url":
            url = found[2]
        else:
            urls[path] = url
            path = url = ""
    commits = {}
    for line in listed.split("\0"):
        head, _tab, name = line.partition("\t")
        if head.startswith(GITLINK):
            commits[name] = head.split()[1]
    return {name: (urls.get(name, ""), commit) for name, commit in commits.items()}
