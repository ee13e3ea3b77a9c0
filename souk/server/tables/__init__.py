"""Tables: one game each, with its seats, viewers and lock."""
