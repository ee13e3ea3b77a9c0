"""`python -m souk.cli` is the command `souk`."""

from souk.cli import main

main()
