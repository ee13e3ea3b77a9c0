"""Events: tournaments of people, with pairing, rounds and scoring."""
