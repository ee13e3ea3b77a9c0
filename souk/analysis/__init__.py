"""Game analysis: what happened in a game, what would have been better, and how much was luck."""
