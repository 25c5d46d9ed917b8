"""Request every page of Puppetboard on the demonstration of ``bunraku puppetdb``.

``PYTHONPATH=src:tests python tests/puppetdb/puppetboard.py --python VENV/bin/python``

VENV has the package ``puppetboard``. A page must answer with status 200 and show what the site has:
tables have rows, documents have values. ``--pictures DIR`` takes pictures of some pages by Chromium.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

ROOT = Path(__file__).parents[2]
NODES = 12
SECONDS = 120
READY = re.compile(r"PuppetDB on http://([\d.]+):(\d+)")
RUNNING = re.compile(r"Running on (http://[\d.:]+)")
RULES = """
import json
from puppetboard.app import app
print("rules", json.dumps([[str(rule), sorted(rule.methods)] for rule in app.url_map.iter_rules()]))
"""
EMPTY = {
    "/<env>/radiator": "a screen with numbers",
    "/radiator": "a screen with numbers",
    "/status": "the word OK",
}
"""Pages without a table."""
WITHOUT_PAGE = {
    "/static/<path:filename>": "files of the dashboard, not of the database",
    "/offline/<path:filename>": "files of the dashboard, not of the database",
}
PICTURES = {
    "puppetboard-overview": "/",
    "puppetboard-node": "/node/{node}",
    "puppetboard-report": "/report/{node}/{report}",
}


@contextmanager
def started(words, pattern, stream, **environment):
    """Run a program until it prints a line that fits; yield the match."""
    process = subprocess.Popen(
        words,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT if stream == "both" else None,
        text=True,
        env={**os.environ, **environment},
    )
    try:
        shown = []
        for line in process.stdout:
            shown.append(line)
            found = pattern.search(line)
            if found:
                break
        else:
            raise SystemExit(f"{words[0]} ended:\n{''.join(shown)}")
        yield found, process
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


@contextmanager
def dashboard(python, folder):
    """Run the demonstration and Puppetboard on it; yield the addresses of both, and the rules."""
    words = [sys.executable, "-m", "bunraku", "puppetdb", "demo", "--no-project"]
    options = ["--database", f"{folder}/demo.db", "--nodes", str(NODES), "--listen", "127.0.0.1:0"]
    paths = {"PYTHONPATH": str(ROOT / "src")}
    with started([*words, *options], READY, "own", **paths) as (found, _):
        host, port = found[1], found[2]
        environment = {
            "PUPPETBOARD_SETTINGS": "docker_settings.py",
            "PUPPETDB_HOST": host,
            "PUPPETDB_PORT": port,
            "SECRET_KEY": "demo",
            "ENABLE_CATALOG": "true",
            "ENABLE_CLASS": "true",
            "OFFLINE_MODE": "true",
            "LOGLEVEL": "warning",
            "PYTHONUNBUFFERED": "1",
            "PYTHONPATH": "",
        }
        listing = subprocess.run(
            [python, "-c", RULES],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, **environment},
        )
        rules = json.loads(re.search(r"rules (.*)", listing.stdout)[1])
        words = [python, "-m", "flask", "--app", "puppetboard.app", "run", "--port", "0"]
        with started(words, RUNNING, "both", **environment) as (found, board):
            drain(board)
            yield f"http://{host}:{port}", found[1], rules


def drain(process):
    """Read and drop what a program prints so that it never waits."""
    threading.Thread(target=lambda: list(process.stdout), daemon=True).start()


def get(url, data=None):
    """Return status and text of an answer."""
    try:
        with urllib.request.urlopen(url, data, timeout=SECONDS) as response:
            return response.status, response.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode("utf-8", "replace")


def query(database, text):
    """Return the rows of a query of the database."""
    return json.loads(get(f"{database}/pdb/query/v4?query={quote(text)}")[1])


def values_of(database):
    """Return values of the variable parts of rules."""
    changed = query(database, 'reports { status = "changed" and latest_report? = true limit 1 }')[0]
    nodes = [row["certname"] for row in query(database, "nodes[certname] { order by certname }")]
    other = next(name for name in nodes if name != changed["certname"])
    events = query(database, f'events[containing_class] {{ report = "{changed["hash"]}" }}')
    names = sorted({row["containing_class"] for row in events} - {None})
    return {
        "env": changed["environment"],
        "node": changed["certname"],
        "node_name": changed["certname"],
        "compare": changed["certname"],
        "against": other,
        "report_id": changed["hash"],
        "report": changed["hash"],
        "fact": "operatingsystem",
        "value": "Debian",
        "metric": "puppetlabs.puppetdb.population:name=num-nodes",
        "status": "changed",
        "show_error_as": "friendly",
        "class_name": names[0],
    }


def address(rule, values):
    """Return the path of a rule with values for its variable parts."""
    return re.sub(r"<(?:\w+:)?(\w+)>", lambda found: quote(values[found[1]]), rule)


def fault(rule, status, text):
    """Return what is wrong with a page; None if it is right."""
    if status != 200:
        return f"status {status}: {' '.join(text.split())[:300]}"
    if rule.endswith(("/json", ".json")):
        return None if has_rows(json.loads(text)) else f"no rows: {text[:300]}"
    if rule in EMPTY:
        return None
    if "</html>" not in text:
        return f"not a page: {text[:300]}"
    return None


def has_rows(document):
    """Return whether a document that fills a table has rows."""
    if isinstance(document, dict) and "recordsTotal" in document:
        return bool(document["recordsTotal"] and document["data"])
    return bool(document["data"] if isinstance(document, dict) and "data" in document else document)


def visit(database, board, rules):
    """Request all pages; return what is wrong, by rule, and the number of pages."""
    values, faults, count = values_of(database), {}, 0
    for rule, methods in sorted(rules):
        if rule in WITHOUT_PAGE or "GET" not in methods:
            continue
        path = address(rule, values)
        parameters = "?draw=1&start=0&length=10" if rule.endswith("json") else ""
        found = fault(rule, *get(f"{board}{path}{parameters}"))
        count += 1
        if found:
            faults[f"{rule} ({path})"] = found
    return faults, count


def take_pictures(board, database, folder):
    """Take pictures of some pages."""
    values = values_of(database)
    for name, path in PICTURES.items():
        target = board + path.format(node=values["node"], report=values["report"])
        subprocess.run(
            [
                *("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"),
                *("--window-size=1280,900", "--virtual-time-budget=8000"),
                *(f"--screenshot={folder}/{name}.png", target),
            ],
            check=True,
            capture_output=True,
            timeout=SECONDS,
        )


def trial(python, pictures=None):
    """Return what is wrong with the pages of Puppetboard, and how many there are."""
    folder = tempfile.mkdtemp(prefix="bunraku-puppetboard-")
    try:
        with dashboard(python, folder) as (database, board, rules):
            begin = time.monotonic()
            found = visit(database, board, rules)
            if pictures:
                take_pictures(board, database, pictures)
            print(f"{time.monotonic() - begin:.0f} seconds")
        return found
    finally:
        shutil.rmtree(folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--pictures", metavar="DIR")
    options = parser.parse_args()
    faults, count = trial(options.python, options.pictures)
    print(f"{count} pages, {len(faults)} with faults")
    for rule, found in faults.items():
        print(f"FAULT {rule}: {found}")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
