"""The recorded load and queries of a real PuppetDB, and how answers are compared with it.

Both sides are brought to one form: a time outside the month of the load is "<now>", a SHA-1 is
"<sha1>", rows are sorted unless the query orders them, as are tags and the data of sub-objects;
floats are compared to twelve digits. Answers that are long are recorded as a digest.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from functools import cache
from pathlib import Path

from bunraku.puppetdb.commands.process import Command, process
from bunraku.puppetdb.databases.database import Database
from bunraku.puppetdb.server.interface import answer
from bunraku.puppetdb.server.service import Service
from bunraku.web.http import Request, Response

DATA = Path(__file__).parents[1] / "puppetdb" / "data"
TIME = re.compile(r"^(20\d\d-\d\d)-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)$")
SHA1 = re.compile(r"\b[0-9a-f]{40}\b")
LONG = 12000
RECEIVED = 1_800_000_000_000


def load(database: Database) -> None:
    """Carry out the commands of the recorded load."""
    for item in lines("load.jsonl"):
        process(database, command(item))


def lines(name: str) -> list[dict]:
    """Return the recorded objects of a file."""
    text = (DATA / name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.split("\n") if line]


def command(item: dict) -> Command:
    """Return a recorded command as a server would get it."""
    payload = (
        base64.b64decode(item["payload_base64"])
        if "payload_base64" in item
        else json.dumps(item["payload"], ensure_ascii=False).encode()
    )
    return Command(item["command"], item["version"], item["certname"], payload, RECEIVED)


@cache
def recorded_queries() -> list[dict]:
    """Return the recorded requests with their answers."""
    return lines("queries.jsonl")


def ask(database: Database, item: dict) -> Response:
    """Return the response to a recorded request."""
    return answer(
        Service(database),
        Request(
            item["method"],
            item["path"],
            item.get("params") or {},
            {name.lower(): value for name, value in item.get("headers", {}).items()},
            [(item.get("body") or "").encode()],
        ),
    )


def difference(item: dict, response: Response) -> str | None:
    """Return the differences from the recorded answer; None if they agree."""
    expected = item["answer"]
    if expected["status"] == 500 and 400 <= response.status < 600:
        return None  # where the real one fails inside, a plain refusal is as good
    if expected["status"] != response.status:
        text = "".join(response.body)[:200]
        return f"status {response.status}, expected {expected['status']}: {text}"
    if expected["status"] >= 400 or "note" in expected:
        return None
    actual = shown(item, response)
    keys = ("type", "x_records", "json", "rows", "sha256")
    wrong = [key for key in keys if expected.get(key) != actual.get(key)]
    return f"{', '.join(wrong)} differ" if wrong else None


def shown(item: dict, response: Response) -> dict:
    """Return a response in the form of the recorded answers."""
    result = {
        "type": response.headers.get("content-type", ""),
        "x_records": response.headers.get("x-records"),
    }
    text = "".join(response.body)
    if not text:
        return result
    value = normal(json.loads(text))
    if isinstance(value, list) and not ordered(item):
        value = sorted(value, key=canonical)
    if isinstance(value, list) and len(canonical(value)) > LONG:
        digest = hashlib.sha256(canonical(value).encode()).hexdigest()
        return {**result, "rows": len(value), "sha256": digest, "value": value}
    return {**result, "json": value}


def ordered(item: dict) -> bool:
    """Return whether a request orders the rows."""
    text = json.dumps(item)
    return "order_by" in text or "order by" in text


def canonical(value: object) -> str:
    """Return a value as text that is equal for equal values."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def normal(value: object, key: str | None = None) -> object:
    """Return a value without the parts that differ between runs."""
    if isinstance(value, dict):
        return {name: normal(item, name) for name, item in value.items()}
    if isinstance(value, list):
        rows = [normal(item) for item in value]
        return sorted(rows, key=canonical) if key in {"tags", "data"} else rows
    if isinstance(value, str):
        found = TIME.match(value)
        if found and found[1] != "2026-01":
            return "<now>"
        return SHA1.sub("<sha1>", value)
    return float(f"{value:.12g}") if isinstance(value, float) else value
