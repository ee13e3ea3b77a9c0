"""Environments for reinforcement learning: batches of games, and single games."""
