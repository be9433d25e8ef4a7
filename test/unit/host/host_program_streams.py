"""Actions on streams and events."""

from host_model import HANDLE, OK, ModelEvent, ModelStream
from host_program import ProgramBase


class StreamActions(ProgramBase):
    """Actions on streams and events."""

    def create_stream(self) -> None:
        if self.full(self.model.streams):
            return
        self.model.streams.append(ModelStream(self.runtime.create_stream()))

    def destroy_stream(self, which: int) -> None:
        stream = self.stream(which)
        code = HANDLE if stream is self.model.streams[0] else self.model.stream(stream)
        if self.expect(code, lambda: self.runtime.destroy_stream(stream.handle)):
            stream.alive = False
            self.model.known |= stream.position

    def synchronize_stream(self, which: int) -> None:
        stream = self.stream(which)
        code = self.model.stream(stream)
        if self.expect(code, lambda: self.runtime.synchronize_stream(stream.handle)):
            self.model.known |= stream.position

    def synchronize_device(self) -> None:
        self.runtime.synchronize_device()
        for stream in self.model.streams:
            self.model.known |= stream.position

    def query_stream(self, which: int) -> None:
        stream = self.stream(which)
        done: list[bool] = []
        code = self.model.stream(stream)
        # A query that succeeds lets devices proceed, so that a refused one alone changes nothing.
        if self.expect(code, lambda: done.append(self.runtime.query_stream(stream.handle))):
            assert done[0] or stream.position & ~self.model.known
            if done[0]:
                self.model.known |= stream.position

    def create_event(self) -> None:
        if self.full(self.model.events):
            return
        self.model.events.append(ModelEvent(self.runtime.create_event()))

    def record_event(self, which: int, stream: int) -> None:
        event, where = self.event(which), self.stream(stream)
        if event is not None and self.expect(
            OK if event.alive and where.alive else HANDLE,
            lambda: self.runtime.record_event(event.handle, where.handle),
        ):
            event.position = where.position

    def wait_event(self, which: int, stream: int) -> None:
        event, where = self.event(which), self.stream(stream)
        if event is not None and self.expect(
            OK if event.alive and where.alive else HANDLE,
            lambda: self.runtime.stream_wait_event(where.handle, event.handle),
        ):
            where.position |= event.position

    def synchronize_event(self, which: int) -> None:
        event = self.event(which)
        if event is not None and self.expect(
            OK if event.alive else HANDLE, lambda: self.runtime.synchronize_event(event.handle)
        ):
            self.model.known |= event.position

    def destroy_event(self, which: int) -> None:
        event = self.event(which)
        if event is not None and self.expect(
            OK if event.alive else HANDLE, lambda: self.runtime.destroy_event(event.handle)
        ):
            event.alive = False
