"""Random secrets for cookies and links, and the digests that are stored instead of them."""

import hashlib
import secrets


def new_secret() -> str:
    """An unguessable 192-bit secret for a cookie or link."""
    return secrets.token_urlsafe(24)


def digest(secret: str) -> bytes:
    """SHA-256 of a secret; only digests are stored."""
    return hashlib.sha256(secret.encode()).digest()
