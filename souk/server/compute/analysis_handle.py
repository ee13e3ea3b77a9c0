"""The server's handle of an analysis process."""

from souk.server.compute.analysis_worker import AnalysisProgress, ContinueAnalysis, decode_progress
from souk.server.compute.worker_process import WorkerProcess

TIME_SLICE = 0.4  # seconds for one game before it is another's turn
MAX_MEMORY = 1 << 30  # bytes; a process that holds more is replaced
IDLE_SECONDS = 120.0  # after which an idle process ends
_TIMEOUT = 120.0  # a single look at a game of six may take long


class LocalAnalysisWorker(WorkerProcess[AnalysisProgress]):
    """An analysis process; ProcessLost if it has ended."""

    def __init__(self) -> None:
        super().__init__("souk.server.compute.analysis_worker", [], decode_progress)
        self.memory = 0  # bytes

    def on_reply(self, answer: AnalysisProgress) -> None:
        self.memory = answer.memory

    async def continue_analysis(self, id_: str, record: str, playouts: int) -> AnalysisProgress:
        """Analyse a game for a time slice, and return all results so far."""
        request = ContinueAnalysis(self._next_number(), id_, record, playouts, TIME_SLICE)
        return await self._request(request, request.number, _TIMEOUT)
