"""Endpoints for Web Push subscriptions."""

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response

from souk.server.common.client import Client
from souk.server.http.endpoints import EndpointGroup, get, post
from souk.server.http.responses import json_response
from souk.server.http.static import known_language
from souk.server.protocol.errors import RequestRefused
from souk.server.protocol.lobby import PushKey, PushSubscribe, PushUnsubscribe
from souk.server.push.vapid import base64url_decode
from souk.server.push.webpush import Subscription, checked_subscription
from souk.server.storage.errors import WriteConflict, refuse_failed_writes


class PushEndpoints(EndpointGroup):
    """Subscribes devices of seated players to notifications."""

    @get("/api/push")
    async def key(self, _request: Request) -> Response:
        """The public VAPID key."""
        return json_response(PushKey((await self._services.push_notifier.vapid()).public))

    @post("/api/push")
    async def subscribe(self, request: Request) -> Response:
        client, body = await self._read(request, PushSubscribe)
        try:
            device = Subscription(
                body.endpoint,
                base64url_decode(body.p256dh),
                base64url_decode(body.auth),
                known_language(body.language),
            )
            checked_subscription(device, self._config.push_local)
        except ValueError:
            raise RequestRefused("device_wrong") from None
        subscriptions = self._services.push_notifier.subscriptions
        return await self._change(client, lambda player: subscriptions.add(player, device))

    @post("/api/push/end")
    async def unsubscribe(self, request: Request) -> Response:
        client, body = await self._read(request, PushUnsubscribe)
        subscriptions = self._services.push_notifier.subscriptions
        return await self._change(
            client, lambda player: subscriptions.remove(body.endpoint, player)
        )

    async def _change(self, client: Client, change: Callable[[bytes], Awaitable[None]]) -> Response:
        with refuse_failed_writes("no_seat_yet", 409):
            if client.player is None:
                raise WriteConflict
            await change(client.player)
        return json_response(PushKey((await self._services.push_notifier.vapid()).public))
