"""Reports and the site in headless Chromium: no error, no request, right verdicts, on a phone too.

Skipped where there is no Chromium; the pages of the site also where MAGICERT_SITE does not name a
site that has been built (`make site`). CI has both.
"""

import base64
import html
import json
import os
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from magicert.data import find_table
from magicert.table import read_table
from magicert.table.write import write_table

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--allow-file-access-from-files", "--enable-logging=stderr", "--virtual-time-budget=20000",
)  # fmt: skip
HERE = Path(__file__).parent
PHONE = 360


@pytest.fixture
def opened(tmp_path):
    """Open a page: its DOM once loaded. No message on the console, no request to anywhere; the
    browser asks Google's hosts of its own accord.
    """
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser is None:
        pytest.skip("there is no Chromium (Debian's package chromium)")
    log = tmp_path / "net.json"
    words = [browser, *FLAGS, f"--user-data-dir={tmp_path / 'profile'}", f"--log-net-log={log}"]

    def open_page(url):
        done = subprocess.run(
            [*words, "--dump-dom", url], capture_output=True, text=True, check=False, timeout=120
        )
        assert done.returncode == 0, done.stderr[-2000:]
        assert [line for line in done.stderr.splitlines() if ":CONSOLE" in line] == []
        sent = r'"traffic_annotation":(\d+),"url":"((?:http|ws|ftp)[^"]*)"'
        google = re.compile(r"https?://[\w.-]+\.google(apis)?\.com/")
        asked = re.findall(sent, log.read_text("utf-8"))
        assert [url for by, url in asked if by == "101845102" or not google.match(url)] == [], (
            "that number marks what a page asks for"
        )
        return done.stdout

    return open_page


def told(dom: str) -> Any:
    """What a page of this file's own says, in the element `told`."""
    (said,) = re.findall(r'<pre id="told">(.*?)</pre>', dom, re.DOTALL)
    return json.loads(html.unescape(said))


def widths(opened: Any, folder: Path, pages: list[str]) -> dict[str, int]:
    """How wide the content of pages is on a phone."""
    text = (HERE / "frames.html").read_text().replace("PAGES", json.dumps(pages))
    (folder / "frames.html").write_text(text.replace("WIDTH", str(PHONE)), "utf-8")
    return dict(told(opened((folder / "frames.html").as_uri())))


@pytest.mark.cases_of("a_request_and_an_error_are_noticed.tsv")
def test_a_request_and_an_error_are_noticed(opened, tmp_path, page):
    path = tmp_path / "bad.html"
    path.write_text(f"<!DOCTYPE html><meta charset=utf-8>{page}", "utf-8")
    with pytest.raises(AssertionError):
        opened(path.as_uri())


def test_reports_fit_a_phone_and_ask_for_nothing(run, opened, tmp_path, half_board):
    """Of a valid, an invalid, a two-level, a packed and a half table, of two of other boards, the
    second one wrong, and the atlas.
    """
    nasty = '</script><script>console.error("escaped")</script><img src="http://x.invalid/">'
    write_table(replace(half_board, name="a half"), tmp_path / "half.toml")
    write_table(replace(read_table(find_table("carp")).table, name=nasty), tmp_path / "nasty.toml")
    horse = find_table("fairy_horse").read_text("utf-8")
    wrong = re.sub(r"(?<=\")0x\w{32}", f"0x{1:032x}", horse, count=1)
    (tmp_path / "wrong_horse.toml").write_text(wrong, "utf-8")
    shipped = ["surge", "olah_bad_4425a97", "black_two_level", "black", "pikafish_cannon"]
    for name in [*shipped, *tmp_path.glob("*.toml")]:
        output = tmp_path / f"{Path(name).stem}.html"
        assert run("report", name, "-o", output).exit_code in (0, 1)
    assert run("atlas", "--html", tmp_path / "atlas.html").exit_code == 0
    wide = "<!DOCTYPE html><meta charset=utf-8><pre style=width:500px>x</pre>"
    (tmp_path / "too_wide.html").write_text(wide, "utf-8")
    pages = sorted(path.name for path in tmp_path.glob("*.html"))
    assert len(pages) == 10
    found = widths(opened, tmp_path, pages)
    assert [page for page in pages if found[page] > PHONE] == ["too_wide.html"]


# -- the site


