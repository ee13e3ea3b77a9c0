"""Endpoints for the pages themselves: site files, languages, health checks."""

from starlette.requests import Request
from starlette.responses import Response

from souk.server.http.endpoints import EndpointGroup, get
from souk.server.http.link_previews import LinkPreviews
from souk.server.http.responses import client_of
from souk.server.http.static import COMPANY, EVENTS, LATER, RULES, LanguageFiles, StaticSite
from souk.server.protocol.errors import RequestRefused
from souk.server.services import Services
from souk.server.storage.errors import NotReady, ReadFailed, WriteFailed


class PageEndpoints(EndpointGroup):
    """Serves the built site. Its last route matches every other path, so the group comes last."""

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._site, self._languages = StaticSite(), LanguageFiles()
        self._previews = LinkPreviews(services.store, self._site.has)

    @get("/healthz")
    async def health(self, _request: Request) -> Response:
        return Response(b"ok\n", media_type="text/plain", headers={"cache-control": "no-store"})

    @get("/readyz")
    async def ready(self, _request: Request) -> Response:
        """Whether moves can be stored: writes to disk and reads back."""
        try:
            await self._services.check_health()
        except (WriteFailed, ReadFailed, TimeoutError) as error:
            # The database's own words are for the log only.
            why = str(error) if isinstance(error, NotReady) else "the database does not answer"
            return Response(f"not ready: {why}\n", 503, {"cache-control": "no-store"}, "text/plain")
        return Response(b"ready\n", media_type="text/plain", headers={"cache-control": "no-store"})

    # ------------------------------------------------------------ languages

    @get("/languages.json")
    async def languages(self, request: Request) -> Response:
        return self._languages.all(request)

    @get("/languages/{code}.json")
    async def language(self, request: Request) -> Response:
        return self._language_part(request, "")

    @get("/languages/{code}/rules.json")
    async def rules(self, request: Request) -> Response:
        return self._language_part(request, RULES)

    @get("/languages/{code}/company.json")
    async def company(self, request: Request) -> Response:
        return self._language_part(request, COMPANY)

    @get("/languages/{code}/events.json")
    async def events(self, request: Request) -> Response:
        return self._language_part(request, EVENTS)

    @get("/languages/{code}/later.json")
    async def later(self, request: Request) -> Response:
        return self._language_part(request, LATER)

    def _language_part(self, request: Request, part: str) -> Response:
        response = self._languages.one(request, request.path_params["code"], part)
        if response is None:
            raise RequestRefused("language_unknown", 404)
        return response

    # ------------------------------------------------------------ pages

    @get("/offline")
    async def offline(self, request: Request) -> Response:
        return self._languages.offline(request)

    @get("/{path:path}")
    async def page(self, request: Request) -> Response:
        response = None
        if not request.url.path.startswith("/api/"):
            response = await self._page(request)
        if response is None:
            raise RequestRefused("page_unknown", 404)
        return response

    async def _page(self, request: Request) -> Response | None:
        """A file of the site; pages of tables get a link preview in their head."""
        head = await self._previews.head(
            request.url.path, client_of(request), request.headers.get("accept-language", "")
        )
        return self._site.index(request, head) if head else self._site.page(request)
