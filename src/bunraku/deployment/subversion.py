"""Subversion repositories, read by the ``svn`` program.

A password goes to the program by its standard input, never on its command line.
"""

from __future__ import annotations

import re
from subprocess import TimeoutExpired
from urllib.parse import unquote, urlsplit

from bunraku.deployment import issues
from bunraku.deployment.credentials import without_credentials, without_password
from bunraku.deployment.git_cache import SECONDS, host_of
from bunraku.deployment.programs import run_program
from bunraku.project.declared_modules import SubversionModule

SCHEMES = re.compile(r"(?:https?|svn|svn\+ssh|file)://")
REVISION = re.compile(r"[0-9]+|HEAD|\{[0-9:TZ+ -]+\}")


def newest(source: SubversionModule) -> str:
    """Return the last revision in which something below the URL changed. Raise SVN_FAILED."""
    shown = svn(source, "info", "--show-item", "last-changed-revision", "--no-newline")
    return shown.decode("ascii", "replace").strip()


def export(source: SubversionModule, revision: str, directory: str) -> None:
    """Write the files of a revision to an empty directory. Raise SVN_FAILED."""
    if not REVISION.fullmatch(revision):
        raise issues.SVN_FAILED(url=without_credentials(source.url), reason="bad revision")
    svn(source, "export", "--quiet", "--force", "--revision", revision, into=directory)


def svn(source: SubversionModule, *arguments: str, into: str = "") -> bytes:
    """Return the output of a command of the ``svn`` program for a URL. Raise SVN_FAILED."""
    shown = without_credentials(source.url)
    if not SCHEMES.match(source.url):
        raise issues.SVN_FAILED(url=shown, reason="the URL has no scheme that svn may use")
    if host_of(source.url).startswith("-"):
        raise issues.SVN_FAILED(
            url=shown, reason="its host begins with a hyphen, as an option does"
        )
    username, password = credentials_of(source)
    command = ["svn", "--non-interactive", "--no-auth-cache", *arguments]
    if username:
        command += ["--username", username]
    if password:
        command += ["--password-from-stdin"]
    # An @ at the end keeps svn from reading one in the URL as a revision.
    command += ["--", f"{shown}@", *([into] if into else [])]
    try:
        done = run_program(command, {"LC_ALL": "C.UTF-8"}, password.encode() or None, SECONDS)
    except OSError as error:
        reason = f"the program svn cannot be started: {error.strerror}"
        raise issues.SVN_FAILED(url=shown, reason=reason) from None
    except TimeoutExpired:
        reason = f"no answer within {SECONDS:g} seconds"
        raise issues.SVN_FAILED(url=shown, reason=reason) from None
    if done.returncode:
        reason = without_password(" ".join(done.stderr.decode("utf-8", "replace").split()))
        raise issues.SVN_FAILED(url=shown, reason=reason[:500])
    return done.stdout


def credentials_of(source: SubversionModule) -> tuple[str, str]:
    """Return user name and password: those of the declaration, else those in the URL.

    >>> credentials_of(SubversionModule("https://me:se%40cret@svn.example.com/a", "", "", ""))
    ('me', 'se@cret')
    """
    if source.username or source.password or source.url.startswith("svn+ssh:"):
        return source.username, source.password
    parts = urlsplit(source.url)
    return unquote(parts.username or ""), unquote(parts.password or "")
