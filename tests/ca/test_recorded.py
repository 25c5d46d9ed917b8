"""Each recorded request to the real authority gets the recorded answer from ours.

``probes-server.jsonl`` has what puppetserver 7.9.5 answered, in the order of the requests.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import parse_qsl

import pytest
from cryptography import x509

from bunraku.ca.interface import answer_ca
from bunraku.web.http import Request
from support.certificates import (
    SERVER,
    alternative_names,
    authority_in,
    puppet_extension,
    signing_request,
)

RECORDS = Path(__file__).parents[1] / "server" / "data" / "probes-server.jsonl"
PROBES = [
    probe
    for probe in map(json.loads, RECORDS.read_text(encoding="utf-8").splitlines())
    if "puppet-ca" in probe["target"]
]
EXTENSIONS = {
    "subject alternative names": [alternative_names("san.auto.example.test", "evil.example.test")],
    "unknown extension": [puppet_extension("1.2.3.4.5", "x")],
    "authorisation extension": [puppet_extension("pp_cli_auth", "true")],
    "plain8.auto.example.test": [
        puppet_extension("pp_role", "web"),
        puppet_extension("1.3.6.1.4.1.34380.1.2.1", "private"),
    ],
}
EXCEPTIONS = {
    "not a csr": "a refusal with a reason, instead of the error 500 of the real one",
    "delete status": "a type of a body that does not exist",
    "delete status of nobody": "text/plain, instead of a type without a name",
}
"""Recorded answers that ours differs from, and why; tests below show the difference."""
NAMES_OF_REQUESTS = {
    "name mismatch": "unsigned8.example.test",
}
POLICY = """#!/bin/sh
case "$1" in *.auto.example.test) exit 0 ;; esac
grep -q 'no such line'
"""


def is_forbidden(probe):
    """Whether the rules of the server answered, not the authority."""
    return probe.get("response_body", "").startswith("Forbidden request")


OURS = [one for one in PROBES if not is_forbidden(one)]


def body_of(probe):
    """The body of a request; requests for certificates are made again."""
    body = probe.get("request_body")
    if body != "<PEM CERTIFICATE REQUEST>":
        return (body or "").encode()
    path_name = probe["target"].rpartition("/")[2]
    name = NAMES_OF_REQUESTS.get(probe["note"], path_name)
    return signing_request(name, EXTENSIONS.get(probe["note"], EXTENSIONS.get(name, [])))


def request_of(probe):
    """The request of a probe."""
    path, _, query = probe["target"].partition("?")
    return Request(
        probe["method"],
        path,
        dict(parse_qsl(query)),
        {name.lower(): value for name, value in probe["request_headers"].items()},
        [body_of(probe)],
        probe["client"],
        secure=True,
    )


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """Our answers to all requests, in their order."""
    folder = tmp_path_factory.mktemp("site")
    policy = folder / "autosign"
    policy.write_text(POLICY)
    policy.chmod(0o755)
    authority = authority_in(folder, autosign=str(policy))
    found = []
    for probe in OURS:
        response = answer_ca(authority, request_of(probe), probe["client"])
        pieces = [one.encode() if isinstance(one, str) else one for one in response.body]
        found.append((response.status, response.headers, b"".join(pieces).decode()))
    return found


def test_most_recorded_requests_are_compared():
    assert len(OURS) > 50
    assert {probe["note"] for probe in OURS} >= EXCEPTIONS.keys()


@pytest.mark.parametrize(
    "number",
    [number for number, probe in enumerate(OURS) if probe["note"] not in EXCEPTIONS],
    ids=lambda number: f"{number} {OURS[number]['note']}",
)
def test_the_answer_is_the_recorded_one(answers, number):
    probe, (status, headers, body) = OURS[number], answers[number]
    assert status == probe["status"], body
    recorded = probe["response_headers"].get("Content-Type")
    if status != 304:
        assert headers.get("content-type") == recorded
    assert shape(body) == shape(probe["response_body"])


def shape(body):
    """A body without what differs from one authority to another: keys, times, fingerprints."""
    text = re.sub(
        r"-----BEGIN ([A-Z0-9 ]+)-----.*?-----END \1-----", r"<PEM \1>", body, flags=re.DOTALL
    )
    text = re.sub(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}UTC", "TIME", text)
    if text.startswith(("{", "[")):
        return statuses(text)
    return text


def statuses(text):
    """Statuses without fingerprints; a long record is cut, so it has only the first of them."""
    if "characters)" in text or '"fingerprints"' in text:
        first = re.match(r'\[?\{(.*?)"fingerprint', text)[1]
        fields = re.findall(
            r'"(name|state|dns_alt_names|subject_alt_names|authorization_extensions)":(\[.*?\]|\{.*?\}|".*?")',
            first,
        )
        return sorted(fields)
    return json.loads(text)


def status(answers, note):
    """The status, the headers and the body of an answer by the note of its probe."""
    return next(one for probe, one in zip(OURS, answers, strict=True) if probe["note"] == note)


def test_a_body_that_is_not_a_request_is_refused(answers):
    assert status(answers, "not a csr")[::2] == (
        400,
        "The body is not a certificate request: it has no certificate request in PEM form",
    )


def test_deleting_has_the_recorded_status(answers):
    assert status(answers, "delete status")[::2] == (204, "")
    assert status(answers, "delete status of nobody")[::2] == (404, "Resource not found.")


def test_certificates_have_the_recorded_fields(answers):
    index = next(
        number
        for number, probe in enumerate(OURS)
        if probe["note"] == "its certificate" and "plain8" in probe["target"]
    )
    certificate = x509.load_pem_x509_certificate(answers[index][2].encode())
    assert certificate.subject.rfc4514_string() == "CN=plain8.auto.example.test"
    assert certificate.issuer.rfc4514_string() == f"CN=Puppet CA: {SERVER}"
    assert certificate.signature_hash_algorithm.name == "sha256"
    span = certificate.not_valid_after_utc - certificate.not_valid_before_utc
    assert span.days == 5 * 365 + 1
    found = {one.oid.dotted_string: one for one in certificate.extensions}
    assert {oid: one.critical for oid, one in found.items()} == {
        "2.16.840.1.113730.1.13": False,
        "2.5.29.35": False,
        "2.5.29.19": True,
        "2.5.29.37": True,
        "2.5.29.15": True,
        "2.5.29.14": False,
        "2.5.29.17": False,
        "1.3.6.1.4.1.34380.1.1.13": False,
        "1.3.6.1.4.1.34380.1.2.1": False,
    }
    assert (
        found["2.16.840.1.113730.1.13"].value.value == b"\x16\x22Puppet Server Internal Certificate"
    )
    assert found["2.5.29.17"].value.get_values_for_type(x509.DNSName) == [
        "plain8.auto.example.test"
    ]
    assert found["1.3.6.1.4.1.34380.1.1.13"].value.value == b"\x0c\x03web"
    identifier = found["2.5.29.35"].value
    assert identifier.authority_cert_serial_number == 1
    assert identifier.authority_cert_issuer[0].value == certificate.issuer
