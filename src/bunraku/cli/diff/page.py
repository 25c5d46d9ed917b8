"""Differences of catalogs as one HTML page that needs no other file."""

from __future__ import annotations

import html

from bunraku.cli.diff.groups import Group, Report, groups_of, marked, totals
from bunraku.cli.output.output import Paint
from bunraku.cli.report.excerpt import visible

PAGE = """\
<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width">
<style>
body {{ font-family: sans-serif; margin: 2em; }}
pre {{ background: #f6f8fa; padding: 1em; overflow-x: auto; }}
summary {{ cursor: pointer; font-weight: bold; padding: .3em 0; }}
input {{ font: inherit; width: 24em; max-width: 100%; padding: .2em .4em; }}
.nodes {{ color: #555; font-size: 90%; }}
.item {{ display: block; }}
.add {{ color: #116329; }} .del {{ color: #a40e26; }} .mark {{ color: #0550ae; }}
[hidden] {{ display: none !important; }}
</style></head><body>
<h1>{title}</h1>
<p>{total}</p>
<p><input type="search" id="filter" placeholder="node, resource or text"
 aria-label="show only changes with this text"> <span id="shown"></span></p>
{groups}<script>
const field = document.getElementById("filter"), shown = document.getElementById("shown");
field.addEventListener("input", () => {{
  const wanted = field.value.toLowerCase();
  let count = 0;
  for (const group of document.querySelectorAll("details")) {{
    const whole = group.dataset.nodes.toLowerCase().includes(wanted);
    let any = false;
    for (const item of group.querySelectorAll(".item")) {{
      item.hidden = !whole && !item.textContent.toLowerCase().includes(wanted);
      if (!item.hidden) {{ any = true; count += 1; }}
    }}
    group.hidden = !any;
  }}
  shown.textContent = wanted ? count + " changes" : "";
}});
</script>
</body></html>
"""
CLASSES = {"+": "add", "-": "del", "@": "mark"}


def as_html(report: Report, _paint: Paint) -> str:
    """Return a page with the changes of each group of nodes, and a field that filters them."""
    return PAGE.format(
        title=html.escape(visible(f"Catalog changes: {report.old} → {report.new}")),
        total=html.escape(totals(report.nodes).text()),
        groups="".join(map(group_html, groups_of(report.nodes))),
    )


def group_html(group: Group) -> str:
    """Return the section of a group of nodes."""
    names = html.escape(visible(", ".join(group.nodes)))
    items = []
    for item in group.items:
        lines = [
            f'<span class="{CLASSES.get(mark, "same")}">{html.escape(text)}</span>\n'
            for mark, text in marked(item.lines)
        ]
        items.append(f'<span class="item">{"".join(lines)}</span>')
    nodes = f'<p class="nodes">{names}</p>\n' if len(group.nodes) > 1 else ""
    title = html.escape(visible(group.title))
    return (
        f'<details open data-nodes="{names}"><summary>{title}</summary>\n'
        f"{nodes}<pre>{''.join(items)}</pre></details>\n"
    )
