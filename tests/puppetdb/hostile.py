"""Hostile requests to a running server, generated; judged by what a server owes everybody.

``PYTHONPATH=src:tests python tests/puppetdb/hostile.py --seconds 1800 --seed 15``

A server must not show a traceback or status 500, must answer a plain request at any time, must keep
its memory bounded, and must process or discard every command that it accepted. ``test_hostile.py``
sends a bounded number of requests.
"""

from __future__ import annotations

import argparse
import gzip
import http.client
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

from bunraku.puppetdb.databases.sqlite import SqliteDatabase
from bunraku.puppetdb.databases.statement import Statement
from support.damage import ODD, damaged
from support.hostile import (
    SECONDS,
    STATUS,
    deep,
    document,
    encoded,
    exchanged,
    framed,
    packed,
    spoiled,
)
from support.puppetdb import lines

ROOT = Path(__file__).parents[2]
ENVIRONMENT = {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}:{ROOT / 'tests'}"}
READY = re.compile(r"PuppetDB on http://([\d.]+):(\d+)")
MESSAGES = re.compile("Traceback|internal error|failed, next attempt")
"""What a server prints after an error that it did not expect."""
MOST_MEGABYTES = 400
SIZE = 4_000_000
OPTIONS = [
    *("--listen", "127.0.0.1:0", "--max-command-size", str(SIZE), "--query-timeout-max", "5"),
    *("--gc-interval", "0s"),
]


# -- requests ----------------------------------------------------------------------------------------

LOAD = [item for item in lines("load.jsonl") if "payload" in item]
QUERIES = lines("queries.jsonl")
PARAMETERS = [
    "query",
    "limit",
    "offset",
    "order_by",
    "include_total",
    "timeout",
    "explain",
    "pretty",
]
PATHS = [
    *("/", "/pdb", "/pdb/meta/v1/version", "/pdb/meta/v1/server-time", "/pdb/query/v4/nodes"),
    *("/status/v1/services?level=debug", "/metrics", "/metrics/v2/list", "/metrics/v2/read/"),
    *("/pdb/query/v4/facts/", "/pdb/query/v4/reports/x/events", "/pdb/query/v3/nodes"),
    *("/pdb/admin/v1/summary-stats", "/pdb/admin/v1/cmd", "/pdb/cmd/v1", "/metrics/v2/search/*:*"),
]
TOKENS = [
    *(
        "nodes",
        "facts",
        "resources",
        "{",
        "}",
        "[",
        "]",
        "(",
        ")",
        "and",
        "or",
        "!",
        "not",
        "~",
        "~>",
    ),
    *(
        "=",
        "<",
        ">=",
        "in",
        "is null",
        "limit",
        "offset",
        "order by",
        "group by",
        "count()",
        '"',
        "'",
    ),
    *("certname", "facts.os.family", "parameters.ensure", "1", "-1", "1e999", "null", "\\", "\x00"),
    *(
        "é",
        "\U0001f3ad",
        "[^",
        "(a+)+$",
        "a{1,999999}",
        ".*",
        "avg(value)",
        "select_facts",
        "--",
        ";",
    ),
]


def command(source):
    """Return a request that brings a command."""
    item = source.choice(LOAD)
    name, version, certname = item["command"], item["version"], item["certname"]
    parameters = {"command": name.replace(" ", "_"), "version": version, "certname": certname}
    content = document(source, item["payload"])
    if source.random() < 0.2:
        content = document(
            source, {"command": name, "version": version, "payload": item["payload"]}
        )
        parameters = {}
    if source.random() < 0.15:
        key = source.choice([*parameters, "checksum", "secondsToWaitForCompletion", "x"])
        parameters[key] = source.choice(ODD)
    if source.random() < 0.1:
        parameters["secondsToWaitForCompletion"] = source.choice(["1", "0.001", "-1", "x"])
    headers = {"Content-Type": "application/json"}
    if source.random() < 0.3:
        headers["Content-Encoding"] = "gzip"
        content = packed(source, content, SIZE)
    return "POST", "/pdb/cmd/v1", parameters, headers, content


def query(source):
    """Return a request with a query: recorded, then changed."""
    item = source.choice(QUERIES)
    parameters = dict(item.get("params") or {})
    text = parameters.get("query")
    if text is not None:
        parameters["query"] = changed_query(source, text)
    if source.random() < 0.2:
        parameters[source.choice(PARAMETERS)] = source.choice([*ODD, '[["certname"]]', "[[]]"])
    content = (item.get("body") or "").encode()
    if content:
        content = spoiled(source, content) if source.random() < 0.7 else deep(source)
    elif source.random() < 0.2:
        content = document(source, parameters)
        return "POST", item["path"], {}, {"Content-Type": "application/json"}, content
    return item["method"], item["path"], parameters, dict(item.get("headers", {})), content


