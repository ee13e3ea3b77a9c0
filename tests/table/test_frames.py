"""What is said to a page is framed as `websockets` frames it."""

from types import SimpleNamespace

import pytest
from websockets.frames import Frame, Opcode
from websockets.protocol import OPEN

from souk.table.frames import text_frame
from souk.table.settings import Settings
from souk.table.wires import Wire


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 128, 65_535, 65_536, 100_000])
def test_texts_of_all_sizes(size: int) -> None:
    message = b"x" * size
    assert text_frame(message) == Frame(Opcode.TEXT, message).serialize(mask=False)


class _Written:
    """A transport that keeps what is written to it."""

    def __init__(self) -> None:
        self.writes: list[bytes] = []

    def write(self, data: bytes) -> None:
        self.writes.append(data)

    def is_closing(self) -> bool:
        return False

    def get_write_buffer_size(self) -> int:
        return 0


def test_what_goes_with_the_next_message_is_written_once_and_in_order() -> None:
    """And where no next one comes, by itself."""
    sockets = SimpleNamespace(settings=Settings(), wires=set())
    wire, written = Wire(None, SimpleNamespace(connections=set()), {"sockets": sockets}), _Written()
    wire.connection_made(written)
    wire._conn.state = OPEN
    wire.post_with_next(b"kept")
    assert not written.writes
    wire.post(b"what came of it")
    wire.post_rest()
    assert written.writes == [text_frame(b"kept") + text_frame(b"what came of it")]
    wire.post_with_next(b"kept")
    wire.post_rest()
    assert written.writes[1:] == [text_frame(b"kept")]
