"""People at tables: the server, its seats, its event log, its store and its protocol."""
