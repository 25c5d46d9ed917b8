"""Render ERB templates: without Ruby if their code can be translated, otherwise with Ruby."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Callable, Sequence
from functools import partial
from types import TracebackType
from typing import Any

from bunraku.base.bounded_cache import BoundedCache
from bunraku.base.disk_cache import DiskCache
from bunraku.base.records import record
from bunraku.compiler.code_names import cache_key, remember_text
from bunraku.ruby.process import issues
from bunraku.ruby.process.bridge import bridge_of, dynamic_find
from bunraku.ruby.run.scope import Attempt, Context, Journal, journal_of
from bunraku.ruby.schema.cache import reader_fingerprint
from bunraku.ruby.syntax.erb import Unsupported
from bunraku.ruby.values.helpers import HELPERS
from bunraku.ruby.values.objects import NeedsRuby
from bunraku.runtime.binary_texts import unmarked
from bunraku.runtime.state import Scope
from bunraku.world.protocol import World
from bunraku.world.recording import is_this_machine

Value = Any
MOST_TEMPLATES = 5_000


@record()
class Template:
    """A template: its bytes and text, and its function, or why there is none."""

    content: bytes
    text: str
    render: Callable[[Context], str] | None = None
    reason: str = ""
    line: int = 0

    @property
    def plain(self) -> bool:
        """Whether there is nothing but text."""
        return "<%" not in self.text


TEMPLATES: BoundedCache[tuple[str | None, bool], Template] = BoundedCache(
    "ERB templates", MOST_TEMPLATES
)
"""Templates of files by path, those given as text by text; and whether they are Puppet 3's."""


def template_of_file(world: World, path: str, content: bytes, old: bool) -> Template:
    """Return the template of a file; since Puppet 4, without a byte order mark."""
    found = TEMPLATES.get((path, old))
    if found is None or found.content != content:
        body = content if old else content.removeprefix(BOM_UTF8)
        text = body.decode("utf-8", "surrogateescape")
        found = make_template(content, text, path, old, is_this_machine(world))
        TEMPLATES.keep((path, old), found)
    return found


def template_of_text(text: str, old: bool) -> Template:
    """Return a template that is given as text."""
    key = (f"<%{text}", old)  # no path begins so
    found = TEMPLATES.get(key)
    if found is None:
        content = text.encode("utf-8", "surrogatepass")
        found = make_template(content, text, None, old, keep=False)
        TEMPLATES.keep(key, found)
    return found


def make_template(content: bytes, text: str, path: str | None, old: bool, keep: bool) -> Template:
    """Compile a template, or take its code from the disk."""
    made = Template(content, text)
    if made.plain:
        return made
    cache = DiskCache() if keep else None
    key = cache_key(content, path or "", f"erb {old}", reader_fingerprint())
    code = None if cache is None else cache.read(key)
    if code is None:
        name = path or f"<erb {key[:12]}>"
        from bunraku.ruby.secrets import holds_secret
        from bunraku.ruby.translate.compile import compile_template

        try:
            code = compile_template(text, name, old)
        except Unsupported as reason:
            code = refusal(reason, name)
        if cache is not None and not holds_secret(text):
            cache.write(key, code)
    if path is None:
        remember_text(code.co_filename, text)
    namespace: dict[str, Any] = {}
    exec(code, HELPERS, namespace)
    made.render = namespace.get("template")
    made.reason, made.line = namespace.get("reason", ("", 0))
    return made


def refusal(reason: Unsupported, name: str) -> Any:
    """Return code that records why a template needs Ruby so that the cache keeps the reason."""
    return compile(f"reason = {(reason.what, reason.line)!r}", name, "exec", dont_inherit=True)


# -- rendering -------------------------------------------------------------------------------------


def render(scope: Scope, template: Template, file: str | None, name: str) -> str:
    """Return the text of a template."""
    watch = scope.compilation.watch_template
    if watch is not None:
        watch(scope, file, template.text)
    if template.plain:
        return template.text
    journal = journal_of(scope.compilation)
    ruby = journal.ruby
    if ruby is not None and ruby.active:
        # Ruby code that runs may have changed values that are not sent back yet.
        return rendered_by_ruby(scope, template, file, name, " (inside Ruby code)")
    if template.render is None:
        if journal.attempt is not None:
            raise NeedsRuby(f"a template that needs Ruby for {template.reason}")
        why = need(template.reason, template.line)
        return rendered_by_ruby(scope, template, file, name, why)
    find: Callable[[str], Value] = scope.find
    if scope.compilation.rules.templates_see_callers:
        find = partial(dynamic_find, scope)
    if journal.attempt is not None:
        return whole(template.render(Context(scope, journal.attempt, find)))
    found = outermost(journal, scope, template, find, (file, name))
    return unmarked(scope.compilation, found)


def outermost(
    journal: Journal,
    scope: Scope,
    template: Template,
    find: Callable[[str], Value],
    names: tuple[str | None, str],
) -> str:
    """Return the text of a template that is not being rendered; Ruby runs it if necessary."""
    attempt = journal.attempt = Attempt(journal)
    try:
        assert template.render is not None  # the caller looked
        found = whole(template.render(Context(scope, attempt, find)))
    except NeedsRuby as reason:
        attempt.undo()
        journal.attempt = None
        why = need(str(reason), line_in(reason.__traceback__, template))
        return by_ruby(journal, attempt, scope, template, names, why)
    finally:
        journal.attempt = None
        attempt.commit()
    return found


def by_ruby(
    journal: Journal,
    attempt: Attempt,
    scope: Scope,
    template: Template,
    names: tuple[str | None, str],
    why: str,
) -> str:
    """Return a template rendered by Ruby, without repeating effects that already happened."""
    rest = len(journal.replay)
    journal.replay.extendleft(reversed(attempt.effects))
    try:
        return rendered_by_ruby(scope, template, *names, why)
    finally:
        while len(journal.replay) > rest:
            journal.replay.popleft()


def rendered_by_ruby(
    scope: Scope, template: Template, file: str | None, name: str, why: str
) -> str:
    """Return a template rendered by Ruby; a recorded compile can do that again if it only computes."""
    bridge = bridge_of(scope.compilation)
    with bridge.code.template(template.text, file, name):
        return bridge.render(scope, template.text, file, name, why)


def whole(text: str) -> str:
    """Return the text of a template; reject bytes that are not UTF-8."""
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            raise NeedsRuby("text that is not UTF-8") from None
    return text


def need(reason: str, line: int) -> str:
    """Return why Ruby is needed, for the error when Ruby is missing."""
    return f" (line {line}: {reason})" if line else f" ({reason})"


def line_in(trace: TracebackType | None, template: Template) -> int:
    """Return the line of the template that an exception came from."""
    assert template.render is not None  # it ran
    file, line = template.render.__code__.co_filename, 0
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == file:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def render_file(scope: Scope, name: str, path: str) -> str:
    """Return an ERB template of a file."""
    compilation = scope.compilation
    try:
        content = compilation.world.read(path)
    except OSError as error:
        reason = error.strerror or str(error)
        raise issues.TEMPLATE_FAILED(
            name=name, message=reason, place=f" (file: {path})", file=path, line=1
        ) from None
    old = compilation.rules.templates_see_callers
    return render(scope, template_of_file(compilation.world, path, content, old), path, name)


def render_text(scope: Scope, texts: Sequence[str]) -> str:
    """ERB texts, one after the other."""
    old = scope.compilation.rules.templates_see_callers
    return "".join(render(scope, template_of_text(text, old), None, "") for text in texts)
