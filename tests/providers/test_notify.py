"""The resource type notify."""

from __future__ import annotations

from support.applying import apply
from support.host import MemoryHost


def test_a_message_is_logged_and_counts_as_a_change() -> None:
    done = apply(MemoryHost(), "notify { 'hello': }")

    assert done.lines == [
        "Notice: hello",
        "Notice: /Stage[main]/Main/Notify[hello]/message: defined 'message' as 'hello'",
    ]
    assert done.report.exit_code() == 2


def test_a_secret_message_is_redacted() -> None:
    done = apply(MemoryHost(), "notify { 'title': message => Sensitive('hidden') }")

    assert "hidden" not in repr(done)
    assert done.lines[0] == "Notice: Sensitive [value redacted]"
