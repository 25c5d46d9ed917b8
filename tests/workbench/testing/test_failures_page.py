"""The messages of the plugin on docs/testing-failures.md are those of this version."""

from tools import write_failures_page as tool


def test_the_page_has_the_messages_of_the_plugin(tmp_path):
    folder = tmp_path.resolve()
    tool.write_suites(folder)
    found = [one.replace(str(folder), "/work") for one in tool.messages_of_pytest(folder)]
    assert tool.ours_on_page(tool.PAGE.read_text(encoding="utf-8")) == found
