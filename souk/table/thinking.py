"""`souk think`: a process, on any machine, in which the bots of servers elsewhere think, and their games are looked back at. It knows the queues
in their database and nothing else."""

import asyncio
import signal

from souk.table import logs
from souk.table.errand_line import ErrandLine
from souk.table.fetching import Fetching
from souk.table.gauges import Gauges, serve_metrics
from souk.table.postgres_line import shown
from souk.table.postgres_schema import POSTGRES_VERSION, at_address, checked_layout
from souk.table.settings import Settings
from souk.table.studying import Studying
from souk.table.thinkers import Thinkers


def think(settings: Settings) -> None:
    """Think until SIGINT or SIGTERM; then leave what was begun to others. RuntimeError where there is nobody to think for."""
    logs.set_up(settings.log)
    _check_house(settings.store)
    asyncio.run(_keep_on(settings))


def _check_house(address: str) -> None:
    with at_address(address) as line:
        version = checked_layout(line, address)
    if version != POSTGRES_VERSION:
        raise RuntimeError(
            f"{shown(address)} is not laid out for this version of souk: a server of this version that starts there sees to that"
        )


async def _keep_on(settings: Settings) -> None:
    stop, line, gauges = asyncio.Event(), ErrandLine(settings.store), Gauges()
    thinkers = Thinkers(settings.workers, settings.games, settings.bot_wait)
    fetching = Fetching(thinkers, line, settings.workers, settings.bot_wait, settings.study_workers)
    studying = Studying(fetching.name, thinkers.waking, line, settings.study_workers)
    for sign in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(sign, stop.set)
    gauges.look_at("souk_errands_under_way", "Errands that are thought over here.", lambda: fetching.under_way)
    gauges.look_at("souk_lookbacks_under_way", "Games that are looked back at here.", lambda: studying.under_way)
    stop_metrics = serve_metrics(gauges, settings.metrics)
    thinkers.start(lambda _game: None)
    at_it = [asyncio.create_task(each.keep_on()) for each in (fetching, studying)]
    logs.note("thinking", store=shown(settings.store), workers=settings.workers, name=fetching.name)
    await stop.wait()
    for each in at_it:
        each.cancel()
    await asyncio.gather(*at_it, return_exceptions=True)
    await studying.close()
    await fetching.close()
    await thinkers.close()
    stop_metrics()
    await line.close()
    logs.note("stopped")
