"""Low bits first, compiled: products modulo 2^q are exact, and many values are tested at once."""
