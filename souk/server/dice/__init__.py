"""Fair dice: commitments, shares and seeds."""
