"""Games for bench/server/boardgameio.py."""
