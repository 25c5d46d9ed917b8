"""The rules of access see the path that the file server opens, however a client writes it."""

from __future__ import annotations

import pytest

from bunraku.server.authorization.reading import read_access
from bunraku.server.flushes import Flushes
from bunraku.server.interface import answer
from bunraku.server.service import Service
from support.server_files import asked, files_of
from support.server_service import site_settings

RULES = """
authorization: {
  version: 1
  rules: [
    { name: "no secrets", sort-order: 1, deny: "*",
      match-request: { path: "^/puppet/v3/file_[a-z]+/modules/a/private", type: regex } }
    { name: "files", sort-order: 2, allow-unauthenticated: true,
      match-request: { path: "/puppet/v3/file_", type: path } }
  ]
}
"""


@pytest.fixture
def service(tmp_path):
    module = tmp_path / "code/environments/production/modules/a/files"
    for name in ("private", "public"):
        (module / name).mkdir(parents=True)
        (module / name / "x").write_text(f"{name} content")
    settings = site_settings(tmp_path)
    files = files_of(tmp_path / "code/environments")
    rules = read_access(RULES, "auth.conf").rules
    return Service(settings, rules, None, Flushes(), files=files)


def status_of(service, path):
    target = f"/puppet/v3/{path}?environment=production"
    response = answer(service, asked(target, accept="*/*", client=None))
    assert b"private content" not in b"".join(
        one if isinstance(one, bytes) else one.encode() for one in response.body
    )
    return response.status


def test_other_files_are_served(service):
    assert status_of(service, "file_content/modules/a/public/x") == 200


@pytest.mark.parametrize(
    "path",
    [
        "file_content/modules/a/private/x",
        "file_content//modules//a//private//x",
        "file_content/modules/a//private/x",
        "/file_content/modules/a/private/x",
        "file_content/modules/a/%70rivate/x",
        "file_content/modules/a/priv%61te/x",
    ],
)
def test_a_forbidden_file_has_one_name(service, path):
    assert status_of(service, path) == 403


@pytest.mark.parametrize(
    "path",
    [
        "file_content/modules/a%2fprivate/x",
        "file_content/modules/a/public/../private/x",
        "file_content/modules/a/./private/x",
        "file_content/modules/a/public/%2e%2e/private/x",
        "file_content/modules/a/%zzprivate/x",
        "file_content/modules/a/private/x%00",
    ],
)
def test_other_ways_to_write_it_are_bad_requests(service, path):
    assert status_of(service, path) == 400
