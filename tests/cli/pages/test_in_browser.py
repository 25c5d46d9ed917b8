"""Pages in headless Chromium: no horizontal scrolling, sorting and filtering."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from bunraku.cli.main import main
from bunraku.cli.pages import model
from bunraku.cli.pages.changes import texts_diff
from bunraku.cli.pages.model import Badge, Code, Column, DiffLine, Place
from bunraku.cli.pages.render import page_html

CHROMIUM = shutil.which("chromium")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
EXAMPLES = Path(__file__).parents[3] / "examples"
LONG = "long" * 60


def run(folder: Path, text: str, script: str, width: int):
    """Return what a function body returns in a page of that width; it runs after the page's script.

    The page is in a frame, because windows of Chromium are 500 pixels wide or more.
    """
    file = folder / "frame.html"
    end = (
        "<script>parent.document.getElementById('result').textContent ="
        f" JSON.stringify((() => {{ {script} }})())</script></body>"
    )
    inner = html.escape(text.replace("</body>", end))
    file.write_text(
        "<!DOCTYPE html><pre id='result'></pre>"
        f'<iframe width="{width}" height="900" style="border: 0" srcdoc="{inner}"></iframe>',
        encoding="utf-8",
    )
    command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
    done = subprocess.run(
        [
            *("nice", "-n", "10", *command, f"--user-data-dir={folder}/profile"),
            *("--window-size=1400,1000", "--virtual-time-budget=2000", "--dump-dom"),
            file.as_uri(),
        ],
        capture_output=True,
        text=True,
        check=True,
        timeout=240,
    )
    found = re.search(r'<pre id="result">(.*?)</pre>', done.stdout, re.DOTALL)
    assert found, done.stderr
    return json.loads(html.unescape(found[1]))


def wide_page() -> str:
    """A page whose texts have no place for a line break."""
    columns = (
        Column("Severity", filtered=True, narrow=True),
        Column("Place"),
        Column("N", "number"),
    )
    rows = [
        (
            Badge("error" if number % 2 else "warning"),
            Place(f"{LONG}.pp", number),
            (number * 7) % 10,
        )
        for number in range(10)
    ]
    lines = [DiffLine("-", LONG), DiffLine("+", LONG)]
    diffs = [model.Diff(lines), texts_diff(f"a {LONG}", f"b {LONG}", "side")]
    entry = model.Entry(Badge("changed"), LONG, [*diffs, Code(f"${LONG} = 1")], Place(LONG, 1))
    groups = [
        model.Group(LONG, [entry, model.Listing([LONG])], words="apples"),
        model.Group("second", [model.Entry(Badge("added"), "pears")]),
        model.Group("third", [model.Paragraph("plums")]),
    ]
    return page_html(
        model.Page(
            LONG,
            LONG,
            [model.Tile(LONG, "1")],
            [
                model.Section("Groups", groups, filtered=True),
                model.Section("Table", [model.Table("All", columns, rows)]),
                model.Section("Tree", [model.Tree([model.Branch(LONG, [model.Branch(LONG)])])]),
            ],
        )
    )


def migration(capfd, _folder, monkeypatch) -> str:
    monkeypatch.chdir(EXAMPLES / "puppet-3")
    main(["migrate", "manifests", "--facts-folder", "facts", "--format", "html"])
    return capfd.readouterr().out


def difference(capfd, folder, _monkeypatch) -> str:
    for side, mode in (("a", "0644"), ("b", "0600")):
        (folder / side).mkdir()
        for node in ("n1", "n2"):
            resource = {"type": "File", "title": f"/{LONG}", "parameters": {"mode": mode}}
            data = {"name": node, "resources": [resource]}
            (folder / side / f"{node}.json").write_text(json.dumps(data))
    main(["diff", str(folder / "a"), str(folder / "b"), "--format", "html"])
    return capfd.readouterr().out


def profile(_capfd, folder, monkeypatch) -> str:
    monkeypatch.chdir(EXAMPLES / "control-repo")
    target = folder / "profile.html"
    main(["compile", "--node", "web01.example.com", "--profile", str(target)])
    return target.read_text(encoding="utf-8")


def parts(*_fixtures) -> str:
    return wide_page()


@pytest.mark.parametrize("width", [400, 1280])
@pytest.mark.parametrize("make", [parts, migration, difference, profile])
def test_pages_do_not_scroll_horizontally(make, width, capfd, tmp_path, monkeypatch):
    text = make(capfd, tmp_path, monkeypatch)
    script = "return [innerWidth, document.documentElement.scrollWidth]"
    found, scrolled = run(tmp_path, text, script, width)
    assert found == width
    assert scrolled <= width


def test_tables_are_sorted_and_filtered(tmp_path):
    script = """
