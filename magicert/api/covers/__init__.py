"""Cover certificates: what the file shows, and what can be done again to see that it is true."""
