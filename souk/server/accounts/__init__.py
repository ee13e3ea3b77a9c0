"""People: profiles, device sessions and passkeys."""
