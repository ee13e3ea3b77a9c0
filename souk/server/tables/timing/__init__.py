"""Clocks of tables, server uptime, and who keeps others waiting."""
