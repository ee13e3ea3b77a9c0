"""Tests of the study: games looked back at."""
