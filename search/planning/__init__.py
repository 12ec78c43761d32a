"""Choosing a plan by sampling: which mask bit to take next, growing the window up or down.

pieces       small random pieces of shards, searched anew
choice       the cheapest of many candidates
sampling     how large the search of a plan is likely to be
candidates   orders of the mask bits, and plans that follow them
"""
