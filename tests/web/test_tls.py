"""A server's TLS follows its files: a certificate that is revoked opens no new connection."""

from __future__ import annotations

import asyncio
import datetime as dt
import socket
import ssl
import threading
from contextlib import closing, contextmanager

import pytest

from bunraku.ca.authority import Authority
from bunraku.web.tls import FollowingContext, Tls, TlsError
from support.certificates import SERVER, authority_in, enrol
from support.certificates import Authority as Stranger

NODE, OTHER = "node.example.test", "other.example.test"


@contextmanager
def serving(context):
    """A real server whose answer to each connection is the name in the client's certificate."""
    ready, found = threading.Event(), {}

    async def answer(reader, writer):
        await reader.readline()
        peer = writer.get_extra_info("peercert")
        writer.write(b"name" if peer else b"none")
        await writer.drain()
        writer.close()

    async def serve():
        server = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=context)
        found["port"] = server.sockets[0].getsockname()[1]
        found["loop"], found["end"] = asyncio.get_running_loop(), asyncio.Event()
        ready.set()
        async with server:
            await found["end"].wait()

    thread = threading.Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    ready.wait()
    try:
        yield found["port"]
    finally:
        found["loop"].call_soon_threadsafe(found["end"].set)
        thread.join()


@pytest.fixture
def site(tmp_path):
    authority = authority_in(tmp_path)
    for name in (NODE, OTHER):
        enrol(authority, tmp_path, name)
    return authority, tmp_path


def tls_of(authority, folder):
    """The files of the server, with the revocation list of the authority itself."""
    return Tls(
        str(folder / "ssl" / "certs" / f"{SERVER}.pem"),
        str(folder / "ssl" / "private_keys" / f"{SERVER}.pem"),
        authority.settings.cacert,
        authority.settings.cacrl,
        "want",
    )


def client(folder, name, version=None):
    """The context of a client with a certificate."""
    context = ssl.create_default_context(cafile=str(folder / "ca" / "ca_crt.pem"))
    context.check_hostname = False
    if name is not None:
        context.load_cert_chain(folder / f"{name}.pem", folder / f"{name}.key")
    if version is not None:
        context.maximum_version = context.minimum_version = version
    return context


def ask(port, context, hostname=SERVER, session=None):
    """What the server answers to a new connection, and the session to resume it."""
    with (
        closing(socket.create_connection(("127.0.0.1", port), 20)) as plain,
        context.wrap_socket(plain, server_hostname=hostname, session=session) as secured,
    ):
        secured.sendall(b"hello\n")
        answer = secured.recv(10)
        if not answer:  # TLS 1.3: the client finishes before the server refuses it
            raise ConnectionResetError
        return answer, secured.session, secured.session_reused


@pytest.mark.parametrize("hostname", [SERVER, None])
@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
def test_a_revoked_certificate_opens_no_new_connection(site, version, hostname):
    authority, folder = site
    node, other = client(folder, NODE, version), client(folder, OTHER, version)
    with serving(FollowingContext.of(tls_of(authority, folder), pytest.fail)) as port:
        assert ask(port, node, hostname)[0] == b"name"
        session = ask(port, node, hostname)[1]
        authority.revoke([NODE])
        with pytest.raises((ssl.SSLError, ConnectionError)):
            ask(port, node, hostname)
        with pytest.raises((ssl.SSLError, ConnectionError)):
            ask(port, node, hostname, session)
        assert ask(port, other, hostname)[0] == b"name"
        assert ask(port, client(folder, None, version), hostname)[0] == b"none"


VERSIONS = [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3]


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(
    ("case", "alert"),
    [
        ("revoked", "CERTIFICATE_REVOKED"),
        ("foreign", "UNKNOWN_CA"),
        ("expired", "CERTIFICATE_EXPIRED"),
        ("early", "BAD_CERTIFICATE"),
    ],
)
def test_a_refused_client_gets_the_reason_as_an_alert(site, case, alert, version):
    authority, folder = site
    names = {"revoked": NODE, "foreign": "stranger", "expired": "old", "early": "early"}
    if case == "revoked":
        authority.revoke([NODE])
    make_certificates(authority, folder)
    context = client(folder, names[case], version)
    with serving(FollowingContext.of(tls_of(authority, folder), pytest.fail)) as port:
        with pytest.raises(ssl.SSLError) as failure:
            ask(port, context)
        assert alert in failure.value.reason
        assert ask(port, client(folder, OTHER, version))[0] == b"name"


def make_certificates(authority, folder):
    """Certificates of a stranger's authority, one that has expired, and one that is not valid yet."""
    foreign = Stranger(folder)
    foreign.sign("stranger")
    shifted = {"old": -10 * 366, "early": 10}
    for name, days in shifted.items():
        clock = lambda days=days: dt.datetime.now(dt.UTC) + dt.timedelta(days=days)
        enrol(Authority(authority.settings, clock=clock), folder, name)


def test_sessions_are_resumed_until_a_file_changes(site):
    authority, folder = site
    version = ssl.TLSVersion.TLSv1_2
    other = client(folder, OTHER, version)
    with serving(FollowingContext.of(tls_of(authority, folder), pytest.fail)) as port:
        session = ask(port, other)[1]
        assert ask(port, other, session=session)[2]
        authority.revoke([NODE])
        answer, _, reused = ask(port, other, session=session)
        assert (answer, reused) == (b"name", False)


def test_the_last_usable_files_stay_in_use(site):
    authority, folder = site
    reported = []
    context = FollowingContext.of(tls_of(authority, folder), reported.append)
    good = (folder / "ca" / "ca_crl.pem").read_bytes()
    with serving(context) as port:
        (folder / "ca" / "ca_crl.pem").write_text("nonsense")
        for _ in range(2):
            assert ask(port, client(folder, NODE))[0] == b"name"
        assert [str(one).startswith("cannot use the revocation lists") for one in reported] == [
            True
        ]
        (folder / "ca" / "ca_crl.pem").write_bytes(good)
        authority.revoke([NODE])
        with pytest.raises((ssl.SSLError, ConnectionError)):
            ask(port, client(folder, NODE))


def test_unusable_files_are_an_error_at_the_start(site):
    authority, folder = site
    (folder / "ca" / "ca_crl.pem").unlink()
    with pytest.raises(TlsError, match="cannot read the revocation lists"):
        FollowingContext.of(tls_of(authority, folder), pytest.fail)
