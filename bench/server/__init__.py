"""Load, latency and durability of the server."""
