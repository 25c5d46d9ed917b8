"""Ask a real PuppetDB and ours the same random queries: by hand, with a real one that runs.

    python tests/puppetdb/compare_queries.py http://127.0.0.1:8080 [--count 5000] [--seed 1] [--load]
        [--record FILE --every 20]

``--load`` sends the recorded load to the real one first, which must be empty. Prints each difference;
the exit code is 1 if there is one. ``--record`` writes every so many queries with the real answers.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import urllib.error
import urllib.parse
import urllib.request
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from bunraku.puppetdb.databases.sqlite import SqliteDatabase
from bunraku.web.http import Response
from puppetdb.random_queries import Queries, values_of
from support.puppetdb import ask, command, difference, lines, load, shown

SECONDS = 60
SHOWN = 600


def real_answer(base: str, item: dict[str, Any]) -> dict[str, Any]:
    """Return the answer of the real PuppetDB in the form of the recorded ones."""
    url = f"{base}{item['path']}?{urllib.parse.urlencode(item['params'])}"
    try:
        with urllib.request.urlopen(url, timeout=SECONDS) as found:
            status, headers, body = found.status, dict(found.headers), found.read()
    except urllib.error.HTTPError as error:
        status, headers, body = error.code, dict(error.headers), error.read()
    text = body.decode("utf-8", "replace")
    if status != 200:
        return {"status": status, "text": text[:600]}
    lower = {name.lower(): value.replace(" ", "").lower() for name, value in headers.items()}
    made = shown(item, Response(status, lower, [text]))
    return {"status": status, **{key: value for key, value in made.items() if key != "value"}}


def statuses_matter(item: dict[str, Any]) -> bool:
    """Return whether the real one gives an answer, not an error of its own."""
    return bool(item["answer"]["status"] != 500)


def send_load(base: str) -> None:
    """Send the recorded load, one command after the other."""
    for item in lines("load.jsonl"):
        one = command(item)
        query = urllib.parse.urlencode(
            {
                "command": one.name.replace(" ", "_"),
                "version": one.version,
                "certname": one.certname,
                "secondsToWaitForCompletion": 30,
            }
        )
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        request = urllib.request.Request(f"{base}/pdb/cmd/v1?{query}", one.payload, headers)
        with urllib.request.urlopen(request, timeout=SECONDS) as found:
            found.read()


def main() -> int:
    """Compare; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("base", metavar="URL")
    parser.add_argument("--count", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--load", action="store_true")
    parser.add_argument("--record", type=Path)
    parser.add_argument("--every", type=int, default=20)
    options = parser.parse_args()
    if options.load:
        send_load(options.base)
    statuses: Counter[int] = Counter()
    differences, recorded = 0, []
    with tempfile.TemporaryDirectory() as folder:
        database = SqliteDatabase(f"{folder}/puppetdb.sqlite")
        load(database)
        queries = Queries(options.seed, values_of(database))
        for number, item in enumerate(queries.items(options.count)):
            item["answer"] = real_answer(options.base, item)
            statuses[item["answer"]["status"]] += 1
            ours = ask(database, item)
            found = difference(item, ours) if statuses_matter(item) else None
            if found:
                differences += 1
                print(f"{item['id']}: {found}\n    {item['params']['query']}", flush=True)
                print(f"    real: {json.dumps(item['answer'])[:SHOWN]}")
                again = shown(item, ask(database, item)) if ours.status == 200 else {}
                print(f"    ours: {json.dumps(again)[:SHOWN]}", flush=True)
            if number % options.every == 0:
                recorded.append(item)
        database.close()
    if options.record:
        text = "".join(json.dumps(item, ensure_ascii=False) + "\n" for item in recorded)
        options.record.write_text(text, encoding="utf-8")
    print(
        f"{options.count} queries, {differences} differ; statuses {dict(sorted(statuses.items()))}"
    )
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
