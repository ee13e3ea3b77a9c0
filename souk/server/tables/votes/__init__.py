"""Decisions players make together: proposals, and votes about absent players."""
