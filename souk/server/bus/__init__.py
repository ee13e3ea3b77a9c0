"""Announces writes to the other processes of a server."""
