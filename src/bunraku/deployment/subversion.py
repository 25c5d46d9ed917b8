"""Subversion repositories, read by the ``svn`` program.

A password goes to the program by its standard input, never on its command line.
"""

from __future__ import annotations

import re

from bunraku.deployment import issues
from bunraku.deployment.git_cache import without_credentials
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
    command = ["svn", "--non-interactive", *arguments]
    if source.username:
        command += ["--username", source.username, "--no-auth-cache"]
    if source.password:
        command += ["--password-from-stdin"]
    # An @ at the end keeps svn from reading one in the URL as a revision.
    command += ["--", f"{source.url}@", *([into] if into else [])]
    try:
        done = run_program(command, {"LC_ALL": "C.UTF-8"}, source.password.encode() or None)
    except OSError as error:
        reason = f"the program svn cannot be started: {error.strerror}"
        raise issues.SVN_FAILED(url=shown, reason=reason) from None
    if done.returncode:
        reason = " ".join(done.stderr.decode("utf-8", "replace").split())
        raise issues.SVN_FAILED(url=shown, reason=reason[:500])
    return done.stdout
