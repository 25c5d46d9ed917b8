"""Random requests with random arguments: each is answered, and the adapter goes on."""

from __future__ import annotations

import random

import pytest

from support.dap_client import DapProcess

CODE = """\
class web(Integer $port = 80) {
  $list = [1, { 'a' => 'b' }]
  $list.each |$item| {
    notice($item)
  }
}
include web
"""
COMMANDS = """
setBreakpoints setFunctionBreakpoints setDataBreakpoints setExceptionBreakpoints breakpointLocations
threads source loadedSources pause stackTrace scopes variables evaluate setVariable setExpression
dataBreakpointInfo completions exceptionInfo continue next stepIn stepOut cancel configurationDone
restart nonsense initialize
"""
NAMES = """
source breakpoints lines frameId variablesReference name value expression context threadId startFrame
levels start count filter text column line sourceReference filters filterOptions
"""
VALUES = (
    *(None, 0, 1, 2, -1, 1.5, True, "", "x", "$port", "$port + 1", "warning", [], {}, [[]]),
    {"path": "site.pp"},
    [{"line": 2}],
    [{"line": -3, "condition": "$port ==", "hitCondition": "often"}],
    [{"name": "web"}],
    [{"name": ""}],
    [{"dataId": "$web::port"}],
    ["error"],
)


@pytest.mark.parametrize("seed", range(3))
def test_each_request_is_answered(tmp_path, seed):
    chance = random.Random(seed)
    (tmp_path / "site.pp").write_text(CODE)
    client = DapProcess(tmp_path)
    client.begin({"program": "site.pp", "node": "a", "stopOnEntry": True})
    client.go()
    for _ in range(150):
        command = chance.choice(COMMANDS.split())
        names = [] if command == "restart" else chance.sample(NAMES.split(), chance.randint(0, 6))
        arguments = {name: chance.choice(VALUES) for name in names}
        answer = client.response(client.send(command, arguments))
        assert answer["success"] or answer["message"]
    assert client.close() == 0
