"""Writes the tables of docs/ from measured figures."""
