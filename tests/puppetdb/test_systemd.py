"""The messages of ``bunraku puppetdb`` to systemd, and a reload."""

from __future__ import annotations

import os
import signal
import subprocess
import urllib.request

from support.own_server import COMMAND, wait_for
from support.systemd import Messages


def test_systemd_is_notified_and_a_reload_opens_the_access_log_again(tmp_path):
    notify, log = str(tmp_path / "notify"), tmp_path / "access.log"
    environment = {**os.environ, "NOTIFY_SOCKET": notify, "WATCHDOG_USEC": "200000"}
    words = ["puppetdb", "--listen", "127.0.0.1:0", "--database", str(tmp_path / "db.sqlite")]
    with (
        Messages(notify) as messages,
        subprocess.Popen(
            [*COMMAND, *words, "--access-log", str(log)],
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ) as process,
    ):
        try:
            url = messages.next("READY=1").partition("STATUS=serves on ")[2]
            messages.next("WATCHDOG=1")
            log.rename(tmp_path / "access.log.1")
            process.send_signal(signal.SIGHUP)
            assert "MONOTONIC_USEC=" in messages.next("RELOADING=1")
            messages.next("READY=1")
            with urllib.request.urlopen(f"{url}/pdb/meta/v1/version") as response:
                assert response.status == 200
            wait_for(lambda: "/pdb/meta/v1/version" in log.read_text(), "the request is logged")
            process.send_signal(signal.SIGTERM)
            messages.next("STOPPING=1")
            assert process.wait(60) == 0
        finally:
            process.kill()
