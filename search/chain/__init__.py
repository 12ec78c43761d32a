"""Chains: many squares of a file taken in one step of a plan, without a table of slots."""
