"""Autosigning: requests that are signed without an administrator.

Source: Puppet 8 manual, "SSL configuration: autosigning certificate requests".
"""

from __future__ import annotations

import os
from collections.abc import Callable

from bunraku.ca.directory import optional_content
from bunraku.world.processes import run


def is_autosigned(
    setting: bool | str, name: str, request: bytes, log: Callable[[str], None]
) -> bool:
    """Return whether a request is signed at once.

    ``setting`` is true, false, or a path: an executable file is a policy that is called with the
    name and reads the request; another file lists names. Without the file nothing is signed.
    """
    if isinstance(setting, bool):
        return setting
    if not os.path.isfile(setting):
        return False
    if os.access(setting, os.X_OK):
        return policy_agrees(setting, name, request, log)
    text = (optional_content(setting) or b"").decode("utf-8", "replace")
    return is_listed(text, name, setting, log)


def policy_agrees(executable: str, name: str, request: bytes, log: Callable[[str], None]) -> bool:
    """Return whether a policy executable exits with 0."""
    try:
        done = run([executable, name], directory="/", content=request)
    except OSError as error:
        log(f"cannot start the autosign command '{executable}': {error.strerror or error}")
        return False
    if done.stderr.strip():
        text = done.stderr.decode("utf-8", "replace").strip()
        log(f"autosign command '{executable} {name}' generated output to stderr: {text}")
    if done.returncode != 0:
        log(
            f"autosign command '{executable}' rejected certificate '{name}' because the exit code "
            f"was {done.returncode}, not zero"
        )
    return done.returncode == 0


def is_listed(text: str, name: str, path: str, log: Callable[[str], None]) -> bool:
    """Return whether a list of names has a name.

    >>> is_listed("# web\\n*.example.com\\n", "web.example.com", "autosign.conf", print)
    True
    """
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return any(matches(line, name, path, log) for line in lines)


def matches(line: str, name: str, path: str, log: Callable[[str], None]) -> bool:
    """Return whether a line of the list is for a name: the name, a glob ``*.domain``, or ``*``."""
    if "#" in line or " " in line:
        log(f"invalid pattern '{line}' in {path}")
        return False
    if line == "*":
        return True
    return glob_matches(line, name) if line.startswith("*") else line == name


def glob_matches(glob: str, name: str) -> bool:
    """Return whether a name is in the domain of a glob; letter case does not count.

    >>> glob_matches("*.Foo.bar", "agent.foo.bar"), glob_matches("*.baz", "baz")
    (True, True)
    >>> glob_matches("*.foo.bar", "agent.xfoo.bar"), glob_matches("*", "agent")
    (False, True)
    """
    domain = glob.lower().split(".")[1:]
    return not domain or name.lower().split(".")[-len(domain) :] == domain
