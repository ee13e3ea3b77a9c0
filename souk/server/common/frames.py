"""Unmasked websocket text frames; `websockets` does the rest of the protocol."""

_TEXT = 0x81  # a whole text in one frame
# Sizes below _SHORT are the second byte themselves; else it tells the length of the size.
_SHORT, _TWO_BYTES, _EIGHT_BYTES = 126, 126, 127


def text_frame(message: bytes) -> bytes:
    size = len(message)
    if size < _SHORT:
        return bytes((_TEXT, size)) + message
    if size < 1 << 16:
        return bytes((_TEXT, _TWO_BYTES)) + size.to_bytes(2, "big") + message
    return bytes((_TEXT, _EIGHT_BYTES)) + size.to_bytes(8, "big") + message
