"""What nobody may read in the file of tables yet, sealed: the seeds of dice, choices that are not revealed, snapshots.

The key is in a file of its own, so that a copy of the tables alone tells nothing. Each sealed part is bound to where it stands: moved to
another table or another number it no longer opens.
"""

import contextlib
import hashlib
import os
import secrets
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

_KEY = 32  # bytes
_NONCE = 12


class Unsealable(ValueError):
    """Something sealed that this key does not open: it was damaged, moved, or sealed with another."""


class Seal:
    """Seals and unseals with one key. `about` says what it is and where it stands, such as "seed" and the table's id."""

    def __init__(self, key: bytes) -> None:
        self._cipher = ChaCha20Poly1305(key)
        self._names = hashlib.blake2b(key, person=b"names").digest()

    def seal(self, content: bytes, *about: str | int) -> bytes:
        nonce = secrets.token_bytes(_NONCE)
        return nonce + self._cipher.encrypt(nonce, content, _bound(about))

    def unseal(self, sealed: bytes, *about: str | int) -> bytes:
        """What was sealed; Unsealable where the key or the place is another."""
        try:
            return self._cipher.decrypt(sealed[:_NONCE], sealed[_NONCE:], _bound(about))
        except (InvalidTag, ValueError):
            raise Unsealable(" ".join(map(str, about))) from None

    def name_for(self, *about: str | int) -> str:
        """A name by which something is known again, and from which nobody without the key finds out what it is."""
        return hashlib.blake2b(_bound(about), key=self._names, digest_size=16).hexdigest()


def _bound(about: tuple[str | int, ...]) -> bytes:
    return "\0".join(map(str, about)).encode()


def read_key(path: Path) -> Seal:
    """The key in a file. RuntimeError where there is none, or something else."""
    try:
        text = path.read_text(encoding="ascii", errors="replace").strip()
        key = bytes.fromhex(text)
    except OSError as error:
        raise RuntimeError(f"the key of the tables cannot be read: {path}: {error.strerror}") from None
    except ValueError:
        key = b""
    if len(key) != _KEY:
        raise RuntimeError(f"{path} is no key: a key is {2 * _KEY} hexadecimal digits")
    return Seal(key)


def make_key(path: Path) -> Seal:
    """The key in a file, made where there is none. Of two servers that begin at the same time one makes it."""
    if not path.exists():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(f"{secrets.token_hex(_KEY)}\n")
            file.flush()
            os.fsync(file.fileno())
        try:
            with contextlib.suppress(FileExistsError):
                path.hardlink_to(draft)
        finally:
            draft.unlink()
    return read_key(path)
