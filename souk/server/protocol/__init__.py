"""Messages and JSON bodies, from which the TypeScript types are generated."""
