"""Encrypts what nobody may read in the database yet: seeds, unrevealed choices, snapshots.

The key is in a file of its own, so a copy of the database alone reveals nothing. Each ciphertext is
bound to its place by associated data: moved to another table or row, it no longer decrypts.
"""

import contextlib
import os
import secrets
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

_KEY_BYTES = 32
_NONCE_BYTES = 12


class DecryptionFailed(ValueError):
    """The ciphertext was damaged, moved, or encrypted with another key."""


class Cipher:
    """Encrypts with one key. `about` says what is encrypted and where it is stored."""

    def __init__(self, key: bytes) -> None:
        self._cipher = ChaCha20Poly1305(key)

    def encrypt(self, content: bytes, *about: str | int) -> bytes:
        nonce = secrets.token_bytes(_NONCE_BYTES)
        return nonce + self._cipher.encrypt(nonce, content, _associated_data(about))

    def decrypt(self, sealed: bytes, *about: str | int) -> bytes:
        """The content; DecryptionFailed if the key or the place differs."""
        nonce, ciphertext = sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:]
        try:
            return self._cipher.decrypt(nonce, ciphertext, _associated_data(about))
        except (InvalidTag, ValueError):
            raise DecryptionFailed(" ".join(map(str, about))) from None


def _associated_data(about: tuple[str | int, ...]) -> bytes:
    return "\0".join(map(str, about)).encode()


def read_key(path: Path) -> Cipher:
    """Read a key file. Raise RuntimeError if it is missing or not a key."""
    try:
        text = path.read_text(encoding="ascii", errors="replace").strip()
        key = bytes.fromhex(text)
    except OSError as error:
        raise RuntimeError(
            f"the key of the tables cannot be read: {path}: {error.strerror}"
        ) from None
    except ValueError:
        key = b""
    if len(key) != _KEY_BYTES:
        raise RuntimeError(f"{path} is no key: a key is {2 * _KEY_BYTES} hexadecimal digits")
    return Cipher(key)


def load_or_create_key(path: Path) -> Cipher:
    """Read a key file, creating it if missing. Of servers that start together, one creates it."""
    if not path.exists():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
        with os.fdopen(
            os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii"
        ) as file:
            file.write(f"{secrets.token_hex(_KEY_BYTES)}\n")
            file.flush()
            os.fsync(file.fileno())
        try:
            with contextlib.suppress(FileExistsError):
                path.hardlink_to(draft)
        finally:
            draft.unlink()
    return read_key(path)
