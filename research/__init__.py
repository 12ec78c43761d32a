"""Finished research: how the results were made. In the checkout, not in the wheel."""
