"""The application in process, driven as an ASGI server drives it."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest

from bunraku.web.application import Application, Broken, Limits
from bunraku.web.http import Response, text_response


class Client:
    """A client whose request body comes in pieces; it takes the response piece by piece."""

    def __init__(self, pieces=(b"",), *, stays=True, hangs_after=None):
        self.pieces = list(pieces)
        self.stays = stays
        self.hangs_after = hangs_after
        self.sent = []
        self.left = asyncio.Event()

    async def receive(self):
        if self.pieces:
            piece = self.pieces.pop(0)
            return {"type": "http.request", "body": piece, "more_body": bool(self.pieces)}
        if self.stays:
            await self.left.wait()
        return {"type": "http.disconnect"}

    async def send(self, message):
        self.sent.append(message)
        if self.hangs_after is not None and len(self.sent) > self.hangs_after:
            await asyncio.sleep(3600)

    @property
    def status(self):
        return self.sent[0]["status"]

    @property
    def headers(self):
        return {name.decode(): value.decode() for name, value in self.sent[0]["headers"]}

    @property
    def body(self):
        return b"".join(message["body"] for message in self.sent[1:])


def scope(method="GET", path="/", query="", headers=(), **more):
    return {
        "type": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in headers],
        "scheme": "http",
        "client": ("192.0.2.1", 4711),
        **more,
    }


def exchange(answer, given=None, client=None, seconds=10, **options):
    """Return the client after one request."""
    found = []

    async def run():
        one = client() if client else Client()
        found.append(one)
        application = Application(answer, **options)
        try:
            await asyncio.wait_for(application(given or scope(), one.receive, one.send), seconds)
        finally:
            await asyncio.to_thread(application.close)

    asyncio.run(run())
    return found[0]


def test_a_request_reaches_the_function():
    requests = []

    def answer(request):
        requests.append((request, request.read(100)))
        return text_response(200, "Grüße")

    given = scope(
        "POST",
        "/a%2Fb",
        "query=%5B%22x%22%5D&empty=",
        [("X-Two", "1"), ("x-two", "2")],
        scheme="https",
        extensions={"tls": {"client_common_name": "web01"}},
    )
    client = exchange(answer, given, lambda: Client([b"ab", b"c"]))
    ((request, body),) = requests
    assert (request.method, request.path, body) == ("POST", "/a%2Fb", b"abc")
    assert request.parameters == {"query": '["x"]', "empty": ""}
    assert request.headers == {"x-two": "1, 2"}
    assert (request.client, request.secure) == ("web01", True)
    assert (client.status, client.body) == (200, "Grüße".encode())
    assert client.headers["content-length"] == "7"


def test_a_long_response_has_no_length_and_comes_in_pieces():
    client = exchange(lambda _: Response(200, {}, (f"{number}," for number in range(1000))))
    assert "content-length" not in client.headers
    assert client.body == b"".join(b"%d," % number for number in range(1000))
    assert len(client.sent) == 1002
    assert client.sent[-1]["more_body"] is False


def test_head_has_the_length_of_the_content_without_its_pieces():
    def answer(_request):
        return Response(200, {"content-length": "5000000000"}, (1 / 0 for _ in range(1)))

    client = exchange(answer, scope("HEAD"))
    assert (client.status, client.body) == (200, b"")
    assert client.headers["content-length"] == "5000000000"


def test_an_error_is_reported_and_not_shown():
    reported = []

    def answer(_request):
        raise ValueError("a secret")

    client = exchange(answer, report=lambda request, error: reported.append((request.path, error)))
    assert (client.status, client.body) == (500, b"Internal Server Error")
    assert [(path, str(error)) for path, error in reported] == [("/", "a secret")]


def test_an_error_in_the_middle_breaks_the_response():
    def pieces():
        yield "a"
        yield "b"
        raise ValueError

    with pytest.raises(Broken):
        exchange(lambda _: Response(200, {}, pieces()))


@pytest.mark.parametrize(("size", "status"), [(10, 200), (11, 413)])
def test_a_body_that_is_too_long_is_refused(size, status):
    def answer(request):
        return text_response(200, str(len(request.read(10))))

    client = exchange(answer, client=lambda: Client([b"x" * size]))
    assert client.status == status


@pytest.mark.parametrize("ahead", [1, 1000])
def test_a_body_that_is_too_slow_is_refused(ahead):
    class Slow(Client):
        async def receive(self):
            if len(self.pieces) == 1:
                await asyncio.sleep(3600)
            return await super().receive()

    client = exchange(
        lambda request: text_response(200, str(len(request.read(10)))),
        client=lambda: Slow([b"a", b"b"]),
        limits=Limits(body_seconds=0.1, ahead=ahead),
    )
    assert client.status == 408


def endless(closed):
    try:
        while True:
            yield "x" * 1000
    finally:
        closed.append(threading.current_thread().name)


def test_a_client_that_takes_nothing_frees_the_thread():
    closed = []
    exchange(
        lambda _: Response(200, {}, endless(closed)),
        client=lambda: Client(hangs_after=2),
        limits=Limits(piece_seconds=0.1),
    )
    assert [name.split("_")[0] for name in closed] == ["request"]


def test_a_client_that_leaves_frees_the_thread():
    closed = []
    exchange(lambda _: Response(200, {}, endless(closed)), client=lambda: Client(stays=False))
    assert closed


def test_the_function_sees_that_the_client_has_left():
    seen = []

    def answer(request):
        end = time.monotonic() + 5
        while not request.gone() and time.monotonic() < end:
            time.sleep(0.01)
        seen.append(request.gone())
        return text_response(200, "too late")

    client = exchange(answer, client=lambda: Client(stays=False))
    assert (seen, client.sent) == ([True], [])


def test_a_client_that_leaves_within_its_body_ends_the_reading():
    seen = []

    class Leaves(Client):
        async def receive(self):
            if not self.pieces:
                return {"type": "http.disconnect"}
            return {"type": "http.request", "body": self.pieces.pop(0), "more_body": True}

    def answer(request):
        try:
            request.read(1000)
        except Exception as error:
            seen.append(type(error).__name__)
            raise
        return text_response(200, "never")

    client = exchange(answer, client=lambda: Leaves([b"a", b"b"]), limits=Limits(ahead=1))
    assert (seen, client.sent) == (["ClientGone"], [])


def test_visits_are_reported():
    visits = []
    exchange(
        lambda _: text_response(404, "no"),
        scope(path="/x", query="a=1"),
        visited=visits.append,
    )
    (visit,) = visits
    assert (visit.address, visit.target, visit.status, visit.size) == (
        "192.0.2.1",
        "/x?a=1",
        404,
        2,
    )


def test_the_life_of_a_server_is_confirmed():
    sent = []

    async def run():
        messages = iter([{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}])

        async def receive():
            return next(messages)

        async def send(message):
            sent.append(message["type"])

        await Application(lambda _: text_response(200, ""))({"type": "lifespan"}, receive, send)

    asyncio.run(run())
    assert sent == ["lifespan.startup.complete", "lifespan.shutdown.complete"]


def test_bodies_that_stall_are_refused_when_they_need_too_much_memory():
    async def run():
        application = Application(
            lambda request: text_response(200, str(len(request.read(1000)))),
            limits=Limits(ahead=100, ahead_of_all=250),
        )
        stalled = [Client([b"x" * 60, b""]) for _ in range(4)]
        for one in stalled:
            one.receive = stalling(one)
        tasks = [
            asyncio.create_task(application(scope(), one.receive, one.send)) for one in stalled
        ]
        await asyncio.sleep(0)
        refused, small = Client([b"x" * 60]), Client([b"x"])
        await application(scope(), refused.receive, refused.send)
        await application(scope(), small.receive, small.send)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        later = Client([b"x" * 60])
        await application(scope(), later.receive, later.send)
        await asyncio.to_thread(application.close)
        return refused, small, later, application

    refused, small, later, application = asyncio.run(run())
    assert (refused.status, refused.headers["retry-after"]) == (503, "30")
    assert (small.status, later.status) == (200, 200)
    assert application.held.bytes == 0


def stalling(client):
    """Return the first piece, then nothing."""
    receive = client.receive

    async def one():
        if len(client.pieces) == 1:
            await asyncio.Event().wait()
        return await receive()

    return one
