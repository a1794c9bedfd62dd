"""Choosers of teams: CP-SAT in a thread of its own, with the greedy choice as fallback."""

import asyncio
import importlib
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from typing import Protocol

from clarion.agent.joint import Joint
from clarion.agent.optimiser import CHOICES
from clarion.dispatch.errors import AlgorithmFailed
from clarion.dispatch.plan.choose import ChoiceProblem, Chosen, greedy_chosen
from clarion.dispatch.plan.together import competing, greedy_together, without

log = logging.getLogger(__name__)

GRACE = timedelta(seconds=1)  # a solver needs a tenth of this to stop


class Chooser(Protocol):
    async def choose(self, given: ChoiceProblem, rivals: Sequence[ChoiceProblem] = ()) -> Chosen:
        """`rivals`: other events that are being planned; some teams are left to them."""
        ...


class GreedyChooser:
    """Always there, always quick, close to the best."""

    async def choose(self, given: ChoiceProblem, rivals: Sequence[ChoiceProblem] = ()) -> Chosen:
        return await asyncio.to_thread(_greedily, given, rivals)


def _greedily(given: ChoiceProblem, rivals: Sequence[ChoiceProblem]) -> Chosen:
    _, *others = greedy_together([given, *competing(given, rivals)])
    left = without(given, (one for share in others for one in share))
    return replace(
        greedy_chosen(left, CHOICES), shared=len(left.candidates) < len(given.candidates)
    )


class ExactChooser:
    """CP-SAT within `limit` for all choices together.

    A plan that finds all threads busy waits for one: a late exact choice is better than a guess.
    A solver that does not return keeps its thread; when all threads are lost, the wait ends.
    """

    def __init__(
        self,
        limit: timedelta = timedelta(seconds=2),
        solve: "Callable[[ChoiceProblem, Sequence[ChoiceProblem], float], Chosen] | None" = None,
        threads: int = 2,
    ) -> None:
        self._limit = limit
        self._solve = solve or Joint().solve_beside
        self._free = asyncio.Semaphore(threads)
        self._imported = solve is not None
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="clarion-optimiser")

    async def choose(self, given: ChoiceProblem, rivals: Sequence[ChoiceProblem] = ()) -> Chosen:
        await self.warm_up()
        try:
            async with asyncio.timeout((self._limit + GRACE).total_seconds()):
                await self._free.acquire()
        except TimeoutError:
            raise AlgorithmFailed("choose", "every optimiser thread is busy") from None
        work = asyncio.get_running_loop().run_in_executor(
            self._threads, self._solve, given, rivals, self._limit.total_seconds()
        )
        work.add_done_callback(self._back)
        try:
            async with asyncio.timeout((self._limit + GRACE).total_seconds()):
                return await asyncio.shield(work)
        except TimeoutError:
            raise AlgorithmFailed("choose", "the optimiser did not stop in time") from None

    async def warm_up(self) -> None:
        """Run once, outside any time limit: on a cold and busy machine this takes seconds."""
        if not self._imported:
            await asyncio.to_thread(importlib.import_module, "ortools.sat.python.cp_model")
            self._imported = True

    def _back(self, work: "asyncio.Future[Chosen]") -> None:
        self._free.release()
        if not work.cancelled() and (error := work.exception()) is not None:
            log.debug("the optimiser failed", exc_info=error)

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)


class ChooserWithFallback:
    def __init__(self, exact: Chooser, quick: Chooser) -> None:
        self._exact = exact
        self._quick = quick

    async def choose(self, given: ChoiceProblem, rivals: Sequence[ChoiceProblem] = ()) -> Chosen:
        """Raises AlgorithmFailed only when both fail."""
        try:
            return await self._exact.choose(given, rivals)
        except AlgorithmFailed as error:
            log.warning("greedy choice instead of the exact one: %s", error)
        except Exception:
            log.warning("greedy choice instead of the exact one", exc_info=True)
        try:
            return await self._quick.choose(given, rivals)
        except Exception as error:
            log.exception("the greedy choice failed too")
            raise AlgorithmFailed("choose", str(error) or type(error).__name__) from error
