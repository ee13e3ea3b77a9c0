"""Fields: nothing can be chosen."""
