"""Hostile HTTP requests by chance: damaged documents, odd headers, wrong framing.

What a server must do with them is up to the tests of that server.
"""

from __future__ import annotations

import gzip
import json
import re
import socket
from contextlib import nullcontext
from urllib.parse import quote

from support.damage import damaged

STATUS = re.compile(rb"HTTP/1\.1 (\d\d\d) ")
SECONDS = 60
"""The time within which a complete request is answered on a busy machine."""


def deep(source):
    """Return JSON that is nested deeply."""
    depth = source.choice([50, 500, 5_000, 50_000])
    found = nested(source, depth)
    return found if source.random() < 0.5 else found[: len(found) // 2]


def nested(source, depth):
    """Return JSON of a depth."""
    begin, end = source.choice([(b"[", b"]"), (b'{"a":', b"}"), (b'["or",', b"]")])
    return begin * depth + source.choice([b"1", b"null", b'"x"']) + end * depth


def with_depth(source, value):
    """Return the JSON text of an object with a member, or a member of one, that is nested deeply."""
    parent = {**value}
    found = parent
    for _ in range(source.randrange(3)):
        key = source.choice([*found])
        if isinstance(found[key], dict) and found[key]:
            found[key] = {**found[key]}
            found = found[key]
    found[source.choice([*found])] = "DEPTH"
    depth = source.choice([90, 200, 320, 480, source.randrange(900, 1000)])
    return json.dumps(parent).encode().replace(b'"DEPTH"', nested(source, depth))


def number(source):
    """Return a number that few programs can hold."""
    digits = "9" * source.choice([20, 400, 5_000, 50_000])
    return source.choice(["", "-", "0.", "1E", "-1e-"]) + digits


def spoiled(source, content):
    """Return bytes with some of them replaced, removed or added."""
    found = bytearray(content)
    for _ in range(source.choice([1, 1, 3, 20])):
        if not found:
            break
        at = source.randrange(len(found))
        change = source.randrange(5)
        if change == 0:
            found[at] = source.randrange(256)
        elif change == 1:
            del found[at : at + source.choice([1, 2, 50])]
        elif change == 2:
            found[at:at] = source.choice(
                [
                    b"\xff\xfe",
                    b"\xed\xa0\x80",
                    b"\xc0\x80",
                    b"\x00",
                    b"\xf4\x90\x80\x80",
                    b"\\u0000",
                ]
            )
        elif change == 3:
            found[at:at] = found[at : at + source.choice([5, 100])]
        else:
            found[at:at] = number(source)[:5_000].encode()
    return bytes(found)


def document(source, value):
    """Return JSON text of a value, mostly damaged."""
    kind = source.random()
    if kind < 0.03:
        return deep(source)
    if kind < 0.08 and isinstance(value, dict) and value:
        return with_depth(source, value)
    if kind < 0.6:
        value = damaged(source, value)
    content = json.dumps(value, ensure_ascii=source.random() < 0.5).encode("utf-8", "surrogatepass")
    return spoiled(source, content) if source.random() < 0.4 else content


def packed(source, content, size):
    """Return content as gzip, sometimes broken, cut, or about as long as a limit of ``size`` bytes."""
    kind = source.random()
    if kind < 0.1:
        return gzip.compress(b" " * source.choice([size - 100, size + 100, 10 * size]))
    found = gzip.compress(content, 1)
    if kind < 0.3:
        return spoiled(source, found)
    if kind < 0.4:
        return found[: source.randrange(len(found))]
    return content if kind < 0.5 else found


# -- requests ---------------------------------------------------------------------------------------

HEADERS = [
    ("Accept", ["text/html", "", "*/*;q=0", "application/json" * 500, "\xff"]),
    ("Accept-Encoding", ["gzip", "gzip;q=abc", "gzip;q=0, *", "," * 2000, "x" * 5000]),
    (
        "Content-Type",
        ["text/plain", "application/json; charset=latin-1", "multipart/form-data", ""],
    ),
    ("Content-Encoding", ["gzip", "deflate", "gzip, gzip", "br", ""]),
    ("X-Uncompressed-Length", ["-1", "9" * 400, "x", "0", "١"]),
    ("Host", ["", "a b", "x" * 3000, "localhost:99999999"]),
    ("Connection", ["close", "keep-alive, upgrade", "x"]),
    ("Upgrade", ["websocket", "h2c"]),
    ("Expect", ["100-continue", "nothing"]),
    ("Range", ["bytes=0-1"]),
    ("X-Forwarded-For", ["1.2.3.4"]),
    ("X-" + "y" * 50, ["z" * 60_000]),
]


def encoded(source, parameters):
    """Return parameters as a URL has them."""
    pairs = []
    for name, value in parameters.items():
        text = value if isinstance(value, str) else json.dumps(value)
        if source.random() < 0.02:
            text = text + number(source)[:20_000]
        pairs.append(f"{quote(name)}={quote(text.encode('utf-8', 'surrogatepass'))}")
    return f"?{'&'.join(pairs)}" if pairs else ""


def framed(source, method, target, headers, body):
    """Return the bytes of a request, and whether it is complete and must be answered."""
    lines = {"Host": "localhost", "Connection": "close", **headers}
    if source.random() < 0.1:
        name, values = source.choice(HEADERS)
        lines[name] = source.choice(values)
    framing = source.random()
    complete = True
    if framing < 0.85:
        lines["Content-Length"] = str(len(body))
    elif framing < 0.93:
        lines["Transfer-Encoding"] = "chunked"
        body = chunked(source, body)
        complete = False
    else:
        odd = [len(body) + 5, max(0, len(body) - 5), -1, "x", "1, 2", "9" * 30, ""]
        lines["Content-Length"] = str(source.choice(odd))
        complete = False
    version = source.choice(["HTTP/1.1"] * 20 + ["HTTP/1.0", "HTTP/9.9", ""])
    head = f"{method} {target} {version}\r\n"
    head += "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    content = head.encode("utf-8", "surrogatepass") + b"\r\n" + body
    if source.random() < 0.02:
        return content[: source.randrange(len(content))], False
    return content, complete


def chunked(source, body):
    """Return a body in chunks, sometimes with a wrong size."""
    found, at = b"", 0
    while at < len(body):
        size = source.choice([1, 100, 100_000])
        piece = body[at : at + size]
        shown = len(piece) + (source.choice([-1, 1, 1 << 62]) if source.random() < 0.1 else 0)
        found += f"{max(0, shown):x}\r\n".encode() + piece + b"\r\n"
        at += size
    return found + source.choice([b"0\r\n\r\n", b"0\r\n\r\n", b"", b"zz\r\n"])


# -- exchanges ---------------------------------------------------------------------------------------


def ended(found, *, without_body=False):
    """Return whether an answer is complete; the server may keep the connection."""
    head, separator, body = found.partition(b"\r\n\r\n")
    length = re.search(rb"content-length: (\d+)", head)
    if not separator or head.startswith(b"HTTP/1.1 100"):
        return False
    if without_body:
        return True
    return body.endswith(b"0\r\n\r\n") if length is None else len(body) >= int(length[1])


def exchanged(address, content, complete, secure=nullcontext):
    """Return what a server answers to bytes; ``secure`` wraps the socket in TLS.

    A server gets a moment only for the answer to a request that is not complete.
    """
    with socket.create_connection(address, timeout=SECONDS) as plain, secure(plain) as one:
        one.settimeout(SECONDS if complete else 0.3)
        try:
            one.sendall(content)
            if not complete and one is plain:
                one.shutdown(socket.SHUT_WR)
        except (BrokenPipeError, ConnectionResetError):
            pass  # it may have answered and closed already
        found = b""
        while piece := one.recv(1 << 20):
            found = found[:200_000] + piece
            if ended(found, without_body=content.startswith(b"HEAD ")):
                break
        return found
