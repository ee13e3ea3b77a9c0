"""The database: SQLite or PostgreSQL, group commit, encryption."""
