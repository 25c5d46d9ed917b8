"""How requests leave the machine: proxies, source addresses, redirects, credentials, time limits."""

from __future__ import annotations

import socket
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from bunraku.modules.settings import resolve
from bunraku.providers.apt_key.sources import REDIRECTS
from bunraku.web.client import Client, NotConnected
from bunraku.web.proxies import network_of
from bunraku.web.requests import HttpRequest, Network, Proxy, TlsFiles
from support.puppet_server import serving as serving_puppet
from support.web_proxy import proxying

FOLLOWS = Network(redirects=10)


class Handler(BaseHTTPRequestHandler):
    """Redirects by the path, and answers with what was asked."""

    protocol_version = "HTTP/1.1"

    def answer(self):
        size = int(self.headers.get("content-length") or 0)
        body = self.rfile.read(size).decode()
        seen = self.headers.get("authorization")
        self.server.seen.append((self.command, self.path, self.client_address[0], seen, body))
        status, _, place = self.path.removeprefix("/").partition("/")
        if status.isdigit():
            self.send_response(int(status))
            if place:
                self.send_header("location", self.server.places.get(place, place))
            self.send_header("content-length", "0")
            self.end_headers()
            return
        self.send_response(200)
        self.send_header("content-length", "2")
        self.end_headers()
        self.wfile.write(b"ok")

    do_GET = do_PUT = answer

    def log_message(self, *_arguments):
        """Print nothing."""


@contextmanager
def serving(address="127.0.0.1"):
    with ThreadingHTTPServer((address, 0), Handler) as server:
        server.seen, server.places, server.daemon_threads = [], {}, True
        server.base = f"http://{address}:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def ask(url, network=FOLLOWS, method="GET", body=b"", headers=None, **more):
    client = Client()
    try:
        request = HttpRequest(method, url, headers or {}, body, network=network, **more)
        with client.exchange(request) as answer:
            return answer.status, answer.read()
    finally:
        client.close()


# -- redirects -------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [301, 302, 307])
def test_redirects_are_followed_with_the_same_method_and_body(status):
    with serving() as server:
        server.places["there"] = "/other/place?a=b"
        assert ask(f"{server.base}/{status}/there", method="PUT", body=b"text") == (200, b"ok")
        assert [one[:2] + one[4:] for one in server.seen] == [
            ("PUT", f"/{status}/there", "text"),
            ("PUT", "/other/place?a=b", "text"),
        ]


@pytest.mark.parametrize("status", [303, 308, 300])
def test_other_redirects_are_answers(status):
    with serving() as server:
        assert ask(f"{server.base}/{status}/there")[0] == status


@pytest.mark.parametrize("status", sorted(REDIRECTS))
def test_keys_follow_the_redirects_of_ruby(status):
    with serving() as server:
        server.places["there"] = "/there"
        network = Network(redirects=10, statuses=REDIRECTS)
        assert ask(f"{server.base}/{status}/there", network) == (200, b"ok")


def test_a_redirect_is_an_answer_unless_it_may_be_followed():
    with serving() as server:
        assert ask(f"{server.base}/302/there", Network())[0] == 302
        assert len(server.seen) == 1


def test_ten_redirects_are_the_limit():
    with serving() as server:
        server.places["again"] = "/302/again"
        with pytest.raises(OSError, match="Too many HTTP redirections for http://127"):
            ask(f"{server.base}/302/again")
        assert len(server.seen) == 11


def test_a_redirect_without_a_place_is_an_error():
    with serving() as server, pytest.raises(OSError, match="Location response header is missing"):
        ask(f"{server.base}/302")


def test_a_redirect_to_another_scheme_is_an_error():
    with serving() as server:
        server.places["file"] = "file:///etc/passwd"
        with pytest.raises(OSError, match="not one of http or https"):
            ask(f"{server.base}/302/file")


def test_credentials_stay_with_their_host():
    with serving() as server, serving("127.0.0.2") as other:
        server.places |= {"here": f"{server.base}/a", "there": f"{other.base}/b"}
        url = server.base.replace("//", "//anna:pass%20word@")
        value = "Basic YW5uYTpwYXNzIHdvcmQ="
        ask(f"{url}/302/here")
        assert [one[3] for one in server.seen] == [value, value]
        ask(f"{url}/302/there")
        assert [one[3] for one in other.seen] == [None]
        ask(f"{url}/302/there", Network(redirects=10, trusted=True))
        assert [one[3] for one in other.seen] == [None, value]


