"""Runs the command `souk` as `python -m souk.cli`."""

from souk.cli.main import main

main()
