"""The multiplayer server: tables, lobby, accounts, events, storage and protocol."""
