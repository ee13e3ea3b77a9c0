"""Speed of rules, simulations and environments."""
