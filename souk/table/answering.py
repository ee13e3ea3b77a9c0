"""What is common to all answers over HTTP: who asks, what they have posted, and how it is answered."""

from collections.abc import Sequence
from typing import TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from souk.table.refusals import Refuse
from souk.table.views import encode
from souk.table.visitors import Visitor

LARGEST_BODY = 16_384
T = TypeVar("T")


def json_answer(message: msgspec.Struct, status: int = 200) -> Response:
    return Response(encode(message), status, {"cache-control": "no-store"}, "application/json")


def visitor_of(request: Request) -> Visitor:
    visitor: Visitor = request.scope["visitor"]
    return visitor


async def read_posted(
    request: Request, visitor: Visitor, kind: type[T], origins: Sequence[str], largest: int = LARGEST_BODY
) -> T:
    """What was posted, by a page of ours or one of those allowed."""
    if not visitor.is_at_home(origins):
        raise Refuse("foreign_page", 403)
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise Refuse("unreadable", 415)
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > largest:
            raise Refuse("too_large", 413)
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        raise Refuse("unreadable") from None
