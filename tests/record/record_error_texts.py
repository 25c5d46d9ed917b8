"""Record the texts of Puppet's errors for the programs of ``tests/data/error_texts.json``.

    record_error_texts.py ORACLE [PROGRAMS]

PROGRAMS has further programs, a JSON string on each line. Programs without an error are left out.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.error_texts import request
from support.recorded import recorded, write_recorded


def main(oracle: str, programs: str | None = None) -> None:
    """Ask for all programs again, and write the table."""
    codes = [row[0] for row in recorded("error_texts")]
    if programs is not None:
        codes += map(json.loads, Path(programs).read_text(encoding="utf-8").splitlines())
    asked = "".join(json.dumps(request(code)) + "\n" for code in dict.fromkeys(codes))
    command = ["ruby", "--disable=error_highlight,did_you_mean,rubyopt", oracle]
    done = subprocess.run(command, input=asked.encode(), stdout=subprocess.PIPE, check=True)
    rows = []
    for code, line in zip(dict.fromkeys(codes), done.stdout.splitlines(), strict=True):
        error = json.loads(line)["error"]
        if error:
            rows.append([code, error.get("full") or error["message"]])
    write_recorded("error_texts", rows)


if __name__ == "__main__":
    main(*sys.argv[1:])
