"""Before a game: public tables, matchmaking, invitations, a person's own tables."""