const rows = () => [...document.querySelectorAll("tbody tr")].filter(row => !row.hidden)
  .map(row => Number(row.cells[2].dataset.sort));
const button = document.querySelectorAll("th button")[2], found = [];
button.click(); found.push(rows());
button.click(); found.push(rows());
found.push(document.querySelectorAll("th")[2].getAttribute("aria-sort"));
const choice = document.querySelector("[data-table] select");
choice.value = "error"; choice.dispatchEvent(new Event("change")); found.push(rows());
choice.value = ""; choice.dispatchEvent(new Event("change"));
const field = document.querySelector("[data-table] input");
field.value = ".pp:3"; field.dispatchEvent(new Event("input")); found.push(rows());
return found;
"""
    assert run(tmp_path, wide_page(), script, 1280) == [
        list(range(10)),
        list(range(9, -1, -1)),
        "descending",
        [9, 7, 5, 3, 1],
        [1],
    ]


def test_groups_are_filtered(tmp_path):
    script = """
const field = document.querySelector("[data-filtered] input");
return ["", "APPLES", "pears", "plums", "none"].map(text => {
  field.value = text; field.dispatchEvent(new Event("input"));
  return [...document.querySelectorAll(".group")].map(group => !group.hidden);
});
"""
    assert run(tmp_path, wide_page(), script, 1280) == [
        [True, True, True],
        [True, False, False],
        [False, True, False],
        [False, False, True],
        [False, False, False],
    ]


def test_colours_have_enough_contrast(tmp_path):
    """WCAG 2.2, 1.4.3: at least 4.5 to 1 for text."""
    script = """
const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
const light = colour => {
  canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
  const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map(one => {
    const part = one / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const background = element => {
  for (let one = element; one; one = one.parentElement) {
    const colour = getComputedStyle(one).backgroundColor;
    if (colour !== "rgba(0, 0, 0, 0)") return colour;
  }
};
const poor = [];
for (const theme of ["light", "dark"]) {
  document.documentElement.dataset.theme = theme;
  for (const element of document.querySelectorAll("body *")) {
    if (![...element.childNodes].some(node => node.nodeType === 3 && node.data.trim())) continue;
    const pair = [light(getComputedStyle(element).color), light(background(element))].sort((a, b) => b - a);
    const contrast = (pair[0] + 0.05) / (pair[1] + 0.05);
    if (contrast < 4.5) poor.push([theme, element.className, element.tagName, contrast]);
  }
}
return poor;
"""
    words = texts_diff("mode => 1 # why", "mode => 2 # why")
    code = Code("# why\nclass a { $b = [1, 'x', /y/, Integer] }", marked=(6, 11))
    badges = [Badge(tone or "plain", tone) for tone in ("", "error", "warning", "good", "info")]
    tiles = [model.Tile(tone or "plain", "1", tone) for tone in ("error", "warning", "good")]
    page = model.Page("t", "s", tiles, [model.Section("s", [words, code, *badges, Place("a", 1)])])
    assert run(tmp_path, page_html(page), script, 1280) == []
