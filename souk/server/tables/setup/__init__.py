"""Creating tables, and everything before the first move."""