def changed_query(source, text):
    """Return a query, PQL or JSON, with changes."""
    if source.random() < 0.03:
        return deep(source).decode()[:30_000]
    try:
        value = json.loads(text)
    except ValueError:
        value = None
    if isinstance(value, list) and source.random() < 0.7:
        return json.dumps(damaged(source, value))
    found = re.findall(r"\w+|\s+|.", text)
    for _ in range(source.choice([1, 2, 5])):
        at = source.randrange(len(found) + 1)
        change = source.randrange(3)
        if change == 0:
            found[at:at] = [source.choice(TOKENS)]
        elif change == 1:
            del found[at : at + source.choice([1, 3])]
        else:
            found[at:at] = found[at : at + 20]
    return "".join(found)


def administration(source):
    """Return a request to the administration or the metrics; archives are broken."""
    if source.random() < 0.3:
        archive = spoiled(source, gzip.compress(b"puppetdb-bak/facts/a.json" * 100))
        headers = {"Content-Type": "multipart/form-data; boundary=x"}
        body = b"--x\r\nContent-Disposition: form-data\r\n\r\n" * source.randrange(2) + archive
        return "POST", "/pdb/admin/v1/archive", {}, headers, body
    steps = {"command": "clean", "version": 1, "payload": ["gc_packages"]}
    beans = {"type": "read", "mbean": "puppetlabs.puppetdb.population:*", "attribute": "Value"}
    path, value = source.choice([("/pdb/admin/v1/cmd", steps), ("/metrics/v2", beans)])
    value = damaged(source, value)
    return "POST", path, {}, {}, document(source, [value] if source.random() < 0.2 else value)


