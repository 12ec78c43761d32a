"""Packing all 128 tables into the smallest shared buffer, and emitting it as source."""
