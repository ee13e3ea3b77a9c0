"""Frames equal those of `websockets`."""

import pytest
from websockets.frames import Frame, Opcode

from souk.server.common.frames import text_frame


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 128, 65_535, 65_536, 100_000])
def test_texts_of_all_sizes(size: int) -> None:
    message = b"x" * size
    assert text_frame(message) == Frame(Opcode.TEXT, message).serialize(mask=False)
