"""Faults of PuppetDB's storage, counted.

``PYTHONPATH=src:tests python tests/puppetdb/faults.py --kills 200 --large 500``

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
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from bunraku.puppetdb.commands.metadata import Metadata, file_part
from bunraku.puppetdb.commands.process import Options
from bunraku.puppetdb.commands.queue import Queue
from bunraku.puppetdb.commands.worker import Worker
from bunraku.puppetdb.databases.sqlite import SqliteDatabase
from bunraku.puppetdb.databases.statement import Statement
from bunraku.puppetdb.server.commands import Intake, answer_command
from bunraku.puppetdb.timestamps import to_text
from bunraku.web.http import Request
from support.puppetdb_commands import catalog, changed, edge, facts, report, resource

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


def serve(folder, start, feeders):
    """Accept and store commands; without feeders, only what the queue has."""
    database = SqliteDatabase(f"{folder}/site.sqlite")
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


def kill_often(kills, folder):
    """Kill processes, and return what was counted."""
    sent, accepted, left = set(), set(), 0
    for number in range(kills):
        for line in run(folder, FIRST + number * 10**6, FEEDERS, random.uniform(0.02, 0.4)):
            words = line.split()
            if words[:1] == ["sent"] and len(words) == 4:
                sent.add((words[1], words[2], int(words[3])))
            elif words[:1] == ["accepted"] and len(words) == 4:
                accepted.add((words[1], words[2], int(words[3])))
            elif words[:1] == ["log"]:
                raise AssertionError(line)
        left += len(os.listdir(f"{folder}/site.queue"))
    run(folder, 0, 0, None)
    return {"kills": kills, "in the queue after a kill": left} | compare(folder, sent, accepted)


def run(folder, start, feeders, seconds):
    """Run a process, kill it after a time, and return the lines that it wrote."""
    with subprocess.Popen(
        [sys.executable, __file__, "--serve", folder, str(start), str(feeders)],
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


def compare(folder, sent, accepted):
    """Compare the database with the commands that were accepted."""
    database = SqliteDatabase(f"{folder}/site.sqlite")

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
        "integrity_check": rows("PRAGMA integrity_check")[0][0],
        "foreign_key_check": len(rows("PRAGMA foreign_key_check")),
        "discarded": len(os.listdir(f"{folder}/site.discarded")),
        "left in the queue": len(os.listdir(f"{folder}/site.queue")),
    }
    database.close()
    return result


# -- large commands ----------------------------------------------------------------------------------


def large(folder, megabytes):
    """Send a large command to servers with and without a limit; return what was seen."""
    found = {}
    for name, limit in (("refused by its size", 100 * MEGABYTE), ("accepted, then refused", 0)):
        here = f"{folder}/{limit}"
        os.mkdir(here)
        database = SqliteDatabase(f"{here}/site.sqlite")
        queue = Queue(f"{here}/site.queue", f"{here}/site.discarded")
        options = Options(most_bytes=100 * MEGABYTE)
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
    parser.add_argument("--serve", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        folder, start, feeders = options.serve
        serve(folder, int(start), int(feeders))
        return
    random.seed(options.seed)
    folder = tempfile.mkdtemp(prefix="bunraku-faults-")
    try:
        if options.kills:
            print(f"seed {options.seed}\n" + table(kill_often(options.kills, folder)))
        if options.large:
            for name, result in large(folder, options.large).items():
                print(f"{options.large} MB, {name}\n" + table(result))
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
