"""Benchmarks and measurements, each a program: `python -m bench.speed.speed --help`."""
