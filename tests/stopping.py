"""What stops the runs of tests, by a signal to their own process."""

import signal


def stop_when(holds, number=signal.SIGTERM):
    """A report of a run, which asks it to stop at the events of which this holds."""
    return lambda event: signal.raise_signal(number) if holds(event) else None


class Watch(list):
    """The steps of a run, which asks itself to stop at one of them."""

    def __init__(self, stop_at=None):
        self.stop_at = stop_at

    def __call__(self, event):
        if hasattr(event, "step"):
            self.append(event)
            if event.step == self.stop_at:
                signal.raise_signal(signal.SIGINT)

    @property
    def losses(self):
        return [step.loss for step in self]