@pytest.fixture(scope="session")
def site() -> Path:
    named = os.environ.get("MAGICERT_SITE")
    if not named:
        pytest.skip("MAGICERT_SITE names no site: make site builds one")
    folder = Path(named).resolve()
    assert (folder / "index.html").is_file()
    return folder


@pytest.mark.parametrize(
    ("name", "verdict"),
    [("surge", "valid"), ("olah_bad_4425a97", "invalid"), ("ankan_byte", "not decided here")],
)
def test_a_link_carries_the_input_and_a_paste_is_never_markup(site, opened, name, verdict):
    nasty = "<img src=http://x.invalid onerror=console.error(1)><script>console.error(2)</script>"
    text = find_table(name).read_text("utf-8").replace('name = "', f'name = "{nasty}', 1)
    packed = base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")
    dom = opened(f"{(site / 'docs' / 'check-my-magics.html').as_uri()}#t={packed}")
    answer = dom[dom.index('id="answer"') :]
    assert f'data-verdict="{verdict}"' in answer[:300]
    assert re.search(r'data-milliseconds="(\d+)"', answer)
    assert "<img" not in answer
    assert answer.count('class="board"') == (12 if verdict == "invalid" else 0)
    if name == "surge":
        for said in ("squares could have fewer bits", "0xcae2002cac99fffa", "&lt;img"):
            assert said in answer


def test_a_file_is_dropped_or_chosen_and_a_repair_taken(site, opened, tmp_path):
    page = tmp_path / "given.html"
    address = (site / "docs" / "check-my-magics.html").as_uri()
    page.write_text((HERE / "given_files.html").read_text().replace("PAGE", address))
    first, repaired, dropped, large, chosen = told(opened(page.as_uri()))
    assert repaired.startswith("valid")
    assert large == "not read: given.h has more than 16 MiB"
    for said in (first, dropped, chosen):
        assert said.startswith("invalid")
        assert "line 4: 0x0080040800100f80, rook d1" in said


def test_every_page_fits_a_phone_and_a_number_is_marked_in_every_order(site, opened, tmp_path):
    pages = sorted(path.as_uri() for path in site.rglob("*.html") if "_static" not in path.parts)
    assert len(pages) > 30
    found = widths(opened, tmp_path, pages)
    assert {page: width for page, width in found.items() if width > PHONE} == {}
    dom = opened((site / "explore" / "layouts.html").as_uri() + "#0x8100000000000001")
    assert dom.count('class="first on"') == 3 * 8


def test_every_link_inside_the_site_leads_somewhere(site):
    """Also those in parts that Sphinx takes as they are, with their anchors."""
    named = {path: path.read_text("utf-8") for path in site.rglob("*.html")}
    dead = []
    for path, text in named.items():
        for href in re.findall(r'<a [^>]*?href="([^"]+)"', text):
            target, _, anchor = html.unescape(href).partition("#")
            if re.match(r"\w+:", target):
                continue
            other = (path.parent / target).resolve() if target else path
            missing = anchor and other in named and f'id="{anchor}"' not in named[other]
            if missing or not other.exists():
                dead.append((path.name, href))
    assert dead == []


@pytest.mark.parametrize(
    ("page", "which", "column", "words"),
    [
        ("explore/census.html", 0, "language", "rust certifies"),
        ("docs/functions-engines.html", 0, "s", "rook cfish"),
        ("docs/functions-engines.html", -1, "s", "pext zig"),
        ("explore/records.html", 0, "entries", "annuss"),
    ],
)
def test_a_long_table_fits_a_screen_is_sorted_and_filtered(
    site, opened, tmp_path, page, which, column, words
):
    """Numbers by their size, texts by their letters, empty cells last."""
    text = (HERE / "long_table.html").read_text().replace("PAGE", (site / page).as_uri())
    text = text.replace("SORTED", column).replace("WORDS", words).replace("WHICH", str(which))
    (tmp_path / "table.html").write_text(text, "utf-8")
    found = told(opened((tmp_path / "table.html").as_uri()))
    assert found["wide"] <= 1280
    assert len(found["up"]) == found["all"]
    filled = [cell for cell in found["up"] if cell]
    assert found["up"][: len(filled)] == filled
    keys = [int(c.replace(",", "")) if c[0].isdigit() else c.lower() for c in filled]
    assert keys == sorted(keys)
    assert next(cell for cell in found["down"] if cell) == filled[-1]
    assert 0 < len(found["left"]) < found["all"]
    assert all(word in row.lower() for row in found["left"] for word in words.split())
