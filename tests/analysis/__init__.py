"""Tests of the game analysis."""
