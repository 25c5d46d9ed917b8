"""YAML as the commands print it."""

from __future__ import annotations

from typing import Any


def yaml_text(data: Any) -> str:
    """YAML in the order of the data, without anchors.

    >>> yaml_text({"b": [1], "a": "true"})
    "b:\\n- 1\\na: 'true'\\n"
    """
    import yaml  # a heavy one

    class Dumper(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc]
        """The safe dumper, without anchors and aliases."""

        def ignore_aliases(self, data: Any) -> bool:
            return True

    text: str = yaml.dump(data, Dumper=Dumper, sort_keys=False, allow_unicode=True)
    return text
