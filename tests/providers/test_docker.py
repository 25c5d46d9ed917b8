"""The types docker_compose and docker_stack: commands, counts of containers, files that cannot be read."""

from __future__ import annotations

import pytest

from bunraku.values.sensitive import Sensitive
from support.applying import apply, declared
from support.host import Expected, MemoryHost, directory, file

DOCKER = "/usr/bin/docker"
FILES = ("-f", "/srv/a.yml")
COMPOSED = "services:\n  web: {image: 'nginx:1'}\n  setup: {image: tool, restart: 'no'}\n"
LISTED = (
    *(DOCKER, "ps", "--format", """'{{.Label "com.docker.compose.service"}}-{{.Image}}'"""),
    *("--filter", "label=com.docker.compose.project=shop"),
)
STACK = {"ensure": "present", "compose_files": ["/srv/a.yml"]}


def host_with(*commands: Expected, text: str = "") -> MemoryHost:
    """Return a machine with Docker and a compose file."""
    files = {"/srv/a.yml": file(text), "/var/scratch": directory()}
    return MemoryHost(files, commands=list(commands), installed=["docker"])


def compose(*words: str) -> tuple[str, ...]:
    """Return a command of a project."""
    return (DOCKER, "compose", *FILES, "-p", "shop", *words)


@pytest.mark.parametrize(
    ("running", "scale", "created"),
    [
        ("'web-nginx:1'\n", None, False),
        ("", None, True),
        ("'web-nginx:2'\n", None, True),
        ("'web-nginx:1'\n" * 2, {"web": 2}, False),
        ("'web-nginx:1'\n" * 2, {"web": 3}, True),
        ("'web-nginx:1'\n", {"setup": 1}, True),
    ],
)
def test_a_project_is_present_if_its_containers_run(
    running: str, scale: dict[str, int] | None, created: bool
) -> None:
    more = [Expected(compose("up", "-d", "--remove-orphans"))]
    for name, count in (scale or {}).items():
        more.append(Expected(compose("scale", f"{name}={count}")))
    read = (Expected(compose("config"), COMPOSED), Expected(LISTED, running))
    host = host_with(*read, *(more if created else []))

    done = apply(host, declared("docker_compose", {"shop": {**STACK, "scale": scale}}))

    assert done.changes == (["Docker_compose[shop]/ensure: created"] if created else [])


def test_programs_get_the_temporary_directory_of_their_project_only() -> None:
    read = (Expected(compose("config"), COMPOSED), Expected(LISTED, "'web-nginx:1'\n"))
    other = tuple(word.replace("shop", "wiki") for word in compose("config"))
    host = host_with(*read, Expected(other, errors="no such file", code=1))

    shop, wiki = {**STACK, "tmpdir": "/var/scratch"}, {**STACK, "tmpdir": "/var/none"}
    done = apply(host, declared("docker_compose", {"shop": shop, "wiki": wiki}))

    assert [one.environment.get("TMPDIR") for one in host.ran] == ["/var/scratch"] * 2 + [None]
    assert "Warning: /var/none (defined as docker_compose tmpdir) does not exist" in done.lines
    assert any(line.endswith("docker compose config failed: no such file") for line in done.lines)


def test_a_secret_option_is_no_argument() -> None:
    host = host_with()
    wanted = {"shop": {**STACK, "options": Sensitive(["--password=s3cret-w0rd"])}}

    done = apply(host, declared("docker_compose", wanted))

    assert host.ran == []
    assert any("the secret of options among the arguments" in line for line in done.lines)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("version: '3'\nservices: [\n", "/srv/a.yml: "),
        ("version: '3'\n", "/srv/a.yml has no services"),
        ("version: '2'\nservices: {}\n", 'Unsupported docker compose file syntax version "2"!'),
        ("version: 3.1\nservices: {}\n", 'Unsupported docker compose file syntax version "3.1"!'),
        (
            "version: '3'\nservices: {a: {extends: b}, b: {extends: a}}\n",
            "the service a extends itself",
        ),
        ("version: '3'\nservices: {a: {extends: c}, b: {}}\n", "no service c in the compose files"),
        ("version: '3'\nservices: {a: {}, b: {}}\n", "the service a has no image"),
    ],
)
def test_a_compose_file_that_cannot_be_read_fails_its_stack(text: str, reason: str) -> None:
    template = '{{.Label "com.docker.swarm.service.name"}}-{{.Image}}'
    words = (DOCKER, "ps", "--format", template, "--filter", "label=com.docker.stack.namespace=a")
    host = host_with(Expected(words, "a_a-x:1\na_b-x:1\n"), text=text)

    done = apply(host, declared("docker_stack", {"a": STACK}))

    assert done.report.failures == 1
    assert any(reason in line for line in done.lines), done.lines
