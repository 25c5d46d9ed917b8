"""Faults of PuppetDB's storage, counted.

``PYTHONPATH=src:tests python tests/puppetdb/faults.py --kills 200 --large 500``
``PYTHONPATH=src:tests python tests/puppetdb/faults.py --kills 60 --postgresql --full-disk --locks 100``

A process accepts and stores commands until it is killed at a random moment; the next one continues
with the same files. In the end, every accepted command must be in the database, which must be intact.
``test_faults.py`` runs a few of them.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource as limits
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import ExitStack, closing
from pathlib import Path

from bunraku.puppetdb.commands.metadata import Metadata, file_part
from bunraku.puppetdb.commands.process import ProcessingOptions
from bunraku.puppetdb.commands.queue import Queue
from bunraku.puppetdb.commands.worker import Schedule, Worker
from bunraku.puppetdb.databases.opening import open_database
from bunraku.puppetdb.databases.sqlite import SqliteDatabase
from bunraku.puppetdb.databases.statement import Statement
from bunraku.puppetdb.server.commands import Intake, answer_command
from bunraku.puppetdb.timestamps import to_text
from bunraku.web.http import Request
from support.postgresql_server import running_server
from support.puppetdb_commands import catalog, changed, edge, facts, report, resource
from support.small_disk import small_disk

ROOT = Path(__file__).parents[2]
ENVIRONMENT = {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}:{ROOT / 'tests'}"}
FIRST = 1_767_225_600_000
NODES = 10
FEEDERS = 3
KINDS = {
    "facts": ("replace facts", 5),
    "catalog": ("replace catalog", 9),
    "report": ("store report", 8),
}
MEGABYTE = 1 << 20


def payload(kind, node, stamp):
    """Return a command that carries its own time as content."""
    time_ = to_text(stamp)
    if kind == "facts":
        found = facts(node, 1, stamp=stamp, shared={"list": [1, 2], "of": node})
    elif kind == "catalog":
        parts = [resource(title=f"/{number}", line=number) for number in range(10)]
        own = resource(title="/own", parameters={"stamp": stamp})
        found = catalog(node, 1, [*parts, own], [edge(part, own) for part in parts])
    else:
        found = report(node, 1, resources=[changed()], configuration_version=str(stamp))
    return json.dumps({**found, "producer_timestamp": time_}).encode()


# -- the process that is killed ----------------------------------------------------------------------


def say(*words):
    """Write a line at once."""
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


def serve(folder, name, start, feeders):
    """Accept and store commands; without feeders, only what the queue has."""
    database = open_database(name)
    queue = Queue(f"{folder}/site.queue", f"{folder}/site.discarded")
    worker = Worker(database, queue, lambda line: say("log", line))
    worker.start()
    say("ready")
    threads = [
        threading.Thread(target=feed, args=(queue, start + number, feeders), daemon=True)
        for number in range(feeders)
    ]
    for thread in threads:
        thread.start()
    while feeders or queue.depth:
        time.sleep(0.01)
    worker.stop()
    queue.close()
    database.close()


def feed(queue, start, step):
    """Send commands, and say which were accepted."""
    for count, stamp in enumerate(range(start, start + 10**9, step)):
        kind = list(KINDS)[count % 3]
        node = f"node{random.randrange(NODES)}"
        command, version = KINDS[kind]
        uuid = f"00000000-0000-0000-0000-{stamp % 10**12:012}"
        upload = queue.receive(Metadata(command, version, file_part(node), stamp, stamp, "", uuid))
        say("sent", kind, node, stamp)
        content = payload(kind, node, stamp)
        upload.write(content[:200])
        upload.write(content[200:])
        upload.commit()
        say("accepted", kind, node, stamp)


# -- the process that kills --------------------------------------------------------------------------


def kill_often(kills, folder, name=None):
    """Kill processes that use a database, and return what was counted."""
    name = name or f"{folder}/site.sqlite"
    sent, accepted, left = set(), set(), 0
    for number in range(kills):
        start = FIRST + number * 10**6
        for line in run(folder, name, start, FEEDERS, random.uniform(0.02, 0.4)):
            words = line.split()
            if words[:1] == ["sent"] and len(words) == 4:
                sent.add((words[1], words[2], int(words[3])))
            elif words[:1] == ["accepted"] and len(words) == 4:
                accepted.add((words[1], words[2], int(words[3])))
            elif words[:1] == ["log"]:
                raise AssertionError(line)
        queue = Queue(f"{folder}/site.queue", f"{folder}/site.discarded")
        left += queue.depth
        queue.close()
    run(folder, name, 0, 0, None)
    counts = {"kills": kills, "in the queue after a kill": left}
    return counts | compare(folder, name, sent, accepted)


def run(folder, name, start, feeders, seconds):
    """Run a process, kill it after a time, and return the lines that it wrote."""
    with subprocess.Popen(
        [sys.executable, __file__, "--serve", folder, name, str(start), str(feeders)],
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
        env=ENVIRONMENT,
    ) as process:
        first = process.stdout.readline()
        assert first == "ready\n", first
        lines = []
        reader = threading.Thread(target=lambda: lines.extend(process.stdout))
        reader.start()
        if seconds is not None:
            time.sleep(seconds)
            process.send_signal(signal.SIGKILL)
        status = process.wait()
        reader.join()
    assert status == (0 if seconds is None else -signal.SIGKILL), lines[-3:]
    return lines


def compare(folder, name, sent, accepted):
    """Compare the database with the commands that were accepted."""
    database = open_database(name)

    def rows(text):
        return list(database.rows(Statement(text), 600))

    reports = {stamp for kind, _, stamp in accepted if kind == "report"}
    possible = {stamp for kind, _, stamp in sent if kind == "report"}
    stored = {int(stamp) for (stamp,) in rows("SELECT configuration_version FROM reports")}
    newest = {}
    for kind, node, stamp in accepted:
        newest[kind, node] = max(stamp, newest.get((kind, node), 0))
    lost = len(reports - stored)
    for kind, table in (("facts", "factsets"), ("catalog", "catalogs")):
        query = f"SELECT certname, producer_timestamp FROM {table} JOIN nodes ON nodes.id = node_id"
        found = dict(rows(query))
        lost += sum(
            found.get(node, 0) < stamp for (one, node), stamp in newest.items() if one == kind
        )
    wrong = rows(
        "SELECT count(*) FROM factsets JOIN facts USING (node_id) JOIN fact_values AS v"
        " ON v.id = value_id AND v.name = 'stamp' WHERE v.value != CAST(producer_timestamp AS TEXT)"
    )
    ((events,),) = rows("SELECT count(*) FROM events")
    result = {
        "accepted": len(accepted),
        "lost": lost,
        "never sent": len(stored - possible),
        "reports without their event": len(stored) - events,
        "facts of another factset": wrong[0][0],
        "discarded": len(os.listdir(f"{folder}/site.discarded")),
        "left in the queue": len(os.listdir(f"{folder}/site.queue")),
    }
    if isinstance(database, SqliteDatabase):
        result["integrity_check"] = rows("PRAGMA integrity_check")[0][0]
        result["foreign_key_check"] = len(rows("PRAGMA foreign_key_check"))
    database.close()
    return result


# -- a locked database -------------------------------------------------------------------------------


def locked(folder, locks, while_locked=5):
    """Send commands while another program keeps the database locked; return the counts."""
    path = f"{folder}/locked.sqlite"
    database = SqliteDatabase(path)
    database.writer.execute("PRAGMA busy_timeout = 50")
    queue = Queue(f"{folder}/site.queue", f"{folder}/site.discarded")
    lines = []
    worker = Worker(database, queue, lines.append, schedule=Schedule(longest_pause=0.1))
    worker.start()
    found = {"locks": locks, "refused with status 503": 0}
    sent, accepted, stamp = set(), set(), FIRST
    with closing(sqlite3.connect(path, isolation_level=None, timeout=60)) as other:
        for _ in range(locks):
            other.execute("BEGIN IMMEDIATE")
            for _ in range(while_locked):
                stamp += 1
                send_one(Intake(queue, worker), stamp, sent, accepted, found)
            while not worker.unavailable:
                time.sleep(0.01)
            other.execute("ROLLBACK")
            while queue.depth or worker.unavailable:
                time.sleep(0.01)
    worker.stop()
    queue.close()
    database.close()
    found["attempts that failed"] = sum("locked" in line for line in lines)
    return found | compare(folder, path, sent, accepted)


# -- a full disk -------------------------------------------------------------------------------------


def full_disk(folder, megabytes=16):
    """Send commands until the disk is full, and after it has space again; return the counts."""
    with small_disk(folder, megabytes):
        ballast = Path(folder, "ballast")
        ballast.write_bytes(bytes(megabytes * MEGABYTE // 2))
        database = SqliteDatabase(f"{folder}/site.sqlite")
        queue = Queue(f"{folder}/site.queue", f"{folder}/site.discarded")
        lines = []
        worker = Worker(database, queue, lines.append, schedule=Schedule(longest_pause=0.1))
        worker.start()
        found = {"refused with status 503": 0, "space was missing to the database": 0}
        sent, accepted, stamp = set(), set(), FIRST
        while found["refused with status 503"] < 20:
            stamp += 1
            send_one(Intake(queue, worker), stamp, sent, accepted, found)
        commands = queue.depth
        ballast.unlink()
        for later in range(stamp + 1, stamp + 31):
            send_one(Intake(queue, worker), later, sent, accepted, found)
        while queue.depth:
            time.sleep(0.01)
        worker.stop()
        queue.close()
        database.close()
        found["space was missing to the database"] = sum("full" in line for line in lines)
        found["commands in the queue of the full disk"] = commands
        return found | compare(folder, f"{folder}/site.sqlite", sent, accepted)


def send_one(intake, stamp, sent, accepted, found):
    """Send a command, and note whether it was accepted."""
    kind = list(KINDS)[stamp % 3]
    node = f"node{random.randrange(NODES)}"
    command, version = KINDS[kind]
    parameters = {"command": command, "version": str(version), "certname": node}
    parameters["producer-timestamp"] = to_text(stamp)
    request = Request("POST", "/pdb/cmd/v1", parameters, {}, [payload(kind, node, stamp)])
    sent.add((kind, node, stamp))
    status = answer_command(intake, request).status
    if status == 200:
        accepted.add((kind, node, stamp))
    else:
        found[f"refused with status {status}"] = found.get(f"refused with status {status}", 0) + 1


# -- large commands ----------------------------------------------------------------------------------


def large(folder, megabytes):
    """Send a large command to servers with and without a limit; return what was seen."""
    found = {}
    for name, limit in (("refused by its size", 100 * MEGABYTE), ("accepted, then refused", 0)):
        here = f"{folder}/{limit}"
        os.mkdir(here)
        database = SqliteDatabase(f"{here}/site.sqlite")
        queue = Queue(f"{here}/site.queue", f"{here}/site.discarded")
        options = ProcessingOptions(most_bytes=100 * MEGABYTE)
        worker = Worker(database, queue, lambda _line: None, options)
        before = limits.getrusage(limits.RUSAGE_SELF).ru_maxrss
        begin = time.monotonic()
        piece = b" " * MEGABYTE
        parameters = {"command": "replace_facts", "version": "5", "certname": "a"}
        request = Request("POST", "/pdb/cmd/v1", parameters, {}, (piece for _ in range(megabytes)))
        status = answer_command(Intake(queue, worker, limit), request).status
        worker.start()
        while queue.depth:
            time.sleep(0.01)
        worker.stop()
        queue.close()
        database.close()
        grown = (limits.getrusage(limits.RUSAGE_SELF).ru_maxrss - before) / 1024
        found[name] = {
            "status": status,
            "seconds": round(time.monotonic() - begin, 1),
            "more memory, MB": round(grown),
            "discarded": len(os.listdir(f"{here}/site.discarded")) // 2,
        }
    return found


def table(result):
    """Return counts as rows of a table in Markdown."""
    return "\n".join(f"| {name} | {value} |" for name, value in result.items())


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--large", type=int, metavar="MB", help="send commands of this size")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--postgresql", action="store_true", help="kill on a private PostgreSQL")
    parser.add_argument("--full-disk", action="store_true", help="fill a small disk (root only)")
    parser.add_argument("--locks", type=int, default=0, help="lock the database so often")
    parser.add_argument("--serve", nargs=4, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        folder, name, start, feeders = options.serve
        serve(folder, name, int(start), int(feeders))
        return
    random.seed(options.seed)
    folder = tempfile.mkdtemp(prefix="bunraku-faults-")
    try:
        if options.kills:
            with ExitStack() as stack:
                name = None
                if options.postgresql:
                    name = stack.enter_context(running_server()).create("faults")
                print(f"seed {options.seed}\n" + table(kill_often(options.kills, folder, name)))
        if options.locks:
            print("a locked database\n" + table(locked(folder, options.locks)))
        if options.full_disk:
            Path(folder, "disk").mkdir()
            print("a full disk\n" + table(full_disk(f"{folder}/disk")))
        if options.large:
            for name, result in large(folder, options.large).items():
                print(f"{options.large} MB, {name}\n" + table(result))
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
