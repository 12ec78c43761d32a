"""Bytes against time: many ways to get sliding attacks, in C, from one harness."""
