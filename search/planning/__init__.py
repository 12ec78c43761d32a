"""Choosing a plan by sampling: which mask bit to take next, growing the window up or down."""
