"""The site of ``bunraku docs --format html``: its links, its index, and that secrets are not in it."""

from __future__ import annotations

import json
import posixpath
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from bunraku.cli import exits
from bunraku.cli.main import main
from bunraku.workbench.docs.markup import paragraphs_html

CASES = Path(__file__).parents[1] / "workbench/docs/cases"
SECRETS = ("ENC[PKCS7,MIIBeQ", "plain-password", "in-the-code", "in-a-default", "converted")
FILES = {
    "environment.conf": "modulepath = site:modules\n",
    "hiera.yaml": """\
version: 5
defaults: {datadir: data, data_hash: yaml_data}
hierarchy:
  - name: nodes
    path: "nodes/%{trusted.certname}.yaml"
  - name: common
    lookup_key: eyaml_lookup_key
    paths: [common.eyaml, common.yaml]
    options: {pkcs7_private_key: /x, pkcs7_public_key: /y}
""",
    "data/common.yaml": """\
profile::web::port: 8080
profile::web::db_password: plain-password
profile::web::options:
  workers: 4
lookup_options:
  profile::web::cookie: {convert_to: Sensitive}
profile::web::cookie: converted
""",
    "data/common.eyaml": "profile::web::key: ENC[PKCS7,MIIBeQ]\nprofile::web::user: www\n",
    "data/nodes/web1.yaml": "\nprofile::web::port: 8443\n",
    "site/role/manifests/web.pp": "# @summary A web server.\nclass role::web { include profile::web }\n",
    "site/profile/manifests/web.pp": """\
# @summary Serves pages.
#
# Uses `profile::port` and [role::web](role::web).
# @param port The port.
# @see role::web
class profile::web (
  Profile::Port $port,
  Sensitive[String] $db_password = Sensitive('in-a-default'),
  Hash $options = {},
  String $cookie = '',
  String $key = '',
  String $user = 'nobody',
) {
  $token = Sensitive.new('in-the-code')
}
""",
    "site/profile/types/port.pp": "# @summary A port.\ntype Profile::Port = Integer[1, 65535]\n",
    "site/profile/metadata.json": '{"name": "a-profile", "version": "0.1.0"}',
}


class Links(HTMLParser):
    """The links of a page, and the places that it has."""

    def __init__(self, text):
        super().__init__()
        self.links = []
        self.places = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.links += [given[name] for name in ("href", "src") if name in given]
        self.places += [given["id"]] if "id" in given else []


def read_site(folder):
    """The texts of the files of a site."""
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in folder.rglob("*")
        if path.is_file()
    }


def broken_links(files):
    """The links of a site that lead to no page, or to no place on it."""
    pages = {path: Links(text) for path, text in files.items() if path.endswith(".html")}
    links = [(path, link) for path, page in pages.items() for link in page.links]
    index = files["search-index.js"].removeprefix("window.searchIndex = ").removesuffix(";\n")
    links += [("index.html", row[2]) for row in json.loads(index)]
    for path, link in links:
        if re.match(r"https?://", link):
            continue
        target, _, place = link.partition("#")
        target = (
            posixpath.normpath(posixpath.join(posixpath.dirname(path), target)) if target else path
        )
        if target not in files or (place and place not in pages[target].places):
            yield path, link


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    """The site of a control repository."""
    root = tmp_path_factory.mktemp("control")
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    assert main(["docs", str(root), "--format", "html"]) == exits.OK
    return read_site(root / "reference")


@pytest.mark.parametrize("name", ["stage", "workshop"])
def test_links_of_a_module(name, tmp_path):
    main(["docs", str(CASES / name), "--format", "html", "--out", str(tmp_path)])
    files = read_site(tmp_path)
    assert list(broken_links(files)) == []
    for path, page in ((path, Links(text)) for path, text in files.items() if ".html" in path):
        assert len(page.places) == len(set(page.places)), path


def test_links_of_a_repository(repository):
    assert list(broken_links(repository)) == []


def test_no_secret_is_shown(repository):
    whole = "".join(repository.values())
    assert [one for one in SECRETS if one in whole] == []


def test_values_that_data_sets(repository):
    page = re.sub(r"<[^>]+>", "", repository["classes/profile.web.html"])
    assert re.search(r"data/nodes/web1.yaml:2\s*8443", page)
    assert re.search(r"data/common.yaml:1\s*8080", page)
    assert re.search(r"data/common.eyaml:2\s*'www'", page)
    assert page.count("hidden: a secret") == 3


def test_types_and_names_are_linked(repository):
    page = repository["classes/profile.web.html"]
    assert '<a href="../type-aliases/Profile.Port.html">Profile::Port</a>' in page
    assert page.count('<a href="web.html">') == 0
    assert page.count('href="role.web.html"') == 2


def test_equal_runs_give_equal_sites(repository, tmp_path):
    root = tmp_path / Path("control0")
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    main(["docs", str(root), "--format", "html"])
    assert read_site(root / "reference") == repository


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>"),
        ("[x](javascript:alert)", "<p>x</p>"),
        ("```puppet\n<a>\n```", '<pre class="code"><code>&lt;a&gt;</code></pre>'),
        (
            "text:\n\n    code\n      more",
            '<p>text:</p><pre class="code"><code>code\n  more</code></pre>',
        ),
        ("1. one\n2. two", "<ol><li>one</li><li>two</li></ol>"),
        (
            "- one\n  - inner\n- two",
            "<ul><li><p>one</p><ul><li>inner</li></ul></li><li>two</li></ul>",
        ),
        ("# Title", "<h3>Title</h3>"),
        ("a_b_c *x*", "<p>a_b_c <em>x</em></p>"),
        (
            "| a | b |\n|---|---|\n| 1 | 2 |",
            (
                "<table><thead><tr><th>a</th><th>b</th></tr></thead>"
                "<tbody><tr><td>1</td><td>2</td></tr></tbody></table>"
            ),
        ),
        ("one<br />two <br onclick=x>", "<p>one<br>two &lt;br onclick=x&gt;</p>"),
        (
            "> **Note:** a\n> b\n\nc",
            "<blockquote><p><strong>Note:</strong> a\nb</p></blockquote><p>c</p>",
        ),
        ("``a`b`` `", "<p><code>a`b</code> `</p>"),
        ("`" * 30_000, f"<p>{'`' * 30_000}</p>"),
        (">" * 3000, f'<pre class="code"><code>{"&gt;" * 3000}</code></pre>'),
        ("see https://e.org/a.", '<p>see <a href="https://e.org/a">https://e.org/a</a>.</p>'),
    ],
)
def test_markup(text, expected):
    assert paragraphs_html(text, lambda _name: None) == expected


def test_unreadable_data(tmp_path, capfd):
    for name, text in {**FILES, "hiera.yaml": "version: 5\nhierarchy: 1\n"}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert main(["docs", str(tmp_path), "--format", "html"]) == exits.OK
    assert "[DOCS_UNREADABLE_DATA]" in capfd.readouterr().err
