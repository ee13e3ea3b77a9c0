"""What simulations and matches say about the games."""
