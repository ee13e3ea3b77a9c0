"""Shared by the programs of bench/."""
