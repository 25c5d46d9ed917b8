"""Reports of a migration as one HTML page that needs no other file."""

from __future__ import annotations

import html

from bunraku.cli.diff.groups import marked
from bunraku.cli.diff.text import lines_of
from bunraku.cli.migration.text import changed_files, comparisons, edit_lines, severity, summary
from bunraku.cli.output.output import Paint
from bunraku.cli.report.excerpt import visible
from bunraku.cli.report.findings import where
from bunraku.migrate.findings import Finding
from bunraku.migrate.run import Migration, NodeOutcome

PAGE = """\
<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Migration to {version}</title>
<meta name="viewport" content="width=device-width">
<style>
body {{ font-family: sans-serif; margin: 2em; max-width: 90em; }}
input, select {{ font: inherit; padding: .2em .4em; }}
input {{ width: 24em; max-width: 100%; }}
article {{ border-left: 4px solid #c69026; margin: 1em 0; padding: .1em 1em; background: #fafafa; }}
article.error {{ border-color: #a40e26; }}
article.fixed {{ border-color: #116329; }}
article h2 {{ font-size: 100%; margin: .5em 0; }}
article p {{ margin: .4em 0; }}
.place {{ font-family: monospace; font-weight: normal; }}
.badge {{ border: 1px solid; border-radius: .3em; font-size: 80%; padding: 0 .4em; }}
pre {{ background: #fff; border: 1px solid #ddd; margin: .4em 0; overflow-x: auto; padding: .5em; }}
.warning {{ color: #7d4e00; }} .error {{ color: #a40e26; }} .fixed {{ color: #116329; }}
article.warning, article.error, article.fixed {{ color: inherit; }}
.add {{ color: #116329; }} .del {{ color: #a40e26; }}
[hidden] {{ display: none !important; }}
</style></head><body>
<h1>Migration to {version}</h1>
<p>{summary}</p>
{refuted}{files}<p><input type="search" id="filter" placeholder="file, rule or text"
 aria-label="show only findings with this text">
<select id="severity" aria-label="severity"><option value="">all severities</option>
<option value="error">errors</option><option value="warning">warnings</option>
<option value="fixed">fixed</option></select> <span id="shown"></span></p>
{findings}
{nodes}<script>
const field = document.getElementById("filter"), kind = document.getElementById("severity");
function update() {{
  const wanted = field.value.toLowerCase();
  let count = 0;
  for (const item of document.querySelectorAll("article")) {{
    item.hidden = !item.textContent.toLowerCase().includes(wanted)
      || (kind.value !== "" && !item.classList.contains(kind.value));
    count += !item.hidden;
  }}
  document.getElementById("shown").textContent = count + " findings";
}}
field.addEventListener("input", update);
kind.addEventListener("change", update);
</script>
</body></html>
"""
MARKS = {"+": "add", "-": "del"}


def as_html(found: Migration, _paint: Paint, *, fixed: bool) -> str:
    """Return a page with each finding, a filter, and the catalogs of each node compared."""
    return PAGE.format(
        version=found.version,
        summary=escaped(summary(found, fixed=fixed)),
        refuted=refuted_html(found),
        files=files_html(found) if fixed else "",
        findings="".join(finding_html(finding, fixed) for finding in found.findings),
        nodes="".join(map(node_html, found.outcomes)),
    )


def escaped(text: str) -> str:
    """Return text for a page."""
    return html.escape(visible(text.rstrip("\n")))


def refuted_html(found: Migration) -> str:
    """Return the reasons why the edits failed verification."""
    reasons = found.refutations() if found.edited else []
    if not reasons:
        return ""
    items = "".join(f"<li>{escaped(reason)}</li>\n" for reason in reasons)
    return f'<p class="error">The edits failed verification:</p>\n<ul>\n{items}</ul>\n'


def files_html(found: Migration) -> str:
    """Return the files that were changed."""
    items = "".join(f"<li>{escaped(path)} ({count})</li>\n" for path, count in changed_files(found))
    return f"<p>Changed files (edits):</p>\n<ul>\n{items}</ul>\n" if items else ""


def finding_html(finding: Finding, fixed: bool) -> str:
    """Return a finding: its place and rule, the code, the observation, and the edit."""
    span = finding.span
    state = "fixed" if fixed and finding.fixed else severity(finding)
    place = where(span.source.path or None, *span.position)
    code = "\n".join(map(visible, span.source.text[span.start : span.end].split("\n")))
    parts = [
        (
            f'<article class="{state}">\n<h2><span class="badge {state}">{state}</span> '
            f"{escaped(finding.rule.title)} ({escaped(finding.rule.id)}) "
            f'<span class="place">{escaped(place)}</span></h2>\n'
        ),
        f"<p>{escaped(finding.rule.change)} <em>Instead:</em> {escaped(finding.rule.instead)}.</p>\n",
        f"<pre>{html.escape(code)}</pre>\n",
    ]
    if finding.values:
        parts.append(f"<p>Seen: <code>{escaped(', '.join(finding.values))}</code></p>\n")
    if finding.old or finding.new:
        old, new = escaped(finding.old or "valid"), escaped(finding.new or "another value")
        parts.append(f"<p>Was <code>{old}</code>, becomes <code>{new}</code></p>\n")
    if finding.edits:
        parts.append(f"<p>Edit:</p>\n<pre>{edit_html(finding)}</pre>\n")
    return "".join([*parts, "</article>\n"])


def edit_html(finding: Finding) -> str:
    """Return the edit of a finding, lines that change in colour."""
    lines = edit_lines(finding)
    if len(lines) == 1:
        return escaped(lines[0])
    return "".join(
        f'<span class="{MARKS.get(line[:1], "")}">{html.escape(visible(line))}</span>\n'
        for line in lines
    )


def node_html(outcome: NodeOutcome) -> str:
    """Return a node's catalogs compared; differences are folded."""
    parts = [f"<h2>{escaped(outcome.node)}</h2>\n"]
    if outcome.failure is not None:
        parts.append(f'<p class="error">{escaped(outcome.failure.message)}</p>\n')
    for title, comparison in comparisons(outcome):
        if comparison.status == "same":
            parts.append(f"<p>the same catalog {escaped(title)}</p>\n")
            continue
        lines = [
            f'<span class="{MARKS.get(mark, "")}">{html.escape(text)}</span>\n'
            for mark, text in marked(lines_of(comparison))
        ]
        parts.append(
            f"<details><summary>catalogs differ {escaped(title)}</summary>\n"
            f"<pre>{''.join(lines)}</pre></details>\n"
        )
    return "".join(parts)
