"""The two kinds of plan, by their texts."""

from magicert.search.problem.low_plan import HEAD, LowPlan
from magicert.search.problem.plan import Plan

AnyPlan = Plan | LowPlan


def parse_plan(text: str) -> AnyPlan:
    """The plan of a text, of either kind. ValueError if it is none."""
    return LowPlan.parse(text) if text.startswith(HEAD) else Plan.parse(text)
