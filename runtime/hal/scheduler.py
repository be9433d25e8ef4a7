"""Executes submissions when the fences that they wait for allow it, in the order a policy picks."""

from collections import deque

from ..errors import DeadlockError, HalError, failed_precondition
from ..events import Wait
from ..machine import HOST
from .frontier import NOTHING, Frontier
from .policy import CacheMoves, Policy
from .program import Barrier
from .recorder import NO_EVENT, NO_FOOTPRINT, UNNAMED, Recorder, Source
from .semaphore import Fence
from .submission import Running, Submission

_NAMED = 8
"""How many submissions a message names at most."""


class Scheduler:
    """All submissions of a system. Queues do not order them; fences alone do."""

    def __init__(self, recorder: Recorder, policy: Policy, adversary: CacheMoves | None) -> None:
        self.failures: list[HalError] = []
        """Errors of submissions that failed by themselves, in order."""
        self._recorder = recorder
        self._policy = policy
        self._adversary = adversary
        # Where nobody looks and the order is that of recording, only the commands count.
        self._plain = policy.in_order and not recorder.enabled and adversary is None
        self._running: list[Running] = []
        self._blocked: dict[Submission, None] = {}
        self._due: deque[Submission] = deque()
        self._retired: list[int] = []
        self._retired_frontier = NOTHING

    def submit(self, submission: Submission) -> None:
        """Accept a submission; it executes when its wait fence is reached, the policy willing."""
        self._blocked[submission] = None
        if submission.wait.settled:
            self._due.append(submission)
        else:
            for point in submission.wait.timepoints:
                if not point.settled:
                    point.semaphore.when(point.value, lambda: self._recheck(submission))
        self._settle()
        self.host_acts()

    def host_signals(self, fence: Fence, event: int) -> None:
        """Reach all timepoints of `fence` by an event of the host."""
        self._signal(fence, event)
        self._settle()
        self.host_acts()

    def host_fails(self, fence: Fence, error: HalError) -> None:
        """Fail all semaphores of `fence` on behalf of the host."""
        fence.fail(error)
        self._settle()

    def host_acts(self) -> None:
        """Let the devices get ahead, as far as the policy likes, before the host's next action."""
        self.run(self._policy.host_steps(waited=False))

    def run(self, steps: int) -> None:
        """Execute up to `steps` commands."""
        while steps > 0 and self.step():
            steps -= 1

    def run_until(self, fence: Fence, source: Source = UNNAMED) -> None:
        """Execute until `fence`, which the host waits for at `source`, is reached or has failed.

        Raises DeadlockError where neither can happen any more: it names the fence and what is
        stuck.
        """
        while not fence.settled:
            if not self.step():
                self.expect_idle()
                raise self.deadlock(fence, source)
        self.run(self._policy.host_steps(waited=True))

    def step(self) -> bool:
        """Execute one command, or one submission where nobody can tell; False if there is none
        that the policy lets execute now."""
        if not self._running:
            return False
        if self._plain:
            self._run_through(self._running.pop(0))
        else:
            choice = self._policy.pick(self._running)
            if choice is None:
                return False
            self._step(*choice)
        self._settle()
        return True

    def retire(self) -> tuple[list[int], Frontier]:
        """What ended the submissions since the last call: their last events, and the deallocations
        that have happened with them."""
        retired = self._retired, self._retired_frontier
        self._retired, self._retired_frontier = [], NOTHING
        return retired

    def expect_idle(self) -> None:
        """Raise FAILED_PRECONDITION if something could be executed, but the policy does not let it:
        it follows a script that was written for another program."""
        if self._running:
            raise failed_precondition("the schedule to replay does not fit the program")

    def _run_through(self, running: Running) -> None:
        """Execute all commands of a submission in the order of recording."""
        run = running.submission.execution
        command = None
        try:
            for command in running.program.commands:
                command.execute(run, NO_EVENT)
        except HalError as error:
            self._fail(running, command.source if command else UNNAMED, error)
        else:
            self._finish(running)

    def _step(self, which: int, choice: int) -> None:
        """Execute one command of one submission."""
        running = self._running[which]
        index = running.cursor if running.waiting is None else running.take(choice)
        try:
            event = self._execute(running, index)
        except HalError as error:
            del self._running[which]
            self._fail(running, running.program.nodes[index].source, error)
            return
        if running.events:
            running.events[index] = event
        running.executed(index)
        if running.finished:
            del self._running[which]
            self._finish(running)

    def deadlock(self, fence: Fence | None = None, source: Source = UNNAMED) -> DeadlockError:
        """The error of waits that never end: of the host for `fence` at `source`, if given, and
        of all submissions left."""
        promised = {
            point.semaphore: point.value
            for submission in self._blocked
            for point in submission.signal.timepoints
        }

        def wait(agent: str, source: Source, fence: Fence) -> Wait:
            pending = [point for point in fence.timepoints if not point.reached]
            never = [p for p in pending if promised.get(p.semaphore, -1) < p.value]
            return Wait(
                agent,
                source.label,
                source.location,
                fence.name,
                tuple(map(str, pending)),
                tuple(map(str, never)),
            )

        waits = [wait(HOST, source, fence)] if fence is not None else []
        waits += [wait(s.execution.agent, s.source, s.wait) for s in self._blocked]
        stuck = [
            f"{submission.describe()} waits for {submission.wait.name} "
            f"({submission.wait.pending()})"
            for submission in list(self._blocked)[:_NAMED]
        ]
        if len(self._blocked) > _NAMED:
            stuck.append(f"and {len(self._blocked) - _NAMED} more")
        others = f"; {'; '.join(stuck)}" if stuck else ""
        who = (
            "a submission waits for a fence"
            if fence is None
            else f"the host waits for {fence.name} ({fence.pending()})"
        )
        message = f"deadlock: {who}, which nothing left to execute will signal{others}"
        place = source.location or next((s.source.location for s in self._blocked), "")
        return DeadlockError(message, place, tuple(waits))

    @property
    def blocked(self) -> list[Submission]:
        """Submissions whose wait fence is not reached, in the order of submission."""
        return list(self._blocked)

    def _recheck(self, submission: Submission) -> None:
        if submission in self._blocked and submission.wait.settled:
            self._due.append(submission)

    def _settle(self) -> None:
        """Start what has become due; starting may finish submissions and make others due."""
        while self._due:
            submission = self._due.popleft()
            if submission in self._blocked:
                del self._blocked[submission]
                self._start(submission)

    def _start(self, submission: Submission) -> None:
        failure = submission.wait.failure
        if failure is not None:
            submission.signal.fail(failure)
            return
        after = (submission.event,)
        if submission.wait.timepoints and self._recorder.enabled:
            agent = submission.execution.agent
            reached = self._recorder.reached(submission.wait, agent)
            label = Source(f"wait for {submission.wait.name}", submission.source.location)
            after = (self._recorder.add(agent, NO_FOOTPRINT, (*after, *reached), label),)
        count = len(submission.program.nodes)
        events = [NO_EVENT] * count if self._recorder.enabled else []
        running = Running(submission, after, events)
        if not count:
            self._finish(running)
            return
        if not self._policy.in_order:
            running.scatter()
        self._running.append(running)

    def _execute(self, running: Running, index: int) -> int:
        """Execute one node; the id of its event."""
        node = running.program.nodes[index]
        run = running.submission.execution
        command = None if isinstance(node, Barrier) else node
        footprint = NO_FOOTPRINT if command is None else command.footprint(run)
        if self._adversary is not None:
            self._adversary.before(run.domain, footprint)
        event = NO_EVENT
        if self._recorder.enabled:
            preds = running.program.preds[index]
            after = [running.events[pred] for pred in preds] if preds else running.after
            key = (running.submission.number, index)
            event = self._recorder.add(run.agent, footprint, after, node.source, key)
        if command is not None:
            command.execute(run, event)
        if self._adversary is not None:
            self._adversary.after(run.domain, footprint)
        return event

    def _finish(self, running: Running) -> None:
        """All is executed: signal (IR-31)."""
        submission = running.submission
        self._retired_frontier |= submission.done
        event, signals = NO_EVENT, bool(submission.signal.timepoints)
        if self._recorder.enabled:
            last = [running.events[sink] for sink in running.program.sinks] or running.after
            if signals:
                label = Source(f"signal of {submission.signal.name}", submission.source.location)
                event = self._recorder.add(submission.execution.agent, NO_FOOTPRINT, last, label)
                last = (event,)
            self._retired.extend(last)
        if signals:
            self._signal(submission.signal, event)

    def _signal(self, fence: Fence, event: int) -> None:
        """Reach all timepoints of `fence` by `event`; a semaphore that would not grow fails."""
        for point in fence.timepoints:
            try:
                point.semaphore.signal(point.value, event)
                self._recorder.signaled(point.semaphore, point.value, event)
            except HalError as error:
                self.failures.append(error)
                point.semaphore.fail(error)

    def _fail(self, running: Running, source: Source, error: HalError) -> None:
        """Give up the rest of a submission; all who wait for it get the error (IR-59)."""
        error = error.at(source.location)
        self.failures.append(error)
        self._retired.extend(event for event in running.events if event != NO_EVENT)
        running.submission.signal.fail(error)
