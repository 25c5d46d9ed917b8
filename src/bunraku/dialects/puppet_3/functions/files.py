"""Functions of Puppet 3 that read files, run programs and render ERB templates."""

from __future__ import annotations

from bunraku.dialects.puppet_3.functions.table import Table, need_text
from bunraku.dialects.puppet_3.values import plain_text
from bunraku.functions.core import files, templates
from bunraku.runtime.callables import Value
from bunraku.runtime.state import Scope

function = Table()


@function.api_3("file", 1)
def file(scope: Scope, *paths: Value) -> Value:
    """Return the content of the first file that exists: absolute, or of a module's ``files``."""
    return files.file(scope, *(need_text("file", path) for path in paths))


@function.api_3("generate", 1)
def generate(scope: Scope, program: Value, *arguments: Value) -> Value:
    """Return the output of a program, run in its own folder when the catalog is compiled."""
    return files.generate(scope, program, *map(plain_text, arguments))


@function.api_3("template", 1)
def template(scope: Scope, *paths: Value) -> Value:
    """Render ERB templates of files (``module/name.erb``), one after the other."""
    return templates.template(scope, *(need_text("template", path) for path in paths))


@function.api_3("inline_template", 1)
def inline_template(scope: Scope, *texts: Value) -> Value:
    """Render ERB texts, one after the other."""
    return templates.inline_template(scope, *(need_text("inline_template", text) for text in texts))
