"""What commands write: never over an input or a stranger's file, whole or not at all."""

import errno
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from magicert.data import find_table, tables_folder

Run = Callable[..., Result]
SAMPLE = Path(__file__).parents[1] / "source" / "samples" / "bbc.c"
THEIRS = b"a year of work\n"

WRITERS: dict[str, tuple[list[str], str]] = {
    "import": (["import", str(SAMPLE), "-o", "out.toml"], "out.toml"),
    "find --set": (["find", "--set", "--piece", "bishop", "-o", "out.toml"], "out.toml"),
    "find certificate": (
        ["find", "bishop", "d1", "--bits", "4", "-O", "certificate=d1.cover.xz"],
        "d1.cover.xz",
    ),
    "disprove certificate": (
        ["disprove", "bishop", "d1", "--bits", "4", "-O", "certificate=d1.cover"],
        "d1.cover",
    ),
    "disprove --proof": (["disprove", "bishop", "d1", "--bits", "4", "--proof", "p.xz"], "p.xz"),
    "pack": (["pack", "--from", "cfish_black", "--rounds", "0", "-o", "out.toml"], "out.toml"),
    "pack's certificate": (
        ["pack", "--from", "cfish_black", "--rounds", "0", "-o", "out.toml"],
        "out.certificate.json",
    ),
    "pack's picture": (["pack", "--from", "cfish_black", "--rounds", "0", "-o", "o.toml"], "o.svg"),
    "report": (["report", "bbc", "-o", "page.html"], "page.html"),
    "show --svg": (["show", "rook", "e4", "--svg", "board.svg"], "board.svg"),
    "atlas --html": (["atlas", "--html", "atlas.html"], "atlas.html"),
    "pack --two-level": (
        ["pack", "--from", "cfish_black", "--rounds", "0", "--two-level", "8", "-o", "o.toml"],
        "o-two-level.toml",
    ),
    "verify --certificates": (["verify", "bbc", "--certificates", "."], "bbc.certificate.json"),
    "verify, other kind": (["verify", "bbc", "--certificates", "."], "bbc.findings.json"),
    "atlas --settle": (["atlas", "--settle", "--output", "a.toml"], "a.toml"),
    "emit": (["emit", "cfish_black", "--lang", "c", "-o", "magics.h"], "magics.h"),
}  # fmt: skip


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", WRITERS)
def test_a_strangers_file_stays_as_it_is(run: Run, here: Path, name: str) -> None:
    arguments, output = WRITERS[name]
    (here / output).write_bytes(THEIRS)
    result = run(*arguments)
    assert result.exit_code == 2
    assert f"{output}: exists and magicert did not write it" in result.stderr
    assert "--force" in result.stderr
    assert (here / output).read_bytes() == THEIRS


QUICK = ["import", "find --set", "verify --certificates", "verify, other kind", "pack", "report"]


@pytest.mark.parametrize("name", QUICK)
def test_force_overwrites_and_ones_own_file_needs_none(run: Run, here: Path, name: str) -> None:
    arguments, output = WRITERS[name]
    (here / output).write_bytes(THEIRS)
    assert run(*arguments, "--force").exit_code == 0
    if name == "verify, other kind":
        assert not (here / output).exists()
        return
    written = (here / output).read_bytes()
    assert written != THEIRS
    again = run(*arguments)
    assert again.exit_code == 0, again.output


@pytest.mark.parametrize(
    "name", ["certificates/bishop-d1-4.cover.xz", "proofs/bishop-d1-4.drup.xz"]
)
def test_certificates_and_proofs_are_known_as_magicerts(here: Path, name: str) -> None:
    from magicert.cli.options.output import check_output
    from magicert.problem import InputError

    file = here / "copy"
    file.write_bytes((tables_folder() / name).read_bytes())
    check_output(file, [], force=False)
    file.write_bytes(lzma.decompress(file.read_bytes()))
    check_output(file, [], force=False)
    file.write_bytes(lzma.compress(THEIRS))
    with pytest.raises(InputError, match="did not write it"):
        check_output(file, [], force=False)
    file.write_bytes(b"\xfd7zXZ\x00 and nothing of the kind")
    with pytest.raises(InputError, match="did not write it"):
        check_output(file, [], force=False)


@pytest.mark.parametrize("force", [[], ["--force"]])
@pytest.mark.parametrize(
    "arguments",
    [
        ["pack", "--from", "k.toml", "--rounds", "0", "-o", "k.toml"],
        ["import", "k.c", "-o", "k.c"],
        ["import", "k.c", "-o", "link.c"],
        ["emit", "k.toml", "--lang", "c", "-o", "k.toml"],
        ["emit", "k.c", "--lang", "c", "-o", "k.c"],
        ["disprove", "bishop", "d1", "--bits", "4", "--ledger", "k.c", "-O", "certificate=k.c"],
    ],
)
def test_no_output_is_an_input(
    run: Run, here: Path, arguments: list[str], force: list[str]
) -> None:
    (here / "k.toml").write_bytes(find_table("cfish_black").read_bytes())
    (here / "k.c").write_bytes(SAMPLE.read_bytes())
    (here / "link.c").symlink_to(here / "k.c")
    result = run(*arguments, *force)
    assert result.exit_code == 2
    assert "is the input: expected another file for the output" in result.stderr
    assert (here / "k.toml").read_bytes() == find_table("cfish_black").read_bytes()
    assert (here / "k.c").read_bytes() == SAMPLE.read_bytes()


def test_pack_resumes_from_its_own_output(run: Run, here: Path) -> None:
    (here / "k.toml").write_bytes(find_table("cfish_black").read_bytes())
    same = ["pack", "--from", "k.toml", "--rounds", "0", "-o", "k.toml"]
    assert run(*same, "--resume").exit_code == 0
    assert run("verify", "k.toml").exit_code == 0


@pytest.mark.parametrize("name", QUICK)
def test_a_full_disk_leaves_no_part_and_is_named(
    run: Run, here: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments, _ = WRITERS[name]

    def full(self: Path, data: bytes) -> int:
        with self.open("wb") as file:
            file.write(data[:2048])
        raise OSError(errno.ENOSPC, "No space left on device", str(self))

    monkeypatch.setattr(Path, "write_bytes", full)
    result = run(*arguments)
    assert result.exit_code == 2
    (line,) = [line for line in result.stderr.splitlines() if "No space left" in line]
    assert ".part" not in line
    assert line.partition(":")[0].endswith((".toml", ".json", ".html"))
    assert [path.name for path in here.iterdir() if path.name.endswith(".part")] == []


@pytest.mark.parametrize("name", ["import", "find --set", "pack", "disprove --proof", "emit"])
def test_a_folder_that_is_not_there_is_said_before_the_work(
    run: Run, here: Path, name: str
) -> None:
    arguments, output = WRITERS[name]
    result = run(*[f"nowhere/{word}" if word == output else word for word in arguments])
    assert result.exit_code == 2
    assert "nowhere: no such folder" in result.stderr
    assert list(here.iterdir()) == []
