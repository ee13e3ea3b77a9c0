"""Fields has no options."""
