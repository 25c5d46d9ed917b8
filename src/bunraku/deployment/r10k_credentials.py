"""Options of the command line that go before the settings of r10k.yaml."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bunraku.base.lazy_typing import Any
from bunraku.deployment.r10k_issues import R10K_CREDENTIALS

DEPLOY = {
    "puppet-path": "puppet_path",
    "puppet-conf": "puppet_conf",
    "generate-types": "generate_types",
}
EITHER = "Cannot specify both {first} and {second} to use with this deploy."
BOTH = "Must specify both id and SSL private key to use Github App for this deploy."


def settings_of_options(
    options: Mapping[str, str | bool], data: Mapping[Any, Any]
) -> dict[str, Any]:
    """Return options in the form of r10k.yaml; ``data`` is that file. Raise R10K_CREDENTIALS.

    >>> settings_of_options({"cachedir": "/c", "exclude-spec": "false"}, {})
    {'cachedir': '/c', 'deploy': {'exclude_spec': False}}
    """
    found: dict[str, Any] = {}
    if "cachedir" in options:
        found["cachedir"] = options["cachedir"]
    deploy = {setting: options[name] for name, setting in DEPLOY.items() if name in options}
    if "exclude-spec" in options:
        deploy["exclude_spec"] = options["exclude-spec"] in {True, "true"}
    if deploy:
        found["deploy"] = deploy
    if "verbose" in options:
        level = "info" if options["verbose"] is True else options["verbose"]
        found["logging"] = {"level": level, "disable_default_stderr": False}
    git = credentials(options)
    if git:
        found["git"] = {**git, **repositories_with(git, data)}
    return found


def credentials(options: Mapping[str, str | bool]) -> dict[str, Any]:
    """Return the credentials for git remotes: a key, a token, or a GitHub App."""
    key, token = options.get("private-key"), options.get("oauth-token")
    app, app_key = options.get("github-app-id"), options.get("github-app-key")
    words = {"an SSH key": key, "a token": token, "a GitHub App id or key": app or app_key}
    present: Sequence[str] = [word for word, value in words.items() if value]
    if len(present) > 1:
        raise R10K_CREDENTIALS(reason=EITHER.format(first=present[0], second=present[1]))
    if bool(app) != bool(app_key):
        raise R10K_CREDENTIALS(reason=BOTH)
    if key:
        return {"private_key": key}
    if token:
        return {"oauth_token": token}
    ttl = options.get("github-app-ttl", "120")
    return {"github_app_id": app, "github_app_key": app_key, "github_app_ttl": ttl} if app else {}


def repositories_with(git: Mapping[str, Any], data: Mapping[Any, Any]) -> dict[str, Any]:
    """Return the settings of single remotes with other credentials."""
    group = data.get("git")
    listed = group.get("repositories") if isinstance(group, Mapping) else None
    if not isinstance(listed, list):
        return {}
    return {"repositories": [{**one, **git} if isinstance(one, Mapping) else one for one in listed]}
