"""Games for programs that learn: many at once, or one at a time, as numbers."""