def test_passwords_are_not_in_errors():
    with serving() as server:
        server.places["again"] = "/302/again"
        url = server.base.replace("//", "//anna:secret@")
        with pytest.raises(OSError, match="Too many") as caught:
            ask(f"{url}/302/again?token=secret")
        assert "secret" not in str(caught.value)
    assert "secret" not in repr(Proxy("proxy", 1, "anna", "secret"))


# -- proxies ---------------------------------------------------------------------------------------


def test_a_proxy_is_asked_for_the_whole_url():
    with serving() as server, proxying() as proxy:
        through = Network(Proxy("127.0.0.1", proxy.port, "anna", "secret"))
        assert ask(f"{server.base}/a", through) == (200, b"ok")
        assert proxy.asked == [("GET", f"{server.base}/a", "Basic YW5uYTpzZWNyZXQ=")]
        assert [one[:2] for one in server.seen] == [("GET", "/a")]


def test_https_goes_through_a_tunnel(tmp_path):
    with serving_puppet(tmp_path / "server") as server, proxying() as proxy:
        through = Network(Proxy("127.0.0.1", proxy.port))
        tls = TlsFiles(server.authority.path("ca.pem"))
        server.answers["GET /a"] = 200, "text/plain", b"secret"
        url = f"https://localhost:{server.port}/a"
        assert ask(url, through, tls=tls) == (200, b"secret")
        assert proxy.asked == [("CONNECT", f"localhost:{server.port}", None)]
        proxy.refuses = True
        with pytest.raises(NotConnected, match="403"):
            ask(url, through, tls=tls)


def test_excluded_servers_are_reached_directly():
    with serving() as server, proxying() as proxy:
        through = Network(Proxy("127.0.0.1", proxy.port), ("127.0.0.1",))
        assert ask(f"{server.base}/a", through) == (200, b"ok")
        assert proxy.asked == []


DEFAULTS = resolve({}, "web1")


def network(variables=(), **settings):
    return network_of({**DEFAULTS, **settings}, dict(variables))


def test_defaults_are_those_of_puppet():
    found = network()
    assert (found.proxy, found.direct) == (None, ("localhost", "127.0.0.1"))
    assert (found.redirects, found.connecting, found.address) == (10, 120.0, None)
    assert network(http_proxy_host="proxy").proxy == Proxy("proxy", 3128)


def test_settings_of_a_proxy():
    given = {"http_proxy_host": "proxy", "http_proxy_port": 8080, "http_proxy_password": "secret"}
    assert network(**given).proxy == Proxy("proxy", 8080)  # no password without a user
    assert network(**given, http_proxy_user="anna").proxy == Proxy("proxy", 8080, "anna", "secret")
    assert network(**given, no_proxy="none").direct == ()


def test_variables_come_before_settings():
    given = {"http_proxy_host": "proxy", "no_proxy": "a"}
    both = {"HTTP_PROXY": "http://other:81", "no_proxy": "b, *.c"}
    found = network(both, **given)
    assert (found.proxy, found.direct) == (Proxy("other", 81), ("b", "*.c"))
    with pytest.raises(ValueError, match="is not a URL"):
        network({"http_proxy": "other:81"})


# -- connections -----------------------------------------------------------------------------------


def test_the_source_address_is_that_of_the_settings():
    with serving() as server:
        ask(f"{server.base}/a", network(sourceaddress="127.0.0.9"))
        assert [one[2] for one in server.seen] == ["127.0.0.9"]


def test_a_refused_connection_is_not_an_answer():
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with pytest.raises(NotConnected) as caught:
        ask(f"http://127.0.0.1:{port}/")
    assert isinstance(caught.value.__cause__, ConnectionRefusedError)


def test_a_server_that_does_not_answer_ends_the_request():
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/"
        with pytest.raises(TimeoutError):
            ask(url, seconds=0.05)
        with pytest.raises(NotConnected) as caught:  # there is no handshake
            ask(url.replace("http", "https"), Network(connecting=0.05))
    assert isinstance(caught.value.__cause__, TimeoutError)


def test_a_connection_can_be_made_before_its_request():
    with serving() as server:
        client = Client()
        client.reach(HttpRequest("GET", server.base))
        assert (len(client.kept), server.seen) == (1, [])
        with client.exchange(HttpRequest("GET", f"{server.base}/a")) as answer:
            assert answer.read() == b"ok"
        client.close()
