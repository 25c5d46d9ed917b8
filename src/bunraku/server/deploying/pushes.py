"""Webhooks of git servers: who has sent one, and which branch of which repository was pushed.

The forms are those of the documents of GitHub, GitLab, Gitea (with Forgejo and Gogs), Bitbucket Cloud and
Bitbucket Data Center.
"""

from __future__ import annotations

import hmac
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any
from urllib.parse import parse_qs

from bunraku.base.records import record
from bunraku.server.failures import RefusedPlainly

SIGNATURES = (
    "x-hub-signature-256",
    "x-gitea-signature",
    "x-forgejo-signature",
    "x-gogs-signature",
    "x-hub-signature",
)
"""Headers with the HMAC of the body in hexadecimal digits, some after ``sha256=``."""
GITLAB = "x-gitlab-token"
BRANCH = "refs/heads/"
FORM = "application/x-www-form-urlencoded"
SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
SCP = re.compile(r"(?:[^@/:]+@)?([^/:]+):(?!//)(.+)", re.DOTALL)


@record(frozen=True)
class Push:
    """A branch that was pushed or deleted; ``remotes`` are the addresses of the repository."""

    remotes: tuple[str, ...]
    branch: str


# -- who has sent it -------------------------------------------------------------------------------


def check_sender(headers: Mapping[str, str]) -> None:
    """Raise RefusedPlainly, before the body is read, for a request without a signature."""
    if not any(name in headers for name in (*SIGNATURES, GITLAB)):
        raise RefusedPlainly(401, "The request has no signature that this server knows")


def check_signature(headers: Mapping[str, str], body: bytes, secrets: Iterable[str]) -> None:
    """Raise RefusedPlainly unless all signatures of a request are made with one of the secrets."""
    if not any(is_signed(headers, body, secret.encode()) for secret in list(secrets)):
        raise RefusedPlainly(403, "The signature of the request is wrong")


def is_signed(headers: Mapping[str, str], body: bytes, secret: bytes) -> bool:
    """Return whether each signature of a request was made with a secret."""
    expected = hmac.new(secret, body, sha256).hexdigest().encode()
    results = []
    for name in SIGNATURES:
        if name in headers:
            found = headers[name].removeprefix("sha256=").encode("utf-8", "surrogateescape")
            results.append(hmac.compare_digest(found, expected))
    if GITLAB in headers:
        results.append(same(headers[GITLAB], secret))
    return bool(results) and all(results)


def same(text: str, secret: bytes) -> bool:
    """Return whether a text is a secret, in a time that does not depend on either."""
    found = text.encode("utf-8", "surrogateescape")
    return hmac.compare_digest(sha256(found).digest(), sha256(secret).digest())


def check_token(headers: Mapping[str, str], tokens: Sequence[str]) -> None:
    """Raise RefusedPlainly unless a request has a token, as a bearer or as those of Code Manager have it."""
    kind, _, token = headers.get("authorization", "").partition(" ")
    found = token.strip() if kind.lower() == "bearer" else headers.get("x-authentication", "")
    if not found:
        raise RefusedPlainly(401, "The request has no token")
    results = [same(found, one.encode()) for one in tokens]  # all, so the time says nothing
    if not any(results):
        raise RefusedPlainly(403, "The token of the request is wrong")


# -- what it says ----------------------------------------------------------------------------------


def pushes_of(headers: Mapping[str, str], body: bytes) -> list[Push]:
    """Return the branches that a webhook is about; RefusedPlainly for a body that cannot be read.

    Other events, such as those of tags, have none.
    """
    data = payload(headers, body)
    remotes = tuple(dict.fromkeys(remotes_of(data)))
    branches = dict.fromkeys(branches_of(data)) if remotes else {}
    return [Push(remotes, branch) for branch in branches]


def payload(headers: Mapping[str, str], body: bytes) -> Mapping[str, Any]:
    """Return the document of a webhook, which may be in a form."""
    try:
        if headers.get("content-type", "").split(";")[0].strip() == FORM:
            body = parse_qs(body.decode(), strict_parsing=True)["payload"][0].encode()
        data = json.loads(body)
    except (ValueError, KeyError, RecursionError):
        raise RefusedPlainly(400, "The body of the request is not a JSON document") from None
    if not isinstance(data, dict):
        raise RefusedPlainly(400, "The body of the request is not a JSON object")
    return data


def remotes_of(data: Mapping[str, Any]) -> Iterator[str]:
    """Yield the addresses of the repository of a webhook."""
    for part in (data.get("repository"), data.get("project")):
        if isinstance(part, dict):
            for name in ADDRESSES:
                if isinstance(part.get(name), str) and part[name]:
                    yield part[name]
            yield from linked_addresses(part.get("links"))


ADDRESSES = (
    *("clone_url", "ssh_url", "git_url", "html_url"),
    *("git_http_url", "git_ssh_url", "web_url", "url", "http_url"),
)
"""Keys of a repository with an address of it."""


def linked_addresses(links: Any) -> Iterator[str]:
    """Yield the addresses in the links of Bitbucket."""
    if isinstance(links, dict):
        for name in ("html", "clone"):
            found = links.get(name)
            for one in found if isinstance(found, list) else [found]:
                if isinstance(one, dict) and isinstance(one.get("href"), str):
                    yield one["href"]


def branches_of(data: Mapping[str, Any]) -> Iterator[str]:
    """Yield the branches of a webhook."""
    ref = data.get("ref")
    if isinstance(ref, str) and ref.startswith(BRANCH):
        yield ref.removeprefix(BRANCH)
    elif isinstance(ref, str) and data.get("ref_type") == "branch":  # Gitea and GitHub, ``delete``
        yield ref
    push = data.get("push")
    changes = push.get("changes") if isinstance(push, dict) else data.get("changes")
    for change in changes if isinstance(changes, list) else []:
        if isinstance(change, dict):
            yield from changed_branches(change)


def changed_branches(change: Mapping[str, Any]) -> Iterator[str]:
    """Yield the branches of a change in a webhook of Bitbucket: Data Center, Cloud."""
    ref = change.get("ref")
    if isinstance(ref, dict) and str(ref.get("id")).startswith(BRANCH):
        yield str(ref["id"]).removeprefix(BRANCH)
    for state in (change.get("new"), change.get("old")):
        if isinstance(state, dict) and state.get("type") == "branch":
            yield str(state.get("name"))


# -- addresses -------------------------------------------------------------------------------------


def address_key(remote: str) -> str:
    """Return what the addresses of one repository have in common: host and path.

    >>> address_key("git@github.com:acme/control.git") == address_key(
    ...     "https://me:secret@GitHub.com/acme/control/"
    ... )
    True
    >>> address_key("ssh://git@git.example.com:7999/acme/control.git")
    'git.example.com/acme/control'
    >>> address_key("/srv/git/control.git"), address_key("file:///srv/git/control.git")
    ('/srv/git/control', '/srv/git/control')
    """
    scheme = SCHEME.match(remote)
    found = SCP.fullmatch(remote)
    if scheme is not None:
        host, _, path = remote[scheme.end() :].partition("/")
        host = host.rpartition("@")[2].partition(":")[0]
    elif found is not None:
        host, path = found[1], found[2]
    else:
        host, path = "", remote
    path = re.sub(r"/+", "/", path).strip("/").removesuffix(".git")
    path = path.removeprefix("scm/")  # Bitbucket Data Center, over HTTPS
    return f"{host.lower()}/{path}"
