"""Resource types in Ruby with attributes and titles of many shapes, and the manifests that use them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rigs.modules.uses import manifests, schemas

DEFINITION = "Puppet::Type.newtype(:{name}) do\n{body}\nend\n"
KEYED = "newparam(:name) {{ isnamevar }}\nnewparam(:version) {{ isnamevar }}\nnewproperty(:size)"
PATTERNS = "def self.title_patterns\n[{patterns}]\nend\n"
BODIES = {
    "plain": "ensurable\nnewparam(:name)\nnewproperty(:size)",
    "renamed": "newparam(:path, namevar: true)\nnewparam(:name)\nnewproperty(:size)",
    "titled": "newparam(:title, namevar: true)\nnewproperty(:size)",
    "aliased": "newparam(:name)\nnewparam(:alias)\nnewproperty(:size)",
    "loose": "@isomorphic = false\nnewparam(:name)\nnewproperty(:size)",
    "several": "newparam(:name) { isnamevar }\nnewparam(:version) { isnamevar }",
    "halves": PATTERNS.format(patterns=r"[/\A(?:(.*)@)?(.*)\z/m, [[:version], [:name]]]")
    + KEYED.format(),
    "slashes": PATTERNS.format(
        patterns=r"[%r{\A([^/]*)\z}, [[:section]]], [%r{\A(.*)/(.*)\z}, [[:section], [:setting]]]"
    )
    + "newparam(:section) { isnamevar }\nnewparam(:setting) { isnamevar }\nnewparam(:name)",
    "identity": PATTERNS.format(patterns="[/(.*)/m, [[:name, lambda { |x| x }]]]") + KEYED.format(),
    "strict": PATTERNS.format(patterns=r"[/\A(\w+) (\w+)\z/, [[:name], [:version]]]")
    + KEYED.format(),
    "trimmed": PATTERNS.format(patterns=r"[%r{\A(.*?)/*\z}m, [[:path]]]")
    + "newparam(:path) { isnamevar }\nnewproperty(:size)",
    "partly": PATTERNS.format(patterns=r"[%r{\A(?:x)?(/.*)?}m, [[:path]]]")
    + "newparam(:path) { isnamevar }\nnewproperty(:size)",
}
"""The bodies of the types by their names."""


def requests(folder: Path) -> list[dict[str, Any]]:
    """Return batch requests that use each of the types, whose module is written into a folder."""
    types = folder / "m/lib/puppet/type"
    types.mkdir(parents=True)
    for name, body in BODIES.items():
        (types / f"{name}.rb").write_text(DEFINITION.format(name=name, body=body), "utf-8")
    return [
        {
            "id": f"{schema.name} {number}",
            "code": code,
            "as_file": True,
            "modulepath": [str(folder)],
            "node": "n",
        }
        for schema in schemas(folder, "m")
        for number, code in enumerate(manifests(schema))
    ]


def result(answer: Any) -> list[Any]:
    """Return what is compared: the text and the place of an error, or the resources and notices."""
    error = answer["error"]
    if error is not None:
        text = str(error.get("text") or error.get("full") or error["message"])
        places = [error.get(one) for one in ("line", "pos", "file")]
        return [text.removesuffix(" on node n"), *places]
    resources = [
        [f"{one['type']}[{one['title']}]", list(one["parameters"].items())]
        for one in answer["resources"] + answer["virtual"]
    ]
    return [resources, [one["message"] for one in answer["notices"]]]
