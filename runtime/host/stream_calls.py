"""Streams and events: `aclrtCreateStream`, `aclrtSynchronizeStream`, `aclrtRecordEvent`, ….

A stream is in order: each of its tasks waits for the one before, on a timeline semaphore of its
own. An event is a point of such a timeline. Nothing else orders tasks of different streams.
"""

from .calls import api
from .core import RuntimeCore
from .errors import ErrorCode
from .stream import Event, Position, Stream


class StreamCalls(RuntimeCore):
    """Calls on streams and events."""

    @api("aclrtCreateStream")
    def create_stream(self) -> Stream:
        """A stream on the current device (`aclrtCreateStream`, ZC-05)."""
        return self.new_stream(self.context())

    @api("aclrtDestroyStream")
    def destroy_stream(self, stream: Stream) -> None:
        """Wait for the stream's tasks and destroy it (`aclrtDestroyStream`).

        Raises HostError INVALID_HANDLE for a destroyed or the default stream, STREAM_CAPTURING
        while it captures, and the error of a task that failed; it is destroyed then, too.
        """
        self.require(stream=stream)
        found = self.stream_of(stream)
        if found is found.context.default_stream:
            self.refuse(
                ErrorCode.INVALID_HANDLE, "the default stream ends with its device", "stream"
            )
        self._check_not_capturing(found)
        try:
            self.wait_for(found.position, found.name)
        finally:
            found.alive = False
            found.context.streams.remove(found)

    @api("aclrtSynchronizeStream")
    def synchronize_stream(self, stream: Stream | None = None) -> None:
        """Block until all tasks of a stream are complete; the host then sees what they wrote to
        host memory (`aclrtSynchronizeStream`, ZC-06).

        Raises HostError STREAM_CAPTURING while it captures, and the error of a task that failed.
        """
        found = self.stream_of(stream)
        self._check_not_capturing(found)
        self.wait_for(found.position, found.name)

    @api("aclrtStreamQuery")
    def query_stream(self, stream: Stream | None = None) -> bool:
        """Whether all tasks of a stream are complete (`aclrtStreamQuery`).

        Devices proceed by a task each time somebody asks, so that polling ends.
        """
        found = self.stream_of(stream)
        self._check_not_capturing(found)
        return self._query(found.position, found.name)

    @api("aclrtCreateEvent")
    def create_event(self) -> Event:
        """An event that is not recorded yet (`aclrtCreateEvent`)."""
        return Event(next(self.numbers), self.context())

    @api("aclrtDestroyEvent")
    def destroy_event(self, event: Event) -> None:
        """Destroy an event; who waits for it still does (`aclrtDestroyEvent`).

        Raises HostError EVENT_CAPTURING for an event recorded in a capture.
        """
        self._position(event)
        self.event_of(event).alive = False

    @api("aclrtRecordEvent")
    def record_event(self, event: Event, stream: Stream | None = None) -> None:
        """Let an event stand for the tasks issued to a stream so far (`aclrtRecordEvent`).

        A wait that was issued before keeps to the former point (CP-11).
        """
        found, where = self.event_of(event), self.stream_of(stream)
        if where.capture is not None:
            where.capture.record_event(where, found)
            return
        found.capture = None
        found.position = where.position

    @api("aclrtStreamWaitEvent")
    def stream_wait_event(self, stream: Stream | None, event: Event) -> None:
        """Let later tasks of a stream wait for an event (`aclrtStreamWaitEvent`)."""
        where, found = self.stream_of(stream), self.event_of(event)
        sink = found.capture or where.capture
        if sink is not None:
            sink.wait_event(where, found)
            return
        if found.position is not None:
            where.waits.append(found.position)

    @api("aclrtSynchronizeEvent")
    def synchronize_event(self, event: Event) -> None:
        """Block until an event is complete (`aclrtSynchronizeEvent`).

        Raises HostError EVENT_CAPTURING for an event recorded in a capture.
        """
        self.wait_for(self._position(event), f"event{event.number}")

    @api("aclrtQueryEventStatus")
    def query_event(self, event: Event) -> bool:
        """Whether an event is complete (`aclrtQueryEventStatus`); see `query_stream`."""
        return self._query(self._position(event), f"event{event.number}")

    def event_of(self, event: Event | None) -> Event:
        """An event that a call names; INVALID_HANDLE for a destroyed one."""
        self.require(event=event)
        assert event is not None
        if not event.alive or not event.context.alive:
            self.refuse(
                ErrorCode.INVALID_HANDLE, f"invalid handle: event{event.number} is destroyed"
            )
        return event

    def _position(self, event: Event) -> Position:
        found = self.event_of(event)
        if found.capture is not None:
            self.refuse(ErrorCode.EVENT_CAPTURING, f"event{found.number} is capturing", "event")
        return found.position or Position()

    def _check_not_capturing(self, stream: Stream) -> None:
        if stream.capture is not None:
            self.refuse(ErrorCode.STREAM_CAPTURING, f"{stream.name} is capturing", "stream")

    def _query(self, position: Position, name: str) -> bool:
        self.system.scheduler.run(1)
        if not position.fence(name).settled:
            return False
        self.wait_for(position, name)
        return True
