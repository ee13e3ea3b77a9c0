"""What is said to a page, as a websocket sends it: whole texts, which a server does not mask. All else of the protocol is that of `websockets`."""

_TEXT = 0x81  # all of a text in one frame
_SHORT, _TWO_BYTES, _EIGHT_BYTES = (
    126,
    126,
    127,
)  # a size below this stands in the head itself; marks of those that follow in so many bytes


def text_frame(message: bytes) -> bytes:
    """The frame of a text."""
    size = len(message)
    if size < _SHORT:
        return bytes((_TEXT, size)) + message
    if size < 1 << 16:
        return bytes((_TEXT, _TWO_BYTES)) + size.to_bytes(2, "big") + message
    return bytes((_TEXT, _EIGHT_BYTES)) + size.to_bytes(8, "big") + message
