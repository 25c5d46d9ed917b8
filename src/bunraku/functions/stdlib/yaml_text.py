"""The functions that write YAML."""

from __future__ import annotations

from typing import Any

from bunraku.formats.failure import Unwritable
from bunraku.formats.yaml_writer import psych_text
from bunraku.functions.declaration import FunctionTable
from bunraku.functions.stdlib import issues
from bunraku.functions.stdlib.serialization import rewrapped

Value = Any
function = FunctionTable()
careful = FunctionTable()


@function("to_yaml(Any $data, Hash $options = {})", since="4.20.0", until="8.6.0")
@function("stdlib::to_yaml(Any $data, Hash $options = {})", since="9.0.0")
def to_yaml(data: Value, options: Value = None) -> str:
    r"""Write a value as YAML; options are those of Ruby, such as indentation and line_width.

    ```puppet
    to_yaml({'a' => ['x', 'yes']}) == "---\na:\n- x\n- 'yes'\n"
    ```
    """
    try:
        return psych_text(data, options or {})
    except Unwritable as error:
        raise issues.NOT_WRITTEN(name="to_yaml", actual=str(error), format="YAML") from None


@careful("stdlib::to_yaml(Any $data, Hash $options = {})", since="9.8.0")
def careful_to_yaml(data: Value, options: Value = None) -> Value:
    """Write a value as YAML; Sensitive when anything in it is."""
    return rewrapped(data, lambda opened: to_yaml(opened, options))