def address(source):
    """Return a request to an odd path."""
    path = source.choice(PATHS)
    odd = [
        "%00",
        "%",
        "%zz",
        "..",
        "/../../etc/passwd",
        "//",
        "%2e%2e%2f",
        "é",
        "a" * 5000,
        "?",
        "#",
    ]
    odd += ["?query=", "?limit=1&limit=2", "?;", "?%ff=%fe", "*", "!/", "!", " "]
    at = source.randrange(len(path) + 1)
    path = path[:at] + source.choice(odd) + path[at:]
    method = source.choice(["GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "X" * 40, "get"])
    return method, path, {}, {}, b""


KINDS = [command] * 5 + [query] * 6 + [administration, address]


def message(source):
    """Return the bytes of a request, and whether it is complete and must be answered."""
    method, path, parameters, headers, body = source.choice(KINDS)(source)
    target = path + encoded(source, parameters)
    return framed(source, method, target, headers, body)


# -- the trial ---------------------------------------------------------------------------------------


class Trial:
    """A server, its clients, and what was seen."""

    def __init__(self, folder):
        self.folder = folder
        self.errors_file = open(f"{folder}/errors", "w+", encoding="utf-8")  # noqa: SIM115
        self.process = subprocess.Popen(
            [
                *(sys.executable, "-m", "bunraku", "puppetdb", "--no-project"),
                *("--database", f"{folder}/site.db", *OPTIONS),
            ],
            stdout=subprocess.PIPE,
            stderr=self.errors_file,
            text=True,
            env=ENVIRONMENT,
        )
        found = READY.match(self.process.stdout.readline())
        self.address = (found[1], int(found[2]))
        self.counts = Counter()
        self.faults = []

    def send(self, source):
        """Send a request, and judge the answer."""
        content, complete = message(source)
        self.counts["requests"] += 1
        try:
            found = exchanged(self.address, content, complete)
        except TimeoutError:
            if complete:
                self.faults.append(("no answer", content[:300]))
            return
        except OSError:
            self.counts["connections closed by the server"] += 1
            return
        status = STATUS.match(found)
        name = status[1].decode() if status else "none"
        self.counts[f"status {name}"] += 1
        if status and status[1] == b"200" and b'"uuid"' in found and b"/pdb/cmd/v1" in content[:40]:
            self.counts["accepted"] += 1
        if name.startswith("5") and not (name == "503" and b"timed_out" in found):
            self.faults.append((f"status {name}", content[:300], found[-300:]))

    def check(self):
        """Ask a plain question."""
        try:
            status, text = self.get("/pdb/meta/v1/version")
        except OSError as error:
            self.faults.append(("does not answer", str(error)))
            return
        if (status, json.loads(text)) != (200, {"version": "7.12.1"}):
            self.faults.append(("plain request", status, text))

    def get(self, path):
        """Return status and text of an answer."""
        connection = http.client.HTTPConnection(*self.address, timeout=SECONDS)
        try:
            connection.request("GET", path)
            response = connection.getresponse()
            return response.status, response.read().decode()
        finally:
            connection.close()

    def megabytes(self):
        """Return the most memory that the server has used."""
        text = Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8")
        return int(re.search(r"VmHWM:\s+(\d+)", text)[1]) // 1024

    def finish(self):
        """Wait until all commands are processed; stop the server, and judge what it leaves."""
        events = self.last_events()
        self.counts["left in the queue"] = self.depth()
        self.counts["most memory, MB"] = self.megabytes()
        self.process.send_signal(signal.SIGTERM)
        if self.process.wait(SECONDS) != 0:
            self.faults.append(("exit code", self.process.returncode))
        self.errors_file.seek(0)
        text = self.errors_file.read()
        for found in MESSAGES.finditer(text):
            self.faults.append(("message", text[found.start() : found.start() + 3000]))
        self.errors_file.close()
        self.judge(events)

    def last_events(self):
        """Return the events once the queue is empty and the last command is counted."""
        deadline = time.monotonic() + SECONDS
        before = None
        while time.monotonic() < deadline:
            found = self.events()
            if self.depth() == 0 and found == before:  # a command leaves the queue, then it counts
                break
            before = found
            time.sleep(0.2)
        return self.events()

    def depth(self):
        """Return how many commands wait."""
        return int(re.search(r"puppetdb_queue_depth (\d+)", self.get("/metrics")[1])[1])

    def events(self):
        """Return how many commands were accepted, and what happened to them."""
        found = Counter()
        for line in self.get("/metrics")[1].splitlines():
            event = re.search(r'puppetdb_commands_total\{.*event="(\w+)"\} (\d+)', line)
            if event:
                found[event[1]] += int(event[2])
        return found

    def judge(self, events):
        """Compare counts; look into the database."""
        ended = events["processed"] + events["discarded"] + events["ignored"]
        self.counts.update({f"commands {name}": count for name, count in events.items()})
        files = len(os.listdir(f"{self.folder}/site.db.discarded"))
        database = SqliteDatabase(f"{self.folder}/site.db")
        expected = {
            "commands that ended": (ended, events["seen"]),
            "commands seen, at least": (
                min(events["seen"], self.counts["accepted"]),
                self.counts["accepted"],
            ),
            "files of discarded commands": (files, 2 * events["discarded"]),
            "integrity": (answer_of(database, "PRAGMA integrity_check"), "ok"),
            "foreign keys": (
                answer_of(database, "SELECT count(*) FROM pragma_foreign_key_check"),
                0,
            ),
            "memory": (self.counts["most memory, MB"] <= MOST_MEGABYTES, True),
        }
        database.close()
        self.faults += [(name, *both) for name, both in expected.items() if both[0] != both[1]]

    def kill(self):
        """End the server, whatever it does."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        self.errors_file.close()


def answer_of(database, text):
    """Return the one value of a query."""
    ((found,),) = database.rows(Statement(text), 600)
    return found


def attack(seed, *, seconds=None, requests=None, clients=2):
    """Send requests for a time, or a number of them; return the counts and the faults."""
    folder = tempfile.mkdtemp(prefix="bunraku-hostile-")
    trial = Trial(folder)
    end = time.monotonic() + (seconds or 10**9)

    def client(number):
        source = random.Random(seed * 1000 + number)
        for count in range(requests // clients if requests else 10**12):
            if time.monotonic() > end or len(trial.faults) > 50:
                break
            trial.send(source)
            if count % 100 == 99:
                trial.check()

    try:
        threads = [threading.Thread(target=client, args=(one,)) for one in range(clients)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        trial.check()
        trial.finish()
    finally:
        trial.kill()
        shutil.rmtree(folder)
    return trial.counts, trial.faults


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=15)
    options = parser.parse_args()
    counts, faults = attack(options.seed, seconds=options.seconds)
    print("\n".join(f"| {name} | {count:,} |" for name, count in sorted(counts.items())))
    for fault in faults:
        print("FAULT", *fault)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
