"""Messages over standard input and output."""

from __future__ import annotations

import subprocess
import sys

WAITING_READER = """
from threading import Thread
from bunraku.web.message_stream import MessageStream, standard_streams

Thread(target=MessageStream(*standard_streams()).read, daemon=True).start()
print("an answer would not be JSON")
"""


def test_a_process_ends_while_a_thread_waits_for_a_message():
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", WAITING_READER], **pipes, text=True) as process:
        assert process.wait(60) == 0
        assert process.stdout.read() == ""
        assert process.stderr.read() == "an answer would not be JSON\n"
