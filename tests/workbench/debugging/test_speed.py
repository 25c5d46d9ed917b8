"""A run without breakpoints costs little more than one without the debugger."""

from __future__ import annotations

from time import process_time

from bunraku.engine.compile import compile_catalog
from support.debugging import DrivenDebugger

CODE = """\
class site(Integer $count = 400) {
  Integer[1, $count].each |$index| {
    $even = $index % 2 == 0
    if $even {
      $text = "even ${index}"
    } else {
      $text = "odd ${index}"
    }
    site::entry { "entry ${index}": text => $text }
  }
}
define site::entry(String $text) {
  $options = { 'a' => $text, 'b' => [$text, $text] }
  notify { $title: message => $options['b'].join(' ') }
  file { "/etc/${title}":
    ensure  => file,
    content => $text,
  }
}
include site
"""
MOST = 1.3


def seconds(*actions):
    """Return the least processor time of each action in runs in turn."""
    found = [[] for _ in actions]
    for _ in range(10):
        for action, times in zip(actions, found, strict=True):
            begin = process_time()
            action()
            times.append(process_time() - begin)
    return map(min, found)


def test_a_run_without_breakpoints_takes_little_more(tmp_path):
    path = tmp_path / "site.pp"
    path.write_text(CODE)
    driven = DrivenDebugger(path)
    plain, debugged = seconds(
        lambda: compile_catalog(driven.request, lambda _entry: None), driven.run
    )
    assert debugged <= MOST * plain
    assert driven.error is None
