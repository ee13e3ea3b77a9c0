"""Rows of the `settings` table: the key check, the push key, and the mark of an unfinished copy."""

from pathlib import Path

from cryptography.hazmat.primitives.asymmetric import ec

from souk.server.storage.connection import Connection
from souk.server.storage.encryption import Cipher, DecryptionFailed, read_key

MOVING = "moving"  # the row with the progress of an unfinished copy
_KEY_CHECK = b"souk"  # stored encrypted, to recognise the right key


def initial_settings(cipher: Cipher) -> list[tuple[str, bytes]]:
    """Name and value of each row that a new database begins with."""
    return [
        ("key", cipher.encrypt(_KEY_CHECK, "key")),
        ("push", cipher.encrypt(_new_push_key(), "push")),
    ]


def _new_push_key() -> bytes:
    """A P-256 private key, by which push services know this server (`souk.server.push.vapid`)."""
    key = ec.generate_private_key(ec.SECP256R1())
    return key.private_numbers().private_value.to_bytes(32, "big")


def check_complete(connection: Connection, name: str) -> None:
    """Raise RuntimeError if the database is an unfinished copy of another."""
    if connection.execute("SELECT 1 FROM settings WHERE name = ?", (MOVING,)).fetchone():
        raise RuntimeError(
            f"{name} is an unfinished copy: run the same `souk host move` again to finish it"
        )


def cipher_of(connection: Connection, key: Path) -> Cipher:
    """The cipher of a database. Raise RuntimeError if the key file holds another key."""
    cipher = read_key(key)
    row = connection.execute("SELECT value FROM settings WHERE name = 'key'").fetchone()
    try:
        cipher.decrypt(row[0] if row else b"", "key")
    except DecryptionFailed:
        raise RuntimeError(
            f"{key} is not the key of these tables: they were encrypted with another"
        ) from None
    return cipher
