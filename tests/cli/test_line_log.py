"""Logs on a full disk: lines are left out, and the log says so when there is space again."""

from __future__ import annotations

import os

from bunraku.jobs.serving.line_log import LineLog


def test_lines_are_counted_while_the_disk_is_full(tmp_path):
    path = tmp_path / "log"
    full = os.open("/dev/full", os.O_WRONLY)
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    now = [file]
    log = LineLog(lambda: now[0])
    log.write("one\n")
    now[0] = full
    log.write("two\n")
    log.write("three\n")
    now[0] = file
    log.write("four\n")
    log.write("five\n")
    os.close(full)
    os.close(file)
    assert path.read_text() == ("one\n2 lines are missing: No space left on device\nfour\nfive\n")
