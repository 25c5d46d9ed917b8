"""Requests to the authority that no agent makes: odd paths, large and damaged bodies."""

from __future__ import annotations

import base64
import json
from datetime import timedelta

import pytest

from bunraku.ca.interface import answer_ca
from bunraku.ca.inventory import read_time
from bunraku.web.http import BodyTooLarge, Request
from support.certificates import SERVER, alternative_names, authority_in, enrol, signing_request

NODE = "node.example.test"


@pytest.fixture
def authority(tmp_path):
    return authority_in(tmp_path)


def ask(authority, method, path, body=b"", headers=None, **parameters):
    """The status and the text of an answer."""
    text = json.dumps(body).encode() if isinstance(body, dict) else body
    request = Request(method, f"/puppet-ca/v1/{path}", parameters, headers or {}, [text])
    response = answer_ca(authority, request, SERVER)
    pieces = [one.encode() if isinstance(one, str) else one for one in response.body]
    return response.status, b"".join(pieces).decode()


PATHS = [
    "certificate/../ca_key",
    "certificate/..%2Fca_key",
    "certificate/%2E%2E%2Fca_key",
    "certificate/..%5Cca_key",
    "certificate/%00",
    "certificate/a%00b",
    "certificate/%FF%FE",
    "certificate/" + "x" * 5000,
    "certificate/%2Fetc%2Fpasswd",
    "certificate_request/..%2F..%2Fssl",
    "certificate_status/..%2Fca_crt",
    "certificate/",
    "certificate",
    "certificate/ca/more",
    "certificate_status/a/b",
    "nothing",
    "",
    "sign/all/more",
]


@pytest.mark.parametrize("path", PATHS)
def test_odd_paths_are_not_found(authority, path):
    status, text = ask(authority, "GET", path)
    assert status == 404
    assert "PRIVATE" not in text
    assert "BEGIN" not in text
    assert len(text) < 300


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("method", ["PUT", "DELETE", "POST", "PATCH"])
def test_odd_paths_change_nothing(authority, tmp_path, method, path):
    before = contents(tmp_path)
    status, _ = ask(authority, method, path, signing_request(NODE))
    assert 400 <= status < 500
    assert contents(tmp_path) == before


def contents(folder):
    """All files but the lock."""
    return {
        str(path): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != ".bunraku.lock"
    }


def nested(depth):
    """DER that nests sequences."""
    content = b""
    for _ in range(depth):
        size = len(content)
        length = bytes([size]) if size < 128 else b"\x84" + size.to_bytes(4, "big")
        content = b"\x30" + length + content
    return content


def pem_of(der):
    text = base64.encodebytes(der)
    return b"-----BEGIN CERTIFICATE REQUEST-----\n" + text + b"-----END CERTIFICATE REQUEST-----\n"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"nonsense",
        b"-----BEGIN CERTIFICATE REQUEST-----\n-----END CERTIFICATE REQUEST-----\n",
        b"-----BEGIN CERTIFICATE REQUEST-----\n" * 2000,
        pem_of(b""),
        pem_of(b"\x30\x80"),
        pem_of(nested(10_000)),
        pem_of(b"\x30\x84\xff\xff\xff\xff"),
        signing_request(NODE)[:-100],
        signing_request(NODE).replace(b"M", b"N", 2),
        b"\xff" * 1000,
    ],
    ids=range(11),
)
def test_bodies_that_are_not_requests_are_refused(authority, body):
    status, text = ask(authority, "PUT", f"certificate_request/{NODE}", body)
    assert status == 400
    assert len(text) < 400
    assert authority.pending() == []


def test_a_request_of_a_megabyte_is_too_large(authority):
    with pytest.raises(BodyTooLarge):  # the web server answers 413
        ask(authority, "PUT", f"certificate_request/{NODE}", b"x" * 1_000_000)


def test_each_prefix_of_a_request_is_refused_or_kept(authority):
    whole = signing_request(NODE)
    for size in range(0, len(whole) - 30, 7):
        assert ask(authority, "PUT", f"certificate_request/{NODE}", whole[:size])[0] == 400


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "Request body is not JSON."),
        (b"[1]", "Request body is not JSON."),
        (b"[" * 100_000, "Request body is not JSON."),
        ({"desired_state": 1}, "State 1 invalid"),
        ({"desired_state": ["signed"]}, "invalid"),
        ({"desired_state": "signed", "cert_ttl": "1d"}, "must be an integer"),
        ({"desired_state": "signed", "cert_ttl": -1}, "must be an integer"),
        ({"desired_state": "signed", "cert_ttl": True}, "must be an integer"),
        ({"desired_state": "signed", "cert_ttl": 10**30}, "must be an integer"),
    ],
)
def test_states_that_are_wrong_are_refused(authority, body, message):
    status, text = ask(authority, "PUT", f"certificate_status/{SERVER}", body)
    assert (status, message in text) == (400, True)


def test_a_time_of_validity_may_be_given(authority):
    authority.submit(NODE, signing_request(NODE))
    body = {"desired_state": "signed", "cert_ttl": 3600}
    assert ask(authority, "PUT", f"certificate_status/{NODE}", body) == (204, "")
    status = authority.status(NODE)
    begin, end = (read_time(status[key]) for key in ("not_before", "not_after"))
    assert end - begin == timedelta(days=1, hours=1)


def test_wrong_methods_of_statuses(authority):
    assert ask(authority, "POST", f"certificate_status/{SERVER}") == (405, "Method not allowed.")
    assert ask(authority, "PUT", "certificate_statuses/any") == (405, "Method not allowed.")
    assert ask(authority, "GET", "certificate_statuses/") == (400, "Missing URL Segment")


def test_many_requests_are_signed_at_once(authority):
    for name in ("a", "b", "c"):
        authority.submit(name, signing_request(name))
    authority.submit("bad", signing_request("bad", [alternative_names("evil")]))
    status, text = ask(authority, "POST", "sign", {"certnames": ["a", "none", "bad"]})
    assert (status, json.loads(text)) == (
        200,
        {"signed": ["a"], "no-csr": ["none"], "signing-errors": ["bad"]},
    )
    status, text = ask(authority, "POST", "sign/all", {})
    assert (status, json.loads(text)) == (
        200,
        {"signed": ["b", "c"], "no-csr": [], "signing-errors": ["bad"]},
    )
    assert ask(authority, "POST", "sign", {"certnames": "a"})[0] == 422


def test_cleaning_needs_a_list_of_names(authority, tmp_path):
    enrol(authority, tmp_path, NODE)
    for body in ({"certnames": "x"}, {"certnames": [1]}, {"certnames": {"a": 1}}):
        assert ask(authority, "PUT", "clean", body)[0] == 400
    assert ask(authority, "PUT", "clean", {"certnames": [NODE], "async": True})[0] == 400
    assert ask(authority, "PUT", "clean", {"certnames": [NODE, NODE]}) == (
        200,
        "Successfully cleaned all certs.",
    )
    assert authority.status(NODE) is None
    assert [one.serial_number for one in authority.own_list()] == [3]


def test_a_pending_request_can_be_deleted(authority):
    authority.submit(NODE, signing_request(NODE))
    assert ask(authority, "DELETE", f"certificate_request/{NODE}") == (204, "")
    assert ask(authority, "DELETE", f"certificate_request/{NODE}")[0] == 404
