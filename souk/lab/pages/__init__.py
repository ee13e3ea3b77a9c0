"""What every page of the lab is made of."""
