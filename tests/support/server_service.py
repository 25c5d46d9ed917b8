"""A server of a site in this process, and requests to it."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from functools import cache
from pathlib import Path
from urllib.parse import parse_qsl, quote

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID

from bunraku.puppetdb.databases.opening import open_database
from bunraku.puppetdb.databases.sqlite import SqliteReader
from bunraku.puppetdb.queries.root import answer_to
from bunraku.puppetdb.server.starting import start
from bunraku.puppetdb.settings import PuppetDBSettings as DatabaseSettings
from bunraku.server.assembly import files_of
from bunraku.server.background import Background
from bunraku.server.compiling.starting import background_process, compile_processes
from bunraku.server.flushes import Flushes
from bunraku.server.interface import DEFAULT_RULES
from bunraku.server.service import Service
from bunraku.server.settings import Settings, all_values, with_defaults
from bunraku.server.storage import Embedded
from bunraku.web.http import Request, Response

DAY = dt.timedelta(days=1)
EXTENSIONS = {
    "puppet.example.test": (("1.3.6.1.4.1.34380.1.3.39", "true"),),
    "plain8.auto.example.test": (
        ("1.3.6.1.4.1.34380.1.1.13", "web"),
        ("1.3.6.1.4.1.34380.1.2.1", "private"),
    ),
}
"""Client → the extensions of its certificate."""
NAME = "puppet.example.test"
VERSION = "7.23.0"
EVERYTHING = """authorization: { version: 1, rules: [ {
  match-request: { path: "/", type: path }, allow: "*", sort-order: 1, name: "all" } ] }"""
"""Rules that allow every request to every client with a certificate."""


def site_settings(folder: Path, **changes: object) -> Settings:
    """Return the settings of a server of the site in a folder."""
    given = with_defaults(
        {
            "environmentpath": str(folder / "code" / "environments"),
            "basemodulepath": str(folder / "code" / "modules"),
            "confdir": str(folder / "conf"),
            "vardir": str(folder / "var"),
            "reports": "store,puppetdb",
            "environment_timeout": "unlimited",
            **{
                name: value
                for name, value in changes.items()
                if name not in Settings.__annotations__
            },
        },
        NAME,
    )
    own = {name: value for name, value in changes.items() if name in Settings.__annotations__}
    facts = {"servername": NAME, "serverip": "127.0.0.1", "serverversion": VERSION}
    return Settings(given, all_values(given), VERSION, server_facts=facts, **own)


@contextmanager
def site_service(
    folder: Path, rules=DEFAULT_RULES, size: int = 1, behind: bool = False, **changes: object
) -> Iterator:
    """Run a server of a site; its log goes to ``service.log.lines``. ``behind`` is for compiles in the background."""
    settings = site_settings(folder, **changes)
    lines: list[tuple[str, str]] = []

    def log(level: str, text: str) -> None:
        lines.append((level, text))

    log.lines = lines
    with ExitStack() as stack:
        # Made first: the compile processes share it.
        flushes = Flushes()
        background = None
        if behind:
            process = stack.enter_context(
                background_process(settings, lambda text: log("keeper", text))
            )
            background = Background(process, flushes, log, pause=0.1)
        compilers = stack.enter_context(
            compile_processes(settings, lambda text: log("keeper", text), size=size)
        )
        path = str(folder / "puppetdb.sqlite")
        database = stack.enter_context(closing(open_database(path)))
        folders = (f"{path}.queue", f"{path}.discarded")
        puppetdb = start(
            stack, database, DatabaseSettings(), folders, lambda text: log("puppetdb", text)
        )
        storage = Embedded.of(path, puppetdb.intake)
        files = files_of(settings, log)
        if background is not None:
            stack.enter_context(background.running())
        yield Service(
            *(settings, rules, compilers, flushes, files, None, storage, log), background=background
        )


@cache
def certificate(name: str, extensions: tuple[tuple[str, str], ...] = ()) -> bytes:
    """Return a certificate in DER form with a name and extensions, by their identifiers."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = dt.datetime.now(dt.UTC)
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - DAY)
        .not_valid_after(now + DAY)
    )
    for oid, value in extensions:
        text = b"\x0c" + bytes([len(value)]) + value.encode()
        builder = builder.add_extension(
            x509.UnrecognizedExtension(x509.ObjectIdentifier(oid), text), critical=False
        )
    return builder.sign(key, hashes.SHA256()).public_bytes(Encoding.DER)


def request(
    method: str,
    target: str,
    headers: Mapping[str, str] | None = None,
    body: bytes = b"",
    client: str | None = None,
) -> Request:
    """Return a request as the web server makes it for a client with a certificate of a name."""
    path, _, query = target.partition("?")
    pairs = parse_qsl(query, keep_blank_values=True)
    lower = {name.lower(): value for name, value in (headers or {}).items()}
    return Request(
        method,
        path,
        dict(pairs),
        lower,
        [body] if body else [],
        client=client,
        secure=True,
        pairs=pairs,
        certificate=None if client is None else certificate(client, EXTENSIONS.get(client, ())),
    )


def content(response: Response) -> bytes:
    """Return the body of a response."""
    return b"".join(piece.encode() if isinstance(piece, str) else piece for piece in response.body)


def form(node: str, facts: Mapping[str, object], **others: str) -> bytes:
    """Return the body of a request for a catalog, as agents write it."""
    text = json.dumps({"name": node, "values": facts})
    parts = ["facts_format=application%2Fjson", f"facts={quote(quote(text, safe=''), safe='')}"]
    parts += [f"{name}={quote(value, safe='')}" for name, value in others.items()]
    return "&".join(parts).encode()


def rows(service, query):
    """Return the rows of a query of the database, once all commands are processed."""
    while service.storage.intake.queue.depth:
        pass
    with closing(SqliteReader(service.storage.site)) as database:
        return answer_to(database, query)


def children(process: int) -> list[int]:
    """Return the processes that a process has started."""
    tasks = Path(f"/proc/{process}/task").glob("*/children")
    return [int(one) for task in tasks for one in task.read_text().split()]
