"""Trains value nets: self-play, learning, and gating matches."""
