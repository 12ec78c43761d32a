"""An engine that answers as a test wants it."""

from types import SimpleNamespace

import pytest


@pytest.fixture
def say(monkeypatch):
    """Each engine gives this outcome; the names of those that are asked for are listed."""

    def put(outcome):
        named = []
        engine = SimpleNamespace(OPTIONS=(), solve=lambda *_: outcome)
        for module in ("find", "sets"):
            load = f"magicert.api.{module}.load"
            monkeypatch.setattr(load, lambda name: named.append(name) or engine)
        return named

    return put
