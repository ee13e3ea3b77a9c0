"""How strong bots and nets are."""
