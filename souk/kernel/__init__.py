"""Runs game rules interpreted, compiled for the CPU, or compiled for a GPU. Handles no text."""
