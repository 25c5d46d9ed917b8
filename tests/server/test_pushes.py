"""Webhooks of git servers: signatures that are right, wrong and missing, and what the bodies say.

The samples have the form that the documents of GitHub, GitLab, Gitea and Bitbucket describe.
"""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import urlencode

import pytest

from bunraku.base.errors import PuppetError
from bunraku.server.deploying.configuration import read_deploy_configuration
from bunraku.server.deploying.pushes import (
    SIGNATURES,
    address_key,
    check_sender,
    check_signature,
    check_token,
    payload,
    pushes_of,
)
from bunraku.server.failures import RefusedPlainly
from support.webhooks import SECRET, signed

SAMPLES = json.loads((Path(__file__).parent / "data/webhooks.json").read_text())


def sample(name: str) -> tuple[dict[str, str], bytes]:
    """Headers and body of a sample, signed."""
    found = SAMPLES[name]
    body = json.dumps(found["body"]).encode()
    headers = {key.lower(): value for key, value in found["headers"].items()}
    return {**headers, **signed(body, found["signature"])}, body


def status_of(check, *arguments):
    with pytest.raises(RefusedPlainly) as caught:
        check(*arguments)
    return caught.value.status


@pytest.mark.parametrize("name", SAMPLES)
def test_the_branches_of_the_samples(name):
    headers, body = sample(name)
    check_sender(headers)
    check_signature(headers, body, ["another-secret-here", SECRET])
    pushes = pushes_of(headers, body)
    assert [one.branch for one in pushes] == SAMPLES[name]["branches"]
    for one in pushes:
        keys = {address_key(remote) for remote in one.remotes}
        assert any(key.endswith("/acme/control") for key in keys)


@pytest.mark.parametrize("name", SAMPLES)
def test_another_body_or_another_secret_is_refused(name):
    headers, body = sample(name)
    assert status_of(check_signature, headers, body, ["another-secret-here"]) == 403
    assert status_of(check_signature, headers, body, []) == 403
    if "x-gitlab-token" not in headers:  # GitLab signs no bodies
        assert status_of(check_signature, headers, body + b" ", [SECRET]) == 403


@pytest.mark.parametrize("header", [*SIGNATURES, "x-gitlab-token"])
@pytest.mark.parametrize("value", ["", "sha256=", "x", "sha1=0", "é", "sha256=" + "0" * 64])
def test_wrong_signatures(header, value):
    assert status_of(check_signature, {header: value}, b"{}", [SECRET]) == 403


def test_a_body_with_the_signature_of_another_one_is_refused():
    headers, body = sample("github-push")
    other_headers, _other = sample("github-delete")
    mixed = {**headers, "x-hub-signature-256": other_headers["x-hub-signature-256"]}
    assert status_of(check_signature, mixed, body, [SECRET]) == 403


def test_all_signatures_must_be_right():
    headers, body = sample("gitea-push")
    both = {**headers, **signed(body, "x-hub-signature-256")}
    check_signature(both, body, [SECRET])
    both["x-hub-signature-256"] = "sha256=" + "0" * 64
    assert status_of(check_signature, both, body, [SECRET]) == 403


def test_a_request_without_signature_is_refused_before_its_body_is_read():
    assert status_of(check_sender, {"content-type": "application/json"}) == 401


def test_a_form_has_the_document_in_a_field():
    headers, body = sample("github-push")
    form = {**headers, "content-type": "application/x-www-form-urlencoded"}
    assert [one.branch for one in pushes_of(form, urlencode({"payload": body}).encode())] == [
        "production"
    ]


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"1", b"{", b"\xff", b"[" * 100_000, b'{"repository": []', b"null"]
)
def test_bodies_that_are_no_objects(body):
    assert status_of(payload, {}, body) == 400


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"ref": 1, "repository": {"clone_url": "x"}},
        {"ref": "refs/heads/a", "repository": "x"},
        {"ref": "refs/heads/a", "repository": {"clone_url": 1, "links": {"clone": [1, {}]}}},
        {"push": {"changes": 1}, "repository": {"clone_url": "x"}},
        {"push": [], "changes": [1, {"ref": 1, "new": 1}], "repository": {"clone_url": "x"}},
    ],
)
def test_documents_of_other_forms_have_no_pushes(data):
    assert pushes_of({}, json.dumps(data).encode()) == []


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 401),
        ({"authorization": "Basic abc"}, 401),
        ({"authorization": "Bearer "}, 401),
        ({"authorization": "Bearer wrong"}, 403),
        ({"x-authentication": "wrong"}, 403),
    ],
)
def test_wrong_tokens(headers, status):
    assert status_of(check_token, headers, [SECRET]) == status


@pytest.mark.parametrize(
    "headers",
    [
        {"authorization": f"Bearer {SECRET}"},
        {"authorization": f"bearer {SECRET}"},
        {"x-authentication": SECRET},
    ],
)
def test_right_tokens(headers):
    check_token(headers, ["another-token-of-tests", SECRET])
    assert status_of(check_token, headers, []) == 403


# -- the configuration -----------------------------------------------------------------------------


@pytest.fixture
def configured(tmp_path):
    def write(text, mode=0o600):
        path = tmp_path / "deploy.yaml"
        path.write_text(text)
        path.chmod(mode)
        return str(path)

    return write


def test_the_configuration(configured):
    text = f"r10k: /etc/r10k.yaml\nsecrets: [{SECRET}]\nflush: ['https://puppet:8140']\ncert: /c\n"
    found = read_deploy_configuration(configured(text))
    assert (found.r10k, found.secrets, found.tokens) == ("/etc/r10k.yaml", (SECRET,), ())
    assert (found.flush, found.tls.certificate) == (("https://puppet:8140",), "/c")
    assert SECRET not in repr(found)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"secrets: [{SECRET}]", "r10k: expected a String, got nothing"),
        ("r10k: x", "neither secrets nor tokens"),
        ("r10k: x\nsecrets: [short]", "secrets: each needs 16 ASCII characters or more"),
        (f"r10k: x\ntokens: {SECRET}", "tokens: expected an Array"),
        (f"r10k: x\ntoken: [{SECRET}]", "token"),
        ("[", "not valid YAML"),
        ("", "expected a Hash"),
    ],
)
def test_wrong_configurations(configured, text, reason):
    with pytest.raises(PuppetError) as caught:
        read_deploy_configuration(configured(text))
    assert reason in str(caught.value)
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o644])
def test_other_users_must_not_read_the_secrets(configured, mode):
    path = configured(f"r10k: x\nsecrets: [{SECRET}]", mode)
    with pytest.raises(PuppetError, match="other users can read it"):
        read_deploy_configuration(path)
