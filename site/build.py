"""Build the site: gather the documents, generate what is generated, and run Sphinx. No network.

    python site/build.py OUTPUT       # `make site` does this in an environment of its own

What an earlier run made in OUTPUT goes first, and nothing else. The documents stay where they are,
in docs/; what needs the program (commands, the API, the atlas, the records) is generated from it,
into a copy, so nothing generated lies in the repository.
"""

import re
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

HERE = Path(__file__).parent
ROOT = HERE.parent
sys.path[:0] = [str(ROOT), str(HERE)]

import generated  # noqa: E402

SECTIONS = ("how-to.md", "look-up.md", "understand.md", "project.md", "research/README.md")
"""Pages that list others. The sidebar has these only, so that it stays short."""
MADE = ".made-by-site-build"
"""Lists the files of a site, in its folder."""


def gather(source: Path) -> None:
    """A copy of all documents, at the same places as in the repository."""
    for name in ("CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "OPEN.md"):
        shutil.copy(ROOT / name, source)
    shutil.copytree(ROOT / "docs", source / "docs")
    for path in readmes():
        target = source / path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, target)
    for path in HERE.glob("*.md"):
        shutil.copy(path, source)
    for name in SECTIONS:
        with (source / name).open("a", encoding="utf-8") as section:
            section.write(contents(source / name))
    shutil.copy(HERE / "conf.py", source)
    shutil.copytree(HERE / "static", source / "_static")
    shutil.copytree(HERE / "templates", source / "_templates")


def readmes() -> list[Path]:
    """The texts that lie beside data and proofs, for the documents link to them."""
    folders = ("tables", "proofs", "verify", "functions", "z3models", "research")
    compact = ROOT / "compact"  # emit/crate/ has some for other readers
    found = [compact / "README.md", compact / "emit" / "languages" / "README.md"]
    found += [path for folder in folders for path in sorted((ROOT / folder).rglob("*.md"))]
    return [path.relative_to(ROOT) for path in found if ".lake" not in path.parts]


def contents(section: Path) -> str:
    """A list of contents for Sphinx: the pages below a section are those that it links to first."""
    links = re.findall(r"\]\(([^)#:\s]+)\.md\)", section.read_text("utf-8"))
    pages = [link for link in dict.fromkeys(links) if not link.startswith("..")]
    names = [name for name in pages if name != "docs/glossary"]
    return "\n```{toctree}\n:hidden:\n" + "\n".join(names) + "\n```\n"


def files(folder: Path) -> list[str]:
    """The files of a folder and of those in it."""
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())


def empty(output: Path) -> None:
    """Remove what an earlier run made, and folders that nothing is left in."""
    made = output / MADE
    if made.exists():
        for name in made.read_text("utf-8").splitlines():
            (output / name).unlink(missing_ok=True)
        made.unlink()
    for folder in sorted((path for path in output.rglob("*") if path.is_dir()), reverse=True):
        if not any(folder.iterdir()):
            folder.rmdir()


def main() -> int:
    """Gather, generate, build; every warning of Sphinx is an error, a dead link among them."""
    from sphinx.cmd.build import build_main

    output = Path(sys.argv[1])
    with TemporaryDirectory(prefix="magicert-site-") as folder:
        source, built = Path(folder, "source"), Path(folder, "site")
        source.mkdir()
        gather(source)
        generated.write(source)
        options = ["-W", "--keep-going", "-q", "-b", "html", "-d", str(Path(folder, "doctrees"))]
        status = build_main([*options, str(source), str(built)])
        # Sphinx takes the pictures that Markdown names, and leaves those of <picture>.
        shutil.copytree(ROOT / "docs" / "pictures", built / "docs" / "pictures")
        empty(output)
        shutil.copytree(built, output, dirs_exist_ok=True)
        (output / MADE).write_text("".join(f"{name}\n" for name in files(built)), "utf-8")
    return status


if __name__ == "__main__":
    sys.exit(main())
