"""numba's cache: code that has that of other files in it must not outlive them."""

import ast
import errno
import hashlib
import importlib.util
import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from numba.core.caching import NullCache

from magicert.search.kernel import descent as kernel
from magicert.search.planning import sample
from magicert.search.problem import Plan, terms
from magicert.system import compiled as compiling
from magicert.system.compiled import compiled, is_compiled, sources


def test_the_cache_depends_on_every_file_that_is_imported():
    """In whatever folder it lies: numba's own key knows the kernel's file only."""
    key = sources(kernel.__name__)
    assert key == kernel.search._cache._cache_file._source_stamp
    sha = hashlib.sha256()
    wanted = {kernel.__name__}
    while True:
        trees = [ast.parse(source_of(name)) for name in wanted]
        nodes = [n for tree in trees for n in tree.body if isinstance(n, ast.ImportFrom)]
        more = {f"{n.module}.{a.name}" for n in nodes for a in n.names} | {n.module for n in nodes}
        more = {name for name in more if name and name.startswith("magicert.")} & set(sys.modules)
        if more <= wanted:
            break
        wanted |= more
    assert "magicert.search.chain.chain" in wanted
    for name in sorted(wanted):
        sha.update(source_of(name))
    assert sha.hexdigest() == key


@pytest.fixture
def loaded(tmp_path, monkeypatch):
    """Loads a module again, as another process would: numba keeps what it compiles beside it."""
    path = tmp_path / "fresh_kernels.py"

    def load(source: str) -> Any:
        path.write_text(f"from magicert.system.compiled import compiled\n\n{source}")
        spec = importlib.util.spec_from_file_location(path.stem, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, spec.name, module)
        spec.loader.exec_module(module)
        return module

    return load


def source_of(module: str) -> bytes:
    return Path(str(sys.modules[module].__file__)).read_bytes()


def test_a_kernel_outside_the_package_depends_on_it():
    """A test's own kernel that calls one of ours was not compiled again when ours had changed."""
    imported = compiling._imports(
        "elsewhere.a_test", b"from magicert.search.kernel import descent\n"
    )
    assert "magicert.search.kernel.descent" in imported


def test_the_imports_of_a_source_are_found_without_its_other_statements():
    package = Path(str(compiling.__file__)).parents[1]
    texts = [path.read_bytes() for path in package.glob("s*/**/*.py")]
    texts += [
        b"from a import (b,  # (c)\n    d)\nimport e\n",
        b'"""\nfrom here on\n"""\nimport a\n',
    ]
    texts += [b"from a import b, \\\n    c\n", b"import a; import b\nx = 1\n"]
    for text in texts:
        found, wanted = (
            [ast.dump(node) for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]
            for nodes in (compiling._import_statements(text), ast.parse(text).body)
        )
        assert found == wanted


@pytest.mark.parametrize("another_numba", [True, False])
def test_where_there_is_no_cache_a_kernel_is_compiled_anew(monkeypatch, another_numba):
    """What numba gives knows no cache, or no place for one can be written."""
    made = []

    def njit(**options: bool) -> Callable[..., Any]:
        def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
            if "cache" in options and not another_numba:
                raise RuntimeError("cannot cache function: no locator available")
            made.append(options)
            return function

        return decorate

    monkeypatch.setattr(compiling.numba, "njit", njit)
    assert compiled(nogil=True)(source_of) is source_of
    options = {"nogil": True, "no_cfunc_wrapper": True, "no_cpython_wrapper": False}
    assert made == [{"cache": True, **options}] * another_numba + [options]


def test_an_index_that_names_what_is_no_more_is_emptied(tmp_path):
    """numba reads an index before it looks at its stamp: with the stale one it would raise."""
    base = "fan.f-12.py311"

    class Index:
        path = tmp_path / f"{base}.nbi"
        _index_path = str(path)

        def _load_index(self) -> object:
            return pickle.loads(self.path.read_bytes())

        def flush(self) -> None:
            self.path.write_bytes(pickle.dumps({}))

    index = Index()
    own, others = tmp_path / f"{base}.1.nbc", tmp_path / "fan.g-12.py311.1.nbc"
    for path in (own, others):
        path.touch()
    index.path.write_bytes(pickle.dumps({"kept": 1}))
    compiling._forget_the_stale(index)
    assert index._load_index() == {"kept": 1}
    assert own.exists()
    index.path.write_bytes(b"csearch.chain_tables\nNoSuchClass\n.")
    compiling._forget_the_stale(index)
    assert index._load_index() == {}
    assert (own.exists(), others.exists()) == (False, True)


def test_the_search_is_compiled_for_one_type_of_everything():
    """False as a literal is another type than a bool: all would be compiled twice."""
    about = terms([0, 1 << 60, 1 << 62, 5 << 60], [0, 1, 2, 3], 2)
    sample(about, Plan(4, ("d2", "d2"), 4, 1), 4, 1)
    assert is_compiled(kernel.search)
    assert not any("Literal" in str(signature) for signature in kernel.search.signatures)
    # What _forget_the_stale looks for.
    index = kernel.search._cache._cache_file
    assert callable(index._load_index)
    assert callable(index.flush)
    path = Path(index._index_path)
    assert list(path.parent.glob(f"{path.stem}.*.nbc"))


def test_what_no_process_has_compiled_is_not_compiled(loaded):
    """The time of a file changes with every installation, as here, and decides nothing."""
    for known in (False, True):
        module = loaded("@compiled()\ndef f(x):\n    return x\n")
        assert is_compiled(module.f) == known
        assert module.f(3) == 3
        assert is_compiled(module.f)


def test_an_inner_kernel_is_for_kernels_to_call():
    """Nothing is there that Python could call: it would jump to address 0."""
    double = compiled(inner=True, forceinline=True)(lambda x: x + x)
    four_times = compiled()(lambda x: double(double(x)))
    double._cache = four_times._cache = NullCache()  # what comes from a cache cannot be looked at
    for _ in range(2):
        with pytest.raises(TypeError, match="is for kernels to call, not for Python"):
            double(3)
        assert four_times(3) == 12
    (code,) = double.inspect_llvm().values()
    assert "cpython" not in code
    assert "cfunc" not in code + "".join(four_times.inspect_llvm().values())


def test_a_cache_that_cannot_be_written_is_done_without(monkeypatch):
    """A full disk: the work goes on with what this process has compiled."""

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    own = compiled()(lambda x: x + 1)
    monkeypatch.setattr(type(own._cache._cache_file), "save", full)
    assert own(4) == 5


def test_who_waited_for_another_process_loads_what_it_has_compiled(loaded, monkeypatch):
    source = (
        "@compiled(inner=True)\ndef inner(x):\n    return x + 1\n\n"
        "@compiled()\ndef outer(x):\n    return inner(x)\n"
    )
    waited: list[str] = []

    def wait(file: Any, _: int) -> None:
        """As if another process had it: it has compiled both kernels before it lets go."""
        monkeypatch.setattr(compiling.fcntl, "flock", lambda *_: None)
        waited.append(Path(file.name).name)
        assert loaded(source).outer(3) == 4

    ours = loaded(source).outer
    monkeypatch.setattr(compiling.fcntl, "flock", wait)
    assert ours(3) == 4
    (lock,) = waited
    assert lock.startswith("fresh_kernels.outer-")
    assert (sum(ours.stats.cache_hits.values()), sum(ours.stats.cache_misses.values())) == (1, 0)
