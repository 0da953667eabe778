"""Repeats work in a thread beside a measurement."""

import threading


class Repeating:
    """Calls `step` in a thread for the duration of a `with` block, with a pause before each call. An error in the thread ends the calls,
    and the block raises it at its end."""

    def __init__(self, pause_seconds: float):
        self.pause_seconds = pause_seconds
        self.is_over = threading.Event()
        self.failure: Exception | None = None

    def step(self):
        raise NotImplementedError

    def __enter__(self):
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.is_over.set()
        self.thread.join()
        if self.failure:
            raise self.failure

    def run(self):
        try:
            self.repeat()
        except Exception as error:
            self.failure = error

    def repeat(self):
        while not self.is_over.wait(self.pause_seconds):
            self.step()
