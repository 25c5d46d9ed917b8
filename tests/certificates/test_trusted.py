"""``$trusted`` of certificates, as Puppet reads them."""

from __future__ import annotations

import json
import subprocess
from shutil import which

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID

from bunraku.base.errors import PuppetError
from bunraku.certificates.names import SHORT_NAMES, load_mapping, read_mapping
from bunraku.certificates.trusted import trusted_data
from bunraku.certificates.values import encoded
from support.certificates import Authority

PRIVATE = "1.3.6.1.4.1.34380.1.2.1.1"


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    return Authority(tmp_path_factory.mktemp("authority"))


def test_the_data_have_the_extensions_by_short_name(authority):
    authority.sign("web01.example.com", {"pp_role": "web", "pp_cli_auth": "true", PRIVATE: "Grüße"})
    assert trusted_data(authority.der("web01.example.com")) == {
        "authenticated": "remote",
        "certname": "web01.example.com",
        "domain": "example.com",
        "extensions": {"pp_role": "web", "pp_cli_auth": "true", PRIVATE: "Grüße"},
        "external": {},
        "hostname": "web01",
    }


def test_a_site_names_its_own_extensions(authority):
    authority.sign("own", {PRIVATE: "x", "pp_zone": "z"})
    mapping = {PRIVATE: "rack", "1.3.6.1.4.1.34380.1.1.20": "not_this"}
    found = trusted_data(authority.der("own"), mapping)
    assert found["extensions"] == {"rack": "x", "pp_zone": "z"}
    assert (found["hostname"], found["domain"]) == ("own", None)


def test_extensions_of_others_are_left_out(authority):
    authority.sign("foreign", {"1.2.3.4.5": "x", "1.3.6.1.4.1.34380.1.11": "x"})
    assert trusted_data(authority.der("foreign"))["extensions"] == {}


def with_raw(authority, contents):
    """Return a certificate whose registered extensions have contents in DER."""
    builder = authority.builder(
        x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "raw")]), authority.key
    )
    for number, content in enumerate(contents, 1):
        oid = x509.ObjectIdentifier(f"1.3.6.1.4.1.34380.1.1.{number}")
        builder = builder.add_extension(x509.UnrecognizedExtension(oid, content), critical=False)
    return builder.sign(authority.key, hashes.SHA256())


RAW = [
    encoded("UTF-8 Grüße"),
    b"\x13\x03abc",  # PrintableString
    b"\x16\x03abc",  # IA5String
    b"\x04\x03abc",  # octets
    b"plain text of an old agent",
    b"\x01\x01\xff",  # true
    b"\x01\x01\x00",  # false
    b"\x02\x02\x01\x00",  # 256
    b"\x02\x01\xfe",  # -2
    b"\x05\x00",  # null
    encoded("long " * 100),
    b"\x0c\x00",
    b"\x0c\x09cut",
    b"\x0c\x03abcd",
]


def test_values_of_every_kind(authority):
    certificate = with_raw(authority, RAW)
    der = certificate.public_bytes(Encoding.DER)
    found = trusted_data(der)["extensions"]
    assert list(found.values()) == [
        "UTF-8 Grüße",
        "abc",
        "abc",
        "abc",
        "plain text of an old agent",
        True,
        False,
        256,
        -2,
        None,
        "long " * 100,
        "",
        "\x0c\tcut",
        "\x0c\x03abcd",
    ]


RUBY = r"""
require 'puppet'; require 'json'
certificate = OpenSSL::X509::Certificate.new($stdin.read)
Puppet::SSL::Oids.register_puppet_oids
Puppet::SSL::Oids.load_custom_oid_file(ARGV[0]) if ARGV[0]
wrapped = Puppet::SSL::Certificate.from_instance(certificate)
found = Puppet::Context::TrustedInformation.remote(true, Puppet::SSL::Certificate.name_from_subject(certificate.subject), wrapped).to_h
values = found['extensions'].transform_values do |value|
  value = value.to_i if value.is_a?(OpenSSL::BN)
  value.is_a?(String) ? value.dup.force_encoding('UTF-8').scrub("\uFFFD") : value
end
print JSON.generate(found.merge('extensions' => values, 'external' => {}))
"""


def of_ruby(pem, *arguments):
    """What the installed Puppet makes of a certificate."""
    if which("puppet") is None:
        pytest.skip("Puppet is not installed")
    done = subprocess.run(
        ["ruby", "-e", RUBY, *arguments], input=pem, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)


def test_puppet_reads_the_same(authority, tmp_path):
    mapping = tmp_path / "custom_trusted_oid_mapping.yaml"
    mapping.write_text(f"oid_mapping: {{'{PRIVATE}': {{shortname: rack, longname: Rack}}}}\n")
    known = {oid: f"value of {name}" for oid, name in SHORT_NAMES.items() if "auto" not in name}
    known.pop("1.3.6.1.4.1.34380.1.3.39")  # Puppet 7.23 has no names for these two
    authority.sign("all.example.com", {**known, PRIVATE: "7", "1.3.6.1.4.1.34380.1.2.9": "x"})
    theirs = of_ruby((authority.folder / "all.example.com.pem").read_bytes(), str(mapping))
    assert theirs == trusted_data(authority.der("all.example.com"), load_mapping(str(mapping)))


def test_puppet_reads_the_same_values(authority):
    certificate = with_raw(authority, RAW)
    theirs = of_ruby(certificate.public_bytes(Encoding.PEM))
    assert theirs == trusted_data(certificate.public_bytes(Encoding.DER))


@pytest.mark.parametrize("der", [b"", b"nonsense", b"\x30\x80"])
def test_other_bytes_are_an_error(der):
    with pytest.raises(PuppetError, match="Cannot use the certificate"):
        trusted_data(der)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: 1", "no hash 'oid_mapping'"),
        ("- 1", "no hash 'oid_mapping'"),
        ("oid_mapping: [1]", "no hash 'oid_mapping'"),
        ("oid_mapping: {pp_role: {shortname: a, longname: b}}", "not an object identifier"),
        ("oid_mapping: {1.2.3: x}", "the entry of '1.2.3' is not a hash"),
        ("oid_mapping: {1.2.3: {shortname: x}}", "no longname"),
        ("oid_mapping: {1.2.3: {longname: x}}", "no shortname"),
        ("oid_mapping: {", "Invalid mapping"),
    ],
)
def test_a_mapping_that_is_wrong_is_an_error(text, message):
    with pytest.raises(PuppetError, match=message) as caught:
        read_mapping(text, "mapping.yaml")
    assert caught.value.place.file == "mapping.yaml"


def test_a_site_needs_no_mapping(tmp_path):
    assert load_mapping(str(tmp_path / "absent.yaml")) == {}
    with pytest.raises(PuppetError, match="Cannot read the mapping"):
        load_mapping(str(tmp_path))
